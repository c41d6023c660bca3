//! `sgfq players`: the record of each player.

use std::collections::HashMap;
use std::io::{self, Write};

use clap::{Args, ValueEnum};

use sgfstream_adapt::stats::WinShare;
use sgfstream_engine::Out;
use sgfstream_table::games::Kept;
use sgfstream_table::row::{Cell, Column, ColumnSet, GameRow};

use crate::args::io::Io;
use crate::args::threads::{self, Pool, SUM};
use crate::io::output::Output;
use crate::io::sorter::Sorter;
use crate::report::exit::Exit;
use crate::report::rows::{RowFormat, RowWriter, Table};

/// Print the record of each player: games, wins, years and opponents.
///
/// The most games come first. A game counts for each of its players, by the names as written. Share is the part of the decided games that the player
/// won, with its 95 % confidence interval (Wilson's score). With a condition such as `player = 'Cho Chikun'`, the other rows
/// are his opponents with their games against him.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq players --top 20 games/\n\
\x20 sgfq players --sort share --where \"year(date_min) >= 1990\" games/\n\
\x20 sgfq players --where \"player = 'Cho Chikun'\" games/")]
pub(crate) struct Players {
    /// Print only the first N players.
    #[arg(long, short_alias = 'n', value_name = "N")]
    top: Option<u64>,

    /// Order of the players; `share` is by the lower end of its interval.
    #[arg(long, value_enum, value_name = "COLUMN", default_value_t = Order::Games)]
    sort: Order,

    /// Output format; without it, what the name of the output file ends in, or `table`.
    #[arg(short = 'f', long, value_parser = RowFormat::NAMES)]
    format: Option<String>,

    #[command(flatten)]
    io: Io<Pool>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Order {
    Games,
    Won,
    Share,
    Opponents,
    Last,
    Name,
}

/// Columns of the row of a game that are asked for.
pub(crate) const FACTS: [&str; 8] = ["pb", "pw", "p1", "p2", "p3", "p4", "winner", "date_min"];

/// Columns of a row, and which are of numbers.
const COLUMNS: [(&str, bool); 13] = [
    ("player", false),
    ("games", true),
    ("black", true),
    ("white", true),
    ("won", true),
    ("lost", true),
    ("share", true),
    ("share_low", true),
    ("share_high", true),
    ("first", true),
    ("last", true),
    ("opponents", true),
    ("most_frequent", false),
];

/// Opponents that a row names.
const NAMED: usize = 3;

/// Bytes of a name that are read. No name of a person has as many; the end is marked.
const NAME: usize = 1024;

/// Bytes of pairs of players that are held.
const HELD: usize = 4 << 20;

/// Bytes that a pair takes beside the names.
const OVERHEAD: usize = 128;

/// Games of a player, against one opponent or all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Record {
    pub(crate) games: u64,
    /// As Black, and as White.
    pub(crate) colors: [u64; 2],
    pub(crate) won: u64,
    pub(crate) lost: u64,
    /// The first year and the last.
    pub(crate) years: Option<(u16, u16)>,
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

