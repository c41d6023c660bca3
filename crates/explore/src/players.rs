//! Records of players: a record for each pair of players, from which the row of a player is made
//! once all pairs of the player follow one another.

use std::collections::HashMap;
use std::io;

use sgfstream_adapt::stats::{BoardId, WinShare};
use sgfstream_game::{Coordinates, internal::Opening};
use sgfstream_table::filter::PlayerAliases;
use sgfstream_table::row::{GameRow, SEATS};

use crate::{ScratchStore, Sorted, Sorter};

/// Columns of a game's row that [`Pairs`] needs.
pub const FACTS: [&str; 8] = ["pb", "pw", "p1", "p2", "p3", "p4", "winner", "date_min"];

/// Maximum number of moves of an opening.
pub const OPENING_MAX: u64 = 16;

/// Separates the board of an opening, its moves, and the moves in the players' coordinates.
pub(crate) const BETWEEN: char = '\u{1}';

/// Maximum number of opponents named in a row.
const NAMED: usize = 3;

/// Maximum bytes of a name. Real names are shorter; a longer name ends with `…`.
const NAME: usize = 1024;

/// Bytes of memory that a pair takes in addition to the names.
const OVERHEAD: usize = 128;

/// Counts of a player's games, against one opponent or against all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record {
    /// Number of games.
    pub games: u64,
    /// Number of games as Black, and as White.
    pub colors: [u64; 2],
    /// Number of games won.
    pub won: u64,
    /// Number of games lost.
    pub lost: u64,
    /// First and last year.
    pub years: Option<(u16, u16)>,
}

