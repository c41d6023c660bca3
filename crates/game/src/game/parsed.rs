//! Parses points, moves and stones in the dialect's spelling, or in an unusual spelling with one
//! clear meaning.

use crate::value::{
    PointEntry, Reading, Repair, ValueErrorKind, blanks_or_wide, narrowed, without_blanks,
};

use super::kropki::Territory;
use super::{BoardCell, Dialect, Fault, Game, Move, Stone};

/// A point, move or stone, with the deviation from its dialect's spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedValue<T> {
    /// The point, move or stone.
    pub value: T,
    /// `None` if the record uses the dialect's spelling.
    pub unusual: Option<Box<Misspelling>>,
}

/// Deviation of a value from the spelling of its dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelling {
    /// Rule of the dialect that the value breaks.
    pub fault: Fault,
    /// Repair that makes the value readable.
    pub repair: Repair,
    /// Value after the repair.
    pub respelled: Vec<u8>,
}

impl<T> ParsedValue<T> {
    const fn as_written(value: T) -> Self {
        Self {
            value,
            unusual: None,
        }
    }

    fn new(value: T, fault: Fault, repair: Repair, respelled: &[u8]) -> Self {
        Self {
            value,
            unusual: Some(Box::new(Misspelling {
                fault,
                repair,
                respelled: respelled.to_vec(),
            })),
        }
    }
}

impl Dialect {
    /// Parses a point as [`parse_point`](Self::parse_point) does, and reports an unusual spelling.
    ///
    /// # Errors
    /// The same as for [`parse_point`](Self::parse_point).
    #[inline]
    pub fn read_point(&self, raw: &[u8]) -> Result<ParsedValue<BoardCell>, Fault> {
        self.read_as(raw, Self::strict_point)
    }

    /// Parses the value of a move as [`parse_move`](Self::parse_move) does, and reports an unusual
    /// spelling.
    ///
    /// ```
    /// use sgfstream_game::value::Repair;
    /// use sgfstream_game::{Dialect, Game, Move};
    ///
    /// let go = Dialect::new(Game::Go, None);
    /// for (raw, repair, respelled) in [
    ///     (&b" d\nd"[..], Repair::Blanks, &b"dd"[..]),
    ///     (b"DD", Repair::Case, b"dd"),
    ///     ("ｄｄ".as_bytes(), Repair::FullWidth, b"dd"),
    ///     (b"PASS", Repair::Spelling, b""),
    /// ] {
    ///     let unusual = go.read_move(raw)?.unusual.expect("not as Go spells it");
    ///     assert_eq!((unusual.repair, &*unusual.respelled), (repair, respelled));
    /// }
    /// assert_eq!(go.read_move(b"dd")?.unusual, None);
    /// let othello = Dialect::of_any_program(Game::Othello, None);
    /// assert_eq!(othello.parse_move(b"f5//0.01")?, othello.parse_move(b"f5")?);
    /// assert_eq!(go.parse_move(b"Pass")?, Move::Pass);
    /// # Ok::<(), sgfstream_game::board::Fault>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`parse_move`](Self::parse_move).
    #[inline]
    pub fn read_move(&self, raw: &[u8]) -> Result<ParsedValue<Move>, Fault> {
        match self.strict_move(raw) {
            Ok(mv) => Ok(ParsedValue::as_written(mv)),
            Err(fault) => self.read_unusual_move(raw, fault),
        }
    }

    /// Parses a move in an unusual spelling.
    #[cold]
    #[inline(never)]
    pub(super) fn read_unusual_move(
        &self,
        raw: &[u8],
        fault: Fault,
    ) -> Result<ParsedValue<Move>, Fault> {
        let has_empty_pass = matches!(self.game(), Game::Go | Game::Gomoku | Game::Kropki);
        if has_empty_pass && without_blanks(&narrowed(raw)).eq_ignore_ascii_case(b"pass") {
            return Ok(ParsedValue::new(Move::Pass, fault, Repair::Spelling, b""));
        }
        // Records that were converted from GGF have the evaluation and the time beside the move:
        // `f5/0.1/12` (spec games §2).
        if self.game() == Game::Othello
            && let Some(slash) = raw
                .iter()
                .position(|&byte| byte == b'/')
                .filter(|&slash| slash > 0)
            && raw[slash..]
                .iter()
                .all(|byte| byte.is_ascii_digit() || b"/.-+".contains(byte))
            && let Ok(mv) = self.strict_move(&raw[..slash])
        {
            return Ok(ParsedValue::new(mv, fault, Repair::MoveTime, &raw[..slash]));
        }
        self.read_otherwise(raw, fault, Self::strict_move)
    }

    /// Parses a stone as [`parse_stone`](Self::parse_stone) does, and reports an unusual spelling.
    ///
    /// # Errors
    /// The same as for [`parse_stone`](Self::parse_stone).
    pub fn read_stone(&self, raw: &[u8]) -> Result<ParsedValue<Stone>, Fault> {
        self.read_as(raw, Self::strict_stone)
    }

    /// Parses one value of `TB` or `TW` as [`parse_territory`](Self::parse_territory) does, and
    /// reports an unusual spelling.
    ///
    /// # Errors
    /// The same as for [`parse_territory`](Self::parse_territory).
    pub fn read_territory(&self, raw: &[u8]) -> Result<ParsedValue<Territory>, Fault> {
        self.read_as(raw, Self::strict_territory)
    }

