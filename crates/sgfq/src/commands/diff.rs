//! `sgfq diff`: the first difference between two files.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::rc::Rc;

use anyhow::Context;
use clap::Args;
use xxhash_rust::xxh3::Xxh3;

use sgfstream::{Event, EventReader, Ident, Options, Position, RawValue, Reader};
use sgfstream_adapt::rewrite::{Context as Meaning, Rewriter, Selector, edit};
use sgfstream_game::go::is_pass;
use sgfstream_game::value::{BoardSize, ListKind};
use sgfstream_game::{Definition, Game, GameState, Hold, RawMove, Step, Symmetry, ValueType};

use crate::args::input::{How, Inputs};
use crate::io::games::game_bytes;
use crate::io::output::Output;
use crate::io::sorter::{Sorted, Sorter};
use crate::io::spill::{Spill, SpillReader};
use crate::report::exit::Exit;
use crate::report::terminal::clean;

/// Print the first difference between two files.
///
/// Nodes are equal if their properties have the same meaning: the order of properties and list elements, blanks,
/// escapes, charsets, long names and `tt` for a pass are ignored. Exits with 1 if the files differ.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq diff old.sgf new.sgf\n\
\x20 sgfq diff --ignore comments old.sgf archive.zip!one.sgf")]
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

/// Moves that are compared to find a symmetry, and bytes of each.
const MOVES: usize = 1000;
const MOVE: usize = 64;

/// Bytes of a value that are compared as they are. For the rest of a longer one, its hash of 128 bits and the length of
/// the value are compared.
const VALUE: usize = 4096;

/// Characters of a property that are shown.
const SHOWN: usize = 120;

/// Bytes of two files that are compared at once.
const BLOCK: usize = 64 << 10;

/// The bytes of an input.
type Copied = Rc<RefCell<Spill>>;

impl Diff {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let ignore = self.ignore.as_deref().map(Selector::parse).transpose().context("--ignore")?;
        let ((one, options), (other, other_options)) = (self.open(&self.one)?, self.open(&self.other)?);
        let (one, turn) = match self.symmetry {
            true => best_turn(one, options, &first_moves(&other, other_options)?)?,
            false => (one, Symmetry::Identity),
        };
        if turn != Symmetry::Identity {
            writeln!(out, "{} turned: {turn}", clean(&self.one.to_string_lossy()))?;
        }
        let same = common_start(&one, &other)?;
        let mut left = Side::new(&one, options, ignore.clone(), same);
        let mut right = Side::new(&other, other_options, ignore, same);
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

    /// The bytes of the input, so that they can be read more than once.
    fn open(&self, input: &OsStr) -> anyhow::Result<(Copied, Options)> {
        let shown = input.to_string_lossy();
        let mut copy = Spill::default();
        let inputs = Inputs::of(input, self.how.clone());
        let mut options = None;
        let exit = inputs.each(self.how.options(), |part| {
            options = Some(part.options());
            match part.game() {
                None => _ = io::copy(&mut part.bytes(), &mut copy)?,
                Some(number) => {
                    let (mut game, end) = game_bytes(part)?;
                    anyhow::ensure!(end.is_found, "{shown}: expected a game {number}, found fewer");
                    io::copy(&mut game, &mut copy)?;
                }
            }
            Ok(ControlFlow::Break(()))
        })?;
        let Some(options) = options.filter(|_| exit == Exit::Done) else {
            anyhow::bail!("{shown}: expected a file with games, found none that can be read");
        };
        Ok((Rc::new(RefCell::new(copy)), options))
    }
}

