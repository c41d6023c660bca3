//! A reader that starts in the middle of an input and ends where another can take over.

use std::io::{self, Read};
use std::ops::Range;

use crate::base::{Position, Result};
use crate::event::{Event, Flow, Place, Sink};
use crate::read::reader::{EventReader, Source};
use crate::read::{Options, Reader};

use super::border::border;
use super::read_at::{ReadAt, read_full};

/// How much of a block is searched for a border: first a little, then more.
const LOOKS: [usize; 2] = [16 << 10, 256 << 10];

/// How far a part reads beyond its block before its turn has come. A little
/// more than a reader's buffer.
const SLACK: u64 = 512 << 10;

/// The initial buffer of a part's reader.
const BUFFER: u64 = 128 << 10;

/// Where the part that begins in this block of `input` begins, if one does.
fn part_start(input: &dyn ReadAt, block: u64, index: u64) -> io::Result<Option<u64>> {
    let start = index * block;
    if index == 0 {
        return Ok(Some(0));
    }
    let mut buf = Vec::new();
    let mut found = None;
    for look in LOOKS {
        let len = look.min(usize::try_from(block).unwrap_or(usize::MAX));
        let before = buf.len();
        buf.resize(len, 0);
        let more = read_full(input, start + before as u64, &mut buf[before..])?;
        buf.truncate(before + more);
        found = border(&buf);
        if found.is_some_and(|(_, is_sure)| is_sure) || buf.len() < len {
            break;
        }
    }
    Ok(found.map(|(at, _)| start + at as u64))
}

/// Reads one part of an input.
///
/// Its events are those that a reader of the whole input gives there. Spans and the bytes of positions count from the
/// start of the input; games, and the lines and columns of positions, count from the start of the part. The part ends
/// before the `(` of the first game of the next part.
///
/// ```
/// use sgfstream::read::parallel::{End, PartReader};
/// use sgfstream::{EventReader, Options, adapt::Count};
///
/// let collection = b"(;GM[1];B[aa];W[bb])".repeat(1000);
/// let (mut games, mut parts) = (0, 0);
/// let mut block = 0;
/// loop {
///     // With threads, each opens a block of its own, and the parts that no other part ends at are thrown away.
///     let part = PartReader::open(&collection, Options::default(), 4096, block, &|| true)?;
///     let mut part = part.expect("the part before ended where this one begins");
///     let mut count = Count::default();
///     part.drive(&mut count)?;
///     (games, parts) = (games + count.games, parts + 1);
///     match part.finish()? {
///         End::Unit(next) => block = next,
///         End::Input => break,
///     }
/// }
/// assert_eq!((games, parts), (1000, 5));
/// # Ok::<(), sgfstream::Error>(())
/// ```
pub struct PartReader<'a> {
    reader: Reader<PartRead<'a>>,
    block: u64,
    start: u64,
    /// Games begun before the part, where they are known.
    games_before: u64,
    /// The block that the next part may begin in.
    next: u64,
    /// Nothing can end the part before this byte.
    until: u64,
    end: Option<End>,
    problems: u64,
}

/// How a part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The part that begins in this block follows; after a [range](PartReader::range), the one at this byte.
    Unit(u64),
    /// At the end of the input.
    Input,
}

impl<'a> PartReader<'a> {
    /// The part that begins in the block of this `index`, if one does; each block has `block` bytes, the last one
    /// perhaps fewer.
    ///
    /// Before a part reads far beyond its block, it calls `turn`, which answers whether the part is still needed, and
    /// may wait until everything before it has been read. So a wrong border costs no more than a block.
    ///
    /// # Errors
    ///
    /// When reading fails.
    pub fn open(
        input: &'a dyn ReadAt,
        options: Options,
        block: u64,
        index: u64,
        turn: &'a dyn Fn() -> bool,
    ) -> io::Result<Option<Self>> {
        let Some(start) = part_start(input, block, index)? else {
            return Ok(None);
        };
        let end = (index + 1).saturating_mul(block);
        let free = if index == 0 { u64::MAX } else { end.saturating_add(SLACK.min(block)) };
        let read = PartRead::Blocks { input, at: start, free, turn };
        let reader = Reader::starting_at(read, options, BUFFER.min(block) as usize, start, 0);
        Ok(Some(Self { block, next: index + 1, until: end, ..Self::of(reader, start, 0) }))
    }

    fn of(reader: Reader<PartRead<'a>>, start: u64, games_before: u64) -> Self {
        Self { reader, block: u64::MAX, start, games_before, next: 1, until: u64::MAX, end: None, problems: 0 }
    }

