//! The one place where entries are opened: where UTF-16, UTF-32 and ISO-2022-JP become UTF-8, and where the charset of
//! games that name none is guessed.

use std::io::{self, Chain, Cursor, Read};

use sgfstream::base::Charset;
use sgfstream::event::Event;
use sgfstream::read::parallel::{GamePlace, PartReader, ReadAt};
use sgfstream::read::{EventReader, Options, Transcoder};
use sgfstream_archive::{ArchiveProblem, EntryName, SharedEntry, Trouble};

use crate::detect;

/// The bytes of an entry: its head, which was looked at, then the rest.
pub(crate) type Opened<R> = Transcoder<Chain<Cursor<Vec<u8>>, R>>;

/// Bytes at the start of an entry that are looked at.
pub(crate) const HEAD: u64 = 64 << 10;

/// How entries are opened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening {
    pub(crate) options: Options,
    /// Whether the charset of games that name none is guessed.
    pub(crate) detects: bool,
}

impl Opening {
    /// The options for an entry that begins with `head` and is read as it is.
    pub(crate) fn options_for(&self, head: &[u8]) -> Options {
        if self.detects { self.options.with_fallback(detect::fallback(head)) } else { self.options }
    }

    /// A reader that makes UTF-8 of what must be transcoded.
    pub(crate) fn transcoder<R: Read>(&self, read: R) -> Transcoder<R> {
        Transcoder::with_charset(read, self.options.charset)
    }

    /// The bytes of an entry as readers need them, and the options to read them with.
    pub(crate) fn open<R: Read>(&self, mut read: R) -> (Opened<R>, Options) {
        let mut head = Vec::new();
        if self.detects {
            // A failure comes again when the rest is read.
            _ = read.by_ref().take(HEAD).read_to_end(&mut head);
        }
        let mut options = self.options_for(&head);
        let mut read = self.transcoder(Cursor::new(head).chain(read));
        if read.prepare() {
            // It is UTF-8 from here on, whatever charset was named or guessed.
            let utf8 = Some(Charset::UTF_8);
            options = options.with_charset(options.charset.and(utf8)).with_fallback(options.fallback.and(utf8));
        }
        (read, options)
    }
}

/// An entry that several references name, as the library reads it.
pub(crate) struct Shared<'s>(pub(crate) &'s SharedEntry);

impl ReadAt for Shared<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, buf)
    }
}

/// The reader of an entry that was opened. Where several games of it are asked for, one by one, the first look at it
/// finds out where they begin, and each is read from there.
pub(crate) fn whole<'r, R: Read>(
    read: &'r mut Opened<R>,
    options: Options,
    size: Option<u64>,
    game: Option<u64>,
    shared: Option<&'r Shared<'r>>,
) -> PartReader<'r> {
    let shared = shared.filter(|_| read.encoding_name().is_none());
    if let (Some(number), Some(shared)) = (game, shared)
        && let Some(places) = shared.0.notes(|| places(shared, options))
        && let Ok(at) = places.binary_search_by_key(&number, |&(number, _)| number)
    {
        return PartReader::from_game(shared, options, &places[at].1);
    }
    PartReader::whole(read, options, size)
}

/// For each game that is asked for, the place of a game before it from which it can be read.
fn places(shared: &Shared<'_>, options: Options) -> Vec<(u64, GamePlace)> {
    let mut found = Vec::new();
    let mut wanted = shared.0.games().iter().copied().filter(|&game| game > 1).peekable();
    let mut read = FromStart(shared, 0);
    let mut reader = PartReader::whole(&mut read, options, None);
    let mut place = None;
    // An error comes again when the game is read.
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

struct FromStart<'s>(&'s Shared<'s>, u64);

impl Read for FromStart<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.0.read_at(self.1, buf)?;
        self.1 += len as u64;
        Ok(len)
    }
}

/// What is reported of an entry that was not transcoded without loss.
pub(crate) fn loss<R: Read>(name: &EntryName, read: &Transcoder<R>) -> Option<ArchiveProblem> {
    let encoding = read.encoding_name()?;
    let (count, s) = (read.replacements(), if read.replacements() == 1 { "" } else { "s" });
    (count > 0).then(|| ArchiveProblem {
        at: name.clone(),
        trouble: Trouble::Lossy,
        expected: format!("text in {encoding}").into(),
        found: format!("{count} malformed sequence{s}, replaced by U+FFFD").into(),
    })
}

/// The end of an entry that is damaged.
pub(crate) struct Damage;

impl Read for Damage {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the archive is damaged here"))
    }
}
