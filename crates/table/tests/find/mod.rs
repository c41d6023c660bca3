//! Finders find the same as a naive search, which compares every board of every game with its own
//! board type.

mod naive;
mod setup;

use std::collections::{BTreeSet, HashMap};

use sgfstream::Event;
use sgfstream_adapt::GameTree;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{
    BoardCell, Dialect, Facts, Game, GameBoard, Side, board::Symmetry, dialect::Stone,
    internal::TreePath,
};
use sgfstream_table::find::{Continuation, HITS_MAX, Hit, Pattern, Query};

use self::naive::{Line, Naive, Point, lines};

fn ways(swap_colors: bool) -> impl Iterator<Item = (Symmetry, bool)> {
    let all = |is_exchanged| {
        Symmetry::ALL
            .into_iter()
            .map(move |symmetry| (symmetry, is_exchanged))
    };
    all(false).chain(all(true).filter(move |_| swap_colors))
}

fn position_of(board: &Naive) -> GameBoard {
    let dialect = Dialect::new(Game::Go, Some(BoardSize::new(board.size.0, board.size.1)));
    let mut position = GameBoard::new(&dialect).expect("Go has a board");
    for (at, &stone) in board
        .stones
        .iter()
        .enumerate()
        .filter(|(_, stone)| **stone != 0)
    {
        let at = at as u32;
        let field = BoardCell::new((at % board.size.0) as u16, (at / board.size.0) as u16);
        position
            .set_up(
                Some(Side::ALL[usize::from(stone) - 1]),
                &Stone::Point(field),
            )
            .expect("on the board");
    }
    position
}

/// With real files: every prefix of more than 2,000 games.
#[test]
fn positions() {
    fastrand::seed(1);
    let lines = lines(15, 2600);
    let mut all: HashMap<&Naive, Vec<(usize, usize)>> = HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        for (ply, board) in line.boards.iter().enumerate() {
            all.entry(board).or_default().push((number, ply));
        }
    }
    let mut hits_in_all = 0;
    for round in 0..14 {
        let line = fastrand::choice(&lines).expect("lines");
        let ply = if round == 0 {
            0
        } else {
            fastrand::usize(0..line.boards.len().min([4, 12, 400][round % 3]))
        };
        let swap_colors = round % 2 == 0;
        let (symmetry, is_exchanged) =
            fastrand::choice(ways(swap_colors).collect::<Vec<_>>()).expect("ways");
        let wanted = line.boards[ply].changed(symmetry, is_exchanged);
        // The first time that a game has the board, in any orientation.
        let mut expected: HashMap<usize, usize> = HashMap::new();
        for (symmetry, is_exchanged) in ways(swap_colors) {
            for &(number, ply) in all
                .get(&wanted.changed(symmetry, is_exchanged))
                .into_iter()
                .flatten()
            {
                let first = expected.entry(number).or_insert(ply);
                *first = ply.min(*first);
            }
        }
        let query = Query::position(position_of(&wanted)).swap_colors(swap_colors);
        for (number, line) in lines.iter().enumerate() {
            let hits = line.find(&query);
            let found: Vec<_> = hits
                .iter()
                .map(|hit| (hit.ply as usize, hit.next.replace("tt", "")))
                .collect();
            let expected: Vec<_> = expected
                .get(&number)
                .map(|&ply| (ply, line.next_as_written(ply)))
                .into_iter()
                .collect();
            assert_eq!(found, expected, "round {round}, game {number}");
            for hit in hits {
                let turned = wanted.changed(hit.transform.symmetry, hit.transform.is_exchanged);
                assert!(
                    turned == line.boards[hit.ply as usize],
                    "round {round}, game {number}"
                );
                hits_in_all += 1;
            }
        }
    }
    assert!(hits_in_all > 14);
    println!("{} games, {hits_in_all} hits", lines.len());
}

/// Returns whether a sign of a pattern accepts a stone.
fn fits(sign: u8, stone: u8) -> bool {
    match sign {
        b'X' => stone == 1,
        b'O' => stone == 2,
        b'.' | b'1'..=b'9' => stone == 0,
        b'x' => stone != 2,
        b'o' => stone != 1,
        _ => true,
    }
}

