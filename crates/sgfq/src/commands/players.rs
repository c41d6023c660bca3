//! `sgfq players`: the record of each player.

use std::io::Write;

use clap::{Args, ValueEnum};

use sgfstream_adapt::stats::WinShare;
use sgfstream_engine::Out;
use sgfstream_explore::parted_game::each_variation;
use sgfstream_explore::person::{GAME_COLUMNS, PersonPart, PersonQuery, PersonRow};
use sgfstream_explore::players::{
    self, FACTS, ListedPlayer, OPENING_MAX, OpeningRow, PairSorter, Pairs, PlayedOpening,
    PlayerRow, Record, SortedPairs,
};
use sgfstream_game::Coordinates;
use sgfstream_table::filter::PlayerAliases;
use sgfstream_table::find::Query;
use sgfstream_table::row::{Cell, Column, ColumnSet, FilledRow, GameRow, RowReader};

use crate::args::coords::Coords;
use crate::args::io::Io;
use crate::args::threads::{self, OutputTiming, Pool, SUM};
use crate::io::output::Output;
use crate::io::temp_file::{Sorted, TempFile};
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::rows::{RowWriter, Table};
use crate::report::terminal::print_note;

/// Print the record of each player: games, wins, years and opponents.
///
/// A game counts for each of its players, and so does a variation with its own game information.
/// Names are without rank. `share` is the games won divided by the games with a known winner, with
/// its 95 % confidence interval (Wilson score). With a condition such as `player = 'Cho Chikun'`,
/// all other rows are opponents of this player. With `--openings`, each row is an opening of a player, rotated or mirrored as in
/// `sgfq openings`. Games that begin with stones on the board do not count. With `--against`, the
/// first rows are all games of both, the games of `--player` as Black, and its games as White. Then
/// each game follows.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq players --top 20 --sort share --where \"year(date_min) >= 1990\" games/\n\
\x20 sgfq players --player 'Cho Chikun' --against 'Kobayashi Koichi' games/\n\
\x20 sgfq players --openings 4 --player 'Cho Chikun' games/")]
pub(crate) struct Players {
    /// Print only the first N players.
    #[arg(long, short_alias = 'n', value_name = "N")]
    top: Option<u64>,

    /// Sort by this column; `share` sorts by the lower end of its interval.
    #[arg(long, value_enum, value_name = "COLUMN", default_value_t = Order::Games)]
    sort: Order,

    /// Print the openings of each player: the first N moves.
    #[arg(long, value_name = "N", conflicts_with = "sort", value_parser = clap::value_parser!(u64).range(1..=OPENING_MAX))]
    openings: Option<u64>,

    /// Also count variations; a game counts once per opening.
    #[arg(long, requires = "openings")]
    variations: bool,

    /// Print only the player of this name.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Print the games against NAME: all, by color, and one by one.
    #[arg(long, value_name = "NAME", requires = "player", conflicts_with_all = ["sort", "openings"])]
    against: Option<String>,

    /// Output format; the extension of the output file selects it, too [default: table].
    #[arg(short = 'f', long, value_parser = Format::one_of(Format::ROWS))]
    format: Option<Format>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io<Pool>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    Games,
    Won,
    Share,
    Opponents,
    Last,
    Name,
}

impl Order {
    /// Returns a number that is higher for players who come first.
    fn rank(self, record: &Record, opponents: u64) -> u64 {
        match self {
            Self::Games => record.games,
            Self::Won => record.won,
            // From 0 to 1; players without decided games come last.
            Self::Share => record
                .share()
                .map_or(0, |share| 1 + (share.low * f64::from(u32::MAX)) as u64),
            Self::Opponents => opponents,
            Self::Last => record.years.map_or(0, |(_, last)| 1 + u64::from(last)),
            Self::Name => 0,
        }
    }
}

/// Columns of the numbers of a record, in the order of [`numbers`].
const NUMBERS: [&str; 10] = [
    "games",
    "black",
    "white",
    "won",
    "lost",
    "share",
    "share_low",
    "share_high",
    "first",
    "last",
];

/// What the rows are.
enum RowKind {
    Players,
    Openings,
    /// Games of two persons.
    Pair(PersonQuery),
}

