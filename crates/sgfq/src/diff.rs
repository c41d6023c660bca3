//! `sgfq diff`: where two games part.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use anyhow::Context;
use clap::Args;

use sgfstream::adapt::rewrite::{Context as Meaning, Rewriter, Selector, edit};
use sgfstream::base::Position;
use sgfstream::event::{Event, Ident};
use sgfstream::game::go::is_pass;
use sgfstream::game::{Definition, Game, Symmetry};
use sgfstream::read::{EventReader, Options, Reader};
use sgfstream::value::{BoardSize, ListKind, Number};

use super::exit::Exit;
use super::games::game_bytes;
use super::input::{How, Inputs};
use super::output::Output;
use super::terminal::clean;

/// Print the first difference between two files.
///
/// Nodes are equal if their properties have the same meaning: the order of properties and list elements, blanks,
/// escapes, charsets, long names and `tt` for a pass are ignored. Exits with 1 if the files differ.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq diff old.sgf new.sgf\n\
\x20 sgfq diff --ignore comments a.sgf b.zip!b.sgf")]
pub(super) struct Diff {
    /// The first file.
    #[arg(value_name = "A")]
    one: OsString,

    /// The second file.
    #[arg(value_name = "B")]
    other: OsString,

    /// Rotate or mirror the first file to match the moves of the second.
    #[arg(long)]
    symmetry: bool,

    /// Ignore these properties: identifiers and classes, as for `rewrite --strip`.
    #[arg(long, value_name = "PROPERTIES")]
    ignore: Option<String>,

    #[command(flatten)]
    how: How,
}

/// Moves that are looked at to find a symmetry.
const MOVES: usize = 1000;

/// Bytes of a value that are compared, and of those that are shown.
const VALUE_CAP: usize = 1 << 20;
const SHOWN: usize = 120;

/// Bytes of two files that are compared at once.
const BLOCK: usize = 64 << 10;

impl Diff {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let ignore = self.ignore.as_deref().map(Selector::parse).transpose().context("--ignore")?;
        let ((one, options), (other, other_options)) = (self.open(&self.one)?, self.open(&self.other)?);
        let (one, turn) = match self.symmetry {
            true => best_turn(one, options, first_moves(&other, other_options)?)?,
            false => (one, Symmetry::Identity),
        };
        if turn != Symmetry::Identity {
            writeln!(out, "{} turned: {turn}", clean(&self.one.to_string_lossy()))?;
        }
        let same = common_start(&one, &other)?;
        let mut left = Steps::new(one, options, ignore.clone(), same)?;
        let mut right = Steps::new(other, other_options, ignore, same)?;
        let Some((expected, found)) = parting(&mut left, &mut right)? else { return Ok(Exit::Done) };
        writeln!(
            out,
            "game {}, node {}: {}, {}: expected {}, {}, {}: found {}",
            left.game,
            left.node.max(right.node).saturating_sub(1),
            clean(&self.one.to_string_lossy()),
            expected.0,
            clean(&expected.1),
            clean(&self.other.to_string_lossy()),
            found.0,
            clean(&found.1)
        )?;
        Ok(Exit::Found)
    }

    /// The bytes of the input in a file of ours, so that they can be read more
    /// than once.
    fn open(&self, input: &OsStr) -> anyhow::Result<(File, Options)> {
        let shown = input.to_string_lossy();
        let mut copy = tempfile::tempfile().context("temporary file")?;
        let inputs = Inputs::of(input, self.how.clone());
        let mut options = None;
        let exit = inputs.each(self.how.options(), |part| {
            options = Some(part.options());
            match part.game() {
                None => _ = std::io::copy(&mut part.bytes(), &mut copy).context("temporary file")?,
                Some(number) => {
                    let (mut game, end) = game_bytes(part)?;
                    anyhow::ensure!(end.is_found, "{shown}: expected a game {number}, found fewer");
                    std::io::copy(&mut game, &mut copy).context("temporary file")?;
                }
            }
            Ok(ControlFlow::Break(()))
        })?;
        let Some(options) = options.filter(|_| exit == Exit::Done) else {
            anyhow::bail!("{shown}: expected a file with games, found none that can be read");
        };
        copy.seek(SeekFrom::Start(0)).context("temporary file")?;
        Ok((copy, options))
    }
}

