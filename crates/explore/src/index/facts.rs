//! Facts of a game for counts: the winner, and when it was played.

use sgfstream_game::value::{Color, Date};
use sgfstream_table::row::{Column, ColumnSet, GameRow};

/// Facts of a game from which games are counted. An index contains them, so counting needs no game
/// bytes.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_explore::GameFacts;
/// use sgfstream_game::value::Color;
/// use sgfstream_table::row::{FilledRow, RowReader};
///
/// let mut filled = FilledRow::new(GameFacts::columns());
/// let mut rows =
///     RowReader::new(SliceReader::new(b"(;RE[W+R]DT[1846-09-11,1847])"), &mut filled);
/// assert!(rows.next_root()?);
/// let facts = GameFacts::of(rows.row());
/// assert_eq!((facts.winner, facts.years()), (Some(Color::White), Some((1846, 1847))));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameFacts {
    /// Winner, if Black or White won.
    pub winner: Option<Color>,
    /// First day, as a number that increases with the date, or 0 without a date.
    pub day: u32,
    /// Last year.
    pub(super) last_year: Option<u16>,
    /// Whether the game has variations.
    pub has_variations: bool,
    /// Whether the file was transcoded to UTF-8.
    pub is_transcoded: bool,
    /// Whether the players come from [variations](crate::parted_game), because the root names none.
    pub is_parted: bool,
}

/// Bits of [`GameFacts::day`] below the year.
const DAY: u32 = 9;

impl GameFacts {
    /// Returns the columns that [`of`](Self::of) needs.
    ///
    /// # Panics
    ///
    /// Never.
    #[must_use]
    pub fn columns() -> ColumnSet {
        ColumnSet::of(
            ["date_min", "date_max", "winner"].map(|name| Column::find(name).expect("a column")),
        )
    }

    /// Returns the facts of the game of a row.
    #[must_use]
    pub fn of(row: &GameRow) -> Self {
        let winner = match row.winner.as_deref() {
            Some("B") => Some(Color::Black),
            Some("W") => Some(Color::White),
            _ => None,
        };
        let part = |part: Option<u8>| u32::from(part.unwrap_or(0));
        let day =
            |date: Date| u32::from(date.year()) << DAY | part(date.month()) << 5 | part(date.day());
        Self {
            winner,
            day: row.date_min.map_or(0, day),
            last_year: row.date_max.map(|date| date.year()),
            ..Self::default()
        }
    }

    /// Returns the first and the last year.
    #[must_use]
    pub fn years(&self) -> Option<(i32, i32)> {
        let last = self.last_year.filter(|_| self.day > 0)?;
        Some(((self.day >> DAY) as i32, last.into()))
    }

    /// Returns the winner. If `is_exchanged`, the colors of the players are exchanged.
    #[must_use]
    pub fn winner_of(&self, is_exchanged: bool) -> Option<Color> {
        match self.winner {
            Some(Color::Black) if is_exchanged => Some(Color::White),
            Some(Color::White) if is_exchanged => Some(Color::Black),
            winner => winner,
        }
    }

    pub(super) fn to_bits(self) -> u64 {
        let winner = match self.winner {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        };
        let last = self.last_year.map_or(0, |year| 1 << 16 | u64::from(year));
        let flags = [self.has_variations, self.is_transcoded, self.is_parted];
        let flags = flags
            .iter()
            .rev()
            .fold(0, |bits, &flag| bits << 1 | u64::from(flag));
        u64::from(self.day) << 32 | last << 8 | flags << 2 | winner
    }

    pub(super) fn of_bits(bits: u64) -> Self {
        let winner = match bits & 3 {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        };
        let last_year = (bits & 1 << 24 != 0).then_some((bits >> 8) as u16);
        Self {
            winner,
            day: (bits >> 32) as u32,
            last_year,
            has_variations: bits & 1 << 2 != 0,
            is_transcoded: bits & 1 << 3 != 0,
            is_parted: bits & 1 << 4 != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use sgfstream::SliceReader;
    use sgfstream_table::row::{FilledRow, RowReader};

    use super::*;

    /// Facts survive the conversion to bits and back.
    #[test]
    fn bits_keep_all() {
        for result in ["B+R", "W+2.5", "0", "?", "Void", ""] {
            for dates in [
                "",
                "0",
                "0001",
                "1846-09-11",
                "1846-09,1847-12-31",
                "9999-12-31",
                "2000-01-01,02,2003",
                "x",
            ] {
                let game = format!("(;RE[{result}]DT[{dates}])");
                let mut filled = FilledRow::new(GameFacts::columns());
                let mut rows = RowReader::new(SliceReader::new(game.as_bytes()), &mut filled);
                assert!(rows.next_root().expect("a slice"));
                let row = rows.row();
                let facts = GameFacts::of(row);
                assert_eq!(GameFacts::of_bits(facts.to_bits()), facts, "{game}");
                let years = row
                    .date_min
                    .zip(row.date_max)
                    .map(|(min, max)| (min.year().into(), max.year().into()));
                assert_eq!(facts.years(), years, "{game}");
            }
        }
    }
}
