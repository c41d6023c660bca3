//! How games begin: the first moves of their main lines, as a trie.

use sgfstream_game::Program;
use sgfstream_game::value::Color;

use super::keyed::KeyedIndex;
use super::{Board, PlayedMove};

/// The first move of a line has this before it.
const START: u32 = u32::MAX;

/// First moves to a depth, with the results and years of the games. The lines of Go, Gomoku and Kropki that are the
/// same when the board is turned or mirrored are one line.
///
/// It holds a number of moves of each board; when these are full, a line that would need another
/// one ends before it, and is counted there as [`cut`](Opening::cut). A count is exact as long
/// as nothing is cut; after that, at most the [`cut`](Self::cut) of all are missing from
/// it. Games with stones set up before the first move are not counted, only
/// how many they are.
///
/// ```
/// use sgfstream::{EventReader, SliceReader};
/// use sgfstream_adapt::stats::{Stats, StatsOptions};
///
/// let mut stats = Stats::new(StatsOptions::default().with_opening_depth(2));
/// SliceReader::new(b"(;RE[B+R];B[pd];W[dp];B[qq])(;B[dd];W[pp])(;B[dd])(;AB[pd];W[dd])").drive(&mut stats)?;
/// let (board, games) = stats.openings.boards()[0];
/// assert_eq!((board.to_string().as_str(), games, stats.openings.with_setup()), ("Go 19x19", 3, 1));
/// let first = &stats.openings.lines(board, 1)[0];
/// assert_eq!((first.moves[0].to_string().as_str(), first.count, first.black_wins), ("B pd", 3, 1));
/// assert_eq!(stats.openings.lines(board, 2).len(), 1); // `pd dp` and `dd pp` are one
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Openings {
    depth: usize,
    limit: usize,
    boards: Vec<BoardStart>,
    moves: Vec<OpeningMove>,
    /// Where the move after a move is.
    index: KeyedIndex,
    with_setup: u64,
    /// Games on boards beyond the limit.
    other_boards: u64,
}

#[derive(Clone, Debug)]
struct BoardStart {
    board: Board,
    program: Program,
    games: u64,
    cut: u64,
    /// How many moves there are of it.
    len: usize,
}

#[derive(Clone, Debug)]
struct OpeningMove {
    board: u32,
    parent: u32,
    played: PlayedMove,
    played_in: Games,
    cut: u64,
}

/// A line of first moves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opening {
    /// The moves, from the first.
    pub moves: Vec<PlayedMove>,
    /// Whose points these are: programs name the points of some boards in other ways.
    pub program: Program,
    /// How many games begin so.
    pub count: u64,
    /// How many of them Black won.
    pub black_wins: u64,
    /// How many of them White won.
    pub white_wins: u64,
    /// The first and the last year of those that have a date.
    pub years: Option<(u16, u16)>,
    /// How many of them went on in a way that is not held.
    pub cut: u64,
}

/// How many games there are, who won them, and their first and last year.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Games {
    count: u64,
    black_wins: u64,
    white_wins: u64,
    years: Option<(u16, u16)>,
}

impl Games {
    /// One game.
    pub(super) fn one(winner: Option<Color>, years: Option<(u16, u16)>) -> Self {
        let (black_wins, white_wins) =
            (u64::from(winner == Some(Color::Black)), u64::from(winner == Some(Color::White)));
        Self { count: 1, black_wins, white_wins, years }
    }

    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.black_wins += other.black_wins;
        self.white_wins += other.white_wins;
        self.years = match (self.years, other.years) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.max(two.1))),
            (one, two) => one.or(two),
        };
    }
}

/// How many boards are told apart, and how many of them may be full.
const BOARDS: usize = 64;
const FULL_BOARDS: usize = 8;

impl Openings {
    /// The first `depth` moves: of each board at most `limit`, and eight times as many of all.
    #[must_use]
    pub fn new(depth: usize, limit: usize) -> Self {
        Self {
            depth,
            limit: limit.min(START as usize / FULL_BOARDS),
            boards: Vec::new(),
            moves: Vec::new(),
            index: KeyedIndex::default(),
            with_setup: 0,
            other_boards: 0,
        }
    }

    /// How many moves of a game count.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Counts a game that begins with `line`, which is put in canonical form.
    /// `cut`: a move followed that could not be remembered.
    pub(super) fn add(&mut self, (board, program): (Board, Program), line: &mut [PlayedMove], cut: bool, game: Games) {
        let program = if board.game.has_two_letter_points() { Program::Standard } else { program };
        let Some(start) = self.board(board, program) else {
            self.other_boards += 1;
            return;
        };
        let length = line.len().min(self.depth);
        let line = &mut line[..length];
        for played in line.iter_mut() {
            *played = board.read(*played);
        }
        board.canonical(line);
        self.boards[start as usize].games += 1;
        let mut at = START;
        for &played in &*line {
            match self.step(start, at, played) {
                Some(next) => at = next,
                None => return *self.cut_at(start, at) += 1,
            }
            self.moves[at as usize].played_in.merge(game);
        }
        if cut && length < self.depth {
            *self.cut_at(start, at) += 1;
        }
    }