/// How many bytes two files begin with in common, up to the last `;` of them:
/// the nodes that end there need no comparing.
fn common_start(one: &File, other: &File) -> anyhow::Result<u64> {
    let start = |file: &File| -> std::io::Result<_> {
        let mut file = file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(BufReader::with_capacity(BLOCK, file))
    };
    let (mut one, mut other) = (start(one)?, start(other)?);
    let (mut at, mut same) = (0, 0);
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let len = left.len().min(right.len());
        let (left, right) = (&left[..len], &right[..len]);
        let parting = if left == right { None } else { left.iter().zip(right).position(|(one, other)| one != other) };
        let common = parting.unwrap_or(len);
        if let Some(sign) = memchr::memrchr(b';', &left[..common]) {
            same = at + sign as u64;
        }
        if parting.is_some() || len == 0 {
            return Ok(same);
        }
        at += common as u64;
        one.consume(common);
        other.consume(common);
    }
}

/// The place of the first difference, and what is there.
type Parting = ((Position, String), (Position, String));

fn parting(left: &mut Steps, right: &mut Steps) -> anyhow::Result<Option<Parting>> {
    loop {
        let (expected, found) = (left.next()?, right.next()?);
        if expected.step == Step::End && found.step == Step::End {
            return Ok(None);
        }
        if let Some((expected_text, found_text)) = difference(&expected.step, &found.step) {
            return Ok(Some(((expected.at, expected_text), (found.at, found_text))));
        }
    }
}

/// The first file turned as its moves fit those of the second best.
fn best_turn(one: File, options: Options, wanted: Vec<(u8, Vec<u8>)>) -> anyhow::Result<(File, Symmetry)> {
    let mut best = (0, one.try_clone()?, Symmetry::Identity);
    for symmetry in Symmetry::ALL {
        let turned = if symmetry == Symmetry::Identity {
            one.try_clone()?
        } else {
            let mut source = one.try_clone()?;
            source.seek(SeekFrom::Start(0))?;
            let turned = tempfile::tempfile().context("temporary file")?;
            let buffered = std::io::BufWriter::new(turned.try_clone()?);
            let mut rewriter = Rewriter::new(buffered, vec![edit("turn", symmetry.as_str()).expect("an edit")]);
            rewriter.read(&mut Reader::with_options(source, options.with_gaps(true)))?;
            rewriter.finish()?;
            turned
        };
        let moves = first_moves(&turned, options)?;
        let same = moves.iter().zip(&wanted).take_while(|(one, other)| one == other).count();
        if same > best.0 {
            best = (same, turned, symmetry);
        }
    }
    let (_, mut file, symmetry) = best;
    file.seek(SeekFrom::Start(0))?;
    Ok((file, symmetry))
}

/// The first moves of the first main line, with who plays them.
fn first_moves(file: &File, options: Options) -> anyhow::Result<Vec<(u8, Vec<u8>)>> {
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(0))?;
    let mut reader = Reader::with_options(file, options);
    let mut moves = Vec::new();
    let mut ids = Game::Go.move_ids();
    while let Some(event) = reader.next_event()? {
        match event {
            Event::VariationEnd { .. } => break,
            Event::Property(property) if property.ident().is(b"GM") => {
                ids = Game::parse_lenient(property.first().as_bytes()).value.move_ids();
            }
            Event::Property(property) => {
                if let Some(color) = ids.color(property.ident()) {
                    moves.push((color, plain(property.first().as_bytes())));
                }
            }
            _ => {}
        }
        if moves.len() >= MOVES {
            break;
        }
    }
    Ok(moves)
}

/// One step of a file, for comparing.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Node(BTreeMap<Vec<u8>, Vec<Vec<u8>>>),
    Stop,
    End,
}

struct Placed {
    step: Step,
    at: Position,
}

/// The steps of a file.
struct Steps {
    reader: Reader<File>,
    ignore: Option<Selector>,
    game: u64,
    node: u64,
    meaning: Meaning,
    in_root: bool,
    /// Bytes that the other file begins with as well.
    same: u64,
    /// An event that was read to see the end of a node.
    ahead: bool,
    ended: bool,
}

