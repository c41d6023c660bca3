//! Counts how often each point of each board was played on the main lines.

use std::collections::HashMap;

use sgfstream_game::Game;
use sgfstream_game::value::Point;

use super::{BoardCounts, BoardId};

/// Maximum number of boards, besides one for each game.
const BOARDS: usize = 16;

/// Counts of moves by point, for each board.
///
/// It has the board with the most moves of each game, and the 16 other boards with the most moves.
/// Games that are known only by number count as one game. Moves on boards that had to be dropped
/// count as [`other_boards`](Self::other_boards).
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_adapt::stats::Stats;
///
/// let mut stats = Stats::default();
/// let input = b"(;SZ[9];B[ee];W[tt];B[ei](;W[ee]))(;GM[11];B[a1])";
/// stats.add_all(&mut GameReader::new(SliceReader::new(input)))?;
/// let go = &stats.heat.boards()[0];
/// assert_eq!((go.get(1, 4, 4), go.get(2, 4, 4), go.passes(2), go.moves()), (1, 1, 1, 4));
/// let hex = &stats.heat.boards()[1];
/// let (played, count) = &hex.texts()[0];
/// assert_eq!((played.color(), played.as_bytes(), *count), (1, &b"a1"[..], 1));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PointCounts {
    boards: Vec<BoardCounts>,
    /// Number of moves on dropped boards.
    pub other_boards: u64,
}

/// Index of the board on which the moves of a game are counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardPlace {
    board: usize,
    /// Columns and rows; 0 if points are not two letters.
    columns: u8,
    rows: u8,
}

impl PointCounts {
    /// Returns the place of a board, which it adds if necessary. If there are too many boards, it
    /// replaces the one with the fewest moves, so a place is valid only until the next call.
    pub(super) fn place(&mut self, board: BoardId) -> BoardPlace {
        let at = match self.boards.iter().position(|heat| heat.board == board) {
            Some(at) => at,
            None => self.take_in(BoardCounts::new(board)),
        };
        let (columns, rows) = self.boards[at].letters.unwrap_or((0, 0));
        BoardPlace {
            board: at,
            columns: columns as u8,
            rows: rows as u8,
        }
    }

    /// Ends a game with this number of moves.
    pub(super) fn end_game(&mut self, place: Option<BoardPlace>, moves: u64) {
        if let Some(heat) = place.and_then(|place| self.boards.get_mut(place.board)) {
            heat.played += moves;
        }
    }

    fn take_in(&mut self, heat: BoardCounts) -> usize {
        if !self.is_full()
            || !self
                .boards
                .iter()
                .any(|held| family(held.board) == family(heat.board))
        {
            self.boards.push(heat);
            return self.boards.len() - 1;
        }
        let at = self
            .least()
            .expect("some game has a second board, as it is full");
        self.other_boards += self.boards[at].moves();
        self.boards[at] = heat;
        at
    }

    fn is_full(&self) -> bool {
        self.boards.len() >= BOARDS && self.boards.len() - self.first_boards().len() >= BOARDS
    }

    /// Returns the board with the most moves of each game.
    fn first_boards(&self) -> HashMap<Game, usize> {
        let mut first: HashMap<Game, usize> = HashMap::new();
        for (at, heat) in self.boards.iter().enumerate() {
            let best = first.entry(family(heat.board)).or_insert(at);
            if heat.rank() < self.boards[*best].rank() {
                *best = at;
            }
        }
        first
    }

    /// Returns the board with the fewest moves, except the first of each game.
    fn least(&self) -> Option<usize> {
        let first = self.first_boards();
        let others =
            (0..self.boards.len()).filter(|at| first[&family(self.boards[*at].board)] != *at);
        others.max_by_key(|&at| self.boards[at].rank())
    }

    /// Counts a move of two bytes, if they name a point of the board. Nearly every move is of this
    /// kind.
    #[inline(always)]
    pub(super) fn add_point(
        &mut self,
        place: Option<BoardPlace>,
        color: u8,
        [column, row]: [u8; 2],
    ) -> bool {
        let Some(place) = place else { return false };
        let (column, row) = (Point::coordinate(column), Point::coordinate(row));
        if column >= place.columns || row >= place.rows {
            return false;
        }
        let of_color = usize::from(color != 1) * usize::from(place.rows) + usize::from(row);
        let at = of_color * usize::from(place.columns) + usize::from(column);
        match self
            .boards
            .get_mut(place.board)
            .and_then(|heat| heat.points.get_mut(at))
        {
            Some(count) => *count += 1,
            None => return false,
        }
        true
    }

