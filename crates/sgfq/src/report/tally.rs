//! How often something happened in games, who won them, when they were played, and one of them as an example.

use std::fmt;

use serde_json::{Value, json};

use sgfstream_adapt::stats;
use sgfstream_table::row::GameRow;

use crate::report::csv::CsvCells;

/// Counts of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) count: u64,
    /// Games that Black won, and White: as the colours are in what was looked for.
    pub(crate) black: u64,
    pub(crate) white: u64,
    years: Option<(i64, i64)>,
    example: Option<Example>,
}

/// The first game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Example {
    name: String,
    game: u64,
}

/// Which part of the decided games Black won, with the interval that holds the true part with 95 % (Wilson's score).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WinShare {
    pub(crate) share: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl WinShare {
    /// `None` without games.
    pub(crate) fn of(won: u64, decided: u64) -> Option<Self> {
        // The 97.5th percentile of the normal distribution.
        const Z: f64 = 1.959_963_984_540_054;
        if decided == 0 {
            return None;
        }
        let n = decided as f64;
        let share = won as f64 / n;
        let middle = share + Z * Z / (2.0 * n);
        let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let whole = 1.0 + Z * Z / n;
        Some(Self { share, low: ((middle - half) / whole).max(0.0), high: ((middle + half) / whole).min(1.0) })
    }
}

/// `53 % (49-57)`.
impl fmt::Display for WinShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| 100.0 * share;
        write!(f, "{:.0} % ({:.0}-{:.0})", percent(self.share), percent(self.low), percent(self.high))
    }
}

impl Tally {
    pub(crate) const CSV_COLUMNS: &'static str =
        "black_wins,white_wins,black_share,black_low,black_high,first_year,last_year,example";

    /// So many games of which nothing else is known.
    pub(crate) fn counting(count: u64) -> Self {
        Self { count, ..Self::default() }
    }

    /// Games that are counted already, without an example.
    pub(crate) fn of(games: &stats::Opening) -> Self {
        let &stats::Opening { count, black_wins: black, white_wins: white, years, .. } = games;
        let years = years.map(|(first, last)| (first.into(), last.into()));
        Self { count, black, white, years, example: None }
    }

    /// Counts a game.
    pub(crate) fn add(&mut self, row: &GameRow, is_exchanged: bool) {
        self.count += 1;
        match (row.winner.as_deref(), is_exchanged) {
            (Some("B"), false) | (Some("W"), true) => self.black += 1,
            (Some("W"), false) | (Some("B"), true) => self.white += 1,
            _ => {}
        }
        let years = row.date_min.zip(row.date_max).map(|(min, max)| (i64::from(min.year()), i64::from(max.year())));
        self.years = wider(self.years, years);
        if self.example.is_none() {
            let source = row.source.as_deref().unwrap_or_default();
            let name = row.member.as_deref().map_or_else(|| source.to_owned(), |member| format!("{source}!{member}"));
            let game = row.game.unwrap_or(1).unsigned_abs();
            self.example = Some(Example { name, game });
        }
    }

    /// So many games come before the example in its entry.
    pub(crate) fn shift(&mut self, games: u64) {
        if let Some(example) = &mut self.example {
            example.game += games;
        }
    }

    /// Adds what comes later.
    pub(crate) fn merge(&mut self, later: Self) {
        self.count += later.count;
        self.black += later.black;
        self.white += later.white;
        self.years = wider(self.years, later.years);
        self.example = self.example.take().or(later.example);
    }

    /// Which part of the decided games Black won.
    pub(crate) fn black_share(&self) -> Option<WinShare> {
        WinShare::of(self.black, self.black + self.white)
    }

    /// `1846-1990`.
    pub(crate) fn years_text(&self) -> String {
        match self.years {
            None => String::new(),
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}-{last}"),
        }
    }

    /// `archive!member#17`.
    pub(crate) fn example(&self) -> String {
        self.example.as_ref().map_or_else(String::new, |example| format!("{}#{}", example.name, example.game))
    }

    /// Adds the cells of [`CSV_COLUMNS`](Self::CSV_COLUMNS).
    pub(crate) fn push_csv(&self, cells: &CsvCells, line: &mut Vec<u8>) {
        line.extend_from_slice(format!("{},{},", self.black, self.white).as_bytes());
        match self.black_share() {
            Some(WinShare { share, low, high }) => {
                line.extend_from_slice(format!("{share:.4},{low:.4},{high:.4},").as_bytes());
            }
            None => line.extend_from_slice(b",,,"),
        }
        match self.years {
            Some((first, last)) => line.extend_from_slice(format!("{first},{last},").as_bytes()),
            None => line.extend_from_slice(b",,"),
        }
        cells.push(&self.example(), line);
    }

    /// Adds the same to an object.
    pub(crate) fn add_json(&self, object: &mut Value) {
        let share = self.black_share();
        let rest = json!({
            "black_wins": self.black,
            "white_wins": self.white,
            "black_share": share.map(|share| share.share),
            "black_low": share.map(|share| share.low),
            "black_high": share.map(|share| share.high),
            "first_year": self.years.map(|years| years.0),
            "last_year": self.years.map(|years| years.1),
        });
        if let (Some(object), Value::Object(rest)) = (object.as_object_mut(), rest) {
            object.extend(rest);
            object.extend(self.example.is_some().then(|| ("example".to_owned(), self.example().into())));
        }
    }
}

fn wider(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the values that statistical packages print for these counts.
    #[test]
    fn intervals() {
        let shown =
            |won, decided| WinShare::of(won, decided).map(|share| format!("{:.4} {:.4}", share.low, share.high));
        assert_eq!(shown(5, 10).as_deref(), Some("0.2366 0.7634"));
        assert_eq!(shown(0, 10).as_deref(), Some("0.0000 0.2775"));
        assert_eq!(shown(81, 263).as_deref(), Some("0.2553 0.3662"));
        assert_eq!(shown(0, 0), None);
    }
}
