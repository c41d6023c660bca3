//! The parser refuses a text as a pattern, a sequence or moves with the place of the error, or the
//! printed result parses to the same query. In a small game of Go, the finder returns the same hits
//! as a plain walk over the boards.

use std::collections::BTreeSet;

use sgfstream::SliceReader;
use sgfstream_table::filter::{Filter, FilterError};
use sgfstream_table::find::{MoveList, Pattern, Query};
use sgfstream_table::row::{ColumnSet, RowReader};

use super::draw::Draw;
use super::{Choice, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "patterns",
    ways: 5,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    let same = match choice.below(5) {
        0 => return texts(&String::from_utf8_lossy(&data[..data.len().min(1024)])),
        1 | 2 => same_pattern,
        3 => same_sequence,
        _ => same_position,
    };
    let mut draw = Draw::new(data, choice);
    let game = Game::draw(&mut draw);
    same(&game, &mut draw);
}

fn texts(text: &str) {
    let shown = |err: FilterError| {
        assert!(
            !err.message().is_empty() && err.to_string().chars().count() < 800,
            "{err}"
        )
    };
    match Pattern::parse(text) {
        Ok(pattern) => {
            let drawn = pattern.draw(|_| None);
            assert_eq!(Pattern::parse(&drawn).as_ref(), Ok(&pattern), "{drawn}");
        }
        Err(err) => shown(err),
    }
    let list = MoveList::parse(text);
    if let Ok(list) = &list {
        let words = text.split_whitespace().count();
        assert!(
            list.len() == words || list.has_setup() && list.len() < words,
            "{text}"
        );
        for game in [
            sgfstream_game::Game::Go,
            sgfstream_game::Game::Hex,
            sgfstream_game::Game::Octi,
        ] {
            let dialect = sgfstream_game::Dialect::new(game, None);
            let Some(steps) = list.steps_on(&dialect) else {
                continue;
            };
            let written: Vec<_> = steps
                .iter()
                .map(|step| step.written(&dialect).to_string())
                .collect();
            let again = MoveList::parse(&written.join(" ")).expect("written steps");
            assert_eq!(again.steps_on(&dialect), Some(steps), "{text}: {written:?}");
        }
    }
    for query in [
        list.map(|_| ()),
        Query::position_after(text).map(|_| ()),
        Query::sequence(text, true, false).map(|_| ()),
        Query::opening(8).next(text).map(|_| ()),
    ] {
        query.unwrap_or_else(shown);
    }
}

type Point = (usize, usize);

/// Stones: 0 for none, 1 for Black, 2 for White.
type Color = u8;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Board {
    columns: usize,
    rows: usize,
    stones: Vec<Color>,
}

impl Board {
    fn at(&self, (column, row): Point) -> Color {
        self.stones[row * self.columns + column]
    }

    fn set(&mut self, (column, row): Point, color: Color) {
        self.stones[row * self.columns + column] = color;
    }

    fn neighbours(&self, (column, row): Point) -> Vec<Point> {
        let beside = [
            (column.wrapping_sub(1), row),
            (column + 1, row),
            (column, row.wrapping_sub(1)),
            (column, row + 1),
        ];
        beside
            .into_iter()
            .filter(|&(column, row)| column < self.columns && row < self.rows)
            .collect()
    }

    /// Returns the group of a stone, if the group has no liberty.
    fn captured(&self, from: Point) -> Vec<Point> {
        let mut chain = vec![from];
        let mut next = 0;
        while let Some(&at) = chain.get(next) {
            next += 1;
            for beside in self.neighbours(at) {
                match self.at(beside) {
                    0 => return Vec::new(),
                    color if color == self.at(from) && !chain.contains(&beside) => {
                        chain.push(beside)
                    }
                    _ => {}
                }
            }
        }
        chain
    }