    /// Counts a move of any kind.
    pub(super) fn add(&mut self, place: BoardPlace, color: u8, raw: &[u8]) {
        if let [column, row] = *raw
            && self.add_point(Some(place), color, [column, row])
        {
            return;
        }
        self.boards[place.board].add_other(color, raw);
    }

    /// Returns the boards, the one with the most moves first.
    #[must_use]
    pub fn boards(&self) -> Vec<&BoardCounts> {
        let mut boards: Vec<_> = self.boards.iter().collect();
        boards.sort_by_cached_key(|heat| (std::cmp::Reverse(heat.moves()), heat.board.to_string()));
        boards
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.other_boards += other.other_boards;
        for theirs in &other.boards {
            match self
                .boards
                .iter_mut()
                .find(|mine| mine.board == theirs.board)
            {
                Some(mine) => mine.merge(theirs),
                None => self.boards.push(theirs.clone()),
            }
        }
        // Merge all boards first, so that those with the fewest moves in total are dropped.
        while self.boards.len() - self.first_boards().len() > BOARDS {
            let at = self
                .least()
                .expect("some game has a second board, as they are too many");
            self.other_boards += self.boards.swap_remove(at).moves();
        }
    }
}

/// Maps all games that are known only by number to one, because there may be any number of them.
fn family(board: BoardId) -> Game {
    match board.game {
        Game::Number(_) => Game::Number(0),
        game => game,
    }
}

