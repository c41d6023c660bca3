//! Lines of streamed output.

use std::io::{self, Write};

use sgfstream_engine::{OUTPUT_FULL, PartOffset};

use crate::report::json;
use crate::report::terminal::clean;

use super::Output;

/// Lines of the games of a part.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) text: Vec<u8>,
    /// Number of games with bytes that their charset cannot decode.
    pub(crate) damaged: u64,
    numbers: Vec<PartNumber>,
    /// Ends of keys and of rows in the text, if each row follows its sort key.
    pub(crate) keyed_rows: Vec<KeyedRow>,
}

/// Row that follows its sort key in the text.
pub(crate) struct KeyedRow {
    /// End of the key, where the row starts.
    pub(crate) key_end: usize,
    pub(crate) end: usize,
}

/// Number in the text that counts from the start of the part.
struct PartNumber {
    /// Its digits in the text.
    start: usize,
    end: usize,
    number: i64,
    /// Returns the number to add.
    before: fn(&PartOffset) -> u64,
}

impl Lines {
    /// Notes that the last number in the text is `number`, which counts from the start of the part.
    pub(crate) fn note_number(&mut self, number: i64, before: fn(&PartOffset) -> u64) {
        let digits = number.to_string();
        let start =
            memchr::memmem::rfind(&self.text, digits.as_bytes()).expect("the number was written");
        self.numbers.push(PartNumber {
            start,
            end: start + digits.len(),
            number,
            before,
        });
    }

    /// Begins a JSON object about a game, whose number counts from the start of the part.
    pub(crate) fn begin_object(&mut self, file: &str, game: i64) -> io::Result<()> {
        json::begin_object(&mut self.text, file)?;
        write!(self.text, ",\"game\":{game}")?;
        self.note_number(game, |before| before.games);
        Ok(())
    }

    /// Writes `FILE#GAME`. The number may be in the name already.
    pub(crate) fn push_reference(&mut self, file: &str, game: i64) {
        let number = format!("#{game}");
        self.text.extend_from_slice(clean(file).as_bytes());
        if !file.ends_with(&number) {
            self.text.extend_from_slice(number.as_bytes());
            self.note_number(game, |before| before.games);
        }
    }

    /// Returns the text, in which all numbers count from the start of the entry. `before` has the
    /// counts before the part.
    pub(crate) fn numbered(&mut self, before: &PartOffset) -> &[u8] {
        if *before != PartOffset::default() && !self.numbers.is_empty() {
            let mut text = Vec::with_capacity(self.text.len() + 8 * self.numbers.len());
            let mut written = 0;
            for number in self.numbers.drain(..) {
                text.extend_from_slice(&self.text[written..number.start]);
                written = number.end;
                let number = number.number + (number.before)(before) as i64;
                text.extend_from_slice(number.to_string().as_bytes());
            }
            text.extend_from_slice(&self.text[written..]);
            self.text = text;
        }
        &self.text
    }
}

impl Output for Lines {
    fn text(&mut self) -> Option<&mut Vec<u8>> {
        Some(&mut self.text)
    }

    fn is_full(&self) -> bool {
        self.text.len() > OUTPUT_FULL
    }
}
