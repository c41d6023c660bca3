//! `sgfq split`: writes games to several files.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use sgfstream::parallel::PartReader;
use sgfstream_table::filter::{SelectedColumn, Selection};
use sgfstream_table::row::{Cell, ColumnSet, FilledRow, RowReader};

use crate::args::destination::refuse_replaced;
use crate::args::input::Inputs;
use crate::args::threads::Pool;
use crate::args::where_games::{Chooser, WhereArgs};
use crate::io::new_files::NewFiles;
use crate::io::output::Output;
use crate::io::temporary::Temporary;
use crate::io::whole_file::directory_of;
use crate::report::exit::Exit;

/// Maximum number of open files.
const OPEN: usize = 64;

/// Maximum number of different names, and so of files.
const FILES: usize = 100_000;

/// Write games to several files: N games per file, or one file per name.
///
/// Each file appears under its name when it is complete. `split` replaces existing files only with
/// `--force`, and never an input.
///
/// With `--name`, games with the same name share a file. Write columns or expressions in `{}`. A
/// missing value becomes `none`, a `/` in the pattern makes directories, and `{{` is a brace.
/// `{game}`, the number of the game in its input, gives each game its own file. Characters that a
/// file system may refuse become `_`. If different names become equal, the second ends in -2.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq split -d out games.sgf\n\
\x20 sgfq split --name \"{pb}\" -d players games/\n\
\x20 sgfq split --name \"{year(date_min)}/{pb}-{pw}-{game}\" -d named games/")]
pub(crate) struct Split {
    /// Name the file of each game by PATTERN: `{year(date_min)}/{pb}-{pw}`.
    #[arg(long, value_name = "PATTERN", conflicts_with = "games")]
    name: Option<String>,

    /// Write N games per file.
    #[arg(short = 'n', long = "number", alias = "games", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Write the files to DIR, creating it if necessary.
    #[arg(short = 'd', long, value_name = "DIR", default_value = ".")]
    directory: PathBuf,

    /// Replace existing files.
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    choice: WhereArgs,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

impl Split {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.inputs.how.write_games();
        let chooser = self.choice.parse()?;
        self.refuse_inputs()?;
        let pattern = self
            .name
            .as_deref()
            .map(Pattern::parse)
            .transpose()
            .context("--name")?;
        let selection = pattern
            .as_ref()
            .map(|pattern| pattern.select(&chooser))
            .transpose()
            .context("--name")?;
        let mut files = NewFiles::create(&self.directory, Some(self.force))?;
        self.inputs.how.ask_text(
            selection
                .as_ref()
                .map_or(chooser.asks_text(), Selection::asks_text),
        );
        let row = || match &selection {
            Some(selection) => selection.row().with_final_numbers(),
            None => chooser.row(ColumnSet::default()).with_final_numbers(),
        };
        let columns = selection.as_ref().map_or(&[][..], Selection::columns);
        let (mut named, mut games) = (NamedFiles::default(), 0u64);
        let (mut source, mut is_own) = (String::new(), false);
        // The source of a game, and the name of its file.
        let note = |rows: &RowReader<'_, PartReader<'_>>| {
            let filled = rows.filled();
            let name = pattern
                .as_ref()
                .map(|pattern| pattern.name(columns, filled));
            (
                filled.row().source.clone().unwrap_or_default(),
                name.unwrap_or_default(),
            )
        };
        let mut name = String::new();
        let exit =
            self.inputs
                .each_game_bytes(&self.pool, &chooser, row, note, |note, bytes| {
                    let is_start = note.is_some();
                    if let Some((file, new_name)) = note {
                        name = new_name;
                        // A directory that is read late may contain files that this run wrote.
                        if source != file {
                            is_own = files.has_written(Path::new(&file));
                            source = file;
                        }
                    }
                    if is_own {
                        return Ok(());
                    }
                    if pattern.is_some() {
                        return named.put(&self.directory, name.clone(), &mut files, bytes);
                    }
                    if is_start {
                        if games.is_multiple_of(self.games) {
                            files.next(&format!("{:06}", games / self.games + 1))?;
                        }
                        games += 1;
                    }
                    Ok(files.last().write_all(bytes)?)
                })?;
        let exit = chooser.or_none(&self.inputs, exit);
        named.finish(&mut files, self.force)?;
        files.finish(out)?;
        Ok(exit)
    }