impl RowKind {
    /// Returns the columns, and whether each contains numbers.
    fn columns(&self) -> Vec<(&'static str, bool)> {
        let texts = |names: &'static [&'static str]| names.iter().map(|&name| (name, false));
        let numbers = NUMBERS.map(|name| (name, true));
        match self {
            Self::Players => {
                let last = [("opponents", true), ("most_frequent", false)];
                texts(&["player"]).chain(numbers).chain(last).collect()
            }
            Self::Openings => texts(&["player", "board", "moves"])
                .chain(numbers)
                .collect(),
            Self::Pair(_) => texts(&["player", "against", "color"])
                .chain(numbers)
                .chain(texts(&GAME_COLUMNS))
                .collect(),
        }
    }

    /// Adds the players of a game.
    fn take(&self, row: &GameRow, aliases: &PlayerAliases, pairs: &mut Pairs) {
        match self {
            Self::Pair(query) => pairs.take_person(row, &[], query, aliases),
            _ => pairs.take(row, aliases),
        }
    }
}

/// Rows to print, in order.
enum SortedRows<'q> {
    Players(Sorted<PlayerRow>),
    Openings(Sorted<OpeningRow>),
    Pair(&'q PersonQuery, SortedPairs<TempFile>),
}

impl Players {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let format = self.io.destination.format(self.format, Format::ROWS)?;
        let chooser = match self.openings {
            Some(depth) => self
                .io
                .choice
                .finding(Query::opening(depth).variations(self.variations))?,
            None => self.io.choice.parse()?,
        };
        let aliases = self.io.choice.aliases()?;
        let kind = match (&self.player, &self.against, self.openings) {
            (Some(player), Some(against), _) => {
                RowKind::Pair(PersonQuery::new(player, Some(against), &aliases))
            }
            (_, _, Some(_)) => RowKind::Openings,
            _ => RowKind::Players,
        };
        let more = if matches!(kind, RowKind::Pair(_)) {
            &GAME_COLUMNS[..]
        } else {
            &[]
        };
        let columns = ColumnSet::of(
            FACTS
                .iter()
                .chain(more)
                .filter_map(|name| Column::find(name)),
        );
        let job = threads::each_part(
            || {
                (
                    chooser.row(columns).with_final_numbers(),
                    FilledRow::new(columns),
                )
            },
            |(filled, of_variation), part, pairs: &mut Out<'_, Pairs>| {
                let mut rows = RowReader::of_part(part, filled)?;
                while chooser.next(&mut rows)? {
                    if self.openings.is_some() {
                        let Some(filled) = rows.finish_row()? else {
                            continue;
                        };
                        pairs.take_openings(
                            filled.row(),
                            filled.openings(),
                            self.player.as_deref(),
                            &aliases,
                        );
                    } else if rows.facts().is_none_or(|facts| facts.names_player) {
                        let Some(filled) = rows.finish_row()? else {
                            continue;
                        };
                        kind.take(filled.row(), &aliases, pairs);
                    } else {
                        rows.read_rest()?;
                        let Some(game) = rows.game() else { continue };
                        each_variation(game, rows.row(), of_variation, |row| {
                            kind.take(row, &aliases, pairs)
                        })?;
                    }
                    if !threads::hand_out_if_full(pairs) {
                        break;
                    }
                }
                Ok(rows.end()?)
            },
        );
        let mut pairs = PairSorter::<TempFile>::default();
        let exit = self.io.read(OutputTiming::AtEnd, SUM, &job, |result| {
            Ok(pairs.add(std::mem::take(&mut result.output))?)
        })?;
        let rank = |record: &Record, opponents| self.sort.rank(record, opponents);
        let pairs = pairs.sorted()?;
        let columns = kind.columns();
        let rows = match &kind {
            RowKind::Players => SortedRows::Players(players::rows(rank, pairs)?),
            RowKind::Openings => SortedRows::Openings(players::opening_rows(pairs)?),
            RowKind::Pair(query) => SortedRows::Pair(query, pairs),
        };
        let is_shown = self.io.is_shown(out);
        let player = self.player.as_deref().map(|player| aliases.person(player));
        self.io.with(out, |out| {
            self.print(columns, format, is_shown, player, rows, out)
        })?;
        Ok(chooser.or_none(&self.io.inputs, exit))
    }

    fn print(
        &self,
        columns: Vec<(&'static str, bool)>,
        format: Format,
        is_shown: bool,
        player: Option<&str>,
        mut rows: SortedRows<'_>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let (names, are_numbers): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let writer = RowWriter::new(format, names, is_shown);
        let mut table = Table::new(format, are_numbers, is_shown);
        let mut line = writer.head();
        let limit = self.top.unwrap_or(u64::MAX);
        let mut left = limit;
        loop {
            table.write(&line, out)?;
            line.clear();
            if left == 0 {
                break;
            }
            match &mut rows {
                SortedRows::Openings(rows) => {
                    let Some(row) = rows.next()? else { break };
                    let PlayedOpening {
                        name,
                        board,
                        moves,
                        spelled,
                        record,
                    } = PlayedOpening::of(row);
                    let moves = if self.coords.or(Coordinates::Sgf) == Coordinates::Gtp {
                        spelled
                    } else {
                        moves
                    };
                    let names = [&name, &board, &moves].map(|text| Cell::Text(text));
                    writer.row(names.into_iter().chain(numbers(&record, format)), &mut line);
                }
                SortedRows::Players(rows) => {
                    let Some(row) = rows.next()? else { break };
                    let ListedPlayer {
                        name,
                        record,
                        opponents,
                        named,
                    } = ListedPlayer::of(row);
                    if player.is_some_and(|player| player != name) {
                        continue;
                    }
                    let names = [Cell::Int(opponents as i64), Cell::Text(&named)];
                    writer.row(
                        [Cell::Text(&name)]
                            .into_iter()
                            .chain(numbers(&record, format))
                            .chain(names),
                        &mut line,
                    );
                }
                SortedRows::Pair(query, rows) => {
                    let Some(row) = rows.next()?.map(PersonRow::of) else {
                        break;
                    };
                    let Some((color, texts)) = pair_cells(&row) else {
                        continue;
                    };
                    let names =
                        [Some(&*query.player), query.against.as_deref(), color].map(text_or_null);
                    let cells = names
                        .into_iter()
                        .chain(numbers(&row.record, format))
                        .chain(texts.map(text_or_null));
                    writer.row(cells, &mut line);
                }
            }
            left -= 1;
        }
        if left == limit
            && limit > 0
            && let Some(player) = &self.player
        {
            let against = self
                .against
                .as_ref()
                .map_or_else(String::new, |name| format!(" against `{name}`"));
            print_note(&format!(
                "sgfq: no game of `{player}`{against}; `sgfq players` lists the names"
            ));
        }
        table.print_waiting(out)
    }
}