/// A pattern as rows of signs, and the edges that it touches: top, right, bottom, left.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Rect {
    rows: Vec<Vec<u8>>,
    edges: [bool; 4],
}

impl Rect {
    fn text(&self) -> String {
        let line = "-".repeat(self.rows[0].len());
        let row = |row: &Vec<u8>| {
            let [_, right, _, left] = self.edges.map(|is_edge| if is_edge { "|" } else { "" });
            format!("{left}{}{right}", String::from_utf8_lossy(row))
        };
        let mut rows: Vec<String> = self.rows.iter().map(row).collect();
        if self.edges[0] {
            rows.insert(0, line.clone());
        }
        if self.edges[2] {
            rows.push(line);
        }
        rows.join("/")
    }

    /// Returns the pattern after an optional mirroring of left and right, followed by quarter turns
    /// clockwise.
    fn turned(&self, quarters: usize, is_mirrored: bool, is_exchanged: bool) -> Self {
        let mut now = self.clone();
        if is_mirrored {
            now.rows.iter_mut().for_each(|row| row.reverse());
            now.edges.swap(1, 3);
        }
        for _ in 0..quarters {
            let (columns, rows) = (now.rows[0].len(), now.rows.len());
            now.rows = (0..columns)
                .map(|at| (0..rows).rev().map(|row| now.rows[row][at]).collect())
                .collect();
            now.edges.rotate_right(1);
        }
        if is_exchanged {
            for sign in now.rows.iter_mut().flatten() {
                *sign = match *sign {
                    b'X' => b'O',
                    b'O' => b'X',
                    b'x' => b'o',
                    b'o' => b'x',
                    sign => sign,
                };
            }
        }
        now
    }

    fn is_at(&self, board: &Naive, (left, top): Point) -> bool {
        let (columns, rows) = (self.rows[0].len() as u32, self.rows.len() as u32);
        let [at_top, at_right, at_bottom, at_left] = self.edges;
        let (right, bottom) = (left + columns, top + rows);
        right <= board.size.0
            && bottom <= board.size.1
            && (!at_top || top == 0)
            && (!at_left || left == 0)
            && (!at_right || right == board.size.0)
            && (!at_bottom || bottom == board.size.1)
            && self.rows.iter().zip(top..).all(|(row, y)| {
                row.iter()
                    .zip(left..)
                    .all(|(&sign, x)| fits(sign, board.stones[board.at((x, y))]))
            })
    }

    /// Returns a part of a board as a pattern, with some stones replaced by signs that accept more.
    fn cut_from(board: &Naive) -> Self {
        let side = |len: u32| fastrand::u32(1..=len.min(6));
        let (columns, rows) = (side(board.size.0), side(board.size.1));
        let left = fastrand::u32(0..=board.size.0 - columns);
        let top = fastrand::u32(0..=board.size.1 - rows);
        let at_edges = [
            top == 0,
            left + columns == board.size.0,
            top + rows == board.size.1,
            left == 0,
        ];
        let edges = at_edges.map(|is_edge| is_edge && fastrand::bool());
        let sign = |point| match (board.stones[board.at(point)], fastrand::u8(0..8)) {
            (_, 0) => b'?',
            (0, 1) => b'x',
            (0, 2) => b'o',
            (1, 1) => b'x',
            (2, 1) => b'o',
            (stone, _) => b".XO"[usize::from(stone)],
        };
        let mut row = |y| (left..left + columns).map(|x| sign((x, y))).collect();
        let rows = (top..top + rows).map(&mut row).collect();
        Self { rows, edges }
    }
}

