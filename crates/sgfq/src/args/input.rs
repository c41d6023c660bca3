//! Inputs of a command, opened one entry after another, each with a reader.

use std::cmp::Reverse;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use clap::{Args, ValueEnum};

use sgfstream::internal::Detections;
use sgfstream::{Charset, Detection, FramingPolicy, Options};
use sgfstream_archive::{self as archive, EntryName, Input, Meter};
use sgfstream_engine::{Engine, EntriesWithoutGames, Monitor, Part, PartEnd};

use crate::args::caps::CapArgs;
use crate::args::threads::{Progress, ProgressWhen};
use crate::io::temporary::{PREFIX, Temporary};
use crate::report::exit::{Exit, note_count};
use crate::report::terminal::{self, quoted};
use crate::report::{counted, cut};

/// Arguments that name inputs and how to read them.
#[derive(Clone, Debug, Args)]
pub(crate) struct Inputs {
    /// Files, directories, archives, patterns, or stdin; see `sgfq help inputs`.
    #[arg(value_name = "INPUT")]
    inputs: Vec<OsString>,

    /// Also read the inputs named in FILE, one per line; `-` is stdin. Patterns are not expanded.
    #[arg(long, value_name = "FILE", hide = true, help_heading = "Inputs")]
    files_from: Vec<PathBuf>,

    /// Read names in `--files-from` that end with NUL instead of a newline, as `find -print0`
    /// writes them.
    #[arg(
        short = '0',
        long = "null",
        requires = "files_from",
        hide = true,
        help_heading = "Inputs"
    )]
    nul: bool,

    /// Exit with status 0 and no message if there are no files to read.
    #[arg(long, hide = true, help_heading = "Inputs")]
    allow_empty: bool,

    /// Print no notes on stderr, only errors.
    #[arg(short, long, hide = true, help_heading = "Threads")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) how: ReadArgs,

    /// Files that the command reads in addition to its inputs.
    #[arg(skip)]
    others: Vec<PathBuf>,

    #[arg(skip)]
    flags: InputFlags,

    /// Copies of lists that can be read only once, for commands that read them twice.
    #[arg(skip)]
    copies: OnceLock<Vec<(PathBuf, Arc<Temporary>)>>,
}

/// What the runs over some inputs have read and reported, each set once.
#[derive(Clone, Debug, Default)]
struct InputFlags {
    /// No file was read.
    is_empty: OnceLock<()>,
    /// A game was read.
    has_games: OnceLock<()>,
    /// The guessed charsets were reported. Inputs may be read twice.
    guesses: OnceLock<()>,
    /// The number of skipped files was reported.
    skips: OnceLock<()>,
    /// The inputs without games were reported.
    missing: OnceLock<()>,
}

/// Arguments for reading.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReadArgs {
    /// Read every game in this charset, whatever CA says: a name such as GBK, `latin1`, `auto` for
    /// no guess, or `detect` for any.
    #[arg(long, value_name = "NAME", value_parser = parse_charset, global = true, hide = true, help_heading = "Charsets")]
    pub(crate) charset: Option<CharsetChoice>,

    /// Decide which `]` ends a value; it matters in charsets whose characters may contain `]`.
    #[arg(long, value_enum, default_value_t = Framing::Auto, global = true, hide = true, help_heading = "Charsets")]
    pub(crate) framing: Framing,

    /// Read every file in directories and every member of archives, whatever its name.
    #[arg(long, hide = true, help_heading = "Inputs")]
    all_files: bool,

    #[command(flatten)]
    caps: CapArgs,

    /// Whether the command writes the games, so that transcoded games must declare their charset.
    #[arg(skip)]
    writes_games: bool,

    /// Whether the command prints lines and columns. Counting lines takes up to a tenth of the
    /// time.
    #[arg(skip)]
    counts_lines: bool,

    /// Whether the command prints the bytes between events.
    #[arg(skip)]
    pub(crate) has_gaps: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Framing {
    /// As `whole` if the text after a value cannot follow it; otherwise as `value`.
    #[default]
    Auto,
    /// Each unescaped bracket ends a value, as the specification requires.
    Value,
    /// A bracket that is half a character ends no value.
    Whole,
}

/// Parses FILE, FILE#GAME or either with @MOVE: returns the file, and the name of the game with the
/// number of moves.
pub(crate) fn board_file(text: &str) -> Option<(PathBuf, (&str, Option<u64>))> {
    let (name, moves) = match text.rsplit_once('@') {
        // If a file with the whole name exists, `@` is part of its name.
        Some((name, digits)) if !name.is_empty() && !Path::new(text).exists() => {
            match digits.parse() {
                Ok(moves) => (name, Some(moves)),
                Err(_) => (text, None),
            }
        }
        _ => (text, None),
    };
    match Input::parse_os(OsStr::new(name)) {
        Input::Path(target) if target.path.exists() => Some((target.path, (name, moves))),
        _ => None,
    }
}