/// Returns the color of a row of two persons, and the texts of [`GAME_COLUMNS`], or `None` if the
/// row is not printed.
fn pair_cells(row: &PersonRow) -> Option<(Option<&str>, [Option<&str>; 4])> {
    let some = |text| Some(text).filter(|text: &&str| !text.is_empty());
    match row.part {
        PersonPart::All => Some((None, [None; 4])),
        PersonPart::Color => Some((Some(&row.name), [None; 4])),
        PersonPart::Game => {
            let game = row.game()?;
            let color = match row.record.colors {
                [0, 0] => None,
                [0, _] => Some("W"),
                _ => Some("B"),
            };
            Some((
                color,
                [
                    some(game.date),
                    some(game.result),
                    some(game.event),
                    some(game.reference),
                ],
            ))
        }
        _ => None,
    }
}

fn text_or_null(text: Option<&str>) -> Cell<'_> {
    text.map_or(Cell::Null, Cell::Text)
}

/// Returns the numbers of a record, in the order of [`NUMBERS`].
fn numbers(record: &Record, format: Format) -> [Cell<'static>; 10] {
    let number = |number: u64| Cell::Int(number as i64);
    let share = |of: fn(WinShare) -> f64| {
        // Tables are for people, so they show percentages.
        record.share().map_or(Cell::Null, |share| match format {
            Format::Table => Cell::Int((100.0 * of(share)).round() as i64),
            _ => Cell::Float((of(share) * 1e4).round() / 1e4),
        })
    };
    let year = |of: fn((u16, u16)) -> u16| {
        record
            .years
            .map_or(Cell::Null, |years| Cell::Int(of(years).into()))
    };
    [
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
    ]
}