#[test]
fn patterns() {
    fastrand::seed(2);
    let lines = lines(1500, 130);
    let mut hits_in_all = 0;
    for round in 0..40 {
        let board = {
            let line = fastrand::choice(&lines).expect("lines");
            fastrand::choice(&line.boards).expect("boards")
        };
        let rect = Rect::cut_from(board);
        let Ok(pattern) = Pattern::parse(&rect.text()) else {
            continue;
        };
        let swap_colors = round % 2 == 0;
        let exact = round % 7 == 6;
        let query = Query::pattern(pattern)
            .swap_colors(swap_colors)
            .exact(exact);
        let mut turned = BTreeSet::new();
        for turns in 0..if exact { 1 } else { 8 } {
            turned.insert(rect.turned(turns % 4, turns >= 4, false));
            if swap_colors {
                turned.insert(rect.turned(turns % 4, turns >= 4, true));
            }
        }
        for line in lines.iter().skip(round % 5).step_by(5) {
            let mut expected: Vec<(u64, Point, String)> = Vec::new();
            for rect in &turned {
                let (columns, rows) = (rect.rows[0].len() as u32, rect.rows.len() as u32);
                for at in 0..line.boards[0].stones.len() as u32 {
                    let corner = (at % line.boards[0].size.0, at / line.boards[0].size.0);
                    let Some(ply) = line
                        .boards
                        .iter()
                        .position(|board| rect.is_at(board, corner))
                    else {
                        continue;
                    };
                    let is_inside = |point: Point| {
                        (corner.0..corner.0 + columns).contains(&point.0)
                            && (corner.1..corner.1 + rows).contains(&point.1)
                    };
                    let next =
                        (ply..line.moves.len()).find(|&at| line.moves[at].1.is_some_and(is_inside));
                    expected.push((
                        ply as u64,
                        corner,
                        next.map_or_else(String::new, |at| line.next_as_written(at)),
                    ));
                }
            }
            if expected.len() > HITS_MAX {
                continue;
            }
            let hits = line.find(&query);
            let seen = |hit: &Hit| {
                (
                    hit.ply,
                    (u32::from(hit.corner.column), u32::from(hit.corner.row)),
                    hit.next.clone(),
                )
            };
            let mut found: Vec<_> = hits.iter().map(seen).collect();
            hits_in_all += found.len();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{}", rect.text());
        }
    }
    assert!(hits_in_all > 100);
}

#[test]
fn sequences() {
    fastrand::seed(3);
    let lines = lines(900, 180);
    let mut hits_in_all = 0;
    for round in 0..60 {
        let line = fastrand::choice(&lines).expect("lines");
        let start = fastrand::usize(0..line.moves.len().max(1));
        let gaps = round % 2 == 0;
        // Take some of the moves in order; without gaps, consecutive ones.
        let moves = line.moves[start.min(line.moves.len())..]
            .iter()
            .filter(|_| !gaps || fastrand::bool());
        let moves: Vec<(u8, Point)> = moves
            .take(fastrand::usize(1..5))
            .filter_map(|&(c, p)| Some((c, p?)))
            .collect();
        let mut points: Vec<Point> = moves.iter().map(|&(_, point)| point).collect();
        points.sort_unstable();
        points.dedup();
        if points.len() < moves.len() || moves.is_empty() {
            continue;
        }
        let letter = |at: u32| char::from(b'a' + at as u8);
        let color = |color: u8| if color == 1 { 'B' } else { 'W' };
        let word = |&(c, (x, y)): &(u8, Point)| format!("{}[{}{}]", color(c), letter(x), letter(y));
        let text = moves.iter().map(word).collect::<Vec<_>>().join(" ");
        let swap_colors = round % 3 == 0;
        let query = Query::sequence(&text, false, gaps)
            .expect("a sequence")
            .swap_colors(swap_colors);
        for line in &lines {
            let size = line.boards[0].size;
            let is_on = |&(_, (x, y)): &(u8, Point)| x < size.0 && y < size.1;
            let mut expected = BTreeSet::new();
            let turned: BTreeSet<Vec<(u8, Point)>> = ways(swap_colors)
                .map(|(symmetry, is_exchanged)| {
                    let turn = |&(c, point): &(u8, Point)| {
                        (
                            if is_exchanged { 3 - c } else { c },
                            symmetry.apply(point, size),
                        )
                    };
                    moves.iter().map(turn).collect()
                })
                .collect();
            for wanted in turned.iter().filter(|_| moves.iter().all(is_on)) {
                expected.extend(
                    (1..=line.moves.len()).find(|&ply| ends_with(&line.moves[..ply], wanted, gaps)),
                );
            }
            let found: BTreeSet<usize> = line
                .find(&query)
                .iter()
                .map(|hit| hit.ply as usize)
                .collect();
            hits_in_all += found.len();
            assert_eq!(
                found,
                expected,
                "{text} {gaps}\n{}",
                String::from_utf8_lossy(&line.bytes)
            );
        }
    }
    assert!(hits_in_all > 60);
}

