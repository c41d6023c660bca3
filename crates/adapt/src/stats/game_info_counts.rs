//! Counts of game information: each game counts once, with the first value of each property, read
//! leniently.

use std::hash::Hash;

use sgfstream::RawValue;
use sgfstream_game::value::{Color, OvertimeSystem, Rank};
use sgfstream_game::{Facts, Game, facts::Info, property::TypedValue};

use super::memo::Memo;
use super::tally::{Place, clipped};
use super::{BoardId, Outcomes, ResultKind, Tally, TopK};

/// Maximum number of players to remember. For events it is half as many.
const NAMES: usize = 8192;

/// Defines a tally in each row: its field, its maximum number of values, the properties that it
/// counts, and how it reads a value.
macro_rules! tallies {
    ($($(#[$doc:meta])* $name:ident: $key:ty, $limit:literal, [$($info:ident)+], $read:expr;)*) => {
        /// Counts of game information, by property.
        #[derive(Clone, Debug)]
        pub struct GameInfoCounts {
            $($(#[$doc])* pub $name: Tally<$key>,)*
            /// RE, with HA.
            pub outcomes: Outcomes,
            /// PB and PW.
            pub players: TopK,
            /// EV.
            pub events: TopK,
            /// The game and the size of its board, with all defaults applied: `Go 19x19`.
            pub boards: Tally<String>,
            memos: Memos,
        }

        /// Memory of values that were read before, by property.
        #[derive(Clone, Debug, Default)]
        struct Memos {
            $($name: Memo<Place>,)*
            sz_game: Option<Game>,
            stones: Memo<Option<i64>>,
            outcome: Memo<ResultKind>,
            years: Memo<Option<(i32, i32)>>,
            board: Option<(BoardId, Place)>,
        }


        impl Default for GameInfoCounts {
            fn default() -> Self {
                Self {
                    $($name: Tally::with_limit($limit),)*
                    outcomes: Outcomes::default(),
                    players: TopK::with_capacity(NAMES),
                    events: TopK::with_capacity(NAMES / 2),
                    boards: Tally::default(),
                    memos: Memos::default(),
                }
            }
        }

        impl GameInfoCounts {
            fn add_tallies(&mut self, facts: &Facts<'_>, game: Game) -> Places {
                let mut places = Places::default();
                $(for info in [$(Info::$info),+] {
                    let read: fn(RawValue<'_>, Game) -> Option<$key> = $read;
                    let place =
                        count(facts, info, &mut self.$name, &mut self.memos.$name, |value| read(value, game));
                    match info {
                        Info::KM => places.komi = place,
                        Info::DT => places.year = place,
                        _ => {}
                    }
                })*
                places
            }

            /// Adds the counts of `other`.
            pub fn merge(&mut self, other: &Self) {
                self.memos = Memos::default();
                $(self.$name.merge(&other.$name);)*
                self.outcomes.merge(&other.outcomes);
                self.players.merge(&other.players);
                self.events.merge(&other.events);
                self.boards.merge(&other.boards);
            }
        }

        /// Compares the counts, not the memory.
        impl PartialEq for GameInfoCounts {
            fn eq(&self, other: &Self) -> bool {
                $(self.$name == other.$name &&)*
                (&self.outcomes, &self.players, &self.events, &self.boards)
                    == (&other.outcomes, &other.players, &other.events, &other.boards)
            }
        }
    };
}

tallies! {
    /// GM: the number of the game, or its name if it has no number.
    gm: String, 1024, [GM], as_written;
    /// FF.
    ff: i64, 1024, [FF], |value, game| typed(Info::FF, game, &value.simple_text())?.whole();
    /// SZ: columns and rows.
    sz: (u32, u32), 1024, [SZ], |value, game| size(typed(Info::SZ, game, &value.simple_text())?);
    /// CA, as written.
    ca: String, 1024, [CA], as_written;
    /// AP: the program without its version.
    ap: String, 1024, [AP], |value, game| as_written(value.compose().map_or(value, |(name, _)| name), game);
    /// DT: the year of the first date.
    year: u16, 9999, [DT], |value, game| year(game, &value.simple_text());
    /// HA: the number of stones.
    handicap: i64, 1024, [HA], |value, game| typed(Info::HA, game, &value.simple_text())?.whole();
    /// KM: in hundredths of a point.
    komi: i64, 1024, [KM], |value, game| Some((typed(Info::KM, game, &value.simple_text())?.real()? * 100.0).round() as i64);
    /// RU, as written.
    rules: String, 1024, [RU], as_written;
    /// TM: in seconds.
    time: i64, 1024, [TM], |value, game| Some(typed(Info::TM, game, &value.simple_text())?.real()?.round() as i64);
    /// OT: `byo-yomi 5x30`, `canadian 25/600`, `fischer 20`, or as written.
    overtime: String, 1024, [OT], |value, _| Some(overtime(&value.simple_text()));
    /// BR and WR, so two values for each game.
    ranks: Rank, 1024, [BR WR], |value, _| Rank::parse_lenient(value.simple_text().as_bytes()).ok().map(|read| read.value);
}

/// Places in the tallies where values of the current game were counted.
#[derive(Debug, Default)]
struct Places {
    komi: Option<Place>,
    year: Option<Place>,
}

impl GameInfoCounts {
    /// Counts a game. Returns its result, and the first and last year of its dates.
    pub(super) fn add(
        &mut self,
        facts: &Facts<'_>,
        board: BoardId,
    ) -> (ResultKind, Option<(i32, i32)>) {
        // The meaning of SZ depends on the game, so forget the sizes of other games.
        if self.memos.sz_game != Some(board.game) {
            self.memos.sz_game = Some(board.game);
            self.memos.sz = Memo::default();
        }
        let places = self.add_tallies(facts, board.game);
        let place = match self.memos.board {
            Some((last, place)) if last == board => place,
            _ => self.boards.place(&board.to_string()),
        };
        self.memos.board = Some((board, place));
        self.boards.add_at(place, 1);
        let game = facts.game;
        let stones = read(facts, Info::HA, &mut self.memos.stones, |text| {
            typed(Info::HA, game, text)?.whole()
        });
        let stones = stones.flatten();
        let outcome = read(
            facts,
            Info::RE,
            &mut self.memos.outcome,
            |text| match typed(Info::RE, game, text) {
                _ if text.trim().is_empty() => ResultKind::Absent,
                Some(TypedValue::Result(result)) => ResultKind::from(result),
                _ => ResultKind::Unreadable,
            },
        );
        let outcome = outcome.unwrap_or(ResultKind::Absent);
        self.outcomes.add(outcome, stones.unwrap_or(0));
        let winner = outcome.winner();
        if let Some(winner) = winner {
            places
                .komi
                .into_iter()
                .for_each(|place| self.komi.add_win_at(place, winner));
            places
                .year
                .into_iter()
                .for_each(|place| self.year.add_win_at(place, winner));
        }
        let text = |info| {
            facts
                .value(info)
                .map(RawValue::simple_text)
                .unwrap_or_default()
        };
        let (black, white, event) = (text(Info::PB), text(Info::PW), text(Info::EV));
        let [black, white] = [&black, &white].map(|name| clipped(Rank::split_name(name).0));
        // A game against oneself is one game, neither won nor lost.
        let is_solo = black == white;
        let black_won = winner
            .map(|winner| winner == Color::Black)
            .filter(|_| !is_solo);
        if !black.is_empty() {
            self.players.add_game(&black, black_won);
        }
        if !white.is_empty() && !is_solo {
            self.players
                .add_game(&white, black_won.map(|is_won| !is_won));
        }
        let event = clipped(&event);
        if !event.is_empty() {
            self.events.add_game(&event, None);
        }
        (
            outcome,
            read(facts, Info::DT, &mut self.memos.years, |text| {
                years(game, text)
            })
            .flatten(),
        )
    }
}

/// Counts a value as readable, unreadable or absent.
fn count<K: Eq + Hash + Ord + Clone>(
    facts: &Facts<'_>,
    info: Info,
    tally: &mut Tally<K>,
    memo: &mut Memo<Place>,
    read: impl FnOnce(RawValue<'_>) -> Option<K>,
) -> Option<Place> {
    let Some(value) = facts.value(info) else {
        tally.add_absent();
        return None;
    };
    let place = memo.get(value.as_bytes(), || match read(value) {
        Some(key) => tally.place(&key),
        None => Place::Unreadable,
    });
    tally.add_at(place, 1);
    Some(place)
}

/// Returns the meaning of a value's text, or `None` if the game has no such value.
fn read<V: Copy>(
    facts: &Facts<'_>,
    info: Info,
    memo: &mut Memo<V>,
    read: impl FnOnce(&str) -> V,
) -> Option<V> {
    let value = facts.value(info)?;
    Some(memo.get(value.as_bytes(), || read(&value.simple_text())))
}

fn as_written(value: RawValue<'_>, _: Game) -> Option<String> {
    Some(clipped(&value.simple_text()).into_owned())
}

/// Returns the typed value if its reading is sure.
fn typed(info: Info, game: Game, text: &str) -> Option<TypedValue> {
    Some(info.read(game, text).sure()?.value)
}

fn size(size: TypedValue) -> Option<(u32, u32)> {
    let TypedValue::Size(size) = size else {
        return None;
    };
    Some((size.columns(), size.rows()))
}

/// Returns the year of the first date. If the text is not a date, returns the only number in it
/// that may be a year: in `C2006.01.02 00:15` the year is certain, but the month is not.
fn year(game: Game, text: &str) -> Option<u16> {
    if let Some(TypedValue::Dates(dates)) = typed(Info::DT, game, text) {
        return Some(dates.as_slice().first()?.year());
    }
    let numbers = text
        .split(|char: char| !char.is_ascii_digit())
        .filter(|digits| digits.len() == 4);
    let mut years = numbers
        .filter_map(|digits| digits.parse().ok())
        .filter(|year| (1000..3000).contains(year));
    years
        .next()
        .filter(|&year| years.all(|other| other == year))
}

/// Returns the first and last year of all dates.
fn years(game: Game, text: &str) -> Option<(i32, i32)> {
    let TypedValue::Dates(dates) = typed(Info::DT, game, text)? else {
        return None;
    };
    let years = dates.as_slice().iter().map(|date| i32::from(date.year()));
    years.clone().min().zip(years.max())
}

fn overtime(text: &str) -> String {
    match OvertimeSystem::parse(text) {
        OvertimeSystem::ByoYomi { periods, seconds } => format!("byo-yomi {periods}x{seconds}"),
        OvertimeSystem::Canadian { moves, seconds } => format!("canadian {moves}/{seconds}"),
        OvertimeSystem::Fischer { seconds } => format!("fischer {seconds}"),
        _ => clipped(text).into_owned(),
    }
}
