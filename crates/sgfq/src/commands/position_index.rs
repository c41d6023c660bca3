//! Index of the positions of an archive, for commands that look up a position. It is in a file,
//! which is rebuilt when the archive changes, or in a temporary file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use xxhash_rust::xxh3::Xxh3;

use sgfstream::Problem;
use sgfstream::internal::End;
use sgfstream::record::OwnedGame;
use sgfstream_archive::Input;
use sgfstream_engine::{Monitor, OUTPUT_FULL, Out};
use sgfstream_explore::{Builder, Index, IndexedGame, PARTIAL};
use sgfstream_table::find::Query;
use sgfstream_table::row::RowReader;

use crate::args::io::Io;
use crate::args::threads::{self, ANSWER, OutputTiming, Pool};
use crate::args::where_games::WhereArgs;
use crate::io::temp_file::TempFile;
use crate::io::temporary::Temporary;
use crate::io::whole_file::WholeFile;
use crate::report::exit::Exit;
use crate::report::terminal;

/// Index of the positions of an archive.
pub(crate) struct PositionIndex {
    pub(crate) index: Index<File>,
    /// Whether an input was unreadable or lost some of its games.
    pub(crate) is_partial: bool,
}

/// Maximum bytes of the names of an index's candidate games.
const LIST_MAX: usize = 4 << 30;

/// If more than one game in `MANY` is a candidate, the search reads all inputs: a single candidate
/// takes 51 µs, and a small game read together with all others 8 µs.
const MANY: u32 = 10;

impl PositionIndex {
    /// The index of the games of `io` that `choice` selects. Reads it from `file` if it fits these
    /// games, and otherwise makes it and writes it to `file`. An index of all lines also serves for
    /// main lines. Calls `progress` with the number of games and the monitor of the reading.
    /// `has_bar`: stderr shows the progress.
    pub(crate) fn open(
        file: Option<&Path>,
        io: &Io<Pool>,
        choice: &WhereArgs,
        mut in_variations: bool,
        has_bar: bool,
        progress: impl FnMut(u64, &Monitor),
    ) -> anyhow::Result<Self> {
        let Some(path) = file else {
            let out = tempfile::tempfile().context("temporary file")?;
            let (out, _) = make(
                BufWriter::new(out),
                "",
                io,
                choice,
                in_variations,
                has_bar,
                progress,
            )?;
            let out = out
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .context("temporary file")?;
            return Self::read(out).context("temporary file");
        };
        let inputs = io.inputs.parsed();
        anyhow::ensure!(
            !inputs.contains(&Input::Stdin),
            "--index cannot index stdin; name files"
        );
        io.destination.refuse(&io.inputs, Some(path))?;
        let shown = || path.display().to_string();
        let key = key_of(&inputs, io, choice)?;
        if let Ok(metadata) = path.metadata() {
            anyhow::ensure!(
                metadata.is_file(),
                "{}: not a regular file; an index needs one",
                shown()
            );
            let why = match Self::read(File::open(path).with_context(shown)?) {
                Ok(found) => {
                    let has_variations = found.index.variation_positions().is_some();
                    let is_of_games = found
                        .index
                        .note()
                        .strip_suffix(PARTIAL)
                        .unwrap_or(found.index.note())
                        == key;
                    if is_of_games && (has_variations || !in_variations) {
                        return Ok(found);
                    }
                    in_variations |= has_variations;
                    if is_of_games {
                        "it had main lines only"
                    } else {
                        "its files differ or have changed"
                    }
                }
                Err(err) if err.kind() == io::ErrorKind::Unsupported => {
                    "another version of sgfq wrote it"
                }
                Err(err) => return Err(err).with_context(shown),
            };
            terminal::print_note(&format!("sgfq: {}: index rebuilt, because {why}", shown()));
        }
        let (out, exit) = make(
            WholeFile::create(path)?,
            &key,
            io,
            choice,
            in_variations,
            has_bar,
            progress,
        )?;
        anyhow::ensure!(exit != Exit::Interrupted, "{}: interrupted", shown());
        out.finish()?;
        Self::read(File::open(path).with_context(shown)?).with_context(shown)
    }

