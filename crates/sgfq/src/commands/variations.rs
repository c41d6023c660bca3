//! `sgfq variations`: writes each variation as a game.

use std::io::{self, Write};

use clap::Args;

use sgfstream::Property;
use sgfstream::record::{GameItem, GameRecord};
use sgfstream_table::row::{PathInfo, write_property};

use crate::args::io::Io;
use crate::args::threads::Pool;
use crate::io::output::Output;
use crate::report::exit::Exit;

/// Write each variation as a separate game.
///
/// Each game is the line from the root to the end of a variation, with all its properties. The main
/// line comes first, and each game ends with a newline. Game information below the root replaces
/// the root's. `variations` leaves out text between games. It also leaves out lines of more than 1
/// MiB, unparseable bytes inside games, and further lines of a game once its lines take 256 times
/// its size. In these cases, it reports how many, and the exit status is 1.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq variations games/ -o lines.sgf\n\
\x20 sgfq variations game.sgf | sgfq get moves,comment_bytes")]
pub(crate) struct Variations {
    #[command(flatten)]
    io: Io<Pool>,
}

/// Maximum bytes of a line.
const LINE: usize = 1 << 20;

/// Maximum ratio of the size of all lines of a game to the size of the game.
const TIMES: u64 = 256;

/// Bytes that all lines of a game may always have.
const LEAST: u64 = 1 << 20;

impl Variations {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.write_games();
        let chooser = self.io.parse_without_text()?;
        self.io.write_games(out, &chooser, write_lines)
    }
}

/// Line of a game from its root to a node.
struct VariationLine<'t> {
    /// Root and game information on the path.
    info: PathInfo<'t>,
    /// Nodes after the root.
    nodes: Vec<u8>,
    /// Whether a part of the nodes was dropped.
    is_cut: bool,
}

/// Lengths of a line at the start of a variation.
struct Fork {
    nodes: u32,
    infos: u32,
    is_cut: bool,
}

impl<'t> VariationLine<'t> {
    fn add(&mut self, property: Property<'t>) -> io::Result<()> {
        if self.info.add(property) {
            return Ok(());
        }
        write_property(&property, |bytes| {
            self.push(bytes);
            Ok(())
        })
    }

    fn push(&mut self, bytes: &[u8]) {
        if self.is_cut || self.nodes.len() + bytes.len() > LINE {
            self.is_cut = true;
        } else {
            self.nodes.extend_from_slice(bytes);
        }
    }

    fn fork(&self) -> Fork {
        Fork {
            nodes: self.nodes.len() as u32,
            infos: self.info.below_count() as u32,
            is_cut: self.is_cut,
        }
    }

    fn return_to(&mut self, fork: &Fork) {
        self.nodes.truncate(fork.nodes as usize);
        self.info.truncate(fork.infos as usize);
        self.is_cut = fork.is_cut;
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"(;")?;
        self.info.write(out)?;
        out.write_all(&self.nodes)?;
        out.write_all(b")\n")
    }
}

/// Writes each line of a game at its end. Returns the number of lines that were left out.
fn write_lines(game: &GameRecord<'_>, out: &mut dyn Write) -> io::Result<u64> {
    let mut line = VariationLine {
        info: PathInfo::of_root(*game),
        nodes: Vec::new(),
        is_cut: false,
    };
    let mut forks = Vec::new();
    // Whether the line has nodes that were not written.
    let mut is_new = true;
    let mut left_out = 0;
    let mut left = LEAST + TIMES * game.as_bytes().len() as u64;
    for item in game.items(game.after_root(game.tokens())) {
        match item {
            GameItem::VariationStart => forks.push(line.fork()),
            GameItem::VariationEnd => {
                if std::mem::take(&mut is_new) {
                    let len = line.info.written_len() + line.nodes.len();
                    if line.is_cut || len > LINE || len as u64 > left {
                        left_out += 1;
                    } else {
                        left -= len as u64;
                        line.write(out)?;
                    }
                }
                if let Some(fork) = forks.pop() {
                    line.return_to(&fork);
                }
            }
            GameItem::Node => {
                is_new = true;
                line.push(b";");
            }
            GameItem::Property(_, property) => line.add(property)?,
            _ => {}
        }
    }
    Ok(left_out)
}
