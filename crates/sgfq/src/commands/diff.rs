//! `sgfq diff`: the first difference between two files.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use anyhow::Context;
use clap::Args;

use sgfstream::adapt::rewrite::{Context as Meaning, Rewriter, Selector, edit};
use sgfstream::base::Position;
use sgfstream::event::{Event, Ident};
use sgfstream::game::go::is_pass;
use sgfstream::game::{Definition, Game, Symmetry, ValueType};
use sgfstream::read::{EventReader, Options, Reader};
use sgfstream::value::{BoardSize, ListKind, Number};

use crate::args::input::{How, Inputs};
use crate::io::games::game_bytes;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::terminal::clean;

/// Print the first difference between two files.
///
/// Nodes are equal if their properties have the same meaning: the order of properties and list elements, blanks,
/// escapes, charsets, long names and `tt` for a pass are ignored. Exits with 1 if the files differ.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq diff old.sgf new.sgf\n\
\x20 sgfq diff --ignore comments a.sgf b.zip!b.sgf")]
pub(crate) struct Diff {
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

/// Moves that are compared to find a symmetry.
const MOVES: usize = 1000;

/// Bytes of a value that are compared, and of those that are shown.
const VALUE_CAP: usize = 1 << 20;
const SHOWN: usize = 120;

/// Bytes of two files that are compared at once.
const BLOCK: usize = 64 << 10;

impl Diff {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
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
        let mut left = Steps::new(&one, options, ignore.clone(), same)?;
        let mut right = Steps::new(&other, other_options, ignore, same)?;
        let Some((expected, found)) = first_difference(&mut left, &mut right)? else { return Ok(Exit::Done) };
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

/// The file from its start. Copies share their place, so each is read before the next is made.
fn rewound(file: &File) -> io::Result<File> {
    let mut file = file.try_clone()?;
    file.rewind()?;
    Ok(file)
}

/// How many bytes two files begin with in common, up to the last `;` of them:
/// the nodes that end there need no comparing.
fn common_start(one: &File, other: &File) -> anyhow::Result<u64> {
    let [mut one, mut other] = [rewound(one)?, rewound(other)?].map(|file| BufReader::with_capacity(BLOCK, file));
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

/// Where two files differ, and a description of what is there.
type Difference = ((Position, String), (Position, String));

fn first_difference(left: &mut Steps, right: &mut Steps) -> anyhow::Result<Option<Difference>> {
    loop {
        let ((expected, at), (found, found_at)) = (left.next()?, right.next()?);
        if let Some((expected, found)) = difference(&expected, &found) {
            return Ok(Some(((at, expected), (found_at, found))));
        }
        if expected == Step::End {
            return Ok(None);
        }
    }
}

/// The first file, turned so that the most of its moves are those that are `wanted`.
fn best_turn(one: File, options: Options, wanted: Vec<(u8, Vec<u8>)>) -> anyhow::Result<(File, Symmetry)> {
    let mut best = (0, one.try_clone()?, Symmetry::Identity);
    for symmetry in Symmetry::ALL {
        let turned = if symmetry == Symmetry::Identity {
            one.try_clone()?
        } else {
            let turned = tempfile::tempfile().context("temporary file")?;
            let buffered = std::io::BufWriter::new(turned.try_clone()?);
            let mut rewriter = Rewriter::new(buffered, vec![edit("turn", symmetry.as_str()).expect("an edit")]);
            rewriter.read(&mut Reader::with_options(rewound(&one)?, options.with_gaps(true)))?;
            rewriter.finish()?;
            turned
        };
        let moves = first_moves(&turned, options)?;
        let same = moves.iter().zip(&wanted).take_while(|(one, other)| one == other).count();
        if same > best.0 {
            best = (same, turned, symmetry);
        }
    }
    let (_, file, symmetry) = best;
    Ok((file, symmetry))
}

/// The first moves of the first main line, with who plays them.
fn first_moves(file: &File, options: Options) -> anyhow::Result<Vec<(u8, Vec<u8>)>> {
    let mut reader = Reader::with_options(rewound(file)?, options);
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

/// The properties of a node: identifiers and their values.
type Properties = BTreeMap<Vec<u8>, Vec<Vec<u8>>>;

/// One step of a file, for comparing.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    VariationStart,
    Node(Properties),
    VariationEnd,
    End,
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
    fn new(file: &File, options: Options, ignore: Option<Selector>, same: u64) -> anyhow::Result<Self> {
        let reader = Reader::with_options(rewound(file)?, options);
        let meaning = Meaning::default();
        Ok(Self { reader, ignore, game: 0, node: 0, meaning, in_root: false, same, ahead: false, ended: false })
    }

    fn advance(&mut self) -> anyhow::Result<bool> {
        if !std::mem::take(&mut self.ahead) {
            self.ended = !self.reader.advance()?;
        }
        Ok(!self.ended)
    }

    fn next(&mut self) -> anyhow::Result<(Step, Position)> {
        let mut at = Position::default();
        while self.advance()? {
            at = self.reader.position_of(self.reader.span().start);
            let depth = self.reader.depth();
            match self.reader.event() {
                Event::VariationStart { .. } => {
                    if depth == 1 {
                        (self.game, self.node, self.in_root) = (self.reader.game(), 0, true);
                        self.meaning = Meaning::default();
                    }
                    return Ok((Step::VariationStart, at));
                }
                Event::VariationEnd { .. } => return Ok((Step::VariationEnd, at)),
                Event::NodeStart { .. } => return Ok((Step::Node(self.read_node()?), at)),
                _ => {}
            }
        }
        Ok((Step::End, at))
    }

    fn read_node(&mut self) -> anyhow::Result<Properties> {
        self.node += 1;
        let mut raw = Properties::new();
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
                    }
                    let bytes = part.content().as_bytes();
                    if let Some(value) = values.last_mut() {
                        let fits = VALUE_CAP.saturating_sub(value.len()).min(bytes.len());
                        value.extend_from_slice(&bytes[..fits]);
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
        Ok(raw)
    }

    fn read_root(&mut self, root: &Properties) {
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
        let value_type = definition.value_type;
        let is_text = value_type.is_text() || matches!(value_type, ValueType::Compose(..));
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

/// Describes two steps that differ; `None` if they are equal.
fn difference(expected: &Step, found: &Step) -> Option<(String, String)> {
    match (expected, found) {
        (Step::Node(expected), Step::Node(found)) => {
            let idents = expected.keys().chain(found.keys());
            let ident = idents.filter(|ident| expected.get(*ident) != found.get(*ident)).min()?;
            let (one, other) = match (expected.get(ident), found.get(ident)) {
                (Some(one), Some(other)) => {
                    let at = one.iter().zip(other).take_while(|(one, other)| one == other).count();
                    (one.get(at..=at), other.get(at..=at))
                }
                (one, other) => (one.map(Vec::as_slice), other.map(Vec::as_slice)),
            };
            Some((shown(ident, one), shown(ident, other)))
        }
        (expected, found) => (expected != found).then(|| (named(expected), named(found))),
    }
}

fn named(step: &Step) -> String {
    match step {
        Step::VariationStart => "a variation".to_owned(),
        Step::VariationEnd => "the end of a variation".to_owned(),
        Step::End => "the end of the file".to_owned(),
        Step::Node(properties) => match properties.iter().next() {
            Some((ident, values)) => format!("a node with {}", shown(ident, Some(values))),
            None => "a node".to_owned(),
        },
    }
}

fn shown(ident: &[u8], values: Option<&[Vec<u8>]>) -> String {
    let mut text = String::from_utf8_lossy(ident).into_owned();
    let Some(values) = values else { return format!("no `{text}`, or no further value") };
    for value in values {
        if text.len() <= SHOWN {
            text.push_str(&format!("[{}]", String::from_utf8_lossy(value)));
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

    /// The first difference is the same whether nodes that are equal byte for
    /// byte are skipped or compared.
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
            let mut steps = [one, other].map(|file| Steps::new(&file, Options::default(), None, same).expect("read"));
            let [left, right] = &mut steps;
            let parting = first_difference(left, right).expect("read");
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
