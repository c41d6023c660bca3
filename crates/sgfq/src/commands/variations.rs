//! `sgfq variations`: writes each variation as a game.

use std::io::Write;

use clap::Args;

use sgfstream::{Event, Place};

use crate::args::games::write_property;
use crate::args::io::Io;
use crate::args::path_info::PathInfo;
use crate::args::threads::Pool;
use crate::io::output::Output;
use crate::report::cut;
use crate::report::exit::Exit;

/// Write each variation as a separate game.
///
/// Each game is the line from the root to the end of a variation, with all its properties. The main line comes first, and
/// each game ends with a newline. Game information below the root replaces that of the root. `variations` leaves out text
/// between games. It also leaves out lines of more than 1 MiB, unparseable bytes inside games, and further lines of a game
/// once its lines take 256 times its size. In these cases, it reports how many, and the exit status is 1.
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
        self.io.write_events(out, &chooser, || {
            let mut lines = Lines::default();
            move |event: &Event<'_>, place: &Place, out: &mut dyn Write| lines.take(event, place, out)
        })
    }
}

/// Writer of each line of a game at its end.
#[derive(Default)]
struct Lines {
    /// Root and game information on the path.
    info: PathInfo,
    /// Nodes after the root up to the current one.
    line: Vec<u8>,
    /// For each group of open variations: the length of the line there, whether it was truncated, and the number of
    /// variations.
    starts: Vec<(u32, bool, u32)>,
    /// Whether nodes were added since the last line was written.
    is_new: bool,
    nodes: u64,
    /// Whether a part of the line was dropped.
    is_cut: bool,
    /// Bytes of the game that were read and written.
    read: u64,
    written: u64,
}

impl Lines {
    fn push(&mut self, bytes: &[u8]) {
        self.read += bytes.len() as u64;
        if self.is_cut || self.line.len() + bytes.len() > LINE {
            self.is_cut = true;
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn write_line(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        if !std::mem::take(&mut self.is_new) {
            return Ok(());
        }
        let len = self.info.len() + self.line.len();
        if self.is_cut || len > LINE || self.written + len as u64 > LEAST + TIMES * self.read {
            cut::add_left_out(1);
            return Ok(());
        }
        self.written += len as u64;
        out.write_all(b"(;")?;
        self.info.write(out)?;
        out.write_all(&self.line)?;
        out.write_all(b")\n")
    }

    fn take(&mut self, event: &Event<'_>, place: &Place, out: &mut dyn Write) -> std::io::Result<()> {
        // The end of the variation completes the line.
        if matches!(event, Event::VariationEnd { .. }) {
            self.write_line(out)?;
        }
        if self.info.take(event, place) {
            self.read += event.as_bytes().len() as u64;
            return Ok(());
        }
        match event {
            Event::VariationStart { .. } => {
                if place.depth == 1 {
                    self.line.clear();
                    self.starts.clear();
                    (self.is_cut, self.is_new, self.nodes, self.read, self.written) = (false, false, 0, 0, 0);
                }
                self.read += 1;
                let (len, is_cut) = (self.line.len() as u32, self.is_cut);
                match self.starts.last_mut() {
                    Some((last, was_cut, count)) if (*last, *was_cut) == (len, is_cut) && *count < u32::MAX => {
                        *count += 1
                    }
                    _ => self.starts.push((len, is_cut, 1)),
                }
            }
            Event::VariationEnd { .. } => {
                self.read += 1;
                if let Some((len, is_cut, count)) = self.starts.last_mut() {
                    self.line.truncate(*len as usize);
                    self.is_cut = *is_cut;
                    *count -= 1;
                    if *count == 0 {
                        self.starts.pop();
                    }
                }
            }
            Event::NodeStart { .. } => {
                self.is_new = true;
                self.nodes += 1;
                // The `;` of the root is written with the root.
                if self.nodes > 1 {
                    self.push(b";");
                }
            }
            event => write_property(event, |bytes| {
                self.push(bytes);
                Ok(())
            })?,
        }
        Ok(())
    }
}