impl Record {
    pub(crate) fn add(&mut self, more: &Self) {
        self.games += more.games;
        self.colors = [
            self.colors[0] + more.colors[0],
            self.colors[1] + more.colors[1],
        ];
        self.won += more.won;
        self.lost += more.lost;
        self.years = match (self.years, more.years) {
            (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
            (one, other) => one.or(other),
        };
    }

    /// Returns the share of wins in the decided games.
    #[must_use]
    pub fn share(&self) -> Option<WinShare> {
        WinShare::of(self.won, self.won + self.lost)
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [
            self.games,
            self.colors[0],
            self.colors[1],
            self.won,
            self.lost,
        ] {
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
        let number =
            |at: usize| u64::from_be_bytes(numbers[8 * at..][..8].try_into().expect("eight bytes"));
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

/// Records of players by opponent. A key is the player's name, a zero, the opponent's name, and a
/// zero. The record of all games of a player has no opponent.
#[derive(Debug, Default)]
pub struct Pairs {
    records: HashMap<Vec<u8>, Record>,
    bytes: usize,
}

impl Pairs {
    fn add(&mut self, key: &[u8], record: &Record) {
        if let Some(known) = self.records.get_mut(key) {
            return known.add(record);
        }
        self.bytes += key.len() + OVERHEAD;
        self.records.insert(key.to_vec(), *record);
    }

    /// Adds the players of a game, each in total and against each opponent, under the main names
    /// that `aliases` gives.
    pub fn take(&mut self, row: &GameRow, aliases: &PlayerAliases) {
        let persons = persons(row, aliases);
        for (name, record) in &persons {
            let others = persons
                .iter()
                .map(|(other, _)| *other)
                .filter(|other| other != name);
            self.add_all(name, record, others);
        }
    }

    /// Adds the players of a game, or only `player`, each with the `openings` of the game. Ignores
    /// games that begin with stones on the board.
    pub fn take_openings(
        &mut self,
        row: &GameRow,
        openings: &[Opening],
        player: Option<&str>,
        aliases: &PlayerAliases,
    ) {
        if openings.first().is_none_or(|opening| opening.has_setup) {
            return;
        }
        let openings: Vec<_> = openings
            .iter()
            .filter(|opening| !opening.has_setup)
            .map(text_of)
            .collect();
        let player = player.map(|player| aliases.person(player));
        for (name, record) in persons(row, aliases) {
            if player.is_none_or(|player| player == name) {
                self.add_all(name, &record, openings.iter().map(|opening| &**opening));
            }
        }
    }

    /// Adds a game of a player, in total and against each of `with`.
    pub(crate) fn add_all<'n>(
        &mut self,
        name: &str,
        record: &Record,
        with: impl Iterator<Item = &'n str>,
    ) {
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

    /// Returns the number of bytes that the records take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds all records of `others`.
    fn append(&mut self, others: Self) {
        if self.records.is_empty() {
            return *self = others;
        }
        for (key, record) in others.records {
            self.add(&key, &record);
        }
    }
}

/// Maximum bytes of pairs in memory.
pub const PAIRS_MEMORY: usize = 4 << 20;

/// Sorter of the pairs of any number of games.
#[derive(Debug)]
pub struct PairSorter<S> {
    pairs: Pairs,
    /// Records as strings of player, opponent and numbers.
    sorter: Sorter<Vec<u8>, S>,
}

impl<S> Default for PairSorter<S> {
    fn default() -> Self {
        Self {
            pairs: Pairs::default(),
            sorter: Sorter::default(),
        }
    }
}

impl<S: ScratchStore> PairSorter<S> {
    /// Adds all records of `pairs`.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the scratch space fails.
    pub fn add(&mut self, pairs: Pairs) -> io::Result<()> {
        self.pairs.append(pairs);
        if self.pairs.bytes > PAIRS_MEMORY {
            self.spill()
        } else {
            Ok(())
        }
    }

    fn spill(&mut self) -> io::Result<()> {
        for (mut key, record) in std::mem::take(&mut self.pairs).records {
            key.extend(record.to_bytes());
            self.sorter.push(key)?;
        }
        Ok(())
    }

    /// Returns the pairs in order.
    ///
    /// # Errors
    ///
    /// Returns an error if the scratch space cannot be written or read.
    pub fn sorted(mut self) -> io::Result<SortedPairs<S>> {
        self.spill()?;
        Ok(SortedPairs {
            strings: self.sorter.sorted()?,
            ahead: None,
        })
    }
}

/// A player and an opponent, with the record of their games. Openings and other parts take the
/// place of opponents.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) player: Vec<u8>,
    /// Empty for all games of the player, which come first.
    pub(crate) opponent: Vec<u8>,
    pub(crate) record: Record,
}

impl Pair {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        [
            &self.player,
            &b"\0"[..],
            &self.opponent,
            b"\0",
            &self.record.to_bytes(),
        ]
        .concat()
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let mut parts = bytes.splitn(3, |&byte| byte == 0);
        let mut next = || parts.next().unwrap_or_default();
        let (player, opponent, record) =
            (next().to_vec(), next().to_vec(), Record::of_bytes(next()));
        Self {
            player,
            opponent,
            record,
        }
    }
}

/// Pairs in order, each with the sum of its records.
#[derive(Debug)]
pub struct SortedPairs<S> {
    strings: Sorted<Vec<u8>, S>,
    /// The pair after those that were returned.
    ahead: Option<Pair>,
}

impl<S: ScratchStore> SortedPairs<S> {
    pub(crate) fn next(&mut self) -> io::Result<Option<Pair>> {
        let mut sum = self.ahead.take();
        while let Some(string) = self.strings.next()? {
            let pair = Pair::of_bytes(&string);
            match &mut sum {
                None => sum = Some(pair),
                Some(sum) if sum.player == pair.player && sum.opponent == pair.opponent => {
                    sum.record.add(&pair.record)
                }
                Some(_) => {
                    self.ahead = Some(pair);
                    break;
                }
            }
        }
        Ok(sum)
    }
}

/// Returns the persons who play a game, under their main names, each with the record of this one
/// game. A person may hold several seats. A game against oneself is neither won nor lost.
pub(crate) fn persons<'n>(row: &'n GameRow, aliases: &'n PlayerAliases) -> Vec<(&'n str, Record)> {
    let years = row.date_min.map(|date| (date.year(), date.year()));
    let winner = row
        .winner
        .as_deref()
        .and_then(|winner| SEATS.iter().position(|seat| *seat == winner));
    let mut persons: Vec<(&str, Record)> = Vec::new();
    let mut seats = 0;
    for (at, name) in row.persons().into_iter().enumerate() {
        let Some(name) = name.map(|name| aliases.person(name)) else {
            continue;
        };
        seats += 1;
        let known = persons
            .iter()
            .position(|(person, _)| *person == name)
            .unwrap_or(persons.len());
        if known == persons.len() {
            persons.push((
                name,
                Record {
                    games: 1,
                    lost: winner.is_some().into(),
                    years,
                    ..Record::default()
                },
            ));
        }
        let record = &mut persons[known].1;
        if at < 2 {
            record.colors[at] = 1;
        }
        if winner == Some(at) {
            (record.won, record.lost) = (1, 0);
        }
    }
    if seats > 1 && persons.len() == 1 {
        (persons[0].1.won, persons[0].1.lost) = (0, 0);
    }
    persons
}

/// Appends a name and a zero. A zero inside a name becomes a space.
fn push_name(name: &str, key: &mut Vec<u8>) {
    let kept = &name[..name.floor_char_boundary(NAME)];
    key.extend(kept.bytes().map(|byte| if byte == 0 { b' ' } else { byte }));
    if kept.len() < name.len() {
        key.extend_from_slice("…".as_bytes());
    }
    key.push(0);
}

/// A row of the list of players.
#[derive(Debug)]
pub struct ListedPlayer {
    /// Name as written in games.
    pub name: String,
    /// Record against all opponents.
    pub record: Record,
    /// Number of opponents.
    pub opponents: u64,
    /// Most frequent opponents with their numbers of games.
    pub named: String,
}

impl ListedPlayer {
    /// Parses a string that [`rows`] wrote.
    ///
    /// # Panics
    ///
    /// Panics if `bytes` is any other string.
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

/// Returns the board of an opening, its moves, and the moves in the players' coordinates.
pub(crate) fn text_of(opening: &Opening) -> String {
    let moves = |coordinates| {
        let moves = opening.moves.iter().map(|played| {
            let text = played.text(&opening.board, coordinates);
            text.split_once(' ').map_or_else(
                || text.clone(),
                |(side, played)| format!("{side}[{played}]"),
            )
        });
        moves.collect::<Vec<_>>().join(" ")
    };
    let (moves, spelled) = (moves(Coordinates::Sgf), moves(Coordinates::Gtp));
    format!(
        "{}{BETWEEN}{moves}{BETWEEN}{spelled}",
        BoardId::of_dialect(&opening.board)
    )
}

/// Games of a player with one opening.
#[derive(Debug)]
pub struct PlayedOpening {
    /// Name as written in games.
    pub name: String,
    /// Game and size of the board.
    pub board: String,
    /// First moves, `B[qd] W[dc]`, rotated and mirrored as
    /// [`Opening::turn`](sgfstream_game::internal::Opening::turn) says.
    pub moves: String,
    /// Moves in the players' coordinates, `B[R16] W[D17]`.
    pub spelled: String,
    /// Record of the player's games with this opening.
    pub record: Record,
}

impl PlayedOpening {
    /// Parses a string that [`opening_rows`] wrote.
    ///
    /// # Panics
    ///
    /// Panics if `bytes` is any other string.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let (name, rest) = bytes[8..].split_at(
            bytes[8..]
                .iter()
                .position(|&byte| byte == 0)
                .expect("a name"),
        );
        let (opening, record) = rest[9..].split_at(
            rest[9..]
                .iter()
                .position(|&byte| byte == 0)
                .expect("an opening"),
        );
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let opening = text(opening);
        let mut parts = opening.splitn(3, BETWEEN).map(str::to_owned);
        let mut part = || parts.next().unwrap_or_default();
        let (board, moves, spelled) = (part(), part(), part());
        Self {
            name: text(name),
            board,
            moves,
            spelled,
            record: Record::of_bytes(&record[1..]),
        }
    }
}