    /// Plays a move that is no suicide. Returns false for a suicide.
    fn play(&mut self, color: Color, at: Point) -> bool {
        if self.at(at) != 0 {
            return false;
        }
        let before = self.clone();
        self.set(at, color);
        for beside in self.neighbours(at) {
            if self.at(beside) == 3 - color {
                self.captured(beside)
                    .into_iter()
                    .for_each(|stone| self.set(stone, 0));
            }
        }
        if !self.captured(at).is_empty() {
            *self = before;
            return false;
        }
        true
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Played {
    At(Color, Point),
    Pass(Color),
    /// Returns a move off the board.
    Off(Color),
}

impl Played {
    /// Writes the move as a property.
    fn text(self) -> String {
        let letter = |color: Color| if color == 1 { "B" } else { "W" };
        match self {
            Self::At(color, point) => format!("{}[{}]", letter(color), name(point)),
            Self::Pass(color) => format!("{}[]", letter(color)),
            Self::Off(color) => format!("{}[zz]", letter(color)),
        }
    }
}

fn name((column, row): Point) -> String {
    [column, row]
        .into_iter()
        .map(|at| char::from(b'a' + at as u8))
        .collect()
}

/// Game with its boards.
#[derive(Debug)]
struct Game {
    text: String,
    size: (usize, usize),
    moves: Vec<Played>,
    /// Boards to search, each with its number of moves: after the root, after each move and after
    /// each node of setup.
    boards: Vec<(usize, Board)>,
}

impl Game {
    fn draw(draw: &mut Draw<'_>) -> Self {
        let columns = 2 + draw.below(5);
        let rows = if draw.below(3) == 0 {
            2 + draw.below(5)
        } else {
            columns
        };
        let mut board = Board {
            columns,
            rows,
            stones: vec![0; columns * rows],
        };
        let size = if columns == rows {
            columns.to_string()
        } else {
            format!("{columns}:{rows}")
        };
        let mut text = format!("(;GM[1]FF[4]SZ[{size}]");
        let (mut moves, mut color) = (Vec::new(), 1);
        set_up(&mut board, &mut text, draw);
        let mut boards = vec![(0, board.clone())];
        let most = 12 + draw.below(40);
        for _ in 0..most {
            let point = (draw.below(columns), draw.below(rows));
            let played = match draw.below(24) {
                0 => Played::Pass(color),
                1 => Played::Off(color),
                2 => {
                    text.push(';');
                    let len = text.len();
                    set_up(&mut board, &mut text, draw);
                    if text.len() > len {
                        boards.push((moves.len(), board.clone()));
                    }
                    continue;
                }
                3 => {
                    color = 3 - color;
                    continue;
                }
                _ if board.play(color, point) => Played::At(color, point),
                _ => continue,
            };
            moves.push(played);
            text.push(';');
            text.push_str(&played.text());
            boards.push((moves.len(), board.clone()));
            color = 3 - color;
        }
        text.push(')');
        Self {
            text,
            size: (columns, rows),
            moves,
            boards,
        }
    }

    /// Hits of a query, each with the number of moves, the corner and the next move.
    fn found(&self, query: Query) -> Vec<(usize, Point, String)> {
        let filter = Filter::finding(query.all(), None).expect("no condition");
        let mut filled = filter.row(ColumnSet::default());
        let mut rows = RowReader::new(SliceReader::new(self.text.as_bytes()), &mut filled);
        assert!(
            rows.next_root().expect("memory can be read"),
            "{}",
            self.text
        );
        let is_chosen = rows.decide(&filter).expect("memory can be read");
        rows.read_rest().expect("memory can be read");
        let hits = rows.filled().hits();
        assert_eq!(is_chosen, Some(!hits.is_empty()), "{}", self.text);
        let hit = |hit: &sgfstream_table::find::Hit| {
            (
                hit.ply as usize,
                (hit.corner.column.into(), hit.corner.row.into()),
                hit.next.clone(),
            )
        };
        let mut found: Vec<_> = hits.iter().map(hit).collect();
        found.sort();
        found
    }

    fn next(&self, ply: usize) -> String {
        self.moves
            .get(ply)
            .map_or_else(String::new, |played| played.text())
    }
}

/// Returns the properties of a node that sets up some stones.
fn set_up(board: &mut Board, text: &mut String, draw: &mut Draw<'_>) {
    let mut points: Vec<Point> = Vec::new();
    for (color, ident) in [(1, "AB"), (2, "AW"), (0, "AE")] {
        for number in 0..draw.below(3) {
            let point = (draw.below(board.columns), draw.below(board.rows));
            if points.contains(&point) {
                break;
            }
            points.push(point);
            board.set(point, color);
            text.push_str(&if number == 0 {
                format!("{ident}[{}]", name(point))
            } else {
                format!("[{}]", name(point))
            });
        }
    }
}

/// Returns a rectangle in one of eight orientations: mirrored, then with columns and rows
/// exchanged.
#[derive(Clone, Copy, Debug)]
struct Lay {
    mirrors: [bool; 2],
    is_exchanged: bool,
    swaps_colors: bool,
}

impl Lay {
    fn all(is_exact: bool, swaps: bool) -> Vec<Self> {
        let mut all = Vec::new();
        for number in 0..if is_exact { 1 } else { 8 } {
            for swaps_colors in if swaps {
                vec![false, true]
            } else {
                vec![false]
            } {
                let mirrors = [number & 1 > 0, number & 2 > 0];
                all.push(Self {
                    mirrors,
                    is_exchanged: number & 4 > 0,
                    swaps_colors,
                });
            }
        }
        all
    }

    fn point(self, (column, row): Point, (columns, rows): Point) -> Point {
        let column = if self.mirrors[0] {
            columns - 1 - column
        } else {
            column
        };
        let row = if self.mirrors[1] { rows - 1 - row } else { row };
        if self.is_exchanged {
            (row, column)
        } else {
            (column, row)
        }
    }

    fn size(self, (columns, rows): Point) -> Point {
        if self.is_exchanged {
            (rows, columns)
        } else {
            (columns, rows)
        }
    }

    fn color(self, color: Color) -> Color {
        if self.swaps_colors && color != 0 {
            3 - color
        } else {
            color
        }
    }
}

/// Pattern as a rectangle of signs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    size: Point,
    /// Stones that each cell accepts, row by row.
    cells: Vec<Vec<Color>>,
    /// Left, top, right, bottom.
    edges: [bool; 4],
    labels: Vec<Point>,
}

impl Shape {
    /// Returns a part of a board of the game as a pattern, and lets some signs accept more
    /// contents.
    fn draw(game: &Game, draw: &mut Draw<'_>) -> Self {
        let (columns, rows) = game.size;
        let (_, board) = &game.boards[draw.below(game.boards.len())];
        let size = (1 + draw.below(columns.min(4)), 1 + draw.below(rows.min(3)));
        let corner = (
            draw.below(columns - size.0 + 1),
            draw.below(rows - size.1 + 1),
        );
        let mut cells = Vec::new();
        let mut labels = Vec::new();
        let most = draw.below(4);
        for row in 0..size.1 {
            for column in 0..size.0 {
                let color = board.at((corner.0 + column, corner.1 + row));
                if color == 0 && labels.len() < most && draw.below(2) == 0 {
                    labels.push((column, row));
                    cells.push(vec![0]);
                    continue;
                }
                cells.push(match (draw.below(4), color) {
                    (0, _) => vec![0, 1, 2],
                    (1, 0 | 1) => vec![0, 1],
                    (1, _) => vec![0, 2],
                    _ => vec![color],
                });
            }
        }
        if cells.iter().all(|cell| cell.len() == 3) {
            cells[0] = vec![board.at(corner)];
        }
        let at_edge = [
            corner.0 == 0,
            corner.1 == 0,
            corner.0 + size.0 == columns,
            corner.1 + size.1 == rows,
        ];
        let edges = at_edge.map(|is_there| is_there && draw.below(3) == 0);
        Self {
            size,
            cells,
            edges,
            labels,
        }
    }