/// How many bytes two files begin with in common, up to the last `;` of them:
/// the nodes that end there need no comparing.
fn common_start(one: &Copied, other: &Copied) -> anyhow::Result<u64> {
    let [mut one, mut other] = [one, other].map(|file| BufReader::with_capacity(BLOCK, SpillReader::new(file)));
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

fn first_difference(left: &mut Side, right: &mut Side) -> anyhow::Result<Option<Difference>> {
    loop {
        let ((expected, at), (found, found_at)) = (left.next()?, right.next()?);
        let difference = match (expected, found) {
            (Found::Node, Found::Node) => difference(&mut left.properties()?, &mut right.properties()?)?,
            (expected, found) if expected == found => None,
            (expected, found) => Some((left.named(expected)?, right.named(found)?)),
        };
        if let Some((expected, found)) = difference {
            return Ok(Some(((at, expected), (found_at, found))));
        }
        if expected == Found::End {
            return Ok(None);
        }
    }
}

/// The first file, turned so that the most of its moves are those that are `wanted`.
fn best_turn(one: Copied, options: Options, wanted: &[(u8, Vec<u8>)]) -> anyhow::Result<(Copied, Symmetry)> {
    let mut best = (0, Rc::clone(&one), Symmetry::Identity);
    for symmetry in Symmetry::ALL {
        let turned = if symmetry == Symmetry::Identity {
            Rc::clone(&one)
        } else {
            let buffered = io::BufWriter::new(Spill::default());
            let mut rewriter = Rewriter::new(buffered, vec![edit("turn", symmetry.as_str()).expect("an edit")]);
            rewriter.read(&mut Reader::with_options(SpillReader::new(&one), options.with_gaps(true)))?;
            let turned = rewriter.finish()?.0.into_inner().map_err(io::IntoInnerError::into_error)?;
            Rc::new(RefCell::new(turned))
        };
        let moves = first_moves(&turned, options)?;
        let same = moves.iter().zip(wanted).take_while(|(one, other)| one == other).count();
        if same > best.0 {
            best = (same, turned, symmetry);
        }
    }
    let (_, file, symmetry) = best;
    Ok((file, symmetry))
}

/// The first moves of the first main line, with who plays them.
fn first_moves(file: &Copied, options: Options) -> anyhow::Result<Vec<(u8, Vec<u8>)>> {
    let mut reader = Reader::with_options(SpillReader::new(file), options);
    let mut state = GameState::default();
    let mut moves = Vec::new();
    let taken = |played: RawMove<'_>| {
        let bytes = played.bytes();
        (played.color, plain(&bytes[..bytes.len().min(MOVE)]).collect())
    };
    while moves.len() < MOVES && reader.advance()? {
        let event = reader.event();
        let step = state.event(&event, &reader.place());
        if step == Step::RootEnd {
            moves.extend(state.root_moves().take(MOVES).map(taken));
        }
        match (step, event) {
            (_, Event::VariationEnd { .. }) => break,
            (Step::Move { color, point }, _) => moves.push((color, plain(&point).collect())),
            (Step::Moves | Step::RootEnd, Event::Property(property)) => {
                moves.extend(state.moves(&property).take(MOVES).map(taken));
            }
            (Step::Moves | Step::RootEnd, Event::PropertyPart(part)) => moves.extend(state.part_move(&part).map(taken)),
            _ => {}
        }
    }
    Ok(moves)
}

/// What comes next in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    VariationStart,
    Node,
    VariationEnd,
    End,
}

/// One of the files.
struct Side {
    reader: Reader<SpillReader>,
    /// Reads the root of a game first: what its properties mean may be said after them.
    ahead: Reader<SpillReader>,
    state: GameState,
    meaning: Meaning,
    ignore: Option<Selector>,
    game: u64,
    node: u64,
    in_root: bool,
    /// Bytes that the other file begins with as well.
    same: u64,
    /// The last node.
    node_values: NodeValues,
    /// An event that was read to see the end of a node.
    is_ahead: bool,
    ended: bool,
}

impl Side {
    fn new(file: &Copied, options: Options, ignore: Option<Selector>, same: u64) -> Self {
        let reader = || Reader::with_options(SpillReader::new(file), options);
        Self {
            reader: reader(),
            ahead: reader(),
            state: GameState::new(Hold::Values),
            meaning: Meaning::default(),
            ignore,
            game: 0,
            node: 0,
            in_root: false,
            same,
            node_values: NodeValues::default(),
            is_ahead: false,
            ended: false,
        }
    }

    fn advance(&mut self) -> anyhow::Result<bool> {
        if !std::mem::take(&mut self.is_ahead) {
            self.ended = !self.reader.advance()?;
        }
        Ok(!self.ended)
    }

    fn next(&mut self) -> anyhow::Result<(Found, Position)> {
        let mut at = Position::default();
        while self.advance()? {
            at = self.reader.position_of(self.reader.span().start);
            match self.reader.event() {
                Event::VariationStart { .. } => {
                    if self.reader.depth() == 1 {
                        (self.game, self.node, self.in_root) = (self.reader.game(), 0, true);
                        self.read_root()?;
                    }
                    return Ok((Found::VariationStart, at));
                }
                Event::VariationEnd { .. } => return Ok((Found::VariationEnd, at)),
                Event::NodeStart { .. } => {
                    self.read_node()?;
                    return Ok((Found::Node, at));
                }
                _ => {}
            }
        }
        Ok((Found::End, at))
    }