    /// Returns an error if a file that `--force` may replace is an input. Without `--force`, no
    /// file is replaced.
    fn refuse_inputs(&self) -> anyhow::Result<()> {
        if !self.force {
            return Ok(());
        }
        let (mut outputs, mut directories) = (Vec::new(), vec![self.directory.clone()]);
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_str().and_then(|name| name.strip_suffix(".sgf"));
                if self.name.is_some() && entry.path().is_dir() {
                    directories.push(entry.path());
                } else if name.is_some_and(|name| self.name.is_some() || is_number(name)) {
                    outputs.push(entry.path());
                }
            }
        }
        refuse_replaced(&self.inputs, &outputs)
    }
}

/// Name pattern with expressions in braces.
struct Pattern {
    /// Texts before each expression and after the last one.
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
            anyhow::ensure!(
                brace == "{",
                "`}}` without `{{` in `{pattern}`; write `}}}}` for a brace"
            );
            let end = end_of_expression(rest);
            let end =
                end.with_context(|| format!("`{{{rest}` has no `}}`; write `{{{{` for a brace"))?;
            expressions.push(rest[..end].to_owned());
            texts.push(String::new());
            rest = &rest[end + 1..];
        }
        anyhow::ensure!(
            !expressions.is_empty(),
            "`{pattern}` names no column; write one in braces, such as `{{pb}}`"
        );
        texts
            .last_mut()
            .expect("there is always one")
            .push_str(rest);
        Ok(Self { texts, expressions })
    }

    fn select(&self, chooser: &Chooser) -> anyhow::Result<Selection> {
        for expression in &self.expressions {
            chooser
                .select_one(expression)
                .with_context(|| format!("`{{{expression}}}`"))?;
        }
        chooser.select(&self.expressions.join(", "))
    }

    /// Returns the name of a game. A `/` in a value becomes a NUL, so that it creates no directory.
    /// [`NewFiles`] replaces the NUL by `_` and keeps such names apart from names that already had
    /// a `_`.
    fn name(&self, columns: &[SelectedColumn], builder: &FilledRow) -> String {
        let mut name = String::new();
        for (at, text) in self.texts.iter().enumerate() {
            name.push_str(text);
            if let Some(column) = columns.get(at) {
                name.push_str(&column.cell(builder, |cell| match cell {
                    Cell::Null => "none".to_owned(),
                    cell => cell.to_string().replace('/', "\0"),
                }));
            }
        }
        name
    }
}

/// Returns the offset of the `}` that ends an expression. Braces inside strings and quoted names do
/// not count.
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

/// Returns whether the text is the number in a file name.
fn is_number(text: &str) -> bool {
    text.len() >= 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Files by name. They keep temporary names until all are complete.
#[derive(Default)]
struct NamedFiles {
    slots: Vec<Slot>,
    /// Slot of each name.
    places: HashMap<String, usize>,
    /// Slots with open files, by the time of their last use.
    open: BTreeMap<u64, usize>,
    clock: u64,
}

struct Slot {
    path: PathBuf,
    temporary: Temporary,
    /// File, or `None` while it is closed because too many others are open.
    file: Option<BufWriter<File>>,
    used: u64,
}

impl NamedFiles {
    /// Adds bytes of a game to the file of this name.
    fn put(
        &mut self,
        directory: &Path,
        name: String,
        files: &mut NewFiles,
        bytes: &[u8],
    ) -> anyhow::Result<()> {
        let at = match self.places.get(&name) {
            Some(&at) => at,
            None => {
                let at = self.slots.len();
                anyhow::ensure!(at < FILES, "the names differ for more than {FILES} files");
                let path = files.free_path(&name)?;
                let (_, temporary) = Temporary::named(directory, &path)
                    .with_context(|| path.display().to_string())?;
                self.slots.push(Slot {
                    path,
                    temporary,
                    file: None,
                    used: 0,
                });
                self.places.insert(name, at);
                at
            }
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
                let file = File::options()
                    .append(true)
                    .open(slot.temporary.path())
                    .with_context(shown)?;
                slot.file.insert(BufWriter::new(file))
            }
        };
        file.write_all(bytes).with_context(shown)
    }

    /// Gives the files their names.
    fn finish(mut self, files: &mut NewFiles, replaces: bool) -> anyhow::Result<()> {
        self.slots.iter_mut().try_for_each(Slot::close)?;
        for slot in self.slots {
            let shown = || slot.path.display().to_string();
            fs::create_dir_all(directory_of(&slot.path)).with_context(shown)?;
            slot.temporary.persist(replaces).with_context(shown)?;
            files.count += 1;
        }
        Ok(())
    }
}

impl Slot {
    fn close(&mut self) -> anyhow::Result<()> {
        match self.file.take() {
            Some(mut file) => file
                .flush()
                .with_context(|| self.path.display().to_string()),
            None => Ok(()),
        }
    }
}