    pub(crate) fn share(&self) -> Option<WinShare> {
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
#[derive(Default)]
pub(crate) struct Pairs {
    records: HashMap<Vec<u8>, Record>,
    bytes: usize,
}

impl threads::Output for Pairs {
    fn is_full(&self) -> bool {
        self.bytes > HELD / 8
    }
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
    pub(crate) fn take(&mut self, row: &GameRow) {
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

    /// Moves all records to a sorter.
    fn spill(&mut self, sorter: &mut Sorter) -> io::Result<()> {
        for (mut key, record) in std::mem::take(&mut self.records) {
            key.extend(record.to_bytes());
            sorter.push(&key)?;
        }
        self.bytes = 0;
        Ok(())
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
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) record: Record,
    pub(crate) opponents: u64,
    /// Those he met most, with the number of games.
    pub(crate) named: String,
}

impl Listed {
    /// Reads what [`Player::end`] wrote.
    fn of_bytes(bytes: &[u8]) -> Self {
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

/// The first players of these.
pub(crate) fn list(mut pairs: Pairs, order: Order, top: usize) -> io::Result<Vec<Listed>> {
    let (mut sorter, mut string, mut all) = (Sorter::default(), Vec::new(), Vec::new());
    pairs.spill(&mut sorter)?;
    let mut sorted = ranked(order, &mut sorter)?.sorted()?;
    while all.len() < top && sorted.next(&mut string)? {
        all.push(Listed::of_bytes(&string));
    }
    Ok(all)
}

/// The rows of the players in their order.
fn ranked(order: Order, sorter: &mut Sorter) -> io::Result<Sorter> {
    let (mut rows, mut player, mut string) = (Sorter::default(), Player::default(), Vec::new());
    let mut sorted = sorter.sorted()?;
    while sorted.next(&mut string)? {
        let (name, opponent, record) = parts_of(&string);
        if name != player.name {
            player.end(order, &mut rows)?;
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
    player.end(order, &mut rows)?;
    Ok(rows)
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

    /// Adds the row to the sorter: its place in the order, the name, and all else.
    fn end(&mut self, order: Order, sorter: &mut Sorter) -> io::Result<()> {
        self.end_opponent();
        if self.name.is_empty() {
            return Ok(());
        }
        // From 0 to 1, and those without decided games last.
        let share = self.record.share().map_or(0, |share| 1 + (share.low * f64::from(u32::MAX)) as u64);
        let rank = match order {
            Order::Games => self.record.games,
            Order::Won => self.record.won,
            Order::Share => share,
            Order::Opponents => self.opponents,
            Order::Last => self.record.years.map_or(0, |(_, last)| 1 + u64::from(last)),
            Order::Name => 0,
        };
        let mut string = (u64::MAX - rank).to_be_bytes().to_vec();
        string.append(&mut self.name);
        string.push(0);
        let named: Vec<String> =
            self.named.drain(..).map(|(games, name)| format!("{} ({games})", String::from_utf8_lossy(&name))).collect();
        string.extend_from_slice(named.join(", ").as_bytes());
        string.push(0);
        string.extend_from_slice(&self.opponents.to_be_bytes());
        string.extend(self.record.to_bytes());
        sorter.push(&string)
    }
}

impl Players {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let chooser = self.io.choice.parse()?;
        let columns = ColumnSet::of(FACTS.iter().filter_map(|name| Column::find(name)));
        let job = threads::each_game(
            &chooser,
            || chooser.builder(columns),
            Kept::Nothing,
            |game, _, pairs: &mut Out<'_, Pairs>| {
                pairs.take(game.finish()?.row());
                Ok(())
            },
        );
        let (mut all, mut sorter) = (Pairs::default(), Sorter::default());
        let cut = chooser.cut(SUM);
        let exit = threads::sum(cut, &self.io.pool, &self.io.inputs, &job, |unit| {
            for (key, record) in unit.output.take().unwrap_or_default().records {
                all.add(&key, &record);
            }
            if all.bytes > HELD {
                all.spill(&mut sorter)?;
            }
            Ok(())
        })?;
        all.spill(&mut sorter)?;
        let mut rows = ranked(self.sort, &mut sorter)?;
        let format = self.format.as_deref().or_else(|| self.io.destination.format(&RowFormat::NAMES));
        let format = RowFormat::of(format.unwrap_or_default());
        let is_shown = self.io.is_shown(out);
        self.io.with(out, |out| self.print(format, is_shown, &mut rows, out))?;
        Ok(chooser.or_none(&self.io.inputs, exit))
    }

    fn print(&self, format: RowFormat, is_shown: bool, rows: &mut Sorter, out: &mut dyn Write) -> anyhow::Result<()> {
        let writer = RowWriter::new(format, COLUMNS.map(|(name, _)| name), is_shown);
        let are_numbers = COLUMNS.map(|(_, is_number)| is_number).to_vec();
        let mut table = (format == RowFormat::Table).then(|| Table::new(are_numbers, is_shown));
        let mut line = writer.head();
        let (mut string, mut sorted, mut left) = (Vec::new(), rows.sorted()?, self.top.unwrap_or(u64::MAX));
        loop {
            match &mut table {
                Some(table) => table.write(&line, out)?,
                None => out.write_all(&line)?,
            }
            line.clear();
            if left == 0 || !sorted.next(&mut string)? {
                break;
            }
            left -= 1;
            let Listed { name, record, opponents, named } = Listed::of_bytes(&string);
            let number = |number: u64| Cell::Int(number as i64);
            let share = |of: fn(WinShare) -> f64| {
                // A table is for people: percent.
                record.share().map_or(Cell::Null, |share| match format {
                    RowFormat::Table => Cell::Int((100.0 * of(share)).round() as i64),
                    _ => Cell::Float((of(share) * 1e4).round() / 1e4),
                })
            };
            let year = |of: fn((u16, u16)) -> u16| record.years.map_or(Cell::Null, |years| Cell::Int(of(years).into()));
            let cells = [
                Cell::Text(&name),
                number(record.games),
                number(record.colors[0]),
                number(record.colors[1]),
                number(record.won),
                number(record.lost),
                share(|share| share.share),
                share(|share| share.low),
                share(|share| share.high),
                year(|years| years.0),
                year(|years| years.1),
                number(opponents),
                Cell::Text(&named),
            ];
            writer.row(cells, &mut line);
        }
        match &mut table {
            Some(table) => table.print_waiting(out),
            None => Ok(()),
        }
    }
}
