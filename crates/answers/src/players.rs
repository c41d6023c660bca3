//! The records of players: a record for each pair of players, and the row of a player when all of his pairs come one after another.

use std::collections::HashMap;
use std::io;

use sgfstream_adapt::stats::WinShare;
use sgfstream_table::row::GameRow;

/// Columns of the row of a game that are asked for.
pub const FACTS: [&str; 8] = ["pb", "pw", "p1", "p2", "p3", "p4", "winner", "date_min"];

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

impl Pairs {
    fn add(&mut self, key: &[u8], record: &Record) {
        if let Some(known) = self.records.get_mut(key) {
            return known.add(record);
        }
        self.bytes += key.len() + OVERHEAD;
        self.records.insert(key.to_vec(), *record);
    }

    /// Adds the players of a game.
    pub fn take(&mut self, row: &GameRow) {
        let years = row.date_min.map(|date| (date.year(), date.year()));
        let winner = row.winner.as_deref().filter(|winner| matches!(*winner, "B" | "W" | "1" | "2" | "3" | "4"));
        let seats = [&row.pb, &row.pw, &row.p1, &row.p2, &row.p3, &row.p4];
        let seats = seats.map(|name| name.as_deref().map(str::trim).filter(|name| !name.is_empty()));
        for (at, name) in seats.iter().enumerate().filter_map(|(at, name)| Some((at, (*name)?))) {
            let won = winner.is_some_and(|winner| winner == ["B", "W", "1", "2", "3", "4"][at]);
            let record = Record {
                games: 1,
                colors: [u64::from(at == 0), u64::from(at == 1)],
                won: won.into(),
                lost: (winner.is_some() && !won).into(),
                years,
            };
            let mut key = Vec::new();
            push_name(name, &mut key);
            let len = key.len();
            key.push(0);
            self.add(&key, &record);
            for other in seats.iter().enumerate().filter(|(seat, _)| *seat != at).filter_map(|(_, other)| *other) {
                key.truncate(len);
                push_name(other, &mut key);
                self.add(&key, &record);
            }
        }
    }

    /// Bytes that the records take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds all records of others.
    pub fn append(&mut self, others: Self) {
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

/// The first `top` players of these, those with the most games first.
pub(crate) fn list(mut pairs: Pairs, top: usize) -> Vec<Listed> {
    let (mut strings, mut all) = (Vec::new(), Vec::new());
    let mut push = |string: &[u8]| {
        strings.push(string.to_vec());
        Ok(())
    };
    pairs.drain(&mut push).expect("memory takes all");
    strings.sort_unstable();
    let mut sorted = strings.into_iter();
    let next = |string: &mut Vec<u8>| Ok(sorted.next().map(|next| *string = next).is_some());
    let each = |string: &[u8]| {
        all.push(string.to_vec());
        Ok(())
    };
    rows(|record, _| record.games, next, each).expect("memory takes all");
    all.sort_unstable();
    all.iter().take(top).map(|row| Listed::of_bytes(row)).collect()
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
