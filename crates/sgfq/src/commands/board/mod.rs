//! `sgfq board`: draws positions as text or SVG.

use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;

use sgfstream::record::{GameRecord, Outline};
use sgfstream_draw::{BoardLayout, NodeView};
use sgfstream_engine::{Out, PartSize};
use sgfstream_game::{
    Coordinates, Facts,
    facts::{NodePath, NodeTarget},
};
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::coords::Coords;
use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::{self, OutputTiming, Pool};
use crate::io::new_files::NewFiles;
use crate::io::output::Output;
use crate::io::relative_names::RelativeNames;
use crate::report::counted;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::terminal::{self, clean};

/// Draw the board of each game: its last position, or the position of another node.
///
/// `board` names points as players do (`Q16`). The last move is in brackets, or has a ring in a
/// picture. `board` draws the marks, labels and arrows of the node, and lists the next nodes with
/// paths for `--node`. If a game has no known board, or a board of more than 64 points on a side,
/// `board` reports it and exits with status 1.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq board game.sgf@5\n\
\x20 sgfq board games.sgf#2 --numbers -f svg -o position.svg\n\
\x20 sgfq board --move 0 --crop --no-next -f svg -d problems games/")]
pub(crate) struct Board {
    /// Show the position after move N of the main line, as FILE@N does; 0 is the root.
    #[arg(long = "move", value_name = "N", conflicts_with = "node")]
    number: Option<u64>,

    /// Show this node, as `check` names it: `/12`, or `1.0/3` for node 3 of variation 0 of
    /// variation 1.
    #[arg(long, value_name = "PATH")]
    node: Option<NodePath>,

    /// Number the moves from move FROM [default: 1].
    #[arg(long, value_name = "FROM", num_args = 0..=1, default_missing_value = "1", require_equals = true)]
    numbers: Option<u64>,

    /// Also print the name and the comment of the node.
    #[arg(long)]
    comment: bool,

    /// Do not list the next nodes, which may give away the answer of a problem.
    #[arg(long)]
    no_next: bool,

    /// Show the part of the board that `VW` names, or stones and marks with MARGIN points around
    /// them [default: 2].
    #[arg(long, value_name = "MARGIN", num_args = 0..=1, default_missing_value = "2", require_equals = true)]
    crop: Option<u16>,

    /// Write a file for each game to DIR, named after its input: x.svg, and x-2.svg for the second
    /// game of x.sgf.
    #[arg(short = 'd', long, value_name = "DIR", conflicts_with = "file")]
    directory: Option<PathBuf>,

    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io<Pool>,
}

const FORMATS: &[Format] = &[Format::Text, Format::Svg];