    /// Finds out what the game that has just begun says of itself.
    fn read_root(&mut self) -> anyhow::Result<()> {
        let Self { ahead, state, .. } = self;
        // It is in the game before, unless that has no more than a root.
        if ahead.depth() > 1 || ahead.depth() == 1 && !matches!(ahead.event(), Event::VariationEnd { .. }) {
            ahead.skip_game();
        }
        while ahead.advance()? && state.event(&ahead.event(), &ahead.place()) != Step::RootEnd {}
        // Where the input ends in the root, its end ends the root.
        if state.in_root() {
            let _ = state.end_input();
        }
        self.meaning = Meaning::of(state);
        Ok(())
    }

    fn read_node(&mut self) -> anyhow::Result<()> {
        self.node += 1;
        let in_root = std::mem::take(&mut self.in_root);
        while self.advance()? {
            let is_same = !in_root && self.reader.span().end <= self.same;
            let Self { meaning, ignore, state, node_values, .. } = self;
            let is_wanted = |ident: Ident<'_>| {
                !(in_root && ident.is(b"CA")) && ignore.as_ref().is_none_or(|ignore| !ignore.selects(ident, meaning))
            };
            let event = self.reader.event();
            match &event {
                Event::Property(_) if is_same => {}
                Event::Property(property) if is_wanted(property.ident()) => {
                    node_values.begin(property.ident(), meaning);
                    for value in property.values() {
                        node_values.add(value.with_charset(state.charset()), true, true)?;
                    }
                }
                Event::PropertyPart(part) if is_wanted(part.ident()) => {
                    if part.is_property_start() {
                        node_values.begin(part.ident(), meaning);
                    }
                    let piece = part.content().with_charset(state.charset());
                    node_values.add(piece, part.is_value_start(), part.is_value_end())?;
                }
                Event::Property(_) | Event::PropertyPart(_) | Event::Problem(_) | Event::Gap(_) => {}
                _ => {
                    self.is_ahead = true;
                    break;
                }
            }
        }
        Ok(())
    }

    /// The properties of the last node.
    fn properties(&mut self) -> io::Result<Properties> {
        let mut properties = Properties { sorted: self.node_values.sorter.sorted()?, string: Vec::new(), ended: false };
        properties.advance()?;
        Ok(properties)
    }

    fn named(&mut self, found: Found) -> io::Result<String> {
        Ok(match found {
            Found::VariationStart => "a variation".to_owned(),
            Found::VariationEnd => "the end of a variation".to_owned(),
            Found::End => "the end of the file".to_owned(),
            Found::Node => {
                let mut properties = self.properties()?;
                if properties.ended {
                    return Ok("a node".to_owned());
                }
                let ident = properties.ident().to_vec();
                format!("a node with {}", shown(&ident, true, &mut properties)?)
            }
        })
    }
}

/// The values of a node, which mean the same if they are the same: without escapes, blanks and other spellings, and
/// ordered by identifier. Each is a string of the identifier, 0, the place among the values of the node (0 in lists,
/// where the place means nothing), and the value.
#[derive(Default)]
struct NodeValues {
    sorter: Sorter,
    /// The string of the value that is read.
    string: Vec<u8>,
    place: u64,
    /// Where the value begins in the string.
    start: usize,
    is_text: bool,
    is_list: bool,
    /// The size of the board, where the value may be a pass.
    go: Option<BoardSize>,
    len: u64,
    hash: Xxh3,
}

impl NodeValues {
    /// A property begins.
    fn begin(&mut self, ident: Ident<'_>, meaning: &Meaning) {
        let ident = ident.canonical();
        let found = Definition::find(meaning.game, meaning.ff, &ident);
        let definition = found.as_ref().map(|found| &found.definition);
        let is_text = |value_type: ValueType| value_type.is_text() || matches!(value_type, ValueType::Compose(..));
        self.is_text = definition.is_none_or(|definition| is_text(definition.value_type));
        let is_list = |kind: ListKind| matches!(kind, ListKind::List | ListKind::Elist);
        self.is_list = definition.is_some_and(|definition| is_list(definition.list_kind));
        let plays_go = definition.is_some() && meaning.game == Game::Go && matches!(&*ident, b"B" | b"W");
        self.go = meaning.size.filter(|_| plays_go);
        self.string.clear();
        self.string.extend_from_slice(&ident);
        self.string.push(0);
        self.start = self.string.len() + size_of::<u64>();
    }