/// Returns whether the line ends with the last move of the sequence, the other moves of the
/// sequence precede in order, and no other move since the first one was on a cell of the sequence.
fn ends_with(line: &[(u8, Option<Point>)], wanted: &[(u8, Point)], gaps: bool) -> bool {
    let plain: Vec<_> = wanted
        .iter()
        .map(|&(color, point)| (color, Some(point)))
        .collect();
    if !gaps {
        return line.ends_with(&plain);
    }
    let is_of = |point: &Option<Point>| wanted.iter().any(|&(_, wanted)| Some(wanted) == *point);
    let inside: Vec<_> = line
        .iter()
        .filter(|(_, point)| is_of(point))
        .copied()
        .collect();
    inside.ends_with(&plain) && line.last().is_some_and(|(_, point)| is_of(point))
}

/// The sequence lies elsewhere on the board, in the same shape.
#[test]
fn sequences_anywhere() {
    let line = Line::of(b"(;SZ[9];B[cc];W[dc];B[aa];W[gg];B[gh];W[ii])").expect("a game");
    let plies = |query: Query| {
        line.find(&query)
            .iter()
            .map(|hit| hit.ply)
            .collect::<Vec<_>>()
    };
    let query = |gaps| Query::sequence("ee fe", true, gaps).expect("a sequence");
    assert_eq!(plies(query(false)), [2]);
    assert_eq!(plies(query(false).swap_colors(true)), [2, 5]);
    assert_eq!(
        plies(Query::sequence("B[bb] B[dd]", true, true).expect("a sequence")),
        [3]
    );
    assert_eq!(
        plies(Query::sequence("ee fe", false, true).expect("a sequence")),
        [0; 0]
    );
}

/// Labels: the next moves within the pattern, with alternating colors, regardless of moves
/// elsewhere.
#[test]
fn labels() {
    let game = |moves: &str| {
        let moves: String = moves
            .split(' ')
            .map(|word| format!(";{}[{}]", &word[..1], &word[1..]))
            .collect();
        Line::of(format!("(;SZ[9]{moves})").as_bytes()).expect("a game")
    };
    let find = |pattern: &str, line: &Line| {
        let hits =
            line.find(&Query::pattern(Pattern::parse(pattern).expect("a pattern")).exact(true));
        hits.iter()
            .map(|hit| (hit.ply, hit.next.clone()))
            .collect::<Vec<_>>()
    };
    let line = game("Bcc Wgg Bdc Whh Wec Bbc");
    assert_eq!(
        find("?????/?X*??/?????", &line),
        [(1, "B[dc]".to_owned()), (3, "W[ec]".to_owned())]
    );
    assert_eq!(find("X12", &line), [(1, String::new())]);
    assert_eq!(find("X21", &line), []);
    assert_eq!(find(".X12", &line), [(1, "B[bc]".to_owned())]);
}