    /// Opens the index of `--index`, which contains all games of the inputs, so that all commands
    /// share it.
    pub(crate) fn named(path: &Path, io: &Io<Pool>, in_variations: bool) -> anyhow::Result<Self> {
        Self::open(
            Some(path),
            io,
            &WhereArgs::default(),
            in_variations,
            true,
            |_, _| {},
        )
    }

    /// Reports if some games are missing, and returns the exit status.
    pub(crate) fn report_partial(&self, path: &Path) -> Exit {
        if !self.is_partial {
            return Exit::Done;
        }
        terminal::print_line(&format!(
            "sgfq: {}: the index lacks games that could not be read",
            path.display()
        ));
        Exit::Unreadable
    }

    /// Replaces the inputs by the candidate games for `query`. Their names are in a temporary list,
    /// which must exist while they are read. If many games are candidates, all inputs stay. The
    /// second value is false if there are no candidates.
    pub(crate) fn narrow(
        &self,
        query: &Query,
        io: &mut Io<Pool>,
    ) -> anyhow::Result<(Option<Temporary>, bool)> {
        let games = self.index.candidates(query)?;
        let is_any = !games.is_empty();
        if !self.is_partial && games.len() > (self.index.len() / MANY) as usize {
            return Ok((None, is_any));
        }
        let (file, list) = Temporary::scratch().context("temporary file")?;
        let (mut out, mut len) = (BufWriter::new(file), 0);
        for game in games {
            let (file, number) = self
                .index
                .place(game)?
                .context("the index has no such game")?;
            // Count the name for each game, because the list repeats it.
            len += file.len();
            anyhow::ensure!(
                len <= LIST_MAX,
                "the names of the games have more than {LIST_MAX} bytes"
            );
            write!(out, "{file}#{number}\0").context("temporary file")?;
        }
        out.flush().context("temporary file")?;
        let how = io.inputs.how.clone();
        io.inputs = io.inputs.listed(list.path());
        io.inputs.how = how;
        Ok((Some(list), is_any))
    }

    fn read(file: File) -> io::Result<Self> {
        let index = Index::open(file)?;
        let is_partial = index.note().ends_with(PARTIAL);
        Ok(Self { index, is_partial })
    }
}

/// Returns a text that changes if other games would be read, or with other options.
fn key_of(inputs: &[Input], io: &Io<Pool>, choice: &WhereArgs) -> anyhow::Result<String> {
    let mut hash = Xxh3::new();
    let how = format!(
        "{} {:?} {:?}",
        env!("CARGO_PKG_VERSION"),
        io.inputs.how,
        choice.expanded()?
    );
    hash.update(how.as_bytes());
    for work in io.inputs.how.engine().walk(inputs) {
        let found = match &work {
            Ok(work) => {
                let name = work.name().to_string();
                format!(
                    "{:?}\0",
                    (name, work.references(), work.size(), work.modified())
                )
            }
            Err(err) => format!("{err}\0"),
        };
        hash.update(found.as_bytes());
    }
    Ok(format!("{:032x}", hash.digest128()))
}

/// What was read of one part, or of several small files one after another.
#[derive(Default)]
struct TakenGames {
    items: Vec<TakenItem>,
    /// The stored games.
    stored: Vec<u8>,
    /// Bytes of memory that the games take.
    memory: usize,
}

enum TakenItem {
    /// Start of a part of the file with this name, and whether the file starts there.
    Part { name: String, is_start: bool },
    /// A game: its number in the part, and the length of the stored game.
    Game {
        number: u64,
        len: usize,
        noted: IndexedGame,
    },
    /// End of the part: the problems after its last game, and whether the file ends there.
    End {
        problems: Vec<Problem>,
        is_end: bool,
    },
}

impl threads::Output for TakenGames {
    fn is_full(&self) -> bool {
        self.stored.len() + self.memory > OUTPUT_FULL
    }
}

/// Adds the games of files to an index.
struct GameAdder<W> {
    index: Builder<W, TempFile>,
    /// Name of the current file.
    name: String,
    /// Problems after the last game of the part before, which belong to the first game of the next
    /// part.
    pending: Vec<Problem>,
    games: u64,
}

