//! `sgfq moves`: prints main lines as text.

use clap::Args;

use sgfstream::{Event, EventReader, Flow, Ident, Place, Sink};
use sgfstream_engine::{OUTPUT_FULL, Out};
use sgfstream_game::{Coordinates, GameState, Move, RawMove, RootRetention, Step};

use crate::args::coords::Coords;
use crate::args::io::Io;
use crate::args::threads::Lines;
use crate::args::threads::{self, Pool};
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::terminal::clean;

/// Print the moves of each main line, one line per game.
///
/// `moves` prints each move as a property: `B[pd] W[dp] B[]`. With `--plain`, it prints only the value, and `pass` for a
/// pass.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq moves game.sgf\n\
\x20 sgfq moves --plain --moves 8 games/")]
pub(crate) struct Moves {
    /// Print values without properties.
    #[arg(long)]
    plain: bool,

    /// Print the first N moves of each game.
    #[arg(long = "moves", alias = "limit", short_alias = 'n', value_name = "N")]
    limit: Option<u64>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io<Pool>,
}

/// Options of the output.
struct Listing {
    plain: bool,
    coordinates: Coordinates,
    limit: u64,
}

impl Listing {
    /// Returns whether moves are converted to other coordinates.
    fn is_spelled(&self) -> bool {
        self.coordinates != Coordinates::Sgf
    }

    /// Writes one move.
    fn write(&self, state: &GameState, text: &mut Vec<u8>, ident: Ident<'_>, ply: u64, value: &[u8]) {
        if ply > self.limit {
            return;
        }
        if ply > 1 {
            text.push(b' ');
        }
        let is_spelled = self.is_spelled();
        let played = if self.plain || is_spelled { state.dialect().parse_move(value).ok() } else { None };
        if self.plain && played.as_ref().is_some_and(Move::is_pass) {
            return text.extend_from_slice(b"pass");
        }
        let shown = match played.filter(|_| is_spelled) {
            Some(played) => state.dialect().show_move_in(&played, self.coordinates).to_string().into(),
            None => String::from_utf8_lossy(value),
        };
        let shown = clean(&shown);
        match (self.plain, shown.trim()) {
            (true, "") => text.extend_from_slice(b"[]"),
            (true, shown) => text.extend_from_slice(shown.as_bytes()),
            (false, _) => {
                text.extend_from_slice(String::from_utf8_lossy(&ident.canonical()).as_bytes());
                text.push(b'[');
                text.extend_from_slice(shown.as_bytes());
                text.push(b']');
            }
        }
    }
}

/// Sink that writes the moves of a part.
struct Lister<'l, 'o> {
    listing: &'l Listing,
    state: &'l mut GameState,
    lines: &'l mut Out<'o, Lines>,
    /// Start of the current game's line in the text.
    line: usize,
    /// Games that exceed the maximum size. If `is_long`, the current game is the last of them.
    long_games: Vec<u64>,
    is_long: bool,
    is_stopped: bool,
}

impl Lister<'_, '_> {
    /// Writes the moves of the main line that an event contains or completes.
    #[inline(never)]
    fn write_moves(&mut self, step: Step, event: &Event<'_>) {
        let Self { listing, state, lines, .. } = self;
        let mut write_all = |moves: &mut dyn Iterator<Item = RawMove<'_>>| {
            for played in moves {
                listing.write(state, &mut lines.text, played.ident, played.ply, &played.bytes());
            }
        };
        if step == Step::RootEnd {
            write_all(&mut state.root_moves());
        }
        match (step, event) {
            (Step::Move { point, .. }, Event::Property(property)) => {
                listing.write(state, &mut lines.text, property.ident(), state.ply(), &point);
            }
            (Step::Moves | Step::RootEnd, Event::Property(property)) => write_all(&mut state.moves(property)),
            _ => {}
        }
    }

    /// Handles all events except nodes and plain moves.
    #[inline(never)]
    fn uncommon(&mut self, step: Step, event: &Event<'_>, place: &Place) -> Flow {
        match event {
            Event::VariationStart(variation) if variation.is_game() => {
                (self.line, self.is_long) = (self.lines.text.len(), false);
            }
            Event::VariationEnd(variation) if self.is_long && variation.is_game() => return self.flow_in_root(),
            Event::Property(_) => {}
            _ if event.ident().is_some() => {
                self.is_long = true;
                self.long_games.push(place.game);
                self.lines.text.truncate(self.line);
                return Flow::SkipGame;
            }
            _ => {}
        }
        if self.state.on_main_line() {
            self.write_moves(step, event);
        }
        if place.depth == 1 && matches!(event, Event::VariationEnd { .. }) {
            self.lines.text.push(b'\n');
        }
        if self.lines.text.len() > OUTPUT_FULL {
            self.line = 0;
            self.is_stopped |= !self.lines.hand_out();
        }
        if place.depth > 0 && !self.state.in_root() { self.flow() } else { self.flow_in_root() }
    }

    /// Returns how to continue after the root.
    #[inline(always)]
    fn flow(&self) -> Flow {
        let is_done = !self.state.on_main_line() || self.state.ply() >= self.listing.limit;
        match is_done {
            _ if self.is_stopped => Flow::Stop,
            true => Flow::SkipGame,
            false => Flow::Go,
        }
    }

    fn flow_in_root(&self) -> Flow {
        if self.is_stopped { Flow::Stop } else { Flow::Go }
    }
}

impl Sink for Lister<'_, '_> {
    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        let step = self.state.event(event, place);
        match step {
            Step::Node => self.flow(),
            // Writes `B[pd]` unchanged. Bytes beyond ASCII are excluded, because they may be parts of a character.
            Step::Move { color, point: point @ [b'!'..=b'~', b'!'..=b'~'] }
                if !self.listing.plain && !self.listing.is_spelled() && self.state.on_main_line() =>
            {
                let (ply, text) = (self.state.ply(), &mut self.lines.text);
                if ply <= self.listing.limit {
                    let letter = if color == 1 { b'B' } else { b'W' };
                    let written = [b' ', letter, b'[', point[0], point[1], b']'];
                    text.extend_from_slice(&written[usize::from(ply == 1)..]);
                }
                // A line with very many moves has no other event at which it could be emitted.
                if text.len() > OUTPUT_FULL { self.uncommon(Step::Other, event, place) } else { self.flow() }
            }
            step => self.uncommon(step, event, place),
        }
    }
}

impl Moves {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let coordinates = self.coords.or(Coordinates::Sgf);
        let (chooser, limit) = (self.io.parse_without_text()?, self.limit.unwrap_or(u64::MAX));
        let listing = Listing { plain: self.plain, coordinates, limit };
        let worker = || GameState::new(RootRetention::Line);
        let job = threads::each_part(worker, |state, part, lines: &mut Out<'_, Lines>| {
            let _ = state.end_input();
            chooser.read(part, |mut reader| {
                reader.hold_games();
                let (line, long_games) = (0, Vec::new());
                let mut lister =
                    Lister { listing: &listing, state, lines, line, long_games, is_long: false, is_stopped: false };
                reader.drive(&mut lister)?;
                Ok(reader.finish()?.with_long_games(lister.long_games))
            })
        });
        let engine = self.io.inputs.how.engine().with_cut(chooser.cut(threads::ANSWER));
        self.io.write_lines(out, &chooser, engine, "", &job)
    }
}
