//! The records of players: a record for each pair of players, and the row of a player when all of his pairs come one after another.

use std::collections::HashMap;
use std::io;

use sgfstream_adapt::stats::{Board, WinShare};
use sgfstream_game::Coordinates;
use sgfstream_table::filter::{Filter, FilterError, PlayerAliases};
use sgfstream_table::find::Query;
use sgfstream_table::row::{GameRow, RowBuilder};

/// Columns of the row of a game that are asked for.
pub const FACTS: [&str; 8] = ["pb", "pw", "p1", "p2", "p3", "p4", "winner", "date_min"];

/// Players of a game, as the column `winner` names them.
const SEATS: [&str; 6] = ["B", "W", "1", "2", "3", "4"];

/// The most moves of an opening.
pub const OPENING_MAX: u64 = 16;

/// Comes between the board of an opening, its moves, and its moves as players spell them.
const BETWEEN: char = '\u{1}';

/// Opponents that a row names.
const NAMED: usize = 3;

/// Bytes of a name that are read. No name of a person has as many; the end is marked.
const NAME: usize = 1024;

/// Bytes that a pair takes beside the names.
const OVERHEAD: usize = 128;

/// Games of a player, against one opponent or all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record {
    /// All of them.
    pub games: u64,
    /// As Black, and as White.
    pub colors: [u64; 2],
    /// Those that were won.
    pub won: u64,
    /// Those that were lost.
    pub lost: u64,
    /// The first year and the last.
    pub years: Option<(u16, u16)>,
}

impl Record {
    fn add(&mut self, more: &Self) {
        self.games += more.games;
        self.colors = [self.colors[0] + more.colors[0], self.colors[1] + more.colors[1]];
        self.won += more.won;
        self.lost += more.lost;
        self.years = match (self.years, more.years) {
            (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
            (one, other) => one.or(other),
        };
    }

    /// The part of the decided games that were won.
    #[must_use]
    pub fn share(&self) -> Option<WinShare> {
        WinShare::of(self.won, self.won + self.lost)
    }

    fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [self.games, self.colors[0], self.colors[1], self.won, self.lost] {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        if let Some((first, last)) = self.years {
            bytes.extend_from_slice(&first.to_be_bytes());
            bytes.extend_from_slice(&last.to_be_bytes());
        }
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let (numbers, years) = bytes.split_at(40);
        let number = |at: usize| u64::from_be_bytes(numbers[8 * at..][..8].try_into().expect("eight bytes"));
        let year = |at: usize| u16::from_be_bytes([years[2 * at], years[2 * at + 1]]);
        Self {
            games: number(0),
            colors: [number(1), number(2)],
            won: number(3),
            lost: number(4),
            years: (!years.is_empty()).then(|| (year(0), year(1))),
        }
    }
}

/// Records of players by opponent: a name, a zero, the opponent's name, a zero; no opponent for the games of a player in all.
#[derive(Debug, Default)]
pub struct Pairs {
    records: HashMap<Vec<u8>, Record>,
    bytes: usize,
}

/// Number of games of each player, the most first.
pub type PlayerNames = Vec<(String, u64)>;

/// Returns the first `count` names that complete `prefix`: a word of the name or of an alias begins with it, ignoring case.
pub(crate) fn complete<'n>(
    names: &'n PlayerNames,
    aliases: &'n PlayerAliases,
    prefix: &'n str,
    count: usize,
) -> impl Iterator<Item = &'n (String, u64)> {
    let prefix = prefix.trim().to_lowercase();
    let begins = move |name: &str| {
        let name = name.to_lowercase();
        name.starts_with(&prefix) || name.split_whitespace().any(|word| word.starts_with(&prefix))
    };
    let is_meant = move |name: &str| {
        aliases.names_of(name).map_or_else(|| begins(name), |names| names.iter().any(|name| begins(name)))
    };
    names.iter().filter(move |(name, _)| is_meant(name)).take(count)
}

impl Pairs {
    fn add(&mut self, key: &[u8], record: &Record) {
        if let Some(known) = self.records.get_mut(key) {
            return known.add(record);
        }
        self.bytes += key.len() + OVERHEAD;
        self.records.insert(key.to_vec(), *record);
    }

