//! `sgfq board`: draws positions as text or SVG.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use sgfstream::{Event, EventReader};
use sgfstream_adapt::tree::{GameTree, MemoryLimit, NodePath, NodeTarget};
use sgfstream_draw::NodeView;
use sgfstream_game::Coordinates;

use crate::args::coords::Coords;
use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::io::new_files::NewFiles;
use crate::io::output::Output;
use crate::io::relative_names::RelativeNames;
use crate::report::exit::Exit;
use crate::report::terminal::{self, clean};

/// Maximum memory of a game: some four million nodes.
const TREE: MemoryLimit = MemoryLimit::bytes(256 << 20);

/// Draw the board of each game: its last position, or that of another node.
///
/// Coordinates are the ones that players use. The last move is in brackets, or has a ring in a picture. `board` draws the
/// marks, labels and arrows of the node, and lists the next nodes with paths for `--node`. If a game has no known board, or
/// a board of more than 64 points on a side, `board` reports it and exits with status 1.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq board game.sgf@5\n\
\x20 sgfq board games.sgf#2 --numbers -f svg -o position.svg\n\
\x20 sgfq board --move 0 --crop --no-next -f svg -d problems games/")]
pub(crate) struct Board {
    /// Show the position after move N of the main line, as FILE@N does; 0 is the root.
    #[arg(long = "move", value_name = "N", conflicts_with = "node")]
    number: Option<u64>,

    /// Show this node, as `check` names it: `/12`, or `1.0/3` in the first variation of the second; all count from 0.
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

    /// Show the part of the board that `VW` names, or stones and marks with MARGIN points around them [default: 2].
    #[arg(long, value_name = "MARGIN", num_args = 0..=1, default_missing_value = "2", require_equals = true)]
    crop: Option<u16>,

    /// Write a file for each game to DIR, named after its input: x.svg, and x-2.svg for the second game of x.sgf.
    #[arg(short = 'd', long, value_name = "DIR", conflicts_with = "file")]
    directory: Option<PathBuf>,

    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, value_enum)]
    format: Option<Format>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Characters.
    Text,
    /// A picture of one game.
    Svg,
}

impl Format {
    /// Returns the extension of output files.
    fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Svg => "svg",
        }
    }
}

impl Board {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let target = match (self.io.inputs.take_move(), self.number, self.node) {
            (Some(number), None, None) | (None, Some(number), _) => NodeTarget::Move(number),
            (None, None, Some(path)) => NodeTarget::Node(path),
            (None, None, None) => NodeTarget::End,
            (Some(number), ..) => anyhow::bail!("@{number} and an option both name a node; leave one out"),
        };
        let format = self.io.destination.format(self.format, Format::Text)?;
        let chooser = self.io.choice.parse()?;
        let coordinates = self.coords.or(Coordinates::Gtp);
        let mut layout = None;
        let (mut drawn, mut missing) = (0u64, false);
        let files = self.directory.as_deref().map(|directory| NewFiles::create(directory, None)).transpose()?;
        let mut files = files.map(|files| files.with_extension(format.extension()));
        let names = RelativeNames::new(self.io.inputs.parsed());
        let exit = self.io.with(out, |out| {
            let exit = self.io.inputs.each(self.io.inputs.how.options(), |part| {
                let (name, is_one, entry) = (shown_name(&part), part.game().is_some(), part.name().to_string());
                let end = chooser.read(part, |mut reader| {
                    while reader.advance()? {
                        if reader.depth() != 1 || !matches!(reader.event(), Event::VariationStart { .. }) {
                            continue;
                        }
                        let game = reader.game();
                        let found = match GameTree::read_game(&mut reader, TREE) {
                            Err(err) if err.is_limit() => Err(err.to_string()),
                            tree => {
                                let tree = tree?;
                                let node = tree.find_node(&target);
                                node.and_then(|node| NodeView::of(&tree, node, coordinates, self.numbers, &mut layout))
                            }
                        };
                        reader.skip_game();
                        let name = if is_one { name.clone() } else { format!("{name}#{game}") };
                        match found {
                            Ok(mut shown) => {
                                drawn += 1;
                                if self.no_next {
                                    (shown.next, shown.more) = (Vec::new(), 0);
                                }
                                if !self.comment {
                                    (shown.name, shown.comment) = (None, None);
                                }
                                if let Some(margin) = self.crop {
                                    shown.diagram.crop(margin);
                                }
                                let Some(files) = &mut files else {
                                    write(format, &name, &shown, drawn, out)?;
                                    continue;
                                };
                                let number = if game > 1 { format!("-{game}") } else { String::new() };
                                let file = files.next(&(names.of(&entry) + &number))?;
                                write(format, &name, &shown, 1, file)?;
                            }
                            Err(sentence) => {
                                missing = true;
                                terminal::say(&format!("sgfq: {name}: {sentence}"));
                            }
                        }
                    }
                    Ok(reader.finish()?)
                })?;
                Ok(ControlFlow::Continue(end))
            })?;
            files.map_or(Ok(()), |files| files.finish(out))?;
            Ok(exit)
        })?;
        let exit = if missing { exit.or(Exit::Found) } else { exit };
        Ok(self.io.inputs.or_none(exit, drawn > 0))
    }
}

/// Returns a title such as `games.sgf#2 /34, move 34: W D4, Black to play`.
fn title(name: &str, shown: &NodeView) -> String {
    let played = shown.played.as_ref().map_or_else(String::new, |played| format!(": {played}"));
    let turn = shown.to_move.map_or_else(String::new, |side| format!(", {} to play", side.name()));
    format!("{name} {}, move {}{played}{turn}", shown.path, shown.ply)
}

fn write(format: Format, name: &str, shown: &NodeView, nth: u64, out: &mut dyn Write) -> anyhow::Result<()> {
    let name_of = if format == Format::Text { name } else { name.rsplit(['/', '\\']).next().unwrap_or_default() };
    let title = title(name_of, shown);
    match format {
        Format::Text => {
            if nth > 1 {
                writeln!(out)?;
            }
            write_text(&title, shown, out)?;
        }
        Format::Svg => {
            anyhow::ensure!(
                nth == 1,
                "a picture shows one game, and {name} is another; name one game as FILE#17, or use `-d DIR`"
            );
            writeln!(out, "{}", shown.diagram.svg(&title, true))?;
        }
    }
    Ok(())
}

fn write_text(title: &str, shown: &NodeView, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", clean(title))?;
    terminal::write_diagram(&shown.diagram, out)?;
    if shown.unread > 0 {
        writeln!(out, "not on this board: {} of moves and setup", values(shown.unread))?;
    }
    if !shown.next.is_empty() {
        writeln!(out, "{}", clean(&next(shown)))?;
    }
    for line in shown.name.iter().chain(&shown.comment).flat_map(|text| text.lines()) {
        writeln!(out, "{}", clean(line))?;
    }
    Ok(())
}

fn values(count: u64) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}

/// Returns a line such as `next: 0/0 B D4, 1/0 B Q3`.
fn next(shown: &NodeView) -> String {
    let nodes = shown.next.iter().map(|(path, played)| match played {
        Some(played) => format!("{path} {played}"),
        None => path.clone(),
    });
    let more = if shown.more > 0 { format!(", and {} more", shown.more) } else { String::new() };
    format!("next: {}{more}", nodes.collect::<Vec<_>>().join(", "))
}
