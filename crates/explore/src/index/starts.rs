//! Starts of games: how many games begin with each board. The builder sorts them in little memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

use sgfstream_table::find::StartBoard;
use sgfstream_table::row::{Column, ColumnSet, GameRow};

use crate::{ScratchStore, Sorted};

use super::format::StartRow;

/// Maximum number of setups listed for a board and a handicap. The others are counted.
const LISTED: usize = 8;

/// Maximum number of listed setups. For further boards, the setups are only counted.
const LISTED_MAX: usize = 4096;

/// Start of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameStart {
    /// Handicap that the record declares, at least 2.
    pub(super) handicap: Option<i64>,
    /// The board, if the game does not begin with its usual board.
    pub(super) setup: Option<StartBoard>,
}

impl GameStart {
    /// Returns the columns that [`of`](Self::of) needs.
    pub(super) fn columns() -> ColumnSet {
        ColumnSet::of(Column::find("handicap"))
    }

    pub(super) fn of(row: &GameRow, setup: Option<StartBoard>) -> Self {
        Self {
            handicap: row.handicap.filter(|&stones| stones > 1),
            setup,
        }
    }

    /// Returns the start of `game` on a board, to be sorted.
    pub(super) fn record(self, board: u8, game: u32) -> StartRecord {
        let handicap = self
            .handicap
            .map_or(0, |stones| stones.clamp(0, u8::MAX.into()) as u64);
        let StartBoard { canonical, plain } = self.setup.unwrap_or_default();
        [
            u64::from(board) << 8 | handicap,
            canonical,
            plain,
            game.into(),
        ]
    }
}

/// Sorted by board and handicap, then by canonical hash (0 for the usual board), plain hash, and
/// game.
pub(super) type StartRecord = [u64; 4];

/// Returns the rows of each board and handicap, the most frequent setups first.
pub(super) fn start_rows(
    mut sorted: Sorted<StartRecord, impl ScratchStore>,
) -> io::Result<Vec<StartRow>> {
    let mut summary = StartSummary::default();
    let mut last: Option<StartRecord> = None;
    while let Some(start) = sorted.next()? {
        let is_same = |parts: usize| last.is_some_and(|last| last[..parts] == start[..parts]);
        if !is_same(3) {
            summary.end_orientation();
        }
        if !is_same(2) {
            summary.end_setup();
        }
        if !is_same(1) {
            summary.end_group();
        }
        summary.add(&start);
        last = Some(start);
    }
    summary.end_orientation();
    summary.end_setup();
    summary.end_group();
    Ok(summary.rows)
}

/// Summary of sorted starts. Its memory depends on the number of boards and handicaps only.
#[derive(Default)]
struct StartSummary {
    rows: Vec<StartRow>,
    /// Most frequent setups of the current board and handicap, and all its other setups.
    listed: BinaryHeap<Reverse<(u32, Reverse<u32>, StartRow)>>,
    others: StartRow,
    /// The current setup, its most frequent orientation so far, and its current orientation.
    setup: StartRow,
    most: u32,
    orientation: StartRow,
}

impl StartSummary {
    fn add(&mut self, start: &StartRecord) {
        let [group, _, _, game] = *start;
        let row = &mut self.orientation;
        if row.games == 0 {
            let (board, handicap) = ((group >> 8) as u8, group as u8);
            *row = StartRow {
                board,
                handicap,
                games: 0,
                setups: 1,
                example: game as u32,
            };
        }
        row.games += 1;
    }

    fn end_orientation(&mut self) {
        let row = std::mem::take(&mut self.orientation);
        let games = self.setup.games + row.games;
        if row.games > self.most {
            (self.most, self.setup) = (row.games, row);
        }
        self.setup.games = games;
    }

    fn end_setup(&mut self) {
        let row = std::mem::take(&mut self.setup);
        self.most = 0;
        if row.games == 0 {
            return;
        }
        self.listed
            .push(Reverse((row.games, Reverse(row.example), row)));
        let is_full =
            self.listed.len() > LISTED || self.rows.len() + self.listed.len() > LISTED_MAX;
        if is_full && let Some(Reverse((.., least))) = self.listed.pop() {
            self.count_only(least);
        }
    }

    /// Adds a setup to those that are not listed.
    fn count_only(&mut self, row: StartRow) {
        let (games, setups) = (self.others.games + row.games, self.others.setups + 1);
        self.others = StartRow {
            games,
            setups,
            ..row
        };
    }

    fn end_group(&mut self) {
        let sorted = std::mem::take(&mut self.listed).into_sorted_vec();
        let mut listed: Vec<_> = sorted.into_iter().map(|Reverse((.., row))| row).collect();
        // Drop setups with one game from a full list, because the others have no more.
        while self.others.games > 0
            && listed.len() > 1
            && listed.last().is_some_and(|row| row.games == 1)
        {
            listed
                .pop()
                .into_iter()
                .for_each(|row| self.count_only(row));
        }
        self.rows.append(&mut listed);
        let others = std::mem::take(&mut self.others);
        self.rows.extend((others.games > 0).then_some(others));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemoryStore, Sorter};

    #[test]
    fn the_most_frequent_setups_are_listed_and_the_others_counted() {
        let mut sorter =
            Sorter::<StartRecord, MemoryStore>::with_memory(7 * size_of::<StartRecord>());
        let mut push = |start: GameStart, board, game| {
            sorter
                .push(start.record(board, game))
                .expect("memory takes all");
        };
        let mut game = 0;
        // Setup `n` has `n` games of each of two orientations, and one game more of the second one.
        for setup in 1..=20 {
            for at in 0..=2 * setup {
                let board = StartBoard {
                    canonical: setup,
                    plain: 1 - at % 2,
                };
                let start = GameStart {
                    handicap: None,
                    setup: Some(board),
                };
                push(start, 3, game);
                game += 1;
            }
        }
        for setup in 1..=20 {
            let board = StartBoard {
                canonical: setup,
                plain: setup,
            };
            push(
                GameStart {
                    handicap: None,
                    setup: Some(board),
                },
                4,
                game,
            );
        }
        for handicap in [None, Some(2), Some(2), Some(1000)] {
            push(
                GameStart {
                    handicap,
                    setup: None,
                },
                0,
                game,
            );
        }
        let rows =
            start_rows(sorter.sorted().expect("memory takes all")).expect("memory is readable");
        let usual = StartRow {
            setups: 1,
            games: 1,
            example: game,
            ..StartRow::default()
        };
        assert_eq!(
            rows[..3],
            [
                usual,
                StartRow {
                    handicap: 2,
                    games: 2,
                    ..usual
                },
                StartRow {
                    handicap: 255,
                    ..usual
                }
            ]
        );
        let listed: Vec<_> = rows[3..]
            .iter()
            .map(|row| (row.board, row.games, row.setups))
            .collect();
        let mut expected: Vec<_> = (13..=20).rev().map(|setup| (3, 2 * setup + 1, 1)).collect();
        expected.push((3, (1..=12).map(|setup| 2 * setup + 1).sum(), 12));
        expected.extend([(4, 1, 1), (4, 19, 19)]);
        assert_eq!(listed, expected);
        assert!(
            rows.iter()
                .all(|row| StartRow::of_bytes(&row.to_bytes()) == *row)
        );
    }
}