    /// Adds the players of a game, and each with his opponents, by the names that `aliases` shows.
    pub fn take(&mut self, row: &GameRow, aliases: &PlayerAliases) {
        let seats: Vec<(&str, Record)> = seats(row).map(|(name, record)| (aliases.person(name), record)).collect();
        for (at, (name, record)) in seats.iter().enumerate() {
            let others = seats.iter().enumerate().filter(|(seat, _)| *seat != at).map(|(_, (other, _))| *other);
            self.add_all(name, record, others);
        }
    }

    /// Adds the players of a game, or the one that is named, each with the [opening](RowBuilder::opening) of the game. Games that begin
    /// with stones on the board have none.
    pub fn take_opening(&mut self, row: &RowBuilder, player: Option<&str>, aliases: &PlayerAliases) {
        let Some(opening) = row.opening().filter(|opening| !opening.has_setup) else { return };
        let board = Board::of_dialect(&opening.board);
        let moves = |coordinates| {
            let moves = opening.moves.iter().map(|played| {
                let text = played.text(&opening.board, coordinates);
                text.split_once(' ').map_or_else(|| text.clone(), |(side, played)| format!("{side}[{played}]"))
            });
            moves.collect::<Vec<_>>().join(" ")
        };
        let (moves, spelled) = (moves(Coordinates::Sgf), moves(Coordinates::Gtp));
        let opening = format!("{board}{BETWEEN}{moves}{BETWEEN}{spelled}");
        let player = player.map(|player| aliases.person(player));
        let seats = seats(row.row()).map(|(name, record)| (aliases.person(name), record));
        for (name, record) in seats.filter(|(name, _)| player.is_none_or(|player| player == *name)) {
            self.add_all(name, &record, std::iter::once(&*opening));
        }
    }

    /// Adds the players of a game, without their opponents.
    pub(crate) fn take_names(&mut self, row: &GameRow, aliases: &PlayerAliases) {
        seats(row).for_each(|(name, record)| self.add_all(aliases.person(name), &record, std::iter::empty()));
    }

    /// The players and how many games each has, the most first.
    pub(crate) fn into_names(self) -> PlayerNames {
        let mut names: PlayerNames = self
            .records
            .into_iter()
            .map(|(key, record)| {
                let name = key.split(|&byte| byte == 0).next().unwrap_or_default();
                (String::from_utf8_lossy(name).into_owned(), record.games)
            })
            .collect();
        names.sort_by(|(one, games), (other, more)| more.cmp(games).then_with(|| one.cmp(other)));
        names
    }

    /// Adds a game of a player, in all and with each of these.
    fn add_all<'n>(&mut self, name: &str, record: &Record, with: impl Iterator<Item = &'n str>) {
        let mut key = Vec::new();
        push_name(name, &mut key);
        let len = key.len();
        key.push(0);
        self.add(&key, record);
        for other in with {
            key.truncate(len);
            push_name(other, &mut key);
            self.add(&key, record);
        }
    }

    /// Bytes that the records take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds all records of others.
    pub fn append(&mut self, others: Self) {
        if self.records.is_empty() {
            return *self = others;
        }
        for (key, record) in others.records {
            self.add(&key, &record);
        }
    }

    /// Gives each record to `each`, as the string that [`rows`] takes, and forgets it.
    ///
    /// # Errors
    ///
    /// Those of `each`.
    pub fn drain(&mut self, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        self.bytes = 0;
        std::mem::take(&mut self.records).into_iter().try_for_each(|(mut key, record)| {
            key.extend(record.to_bytes());
            each(&key)
        })
    }
}

/// The players of a game, and what it is for each of them.
fn seats(row: &GameRow) -> impl Iterator<Item = (&str, Record)> {
    let years = row.date_min.map(|date| (date.year(), date.year()));
    let winner = row.winner.as_deref().filter(|winner| SEATS.contains(winner));
    let names = [&row.pb, &row.pw, &row.p1, &row.p2, &row.p3, &row.p4].into_iter().enumerate();
    names.filter_map(move |(at, name)| {
        let name = name.as_deref().map(str::trim).filter(|name| !name.is_empty())?;
        let won = winner.is_some_and(|winner| winner == SEATS[at]);
        let (colors, lost) = ([u64::from(at == 0), u64::from(at == 1)], (winner.is_some() && !won).into());
        Some((name, Record { games: 1, colors, won: won.into(), lost, years }))
    })
}