/// Compares boards and counts, regardless of the order of boards.
impl PartialEq for PointCounts {
    fn eq(&self, other: &Self) -> bool {
        let row = |heat: &BoardCounts| {
            let beside = [heat.passes(1), heat.passes(2), heat.off_board, heat.other];
            let counts = (heat.points.clone(), heat.texts(), beside);
            (heat.board, counts)
        };
        let rows = |heat: &Self| heat.boards().into_iter().map(row).collect::<Vec<_>>();
        self.other_boards == other.other_boards && rows(self) == rows(other)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::board_counts::FIELDS;
    use super::*;
    use sgfstream_game::dialect::Variant;
    use sgfstream_game::pentobi::PentobiCells;
    use sgfstream_game::value::BoardSize;

    fn heat(moves: &[(bool, u8, String)]) -> PointCounts {
        let mut heat = PointCounts::default();
        for (is_go, color, raw) in moves {
            let game = if *is_go { Game::Go } else { Game::Hex };
            let place = heat.place(BoardId::new(game, None));
            heat.add(place, *color, raw.as_bytes());
        }
        heat
    }

    #[test]
    fn every_point_has_its_place() {
        let mut heat = PointCounts::default();
        let place = heat.place(BoardId::new(Game::Go, Some(BoardSize::square(52))));
        let letters: Vec<u8> = (b'a'..=b'z').chain(b'A'..=b'Z').collect();
        for &column in &letters {
            for &row in &letters {
                for color in [1, 2] {
                    heat.add(place, color, &[column, row]);
                }
            }
        }
        let board = heat.boards()[0];
        assert!(board.points.iter().all(|&count| count == 1));
        assert_eq!(
            (board.moves(), board.get(1, 51, 51), board.get(1, 52, 0)),
            (2 * 52 * 52, 1, 0)
        );
    }

    #[test]
    fn other_moves_have_separate_counts() {
        let heat = heat(&[
            (true, 1, "tt".into()),
            (true, 2, String::new()),
            (true, 1, "zz".into()),
            (true, 1, "a".into()),
            (true, 1, "x".repeat(40)),
            (false, 2, "swap-pieces".into()),
        ]);
        let go = heat.boards()[0];
        assert_eq!(
            (
                go.passes(1),
                go.passes(2),
                go.off_board,
                go.other,
                go.moves()
            ),
            (1, 1, 3, 0, 5)
        );
    }

    /// Plays `moves` moves on a board.
    fn play(heat: &mut PointCounts, game: Game, side: u32, moves: u64) {
        let place = heat.place(BoardId::new(game, Some(BoardSize::square(side))));
        (0..moves).for_each(|_| heat.add(place, 1, b"a1"));
        heat.end_game(Some(place), moves);
    }

    /// Returns the boards, with the number of moves of each.
    fn held(heat: &PointCounts) -> Vec<(String, u64)> {
        heat.boards()
            .into_iter()
            .map(|heat| (heat.board.to_string(), heat.moves()))
            .collect()
    }

    #[test]
    fn more_than_a_point() {
        let mut heat = PointCounts::default();
        let kropki = heat.place(BoardId::new(Game::Kropki, Some(BoardSize::square(20))));
        heat.add(kropki, 2, b"ce.cecfdgefdece");
        heat.add(
            kropki,
            2,
            &[&b"ce"[..], &b".cecfdgefdece".repeat(20)].concat(),
        );
        let amazons = heat.place(BoardId::new(Game::Amazons, None));
        heat.add(amazons, 1, b"adagcg");
        heat.add(amazons, 1, b"adagc");
        let [kropki, amazons] = [0, 1].map(|at| &heat.boards[at]);
        assert_eq!(
            (kropki.get(2, 2, 4), kropki.off_board, kropki.other),
            (2, 0, 0)
        );
        assert_eq!(
            (amazons.get(1, 0, 6), amazons.off_board, amazons.moves()),
            (1, 1, 2)
        );
    }

    #[test]
    fn boards_that_come_late_have_their_place() {
        let mut heat = PointCounts::default();
        // Early boards, many and hardly used.
        (2..52).for_each(|side| play(&mut heat, Game::Go, side, 1));
        for &variant in Variant::ALL {
            play(&mut heat, Game::Pentobi(variant), 1, 1);
        }
        (1000..1100).for_each(|number| play(&mut heat, Game::Number(number), 9, 2));
        play(&mut heat, Game::Go, 19, 100);
        (3..9).for_each(|side| play(&mut heat, Game::Hex, side, 10));
        let boards = held(&heat);
        for &variant in Variant::ALL {
            assert!(
                boards.contains(&(variant.name().to_owned(), 1)),
                "{variant:?}"
            );
        }
        assert!(
            (3..9).all(|side| boards.contains(&(format!("Hex {side}x{side}"), 10))),
            "{boards:?}"
        );
        assert_eq!(boards[0], ("Go 19x19".to_owned(), 100));
        let games = Variant::ALL.len() + 3;
        assert_eq!(boards.len(), BOARDS + games);
        let sum: u64 = boards.iter().map(|board| board.1).sum();
        assert_eq!(
            sum + heat.other_boards,
            50 + Variant::ALL.len() as u64 + 200 + 100 + 60
        );
    }

    #[test]
    fn the_most_played_are_left_when_merged() {
        let (mut one, mut two) = (PointCounts::default(), PointCounts::default());
        (2..19).for_each(|side| play(&mut one, Game::Go, side, 5));
        (18..35).for_each(|side| play(&mut two, Game::Go, side, 4));
        play(&mut two, Game::Hex, 7, 1);
        one.merge(&two);
        let boards = held(&one);
        assert_eq!(
            (boards.len(), boards[0].clone()),
            (BOARDS + 2, ("Go 18x18".to_owned(), 9))
        );
        assert!(boards.contains(&("Hex 7x7".to_owned(), 1)));
        assert!(
            (2..18).all(|side| boards.contains(&(format!("Go {side}x{side}"), 5))),
            "{boards:?}"
        );
        assert_eq!(one.other_boards, 16 * 4);
    }

    #[test]
    fn indistinct_pieces_are_on_the_board() {
        let mut heat = PointCounts::default();
        let place = heat.place(BoardId::new(Game::Pentobi(Variant::Blokus), None));
        let mut pieces = 0;
        for row in 1..=20 {
            for column in b'a'..b't' {
                for color in 1..=4 {
                    let piece = format!(
                        "{0}{row},{1}{row}",
                        char::from(column),
                        char::from(column + 1)
                    );
                    heat.add(place, color, piece.as_bytes());
                    pieces += 1;
                }
            }
        }
        let board = heat.boards()[0];
        assert!(board.other > 0);
        assert_eq!(
            (board.moves(), board.fields().values().sum::<u64>()),
            (pieces, 2 * pieces)
        );
        let mut twice = heat.clone();
        twice.merge(&heat);
        assert_eq!(twice.boards()[0].fields().values().sum::<u64>(), 4 * pieces);
        // `FIELDS` is enough for the largest board of Pentobi.
        assert!(
            Variant::ALL
                .iter()
                .all(|&variant| PentobiCells::of(variant).count() <= FIELDS)
        );
    }

    proptest! {
        #[test]
        fn merged_is_whole(moves in prop::collection::vec((any::<bool>(), 1u8..3, "[a-t]{2}|[a-k]1|"), 0..80), cut in 0usize..80) {
            let (one, two) = moves.split_at(cut.min(moves.len()));
            let mut merged = heat(one);
            merged.merge(&heat(two));
            prop_assert!(merged == heat(&moves));
        }
    }
}
