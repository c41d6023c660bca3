//! Reads the games of entries into an in-memory index, for programs without threads and files, such
//! as a browser's worker.

use std::io::{self, Read};

use sgfstream::record::{GameReader, GameRecord, OwnedGame};
use sgfstream::{Options, Problem, Reader};
use sgfstream_open::EntryOpener;

use super::cores::OneCore;
use super::explorer::Explorer;
use crate::{Builder, Index, MemoryStore, PARTIAL, SortRecord, problem_of_bytes, problem_to_bytes};

/// Maximum number of problems kept.
const FAULTS: usize = 20;

/// Bytes of games in a batch.
const BATCH: usize = 256 << 10;

/// Games that another reader indexes.
#[derive(Debug)]
struct Batch {
    bytes: Vec<u8>,
    emit: fn(&[u8]),
}

/// Entry of a batch: the name of the file, the stored game, the number of the game, and 1 if its
/// file was transcoded. The problems after the last game of a file have the number 0.
type BatchEntry = (Vec<u8>, (Vec<u8>, [u64; 2]));

impl Batch {
    fn push(&mut self, file: &str, stored: Vec<u8>, numbers: [u64; 2]) {
        let entry: BatchEntry = (file.as_bytes().to_vec(), (stored, numbers));
        entry.append_to(&mut self.bytes);
        if self.bytes.len() >= BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        (self.emit)(&self.bytes);
        self.bytes.clear();
    }
}

/// Reads entries one after another and makes an [`Explorer`] of their games.
///
/// ```
/// use sgfstream::Options;
/// use sgfstream_explore::ArchiveReader;
///
/// let mut reader = ArchiveReader::new(Options::default());
/// for (name, games) in
///     [("a.zip!1.sgf", "(;SZ[19];B[pd])"), ("a.zip!2.sgf", "(;SZ[19];B[dd])(;SZ[9])")]
/// {
///     reader.read(name, games.as_bytes(), |_| {})?;
/// }
/// let explorer = reader.finish(vec!["a.zip".to_owned()])?;
/// assert_eq!(explorer.index().len(), 3);
/// assert_eq!(explorer.index().name(2)?, "a.zip!2.sgf#2");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ArchiveReader {
    builder: Builder<MemoryStore, MemoryStore>,
    opening: EntryOpener,
    games: u32,
    faults: Vec<String>,
    is_partial: bool,
    batch: Option<Batch>,
}

