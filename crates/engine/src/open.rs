//! Opens entries for the engine, and finds the requested games.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use sgfstream::internal::{GamePlace, ReadAt};
use sgfstream::parallel::PartReader;
use sgfstream::{Event, EventReader, Options};
use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem, EntryName, error_text};
use sgfstream_open::{EntryOpener, EntryReader};
use tempfile::{SpooledData, SpooledTempFile};

use crate::job::Part;

/// Bytes at the start of an entry that decide whether it is converted.
const HEAD: u64 = 64 << 10;

/// Opens the file at `path`, if its bytes need no conversion.
pub(crate) fn plain_file(opener: EntryOpener, path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    let mut head = Vec::new();
    (&file).take(HEAD).read_to_end(&mut head).ok()?;
    (!opener.converts(&head)).then_some(file)
}

/// Opens an entry: returns its converted bytes, and the options to read them with.
pub(crate) fn open<R: Read>(
    opener: EntryOpener,
    name: &EntryName,
    read: R,
) -> Result<(EntryReader<R>, Options), ArchiveProblem> {
    opener.open(read).map_err(|refusal| {
        ArchiveProblem::new(name.clone(), ArchiveErrorKind::Unsupported, refusal.0)
    })
}

/// An entry, and the games to read from it.
pub(crate) struct Request<'r, R> {
    pub(crate) name: &'r EntryName,
    pub(crate) read: R,
    pub(crate) size: Option<u64>,
    pub(crate) games: Option<&'r [u64]>,
    /// The file of the entry, if it is not packed.
    pub(crate) path: Option<&'r Path>,
}

impl<R: Read> Request<'_, R> {
    /// Calls `each` with the whole entry, or with each requested game, until it breaks. Returns the
    /// problems of the entry. `spool` limits the bytes of a temporary file.
    pub(crate) fn each(
        self,
        opener: EntryOpener,
        spool: u64,
        each: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> Vec<ArchiveProblem> {
        let Self {
            name,
            read,
            size,
            games,
            path,
        } = self;
        let (mut read, options) = match open(opener, name, read) {
            Ok(opened) => opened,
            Err(problem) => return vec![problem],
        };
        let mut problems = Vec::new();
        match games.unwrap_or_default() {
            games @ ([] | [_]) => {
                let reader = PartReader::whole(&mut read, options, size);
                _ = each(Part {
                    name,
                    game: games.first().copied(),
                    is_start: true,
                    options,
                    reader,
                });
            }
            games => {
                let file = path.and_then(|path| plain_file(opener, path));
                let copy = match file {
                    Some(file) => Ok(EntryCopy {
                        input: Box::new(file),
                        len: u64::MAX,
                        is_broken: false,
                    }),
                    None => EntryCopy::new(name, &mut read, spool),
                };
                match copy {
                    Ok(copy) => copy.each_game(name, games, options, each),
                    Err(problem) => problems.push(problem),
                }
            }
        }
        problems.extend(loss(name, &mut read));
        problems
    }
}

/// Copy of an entry that can be read at any offset, so that each game is read from its start.
struct EntryCopy {
    input: Box<dyn ReadAt>,
    len: u64,
    /// Whether the archive is damaged after these bytes.
    is_broken: bool,
}

impl EntryCopy {
    /// Bytes to copy to memory before a temporary file is used.
    const MEMORY: u64 = 1 << 20;

    fn new(name: &EntryName, read: &mut impl Read, most: u64) -> Result<Self, ArchiveProblem> {
        let problem = |kind, message: String| ArchiveProblem::new(name.clone(), kind, message);
        let unwritable = |err: io::Error| {
            problem(
                ArchiveErrorKind::Unreadable,
                format!("cannot use a temporary file: {}", error_text(&err)),
            )
        };
        let mut spool = SpooledTempFile::new(Self::MEMORY as usize);
        let (mut bytes, mut len) = (Vec::new(), 0);
        loop {
            bytes.clear();
            let result = read.take(Self::MEMORY).read_to_end(&mut bytes);
            len += bytes.len() as u64;
            if len > most.max(Self::MEMORY) {
                let message =
                    format!("needs a temporary file of more than {most} bytes (cap `spool`)");
                return Err(problem(ArchiveErrorKind::Cap, message));
            }
            spool.write_all(&bytes).map_err(unwritable)?;
            if (bytes.len() as u64) < Self::MEMORY {
                let input: Box<dyn ReadAt> = match spool.into_inner() {
                    SpooledData::InMemory(bytes) => Box::new(bytes.into_inner()),
                    SpooledData::OnDisk(file) => Box::new(file),
                };
                return Ok(Self {
                    input,
                    len,
                    is_broken: result.is_err(),
                });
            }
        }
    }

    /// Calls `each` with each game, until it breaks.
    fn each_game(
        &self,
        name: &EntryName,
        games: &[u64],
        options: Options,
        each: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) {
        let places = places(self, games, options);
        for &game in games {
            let mut from_start = FromOffset(self, 0);
            let reader = match places.binary_search_by_key(&game, |&(number, _)| number) {
                Ok(at) => PartReader::from_game(self, options, &places[at].1),
                Err(_) => PartReader::whole(&mut from_start, options, None),
            };
            let flow = each(Part {
                name,
                game: Some(game),
                is_start: true,
                options,
                reader,
            });
            if flow.is_break() {
                break;
            }
        }
    }
}

impl ReadAt for EntryCopy {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        if self.is_broken && offset >= self.len {
            return Damage.read(buf);
        }
        self.input.read_at(offset, buf)
    }
}

/// Returns, for each of `games`, the place of an earlier game at which a reader can start.
fn places(input: &dyn ReadAt, games: &[u64], options: Options) -> Vec<(u64, GamePlace)> {
    let mut found = Vec::new();
    let mut wanted = games.iter().copied().filter(|&game| game > 1).peekable();
    let mut read = FromOffset(input, 0);
    let mut reader = PartReader::whole(&mut read, options, None);
    let mut place = None;
    // If there is an error, it occurs again when the game is read.
    while let (Some(&game), Ok(true)) = (wanted.peek(), reader.advance()) {
        if let Event::VariationStart { .. } = reader.event() {
            if reader.place().game >= game {
                found.extend(place.map(|place| (game, place)));
                wanted.next();
            }
            place = reader.game_place().or(place);
            reader.skip_game();
        }
    }
    found
}

/// Reader of an input from an offset on.
pub(crate) struct FromOffset<'s>(pub(crate) &'s dyn ReadAt, pub(crate) u64);

impl Read for FromOffset<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.0.read_at(self.1, buf)?;
        self.1 += len as u64;
        Ok(len)
    }
}

/// Returns the problem of an entry that lost bytes in transcoding.
pub(crate) fn loss<R: Read>(name: &EntryName, read: &mut EntryReader<R>) -> Option<ArchiveProblem> {
    let loss = read.loss()?;
    Some(ArchiveProblem::new(
        name.clone(),
        ArchiveErrorKind::Lossy,
        loss,
    ))
}

/// Reader that fails, for the end of a damaged entry.
pub(crate) struct Damage;

impl Read for Damage {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the archive is damaged here"))
    }
}
