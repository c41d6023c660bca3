//! `sgfq moves`: main lines as text.

use std::io::Write;

use clap::Args;

use sgfstream::EventReader;
use sgfstream::event::{Event, Flow, Place, RawValue, Sink};
use sgfstream::game::{Game, MoveIds};

use super::destination::Destination;
use super::exit::Exit;
use super::input::Inputs;
use super::output::Output;
use super::terminal::clean;

/// Print the moves of each main line, one line per game.
///
/// A move is printed as its property: `B[pd] W[dp] B[]`. With `--plain`, only its value is printed, and `pass` for
/// a pass.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq moves game.sgf\n\
\x20 sgfq moves --plain -n 8 games/")]
pub(super) struct Moves {
    /// Print values without properties.
    #[arg(long)]
    plain: bool,

    /// Print at most N moves per game.
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<u64>,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

/// Bytes of a move that are printed.
const MOVE_CAP: usize = 4096;

/// Moves of a root that wait for its GM.
const WAITING: usize = 1 << 16;

/// Writes the moves of each main line.
struct Lines<'o> {
    out: &'o mut dyn Write,
    plain: bool,
    limit: u64,
    ids: MoveIds,
    in_root: bool,
    on_main_line: bool,
    nodes: u64,
    moves: u64,
    games: u64,
    /// Identifiers and values of the root, until its game is known.
    waiting: Vec<(Vec<u8>, Vec<u8>)>,
    failed: Option<std::io::Error>,
}

impl Lines<'_> {
    fn play(&mut self, ident: &[u8], value: &[u8]) {
        if self.moves >= self.limit || self.failed.is_some() {
            return;
        }
        let value = String::from_utf8_lossy(&value[..value.len().min(MOVE_CAP)]);
        let value = clean(&value);
        let blank = if self.moves > 0 { " " } else { "" };
        self.moves += 1;
        let ident = String::from_utf8_lossy(ident);
        let result = match (self.plain, value.trim()) {
            (true, "") => write!(self.out, "{blank}pass"),
            (true, value) => write!(self.out, "{blank}{value}"),
            (false, _) => write!(self.out, "{blank}{ident}[{value}]"),
        };
        self.failed = result.err();
    }

    fn value(&mut self, ident: sgfstream::event::Ident<'_>, value: RawValue<'_>) {
        let bytes = value.as_bytes();
        if self.in_root {
            if ident.is(b"GM") {
                self.ids = Game::parse_lenient(bytes).value.move_ids();
            } else if self.waiting.len() < WAITING && ident.as_bytes().len() <= 16 && bytes.len() <= MOVE_CAP {
                self.waiting.push((ident.canonical().into_owned(), bytes.to_vec()));
            }
        } else if self.ids.contains(ident) && !bytes.starts_with(b"id ") {
            self.play(&ident.canonical(), bytes);
        }
    }

    fn close_root(&mut self) {
        self.in_root = false;
        for (ident, value) in std::mem::take(&mut self.waiting) {
            if self.ids.contains(sgfstream::event::Ident::new(&ident)) && !value.starts_with(b"id ") {
                self.play(&ident, &value);
            }
        }
    }
}

impl Sink for Lines<'_> {
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        match event {
            Event::VariationStart { .. } if place.depth == 1 => {
                self.ids = Game::Go.move_ids();
                (self.in_root, self.on_main_line, self.nodes, self.moves) = (true, true, 0, 0);
                self.games += 1;
                self.waiting.clear();
            }
            Event::VariationStart { .. } if self.in_root => self.close_root(),
            Event::NodeStart { .. } => {
                self.nodes += 1;
                if self.in_root && self.nodes > 1 {
                    self.close_root();
                }
            }
            Event::Property(property) if self.on_main_line && (self.in_root || self.ids.contains(property.ident())) => {
                property.values().for_each(|value| self.value(property.ident(), value));
            }
            Event::PropertyPart(part) if self.on_main_line && part.is_value_start() => {
                self.value(part.ident(), part.content());
            }
            Event::VariationEnd { .. } => {
                if self.in_root {
                    self.close_root();
                }
                self.on_main_line = false;
                if place.depth == 1 {
                    let result = self.out.write_all(b"\n");
                    self.failed = self.failed.take().or(result.err());
                }
            }
            _ => {}
        }
        match self.failed {
            Some(_) => Flow::Stop,
            None if place.depth > 0 && !self.in_root && (!self.on_main_line || self.moves >= self.limit) => {
                Flow::SkipGame
            }
            None => Flow::Go,
        }
    }
}

impl Moves {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let mut games = 0;
        let exit = self.destination.with(out, |out| {
            let mut lines = Lines {
                out,
                plain: self.plain,
                limit: self.limit.unwrap_or(u64::MAX),
                ids: Game::Go.move_ids(),
                in_root: false,
                on_main_line: false,
                nodes: 0,
                moves: 0,
                games: 0,
                waiting: Vec::new(),
                failed: None,
            };
            let exit = self.inputs.each(self.inputs.how.options(), |_, mut reader| {
                let result = reader.drive(&mut lines);
                if let Some(err) = lines.failed.take() {
                    return Err(err.into());
                }
                Ok(result?)
            })?;
            games = lines.games;
            Ok(exit)
        })?;
        Ok(if games > 0 { exit } else { exit.or(Exit::Found) })
    }
}

/// Write the main line of each game, without variations.
///
/// This is `sgfq rewrite --main-line`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq mainline joseki.sgf")]
pub(super) struct Mainline {
    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

impl Mainline {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let edits = vec![sgfstream::adapt::rewrite::edit("main-line", "").expect("an edit")];
        self.destination.with(out, |out| super::rewrite::to_one(&self.inputs, edits, out))
    }
}
