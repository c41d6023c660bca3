//! The one place where entries are opened: where UTF-16, UTF-32 and ISO-2022-JP become UTF-8, and where the charset of
//! games that name none is guessed.

use std::io::{self, Chain, Cursor, Read};

use sgfstream::base::Charset;
use sgfstream::read::{Options, Transcoder};

/// Guesses a charset from the first bytes of an entry.
pub type Guess = fn(&[u8]) -> Option<Charset>;

/// The bytes of an entry: its head, which was looked at, then the rest.
pub(crate) type Opened<R> = Transcoder<Chain<Cursor<Vec<u8>>, R>>;

/// Bytes at the start of an entry that are looked at.
pub(crate) const HEAD: u64 = 64 << 10;

/// How entries are opened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening {
    pub(crate) options: Options,
    pub(crate) guess: Option<Guess>,
}

impl Opening {
    /// The options for an entry that begins with `head`.
    pub(crate) fn options_for(&self, head: &[u8]) -> Options {
        match self.guess {
            Some(guess) => self.options.with_fallback(guess(head)),
            None => self.options,
        }
    }

    /// The bytes of an entry as readers need them, and the options to read them with.
    pub(crate) fn open<R: Read>(&self, mut read: R) -> (Opened<R>, Options) {
        let mut head = Vec::new();
        if self.guess.is_some() {
            // A failure comes again when the rest is read.
            _ = read.by_ref().take(HEAD).read_to_end(&mut head);
        }
        let options = self.options_for(&head);
        (Transcoder::new(Cursor::new(head).chain(read)), options)
    }
}

/// The end of an entry that is damaged.
pub(crate) struct Damage;

impl Read for Damage {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the archive is damaged here"))
    }
}
