//! Counts games with their winners and years, and remembers one of them as an example.

use std::fmt;

use sgfstream_game::value::Color;

/// Counts of games that have something in common.
///
/// ```
/// use sgfstream_adapt::stats::GameTally;
/// use sgfstream_game::value::Color;
///
/// let mut tally = GameTally::default();
/// tally.add(Some(Color::Black), Some((1846, 1846)), || Some(("castle.sgf".to_owned(), 1)));
/// tally.add(Some(Color::White), Some((1851, 1852)), || None);
/// tally.add(None, None, || None);
/// assert_eq!(
///     (tally.count, tally.black, tally.white, tally.years),
///     (3, 1, 1, Some((1846, 1852)))
/// );
/// assert_eq!(tally.black_share().unwrap().to_string(), "50 % (9-91)");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameTally {
    /// Number of games.
    pub count: u64,
    /// Games that Black won, with the colors as in the query.
    pub black: u64,
    /// Games that White won.
    pub white: u64,
    /// The first and last year of the games with a date.
    pub years: Option<(i32, i32)>,
    /// An example: the entry of a game, and its number in the entry.
    pub example: Option<Box<(String, u64)>>,
}

impl GameTally {
    /// Counts a game. The first `example` that is not `None` is kept.
    pub fn add(
        &mut self,
        winner: Option<Color>,
        years: Option<(i32, i32)>,
        example: impl FnOnce() -> Option<(String, u64)>,
    ) {
        self.count += 1;
        self.black += u64::from(winner == Some(Color::Black));
        self.white += u64::from(winner == Some(Color::White));
        self.years = wider(self.years, years);
        if self.example.is_none() {
            self.example = example().map(Box::new);
        }
    }

    /// Adds the counts of later games. The number of their example counts from the start of a part,
    /// which comes after `before` games of its entry.
    pub fn merge(&mut self, later: Self, before: u64) {
        self.count += later.count;
        self.black += later.black;
        self.white += later.white;
        self.years = wider(self.years, later.years);
        if self.example.is_none() {
            self.example = later.example;
            self.example
                .iter_mut()
                .for_each(|example| example.1 += before);
        }
    }

    /// Returns Black's share of the decided games. Returns `None` without decided games.
    #[must_use]
    pub fn black_share(&self) -> Option<WinShare> {
        WinShare::of(self.black, self.black + self.white)
    }
}

fn wider(one: Option<(i32, i32)>, other: Option<(i32, i32)>) -> Option<(i32, i32)> {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        (one, other) => one.or(other),
    }
}

/// Share of the decided games that one side won, with its 95 % confidence interval (Wilson's
/// score).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WinShare {
    /// The share, from 0.0 to 1.0.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl WinShare {
    /// Returns the share of `won` in `decided` games, or `None` if `decided` is 0.
    #[must_use]
    pub fn of(won: u64, decided: u64) -> Option<Self> {
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
        Some(Self {
            share,
            low: ((middle - half) / whole).max(0.0),
            high: ((middle + half) / whole).min(1.0),
        })
    }
}

/// Writes the share with its interval, as in `53 % (49-57)`.
impl fmt::Display for WinShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| 100.0 * share;
        write!(
            f,
            "{:.0} % ({:.0}-{:.0})",
            percent(self.share),
            percent(self.low),
            percent(self.high)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the values that statistical packages print for these counts.
    #[test]
    fn intervals() {
        let shown = |won, decided| {
            WinShare::of(won, decided).map(|share| format!("{:.4} {:.4}", share.low, share.high))
        };
        assert_eq!(shown(5, 10).as_deref(), Some("0.2366 0.7634"));
        assert_eq!(shown(0, 10).as_deref(), Some("0.0000 0.2775"));
        assert_eq!(shown(81, 263).as_deref(), Some("0.2553 0.3662"));
        assert_eq!(shown(0, 0), None);
    }
}
