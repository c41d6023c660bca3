//! `sgfq split`: games in several files.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use sgfstream_table::filter::{Selected, Selection};
use sgfstream_table::row::{Cell, ColumnSet, RowBuilder};

use crate::args::destination::{WholeFile, refuse_replaced};
use crate::args::input::Inputs;
use crate::args::where_games::{Chooser, Where};
use crate::io::file_name::safe_name;
use crate::io::new_files::NewFiles;
use crate::io::output::Output;
use crate::io::temporary::Temporary;
use crate::report::exit::Exit;
use crate::report::terminal;

/// The number of files that are open at once.
const OPEN: usize = 64;

/// The number of different values of a column, and so of files.
const FILES: usize = 100_000;

/// File names with a hash that are listed at the end; the others are counted.
const LISTED: usize = 10;

/// Write games to several files: one per game, or by column, number of games, or size.
///
/// A file gets its name when it is complete. Existing files are never replaced without `--force`, and inputs never.
/// With `--by`, characters that a file system may not accept become `_`. Different values always get different
/// files: where two values lead to one name, a hash is added to the second. Games without a value are in none.sgf.
///
/// With `--name`, each game is a file. What is in `{}` is a column or an expression, a value that is missing is
/// `none`, a `/` in the pattern makes directories, and `{{` is a brace. Characters that a file system may not accept
/// become `_`; where two names are equal, the second ends in -2.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq split -d out games.sgf\n\
\x20 sgfq split --by pb -d players games/\n\
\x20 sgfq split --name \"{pb}-{pw}-{dt}\" -d named games/")]
pub(crate) struct Split {
    /// Write one file per value of COLUMN, named after the value.
    #[arg(long, value_name = "COLUMN", group = "way")]
    by: Option<String>,

    /// Write one file per game, named after PATTERN: `{year(date_min)}/{pb}-{pw}`.
    #[arg(long, value_name = "PATTERN", group = "way")]
    name: Option<String>,

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
    if text.is_empty() || value_name(text) == text {
        Ok(text.to_owned())
    } else {
        Err("expected letters, digits, `-`, `_` and `.` of a file name".to_owned())
    }
}

impl Split {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.inputs.how.write_games();
        let chooser = self.choice.parse()?;
        self.refuse_inputs()?;
        let pattern = self.name.as_deref().map(Pattern::parse).transpose().context("--name")?;
        let selection = match (&self.by, &pattern) {
            (Some(column), _) => Some(chooser.select_one(column)?),
            (_, Some(pattern)) => Some(pattern.select(&chooser).context("--name")?),
            _ => None,
        };
        let mut named = NewFiles::create(&self.directory, self.force)?;
        self.inputs.how.ask_text(selection.as_ref().map_or(chooser.asks_text(), Selection::asks_text));
        let builder = match &selection {
            Some(selection) => selection.builder(),
            None => chooser.builder(ColumnSet::default()),
        };
        let columns = selection.as_ref().map_or(&[][..], Selection::columns);
        let mut numbered = Numbered { split: &self, number: 0, games: 0, bytes: 0, file: None };
        let mut by_value = ByValue::new(&self);
        let real_directory = fs::canonicalize(&self.directory).with_context(|| self.directory.display().to_string())?;
        let (mut source, mut is_own) = (None, false);
        let exit = self.inputs.games(&chooser, builder, |game| {
            // A directory that is read late may hold files that this run has written.
            if source != game.row().source {
                source.clone_from(&game.row().source);
                is_own = source
                    .as_deref()
                    .map(Path::new)
                    .is_some_and(|source| numbered.has_written(source, &real_directory) || named.has_written(source));
            }
            if is_own {
                return Ok(ControlFlow::Continue(()));
            }
            match (&pattern, columns) {
                (Some(pattern), _) => {
                    let name = pattern.name(columns, game.read_rest()?, &self.prefix);
                    game.write_line(named.next(&name)?)?;
                }
                (None, [column]) => {
                    let value = column.cell(game.read_rest()?, |cell| match cell {
                        Cell::Null => None,
                        cell => Some(cell.to_string()),
                    });
                    by_value.put(value, |out| game.write_line(out))?;
                }
                _ => numbered.put(|out| game.write_line(out))?,
            }
            Ok(ControlFlow::Continue(()))
        })?;
        named.count += numbered.finish()? + by_value.finish()?;
        named.finish(out)?;
        Ok(exit)
    }

    /// Fails if a file that `--force` may replace is an input. Without it no file is replaced.
    fn refuse_inputs(&self) -> anyhow::Result<()> {
        if !self.force {
            return Ok(());
        }
        let (mut outputs, mut directories) = (Vec::new(), vec![self.directory.clone()]);
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_str().and_then(|name| name.strip_suffix(".sgf"));
                let middle = name.and_then(|name| name.strip_prefix(&self.prefix));
                if self.name.is_some() && entry.path().is_dir() {
                    directories.push(entry.path());
                } else if match self.name {
                    Some(_) => name.is_some(),
                    None => middle.is_some_and(|middle| self.by.is_some() || is_number(middle)),
                } {
                    outputs.push(entry.path());
                }
            }
        }
        refuse_replaced(&self.inputs, &outputs)
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
        if self.force { file.finish() } else { file.finish_new(false) }
    }
}

