//! LB: a text on a point, `point:text` (FF\[4\] properties, spec OP-08). For games
//! with points of their own, [`Compose`] takes their reader.

use std::fmt;

use super::{BoardSize, Compose, Lenient, Point, SimpleText, ValueError};

/// A label on a two-letter point.
///
/// ```
/// use sgfstream_game::value::{BoardSize, Label};
///
/// let label = Label::parse(b"pd:\\:", BoardSize::square(19)).expect("a label");
/// assert_eq!((label.point.to_string(), label.text.as_str()), ("pd".to_owned(), ":"));
/// assert!(Label::parse(b"pd", BoardSize::square(19)).is_err()); // spec K-04
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// Where it is.
    pub point: Point,
    /// Text of the label; of any length (FF\[3\]: up to 4 characters).
    pub text: SimpleText,
}

impl Label {
    /// The strict reading, on a board of this size.
    ///
    /// # Errors
    ///
    /// Not a point on the board, one `:`, and a text.
    pub fn parse(raw: &[u8], size: BoardSize) -> Result<Self, ValueError> {
        Compose::parse(raw, |raw| Point::parse_on(raw, size), |raw| Ok(SimpleText::parse(raw))).map(Self::from)
    }

    /// The lenient reading: what [`Point::parse_lenient`] takes (SGFC's
    /// `LB[a a: text]`), and a second `:` belongs to the text (spec K-03).
    ///
    /// # Errors
    ///
    /// No point on the board, or no `:` and so no label (SGFC 23).
    pub fn parse_lenient(raw: &[u8], size: BoardSize) -> Result<Lenient<Self>, ValueError> {
        if !raw.contains(&b':') {
            return Err(ValueError::syntax("a point, `:`, and a label", raw));
        }
        let text = |raw| Ok(Lenient::as_written(SimpleText::parse(raw)));
        Ok(Compose::parse_lenient(raw, |raw| Point::parse_lenient_on(raw, size), text)?.map(Self::from))
    }
}

impl From<Compose<Point, SimpleText>> for Label {
    fn from(halves: Compose<Point, SimpleText>) -> Self {
        Self { point: halves.first, text: halves.second }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.point, self.text.composed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Repair;

    #[test]
    fn strict_and_lenient() {
        let size = BoardSize::square(19);
        for (raw, label, repair) in [
            ("aa:A", "aa:A", None),
            ("aa:", "aa:", None),
            ("bb:\\:", "bb:\\:", None),
            ("aa:x:y", "aa:x\\:y", Some(Repair::ExtraColon)),
            ("a a: text", "aa: text", Some(Repair::Blanks)),
            ("AA:1", "aa:1", Some(Repair::Case)),
        ] {
            let read = Label::parse_lenient(raw.as_bytes(), size).expect(raw);
            assert_eq!((read.value.to_string().as_str(), read.repair), (label, repair), "{raw}");
            assert_eq!(Label::parse(raw.as_bytes(), size).is_ok(), repair.is_none(), "{raw}");
        }
        for raw in ["", "aa", ":A", "tt:A", "a:b"] {
            assert!(Label::parse_lenient(raw.as_bytes(), size).is_err(), "{raw:?}");
        }
    }
}