impl ArchiveReader {
    /// Creates a reader of games with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            builder: Builder::new(MemoryStore::default()),
            opening: EntryOpener {
                options,
                states_charset: false,
            },
            games: 0,
            faults: Vec::new(),
            is_partial: false,
            batch: None,
        }
    }

    /// Passes the games to `emit` in batches instead of indexing them. Another reader, in another
    /// worker, indexes the batches with [`append`](Self::append).
    #[must_use]
    pub fn with_batches(self, emit: fn(&[u8])) -> Self {
        Self {
            batch: Some(Batch {
                bytes: Vec::new(),
                emit,
            }),
            ..self
        }
    }

    /// Indexes the games of a batch.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more games than an index can contain, or if another program
    /// made the batch.
    pub fn append(&mut self, mut batch: &[u8]) -> io::Result<()> {
        let damaged = || io::Error::other("the batch is cut off");
        let mut game = OwnedGame::default();
        while !batch.is_empty() {
            let (entry, len) = BatchEntry::parse(batch).ok_or_else(damaged)?;
            let (file, (stored, [number, is_transcoded])) = entry;
            batch = &batch[len..];
            let file = String::from_utf8_lossy(&file);
            if number == 0 {
                let problems = stored
                    .as_chunks()
                    .0
                    .iter()
                    .filter_map(problem_of_bytes)
                    .collect::<Vec<_>>();
                self.builder.add_trailing(&file, &problems)?;
                continue;
            }
            if !game.load(&stored, number) {
                return Err(damaged());
            }
            self.builder.add(&file, game.record(), is_transcoded != 0)?;
            self.games += 1;
        }
        Ok(())
    }

    /// Adds a game, or emits it.
    fn add(&mut self, file: &str, game: GameRecord<'_>, is_transcoded: bool) -> io::Result<()> {
        self.games += 1;
        let Some(batch) = &mut self.batch else {
            return self.builder.add(file, game, is_transcoded);
        };
        let mut stored = Vec::new();
        game.store(&mut stored);
        batch.push(file, stored, [game.number(), is_transcoded.into()]);
        Ok(())
    }

    /// Adds the problems after the last game of a file, or emits them.
    fn add_trailing(&mut self, file: &str, problems: &[Problem]) -> io::Result<()> {
        let Some(batch) = &mut self.batch else {
            return self.builder.add_trailing(file, problems);
        };
        if !problems.is_empty() {
            let stored = problems.iter().flat_map(problem_to_bytes).collect();
            batch.push(file, stored, [0; 2]);
        }
        Ok(())
    }

    /// Emits the last batch. Returns whether this reader emits batches.
    pub fn finish_batches(&mut self) -> bool {
        self.batch.as_mut().map(Batch::flush).is_some()
    }

    /// Makes the explorer partial. A reader of batches does not know the problems of the reader
    /// that emitted them.
    pub fn set_partial(&mut self) {
        self.is_partial = true;
    }

    /// Indexes all lines of the games instead of only their main lines.
    #[must_use]
    pub fn with_variations(self) -> Self {
        Self {
            builder: self.builder.with_variations(),
            ..self
        }
    }

    /// Adds the games of an entry, `archive.zip!games.sgf`. `progress` gets the number of games so
    /// far. If reading fails, the games before the error are kept, and the caller reports the error
    /// with [`fault`](Self::fault).
    ///
    /// # Errors
    ///
    /// Returns an error if there are more games than an index can contain.
    pub fn read(
        &mut self,
        name: &str,
        read: impl Read,
        mut progress: impl FnMut(u32),
    ) -> io::Result<()> {
        let (mut read, options) = match self.opening.open(read) {
            Ok(opened) => opened,
            Err(refusal) => {
                self.fault(name, &refusal.to_string());
                return Ok(());
            }
        };
        let (file, mut too_long) = (name.replacen('!', "\0", 1), 0);
        let mut games = GameReader::new(Reader::with_options(&mut read, options));
        let is_whole = loop {
            match games.next_game() {
                Ok(Some(Ok(game))) => {
                    self.add(&file, game, options.is_transcoded)?;
                    progress(self.games);
                }
                Ok(Some(Err(_))) => too_long += 1,
                Ok(None) => break true,
                Err(_) => break false,
            }
        };
        if is_whole {
            self.add_trailing(&file, games.trailing_problems())?;
        }
        drop(games);
        if too_long > 0 {
            self.fault(name, "a game is longer than 32 MiB and was skipped");
        }
        if let Some(loss) = read.loss() {
            self.fault(name, &loss);
        }
        Ok(())
    }

    /// Records a problem of an entry, which makes the explorer partial.
    pub fn fault(&mut self, name: &str, what: &str) {
        self.is_partial = true;
        if self.faults.len() < FAULTS {
            self.faults.push(format!("{name}: {what}"));
        }
    }

    /// Returns the number of games so far.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Returns the first problems, one sentence each.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Creates the explorer of the games. `inputs` are the names of the inputs.
    ///
    /// # Errors
    ///
    /// Returns an error if the index cannot be written, which in-memory stores do not cause.
    pub fn finish(self, inputs: Vec<String>) -> io::Result<Explorer<MemoryStore, OneCore>> {
        let options = self.opening.options;
        let index =
            Index::open(
                self.builder
                    .finish(if self.is_partial { PARTIAL } else { "" })?,
            )?;
        Ok(Explorer::new(
            index,
            options,
            inputs,
            self.is_partial,
            OneCore,
        ))
    }
}
