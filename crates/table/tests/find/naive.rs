//! A naive board of Go, and lines of games with the board after each move.

use std::collections::BTreeSet;
use std::fmt::Write;

use sgfstream::SliceReader;
use sgfstream::record::GameReader;
use sgfstream_game::{Facts, Game, board::Symmetry};
use sgfstream_table::find::{Finder, Hit, Query};

use crate::common;

pub(crate) type Point = (u32, u32);

/// A naive board of Go: 0 for empty, 1 for black, 2 for white, row by row.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Naive {
    pub(crate) size: Point,
    pub(crate) stones: Vec<u8>,
}

impl Naive {
    pub(crate) fn new(size: Point) -> Self {
        Self {
            size,
            stones: vec![0; (size.0 * size.1) as usize],
        }
    }

    pub(crate) fn at(&self, (column, row): Point) -> usize {
        (row * self.size.0 + column) as usize
    }

    pub(crate) fn neighbors(&self, (column, row): Point) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        let steps = [(1, 0), (0, 1), (u32::MAX, 0), (0, u32::MAX)];
        let all =
            steps.map(|(right, down): Point| (column.wrapping_add(right), row.wrapping_add(down)));
        all.into_iter()
            .filter(move |point| point.0 < size.0 && point.1 < size.1)
    }

    pub(crate) fn without_liberty(&self, start: Point) -> Option<BTreeSet<Point>> {
        let color = self.stones[self.at(start)];
        let mut group = BTreeSet::from([start]);
        let mut walk = vec![start];
        while let Some(point) = walk.pop() {
            for next in self.neighbors(point) {
                match self.stones[self.at(next)] {
                    0 => return None,
                    stone if stone == color && group.insert(next) => walk.push(next),
                    _ => {}
                }
            }
        }
        Some(group)
    }

    pub(crate) fn play(&mut self, color: u8, point: Point) {
        let at = self.at(point);
        self.stones[at] = color;
        let others = self
            .neighbors(point)
            .filter(|next| self.stones[self.at(*next)] == 3 - color);
        for next in others.collect::<Vec<_>>().into_iter().chain([point]) {
            if self.stones[self.at(next)] != 0
                && let Some(group) = self.without_liberty(next)
            {
                for point in group {
                    let at = self.at(point);
                    self.stones[at] = 0;
                }
            }
        }
    }

    pub(crate) fn changed(&self, symmetry: Symmetry, is_exchanged: bool) -> Self {
        let mut turned = Self::new(symmetry.size(self.size));
        for row in 0..self.size.1 {
            for column in 0..self.size.0 {
                let stone = self.stones[self.at((column, row))];
                let at = turned.at(symmetry.apply((column, row), self.size));
                turned.stones[at] = if is_exchanged {
                    [0, 2, 1][usize::from(stone)]
                } else {
                    stone
                };
            }
        }
        turned
    }
}

/// A main line of Go: its bytes, its moves (`None` is a pass), and the board after each move.
pub(crate) struct Line {
    pub(crate) bytes: Vec<u8>,
    pub(crate) moves: Vec<(u8, Option<Point>)>,
    pub(crate) boards: Vec<Naive>,
}

impl Line {
    /// Returns the line, if the game is Go and begins on an empty board.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let mut games = GameReader::new(SliceReader::new(bytes));
        let game = games.next_game().ok()??.ok()?;
        let facts = Facts::of(game, 0);
        let board = facts.board_size()?;
        let size = (board.columns(), board.rows());
        if facts.game != Game::Go || size.0 > 19 {
            return None;
        }
        let mut moves = Vec::new();
        for node in game.main_line_nodes() {
            for (token, property) in node.properties() {
                if matches!(&*property.ident().canonical(), b"AB" | b"AW" | b"AE") {
                    return None;
                }
                for played in facts.moves_of_token(token) {
                    let point = match played.value.as_bytes() {
                        [] | [b't', b't'] => None,
                        &[column, row] => Some((
                            u32::from(column.checked_sub(b'a')?),
                            u32::from(row.checked_sub(b'a')?),
                        )),
                        _ => return None,
                    };
                    moves.push((played.color, point));
                }
            }
        }
        let on_board = |(_, point): &(u8, Option<Point>)| {
            point.is_none_or(|point| point.0 < size.0 && point.1 < size.1)
        };
        (moves.len() < 1000 && moves.iter().all(on_board)).then_some(())?;
        let mut boards = vec![Naive::new(size)];
        for &(color, point) in &moves {
            let mut board = boards.last()?.clone();
            point.into_iter().for_each(|point| board.play(color, point));
            boards.push(board);
        }
        Some(Self {
            bytes: bytes.to_vec(),
            moves,
            boards,
        })
    }

    /// Returns a random game with captures.
    pub(crate) fn random(size: u32) -> Self {
        let mut text = format!("(;GM[1]SZ[{size}]");
        for number in 0..fastrand::u32(20..120) {
            let letter = |at: u32| char::from(b'a' + at as u8);
            let (column, row) = (fastrand::u32(0..size), fastrand::u32(0..size));
            write!(
                text,
                ";{}[{}{}]",
                if number % 2 == 0 { 'B' } else { 'W' },
                letter(column),
                letter(row)
            )
            .expect("text");
        }
        Self::of((text + ")").as_bytes()).expect("a game")
    }

    pub(crate) fn next_as_written(&self, ply: usize) -> String {
        self.moves
            .get(ply)
            .map_or_else(String::new, |&(color, point)| {
                let point = point.map_or_else(String::new, |(column, row)| {
                    format!(
                        "{}{}",
                        char::from(b'a' + column as u8),
                        char::from(b'a' + row as u8)
                    )
                });
                format!("{}[{point}]", if color == 1 { 'B' } else { 'W' })
            })
    }

    pub(crate) fn find(&self, query: &Query) -> Vec<Hit> {
        hits(&self.bytes, &query.clone().all())
    }
}

/// Returns the hits in the first game.
pub(crate) fn hits(game: &[u8], query: &Query) -> Vec<Hit> {
    let finder = search(game, query.clone());
    assert_eq!(finder.cut(), 0);
    finder.hits().to_vec()
}

/// Searches the first game.
pub(crate) fn search(game: &[u8], query: Query) -> Finder {
    let mut games = GameReader::new(SliceReader::new(game));
    let game = games
        .next_game()
        .expect("no I/O")
        .expect("a game")
        .expect("a short game");
    let mut finder = Finder::new(query);
    finder.search(&Facts::of(game, 0));
    assert!(finder.is_settled());
    finder
}

/// Returns random games, our own files, and every `step`-th real file, at most `limit` in total.
pub(crate) fn lines(step: usize, limit: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = [5, 7, 9, 13]
        .iter()
        .flat_map(|&size| (0..20).map(move |_| Line::random(size)))
        .collect();
    common::each_file(step, |_, bytes| {
        if lines.len() < limit {
            lines.extend(Line::of(bytes));
        }
    });
    lines
}
