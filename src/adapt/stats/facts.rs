//! What games say of themselves, counted: once for each game, by its first
//! value of each property, read leniently.

use crate::game::Game;
use crate::value::{BoardSize, Dates, GameResult, Komi, Lenient, Number, Overtime, OvertimeSystem, Rank, Time};

use super::header::{Header, Slot};
use super::tally::clipped;
use super::{Board, Outcome, Outcomes, Tally, TopK};

/// Counts of what games say of themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// GM: the number of the game, or the name of one that has none.
    pub gm: Tally<String>,
    /// FF.
    pub ff: Tally<i64>,
    /// SZ: columns and rows.
    pub sz: Tally<(u32, u32)>,
    /// CA, as written.
    pub ca: Tally<String>,
    /// AP: the program without its version.
    pub ap: Tally<String>,
    /// DT: the year of the first date.
    pub year: Tally<u16>,
    /// HA: stones.
    pub handicap: Tally<i64>,
    /// KM: hundredths of a point.
    pub komi: Tally<i64>,
    /// RU, as written.
    pub rules: Tally<String>,
    /// TM: seconds.
    pub time: Tally<i64>,
    /// OT: `byo-yomi 5x30`, `canadian 25/600`, `fischer 20`, or as written.
    pub overtime: Tally<String>,
    /// BR and WR, so two for each game.
    pub ranks: Tally<Rank>,
    /// RE, with HA.
    pub outcomes: Outcomes,
    /// PB and PW.
    pub players: TopK,
    /// EV.
    pub events: TopK,
}

/// How many players and events are held.
const NAMES: usize = 2048;

impl Default for Facts {
    fn default() -> Self {
        Self {
            gm: Tally::default(),
            ff: Tally::default(),
            sz: Tally::default(),
            ca: Tally::default(),
            ap: Tally::default(),
            year: Tally::with_limit(9999),
            handicap: Tally::default(),
            komi: Tally::default(),
            rules: Tally::default(),
            time: Tally::default(),
            overtime: Tally::default(),
            ranks: Tally::default(),
            outcomes: Outcomes::default(),
            players: TopK::with_capacity(NAMES),
            events: TopK::with_capacity(NAMES),
        }
    }
}

/// Counts a value that can be read, one that cannot, or none.
macro_rules! count {
    ($tally:expr, $text:expr, $read:expr) => {
        match $text.as_deref() {
            None => $tally.add_absent(),
            Some(text) => match $read(text) {
                Some(value) => $tally.add(&value),
                None => $tally.add_unreadable(),
            },
        }
    };
}

impl Facts {
    /// Counts a game.
    pub(super) fn add(&mut self, header: &Header, board: Board) {
        let text = |slot| header.get(slot).map(|value| value.simple_text(header.charset));
        count!(self.gm, text(Slot::GM), |text: &str| Some(clipped(text)));
        count!(self.ff, text(Slot::FF), |text: &str| Number::parse_lenient(text.as_bytes()).ok().map(number));
        count!(self.sz, text(Slot::SZ), |text: &str| size(board.game, text).map(|size| (size.columns(), size.rows())));
        count!(self.ca, text(Slot::CA), |text| Some(clipped(text)));
        let program = header.get(Slot::AP).map(|value| {
            let name = value.compose().map_or(value, |(name, _)| name);
            name.simple_text(header.charset)
        });
        count!(self.ap, program, |text| Some(clipped(text)));
        count!(self.year, text(Slot::DT), year);
        count!(self.komi, text(Slot::KM), komi);
        count!(self.rules, text(Slot::RU), |text| Some(clipped(text)));
        count!(self.time, text(Slot::TM), seconds);
        count!(self.overtime, text(Slot::OT), |text| Some(overtime(text)));
        for slot in [Slot::BR, Slot::WR] {
            count!(self.ranks, text(slot), |text| Rank::parse(text).ok());
        }
        let handicap = text(Slot::HA);
        let stones = handicap.as_deref().and_then(|text| Number::parse_lenient(text.as_bytes()).ok()).map(number);
        count!(self.handicap, handicap, |_: &str| stones);
        let outcome = match text(Slot::RE) {
            None => Outcome::Absent,
            Some(text) if text.trim().is_empty() => Outcome::Absent,
            Some(text) => match GameResult::parse_lenient(text.as_bytes()) {
                Ok(read) => Outcome::from(read.value),
                Err(_) => Outcome::Unreadable,
            },
        };
        self.outcomes.add(outcome, stones.unwrap_or(0));
        for (names, slots) in [(&mut self.players, &[Slot::PB, Slot::PW][..]), (&mut self.events, &[Slot::EV])] {
            for name in slots.iter().filter_map(|&slot| text(slot)) {
                let name = name.trim();
                if !name.is_empty() {
                    names.add(&clipped(name));
                }
            }
        }
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Self) {
        self.gm.merge(&other.gm);
        self.ff.merge(&other.ff);
        self.sz.merge(&other.sz);
        self.ca.merge(&other.ca);
        self.ap.merge(&other.ap);
        self.year.merge(&other.year);
        self.handicap.merge(&other.handicap);
        self.komi.merge(&other.komi);
        self.rules.merge(&other.rules);
        self.time.merge(&other.time);
        self.overtime.merge(&other.overtime);
        self.ranks.merge(&other.ranks);
        self.outcomes.merge(&other.outcomes);
        self.players.merge(&other.players);
        self.events.merge(&other.events);
    }
}

fn number(read: Lenient<Number>) -> i64 {
    read.value.get()
}

/// SZ as the game has it, else as any game could.
pub(super) fn size(game: Game, text: &str) -> Option<BoardSize> {
    let strict = game.parse_size(text.as_bytes()).ok();
    strict.or_else(|| BoardSize::parse_lenient(text.as_bytes(), u32::MAX).ok().map(|read| read.value))
}

fn year(text: &str) -> Option<u16> {
    let dates = Dates::parse_lenient(text.as_bytes()).ok()?.value;
    Some(dates.as_slice().first()?.year())
}

fn komi(text: &str) -> Option<i64> {
    let points = Komi::parse_lenient(text.as_bytes()).ok()?.value.get();
    Some((points * 100.0).round() as i64)
}

fn seconds(text: &str) -> Option<i64> {
    let time = Time::parse_lenient(text.as_bytes()).ok()?.value;
    Some(time.seconds().round() as i64)
}

fn overtime(text: &str) -> String {
    match Overtime::parse(text.as_bytes()).system {
        OvertimeSystem::ByoYomi { periods, seconds } => format!("byo-yomi {periods}x{seconds}"),
        OvertimeSystem::Canadian { moves, seconds } => format!("canadian {moves}/{seconds}"),
        OvertimeSystem::Fischer { seconds } => format!("fischer {seconds}"),
        _ => clipped(text),
    }
}