    /// A value, or a piece of one.
    fn add(&mut self, piece: RawValue<'_>, is_start: bool, is_end: bool) -> io::Result<()> {
        if is_start {
            self.string.truncate(self.start - size_of::<u64>());
            self.place += 1;
            let place = if self.is_list { 0 } else { self.place };
            self.string.extend_from_slice(&place.to_be_bytes());
            self.len = 0;
            self.hash.reset();
        }
        // Texts in one charset, everything else is ASCII.
        let text;
        let unescaped = match piece.as_bytes().is_ascii() {
            true => piece.unescaped(),
            false => {
                text = piece.text();
                text.as_bytes().into()
            }
        };
        if self.is_text {
            self.take(&unescaped)
        } else {
            self.take(&plain(&unescaped).collect::<Vec<_>>())
        }
        if !is_end {
            return Ok(());
        }
        if self.go.is_some_and(|size| is_pass(size, &self.string[self.start..])) {
            self.string.truncate(self.start);
        }
        if self.len > VALUE as u64 {
            self.string.extend_from_slice(&self.len.to_be_bytes());
            self.string.extend_from_slice(&self.hash.digest128().to_be_bytes());
        }
        self.sorter.push(&self.string)
    }

    fn take(&mut self, bytes: &[u8]) {
        let free = VALUE - (self.string.len() - self.start);
        let (kept, rest) = bytes.split_at(bytes.len().min(free));
        self.string.extend_from_slice(kept);
        if !rest.is_empty() {
            self.hash.update(rest);
        }
        self.len += bytes.len() as u64;
    }
}

/// Without blanks.
fn plain(value: &[u8]) -> impl Iterator<Item = u8> + '_ {
    value.iter().copied().filter(|byte| !byte.is_ascii_whitespace())
}

/// The values of a node, in order.
struct Properties {
    sorted: Sorted,
    string: Vec<u8>,
    ended: bool,
}

impl Properties {
    fn advance(&mut self) -> io::Result<()> {
        self.ended = !self.sorted.next(&mut self.string)?;
        Ok(())
    }

    fn ident(&self) -> &[u8] {
        self.string.split(|&byte| byte == 0).next().unwrap_or_default()
    }

    /// The value: its first bytes, and the length and hash of a longer one.
    fn value(&self) -> &[u8] {
        &self.string[self.ident().len() + 1 + size_of::<u64>()..]
    }

    fn is_at(&self, ident: &[u8]) -> bool {
        !self.ended && self.ident() == ident
    }
}

/// Describes the first value in which two nodes differ; `None` if they are equal.
fn difference(expected: &mut Properties, found: &mut Properties) -> io::Result<Option<(String, String)>> {
    let mut last = Vec::new();
    while !expected.ended || !found.ended {
        let ident = match (expected.ended, found.ended) {
            (true, _) => found.ident(),
            (_, true) => expected.ident(),
            _ => expected.ident().min(found.ident()),
        };
        let is_new = ident != last;
        if is_new {
            last = ident.to_vec();
        }
        let are_both = expected.is_at(&last) && found.is_at(&last);
        if !are_both || expected.value() != found.value() {
            // Of a property that one node has not at all, all values are shown.
            let all = is_new && !are_both;
            return Ok(Some((shown(&last, all, expected)?, shown(&last, all, found)?)));
        }
        expected.advance()?;
        found.advance()?;
    }
    Ok(None)
}

/// The value at hand of a property, or `all` from there on, as far as they are shown.
fn shown(ident: &[u8], all: bool, values: &mut Properties) -> io::Result<String> {
    let mut text = String::from_utf8_lossy(ident).into_owned();
    if !values.is_at(ident) {
        return Ok(format!("no `{text}`, or no further value"));
    }
    while values.is_at(ident) && text.len() <= SHOWN {
        let value = values.value();
        text.push_str(&format!("[{}]", String::from_utf8_lossy(&value[..value.len().min(VALUE)])));
        values.advance()?;
        if !all {
            break;
        }
    }
    if let Some((cut, _)) = text.char_indices().nth(SHOWN) {
        text.truncate(cut);
        text.push('…');
    }
    Ok(format!("`{text}`"))
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
            let mut file = Spill::default();
            file.write_all(bytes).expect("written");
            Rc::new(RefCell::new(file))
        };
        let said = |one: &[u8], other: &[u8], same: Option<u64>| {
            let (one, other) = (file(one), file(other));
            let same = same.unwrap_or_else(|| common_start(&one, &other).expect("read"));
            let mut sides = [one, other].map(|file| Side::new(&file, Options::default(), None, same));
            let [left, right] = &mut sides;
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
