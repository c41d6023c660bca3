//! What games say of themselves, counted: once for each game, by its first
//! value of each property, read leniently.

use std::hash::Hash;

use crate::event::RawValue;
use crate::game::Game;
use crate::state::{GameState, Info};
use crate::value::{BoardSize, Dates, GameResult, Komi, Number, Overtime, OvertimeSystem, Rank, Time};

use super::memo::Memo;
use super::tally::{Place, clipped};
use super::{Board, Outcome, Outcomes, Tally, TopK};

/// Counts of what games say of themselves.
#[derive(Clone, Debug)]
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
    memos: Memos,
}

/// What values were read as.
#[derive(Clone, Debug, Default)]
struct Memos {
    gm: Memo<Place>,
    ff: Memo<Place>,
    sz: Memo<Place>,
    sz_game: Option<Game>,
    ca: Memo<Place>,
    ap: Memo<Place>,
    year: Memo<Place>,
    handicap: Memo<Place>,
    stones: Memo<Option<i64>>,
    komi: Memo<Place>,
    rules: Memo<Place>,
    time: Memo<Place>,
    overtime: Memo<Place>,
    ranks: Memo<Place>,
    outcome: Memo<Outcome>,
}

/// How many players are held; of events, half as many.
const NAMES: usize = 8192;

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
            events: TopK::with_capacity(NAMES / 2),
            memos: Memos::default(),
        }
    }
}

impl Facts {
    /// Counts a game.
    pub(super) fn add(&mut self, state: &GameState, board: Board) {
        let memos = &mut self.memos;
        let facts = Reading { state };
        let number = |text: &str| Number::parse_lenient(text.as_bytes()).ok().map(|read| read.value.get());
        facts.count(Info::GM, &mut self.gm, &mut memos.gm, |text| Some(clipped(text)));
        facts.count(Info::FF, &mut self.ff, &mut memos.ff, number);
        // Each game reads it in its own way.
        if memos.sz_game != Some(board.game) {
            memos.sz_game = Some(board.game);
            memos.sz.clear();
        }
        facts.count(Info::SZ, &mut self.sz, &mut memos.sz, |text| {
            size(board.game, text).map(|size| (size.columns(), size.rows()))
        });
        facts.count(Info::CA, &mut self.ca, &mut memos.ca, |text| Some(clipped(text)));
        facts.count_raw(Info::AP, &mut self.ap, &mut memos.ap, |value| {
            let name = value.compose().map_or(value, |(name, _)| name);
            Some(clipped(&name.with_charset(state.charset()).simple_text()))
        });
        facts.count(Info::DT, &mut self.year, &mut memos.year, year);
        facts.count(Info::KM, &mut self.komi, &mut memos.komi, komi);
        facts.count(Info::RU, &mut self.rules, &mut memos.rules, |text| Some(clipped(text)));
        facts.count(Info::TM, &mut self.time, &mut memos.time, seconds);
        facts.count(Info::OT, &mut self.overtime, &mut memos.overtime, |text| Some(overtime(text)));
        for info in [Info::BR, Info::WR] {
            facts.count(info, &mut self.ranks, &mut memos.ranks, |text| {
                Rank::parse_lenient(text.as_bytes()).ok().map(|read| read.value)
            });
        }
        facts.count(Info::HA, &mut self.handicap, &mut memos.handicap, number);
        let stones = facts.read(Info::HA, &mut memos.stones, number).flatten();
        let outcome =
            facts.read(Info::RE, &mut memos.outcome, |text| match GameResult::parse_lenient(text.as_bytes()) {
                _ if text.trim().is_empty() => Outcome::Absent,
                Ok(read) => Outcome::from(read.value),
                Err(_) => Outcome::Unreadable,
            });
        self.outcomes.add(outcome.unwrap_or(Outcome::Absent), stones.unwrap_or(0));
        for (names, infos) in [(&mut self.players, &[Info::PB, Info::PW][..]), (&mut self.events, &[Info::EV])] {
            for name in infos.iter().filter_map(|&info| state.value(info)) {
                let name = name.with_charset(state.charset()).simple_text();
                if !name.trim().is_empty() {
                    names.add(&clipped(&name));
                }
            }
        }
    }