    /// Parses one value of a list of points that may be compressed: a point, or a rectangle of
    /// points. A rectangle may extend beyond the board, but a single point must be on it.
    ///
    /// # Errors
    /// [`Fault`], as for a point.
    #[inline]
    pub fn read_entry(&self, raw: &[u8]) -> Result<ParsedValue<PointEntry>, Fault> {
        match PointEntry::parse(raw) {
            Ok(entry) if entry.lower_right().is_on(self.size()) => {
                Ok(ParsedValue::as_written(entry))
            }
            _ => self.read_other_entry(raw),
        }
    }

    #[cold]
    fn read_other_entry(&self, raw: &[u8]) -> Result<ParsedValue<PointEntry>, Fault> {
        let fault = match PointEntry::parse(raw) {
            Ok(entry) if entry.as_point().is_none() => return Ok(ParsedValue::as_written(entry)),
            Ok(_) => Fault::OffBoard,
            Err(err) if err.kind == ValueErrorKind::Rectangle => Fault::Syntax(err.expected),
            Err(_) => Fault::Syntax("a point, or two corners separated by `:`"),
        };
        let narrow = narrowed(raw);
        if let Reading::Sure(read) = PointEntry::read(&narrow)
            && (read.value.as_point().is_none() || read.value.lower_right().is_on(self.size()))
        {
            let repair = if matches!(narrow, std::borrow::Cow::Owned(_)) {
                Some(Repair::FullWidth)
            } else {
                read.repair
            };
            let respelled = read.value.to_string();
            return Ok(ParsedValue::new(
                read.value,
                fault,
                repair.unwrap_or(Repair::Spelling),
                respelled.as_bytes(),
            ));
        }
        let point = self.read_otherwise(raw, fault, Self::strict_point)?;
        let Some(at) = point.value.as_point() else {
            return Err(fault);
        };
        Ok(ParsedValue {
            value: PointEntry::between(at, at),
            unusual: point.unusual,
        })
    }

    /// Parses a rectangle `a1:b2` of a list, in a game of other points than two letters (spec
    /// PT-03). A list of points may have rectangles in Othello, Hex, Lines of Action and Octi. A
    /// list of stones may not in Octi (spec V-07).
    ///
    /// ```
    /// use sgfstream_game::{Dialect, Game};
    ///
    /// let [hex, octi] = [Game::Hex, Game::Octi].map(|game| Dialect::new(game, None));
    /// assert_eq!(hex.parse_rectangle(true, b"a1:b2").expect("four stones").len(), 4);
    /// assert!(hex.parse_rectangle(true, b"b2:a1").is_none()); // spec PT-05
    /// assert!(
    ///     octi.parse_rectangle(false, b"22:31").is_some()
    ///         && octi.parse_rectangle(true, b"22:31").is_none()
    /// );
    /// ```
    #[must_use]
    pub fn parse_rectangle(&self, is_of_stones: bool, raw: &[u8]) -> Option<PointEntry> {
        let colon = raw.iter().position(|&byte| byte == b':')?;
        let has_rectangles = match self.game() {
            Game::Othello | Game::Hex | Game::LinesOfAction => true,
            Game::Octi => !is_of_stones,
            _ => false,
        };
        let corner = |raw: &[u8]| self.strict_point(raw).ok()?.as_point();
        let (first, last) = (corner(&raw[..colon])?, corner(&raw[colon + 1..])?);
        let entry = PointEntry::between(first, last);
        (has_rectangles
            && entry.upper_left() == first
            && first != last
            && entry.lower_right() == last)
            .then_some(entry)
    }

    /// Parses a value with `parse`, in the dialect's spelling or an unusual one.
    #[inline]
    fn read_as<T>(
        &self,
        raw: &[u8],
        parse: impl Fn(&Self, &[u8]) -> Result<T, Fault>,
    ) -> Result<ParsedValue<T>, Fault> {
        match parse(self, raw) {
            Ok(value) => Ok(ParsedValue::as_written(value)),
            Err(fault) => self.read_otherwise(raw, fault, parse),
        }
    }

    /// Parses a value in an unusual spelling: without its blanks (spec C-08), with ASCII letters in
    /// place of full-width ones (spec Q-67), and with small letters in place of capitals on a board
    /// that has no capitals (spec Q-50).
    #[cold]
    #[inline(never)]
    pub(super) fn read_otherwise<T>(
        &self,
        raw: &[u8],
        fault: Fault,
        parse: impl Fn(&Self, &[u8]) -> Result<T, Fault>,
    ) -> Result<ParsedValue<T>, Fault> {
        if raw.is_empty() || fault == Fault::Undefined {
            return Err(fault);
        }
        let narrow = narrowed(raw);
        let compact = without_blanks(&narrow);
        let repair = blanks_or_wide(&narrow, raw);
        if compact.len() < raw.len()
            && let Ok(value) = parse(self, &compact)
        {
            return Ok(ParsedValue::new(value, fault, repair, &compact));
        }
        if self.game().has_two_letter_points() && self.size().longer() <= 26 {
            let small = compact.to_ascii_lowercase();
            if *small != *compact
                && let Ok(value) = parse(self, &small)
            {
                return Ok(ParsedValue::new(value, fault, Repair::Case, &small));
            }
        }
        Err(fault)
    }
}
