//! Records of players: a record for each pair of players, from which the row of a player is made
//! once all pairs of the player follow one another.

use std::io;

use sgfstream_adapt::stats::{BoardId, WinShare};
use sgfstream_game::{Coordinates, internal::Opening};
use sgfstream_table::filter::PlayerAliases;
use sgfstream_table::row::{GameRow, SEATS};

use crate::{ScratchStore, SortRecord, Sorted, SortedSums, Sorter, SumSorter, Summed, Sums};

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

/// Counts of a player's games, against one opponent or against all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Returns the share of wins in the decided games.
    #[must_use]
    pub fn share(&self) -> Option<WinShare> {
        WinShare::of(self.won, self.won + self.lost)
    }
}

impl Summed for Record {
    fn add(&mut self, more: &Self) {
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
}

impl SortRecord for Record {
    fn append_to(&self, out: &mut Vec<u8>) {
        let [black, white] = self.colors;
        let years = self
            .years
            .map_or([u64::MAX; 2], |(first, last)| [first.into(), last.into()]);
        [
            self.games, black, white, self.won, self.lost, years[0], years[1],
        ]
        .append_to(out);
    }

    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let ([games, black, white, won, lost, first, last], len) = SortRecord::parse(bytes)?;
        let year = |number: u64| u16::try_from(number).ok();
        let record = Self {
            games,
            colors: [black, white],
            won,
            lost,
            years: year(first).zip(year(last)),
        };
        Some((record, len))
    }
}

/// Records of players by opponent. A key is the player's name, a zero, and the opponent's name. The
/// record of all games of a player has no opponent and comes first. Openings and other parts take
/// the place of opponents.
pub type Pairs = Sums<Record>;

/// Sorter of such records.
pub type PairSorter<S> = SumSorter<Record, S>;

/// Such records in order.
pub type SortedPairs<S> = SortedSums<Record, S>;

impl Pairs {
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
        key.push(0);
        let len = key.len();
        self.add(&key, record);
        for other in with {
            key.truncate(len);
            push_name(other, &mut key);
            self.add(&key, record);
        }
    }
}

/// Returns the player and the opponent of a key.
pub(crate) fn pair_of(key: &[u8]) -> (&[u8], &[u8]) {
    let mut parts = key.splitn(2, |&byte| byte == 0);
    let mut next = || parts.next().unwrap_or_default();
    (next(), next())
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

/// Appends a name. A zero in it becomes a space.
fn push_name(name: &str, key: &mut Vec<u8>) {
    let kept = &name[..name.floor_char_boundary(NAME)];
    key.extend(kept.bytes().map(|byte| if byte == 0 { b' ' } else { byte }));
    if kept.len() < name.len() {
        key.extend_from_slice("…".as_bytes());
    }
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

/// Rank of a player, so that the first have the smallest number, the name, the number of opponents,
/// the most frequent ones, and the record.
pub type PlayerRow = ([u64; 1], (Vec<u8>, ([u64; 1], (Vec<u8>, Record))));

impl ListedPlayer {
    /// Returns the player of a row.
    #[must_use]
    pub fn of((_, (name, ([opponents], (named, record)))): PlayerRow) -> Self {
        Self {
            name: text_of_bytes(&name),
            record,
            opponents,
            named: text_of_bytes(&named),
        }
    }
}

fn text_of_bytes(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
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

/// Rank and name of a player, rank and text of an opening, and the record.
pub type OpeningRow = (([u64; 1], Vec<u8>), (([u64; 1], Vec<u8>), Record));

impl PlayedOpening {
    /// Returns the opening of a row.
    #[must_use]
    pub fn of(((_, name), ((_, opening), record)): OpeningRow) -> Self {
        let opening = text_of_bytes(&opening);
        let mut parts = opening.splitn(3, BETWEEN).map(str::to_owned);
        let mut part = || parts.next().unwrap_or_default();
        Self {
            name: text_of_bytes(&name),
            board: part(),
            moves: part(),
            spelled: part(),
            record,
        }
    }
}

/// Returns a row for each opening of each player. The players with more games come first, and the
/// openings of a player likewise.
///
/// # Errors
///
/// Returns an error if the scratch space cannot be written or read.
pub fn opening_rows<S: ScratchStore>(
    mut pairs: SortedPairs<S>,
) -> io::Result<Sorted<OpeningRow, S>> {
    let (mut rows, mut games) = (Sorter::default(), 0);
    while let Some((key, record)) = pairs.next()? {
        let (player, opening) = pair_of(&key);
        if opening.is_empty() {
            games = record.games;
            continue;
        }
        let of_player = ([u64::MAX - games], player.to_vec());
        let of_opening = ([u64::MAX - record.games], opening.to_vec());
        rows.push((of_player, (of_opening, record)))?;
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

/// Returns a row for each player. The players with a higher `rank` come first, and players of the
/// same rank are sorted by name.
///
/// # Errors
///
/// Returns an error if the scratch space cannot be written or read.
pub fn rows<S: ScratchStore>(
    rank: impl Fn(&Record, u64) -> u64,
    mut pairs: SortedPairs<S>,
) -> io::Result<Sorted<PlayerRow, S>> {
    let (mut rows, mut player) = (Sorter::default(), None::<CountedPlayer>);
    while let Some((key, record)) = pairs.next()? {
        let (name, opponent) = pair_of(&key);
        match &mut player {
            Some(player) if !opponent.is_empty() => player.add_opponent(opponent, record.games),
            _ => {
                let ended = player.replace(CountedPlayer {
                    name: name.to_vec(),
                    record,
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
    name: Vec<u8>,
    record: Record,
    opponents: u64,
    /// Most frequent opponents with their numbers of games.
    named: Vec<(u64, Vec<u8>)>,
}

impl CountedPlayer {
    fn add_opponent(&mut self, name: &[u8], games: u64) {
        self.opponents += 1;
        // Opponents with the same number of games stay in the order of their names.
        let at = self.named.partition_point(|(more, _)| *more >= games);
        if at < NAMED {
            self.named.insert(at, (games, name.to_vec()));
            self.named.truncate(NAMED);
        }
    }

    fn row(self, rank: impl Fn(&Record, u64) -> u64) -> PlayerRow {
        let rank = u64::MAX - rank(&self.record, self.opponents);
        let named = self
            .named
            .iter()
            .map(|(games, name)| format!("{} ({games})", String::from_utf8_lossy(name)));
        let named = named.collect::<Vec<_>>().join(", ").into_bytes();
        (
            [rank],
            (self.name, ([self.opponents], (named, self.record))),
        )
    }
}
