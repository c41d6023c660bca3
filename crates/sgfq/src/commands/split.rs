//! `sgfq split`: games in several files.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use sgfstream_table::row::{Cell, ColumnSet};

use crate::args::destination::WholeFile;
use crate::args::input::Inputs;
use crate::args::where_games::Where;
use crate::io::output::Output;
use crate::io::temporary::Temporary;
use crate::report::exit::Exit;

/// The number of files that are open at once.
const OPEN: usize = 64;

/// The number of different values of a column, and so of files.
const FILES: usize = 100_000;

/// Write games to several files: one per game, or by column, number of games, or size.
///
/// A file gets its name when it is complete. Existing files are never replaced without `--force`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq split -d out collection.sgf\n\
\x20 sgfq split --by pb -d players games/")]
pub(crate) struct Split {
    /// Write one file per value of COLUMN, named after the value.
    #[arg(long, value_name = "COLUMN", group = "way")]
    by: Option<String>,

    /// Write N games per file.
    #[arg(short = 'n', long, value_name = "N", group = "way", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Begin a new file after this many bytes; games are never cut.
    #[arg(long, value_name = "BYTES", group = "way", value_parser = clap::value_parser!(u64).range(1..))]
    bytes: Option<u64>,

    /// The directory for the files; it is created if it does not exist.
    #[arg(short = 'd', long, value_name = "DIR", default_value = ".")]
    directory: PathBuf,

    /// Prefix of the file names.
    #[arg(long, default_value = "", value_parser = parse_prefix)]
    prefix: String,

    /// Replace existing files.
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    choice: Where,

    #[command(flatten)]
    inputs: Inputs,
}

fn parse_prefix(text: &str) -> Result<String, String> {
    if text.is_empty() || safe_name(text) == text {
        Ok(text.to_owned())
    } else {
        Err("expected letters, digits, `-`, `_` and `.` of a file name".to_owned())
    }
}

impl Split {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        std::fs::create_dir_all(&self.directory).with_context(|| self.directory.display().to_string())?;
        let chooser = self.choice.parse()?;
        let selection = self.by.as_deref().map(|column| chooser.select_one(column)).transpose()?;
        let builder = match &selection {
            Some(selection) => selection.builder(),
            None => chooser.builder(ColumnSet::default()),
        };
        let column = selection.as_ref().and_then(|selection| selection.columns().first());
        let mut found = false;
        let mut numbered = Numbered { split: &self, number: 0, games: 0, bytes: 0, file: None };
        let mut by_value = ByValue { split: &self, files: HashMap::new(), names: HashMap::new(), open: 0, clock: 0 };
        let exit = self.inputs.games(self.inputs.how.options(), builder, |game| {
            if chooser.chooses(game)? {
                found = true;
                match column {
                    Some(column) => {
                        let name = column.cell(game.read_rest()?, name_of);
                        by_value.put(&name, |out| game.write_line(out))?;
                    }
                    None => numbered.put(|out| game.write_line(out))?,
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let files = numbered.finish()? + by_value.finish()?;
        writeln!(out, "{files} files")?;
        Ok(if found { exit } else { exit.or(Exit::Found) })
    }

    /// The path of a file that is going to be written.
    fn free_path(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.directory.join(format!("{}{name}.sgf", self.prefix));
        if !self.force && path.symlink_metadata().is_ok() {
            anyhow::bail!("{}: expected no such file, found one; `--force` replaces it", path.display());
        }
        Ok(path)
    }

    fn close(&self, file: WholeFile) -> anyhow::Result<()> {
        if self.force { file.finish() } else { file.finish_new() }
    }
}

fn name_of(cell: Cell<'_>) -> String {
    match cell {
        Cell::Null => "none".to_owned(),
        cell => safe_name(&cell.to_string()),
    }
}

/// Makes of a text a file name that every file system accepts: letters,
/// digits, `-`, `_` and `.`, the rest as `_`. It is never empty, hidden, a
/// device of Windows or longer than 80 bytes; a name that is cut ends with the
/// hash of the whole text.
fn safe_name(text: &str) -> String {
    let is_safe = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.');
    let mut name: String = text.chars().map(|char| if is_safe(char) { char } else { '_' }).collect();
    let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || (stem.len() == 4
            && (stem.starts_with("COM") || stem.starts_with("LPT"))
            && stem.ends_with(|c: char| c.is_ascii_digit()));
    if name.is_empty() || name.starts_with('.') || is_device {
        name.insert(0, '_');
    }
    if name.len() > 80 {
        let cut = name.char_indices().map(|(at, _)| at).take_while(|&at| at <= 60).last().unwrap_or(0);
        let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        name = format!("{}-{hash:016x}", &name[..cut]);
    }
    while name.ends_with('.') {
        name.pop();
    }
    name
}

/// One file after another, named by number.
struct Numbered<'s> {
    split: &'s Split,
    number: u64,
    games: u64,
    bytes: u64,
    file: Option<WholeFile>,
}

/// Counts what is written.
struct Counted<'c>(&'c mut WholeFile, &'c mut u64);

impl Write for Counted<'_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = self.0.write(buf)?;
        *self.1 += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Numbered<'_> {
    fn put(&mut self, write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let is_full = match (self.split.games, self.split.bytes) {
            (Some(games), _) => self.games >= games,
            (_, Some(bytes)) => self.bytes >= bytes,
            _ => self.games >= 1,
        };
        if is_full && let Some(file) = self.file.take() {
            self.split.close(file)?;
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                self.number += 1;
                (self.games, self.bytes) = (0, 0);
                let path = self.split.free_path(&format!("{:06}", self.number))?;
                self.file.insert(WholeFile::create(&path)?)
            }
        };
        self.games += 1;
        write(&mut Counted(file, &mut self.bytes))
    }

