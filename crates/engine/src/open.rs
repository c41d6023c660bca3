//! The one place where entries are opened: where records of servers become SGF, and UTF-16, UTF-32 and ISO-2022-JP become
//! UTF-8.

use std::fs::File;
use std::io::{self, Chain, Cursor, Read};

use sgfstream::parallel::{GamePlace, PartReader, ReadAt};
use sgfstream::{Charset, Event, EventReader, Options, Transcoder};
use sgfstream_archive::{ArchiveProblem, EntryName, SharedEntry, Trouble};
use sgfstream_open::{self as records, Stated, is_record};

/// The bytes of an entry, its head first, which was looked at.
pub(crate) enum Opened<R> {
    AsRead(Headed<R>),
    /// It was transcoded, and its games say so.
    Stated(Box<Stated<Headed<R>>>),
}

type Headed<R> = Transcoder<Chain<Cursor<Vec<u8>>, R>>;

impl<R: Read> Opened<R> {
    fn transcoder(&mut self) -> &mut Headed<R> {
        match self {
            Self::AsRead(read) => read,
            Self::Stated(read) => read.get_mut(),
        }
    }
}

impl<R: Read> Read for Opened<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::AsRead(read) => read.read(buf),
            Self::Stated(read) => read.read(buf),
        }
    }
}

/// Bytes at the start of an entry that are looked at.
pub(crate) const HEAD: u64 = 64 << 10;

/// How entries are opened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening {
    pub(crate) options: Options,
    /// Games that were transcoded state it in their `CA`.
    pub(crate) states_charset: bool,
}

impl Opening {
    /// Returns true if an entry that begins with `head` is not read as it is.
    pub(crate) fn converts(&self, head: &[u8]) -> bool {
        is_record(head) || Transcoder::with_charset(head, self.options.charset).prepare()
    }

    /// The bytes of an entry as readers need them, and the options to read them with.
    pub(crate) fn open<R: Read>(&self, name: &EntryName, mut read: R) -> Result<(Opened<R>, Options), ArchiveProblem> {
        let mut head = Vec::new();
        // A failure comes again when the rest is read.
        _ = start_of(&mut read, &mut head);
        if is_record(&head) {
            let rest = read.by_ref().take(records::RECORD_MAX).read_to_end(&mut head);
            let sgf = rest.map_or_else(|_| Ok(Vec::new()), |_| records::to_sgf(&head));
            head = sgf.map_err(|records::Refusal { expected, found }| {
                ArchiveProblem::new(name.clone(), Trouble::Unsupported, expected, found)
            })?;
        }
        let mut read = Transcoder::with_charset(Cursor::new(head).chain(read), self.options.charset);
        let options = read.options(self.options);
        if self.states_charset && options.is_transcoded {
            return Ok((Opened::Stated(Box::new(Stated::new(read))), options));
        }
        Ok((Opened::AsRead(read), options))
    }
}

/// Reads the first bytes of an entry, enough to tell a record. Of games it is the first read, since more may come late.
fn start_of(read: &mut impl Read, head: &mut Vec<u8>) -> io::Result<usize> {
    while head.len() < records::RECORD_HEAD && !head.trim_ascii_start().starts_with(b"(") {
        let len = head.len();
        head.resize(records::RECORD_HEAD, 0);
        let read = read.read(&mut head[len..]);
        head.truncate(len + read.as_ref().copied().unwrap_or(0));
        if read? == 0 {
            break;
        }
    }
    Ok(head.len())
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
    if let (Some(number), Some(shared)) = (game, shared)
        && let Some(look) = shared.0.notes(|| Look::new(shared, options, read))
        && let Ok(at) = look.places.binary_search_by_key(&number, |&(number, _)| number)
    {
        let input: &dyn ReadAt = look.text.as_ref().map_or(shared, |text| text);
        return PartReader::from_game(input, options, &look.places[at].1);
    }
    PartReader::whole(read, options, size)
}

/// Result of the first look at an entry, for all references to its games.
struct Look {
    /// The entry in UTF-8, if it is in an encoding that is transcoded.
    text: Option<File>,
    /// For each game that is asked for, the place of a game before it from which it can be read.
    places: Vec<(u64, GamePlace)>,
}

impl Look {
    fn new<R: Read>(shared: &Shared<'_>, options: Options, read: &mut Opened<R>) -> Self {
        let games = shared.0.games();
        let is_stated = matches!(read, Opened::Stated(_));
        match read.transcoder().encoding_name() {
            None => Self { text: None, places: places(shared, games, options) },
            // Without the text, each game is read from the start. So it is where a loss is to be reported.
            Some(name) => match transcoded(shared, name, is_stated) {
                Ok(Some(text)) => {
                    let places = places(&text, games, options);
                    Self { text: Some(text), places }
                }
                Ok(None) | Err(_) => Self { text: None, places: Vec::new() },
            },
        }
    }
}

/// The text of an entry, in a temporary file; nothing if some of it is malformed.
fn transcoded(shared: &Shared<'_>, encoding: &str, is_stated: bool) -> io::Result<Option<File>> {
    let mut read = Transcoder::with_charset(FromOffset(shared, 0), Charset::for_label(encoding.as_bytes()));
    let mut file = tempfile::tempfile()?;
    if is_stated {
        io::copy(&mut Stated::new(&mut read), &mut file)?;
    } else {
        io::copy(&mut read, &mut file)?;
    }
    Ok((read.replacements() == 0).then_some(file))
}

fn places(input: &dyn ReadAt, games: &[u64], options: Options) -> Vec<(u64, GamePlace)> {
    let mut found = Vec::new();
    let mut wanted = games.iter().copied().filter(|&game| game > 1).peekable();
    let mut read = FromOffset(input, 0);
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

/// An input from an offset on.
pub(crate) struct FromOffset<'s>(pub(crate) &'s dyn ReadAt, pub(crate) u64);

impl Read for FromOffset<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.0.read_at(self.1, buf)?;
        self.1 += len as u64;
        Ok(len)
    }
}

/// Problem of an entry that was not transcoded without loss.
pub(crate) fn loss<R: Read>(name: &EntryName, read: &mut Opened<R>) -> Option<ArchiveProblem> {
    let read = read.transcoder();
    let encoding = read.encoding_name()?;
    let (count, s) = (read.replacements(), if read.replacements() == 1 { "" } else { "s" });
    let found = format!("{count} malformed sequence{s}, replaced by U+FFFD");
    (count > 0).then(|| ArchiveProblem::new(name.clone(), Trouble::Lossy, format!("text in {encoding}"), found))
}

/// The end of an entry that is damaged.
pub(crate) struct Damage;

impl Read for Damage {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the archive is damaged here"))
    }
}
