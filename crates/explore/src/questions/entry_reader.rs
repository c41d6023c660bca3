//! Games of entries that come in chunks, from a program that cannot wait for more of them: a worker of a browser.

use std::io::{self, Cursor, Read};
use std::mem;
use std::task::Poll;

use bytes::Bytes;

use sgfstream::{Options, Transcoder};
use sgfstream_open::{RECORD_HEAD, RECORD_MAX, Stated, is_record, to_sgf};
use sgfstream_table::row::{GameExtent, PushRows};

use super::cores::OneCore;
use super::explorer::Explorer;
use crate::{Builder, GAME_MAX, Index, MemoryStore};

/// Bytes at the start of an entry that tell whether it is read as it is.
const HEAD: usize = 64 << 10;

/// Bytes of an entry that is not read as it is: it is turned into SGF whole.
const CONVERTED_MAX: usize = 256 << 20;

/// Takes entries chunk by chunk, and makes an [`Explorer`] of their games, in memory.
///
/// ```
/// use sgfstream::Options;
/// use sgfstream_explore::EntryReader;
///
/// let mut reader = EntryReader::new(Options::default());
/// for (name, chunks) in [("a.zip!1.sgf", ["(;SZ[19];B[p", "d])"]), ("a.zip!2.sgf", ["(;SZ[19];B[dd])(;", "SZ[9])"])] {
///     reader.begin(name);
///     for chunk in chunks {
///         reader.feed(chunk.as_bytes().to_vec())?;
///     }
///     reader.end()?;
/// }
/// let explorer = reader.finish(vec!["a.zip".to_owned()])?;
/// assert_eq!(explorer.index().len(), 3);
/// assert_eq!(explorer.index().name(2)?, "a.zip!2.sgf#2");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct EntryReader {
    builder: Builder<MemoryStore, MemoryStore>,
    options: Options,
    name: String,
    entry: Entry,
    games: u32,
    faults: Vec<String>,
    is_partial: bool,
}

/// An entry, as far as it came.
#[derive(Debug)]
enum Entry {
    /// The first bytes, which do not tell yet.
    Head(Vec<u8>),
    /// Read as it is.
    Plain(Box<Plain>),
    /// A record, or text that must be transcoded.
    Converted(Vec<u8>),
}

impl EntryReader {
    /// A reader of entries with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            builder: Builder::new(MemoryStore::default(), MemoryStore::default(), options),
            options,
            name: String::new(),
            entry: Entry::Head(Vec::new()),
            games: 0,
            faults: Vec::new(),
            is_partial: false,
        }
    }

    /// Begins an entry, `archive.zip!games.sgf`.
    pub fn begin(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        self.entry = Entry::Head(Vec::new());
    }

    /// Takes the next chunk of the entry.
    ///
    /// # Errors
    ///
    /// When there are more games than an index can have.
    pub fn feed(&mut self, chunk: Vec<u8>) -> io::Result<()> {
        match &mut self.entry {
            Entry::Head(head) if head.len() + chunk.len() < HEAD => head.extend(chunk),
            Entry::Head(_) => return self.begin_with(chunk),
            Entry::Plain(plain) => {
                plain.feed(chunk);
                return self.take_games();
            }
            Entry::Converted(bytes) => {
                // One byte more tells that it is too long.
                let left = (CONVERTED_MAX + 1).saturating_sub(bytes.len());
                bytes.extend_from_slice(&chunk[..chunk.len().min(left)]);
            }
        }
        Ok(())
    }

    /// Looks at the head of an entry and `chunk`, which comes after it.
    fn begin_with(&mut self, chunk: Vec<u8>) -> io::Result<()> {
        let Entry::Head(head) = &mut self.entry else { return Ok(()) };
        let head = mem::take(head);
        let bytes = if head.is_empty() { chunk } else { [head, chunk].concat() };
        let is_converted =
            is_server_record(&bytes) || Transcoder::with_charset(&bytes[..], self.options.charset).prepare();
        if is_converted {
            self.entry = Entry::Converted(bytes);
            return Ok(());
        }
        let mut plain = Plain::new(self.options);
        plain.feed(bytes);
        self.entry = Entry::Plain(Box::new(plain));
        self.take_games()
    }

    /// Ends the entry.
    ///
    /// # Errors
    ///
    /// When there are more games than an index can have.
    pub fn end(&mut self) -> io::Result<()> {
        self.begin_with(Vec::new())?;
        self.convert();
        if let Entry::Plain(plain) = &mut self.entry {
            plain.rows.finish();
            self.take_games()?;
        }
        self.entry = Entry::Head(Vec::new());
        Ok(())
    }

    /// Ends an entry that cannot be read further: its games before that are taken, and the one that breaks off is not. The caller
    /// says why by [`fault`](Self::fault).
    ///
    /// # Errors
    ///
    /// When there are more games than an index can have.
    pub fn break_off(&mut self) -> io::Result<()> {
        self.begin_with(Vec::new())?;
        // A record of a server is one game.
        if !matches!(&self.entry, Entry::Converted(bytes) if is_server_record(bytes)) {
            self.convert();
            if let Entry::Plain(plain) = &mut self.entry {
                plain.rows.finish();
                plain.is_broken_off = true;
                self.take_games()?;
            }
        }
        self.entry = Entry::Head(Vec::new());
        Ok(())
    }

    /// Reads what was kept to be turned into SGF.
    fn convert(&mut self) {
        let Entry::Converted(bytes) = &mut self.entry else { return };
        let bytes = mem::take(bytes);
        match self.converted(bytes) {
            Ok((bytes, options)) => {
                let mut plain = Plain::new(options);
                plain.feed(bytes);
                self.entry = Entry::Plain(Box::new(plain));
            }
            Err(fault) => self.fault(&fault),
        }
    }

    /// An entry as SGF that is read as it is; a sentence says why that cannot be.
    fn converted(&mut self, mut bytes: Vec<u8>) -> Result<(Vec<u8>, Options), String> {
        if bytes.len() > CONVERTED_MAX {
            return Err(format!("expected at most {} MiB of this encoding, found more", CONVERTED_MAX >> 20));
        }
        if is_server_record(&bytes) {
            bytes.truncate(RECORD_MAX as usize + RECORD_HEAD);
            bytes =
                to_sgf(&bytes).map_err(|refusal| format!("expected {}, found {}", refusal.expected, refusal.found))?;
        }
        let mut read = Transcoder::with_charset(Cursor::new(bytes), self.options.charset);
        let options = read.options(self.options);
        let mut bytes = Vec::new();
        let replaced = if options.is_transcoded {
            let mut stated = Stated::new(read);
            stated.read_to_end(&mut bytes).map(|_| stated.get_mut().replacements())
        } else {
            read.read_to_end(&mut bytes).map(|_| read.replacements())
        };
        match replaced {
            Ok(0) => {}
            Ok(count) => self.fault(&format!("{count} malformed sequences were replaced by U+FFFD")),
            Err(err) => return Err(err.to_string()),
        }
        Ok((bytes, options))
    }

    fn take_games(&mut self) -> io::Result<()> {
        let Entry::Plain(plain) = &mut self.entry else { return Ok(()) };
        let mut too_long = 0;
        while let Poll::Ready(Some(game)) = plain.rows.next_game() {
            if plain.is_broken_off && (game.lacks_bracket || game.lacks_ends > 0) {
                break;
            }
            match plain.bytes_of(&game) {
                Some(bytes) if bytes.len() as u64 <= GAME_MAX + PARENTHESES => {
                    self.builder.add(&self.name.replacen('!', "\0", 1), plain.rows.number(), &bytes)?;
                    self.games += 1;
                }
                _ => too_long += 1,
            }
            plain.release(game.span.end);
        }
        if plain.waiting() > GAME_MAX {
            plain.release(plain.end());
        }
        if too_long > 0 {
            self.fault("a game of more than 64 MiB is left out");
        }
        Ok(())
    }

    /// Notes something that is lost, of the entry.
    pub fn fault(&mut self, what: &str) {
        self.is_partial = true;
        if self.faults.len() < FAULTS {
            self.faults.push(format!("{}: {what}", self.name));
        }
    }

    /// How many games came so far.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The first losses, one sentence each.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Makes the explorer of the games that came; `inputs` are the names of what they came from.
    ///
    /// # Errors
    ///
    /// None that a program can cause: memory takes all.
    pub fn finish(self, inputs: Vec<String>) -> io::Result<Explorer<MemoryStore, OneCore>> {
        let index = Index::open(self.builder.finish("")?, self.options)?;
        Ok(Explorer::new(index, self.options, inputs, self.is_partial, OneCore))
    }
}