/// Text with expressions in braces.
struct Pattern {
    /// The text before each expression, and after the last.
    texts: Vec<String>,
    expressions: Vec<String>,
}

impl Pattern {
    fn parse(pattern: &str) -> anyhow::Result<Self> {
        let (mut texts, mut expressions, mut rest) = (vec![String::new()], Vec::new(), pattern);
        while let Some(at) = rest.find(['{', '}']) {
            let last = texts.last_mut().expect("there is always one");
            last.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                last.push_str(brace);
                rest = after;
                continue;
            }
            anyhow::ensure!(brace == "{", "expected `{{` before `}}` in `{pattern}`, found none; `}}}}` is a brace");
            let end = end_of_expression(rest);
            let end = end.with_context(|| format!("expected `}}` after `{{{rest}`, found none; `{{{{` is a brace"))?;
            expressions.push(rest[..end].to_owned());
            texts.push(String::new());
            rest = &rest[end + 1..];
        }
        anyhow::ensure!(!expressions.is_empty(), "expected a column in braces, such as `{{pb}}`, found `{pattern}`");
        texts.last_mut().expect("there is always one").push_str(rest);
        Ok(Self { texts, expressions })
    }

    fn select(&self, chooser: &Chooser) -> anyhow::Result<Selection> {
        for expression in &self.expressions {
            chooser.select_one(expression).with_context(|| format!("`{{{expression}}}`"))?;
        }
        chooser.select(&self.expressions.join(", "))
    }

    /// The name of a game. A `/` in a value makes no directory.
    fn name(&self, columns: &[Selected], builder: &RowBuilder, prefix: &str) -> String {
        let mut name = prefix.to_owned();
        for (at, text) in self.texts.iter().enumerate() {
            name.push_str(text);
            if let Some(column) = columns.get(at) {
                name.push_str(&column.cell(builder, |cell| match cell {
                    Cell::Null => "none".to_owned(),
                    cell => cell.to_string().replace('/', "_"),
                }));
            }
        }
        name
    }
}

/// Where the `}` is that ends an expression: not inside a text or a quoted name.
fn end_of_expression(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(at, char)| {
        match (quote, char) {
            (None, '}') => return Some(at),
            (None, '\'' | '"') => quote = Some(char),
            (Some(open), char) if open == char => quote = None,
            _ => {}
        }
        None
    })
}