/// Labels match after each match of a place, even if an earlier match of the place failed.
#[test]
fn labels_after_each_match() {
    fastrand::seed(4);
    let lines = lines(1500, 100);
    let (mut hits_in_all, mut later) = (0, 0);
    for round in 0..60 {
        let line = fastrand::choice(&lines).expect("lines");
        let ply = fastrand::usize(0..line.moves.len().max(1));
        let Some(&(_, Some(first))) = line.moves.get(ply) else {
            continue;
        };
        let board = &line.boards[ply];
        let (columns, rows) = (
            fastrand::u32(1..=board.size.0.min(4)),
            fastrand::u32(1..=board.size.1.min(4)),
        );
        let left = first
            .0
            .saturating_sub(fastrand::u32(0..columns))
            .min(board.size.0 - columns);
        let top = first
            .1
            .saturating_sub(fastrand::u32(0..rows))
            .min(board.size.1 - rows);
        let is_in = |point: Point, (left, top): Point, (columns, rows): Point| {
            (left..left + columns).contains(&point.0) && (top..top + rows).contains(&point.1)
        };
        if board.stones[board.at(first)] != 0 {
            continue;
        }
        let sign = |point| match fastrand::u8(0..3) {
            0 => b".XO"[usize::from(board.stones[board.at(point)])],
            _ => b'?',
        };
        let row = |y| (left..left + columns).map(|x| sign((x, y))).collect();
        let mut rect = Rect {
            rows: (top..top + rows).map(row).collect(),
            edges: [top == 0, false, false, left == 0],
        };
        rect.rows[(first.1 - top) as usize][(first.0 - left) as usize] = b'1';
        let second = line.moves[ply + 1..].iter().filter_map(|&(_, point)| point);
        if let Some(second) = second
            .into_iter()
            .find(|&point| is_in(point, (left, top), (columns, rows)))
            && board.stones[board.at(second)] == 0
            && second != first
            && round % 2 == 0
        {
            rect.rows[(second.1 - top) as usize][(second.0 - left) as usize] = b'2';
        }
        let exact = round % 3 == 0;
        let query = Query::pattern(Pattern::parse(&rect.text()).expect("a pattern")).exact(exact);
        let turned: BTreeSet<Rect> = (0..if exact { 1 } else { 8 })
            .map(|turns| rect.turned(turns % 4, turns >= 4, false))
            .collect();
        for line in lines.iter().skip(round % 13).step_by(13) {
            let board = &line.boards[0];
            let mut expected: Vec<(u64, Point, String)> = Vec::new();
            for rect in &turned {
                let size = (rect.rows[0].len() as u32, rect.rows.len() as u32);
                let cells = (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y)));
                let mut labels: Vec<(u8, Point)> = cells
                    .map(|(x, y)| (rect.rows[y as usize][x as usize], (x, y)))
                    .filter(|(sign, _)| sign.is_ascii_digit())
                    .collect();
                labels.sort_unstable();
                for at in 0..board.stones.len() as u32 {
                    let corner = (at % board.size.0, at / board.size.0);
                    let inside = |ply: usize| {
                        let is_in = move |at: &usize| {
                            line.moves[*at]
                                .1
                                .is_some_and(|point| is_in(point, corner, size))
                        };
                        (ply..line.moves.len()).filter(is_in).collect::<Vec<_>>()
                    };
                    let is_made = |made: &[usize]| {
                        made.len() >= labels.len()
                            && labels.iter().zip(made).all(|(&(_, (x, y)), &at)| {
                                line.moves[at].1 == Some((corner.0 + x, corner.1 + y))
                            })
                            && made[..labels.len()]
                                .windows(2)
                                .all(|two| line.moves[two[0]].0 != line.moves[two[1]].0)
                    };
                    let mut matches =
                        (0..line.boards.len()).filter(|&ply| rect.is_at(&line.boards[ply], corner));
                    let first = matches.clone().next();
                    let Some(ply) = matches.find(|&ply| is_made(&inside(ply))) else {
                        continue;
                    };
                    later += u64::from(first != Some(ply));
                    let next = inside(ply)
                        .get(if labels.len() == 1 { 0 } else { labels.len() })
                        .copied();
                    expected.push((
                        ply as u64,
                        corner,
                        next.map_or_else(String::new, |at| line.next_as_written(at)),
                    ));
                }
            }
            if expected.len() > HITS_MAX {
                continue;
            }
            let seen = |hit: &Hit| {
                (
                    hit.ply,
                    (u32::from(hit.corner.column), u32::from(hit.corner.row)),
                    hit.next.clone(),
                )
            };
            let mut found: Vec<_> = line.find(&query).iter().map(seen).collect();
            hits_in_all += found.len();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{}", rect.text());
        }
    }
    assert!(hits_in_all > 100 && later > 20, "{hits_in_all} {later}");
}