impl Board {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let target = match (self.io.inputs.take_move(), self.number, self.node.take()) {
            (Some(number), None, None) | (None, Some(number), _) => NodeTarget::Move(number),
            (None, None, Some(path)) => NodeTarget::Node(path),
            (None, None, None) => NodeTarget::End,
            (Some(number), ..) => {
                anyhow::bail!("@{number} and an option both name a node; leave one out")
            }
        };
        let format = self.io.destination.format(self.format, FORMATS)?;
        let chooser = self.io.choice.parse()?;
        let coordinates = self.coords.or(Coordinates::Gtp);
        let (mut drawn, mut missing) = (0u64, false);
        let files = self
            .directory
            .as_deref()
            .map(|directory| NewFiles::create(directory, None))
            .transpose()?;
        let mut files = files
            .map(|files| files.with_extension(if format == Format::Svg { "svg" } else { "txt" }));
        let names = RelativeNames::new(self.io.inputs.parsed());
        let worker = || (None::<Rc<BoardLayout>>, chooser.row(ColumnSet::default()));
        let job = threads::each_part(
            worker,
            |(layout, filled), part, boards: &mut Out<'_, BoardOutput>| {
                let (name, is_one, entry) = (
                    shown_name(&part),
                    part.game().is_some(),
                    part.name().to_string(),
                );
                let mut rows = RowReader::of_part(part, filled)?;
                while let Some(record) = chooser.next_game(&mut rows)? {
                    let game = record.number();
                    let name = if is_one {
                        name.clone()
                    } else {
                        format!("{name}#{game}")
                    };
                    let found = self.view(record, &target, coordinates, layout);
                    let text = found
                        .map(|shown| self.draw(format, &name, *shown).expect("writing to memory"));
                    let number = if game > 1 {
                        format!("-{game}")
                    } else {
                        String::new()
                    };
                    boards.0.push(DrawnBoard {
                        name,
                        file: (entry.clone(), number),
                        text,
                    });
                    if !threads::hand_out_if_full(boards) {
                        break;
                    }
                }
                Ok(rows.end()?)
            },
        );
        let timing = OutputTiming::Streamed {
            is_shown: self.io.is_shown(out),
        };
        let exit = self.io.with(out, |out| {
            let exit = self.io.read(timing, PartSize::Whole, &job, |result| {
                for DrawnBoard { name, file, text } in std::mem::take(&mut result.output.0) {
                    let text = match text {
                        Ok(text) => text,
                        Err(sentence) => {
                            missing = true;
                            terminal::print_line(&format!("sgfq: {name}: {sentence}"));
                            continue;
                        }
                    };
                    drawn += 1;
                    if let Some(files) = &mut files {
                        files.next(&(names.of(&file.0) + &file.1))?.write_all(&text)?;
                        continue;
                    }
                    anyhow::ensure!(
                        drawn == 1 || format != Format::Svg,
                        "a picture shows one game, and {name} is another; name one game as FILE#17, or use `-d DIR`"
                    );
                    if drawn > 1 {
                        writeln!(out)?;
                    }
                    out.write_all(&text)?;
                }
                Ok(())
            })?;
            files.map_or(Ok(()), |files| files.finish(out))?;
            Ok(exit)
        })?;
        let exit = if missing { exit.or(Exit::Found) } else { exit };
        Ok(self.io.inputs.or_none(exit, drawn > 0))
    }

    fn view(
        &self,
        record: GameRecord<'_>,
        target: &NodeTarget,
        coordinates: Coordinates,
        layout: &mut Option<Rc<BoardLayout>>,
    ) -> Result<Box<NodeView>, String> {
        let (outline, facts) = (Outline::of(record), Facts::of(record, 0));
        let node = target.find(&outline, &facts)?;
        NodeView::of(&outline, &facts, node, coordinates, self.numbers, layout)
    }

    /// Draws the board of a game as the options say.
    fn draw(&self, format: Format, name: &str, mut shown: NodeView) -> io::Result<Vec<u8>> {
        if self.no_next {
            (shown.next, shown.more) = (Vec::new(), 0);
        }
        if !self.comment {
            (shown.name, shown.comment) = (None, None);
        }
        if let Some(margin) = self.crop {
            shown.diagram.crop(margin);
        }
        let mut text = Vec::new();
        if format == Format::Svg {
            let title = title(name.rsplit(['/', '\\']).next().unwrap_or_default(), &shown);
            writeln!(text, "{}", shown.diagram.svg(&title, true))?;
        } else {
            write_text(&title(name, &shown), &shown, &mut text)?;
        }
        Ok(text)
    }
}

/// Maximum number of boards in an output.
const BOARDS: usize = 256;

/// Boards that one part has drawn.
#[derive(Default)]
struct BoardOutput(Vec<DrawnBoard>);

/// A game with its board, or why it has none.
struct DrawnBoard {
    name: String,
    /// The entry, and the suffix that names the file of this game.
    file: (String, String),
    text: Result<Vec<u8>, String>,
}

impl threads::Output for BoardOutput {
    fn is_full(&self) -> bool {
        self.0.len() >= BOARDS
    }
}

/// Returns a title such as `games.sgf#2 /34, move 34: W D4, Black to play`.
fn title(name: &str, shown: &NodeView) -> String {
    let played = shown
        .played
        .as_ref()
        .map_or_else(String::new, |played| format!(": {played}"));
    let game = shown.diagram.position.dialect().game();
    let turn = shown.to_move.map_or_else(String::new, |side| {
        format!(", {} to play", side.title_in(game))
    });
    format!("{name} {}, move {}{played}{turn}", shown.path, shown.ply)
}

fn write_text(title: &str, shown: &NodeView, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", clean(title))?;
    out.write_all(terminal::diagram_text(&shown.diagram).as_bytes())?;
    if shown.unread > 0 {
        let values = counted(shown.unread, "value");
        writeln!(out, "not on this board: {values} of moves and setup")?;
    }
    if !shown.next.is_empty() {
        writeln!(out, "{}", clean(&next(shown)))?;
    }
    for line in shown
        .name
        .iter()
        .chain(&shown.comment)
        .flat_map(|text| text.lines())
    {
        writeln!(out, "{}", clean(line))?;
    }
    Ok(())
}

/// Returns a line such as `next: 0/0 B D4, 1/0 B Q3`.
fn next(shown: &NodeView) -> String {
    let nodes = shown.next.iter().map(|(path, played)| match played {
        Some(played) => format!("{path} {played}"),
        None => path.clone(),
    });
    let more = if shown.more > 0 {
        format!(", and {} more", shown.more)
    } else {
        String::new()
    };
    format!("next: {}{more}", nodes.collect::<Vec<_>>().join(", "))
}