impl Steps {
    fn new(mut file: File, options: Options, ignore: Option<Selector>, same: u64) -> anyhow::Result<Self> {
        file.seek(SeekFrom::Start(0))?;
        let reader = Reader::with_options(file, options);
        let meaning = Meaning::default();
        Ok(Self { reader, ignore, game: 0, node: 0, meaning, in_root: false, same, ahead: false, ended: false })
    }

    fn advance(&mut self) -> anyhow::Result<bool> {
        if std::mem::take(&mut self.ahead) {
            return Ok(!self.ended);
        }
        self.ended = !self.reader.advance()?;
        Ok(!self.ended)
    }

    fn here(&self) -> Position {
        self.reader.position_of(self.reader.span().start)
    }

    fn next(&mut self) -> anyhow::Result<Placed> {
        let mut at = Position::default();
        while self.advance()? {
            at = self.here();
            let depth = self.reader.depth();
            match self.reader.event() {
                Event::VariationStart { .. } => {
                    if depth == 1 {
                        (self.game, self.node, self.in_root) = (self.reader.game(), 0, true);
                        self.meaning = Meaning::default();
                    }
                    return Ok(Placed { step: Step::Start, at });
                }
                Event::VariationEnd { .. } => return Ok(Placed { step: Step::Stop, at }),
                Event::NodeStart { .. } => return Ok(Placed { step: self.read_node()?, at }),
                _ => {}
            }
        }
        Ok(Placed { step: Step::End, at })
    }

    fn read_node(&mut self) -> anyhow::Result<Step> {
        self.node += 1;
        let mut raw: BTreeMap<Vec<u8>, Vec<Vec<u8>>> = BTreeMap::new();
        let mut long = 0;
        while self.advance()? {
            let is_same = !self.in_root && self.reader.span().end <= self.same;
            match self.reader.event() {
                Event::Property(_) if is_same => {}
                Event::Property(property) => {
                    let values = raw.entry(property.ident().canonical().into_owned()).or_default();
                    let charset = self.reader.charset();
                    // Texts in one charset, everything else is ASCII.
                    values.extend(property.values().map(|value| match value.as_bytes().is_ascii() {
                        true => value.unescaped().into_owned(),
                        false => value.with_charset(charset).text().into_owned().into_bytes(),
                    }));
                }
                Event::PropertyPart(part) => {
                    let values = raw.entry(part.ident().canonical().into_owned()).or_default();
                    if part.is_value_start() {
                        values.push(Vec::new());
                        long = 0;
                    }
                    let bytes = part.content().as_bytes();
                    let free = VALUE_CAP.saturating_sub(long).min(bytes.len());
                    long += bytes.len();
                    if let Some(value) = values.last_mut() {
                        value.extend_from_slice(&bytes[..free]);
                    }
                }
                Event::Problem(_) | Event::Gap(_) => {}
                _ => {
                    self.ahead = true;
                    break;
                }
            }
        }
        if std::mem::take(&mut self.in_root) {
            self.read_root(&raw);
            raw.remove(&b"CA"[..]);
        }
        raw.retain(|ident, _| {
            self.ignore.as_ref().is_none_or(|ignore| !ignore.selects(Ident::new(ident), &self.meaning))
        });
        for (ident, values) in &mut raw {
            self.settle(ident, values);
        }
        Ok(Step::Node(raw))
    }

    fn read_root(&mut self, root: &BTreeMap<Vec<u8>, Vec<Vec<u8>>>) {
        let first = |ident: &[u8]| root.get(ident).and_then(|values| values.first());
        self.meaning.game = first(b"GM").map_or(Game::Go, |raw| Game::parse_lenient(raw).value);
        let ff = first(b"FF").and_then(|raw| Number::parse_lenient(raw).ok());
        self.meaning.ff = ff.map_or(1, |read| read.value.get().clamp(1, 4) as u8);
        let size = first(b"SZ").and_then(|raw| BoardSize::parse_lenient_up_to(raw, u32::from(u16::MAX)).ok());
        let default = self.meaning.game.default_size().unwrap_or(BoardSize::square(19));
        self.meaning.size = size.map_or(default, |read| read.value);
    }