/// Adds a name and a zero, which no name has.
fn push_name(name: &str, key: &mut Vec<u8>) {
    let kept = &name[..name.floor_char_boundary(NAME)];
    key.extend(kept.bytes().map(|byte| if byte == 0 { b' ' } else { byte }));
    if kept.len() < name.len() {
        key.extend_from_slice("…".as_bytes());
    }
    key.push(0);
}

/// The parts of a sorted string.
fn parts_of(string: &[u8]) -> (&[u8], &[u8], Record) {
    let mut parts = string.splitn(3, |&byte| byte == 0);
    let mut next = || parts.next().unwrap_or_default();
    let (player, opponent, record) = (next(), next(), next());
    (player, opponent, Record::of_bytes(record))
}

/// A row of a player.
#[derive(Debug)]
pub struct Listed {
    /// As written in games.
    pub name: String,
    /// Games against all.
    pub record: Record,
    /// How many opponents there are.
    pub opponents: u64,
    /// Those he met most, with the number of games.
    pub named: String,
}

impl Listed {
    /// Reads what [`rows`] wrote.
    ///
    /// # Panics
    ///
    /// With other strings.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut parts = bytes[8..].splitn(3, |&byte| byte == 0);
        let mut next = || parts.next().unwrap_or_default();
        let (name, named, numbers) = (next(), next(), next());
        let (opponents, record) = numbers.split_at(8);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            name: text(name),
            record: Record::of_bytes(record),
            opponents: u64::from_be_bytes(opponents.try_into().expect("eight bytes")),
            named: text(named),
        }
    }
}

/// The filter that finds the first moves of the games of a player, at most `depth`.
pub(crate) fn played(player: &str, depth: u64, aliases: &PlayerAliases) -> Result<Filter, FilterError> {
    let condition = aliases.expand(&format!("player = '{}'", player.replace('\'', "''")))?;
    Filter::finding(Query::opening(depth), Some(&condition))
}

/// An opening of a player.
#[derive(Debug)]
pub struct PlayedOpening {
    /// As written in games.
    pub name: String,
    /// Game and size of the board.
    pub board: String,
    /// The first moves, `B[qd] W[dc]`, turned as [`Opening::turn`](sgfstream_game::Opening::turn) says.
    pub moves: String,
    /// The moves as players spell them, `B[R16] W[D17]`.
    pub spelled: String,
    /// The player's games with them.
    pub record: Record,
}