    /// A part whose borders are known: it begins at byte `bytes.start` of the input, after `games` games, and ends at
    /// `bytes.end`. Its games are numbered as those of the whole input.
    ///
    /// `read` gives the input from `bytes.start` on, and goes on after `bytes.end`: what follows a game may tell how it
    /// is read. The borders must be those of parts: [`start`](Self::start) and [`offset`](Self::offset) of a part that
    /// was read to its end; the last part ends at `u64::MAX`.
    ///
    /// ```
    /// use sgfstream::read::parallel::PartReader;
    /// use sgfstream::{Event, EventReader, Options};
    ///
    /// let mut input = &b"(;B[aa])(;B[bb])(;B[cc])"[8..];
    /// let mut part = PartReader::range(&mut input, Options::default(), 8..16, 1);
    /// part.advance()?;
    /// assert_eq!((part.game(), part.span().start), (2, 8));
    /// part.finish()?;
    /// assert_eq!((part.games(), part.offset()), (1, 16));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    pub fn range(read: &'a mut dyn Read, options: Options, bytes: Range<u64>, games: u64) -> Self {
        let reader = Reader::starting_at(PartRead::Stream(read), options, BUFFER as usize, bytes.start, games);
        Self { next: bytes.end, until: bytes.end, ..Self::of(reader, bytes.start, games) }
    }

    /// All of what `read` gives, as the one part of an input of about `size` bytes.
    #[must_use]
    pub fn whole(read: &'a mut dyn Read, options: Options, size: Option<u64>) -> Self {
        // With one byte more than the input has, one read is enough to see its end.
        let capacity = size.map_or(BUFFER, |size| (size + 1).clamp(256, BUFFER)) as usize;
        Self::of(Reader::with_buffer(PartRead::Stream(read), options, capacity), 0, 0)
    }

    /// Where in the input the part begins.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Where in the input the part ends, once it has; before that, how far
    /// it has been read.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match self.end {
            Some(End::Unit(_)) => self.until,
            _ => self.reader.offset(),
        }
    }

    /// Games begun in this part.
    #[must_use]
    pub fn games(&self) -> u64 {
        // The reader has read the `(` of the next part.
        self.reader.game() - self.games_before - u64::from(matches!(self.end, Some(End::Unit(_))))
    }

    /// Problems met in this part.
    #[must_use]
    pub fn problems(&self) -> u64 {
        self.problems
    }

    /// How the part ended, if it did.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Skips what is left of the part.
    ///
    /// # Errors
    ///
    /// As [`EventReader::next_event`].
    pub fn finish(&mut self) -> Result<End> {
        while self.advance()? {
            self.skip_game();
        }
        Ok(self.end.unwrap_or(End::Input))
    }

    /// Whether the next part begins with the game that starts at `at`.
    #[cold]
    fn is_next_part(&mut self, at: u64) -> Result<bool> {
        loop {
            if at < self.until {
                return Ok(false);
            }
            let PartRead::Blocks { input, .. } = self.reader.get_ref() else {
                return Ok(true);
            };
            match part_start(*input, self.block, self.next)? {
                Some(start) if start > at => {
                    self.until = start;
                    return Ok(false);
                }
                Some(start) if start == at => {
                    self.until = start;
                    return Ok(true);
                }
                _ => {
                    self.next += 1;
                    self.until = self.next * self.block;
                }
            }
        }
    }
}

impl Source for PartReader<'_> {
    #[inline(always)]
    fn drive_common(&mut self, sink: &mut impl Sink) -> Option<Flow> {
        // No common event can end the part; the events after its end are those of the next.
        if self.end.is_none() { self.reader.drive_common(sink) } else { None }
    }
}

impl EventReader for PartReader<'_> {
    #[inline]
    fn advance(&mut self) -> Result<bool> {
        if self.end.is_some() {
            return Ok(false);
        }
        if !self.reader.advance()? {
            self.end = Some(End::Input);
            return Ok(false);
        }
        self.problems += u64::from(self.reader.is_at_problem());
        let at = self.reader.span().start;
        if at >= self.until && self.reader.is_at_independent_game() && self.is_next_part(at)? {
            self.end = Some(End::Unit(self.next));
            return Ok(false);
        }
        Ok(true)
    }

    #[inline]
    fn event(&self) -> Event<'_> {
        self.reader.event()
    }

    #[inline]
    fn place(&self) -> Place {
        self.reader.place()
    }

    fn position_of(&self, byte: u64) -> Position {
        self.reader.position_of(byte)
    }

    fn skip_variation(&mut self) {
        self.reader.skip_variation();
    }

    fn skip_game(&mut self) {
        self.reader.skip_game();
    }
}

impl std::fmt::Debug for PartReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartReader").field("start", &self.start).field("end", &self.end).finish_non_exhaustive()
    }
}

/// What a part is read from.
enum PartRead<'a> {
    /// The input from the start of the part on; bytes from `free` on are read only after `turn` said so.
    Blocks {
        input: &'a dyn ReadAt,
        at: u64,
        free: u64,
        turn: &'a dyn Fn() -> bool,
    },
    Stream(&'a mut dyn Read),
}

impl Read for PartRead<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Stream(read) => read.read(buf),
            Self::Blocks { input, at, free, turn } => {
                if *at >= *free {
                    if !turn() {
                        return Ok(0);
                    }
                    *free = u64::MAX;
                }
                let count = input.read_at(*at, buf)?;
                *at += count as u64;
                Ok(count)
            }
        }
    }
}