    /// Values that mean the same are the same, and lists are in order.
    fn settle(&self, ident: &[u8], values: &mut [Vec<u8>]) {
        let Some(found) = Definition::find(self.meaning.game, self.meaning.ff, ident) else { return };
        let definition = found.definition;
        let is_text = sgfstream::game::ValueType::is_text(definition.value_type)
            || matches!(definition.value_type, sgfstream::game::ValueType::Compose(..));
        if !is_text {
            values.iter_mut().for_each(|value| *value = plain(value));
        }
        if self.meaning.game == Game::Go && matches!(ident, b"B" | b"W") {
            values.iter_mut().filter(|value| is_pass(self.meaning.size, value)).for_each(Vec::clear);
        }
        if matches!(definition.list_kind, ListKind::List | ListKind::Elist) {
            values.sort_unstable();
        }
    }
}

/// Without blanks.
fn plain(value: &[u8]) -> Vec<u8> {
    value.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// What is to be said of two steps that differ.
fn difference(expected: &Step, found: &Step) -> Option<(String, String)> {
    match (expected, found) {
        (Step::Node(expected), Step::Node(found)) => {
            let idents = expected.keys().chain(found.keys());
            let ident = idents.filter(|ident| expected.get(*ident) != found.get(*ident)).min()?;
            let (Some(one), Some(other)) = (expected.get(ident), found.get(ident)) else {
                return Some((shown(ident, expected.get(ident)), shown(ident, found.get(ident))));
            };
            let at = one.iter().zip(other).take_while(|(one, other)| one == other).count();
            let value = |values: &Vec<Vec<u8>>| values.get(at).cloned().map(|value| vec![value]);
            let (one, other) = (value(one), value(other));
            Some((shown(ident, one.as_ref()), shown(ident, other.as_ref())))
        }
        (expected, found) if expected == found => None,
        (expected, found) => Some((named(expected), named(found))),
    }
}

fn named(step: &Step) -> String {
    match step {
        Step::Start => "a variation".to_owned(),
        Step::Stop => "the end of a variation".to_owned(),
        Step::End => "the end of the file".to_owned(),
        Step::Node(properties) => match properties.iter().next() {
            Some((ident, values)) => format!("a node with {}", shown(ident, Some(values))),
            None => "a node".to_owned(),
        },
    }
}

fn shown(ident: &[u8], values: Option<&Vec<Vec<u8>>>) -> String {
    let ident = String::from_utf8_lossy(ident);
    let Some(values) = values else { return format!("no `{ident}`, or no further value") };
    let mut text = ident.into_owned();
    for value in values {
        text.push('[');
        text.push_str(&String::from_utf8_lossy(value));
        text.push(']');
        if text.len() > SHOWN {
            break;
        }
    }
    if let Some((cut, _)) = text.char_indices().nth(SHOWN) {
        text.truncate(cut);
        text.push('…');
    }
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same is said wherever the files part, whether nodes that are the same
    /// byte for byte are passed over or compared.
    #[test]
    fn nodes_that_are_the_same_need_no_comparing() {
        let game = b"(;GM[1]SZ[9]PB[a;b];B[aa]C[x;y\\]z];AB[bb][cc](;W[dd])(;W[tt]N[n];B[]))\n(;B[ab]B[cd];W[ee])";
        let file = |bytes: &[u8]| {
            let mut file = tempfile::tempfile().expect("a file");
            file.write_all(bytes).expect("written");
            file
        };
        let said = |one: &[u8], other: &[u8], same: Option<u64>| {
            let (one, other) = (file(one), file(other));
            let same = same.unwrap_or_else(|| common_start(&one, &other).expect("read"));
            let mut steps = [one, other].map(|file| Steps::new(file, Options::default(), None, same).expect("read"));
            let [left, right] = &mut steps;
            let parting = parting(left, right).expect("read");
            (parting, left.game, left.node)
        };
        let mut partings = 0;
        for at in 0..game.len() {
            for byte in *b"a;]) " {
                let mut other = game.to_vec();
                other[at] = byte;
                let found = said(game, &other, None);
                assert_eq!(found, said(game, &other, Some(0)), "{}", other.escape_ascii());
                partings += usize::from(found.0.is_some());
            }
        }
        assert!(partings > 200, "{partings} of the changes were seen");
    }
}
