//! Opens entries: converts records of servers to SGF, and UTF-16, UTF-32 and ISO-2022-JP to UTF-8.

use std::io::{self, Chain, Cursor, Read};

use sgfstream::{Charset, Detection, FramingPolicy, Options, Transcoder};

use crate::charset_tagger::CharsetTagger;
use crate::records::{RECORD_HEAD, RECORD_MAX, Refusal, is_record, to_sgf};

/// Settings for opening entries.
///
/// ```
/// use std::io::Read;
///
/// use sgfstream_open::EntryOpener;
///
/// let utf16: Vec<u8> = "\u{feff}(;PB[常昊])".encode_utf16().flat_map(u16::to_le_bytes).collect();
/// let (mut opened, options) = EntryOpener { states_charset: true, ..EntryOpener::default() }.open(&utf16[..]).expect("no record");
/// let mut text = String::new();
/// opened.read_to_string(&mut text)?;
/// assert_eq!((text.as_str(), options.is_transcoded), ("\u{feff}(;PB[常昊]CA[UTF-8])", true));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EntryOpener {
    /// Options for reading games.
    pub options: Options,
    /// Whether to add `CA[UTF-8]` to games that were transcoded.
    pub states_charset: bool,
}

impl EntryOpener {
    /// Returns whether an entry that begins with `head` must be converted before it is read.
    #[must_use]
    pub fn converts(&self, head: &[u8]) -> bool {
        is_record(head) || Transcoder::with_charset(head, self.options.charset).prepare()
    }

    /// Opens an entry: returns its converted bytes, and the options to read them with.
    ///
    /// # Errors
    ///
    /// The entry is a record of a server that cannot be converted. An error of `read` is not
    /// returned here; it occurs again when the caller reads on.
    pub fn open<R: Read>(&self, mut read: R) -> Result<(EntryReader<R>, Options), Refusal> {
        let mut head = Vec::new();
        _ = start_of(&mut read, &mut head);
        if is_record(&head) {
            let rest = read.by_ref().take(RECORD_MAX).read_to_end(&mut head);
            head = rest.map_or_else(|_| Ok(Vec::new()), |_| to_sgf(&head))?;
        }
        let mut read =
            Transcoder::with_charset(Cursor::new(head).chain(read), self.options.charset);
        let options = read.options(self.options);
        if self.states_charset && options.is_transcoded {
            return Ok((
                EntryReader::CharsetTagger(Box::new(CharsetTagger::new(read))),
                options,
            ));
        }
        Ok((EntryReader::AsRead(read), options))
    }
}

/// Returns the reading options that have these names. Without a charset, the reader guesses likely
/// charsets.
///
/// ```
/// use sgfstream_open::options_by_name;
///
/// assert!(options_by_name(Some("GBK"), "auto").is_ok());
/// assert_eq!(
///     options_by_name(None, "none").expect_err("unknown"),
///     r#"framing: expected "auto", "value" or "whole", found "none""#
/// );
/// ```
///
/// # Errors
///
/// Returns a message if a name is unknown.
pub fn options_by_name(charset: Option<&str>, framing: &str) -> Result<Options, String> {
    let options = Options::default();
    let options = match charset {
        None => options.with_detection(Detection::LIKELY),
        Some("auto") => options,
        Some("detect") => options.with_detection(Detection::ANY),
        Some(name) => {
            let forced = Charset::forced(name.as_bytes());
            let forced = forced.ok_or_else(|| {
                format!("charset: expected \"auto\", \"detect\" or the name of a charset, such as UTF-8 or GBK, found {name:?}")
            })?;
            options.with_charset(Some(forced))
        }
    };
    let framing = match framing {
        "auto" => FramingPolicy::Auto,
        "value" => FramingPolicy::Value,
        "whole" => FramingPolicy::Whole,
        other => {
            return Err(format!(
                "framing: expected \"auto\", \"value\" or \"whole\", found {other:?}"
            ));
        }
    };
    Ok(options.with_framing(framing))
}

/// Reads the first bytes of an entry, enough to recognize a record. If they begin a game, it reads
/// only once, because later bytes may come late.
fn start_of(read: &mut impl Read, head: &mut Vec<u8>) -> io::Result<usize> {
    while head.len() < RECORD_HEAD && !head.trim_ascii_start().starts_with(b"(") {
        let len = head.len();
        head.resize(RECORD_HEAD, 0);
        let read = read.read(&mut head[len..]);
        head.truncate(len + read.as_ref().copied().unwrap_or(0));
        if read? == 0 {
            break;
        }
    }
    Ok(head.len())
}

/// Reader of an opened entry, from its first byte on.
pub enum EntryReader<R> {
    /// The entry's bytes, transcoded if necessary.
    AsRead(PrefixedReader<R>),
    /// Transcoded bytes, with `CA[UTF-8]` in each game.
    CharsetTagger(Box<CharsetTagger<PrefixedReader<R>>>),
}

/// Reader of an entry whose first bytes have been read already.
type PrefixedReader<R> = Transcoder<Chain<Cursor<Vec<u8>>, R>>;

impl<R: Read> EntryReader<R> {
    /// Returns a message about the loss, if malformed sequences were replaced while the entry was
    /// read.
    pub fn loss(&mut self) -> Option<String> {
        let read = self.transcoder();
        let (encoding, count) = (read.encoding_name()?, read.replacements());
        let s = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} malformed {encoding} sequence{s}, replaced by U+FFFD"))
    }

    fn transcoder(&mut self) -> &mut PrefixedReader<R> {
        match self {
            Self::AsRead(read) => read,
            Self::CharsetTagger(read) => read.get_mut(),
        }
    }
}

impl<R: Read> Read for EntryReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::AsRead(read) => read.read(buf),
            Self::CharsetTagger(read) => read.read(buf),
        }
    }
}