/// Unreadable moves, occupied fields, and setup in several nodes.
#[test]
fn lines_that_are_not_plain() {
    let plies = |bytes: &[u8], query: Query| {
        let hits = naive::hits(bytes, &query.exact(true).all());
        hits.into_iter()
            .map(|hit| (hit.ply, hit.next))
            .collect::<Vec<_>>()
    };
    let off_board = b"(;GM[1]SZ[9];B[cc];W[zz];B[dd];W[ee])";
    let sequence = |moves: &str, gaps| Query::sequence(moves, false, gaps).expect("a sequence");
    assert_eq!(
        plies(off_board, sequence("dd ee", false)),
        [(4, String::new())]
    );
    assert_eq!(
        plies(off_board, sequence("cc ee", true)),
        [(4, String::new())]
    );
    assert_eq!(
        plies(off_board, sequence("B[cc] B[dd]", true)),
        [(3, "W[ee]".to_owned())]
    );
    let pattern = |text: &str| Query::pattern(Pattern::parse(text).expect("a pattern"));
    assert_eq!(plies(off_board, pattern("X?/?X")), [(3, String::new())]);
    assert_eq!(
        plies(off_board, Query::position_after("cc").expect("moves")),
        [(1, "W[zz]".to_owned())]
    );

    let ko = b"(;GM[1]SZ[9];B[aa];W[bb];B[aa];W[bb];B[aa];W[cc])";
    for gaps in [false, true] {
        assert_eq!(
            plies(ko, sequence("aa bb aa cc", gaps)),
            [(6, String::new())],
            "{gaps}"
        );
    }

    let setup = b"(;GM[1]SZ[5];AB[aa];AB[bb];B[cc])";
    for (text, count) in [("---/|X./|..", 1), ("---/|X./|.X", 1), ("---/|X./|O.", 0)] {
        assert_eq!(plies(setup, pattern(text)).len(), count, "{text}");
    }

    let first_match = b"(;GM[1]SZ[5];B[aa];W[ba];B[ca];W[ee])";
    for (text, next) in [
        ("---/|X?*", "B[ca]"),
        ("---/|XO*", "B[ca]"),
        ("---/|X?1", "B[ca]"),
        ("---/|Xo*", "B[ca]"),
    ] {
        assert_eq!(
            plies(first_match, pattern(text)),
            [(2, next.to_owned())],
            "{text}"
        );
    }
}

#[test]
fn a_query_that_is_its_own_mirror_image_has_one_continuation_for_two() {
    let line = |moves: &str| Line::of(format!("(;SZ[9]{moves})").as_bytes()).expect("a game");
    let query = Query::position_after("ee").expect("moves");
    let seen = |moves: &str| line(moves).find(&query)[0].continuation.clone();
    for next in ["cc", "gc", "cg", "gg"] {
        assert_eq!(
            seen(&format!(";B[ee];W[{next}]")),
            Continuation::Field(Side::White, BoardCell::new(6, 2)),
            "{next}"
        );
    }
    assert_eq!(
        seen(";B[ee];W[]"),
        Continuation::Other(Side::White, "pass".to_owned())
    );
    assert_eq!(seen(";B[ee]"), Continuation::End);
}

/// A position in two variations of a game has two continuations.
#[test]
fn variations() {
    let bytes = b"(;SZ[9];B[ee](;W[cc](;B[gg])(;B[gc]))(;W[dd];B[ff](;W[aa])(;W[bb])))";
    let find = |query: Query| {
        let hits = naive::hits(bytes, &query.all());
        hits.iter()
            .map(|hit| format!("{} {}", hit.ply, hit.next))
            .collect::<Vec<_>>()
    };
    let query = |moves: &str| Query::position_after(moves).expect("moves");
    assert_eq!(find(query("ee")), ["1 W[cc]"]);
    assert_eq!(find(query("ee").variations(true)), ["1 W[cc]", "1 W[dd]"]);
    assert_eq!(find(query("ee cc")), ["2 B[gg]"]);
    assert_eq!(
        find(query("ee cc").variations(true)),
        ["2 B[gg]", "2 B[gc]"]
    );
    assert_eq!(
        find(query("ee dd ff").variations(true)),
        ["3 W[aa]", "3 W[bb]"]
    );
    assert_eq!(find(query("ee dd ff")), [""; 0]);
}