/// Returns a row for each opening of each player, as a string that [`PlayedOpening::of_bytes`]
/// parses. The players with more games come first, and the openings of a player likewise.
///
/// # Errors
///
/// Returns an error if the scratch space cannot be written or read.
pub fn opening_rows<S: ScratchStore>(mut pairs: SortedPairs<S>) -> io::Result<Sorted<Vec<u8>, S>> {
    let (mut rows, mut games) = (Sorter::default(), 0);
    while let Some(Pair {
        player,
        opponent: opening,
        record,
    }) = pairs.next()?
    {
        if opening.is_empty() {
            games = record.games;
            continue;
        }
        let [of_player, of_opening] =
            [games, record.games].map(|games| (u64::MAX - games).to_be_bytes());
        rows.push(
            [
                &of_player[..],
                &player,
                b"\0",
                &of_opening,
                &opening,
                b"\0",
                &record.to_bytes(),
            ]
            .concat(),
        )?;
    }
    rows.sorted()
}

/// Returns whether `is_meant` holds for the lowercase name of a player or one of its aliases.
fn has_name(name: &str, aliases: &PlayerAliases, is_meant: impl Fn(&str) -> bool) -> bool {
    match aliases.names_of(name) {
        Some(names) => names.iter().any(|name| is_meant(&name.to_lowercase())),
        None => is_meant(&name.to_lowercase()),
    }
}