impl<W: Write> GameAdder<W> {
    /// Adds games, before whose part the file has `before` games.
    fn add(&mut self, taken: TakenGames, before: u64) -> io::Result<()> {
        let mut rest = &taken.stored[..];
        for item in taken.items {
            match item {
                TakenItem::Part { name, is_start } => {
                    self.name = name;
                    if is_start {
                        self.pending.clear();
                    }
                }
                TakenItem::Game { number, len, noted } => {
                    let (stored, after) = rest.split_at(len);
                    rest = after;
                    self.games += 1;
                    if number == 1 && !self.pending.is_empty() {
                        self.add_first(stored, before, &noted)?;
                    } else {
                        self.index
                            .add_noted(&self.name, number + before, stored, &noted)?;
                    }
                }
                TakenItem::End { problems, is_end } => {
                    self.pending.extend(problems);
                    if is_end {
                        self.index.add_trailing(&self.name, &self.pending)?;
                        self.pending.clear();
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the first game of a part, with the problems after the last game of the part before.
    fn add_first(&mut self, stored: &[u8], before: u64, noted: &IndexedGame) -> io::Result<()> {
        let (mut game, mut with_problems) = (OwnedGame::default(), Vec::new());
        game.load(stored, 1 + before);
        game.add_problems_before(&self.pending);
        self.pending.clear();
        game.record().store(&mut with_problems);
        self.index
            .add_noted(&self.name, 1 + before, &with_problems, noted)
    }
}

/// Writes an index of the games that `choice` selects, with `key` as its note.
fn make<W: Write>(
    out: W,
    key: &str,
    io: &Io<Pool>,
    choice: &WhereArgs,
    in_variations: bool,
    has_bar: bool,
    mut progress: impl FnMut(u64, &Monitor),
) -> anyhow::Result<(W, Exit)> {
    let (chooser, columns) = choice.collecting(in_variations)?;
    let index = Builder::new(out);
    let index = if in_variations {
        index.with_variations()
    } else {
        index
    };
    let worker = || chooser.row(columns);
    let job = threads::each_part(worker, |filled, part, out: &mut Out<'_, TakenGames>| {
        let of = part.name();
        let name = match of.member_text() {
            Some(member) => format!("{}\0{member}", of.source()),
            None => of.source().into_owned(),
        };
        out.memory += name.len() + size_of::<TakenItem>();
        out.items.push(TakenItem::Part {
            name,
            is_start: part.is_start(),
        });
        let is_transcoded = part.options().is_transcoded;
        let mut rows = RowReader::of_part(part, filled)?;
        // A game that is too long is not returned here: `end` of the part names it.
        while chooser.next_whole(&mut rows)? {
            let Some(facts) = rows.facts() else { continue };
            let (game, before) = (facts.record(), out.stored.len());
            game.store(&mut out.stored);
            let noted = IndexedGame::of(rows.filled(), &facts, in_variations, is_transcoded);
            out.memory += noted.memory() + size_of::<TakenItem>();
            let len = out.stored.len() - before;
            out.items.push(TakenItem::Game {
                number: game.number(),
                len,
                noted,
            });
            if !threads::hand_out_if_full(out) {
                break;
            }
        }
        let problems = rows.games().trailing_problems().to_vec();
        let end = rows.end()?;
        out.items.push(TakenItem::End {
            problems,
            is_end: end.end == End::Input,
        });
        Ok(end)
    });
    let mut adder = GameAdder {
        index,
        name: String::new(),
        pending: Vec::new(),
        games: 0,
    };
    let engine = io.inputs.how.engine().with_part_size(ANSWER);
    let monitor = engine.monitor();
    progress(0, &monitor);
    let timing = OutputTiming::Streamed { is_shown: !has_bar };
    let exit = threads::read(&io.pool, &io.inputs, engine, timing, &job, |result| {
        let taken = std::mem::take(&mut result.output);
        adder.add(taken, result.before.games)?;
        progress(adder.games, &monitor);
        Ok(())
    })?;
    let note = format!("{key}{}", if exit > Exit::Done { PARTIAL } else { "" });
    Ok((adder.index.finish(&note)?, exit))
}