#[test]
fn bad_patterns() {
    for (text, message, column) in [
        (
            "",
            "the pattern is empty; write rows of cells such as `.X.`",
            1,
        ),
        (
            "..X/.O",
            "expected a row of 3 cells like the first, found 2",
            5,
        ),
        (
            "..Z",
            "expected `X`, `O`, `.`, `x`, `o`, `?`, `*` or 1 to 9, found `Z`",
            3,
        ),
        (
            "|.X/.O",
            "expected `|` at the start of every row or of no row",
            5,
        ),
        (
            ".X|/.O",
            "expected `|` at the end of every row or of no row",
            5,
        ),
        (
            "??/??",
            "expected a stone or an empty cell, found only `?`",
            1,
        ),
        (
            "1.3",
            "expected the labels 1, 2, … each once, found 3 instead of 2",
            3,
        ),
        (
            "*.1",
            "expected the labels 1, 2, … each once, found 1 instead of 2",
            3,
        ),
        (
            "--/.X/--/..",
            "expected the end of the pattern after its lower edge, found a row",
            10,
        ),
        (
            "--/--/..",
            "expected cells below the upper edge, found another edge",
            4,
        ),
        ("||", "the pattern has no cells between its edges", 1),
    ] {
        let err = Pattern::parse(text).expect_err(text);
        assert_eq!(
            (err.message(), err.column()),
            (message, Some(column)),
            "{text}"
        );
        assert!(text.is_empty() || err.to_string().ends_with('^'), "{err}");
    }
}

/// Writes a random game with nested variations, some of them with setup.
fn tree(depth: u32, text: &mut String) {
    for number in 0..fastrand::u32(1..6) {
        let point = || {
            format!(
                "[{}{}]",
                char::from(b'a' + fastrand::u8(..4)),
                char::from(b'a' + fastrand::u8(..4))
            )
        };
        let moves = format!("{}{}", ["B", "W"][fastrand::usize(..2)], point());
        let node = match fastrand::u8(..8) {
            0 => "C[nothing]".to_owned(),
            1 => format!("AB{}", point()),
            2 => format!("AE{}{}", point(), point()),
            _ => moves,
        };
        *text += &format!(";{node}");
        if depth < 4 && number > 1 && fastrand::u8(..3) == 0 {
            break;
        }
    }
    if depth < 4 {
        for _ in 0..fastrand::usize(..4) {
            text.push('(');
            tree(depth + 1, text);
            text.push(')');
        }
    }
}

/// Returns the board after each node, by its path.
fn boards_by_path(game: &str) -> HashMap<String, GameBoard> {
    let tree = GameTree::parse(game.as_bytes()).expect("a game");
    let (mut path, mut boards) = (TreePath::default(), HashMap::new());
    let start = tree.to_game(GameTree::FACT_NODES);
    let dialect = Facts::of(start.record(), 0).dialect();
    let mut nodes = tree.preorder();
    for event in tree.events() {
        match event {
            Event::VariationStart { .. } if path.depth() == 0 => path.start_game(),
            Event::VariationStart { .. } => _ = path.push(),
            Event::VariationEnd { .. } => path.pop(),
            Event::NodeStart { .. } => {
                path.node();
                let node = nodes.next().expect("as many nodes as events");
                let mut board = GameBoard::new(&dialect).expect("Go");
                for property in tree
                    .path(node)
                    .into_iter()
                    .flat_map(|node| tree.properties(node))
                {
                    board.apply(&property);
                }
                boards.insert(path.to_string(), board);
            }
            _ => {}
        }
    }
    boards
}

#[test]
fn a_hit_names_the_node_that_has_the_board() {
    fastrand::seed(6);
    let (mut hits, mut in_variations) = (0, 0);
    for _ in 0..400 {
        let mut game = "(;GM[1]SZ[4]".to_owned();
        tree(0, &mut game);
        game.push(')');
        let boards = boards_by_path(&game);
        let wanted = fastrand::choice(boards.values()).expect("a root").clone();
        let query = Query::position(wanted.clone())
            .exact(true)
            .variations(true)
            .all();
        let found = naive::hits(game.as_bytes(), &query);
        assert!(!found.is_empty(), "{game}");
        for hit in found {
            let board = boards.get(&hit.node).map(ToString::to_string);
            assert_eq!(board, Some(wanted.to_string()), "{} of {game}", hit.node);
            hits += 1;
            in_variations += usize::from(!hit.node.starts_with('/'));
        }
    }
    assert!(hits > 400 && in_variations > 100, "{hits}, {in_variations}");
}
