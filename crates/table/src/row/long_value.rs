//! Values that come in pieces because they are too long to be held by a reader.

use sgfstream::{PropertyPart, RawValue};

use super::TEXT_MAX;

/// A value that is put together from its pieces, as long as it has at most [`TEXT_MAX`] bytes.
#[derive(Clone, Debug, Default)]
pub struct LongValue {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl LongValue {
    /// Takes a piece. With the last one, gives the value, and whether it is only the beginning of it.
    pub fn take<'v>(&'v mut self, part: &PropertyPart<'v>) -> Option<(RawValue<'v>, bool)> {
        let piece = part.content();
        if part.is_value_start() {
            if part.is_value_end() {
                return Some((piece, false));
            }
            self.bytes.clear();
            self.is_cut = false;
        }
        self.is_cut |= self.bytes.len() + piece.as_bytes().len() > TEXT_MAX;
        if !self.is_cut {
            self.bytes.extend_from_slice(piece.as_bytes());
        }
        let whole = RawValue::new(&self.bytes, piece.framing()).with_charset(piece.charset());
        part.is_value_end().then_some((whole, self.is_cut))
    }
}