/// Value of `--charset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharsetChoice {
    /// Does not guess for games without CA.
    Auto,
    /// Guesses for games without CA, even if the guess is uncertain.
    Detect,
    /// Uses this charset for all games.
    Forced(Charset),
}

fn parse_charset(name: &str) -> Result<CharsetChoice, String> {
    match name.to_ascii_lowercase().as_str() {
        "auto" => return Ok(CharsetChoice::Auto),
        "detect" => return Ok(CharsetChoice::Detect),
        _ => {}
    }
    Charset::forced(name.as_bytes())
        .map(CharsetChoice::Forced)
        .ok_or_else(|| "unknown charset; write a name such as UTF-8 or GBK".to_owned())
}

impl ReadArgs {
    /// Returns the options for reading archives.
    pub(crate) fn archives(&self) -> archive::ReadOptions {
        let mut options = self.caps.archives();
        options.all_files = self.all_files;
        options.ignored = PREFIX;
        options
    }

    /// Returns an engine with these options.
    pub(crate) fn engine(&self) -> Engine {
        let engine = Engine::new()
            .with_options(self.options())
            .with_archives(self.archives());
        engine.with_stated_charset(self.writes_games)
    }

    /// Sets the options for a command that writes the games.
    pub(crate) fn write_games(&mut self) {
        self.writes_games = true;
    }

    /// Sets the options for a command that prints lines and columns.
    pub(crate) fn count_lines(&mut self) {
        self.counts_lines = true;
    }

    /// Sets whether the command reads texts of games. If it does not, charsets are not guessed.
    pub(crate) fn ask_text(&mut self, asks_text: bool) {
        self.charset = self.charset.or((!asks_text).then_some(CharsetChoice::Auto));
    }

    /// Returns the options of the reader.
    pub(crate) fn options(&self) -> Options {
        let (charset, detection) = match self.charset {
            None => (None, Some(Detection::LIKELY)),
            Some(CharsetChoice::Auto) => (None, None),
            Some(CharsetChoice::Detect) => (None, Some(Detection::ANY)),
            Some(CharsetChoice::Forced(charset)) => (Some(charset), None),
        };
        let framing = match self.framing {
            Framing::Auto => FramingPolicy::Auto,
            Framing::Value => FramingPolicy::Value,
            Framing::Whole => FramingPolicy::Whole,
        };
        let mut options = Options::default();
        options.gaps = self.has_gaps;
        options
            .with_limits(self.caps.limits())
            .with_charset(charset)
            .with_detection(detection)
            .with_framing(framing)
            .with_lines(self.counts_lines)
    }
}

/// Returns the name of an entry, with the number of the requested game if there is one.
pub(crate) fn shown_name(part: &Part<'_>) -> String {
    match part.game() {
        None => part.name().to_string(),
        Some(number) => format!("{}#{number}", part.name()),
    }
}

/// Returns the path of an input that is a directory.
fn directory_of_input(input: &Input) -> Option<&Path> {
    match input {
        Input::Path(target) if target.path.is_dir() => Some(&target.path),
        _ => None,
    }
}

/// Maximum number of extensions listed.
const LISTED: usize = 5;

/// Returns a sentence with the number of files and members that the walk skipped, or an empty text
/// if it skipped none.
fn passed_over(meter: &Meter) -> String {
    let mut extensions: Vec<(String, u64)> = meter.passed_over().into_iter().collect();
    extensions.sort_by_key(|(_, count)| Reverse(*count));
    let files: u64 = extensions.iter().map(|(_, count)| count).sum();
    let of = |count: u64, what: &str| {
        format!(
            "{count} {what}{}",
            if count == 1 { " was" } else { "s were" }
        )
    };
    let mut parts = Vec::new();
    if files > 0 {
        let shown =
            extensions
                .iter()
                .take(LISTED)
                .map(|(extension, count)| match extension.as_str() {
                    "" => format!("{count} without an extension"),
                    "*" => format!("{count} others"),
                    extension => format!("{count} .{extension}"),
                });
        let more = if extensions.len() > LISTED {
            ", …"
        } else {
            ""
        };
        let shown = shown.collect::<Vec<_>>().join(", ");
        parts.push(format!("{} skipped ({shown}{more})", of(files, "file")));
    }
    if meter.skipped() > 0 {
        parts.push(format!("{} skipped", of(meter.skipped(), "member")));
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!("{}; `--all-files` reads them", parts.join(", ")),
    }
}