impl PlayedOpening {
    /// Reads what [`opening_rows`] wrote.
    ///
    /// # Panics
    ///
    /// With other strings.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let (name, rest) = bytes[8..].split_at(bytes[8..].iter().position(|&byte| byte == 0).expect("a name"));
        let (opening, record) = rest[9..].split_at(rest[9..].iter().position(|&byte| byte == 0).expect("an opening"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let opening = text(opening);
        let mut parts = opening.splitn(3, BETWEEN).map(str::to_owned);
        let mut part = || parts.next().unwrap_or_default();
        let (board, moves, spelled) = (part(), part(), part());
        Self { name: text(name), board, moves, spelled, record: Record::of_bytes(&record[1..]) }
    }
}

/// Makes a row of each opening of each player of the records that `next` gives in order, and gives it to `each` as the string that
/// [`PlayedOpening::of_bytes`] reads: in the order of these strings a player with more games comes first, and of his openings
/// that with more games.
///
/// # Errors
///
/// Those of `next` and `each`.
pub fn opening_rows(
    mut next: impl FnMut(&mut Vec<u8>) -> io::Result<bool>,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let (mut string, mut games) = (Vec::new(), 0);
    // The name and the opening whose records come now; in all games of a player there is none, and they come first.
    let (mut name, mut opening, mut record) = (Vec::new(), Vec::new(), Record::default());
    loop {
        let is_one = next(&mut string)?;
        let parts = if is_one { Some(parts_of(&string)) } else { None };
        if let Some((of, what, more)) = &parts
            && *of == name
            && *what == opening
        {
            record.add(more);
            continue;
        }
        if opening.is_empty() {
            games = record.games;
        } else {
            let mut row = (u64::MAX - games).to_be_bytes().to_vec();
            row.extend_from_slice(&name);
            row.push(0);
            row.extend_from_slice(&(u64::MAX - record.games).to_be_bytes());
            row.extend_from_slice(&opening);
            row.push(0);
            row.extend(record.to_bytes());
            each(&row)?;
        }
        let Some((of, what, more)) = parts else { return Ok(()) };
        (name, opening, record) = (of.to_vec(), what.to_vec(), more);
    }
}

/// The first `top` openings of these.
pub(crate) fn list_openings(pairs: Pairs, top: usize) -> Vec<PlayedOpening> {
    let rows = sorted_rows(pairs, |next, each| opening_rows(next, each));
    rows.iter().take(top).map(|row| PlayedOpening::of_bytes(row)).collect()
}

/// The first `top` players of these, those with the most games first.
pub(crate) fn list(pairs: Pairs, top: usize) -> Vec<Listed> {
    let rows = sorted_rows(pairs, |next, each| rows(|record, _| record.games, next, each));
    rows.iter().take(top).map(|row| Listed::of_bytes(row)).collect()
}

/// Gives the records of `pairs` in order to `make`, and puts the rows that it makes of them in order.
fn sorted_rows(
    mut pairs: Pairs,
    make: impl FnOnce(
        &mut dyn FnMut(&mut Vec<u8>) -> io::Result<bool>,
        &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()>,
) -> Vec<Vec<u8>> {
    let (mut strings, mut all) = (Vec::new(), Vec::new());
    let mut push = |string: &[u8]| {
        strings.push(string.to_vec());
        Ok(())
    };
    pairs.drain(&mut push).expect("memory takes all");
    strings.sort_unstable();
    let mut sorted = strings.into_iter();
    let mut next = |string: &mut Vec<u8>| Ok(sorted.next().map(|next| *string = next).is_some());
    let mut each = |string: &[u8]| {
        all.push(string.to_vec());
        Ok(())
    };
    make(&mut next, &mut each).expect("memory takes all");
    all.sort_unstable();
    all
}

/// Makes the row of each player of the records that `next` gives in order, and gives it to `each` as the string that
/// [`Listed::of_bytes`] reads: in the order of these strings a player with a higher `rank` comes first, and of two with the same
/// rank the one whose name is first.
///
/// # Errors
///
/// Those of `next` and `each`.
pub fn rows(
    rank: impl Fn(&Record, u64) -> u64,
    mut next: impl FnMut(&mut Vec<u8>) -> io::Result<bool>,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let (mut player, mut string) = (Player::default(), Vec::new());
    while next(&mut string)? {
        let (name, opponent, record) = parts_of(&string);
        if name != player.name {
            player.end(&rank, &mut each)?;
            player = Player { name: name.to_vec(), ..Player::default() };
        }
        if opponent.is_empty() {
            player.record.add(&record);
            continue;
        }
        if opponent != player.opponent {
            player.end_opponent();
            player.opponent = opponent.to_vec();
        }
        player.against += record.games;
    }
    player.end(&rank, &mut each)
}

/// A player, as the records of his pairs are added up.
#[derive(Default)]
struct Player {
    name: Vec<u8>,
    record: Record,
    opponents: u64,
    /// Those he met most, with the number of games.
    named: Vec<(u64, Vec<u8>)>,
    /// The opponent whose records come now.
    opponent: Vec<u8>,
    against: u64,
}

impl Player {
    /// Counts the opponent whose records came.
    fn end_opponent(&mut self) {
        let games = std::mem::take(&mut self.against);
        if games == 0 {
            return;
        }
        self.opponents += 1;
        // In the order of names where as many games were played.
        let at = self.named.partition_point(|(more, _)| *more >= games);
        if at < NAMED {
            self.named.insert(at, (games, std::mem::take(&mut self.opponent)));
            self.named.truncate(NAMED);
        }
    }

    /// Gives the row to `each`: its place in the order, the name, and all else.
    fn end(
        &mut self,
        rank: impl Fn(&Record, u64) -> u64,
        mut each: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.end_opponent();
        if self.name.is_empty() {
            return Ok(());
        }
        let rank = rank(&self.record, self.opponents);
        let mut string = (u64::MAX - rank).to_be_bytes().to_vec();
        string.append(&mut self.name);
        string.push(0);
        let named: Vec<String> =
            self.named.drain(..).map(|(games, name)| format!("{} ({games})", String::from_utf8_lossy(&name))).collect();
        string.extend_from_slice(named.join(", ").as_bytes());
        string.push(0);
        string.extend_from_slice(&self.opponents.to_be_bytes());
        string.extend(self.record.to_bytes());
        each(&string)
    }
}
