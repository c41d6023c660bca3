//! `sgfq moves`: main lines as text.

use std::io::{self, Write};

use clap::Args;

use sgfstream::EventReader;
use sgfstream::event::{Event, Flow, Ident, Place, Sink};
use sgfstream::game::{Coordinates, Move};
use sgfstream::state::{GameState, Hold, RawMove, Step};

use crate::args::coords::Coords;
use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::where_games::Where;
use crate::io::chosen::Others;
use crate::io::output::Output;
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::terminal::clean;

/// Print the moves of each main line, one line per game.
///
/// A move is printed as its property: `B[pd] W[dp] B[]`. With `--plain`, only its value is printed, and `pass` for
/// a pass.
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
    choice: Where,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

/// Writes the moves of each main line.
struct Lines<'o> {
    out: &'o mut dyn Write,
    plain: bool,
    coordinates: Coordinates,
    limit: u64,
    state: GameState,
    games: u64,
    failed: Option<io::Error>,
}

impl Lines<'_> {
    /// Writes the moves of the main line that an event is, or that end with it.
    fn write_moves(&mut self, step: Step, event: &Event<'_>) -> io::Result<()> {
        let Self { out, plain, coordinates, limit, state, .. } = self;
        let mut write = |ident: Ident<'_>, ply: u64, value: &[u8]| {
            if ply > *limit {
                return Ok(());
            }
            let blank = if ply > 1 { " " } else { "" };
            let is_spelled = *coordinates != Coordinates::Sgf;
            let played = if *plain || is_spelled { state.dialect().parse_move(value).ok() } else { None };
            if *plain && played.as_ref().is_some_and(Move::is_pass) {
                return write!(out, "{blank}pass");
            }
            let text = match played.filter(|_| is_spelled) {
                Some(played) => state.dialect().show_move_in(&played, *coordinates).to_string().into(),
                None => String::from_utf8_lossy(value),
            };
            let text = clean(&text);
            match (*plain, text.trim()) {
                (true, "") => write!(out, "{blank}pass"),
                (true, text) => write!(out, "{blank}{text}"),
                (false, _) => write!(out, "{blank}{}[{text}]", String::from_utf8_lossy(&ident.canonical())),
            }
        };
        let mut write_all = |moves: &mut dyn Iterator<Item = RawMove<'_>>| -> io::Result<()> {
            for played in moves {
                write(played.ident, played.ply, &played.bytes())?;
            }
            Ok(())
        };
        if step == Step::RootEnd {
            write_all(&mut state.root_moves())?;
        }
        match (step, event) {
            (Step::Move { point, .. }, Event::Property(property)) => write(property.ident(), state.ply(), &point),
            (Step::Moves | Step::RootEnd, Event::Property(property)) => write_all(&mut state.moves(property)),
            (Step::Moves | Step::RootEnd, Event::PropertyPart(part)) => {
                let played = state.part_move(part);
                let is_whole = part.is_value_end() && state.game().variant().is_none();
                if played.is_some_and(|played| played.ply <= *limit && !is_whole) {
                    cut::add(1);
                }
                write_all(&mut played.into_iter())
            }
            _ => Ok(()),
        }
    }
}

impl Sink for Lines<'_> {
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        let step = self.state.event(event, place);
        let mut result = if self.state.on_main_line() { self.write_moves(step, event) } else { Ok(()) };
        if place.depth == 1 && matches!(event, Event::VariationEnd { .. }) {
            self.games += 1;
            result = result.and_then(|()| self.out.write_all(b"\n"));
        }
        if let Err(err) = result {
            self.failed = Some(err);
            return Flow::Stop;
        }
        let is_done = !self.state.on_main_line() || self.state.ply() >= self.limit;
        if place.depth > 0 && !self.state.in_root() && is_done { Flow::SkipGame } else { Flow::Go }
    }
}

impl Moves {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let chooser = self.choice.parse()?;
        let mut games = 0;
        let exit = self.destination.with(&self.inputs, out, |out| {
            let mut lines = Lines {
                out,
                plain: self.plain,
                coordinates: self.coords.or(Coordinates::Sgf),
                limit: self.limit.unwrap_or(u64::MAX),
                state: GameState::new(Hold::Line),
                games: 0,
                failed: None,
            };
            let options = self.inputs.how.options();
            let exit = self.inputs.each_chosen(options, &chooser, Others::LeftOut, |_, reader, _| {
                let result = reader.drive(&mut lines);
                if let Some(err) = lines.failed.take() {
                    return Err(err.into());
                }
                Ok(result?)
            })?;
            games = lines.games;
            Ok(exit)
        })?;
        Ok(self.inputs.or_none(exit, games > 0))
    }
}

/// Write the main line of each game, without variations.
///
/// This is `sgfq rewrite --main-line`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq mainline game.sgf\n\
\x20 sgfq mainline games/ -o mainlines.sgf")]
pub(crate) struct Mainline {
    #[command(flatten)]
    choice: Where,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

impl Mainline {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let edits = vec![sgfstream::adapt::rewrite::edit("main-line", "").expect("an edit")];
        let chooser = self.choice.parse()?;
        self.destination
            .with(&self.inputs, out, |out| crate::commands::rewrite::to_one(&self.inputs, &chooser, edits, out))
    }
}