    /// Forgets everything, and keeps the memory.
    pub fn clear(&mut self) {
        let texts = [&mut self.gm, &mut self.ca, &mut self.ap, &mut self.rules, &mut self.overtime];
        texts.into_iter().for_each(Tally::clear);
        let numbers = [&mut self.ff, &mut self.handicap, &mut self.komi, &mut self.time];
        numbers.into_iter().for_each(Tally::clear);
        self.sz.clear();
        self.year.clear();
        self.ranks.clear();
        self.outcomes = Outcomes::default();
        self.players.clear();
        self.events.clear();
        // What values were read as names places in the tables.
        self.memos = Memos::default();
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Self) {
        self.memos = Memos::default();
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

/// The values of one game, read.
struct Reading<'s> {
    state: &'s GameState,
}

impl Reading<'_> {
    /// Counts a value that can be read, one that cannot, or none.
    fn count<K: Eq + Hash + Ord + Clone>(
        &self,
        info: Info,
        tally: &mut Tally<K>,
        memo: &mut Memo<Place>,
        read: impl FnOnce(&str) -> Option<K>,
    ) {
        self.count_raw(info, tally, memo, |value| read(&value.with_charset(self.state.charset()).simple_text()));
    }

    fn count_raw<K: Eq + Hash + Ord + Clone>(
        &self,
        info: Info,
        tally: &mut Tally<K>,
        memo: &mut Memo<Place>,
        read: impl FnOnce(RawValue<'_>) -> Option<K>,
    ) {
        let Some(value) = self.state.value(info) else { return tally.add_absent() };
        let place = memo.get(value.as_bytes(), || match read(value) {
            Some(key) => tally.place(&key),
            None => Place::Unreadable,
        });
        tally.add_at(place, 1);
    }

    /// What the text of a value means; nothing if there is none.
    fn read<V: Copy>(&self, info: Info, memo: &mut Memo<V>, read: impl FnOnce(&str) -> V) -> Option<V> {
        let value = self.state.value(info)?;
        Some(memo.get(value.as_bytes(), || read(&value.with_charset(self.state.charset()).simple_text())))
    }
}

/// The same counts.
impl PartialEq for Facts {
    fn eq(&self, other: &Self) -> bool {
        let texts = |facts: &Self| [&facts.gm, &facts.ca, &facts.ap, &facts.rules, &facts.overtime].map(Tally::clone);
        let numbers = |facts: &Self| [&facts.ff, &facts.handicap, &facts.komi, &facts.time].map(Tally::clone);
        texts(self) == texts(other)
            && numbers(self) == numbers(other)
            && (&self.sz, &self.year, &self.ranks, &self.outcomes)
                == (&other.sz, &other.year, &other.ranks, &other.outcomes)
            && (&self.players, &self.events) == (&other.players, &other.events)
    }
}

/// SZ as the game has it, else as any game could.
fn size(game: Game, text: &str) -> Option<BoardSize> {
    let strict = game.parse_size(text.as_bytes()).ok();
    strict.or_else(|| BoardSize::parse_lenient(text.as_bytes()).ok().map(|read| read.value))
}

/// The year of the first date; of a text that is no date, the only number in
/// it that may be a year: in `C2006.01.02 00:15` the month is not certain, the
/// year is.
fn year(text: &str) -> Option<u16> {
    if let Ok(dates) = Dates::parse_lenient(text.as_bytes()) {
        return Some(dates.value.as_slice().first()?.year());
    }
    let numbers = text.split(|char: char| !char.is_ascii_digit()).filter(|digits| digits.len() == 4);
    let mut years = numbers.filter_map(|digits| digits.parse().ok()).filter(|year| (1000..3000).contains(year));
    years.next().filter(|&year| years.all(|other| other == year))
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
