//! Summary of the next moves: how often each was played, and who won.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use sgfstream_adapt::stats::BoardRows;
use sgfstream_draw::{Diagram, LABELS};
use sgfstream_explore::GameFacts;
use sgfstream_explore::summary::{CountMode, NextMove, NextMoves, add, in_order, merge};
use sgfstream_game::{BoardCell, Coordinates};
use sgfstream_table::find::{Continuation, Occurrence, Query};
use sgfstream_table::row::{Column, ColumnSet};

use crate::args::io::Io;
use crate::args::threads::{self, ANSWER, OutputTiming, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::json;
use crate::report::rows::write_objects;
use crate::report::tally::{self, Row};
use crate::report::terminal::{self, clean};

/// Writes the summary of the matches of `query` in the selected games.
pub(super) fn write(
    query: &Query,
    chooser: Chooser,
    format: Format,
    how: CountMode,
    io: &Io<Pool>,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let columns = ColumnSet::of(tally::COLUMNS.iter().filter_map(|name| Column::find(name)));
    let job = threads::each_row(
        &chooser,
        || chooser.row(columns).spelling(how.coordinates),
        |filled, summary: &mut NextMoves| {
            let (row, places) = (filled.row(), filled.hits().iter().map(Occurrence::of));
            add(summary, query, how, GameFacts::of(row), places, || {
                tally::place_of(row)
            });
        },
    );
    let mut summary = NextMoves::default();
    let exit = io.with(out, |out| {
        let timing = OutputTiming::Streamed { is_shown: false };
        let exit = io.read(timing, ANSWER, &job, |result| {
            let found = std::mem::take(&mut result.output);
            merge(&mut summary, found, result.before.games);
            Ok(())
        })?;
        let boards = sorted(query, &mut summary);
        match format {
            Format::Table => write_tables(query, how.coordinates, &boards, out)?,
            format => write_objects(
                format,
                &tally::csv_columns(&["board", "next"]),
                objects(&boards),
                out,
            )?,
        }
        Ok(exit)
    })?;
    let exit = exit.or(tally::report_left_out(
        &summary,
        "continuations",
        "hit",
        "hits",
    ));
    Ok(chooser.or_none(&io.inputs, exit))
}

impl threads::Output for NextMoves {}

/// Sorts boards and next moves, the most frequent first.
fn sorted<'s>(query: &Query, summary: &'s mut NextMoves) -> Vec<Board<'s>> {
    summary.sort();
    let board = summary.all.iter().map(|board| {
        let all = in_order(board);
        let title = if query.as_pattern().is_some() {
            board.board.game.name().to_owned()
        } else {
            board.board.to_string()
        };
        Board {
            title,
            rows: board,
            all,
        }
    });
    board.collect()
}

struct Board<'s> {
    /// Game, and the size of its board unless the query is a pattern.
    title: String,
    rows: &'s BoardRows<Continuation, NextMove>,
    all: Vec<(&'s Continuation, &'s NextMove)>,
}

impl Board<'_> {
    /// Returns the letter of a next move, if it is on a point and letters are left.
    fn label(&self, of: &Continuation) -> Option<char> {
        let mut fields = Vec::new();
        for (continuation, _) in &self.all {
            if let Continuation::Field(_, field) = continuation
                && !fields.contains(field)
            {
                fields.push(*field);
            }
        }
        let Continuation::Field(_, wanted) = of else {
            return None;
        };
        LABELS
            .chars()
            .nth(fields.iter().position(|field| field == wanted)?)
    }
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
        writeln!(out, "{}: {} found", board.title, board.rows.tally.count)?;
        let labels: BTreeMap<BoardCell, char> = (board.all.iter())
            .filter_map(|(continuation, _)| match continuation {
                Continuation::Field(_, field) => Some((*field, board.label(continuation)?)),
                _ => None,
            })
            .collect();
        if let Some(pattern) = query.as_pattern() {
            writeln!(
                out,
                "\n{}",
                pattern.draw(|field| labels.get(&field).copied())
            )?;
        } else if let Some(mut diagram) = query
            .board(&board.rows.dialect())
            .and_then(|position| Diagram::new(position, coordinates))
        {
            diagram.marks.labels = labels
                .iter()
                .map(|(field, label)| (*field, label.to_string()))
                .collect();
            writeln!(out)?;
            out.write_all(terminal::diagram_text(&diagram).as_bytes())?;
            writeln!(out)?;
        }
        let mut rows = vec![tally::head(&["", "next"], "count")];
        for (continuation, next) in &board.all {
            let label = board
                .label(continuation)
                .map_or_else(String::new, String::from);
            let name = vec![label, clean(&next.text).into_owned()];
            rows.push(tally::cells(Row {
                name,
                games: &next.tally,
                all: &board.rows.tally,
            }));
        }
        tally::write_table(&rows, 2, out)?;
    }
    Ok(())
}

/// Name of a next move in JSON.
#[derive(Serialize)]
struct NextMoveName<'b> {
    schema: u64,
    board: &'b str,
    next: &'b str,
    color: Option<&'static str>,
}

/// Returns the next moves of all boards as objects.
fn objects<'b>(boards: &'b [Board<'_>]) -> impl Iterator<Item = impl Serialize> + 'b {
    let rows = boards
        .iter()
        .flat_map(|board| board.all.iter().map(move |found| (board, found)));
    rows.map(|(board, (continuation, next))| {
        let game = board.rows.dialect().game();
        let color = continuation.side().map(|side| side.name_in(game));
        let name = NextMoveName {
            schema: json::SCHEMA,
            board: &board.title,
            next: &next.text,
            color,
        };
        Row {
            name,
            games: &next.tally,
            all: &board.rows.tally,
        }
        .fields()
    })
}