    /// Counts a game that begins with stones on the board.
    pub(super) fn add_with_setup(&mut self) {
        self.with_setup += 1;
    }

    fn board(&mut self, board: Board, program: Program) -> Option<u32> {
        let known = self.boards.iter().position(|start| (start.board, start.program) == (board, program));
        let at = match known {
            Some(at) => at,
            None if self.boards.len() < BOARDS => {
                self.boards.push(BoardStart { board, program, games: 0, cut: 0, len: 0 });
                self.boards.len() - 1
            }
            None => return None,
        };
        u32::try_from(at).ok()
    }

    fn step(&mut self, board: u32, parent: u32, played: PlayedMove) -> Option<u32> {
        let hash = self.index.hash(&(board, parent, played));
        let is_it = |at: u32| {
            let known = &self.moves[at as usize];
            (known.board, known.parent) == (board, parent) && known.played == played
        };
        if let Some(at) = self.index.find(hash, is_it) {
            return Some(at);
        }
        let start = &mut self.boards[board as usize];
        if start.len >= self.limit || self.moves.len() >= self.limit * FULL_BOARDS {
            return None;
        }
        start.len += 1;
        let at = self.moves.len() as u32;
        self.index.insert(hash, at);
        self.moves.push(OpeningMove { board, parent, played, played_in: Games::default(), cut: 0 });
        Some(at)
    }

    fn cut_at(&mut self, board: u32, at: u32) -> &mut u64 {
        match at {
            START => &mut self.boards[board as usize].cut,
            at => &mut self.moves[at as usize].cut,
        }
    }

    /// The boards with their games, the most frequent first.
    #[must_use]
    pub fn boards(&self) -> Vec<(Board, u64)> {
        let mut rows: Vec<(Board, u64)> = Vec::new();
        for start in &self.boards {
            match rows.iter_mut().find(|row| row.0 == start.board) {
                Some(row) => row.1 += start.games,
                None => rows.push((start.board, start.games)),
            }
        }
        rows.sort_by_key(|&(board, games)| (std::cmp::Reverse(games), board.to_string()));
        rows
    }

    /// The lines of exactly `depth` moves on a board, the most frequent first.
    #[must_use]
    pub fn lines(&self, board: Board, depth: usize) -> Vec<Opening> {
        // A move comes after the one before it.
        let mut lens: Vec<usize> = Vec::with_capacity(self.moves.len());
        for played in &self.moves {
            lens.push(1 + if played.parent == START { 0 } else { lens[played.parent as usize] });
        }
        let line = |last: &OpeningMove| {
            let mut moves = vec![last.played; depth];
            let mut parent = last.parent;
            for played in moves.iter_mut().rev().skip(1) {
                let before = &self.moves[parent as usize];
                (*played, parent) = (before.played, before.parent);
            }
            let Games { count, black_wins, white_wins, years } = last.played_in;
            let program = self.boards[last.board as usize].program;
            Opening { moves, program, count, black_wins, white_wins, years, cut: last.cut }
        };
        let of_depth = self.moves.iter().zip(lens).filter(|(_, len)| *len == depth).map(|(last, _)| last);
        let on_board = of_depth.filter(|last| self.boards[last.board as usize].board == board);
        let mut lines: Vec<_> = on_board.map(line).collect();
        lines.sort_by(|one, two| {
            two.count
                .cmp(&one.count)
                .then_with(|| (&one.moves, one.program as u8).cmp(&(&two.moves, two.program as u8)))
        });
        lines
    }

    /// How many games went on, within the depth, in a way that is not held.
    #[must_use]
    pub fn cut(&self) -> u64 {
        let moves = self.moves.iter().map(|played| played.cut);
        self.boards.iter().map(|start| start.cut).chain(moves).sum()
    }

    /// Games that begin with stones on the board.
    #[must_use]
    pub fn with_setup(&self) -> u64 {
        self.with_setup
    }