    fn finish(mut self) -> anyhow::Result<u64> {
        if let Some(file) = self.file.take() {
            self.split.close(file)?;
        }
        Ok(self.number)
    }
}

/// A file for each value, under a temporary name until all are complete.
struct ByValue<'s> {
    split: &'s Split,
    files: HashMap<String, Slot>,
    /// Names in lower case: not every file system tells `Go` and `go` apart.
    names: HashMap<String, String>,
    open: usize,
    clock: u64,
}

struct Slot {
    path: PathBuf,
    temporary: Temporary,
    /// Closed while too many others are open.
    file: Option<BufWriter<File>>,
    used: u64,
}

impl ByValue<'_> {
    fn put(&mut self, name: &str, write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
        self.clock += 1;
        let first = self.names.entry(name.to_lowercase()).or_insert_with(|| name.to_owned());
        let name = if first == name {
            name.to_owned()
        } else {
            format!("{name}-{:08x}", xxhash_rust::xxh3::xxh3_64(name.as_bytes()) as u32)
        };
        if self.files.get(&name).is_none_or(|slot| slot.file.is_none()) {
            self.close_oldest()?;
            self.open += 1;
        }
        let count = self.files.len();
        let slot = match self.files.entry(name) {
            Entry::Occupied(slot) => slot.into_mut(),
            Entry::Vacant(place) => {
                anyhow::ensure!(count < FILES, "expected at most {FILES} different values, found one more");
                let path = self.split.free_path(place.key())?;
                let created = Temporary::create(&self.split.directory);
                let (file, temporary) = created.with_context(|| path.display().to_string())?;
                place.insert(Slot { path, temporary, file: Some(BufWriter::new(file)), used: 0 })
            }
        };
        slot.used = self.clock;
        let shown = || slot.path.display().to_string();
        let file = match &mut slot.file {
            Some(file) => file,
            None => {
                let file = File::options().append(true).open(slot.temporary.path()).with_context(shown)?;
                slot.file.insert(BufWriter::new(file))
            }
        };
        write(file).with_context(shown)
    }

    /// Closes the file that was used least recently, if too many are open.
    fn close_oldest(&mut self) -> anyhow::Result<()> {
        if self.open < OPEN {
            return Ok(());
        }
        let open = self.files.values_mut().filter(|slot| slot.file.is_some());
        if let Some(oldest) = open.min_by_key(|slot| slot.used) {
            self.open -= 1;
            oldest.close()?;
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<u64> {
        let count = self.files.len() as u64;
        for mut slot in self.files.into_values() {
            slot.close()?;
            let persisted = slot.temporary.persist(&slot.path, self.split.force);
            persisted.with_context(|| slot.path.display().to_string())?;
        }
        Ok(count)
    }
}

impl Slot {
    fn close(&mut self) -> anyhow::Result<()> {
        match self.file.take() {
            Some(mut file) => file.flush().with_context(|| self.path.display().to_string()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::safe_name;

    #[test]
    fn names_that_no_file_system_minds() {
        for (text, name) in [
            ("Go Seigen", "Go_Seigen"),
            ("../../etc/passwd", "_.._.._etc_passwd"),
            ("", "_"),
            ("con", "_con"),
            ("Com1.x", "_Com1.x"),
            ("a\0b\n", "a_b_"),
            ("呉清源", "呉清源"),
            ("x...", "x"),
            (".hidden", "_.hidden"),
            ("2-dan_1.5", "2-dan_1.5"),
        ] {
            assert_eq!(safe_name(text), name);
        }
        let (one, other) = ("é".repeat(500), "é".repeat(501));
        assert!(safe_name(&one).len() <= 80 && safe_name(&one) != safe_name(&other));
    }
}