/// True for the record of a server.
fn is_server_record(bytes: &[u8]) -> bool {
    !bytes.trim_ascii_start().starts_with(b"(") && is_record(&bytes[..bytes.len().min(RECORD_HEAD)])
}

/// Sentences of faults that are kept.
const FAULTS: usize = 20;

/// Bytes that a game may get where it lacks some.
const PARENTHESES: u64 = (1 << 24) + 2;

/// An entry that is read as it is, and its bytes from the game on that is read.
#[derive(Debug)]
struct Plain {
    rows: PushRows,
    bytes: Vec<u8>,
    /// Bytes of `bytes` that are not needed anymore.
    released: usize,
    /// Where `bytes` is in the entry.
    base: u64,
    /// No more can be read, so a game without its end is none.
    is_broken_off: bool,
}

impl Plain {
    fn new(options: Options) -> Self {
        Self { rows: PushRows::new(options), bytes: Vec::new(), released: 0, base: 0, is_broken_off: false }
    }

    fn feed(&mut self, chunk: Vec<u8>) {
        self.bytes.drain(..self.released);
        self.base += mem::take(&mut self.released) as u64;
        self.bytes.extend_from_slice(&chunk);
        self.rows.feed(Bytes::from(chunk));
    }

    /// Where the bytes that came end.
    fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// Bytes that wait.
    fn waiting(&self) -> u64 {
        (self.bytes.len() - self.released) as u64
    }

    /// Forgets what is before `end`.
    fn release(&mut self, end: u64) {
        self.released = self.bytes.len().min(end.saturating_sub(self.base) as usize).max(self.released);
    }

    /// The bytes of a game, with what they lack; none if some are forgotten.
    fn bytes_of(&self, game: &GameExtent) -> Option<Vec<u8>> {
        let start =
            usize::try_from(game.span.start.checked_sub(self.base)?).ok().filter(|start| *start >= self.released)?;
        let bytes = self.bytes.get(start..usize::try_from(game.span.end.checked_sub(self.base)?).ok()?)?;
        let mut out = [game.head(), bytes].concat();
        // A lone `\` at the end would escape the `]` that is supplied.
        if game.lacks_bracket && bytes.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1 {
            out.pop();
        }
        out.extend(game.tail());
        Some(out)
    }
}