    fn text(&self) -> String {
        let [left, top, right, bottom] = self.edges;
        let edge = "-".repeat(self.size.0);
        let row = |row: usize| {
            let sign = |column: usize| {
                if let Some(at) = self.labels.iter().position(|&label| label == (column, row)) {
                    return if self.labels.len() == 1 {
                        '*'
                    } else {
                        char::from(b'1' + at as u8)
                    };
                }
                match self.cells[row * self.size.0 + column][..] {
                    [0] => '.',
                    [1] => 'X',
                    [2] => 'O',
                    [0, 1] => 'x',
                    [0, 2] => 'o',
                    _ => '?',
                }
            };
            let side = |is_edge: bool| if is_edge { "|" } else { "" };
            format!(
                "{}{}{}",
                side(left),
                (0..self.size.0).map(sign).collect::<String>(),
                side(right)
            )
        };
        let rows = (0..self.size.1).map(row);
        let edge = |is_edge: bool| is_edge.then(|| edge.clone());
        edge(top)
            .into_iter()
            .chain(rows)
            .chain(edge(bottom))
            .collect::<Vec<_>>()
            .join("/")
    }

    fn laid(&self, lay: Lay) -> Self {
        let size = lay.size(self.size);
        let mut cells = vec![Vec::new(); self.cells.len()];
        for (at, cell) in self.cells.iter().enumerate() {
            let (column, row) = lay.point((at % self.size.0, at / self.size.0), self.size);
            let mut cell: Vec<Color> = cell.iter().map(|&color| lay.color(color)).collect();
            cell.sort_unstable();
            cells[row * size.0 + column] = cell;
        }
        let mut edges = self.edges;
        for (side, is_mirrored) in lay.mirrors.into_iter().enumerate() {
            if is_mirrored {
                edges.swap(side, side + 2);
            }
        }
        if lay.is_exchanged {
            edges = [edges[1], edges[0], edges[3], edges[2]];
        }
        let labels = self
            .labels
            .iter()
            .map(|&label| lay.point(label, self.size))
            .collect();
        Self {
            size,
            cells,
            edges,
            labels,
        }
    }

