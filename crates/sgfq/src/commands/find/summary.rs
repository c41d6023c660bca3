//! Summary of the next moves: how often, and who won.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;

use serde_json::json;

use sgfstream_adapt::stats::{self, BoardRows, Boards, GameTally};
use sgfstream_engine::{Before, Job, Out, Part, PartEnd};
use sgfstream_game::{Coordinates, Field};
use sgfstream_table::find::{Continuation, Query};
use sgfstream_table::games::Kept;
use sgfstream_table::row::{Column, ColumnSet, RowBuilder};

use crate::args::io::Io;
use crate::args::threads::{ANSWER, Pool};
use crate::args::where_games::Chooser;
use crate::io::games::games_of;
use crate::io::output::Output;
use crate::report::board::Diagram;
use crate::report::csv::CsvCells;
use crate::report::exit::Exit;
use crate::report::terminal::clean;
use crate::report::{LABELS, json, tally};

/// How it is written.
#[derive(Clone, Copy)]
pub(super) struct How<'h> {
    pub(super) format: &'h str,
    pub(super) coordinates: Coordinates,
}

/// Writes the summary of what `query` finds in the games that `chooser` chooses.
pub(super) fn write(
    query: &Query,
    chooser: Chooser,
    how: How<'_>,
    io: &Io<Pool>,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let columns = ColumnSet::of(tally::COLUMNS.iter().filter_map(|name| Column::find(name)));
    let cut = chooser.cut(ANSWER);
    let job = Summing { query, chooser, columns, coordinates: how.coordinates };
    let mut summary = Summary::default();
    let exit = io.with(out, |out| {
        let exit = io.answer(false, cut, &job, |unit| {
            if let Some(found) = unit.output.take() {
                merge(&mut summary, found);
            }
            Ok(())
        })?;
        let boards = sorted(&mut summary);
        match how.format {
            "csv" => write_csv(&boards, out)?,
            "jsonl" => write_lines(&boards, out)?,
            _ => write_tables(query, how.coordinates, &boards, out)?,
        }
        Ok(exit)
    })?;
    let exit = exit.or(tally::report_left_out(&summary, "continuations", "hit", "hits"));
    Ok(io.inputs.or_none(exit, !summary.all.is_empty()))
}

struct Summing<'s> {
    query: &'s Query,
    chooser: Chooser,
    columns: ColumnSet,
    coordinates: Coordinates,
}

/// The continuations of each board.
type Summary = Boards<Continuation, Next>;

/// A continuation.
struct Next {
    text: String,
    tally: GameTally,
}

