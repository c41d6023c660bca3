//! A reader that sets out in the middle of an input and ends where another
//! can take over.

use std::io::{self, Read};

use crate::base::{Position, Result};
use crate::event::{Event, Flow, Place, Sink};
use crate::read::reader::{EventReader, Source};
use crate::read::{Options, Reader};

use super::border::border;
use super::read_at::{ReadAt, read_full};

/// How far into a block a border is looked for: first a little, then more.
const LOOKS: [usize; 2] = [16 << 10, 256 << 10];

/// How far a part reads ahead of its block before its turn has come. A little
/// more than a reader's buffer.
const SLACK: u64 = 512 << 10;

/// The buffer of a part's reader, to begin with.
const BUFFER: u64 = 128 << 10;

/// Where the part that begins in this block of `input` begins, if one does.
pub(super) fn part_start(input: &dyn ReadAt, block: u64, unit: u64) -> io::Result<Option<u64>> {
    let start = unit * block;
    if unit == 0 {
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

/// Asks whether everything before a part has been read: waits for it, and says
/// false if the part has been passed over.
pub(super) type Turn<'t> = dyn Fn() -> bool + 't;

/// Reads the part of an input that begins in one of its blocks.
///
/// Its events are those that a reader of the whole input gives there. Spans and
/// bytes of positions count from the start of the input; games, and the lines
/// and columns of positions, from the start of the part. It ends before the `(`
/// of the first game that the next part begins with.
pub struct PartReader<'a> {
    reader: Reader<PartRead<'a>>,
    block: u64,
    start: u64,
    /// The block that the next part may begin in.
    unit: u64,
    /// Nothing can end the part before this byte.
    until: u64,
    end: Option<End>,
    problems: u64,
}

/// How a part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The part that begins in this block goes on.
    Unit(u64),
    /// At the end of the input.
    Input,
}

impl<'a> PartReader<'a> {
    /// The part that begins in block `unit`, if one does.
    pub fn open(
        input: &'a dyn ReadAt,
        options: Options,
        block: u64,
        unit: u64,
        turn: &'a Turn<'a>,
    ) -> io::Result<Option<Self>> {
        let Some(start) = part_start(input, block, unit)? else {
            return Ok(None);
        };
        let end = (unit + 1).saturating_mul(block);
        let free = if unit == 0 { u64::MAX } else { end.saturating_add(SLACK.min(block)) };
        let read = PartRead::Blocks { input, at: start, free, turn };
        let reader = Reader::starting_at(read, options, BUFFER.min(block) as usize, start);
        Ok(Some(Self { reader, block, start, unit: unit + 1, until: end, end: None, problems: 0 }))
    }

    /// All of what `read` gives, as the one part of an input of about `size`
    /// bytes.
    #[must_use]
    pub fn whole(read: &'a mut dyn Read, options: Options, size: Option<u64>) -> Self {
        // One byte more than there are: the end is seen without another look.
        let capacity = size.map_or(BUFFER, |size| (size + 1).clamp(256, BUFFER)) as usize;
        let reader = Reader::with_buffer(PartRead::Stream(read), options, capacity);
        Self { reader, block: u64::MAX, start: 0, unit: 1, until: u64::MAX, end: None, problems: 0 }
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
        // The reader has seen the `(` of the next part.
        self.reader.game() - u64::from(matches!(self.end, Some(End::Unit(_))))
    }

    /// Problems met in this part.
    #[must_use]
    pub fn problems(&self) -> u64 {
        self.problems
    }

    /// How the part ended, if it did.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// A game starts at `at`, behind what could be read of this part alone.
    #[cold]
    fn is_next_part(&mut self, at: u64) -> Result<bool> {
        loop {
            if at < self.until {
                return Ok(false);
            }
            let PartRead::Blocks { input, .. } = self.reader.get_ref() else {
                return Ok(false);
            };
            match part_start(*input, self.block, self.unit)? {
                Some(start) if start > at => {
                    self.until = start;
                    return Ok(false);
                }
                Some(start) if start == at => {
                    self.until = start;
                    return Ok(true);
                }
                _ => {
                    self.unit += 1;
                    self.until = self.unit * self.block;
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
            self.end = Some(End::Unit(self.unit));
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
    /// The input from the start of a part on. What lies well behind its block
    /// is given only when everything before the part has been read, so that a
    /// false border costs no more than a block.
    Blocks {
        input: &'a dyn ReadAt,
        at: u64,
        free: u64,
        turn: &'a Turn<'a>,
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
                        // Nobody wants the rest.
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