    fn is_at(&self, corner: Point, board: &Board) -> bool {
        let [left, top, right, bottom] = self.edges;
        let ends = (corner.0 + self.size.0, corner.1 + self.size.1);
        let are_edges = (!left || corner.0 == 0)
            && (!top || corner.1 == 0)
            && (!right || ends.0 == board.columns)
            && (!bottom || ends.1 == board.rows);
        are_edges
            && self.cells.iter().enumerate().all(|(at, cell)| {
                cell.contains(&board.at((corner.0 + at % self.size.0, corner.1 + at / self.size.0)))
            })
    }
}

fn same_pattern(game: &Game, draw: &mut Draw<'_>) {
    let shape = Shape::draw(game, draw);
    let text = shape.text();
    let pattern = Pattern::parse(&text).unwrap_or_else(|err| panic!("{err}"));
    let (is_exact, swaps) = (draw.below(2) == 0, draw.below(3) == 0);
    let by_move = (draw.below(4) == 0).then(|| draw.below(10));
    let mut shapes: Vec<Shape> = Vec::new();
    for lay in Lay::all(is_exact, swaps) {
        let laid = shape.laid(lay);
        if !shapes.contains(&laid) {
            shapes.push(laid);
        }
    }
    let (columns, rows) = game.size;
    let mut expected = Vec::new();
    for shape in shapes
        .iter()
        .filter(|shape| shape.size.0 <= columns && shape.size.1 <= rows)
    {
        for corner in (0..=rows - shape.size.1)
            .flat_map(|row| (0..=columns - shape.size.0).map(move |at| (at, row)))
        {
            let meant = game
                .boards
                .iter()
                .filter(|(ply, _)| by_move.is_none_or(|most| *ply <= most));
            let mut matched = meant.filter(|(_, board)| shape.is_at(corner, board));
            expected.extend(
                matched.find_map(|&(ply, _)| {
                    Some((ply, corner, next_within(game, shape, corner, ply)?))
                }),
            );
        }
    }
    expected.sort();
    let query = Query::pattern(pattern)
        .exact(is_exact)
        .swap_colors(swaps)
        .by_move(by_move.map(|ply| ply as u64));
    assert_eq!(
        game.found(query),
        expected,
        "`{text}`, {is_exact} {swaps} {by_move:?} in {}",
        game.text
    );
}

/// Returns the next move within a place: the move that the pattern requires, or the move after all
/// required moves. Returns `None` if the game has other moves there.
fn next_within(game: &Game, shape: &Shape, corner: Point, ply: usize) -> Option<String> {
    let mut within = game.moves[ply..].iter().filter(|played| match played {
        Played::At(_, (column, row)) => {
            (corner.0..corner.0 + shape.size.0).contains(column)
                && (corner.1..corner.1 + shape.size.1).contains(row)
        }
        _ => false,
    });
    let (mut last, mut text) = (0, String::new());
    for label in &shape.labels {
        let &played @ Played::At(color, point) = within.next()? else {
            return None;
        };
        if point != (corner.0 + label.0, corner.1 + label.1) || color == last {
            return None;
        }
        (last, text) = (color, played.text());
    }
    if shape.labels.len() == 1 {
        return Some(text);
    }
    Some(
        within
            .next()
            .map_or_else(String::new, |played| played.text()),
    )
}

fn same_sequence(game: &Game, draw: &mut Draw<'_>) {
    let mut sequence: Vec<(Color, Point)> = Vec::new();
    let len = 1 + draw.below(4);
    let start = draw.below(game.moves.len() + 1);
    for played in game.moves[start..].iter().take(8) {
        if let (Played::At(color, point), true) =
            (played, sequence.len() < len && draw.below(3) > 0)
        {
            sequence.push((*color, *point));
        }
    }
    if sequence.is_empty() {
        sequence.push((1, (0, 0)));
    }
    let words: Vec<String> = sequence
        .iter()
        .map(|&(color, point)| Played::At(color, point).text())
        .collect();
    let text = words.join(" ");
    let (is_anywhere, has_gaps) = (draw.below(2) == 0, draw.below(2) == 0);
    let (is_exact, swaps) = (draw.below(2) == 0, draw.below(3) == 0);
    let (columns, rows) = game.size;
    let mut runs: Vec<Vec<(Color, Point)>> = Vec::new();
    for lay in Lay::all(is_exact, swaps)
        .into_iter()
        .filter(|lay| lay.size(game.size) == game.size)
    {
        let run: Vec<_> = sequence
            .iter()
            .map(|&(color, at)| (lay.color(color), lay.point(at, game.size)))
            .collect();
        if !runs.contains(&run) {
            runs.push(run);
        }
    }
    let mut expected = BTreeSet::new();
    for run in &runs {
        let (columns, rows) = (columns as isize, rows as isize);
        let shifts = if is_anywhere {
            (1 - columns..columns, 1 - rows..rows)
        } else {
            (0..1, 0..1)
        };
        for (right, down) in shifts
            .0
            .flat_map(|right| shifts.1.clone().map(move |down| (right, down)))
        {
            let shifted = |&(color, (column, row)): &(Color, Point)| {
                let (column, row) = (column as isize + right, row as isize + down);
                ((0..columns).contains(&column) && (0..rows).contains(&row))
                    .then_some((color, (column as usize, row as usize)))
            };
            if let Some(run) = run.iter().map(shifted).collect::<Option<Vec<_>>>() {
                expected
                    .extend(first_of_run(game, &run, has_gaps).map(|ply| (ply, game.next(ply))));
            }
        }
    }
    let query = Query::sequence(&text, is_anywhere, has_gaps).unwrap_or_else(|err| panic!("{err}"));
    let found: BTreeSet<_> = game
        .found(query.exact(is_exact).swap_colors(swaps))
        .into_iter()
        .map(|(ply, _, next)| (ply, next))
        .collect();
    let how = (is_exact, swaps, is_anywhere, has_gaps);
    assert_eq!(found, expected, "`{text}`, {how:?} in {}", game.text);
}

/// Returns the number of moves after which these moves were played in order. With gaps, moves on
/// other fields may come between.
fn first_of_run(game: &Game, run: &[(Color, Point)], has_gaps: bool) -> Option<usize> {
    let made = game
        .moves
        .iter()
        .zip(1..)
        .filter(|(played, _)| match played {
            Played::At(_, point) => !has_gaps || run.iter().any(|(_, field)| field == point),
            _ => !has_gaps,
        });
    let made: Vec<_> = made.collect();
    let is_run = |window: &&[(&Played, usize)]| {
        window
            .iter()
            .zip(run)
            .all(|((played, _), &(color, point))| **played == Played::At(color, point))
    };
    made.windows(run.len())
        .find(is_run)
        .map(|window| window[run.len() - 1].1)
}

fn same_position(game: &Game, draw: &mut Draw<'_>) {
    let (columns, rows) = game.size;
    let mut target = Board {
        columns,
        rows,
        stones: vec![0; columns * rows],
    };
    let mut words = Vec::new();
    for played in game.moves.iter().take(draw.below(game.moves.len() + 1)) {
        if let Played::At(color, point) = *played
            && target.play(color, point)
        {
            words.push(played.text());
        }
    }
    let text = words.join(" ");
    let (is_exact, swaps) = (draw.below(2) == 0, draw.below(3) == 0);
    let targets: Vec<Board> = Lay::all(is_exact, swaps)
        .into_iter()
        .filter(|lay| lay.size(game.size) == game.size)
        .map(|lay| {
            let mut board = target.clone();
            for point in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
                board.set(lay.point(point, game.size), lay.color(target.at(point)));
            }
            board
        })
        .collect();
    let first = game
        .boards
        .iter()
        .position(|(_, board)| targets.contains(board));
    let expected = first.map(|first| {
        let (ply, board) = &game.boards[first];
        // If setup changes the board before the next move, the move is not played on this board.
        let mut set_up = game.boards[first..].iter().take_while(|(at, _)| at == ply);
        let is_left = set_up.any(|(_, other)| other != board);
        (
            *ply,
            (0, 0),
            if is_left {
                String::new()
            } else {
                game.next(*ply)
            },
        )
    });
    let expected: Vec<_> = expected.into_iter().collect();
    let query = Query::position_after(&text)
        .unwrap_or_else(|err| panic!("{err}"))
        .exact(is_exact)
        .swap_colors(swaps);
    assert_eq!(
        game.found(query),
        expected,
        "`{text}`, {is_exact} {swaps} in {}",
        game.text
    );
}