/// True for the number in the name of a file.
fn is_number(text: &str) -> bool {
    text.len() >= 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name of letters, digits, `-`, `_` and `.`, the rest as `_`; see [`safe_name`].
fn value_name(text: &str) -> String {
    safe_name(text, |char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.'), 80)
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
    /// True if this run has written the file, or is about to. `directory` is where it writes, links resolved.
    fn has_written(&self, file: &Path, directory: &Path) -> bool {
        let name = file.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_prefix(&self.split.prefix)?.strip_suffix(".sgf"));
        number.is_some_and(|number| is_number(number) && number.parse().is_ok_and(|number: u64| number <= self.number))
            && file
                .parent()
                .and_then(|parent| {
                    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
                    fs::canonicalize(parent).ok()
                })
                .is_some_and(|parent| parent == directory)
    }

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
    slots: Vec<Slot>,
    /// Where the slot of each value is; no value is a value, too.
    places: HashMap<Option<String>, usize>,
    /// Names in lower case: not every file system tells `Go` and `go` apart.
    names: HashSet<String>,
    /// The slots whose files are open, by when they were used last.
    open: BTreeMap<u64, usize>,
    clock: u64,
    /// Values whose names are not as they are written.
    changed: u64,
    /// Those whose names have a hash, because another value has the name without.
    hashed: u64,
}

struct Slot {
    path: PathBuf,
    temporary: Temporary,
    /// Closed while too many others are open.
    file: Option<BufWriter<File>>,
    used: u64,
}

impl<'s> ByValue<'s> {
    fn new(split: &'s Split) -> Self {
        Self {
            split,
            slots: Vec::new(),
            places: HashMap::new(),
            names: HashSet::from(["none".to_owned()]),
            open: BTreeMap::new(),
            clock: 0,
            changed: 0,
            hashed: 0,
        }
    }

    fn put(
        &mut self,
        value: Option<String>,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let at = match self.places.get(&value) {
            Some(&at) => at,
            None => self.add(value)?,
        };
        self.clock += 1;
        if self.slots[at].file.is_some() {
            self.open.remove(&self.slots[at].used);
        } else if self.open.len() >= OPEN
            && let Some((_, oldest)) = self.open.pop_first()
        {
            self.slots[oldest].close()?;
        }
        self.open.insert(self.clock, at);
        let slot = &mut self.slots[at];
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

    /// A slot for a new value.
    fn add(&mut self, value: Option<String>) -> anyhow::Result<usize> {
        let at = self.slots.len();
        anyhow::ensure!(at < FILES, "expected at most {FILES} different values, found one more");
        let name = value.as_deref().map_or_else(|| "none".to_owned(), |text| self.free_name(text));
        let path = self.split.free_path(&name)?;
        let (_, temporary) = Temporary::create(&self.split.directory).with_context(|| path.display().to_string())?;
        self.slots.push(Slot { path, temporary, file: None, used: 0 });
        self.places.insert(value, at);
        Ok(at)
    }

    /// The name for the file of a new value; says if it needs a hash.
    fn free_name(&mut self, text: &str) -> String {
        let plain = value_name(text);
        if self.names.insert(plain.to_lowercase()) {
            self.changed += u64::from(plain != text);
            return plain;
        }
        let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        let mut names = (0..).map(|more| format!("{plain}-{:08x}", hash.wrapping_add(more) as u32));
        let name = names.find(|name| self.names.insert(name.clone())).expect("there are fewer names than hashes");
        self.hashed += 1;
        if self.hashed <= LISTED as u64 {
            let (file, text) = (format!("{}{name}.sgf", self.split.prefix), terminal::clean(text));
            terminal::say(&format!("sgfq: `{text}` is in {file}: another value has {}{plain}.sgf", self.split.prefix));
        }
        name
    }

    fn finish(mut self) -> anyhow::Result<u64> {
        self.slots.iter_mut().try_for_each(Slot::close)?;
        let count = self.slots.len() as u64;
        for slot in self.slots {
            let persisted = slot.temporary.persist(&slot.path, self.split.force);
            persisted.with_context(|| slot.path.display().to_string())?;
        }
        if self.hashed > LISTED as u64 {
            terminal::say(&format!("sgfq: {} values have a hash in their file names, as above", self.hashed));
        }
        if self.changed > 0 {
            let differ = match self.changed {
                1 => "1 file name differs from the value".to_owned(),
                changed => format!("{changed} file names differ from the values"),
            };
            terminal::say(&format!("sgfq: {differ}: other characters became `_`"));
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