    /// Games on boards that are not held: there are more than 64 different
    /// ones.
    #[must_use]
    pub fn other_boards(&self) -> u64 {
        self.other_boards
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Self) {
        self.with_setup += other.with_setup;
        self.other_boards += other.other_boards;
        let boards: Vec<Option<u32>> =
            other.boards.iter().map(|start| self.board(start.board, start.program)).collect();
        for (start, &board) in other.boards.iter().zip(&boards) {
            match board {
                Some(board) => {
                    self.boards[board as usize].games += start.games;
                    self.boards[board as usize].cut += start.cut;
                }
                None => self.other_boards += start.games,
            }
        }
        // A move comes after the one before it, so that one is known already.
        let mut moves: Vec<Option<u32>> = Vec::with_capacity(other.moves.len());
        for theirs in &other.moves {
            let parent = match theirs.parent {
                START => Some(START),
                parent => moves[parent as usize],
            };
            let at = match (boards[theirs.board as usize], parent) {
                (Some(board), Some(parent)) => {
                    let at = self.step(board, parent, theirs.played);
                    match at {
                        Some(at) => {
                            self.moves[at as usize].played_in.merge(theirs.played_in);
                            self.moves[at as usize].cut += theirs.cut;
                        }
                        None => *self.cut_at(board, parent) += theirs.played_in.count,
                    }
                    at
                }
                _ => None,
            };
            moves.push(at);
        }
    }

    /// All that it holds, in an order that does not depend on how it came.
    fn sorted(&self) -> impl PartialEq {
        let line = |board: Board| {
            let lines = (1..=self.depth).flat_map(move |depth| self.lines(board, depth));
            lines.collect::<Vec<_>>()
        };
        let boards: Vec<_> = self.boards().into_iter().map(|(board, games)| (board, games, line(board))).collect();
        (boards, self.with_setup, self.other_boards, self.cut())
    }
}

/// Equal if lines and counts are.
impl PartialEq for Openings {
    fn eq(&self, other: &Self) -> bool {
        self.sorted() == other.sorted()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use sgfstream_game::Game;
    use sgfstream_game::value::BoardSize;

    fn openings(games: &[(u32, Vec<u8>)], depth: usize, limit: usize) -> Openings {
        let mut openings = Openings::new(depth, limit);
        for (side, moves) in games {
            let board = Board::new(Game::Gess, Some(BoardSize::square(*side)));
            let played =
                |(at, &letter): (usize, &u8)| PlayedMove::new(1 + at as u8 % 2, &[letter, b'a']).expect("short");
            let mut line: Vec<_> = moves.iter().enumerate().map(played).collect();
            let winner = [None, Some(Color::Black), Some(Color::White)][line.len() % 3];
            let years = moves.first().map(|&letter| (1900 + u16::from(letter), 2000 + u16::from(letter)));
            openings.add((board, Program::Standard), &mut line, false, Games::one(winner, years));
        }
        openings
    }

    fn games() -> impl Strategy<Value = Vec<(u32, Vec<u8>)>> {
        let line = prop::collection::vec(b'a'..b'e', 0..5);
        prop::collection::vec((prop::sample::select(vec![9u32, 19]), line), 0..60)
    }

    /// A board has its lines whatever was read before it.
    #[test]
    fn boards_do_not_take_the_space_of_others() {
        let large: Vec<_> = (b'a'..=b'z').map(|letter| (19, vec![letter, b'b'])).collect();
        let small = vec![(9, vec![b'a', b'b']), (13, vec![b'c'])];
        let (first, last) = ([large.clone(), small.clone()].concat(), [small, large].concat());
        let all = openings(&first, 2, 10);
        assert!(all == openings(&last, 2, 10));
        assert!(all.boards().iter().all(|&(board, _)| !all.lines(board, 1).is_empty()));
        assert_eq!(all.cut(), 21);
    }

    proptest! {
        #[test]
        fn merged_is_whole(games in games(), cut in 0usize..60) {
            let (one, two) = games.split_at(cut.min(games.len()));
            let mut merged = openings(one, 4, 10_000);
            merged.merge(&openings(two, 4, 10_000));
            prop_assert!(merged == openings(&games, 4, 10_000));
            prop_assert_eq!(merged.cut(), 0);
        }

        #[test]
        fn bounds_hold_when_full(games in games(), cut in 0usize..60, limit in 0usize..20) {
            let (one, two) = games.split_at(cut.min(games.len()));
            let mut merged = openings(one, 4, limit);
            merged.merge(&openings(two, 4, limit));
            let exact = openings(&games, 4, 10_000);
            for openings in [&merged, &openings(&games, 4, limit)] {
                prop_assert!(openings.boards.iter().all(|start| start.len <= limit));
                prop_assert_eq!(openings.boards.iter().map(|start| start.len).sum::<usize>(), openings.moves.len());
                prop_assert_eq!(openings.boards().len(), exact.boards().len());
                for (board, games) in openings.boards() {
                    prop_assert!(exact.boards().contains(&(board, games)));
                    for depth in 1..=4 {
                        let all = exact.lines(board, depth);
                        for line in openings.lines(board, depth) {
                            let other = all.iter().find(|other| other.moves == line.moves).expect("some game has it");
                            prop_assert!(line.count <= other.count && other.count <= line.count + openings.cut());
                        }
                    }
                }
            }
        }
    }
}