impl Inputs {
    /// Removes the move number from a single input FILE@N and returns it.
    pub(crate) fn take_move(&mut self) -> Option<u64> {
        let [input] = &mut self.inputs[..] else {
            return None;
        };
        let (_, (name, moves)) = board_file(input.to_str()?)?;
        let (name, moves) = (OsString::from(name), moves?);
        *input = name;
        Some(moves)
    }

    /// Creates arguments with one input.
    pub(crate) fn of(input: &OsStr, how: ReadArgs) -> Self {
        Self {
            inputs: vec![input.to_owned()],
            files_from: Vec::new(),
            nul: false,
            quiet: false,
            allow_empty: false,
            how,
            others: Vec::new(),
            flags: InputFlags::default(),
            copies: OnceLock::new(),
        }
    }

    /// Removes and returns the first argument, which is not an input.
    pub(crate) fn take_first(&mut self) -> Option<OsString> {
        (!self.inputs.is_empty()).then(|| self.inputs.remove(0))
    }

    /// Returns inputs that are named in a file, each followed by a NUL, instead of these. The file
    /// may be empty.
    pub(crate) fn listed(&self, list: &Path) -> Self {
        let empty = Self {
            inputs: Vec::new(),
            allow_empty: true,
            ..Self::of(OsStr::new(""), self.how.clone())
        };
        Self {
            files_from: vec![list.to_owned()],
            nul: true,
            others: self.others.clone(),
            ..empty
        }
    }

    /// Adds a file that the command also reads, so that no output replaces it.
    pub(crate) fn also_reads(&mut self, path: &Path) {
        self.others.push(path.to_owned());
    }

    /// Returns the inputs that the arguments name, or stdin if they name none.
    pub(crate) fn parsed(&self) -> Vec<Input> {
        let lists = self.files_from.iter().map(if self.nul {
            Input::list_nul
        } else {
            Input::list
        });
        let named = self.inputs.iter().map(|input| Input::parse_os(input));
        let mut inputs: Vec<_> = named.chain(lists).collect();
        for (name, copy) in self.copies.get().into_iter().flatten() {
            for input in &mut inputs {
                if let Input::List { path, .. } = input
                    && path == name
                {
                    copy.path().clone_into(path);
                }
            }
        }
        if inputs.is_empty() {
            vec![Input::Stdin]
        } else {
            inputs
        }
    }