impl Job for Summing<'_> {
    type Worker = RowBuilder;
    type Output = Summary;

    fn worker(&self) -> RowBuilder {
        self.chooser.builder(self.columns).spelling(self.coordinates)
    }

    fn output(&self) -> Summary {
        Summary::default()
    }

    fn shift(&self, summary: &mut Summary, before: &Before) {
        for board in &mut summary.all {
            board.tally.shift(before.games);
            board.rows.values_mut().for_each(|next| next.tally.shift(before.games));
        }
    }

    fn read(
        &self,
        builder: &mut RowBuilder,
        part: Part<'_>,
        summary: &mut Out<'_, Summary>,
    ) -> anyhow::Result<PartEnd> {
        let read = games_of(part, builder, Kept::Nothing, |game| {
            if self.chooser.chooses(game)? {
                let builder = game.finish()?;
                for hit in builder.hits() {
                    let Some(place) =
                        summary.place(stats::Board { game: hit.board.game(), size: Some(hit.board.size()) })
                    else {
                        summary.on_others += 1;
                        continue;
                    };
                    let (row, is_exchanged) = (builder.row(), hit.way.is_exchanged);
                    tally::add(&mut summary.all[place].tally, row, is_exchanged);
                    let new = || Next {
                        text: hit.continuation_text(self.query, self.coordinates),
                        tally: GameTally::default(),
                    };
                    match summary.row(place, hit.continuation.clone(), new) {
                        Some(next) => tally::add(&mut next.tally, row, is_exchanged),
                        None => summary.all[place].left_out += 1,
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(read.continue_value().unwrap_or_default())
    }
}

/// Adds what was found later.
fn merge(summary: &mut Summary, later: Summary) {
    let order = |continuation: &Continuation, next: &Next| (Reverse(next.tally.count), continuation.clone());
    summary.merge(later, order, |all, place, continuation, found| {
        let count = found.tally.count;
        match all.row(place, continuation, || Next { text: found.text, tally: GameTally::default() }) {
            Some(next) => next.tally.merge(found.tally),
            None => all.all[place].left_out += count,
        }
    });
}

/// Boards and continuations, the most frequent first.
fn sorted(summary: &mut Summary) -> Vec<Board<'_>> {
    summary.sort();
    let board = summary.all.iter().map(|board| {
        let mut all: Vec<_> = board.rows.iter().collect();
        all.sort_by(|(one, a), (other, b)| b.tally.count.cmp(&a.tally.count).then_with(|| one.cmp(other)));
        Board { rows: board, all }
    });
    board.collect()
}

struct Board<'s> {
    rows: &'s BoardRows<Continuation, Next>,
    all: Vec<(&'s Continuation, &'s Next)>,
}

impl Board<'_> {
    /// The letter of a continuation, if it is a field and there are letters left.
    fn label(&self, of: &Continuation) -> Option<char> {
        let mut fields = Vec::new();
        for (continuation, _) in &self.all {
            if let Continuation::Field(_, field) = continuation
                && !fields.contains(field)
            {
                fields.push(*field);
            }
        }
        let Continuation::Field(_, wanted) = of else { return None };
        LABELS.chars().nth(fields.iter().position(|field| field == wanted)?)
    }
}

fn title_of(query: &Query, board: &stats::Board) -> String {
    if query.as_pattern().is_some() { board.game.name().to_owned() } else { board.to_string() }
}

fn write_tables(
    query: &Query,
    coordinates: Coordinates,
    boards: &[Board<'_>],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for (at, board) in boards.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}: {} found", title_of(query, &board.rows.board), board.rows.tally.count)?;
        let labels: BTreeMap<Field, char> = (board.all.iter())
            .filter_map(|(continuation, _)| match continuation {
                Continuation::Field(_, field) => Some((*field, board.label(continuation)?)),
                _ => None,
            })
            .collect();
        if let Some(pattern) = query.as_pattern() {
            writeln!(out, "\n{}", pattern.draw(|field| labels.get(&field).copied()))?;
        } else if let Some(mut diagram) =
            query.board(&board.rows.dialect()).and_then(|position| Diagram::new(position, coordinates))
        {
            diagram.marks.labels = labels.iter().map(|(field, label)| (*field, label.to_string())).collect();
            writeln!(out)?;
            diagram.write_text(out)?;
            writeln!(out)?;
        }
        let head = ["", "next", "count", "share", "B wins", "W wins", "B wins of decided", "years", "example"];
        let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
        for (continuation, next) in &board.all {
            let games = &next.tally;
            let row = vec![
                board.label(continuation).map_or_else(String::new, String::from),
                clean(&next.text).into_owned(),
                games.count.to_string(),
                format!("{:.1} %", 100.0 * tally::share(games, &board.rows.tally)),
                games.black.to_string(),
                games.white.to_string(),
                tally::black_share(games),
                tally::years(games),
                clean(&tally::example(games)).into_owned(),
            ];
            rows.push(row);
        }
        write_aligned(&rows, &[2, 3, 4, 5], out)?;
    }
    Ok(())
}

/// Writes rows with the cells of a column below each other, these columns to the right.
pub(crate) fn write_aligned(rows: &[Vec<String>], right: &[usize], out: &mut dyn Write) -> anyhow::Result<()> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate().filter(|(at, _)| widths[*at] > 0) {
            let blanks = " ".repeat(widths[at] - cell.chars().count());
            let (before, after) = if right.contains(&at) { (&*blanks, "") } else { ("", &*blanks) };
            line += &format!("{before}{cell}{after}  ");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn write_csv(boards: &[Board<'_>], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "board,next,count,share,{}", tally::CSV_COLUMNS)?;
    let cells = CsvCells::new(false);
    for board in boards {
        for (_, next) in &board.all {
            let mut line = Vec::new();
            cells.push(&board.rows.board.to_string(), &mut line);
            line.push(b',');
            cells.push(&next.text, &mut line);
            write!(line, ",{},{:.4},", next.tally.count, tally::share(&next.tally, &board.rows.tally))?;
            tally::push_csv(&next.tally, &cells, &mut line);
            line.push(b'\n');
            out.write_all(&line)?;
        }
    }
    Ok(())
}

fn write_lines(boards: &[Board<'_>], out: &mut dyn Write) -> anyhow::Result<()> {
    for board in boards {
        for (continuation, next) in &board.all {
            let mut line = json!({
                "schema": json::SCHEMA,
                "board": board.rows.board.to_string(),
                "next": next.text,
                "color": continuation.side().map(|side| ["B", "W", "3", "4"][side.index()]),
                "count": next.tally.count,
                "share": tally::share(&next.tally, &board.rows.tally),
            });
            tally::add_json(&next.tally, &mut line);
            let mut bytes = Vec::new();
            json::write(&mut bytes, &line)?;
            bytes.push(b'\n');
            out.write_all(&bytes)?;
        }
    }
    Ok(())
}
