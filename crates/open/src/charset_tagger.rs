//! Adds `CA[UTF-8]` to the roots of transcoded games.

use std::io::{self, Read};

use sgfstream::{Event, EventReader, Options, Reader, Writer};

/// Reader that sets `CA[UTF-8]` in every root of a transcoded stream. It replaces the charset that
/// the root names, or adds the property at the end of the root. All other bytes pass through.
#[derive(Debug)]
pub struct CharsetTagger<R> {
    reader: Reader<R>,
    /// Buffer of written events. The reader has returned its first `given` bytes.
    writer: Writer<Vec<u8>>,
    given: usize,
    root: Root,
}

/// Position of the reader relative to the root of a game.
#[derive(Debug)]
enum Root {
    Expected,
    Open { has_charset: bool },
    Past,
}

impl<R: Read> CharsetTagger<R> {
    /// Returns a reader that tags the games of `inner`.
    #[must_use]
    pub fn new(inner: R) -> Self {
        let options = Options::default().with_gaps(true).with_transcoded(true);
        Self {
            reader: Reader::with_options(inner, options),
            writer: Writer::new(Vec::new()),
            given: 0,
            root: Root::Past,
        }
    }

    /// Returns the inner reader.
    pub fn get_mut(&mut self) -> &mut R {
        self.reader.get_mut()
    }

    /// Reads one event and writes it to the buffer. Returns false at the end.
    fn step(&mut self) -> io::Result<bool> {
        let Self {
            reader,
            writer,
            root,
            ..
        } = self;
        if !reader.advance().map_err(io::Error::other)? {
            return Ok(false);
        }
        let event = reader.event();
        match (&event, &mut *root) {
            (Event::Property(property), Root::Open { has_charset }) if property.ident() == "CA" => {
                *has_charset = true;
                return writer.property("CA", ["UTF-8"]).map(|()| true);
            }
            (Event::VariationStart { .. }, _) if reader.depth() == 1 => *root = Root::Expected,
            (Event::NodeStart { .. }, Root::Expected) => *root = Root::Open { has_charset: false },
            (
                Event::NodeStart { .. } | Event::VariationStart { .. } | Event::VariationEnd { .. },
                Root::Open { has_charset },
            ) => {
                if !*has_charset {
                    writer.property("CA", ["UTF-8"])?;
                }
                *root = Root::Past;
            }
            (event, Root::Open { has_charset }) => {
                *has_charset |= event.ident().is_some_and(|ident| ident == "CA")
            }
            _ => {}
        }
        writer.event(&event)?;
        Ok(true)
    }
}

impl<R: Read> Read for CharsetTagger<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.given == self.writer.get_mut().len() {
            self.writer.get_mut().clear();
            self.given = 0;
            if !self.step()? {
                return Ok(0);
            }
        }
        let ready = &self.writer.get_mut()[self.given..];
        let len = ready.len().min(buf.len());
        buf[..len].copy_from_slice(&ready[..len]);
        self.given += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_say_utf_8_and_all_else_stays() -> io::Result<()> {
        for (games, expected) in [
            (
                "\u{feff}(;FF[4] CA[GBK]\nPB[常昊];C[CA])\n",
                "\u{feff}(;FF[4] CA[UTF-8]\nPB[常昊];C[CA])\n",
            ),
            (
                "x(;PB[a]\n;CA[GBK](;B[aa])(;B[bb]))(;)",
                "x(;PB[a]\nCA[UTF-8];CA[GBK](;B[aa])(;B[bb]))(;CA[UTF-8])",
            ),
            ("(;CharA[Big5]CA[GBK](;W[aa", "(;CA[UTF-8]CA[UTF-8](;W[aa"),
            (
                "(;AB[x](;)(;CA[GBK]))(C[a])",
                "(;AB[x]CA[UTF-8](;)(;CA[GBK]))(C[a]CA[UTF-8])",
            ),
            ("text", "text"),
        ] {
            let mut bytes = String::new();
            CharsetTagger::new(games.as_bytes()).read_to_string(&mut bytes)?;
            assert_eq!(bytes, expected);
        }
        Ok(())
    }
}