    /// Returns the files that would be opened, including lists and other files. Directories that
    /// cannot be listed are left out, because reading them reports the error.
    pub(crate) fn files(&self) -> anyhow::Result<impl Iterator<Item = PathBuf>> {
        let (mut lists, mut copies) = (Vec::new(), Vec::new());
        let mut reads_stdin = false;
        for input in self.parsed() {
            match input {
                Input::Stdin => reads_stdin = true,
                Input::List { path, .. } => {
                    let is_stdin = path == Path::new("-");
                    reads_stdin |= is_stdin;
                    if is_stdin || path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
                        let shown = || path.display().to_string();
                        let (mut copy, temporary) =
                            Temporary::scratch().context("temporary file")?;
                        if is_stdin {
                            io::copy(&mut io::stdin().lock(), &mut copy).with_context(shown)?;
                        } else {
                            io::copy(&mut File::open(&path).with_context(shown)?, &mut copy)
                                .with_context(shown)?;
                        }
                        copies.push((path, Arc::new(temporary)));
                    } else {
                        lists.push(path);
                    }
                }
                _ => {}
            }
        }
        _ = self.copies.set(copies);
        let stdin = reads_stdin.then(|| PathBuf::from("/dev/stdin"));
        let walked = self.how.engine().walk(&self.parsed());
        let walked = walked.filter_map(|work| work.ok()?.path().map(Path::to_path_buf));
        Ok(stdin
            .into_iter()
            .chain(self.others.clone())
            .chain(lists)
            .chain(walked))
    }

    /// Returns the inputs as the user named them, for a title.
    pub(crate) fn names(&self) -> Vec<String> {
        let lists = self
            .files_from
            .iter()
            .map(|path| path.to_string_lossy().into_owned());
        self.inputs
            .iter()
            .map(|input| input.to_string_lossy().into_owned())
            .chain(lists)
            .collect()
    }

    /// Returns the inputs as shell words.
    pub(crate) fn words(&self) -> String {
        let lists = self
            .files_from
            .iter()
            .map(|path| format!("--files-from {}", quoted(&path.to_string_lossy())));
        let null = self.nul.then(|| "--null".to_owned());
        let inputs = self
            .inputs
            .iter()
            .map(|input| quoted(&input.to_string_lossy()));
        lists
            .chain(null)
            .chain(inputs)
            .map(|word| format!(" {word}"))
            .collect()
    }

    /// Passes each entry to `each`, one after another. Reports unreadable inputs on stderr.
    pub(crate) fn each(
        &self,
        when: ProgressWhen,
        mut each: impl FnMut(Part<'_>) -> anyhow::Result<ControlFlow<(), PartEnd>>,
    ) -> anyhow::Result<Exit> {
        let (mut exit, mut is_any) = (Exit::Done, false);
        let engine = self.how.engine();
        let progress = Progress::new(when, &engine, &self.parsed());
        let each = |part: Part<'_>| {
            is_any = true;
            each(part)
        };
        engine.each(&self.parsed(), each, |problem| {
            progress.suspend(|| terminal::print_line(&format!("sgfq: {problem}")));
            exit = exit.or(Exit::of_problem(problem));
        })?;
        progress.finish(false);
        Ok(self.or_empty(exit, is_any, &engine.monitor()))
    }

    /// Returns the exit status of a run. Prints whether it read no game, which charsets it guessed,
    /// and what it skipped.
    pub(crate) fn or_empty(&self, exit: Exit, is_any: bool, monitor: &Monitor) -> Exit {
        let progress = monitor.progress();
        if progress.games > 0 {
            _ = self.flags.has_games.set(());
        }
        cut::counts().unsearched += progress.unsearched;
        let Detections { games, charset, .. } = progress.detected;
        let passed_over = passed_over(monitor.meter());
        if games > 0 && self.how.charset.is_none() && self.flags.guesses.set(()).is_ok() {
            let (declare, text) = if games == 1 {
                (" declares", "its text")
            } else {
                ("s declare", "their text")
            };
            let charset = charset
                .map(|charset| format!("{} ", charset.name()))
                .unwrap_or_default();
            terminal::print_note(&format!(
                "sgfq: {games} game{declare} no charset that fits; guessed {charset}from {text}; see `sgfq charset` and \
                 `sgfq help charsets`"
            ));
        }
        let exit = exit.or(self.report_without_games(monitor));
        if is_any || exit != Exit::Done {
            if !passed_over.is_empty() && self.flags.skips.set(()).is_ok() {
                terminal::print_note(&format!("sgfq: {passed_over}"));
            }
            return exit;
        }
        _ = self.flags.is_empty.set(());
        if self.allow_empty {
            return exit;
        }
        let separator = if passed_over.is_empty() { "" } else { "; " };
        terminal::print_line(&format!(
            "sgfq: no game records found{separator}{passed_over}"
        ));
        Exit::Found
    }

    /// Reports the inputs that have bytes and no game: each file that the arguments name, and the
    /// number of the entries in directories and archives. Returns the exit status for them.
    fn report_without_games(&self, monitor: &Monitor) -> Exit {
        let EntriesWithoutGames { count, files, .. } = monitor.without_games();
        if count == 0 {
            return Exit::Done;
        }
        let parsed = self.parsed();
        let directories: Vec<_> = parsed.iter().filter_map(directory_of_input).collect();
        let is_found = |name: &EntryName| {
            directories
                .iter()
                .any(|directory| name.path().starts_with(directory))
        };
        let named: Vec<_> = files.iter().filter(|(name, _)| !is_found(name)).collect();
        if self.flags.missing.set(()).is_ok() {
            for (name, bytes) in &named {
                let bytes = counted(*bytes, "byte");
                terminal::print_line(&format!("sgfq: {name}: no game in {bytes}"));
            }
            let found = count - named.len() as u64;
            note_count(
                found,
                "file or member has no game",
                "files or members have no game",
            );
        }
        if named.is_empty() && monitor.progress().games > 0 {
            Exit::Done
        } else {
            Exit::Found
        }
    }

    /// Returns the exit status of a run that changes games. Reports inputs that have no game.
    pub(crate) fn or_no_game(&self, exit: Exit) -> Exit {
        // Earlier messages named unreadable and missing files, and files with bytes and no game.
        let is_reported = self.flags.is_empty.get().is_some() || self.flags.missing.get().is_some();
        if self.flags.has_games.get().is_some() || is_reported || exit >= Exit::Unreadable {
            return exit;
        }
        terminal::print_line("sgfq: the inputs have no game; `sgfq check` reports what they have");
        exit.or(Exit::Found)
    }

    /// Returns the exit status of a search: `exit`, or at least 1 if nothing was `found`.
    pub(crate) fn or_none(&self, exit: Exit, found: bool) -> Exit {
        if found || (self.allow_empty && self.flags.is_empty.get().is_some()) {
            return exit;
        }
        if exit == Exit::Done && self.flags.has_games.get().is_some() {
            cut::counts().has_no_match = true;
        }
        exit.or(Exit::Found)
    }
}