/// Returns whether a name of the player contains all of these lowercase words, ignoring case.
pub(crate) fn has_words(name: &str, aliases: &PlayerAliases, words: &[String]) -> bool {
    has_name(name, aliases, |name| {
        words.iter().all(|word| name.contains(word))
    })
}

/// Returns whether a name of the player, or a word of it, begins with `prefix` in lowercase,
/// ignoring case.
pub(crate) fn has_prefix(name: &str, aliases: &PlayerAliases, prefix: &str) -> bool {
    let begins = |word: &str| word.starts_with(prefix);
    has_name(name, aliases, |name| {
        begins(name) || name.split_whitespace().any(begins)
    })
}

/// Returns a row for each player, as a string that [`ListedPlayer::of_bytes`] parses. The players
/// with a higher `rank` come first, and players of the same rank are sorted by name.
///
/// # Errors
///
/// Returns an error if the scratch space cannot be written or read.
pub fn rows<S: ScratchStore>(
    rank: impl Fn(&Record, u64) -> u64,
    mut pairs: SortedPairs<S>,
) -> io::Result<Sorted<Vec<u8>, S>> {
    let (mut rows, mut player) = (Sorter::default(), None::<CountedPlayer>);
    while let Some(pair) = pairs.next()? {
        match &mut player {
            Some(player) if !pair.opponent.is_empty() => {
                player.add_opponent(pair.opponent, pair.record.games)
            }
            _ => {
                let ended = player.replace(CountedPlayer {
                    total: pair,
                    opponents: 0,
                    named: Vec::new(),
                });
                ended
                    .into_iter()
                    .try_for_each(|player| rows.push(player.row(&rank)))?;
            }
        }
    }
    player
        .into_iter()
        .try_for_each(|player| rows.push(player.row(&rank)))?;
    rows.sorted()
}

/// Player whose opponents are counted.
struct CountedPlayer {
    /// All games of the player.
    total: Pair,
    opponents: u64,
    /// Most frequent opponents with their numbers of games.
    named: Vec<(u64, Vec<u8>)>,
}

impl CountedPlayer {
    fn add_opponent(&mut self, name: Vec<u8>, games: u64) {
        self.opponents += 1;
        // Opponents with the same number of games stay in the order of their names.
        let at = self.named.partition_point(|(more, _)| *more >= games);
        if at < NAMED {
            self.named.insert(at, (games, name));
            self.named.truncate(NAMED);
        }
    }

    /// Returns the row: the sort key, the name, and the rest.
    fn row(self, rank: impl Fn(&Record, u64) -> u64) -> Vec<u8> {
        let Self {
            total: Pair { player, record, .. },
            opponents,
            named,
        } = self;
        let rank = (u64::MAX - rank(&record, opponents)).to_be_bytes();
        let named = named
            .iter()
            .map(|(games, name)| format!("{} ({games})", String::from_utf8_lossy(name)));
        let named = named.collect::<Vec<_>>().join(", ");
        let numbers = [&opponents.to_be_bytes()[..], &record.to_bytes()].concat();
        [&rank[..], &player, b"\0", named.as_bytes(), b"\0", &numbers].concat()
    }
}
