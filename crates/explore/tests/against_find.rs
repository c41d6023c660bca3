//! Checks that an index finds the same games and hits as a search through all games.

use std::path::PathBuf;

use sgfstream::record::{GameReader, OwnedGame};
use sgfstream::{Detection, Options, SliceReader};
use sgfstream_archive::Input;
use sgfstream_engine::{Engine, Job, Out, Part, PartEnd};
use sgfstream_explore::{Builder, GameFacts, Index, MemoryStore};
use sgfstream_game::{BoardCell, GameBoard, Side};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{LocateResult, Occurrence, Pattern, Query, position_in};
use sgfstream_table::row::{Column, ColumnSet, FilledRow, RowReader};

/// Name of the file and each game.
pub(super) type Games = Vec<(String, OwnedGame)>;

struct Reading;

impl Job for Reading {
    type Worker = FilledRow;
    type Output = Games;

    fn worker(&self) -> FilledRow {
        FilledRow::default()
    }

    fn output(&self) -> Games {
        Vec::new()
    }

    fn read(
        &self,
        filled: &mut FilledRow,
        part: Part<'_>,
        games: &mut Out<'_, Games>,
    ) -> anyhow::Result<PartEnd> {
        let name = part.name().to_string();
        let mut rows = RowReader::of_part(part, filled)?;
        while rows.next_root()? {
            rows.read_rest()?;
            let Some(game) = rows.game() else { continue };
            games.push((name.clone(), game.to_owned_game()));
        }
        Ok(rows.end()?)
    }
}

fn options() -> Options {
    Options::default().with_detection(Detection::LIKELY)
}

pub(super) fn games_in(path: PathBuf) -> Games {
    let mut all = Vec::new();
    Engine::new()
        .with_options(options())
        .run(&[Input::path(path)], &Reading, |outcome| {
            all.append(&mut outcome.output);
            Ok(())
        })
        .expect("readable");
    all
}

fn index_of(games: &Games) -> Index<Vec<u8>> {
    let mut builder = Builder::<_, MemoryStore>::new(Vec::new()).with_variations();
    for (name, game) in games {
        builder
            .add(name, game.record(), false)
            .expect("memory takes all");
    }
    Index::open(builder.finish("a note").expect("memory takes all")).expect("an index")
}

/// Searches all games, and the candidates of the index. Returns the number of matching games and of
/// candidates.
fn compare(index: &Index<Vec<u8>>, query: &Query, condition: Option<&str>) -> (usize, usize) {
    let filter = Filter::finding(query.clone(), condition).expect("a condition");
    let columns = ColumnSet::of(["pb", "winner"].map(|name| Column::find(name).expect("a column")));
    let search = |games: Vec<u32>| {
        let mut found = Vec::new();
        // A pattern of one cell matches thousands of times in a game, so only the first hits and
        // their number are compared.
        let mut reader = index.reader(&filter, columns);
        for game in games {
            if let Some(row) = reader.read(game).expect("memory is readable") {
                let (hits, some) = (row.hits(), row.hits().len().min(4));
                found.push((game, hits[..some].to_vec(), hits.len(), row.row().clone()));
            }
        }
        found
    };
    let candidates = index.candidates(query).expect("memory is readable");
    let looked_at = candidates.len();
    let (all, some) = (search((0..index.len()).collect()), search(candidates));
    assert!(all == some, "{} {}: {query:?}", all.len(), some.len());
    if condition.is_none() {
        compare_located(index, &query.clone().all());
    }
    (all.len(), looked_at)
}

/// Compares the matches that the index locates without reading the games with the matches that
/// reading finds. Returns the number of located games.
fn compare_located(index: &Index<Vec<u8>>, query: &Query) -> usize {
    let candidates = index.candidates(query).expect("memory is readable");
    let filter = Filter::finding(query.clone(), None).expect("no condition");
    let mut reader = index.reader(&filter, GameFacts::columns());
    let (all, mut untold) = (candidates.len(), 0);
    let each = |game, facts: GameFacts, located| {
        let row = reader.read(game)?;
        let found = row.map(|row| row.hits().iter().map(Occurrence::of).collect::<Vec<_>>());
        match located {
            LocateResult::Here(places) => assert_eq!(Some(places), found, "{game}: {query:?}"),
            LocateResult::Unwanted => assert_eq!(None, found, "{game}: {query:?}"),
            LocateResult::Unknown => untold += 1,
        }
        if let Some(row) = row {
            // A row lacks the flags of its game. All other facts are equal.
            let mut expected = GameFacts::of(row.row());
            expected.has_variations = facts.has_variations;
            expected.is_transcoded = facts.is_transcoded;
            expected.is_parted = facts.is_parted;
            assert_eq!(expected, facts, "{game}");
        }
        Ok(())
    };
    index
        .locate(candidates, Some(query), each)
        .expect("memory is readable");
    all - untold
}

/// Searches for random boards of random games: unchanged, transformed, with swapped colors, with
/// the next move, after some moves.
fn compare_boards(games: &Games, count: usize, random: &mut fastrand::Rng) {
    let index = index_of(games);
    let (mut found, mut looked_at, mut tried) = (0, 0, 0);
    while tried < count {
        let (_, game) = &games[random.usize(..games.len())];
        let reader = SliceReader::with_options(game.record().as_bytes(), options());
        let moves = Some(random.u64(0..60)).filter(|_| random.u8(..8) > 0);
        let Some(board) = position_in(reader, moves).expect("a slice can be read") else {
            // Short games and games without a board are drawn often, so only some of them count as
            // tries.
            tried += usize::from(random.u8(..16) == 0);
            continue;
        };
        tried += 1;
        let query = Query::position(board)
            .exact(random.bool())
            .swap_colors(random.u8(..4) == 0);
        let query = if random.u8(..4) == 0 {
            query.by_move(Some(random.u64(0..60)))
        } else {
            query
        };
        let query = if random.u8(..6) == 0 {
            query.mover(Some(Side::White))
        } else {
            query
        };
        let query = if random.bool() { query.all() } else { query };
        let query = query.variations(random.u8(..3) == 0);
        let condition = (random.u8(..4) == 0).then_some("winner = 'B' OR moves > 100");
        let of_query = compare(&index, &query, condition);
        (found, looked_at) = (found + of_query.0, looked_at + of_query.1);
    }
    // Finding the same games is not enough, because an index could name all games. The candidates
    // must be few.
    let (positions, more) = (index.positions(), index.variation_positions());
    println!(
        "{} games, {positions} positions and {more:?}: {found} found of {looked_at} looked at",
        index.len()
    );
    assert!(found > 0 && looked_at < count * games.len() / 2 + 50);
    for moves in ["", "pd", "Q16 D4", "pd dp pp dd", "a1", "e4 d5", "cc"] {
        let query = Query::position_after(moves).expect("moves").all();
        compare(&index, &query, None);
        let (told, all) = (
            compare_located(&index, &query),
            index.candidates(&query).expect("memory is readable").len(),
        );
        println!("`{moves}`: {told} of {all} games are told");
        compare(&index, &query.clone().variations(true), None);
        compare(&index, &query.next("pass").expect("a move"), None);
    }
    let variations = Query::sequence("pd qf", true, true)
        .expect("moves")
        .variations(true);
    assert_eq!(compare(&index, &variations, None).1, games.len());
    compare_patterns(&index, games, count, random);
    compare_sequences(&index, games, count, random);
}

/// Returns a pattern from a rectangle of a board. Some cells are exact, some allow other stones,
/// and some match anything.
fn pattern_of(board: &GameBoard, random: &mut fastrand::Rng) -> String {
    let (columns, rows) = (board.size().columns() as u16, board.size().rows() as u16);
    let mut along = |len: u16| {
        let side = random.u16(1..=len.min(5));
        let start = [0, len - side, random.u16(..=len - side)][random.usize(..3)];
        (start, side)
    };
    let ((left, width), (top, height)) = (along(columns), along(rows));
    let mut edge = |is_there: bool| is_there && random.bool();
    let [is_left, is_right, is_top, is_bottom] = [
        left == 0,
        left + width == columns,
        top == 0,
        top + height == rows,
    ]
    .map(&mut edge);
    let mut lines = Vec::new();
    let line = "-".repeat(width.into());
    lines.extend(is_top.then(|| line.clone()));
    for row in top..top + height {
        let mut text = if is_left {
            "|".to_owned()
        } else {
            String::new()
        };
        for column in left..left + width {
            text.push(
                match (board.stone(BoardCell::new(column, row)), random.u8(..12)) {
                    (_, 0..3) => '?',
                    (None, 3) => 'x',
                    (None, 4) => 'o',
                    (None, 5) => '*',
                    (None, _) => '.',
                    (Some(Side::Black), 3) => 'x',
                    (Some(Side::Black), _) => 'X',
                    (Some(Side::White), 3) => 'o',
                    (Some(Side::White), _) => 'O',
                    (Some(_), _) => '?',
                },
            );
        }
        lines.push(text + if is_right { "|" } else { "" });
    }
    lines.extend(is_bottom.then_some(line));
    lines.join("/")
}

fn compare_patterns(
    index: &Index<Vec<u8>>,
    games: &Games,
    count: usize,
    random: &mut fastrand::Rng,
) {
    let (mut found, mut tried, mut told) = (0, 0, 0);
    for _ in 0..8 * count {
        let (_, game) = &games[random.usize(..games.len())];
        let moves = Some(random.u64(0..120));
        let reader = SliceReader::with_options(game.record().as_bytes(), options());
        let Some(board) = position_in(reader, moves).expect("a slice can be read") else {
            continue;
        };
        // Patterns of only `?`, or with two moves of the same number, are invalid.
        let Ok(pattern) = Pattern::parse(&pattern_of(&board, random)) else {
            continue;
        };
        let query = Query::pattern(pattern)
            .exact(random.bool())
            .swap_colors(random.u8(..4) == 0);
        let query = if random.u8(..4) == 0 {
            query.by_move(Some(random.u64(0..90)))
        } else {
            query
        };
        let query = if random.bool() { query.all() } else { query };
        told += compare_located(index, &query.clone().all());
        let query = query.variations(random.u8(..3) == 0);
        let of_query = compare(index, &query, None);
        (found, tried) = (found + of_query.0, tried + 1);
        if tried == count {
            break;
        }
    }
    println!(
        "{tried} patterns: {found} found and {told} told of {}",
        tried * games.len()
    );
    assert!(found > 0 && told > tried * games.len() / 4);
}

/// Searches for successive moves of a game, as written there.
fn compare_sequences(
    index: &Index<Vec<u8>>,
    games: &Games,
    count: usize,
    random: &mut fastrand::Rng,
) {
    let (mut found, mut tried) = (0, 0);
    for _ in 0..8 * count {
        let (_, game) = &games[random.usize(..games.len())];
        let text = String::from_utf8_lossy(game.record().as_bytes());
        let moves = text
            .split(';')
            .filter_map(|node| node.trim_start().split_once('['))
            .filter(|node| ["B", "W"].contains(&node.0));
        let moves: Vec<&str> = moves
            .filter_map(|node| Some(node.1.split_once(']')?.0))
            .take(80)
            .collect();
        let (gaps, len) = (random.bool(), random.usize(1..5));
        let step = if gaps { random.usize(1..4) } else { 1 };
        let start = random.usize(..moves.len().max(1));
        let moves: Vec<&str> = moves
            .iter()
            .skip(start)
            .step_by(step)
            .take(len)
            .copied()
            .collect();
        let Ok(query) = Query::sequence(&moves.join(" "), random.bool(), gaps) else {
            continue;
        };
        let query = query.exact(random.bool()).swap_colors(random.u8(..4) == 0);
        let query = if random.u8(..4) == 0 {
            query.by_move(Some(random.u64(0..90)))
        } else {
            query
        };
        let of_query = compare(index, &query, None);
        (found, tried) = (found + of_query.0, tried + 1);
        if tried == count {
            break;
        }
    }
    println!(
        "{tried} sequences: {found} found of {}",
        tried * games.len()
    );
    assert!(found > 0);
}

#[test]
fn small_files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let games = games_in(folder);
    assert!(games.len() > 100);
    compare_boards(&games, 60, &mut fastrand::Rng::with_seed(1));
}

/// Small boards, so that games share positions, with variations, captures, setup in the middle,
/// illegal and unreadable moves.
#[test]
fn games_that_meet() {
    let random = &mut fastrand::Rng::with_seed(2);
    let text: Vec<u8> = (1..600).flat_map(|_| game(random)).collect();
    let games = GameReader::new(SliceReader::new(&text));
    let games: Games = games
        .map(|game| ("random.sgf".to_owned(), game.expect("a short game")))
        .collect();
    compare_boards(&games, 150, random);
}

fn point_of(columns: u8, rows: u8, random: &mut fastrand::Rng) -> String {
    let letter = |of: u8, random: &mut fastrand::Rng| char::from(b'a' + random.u8(..of));
    format!("{}{}", letter(columns, random), letter(rows, random))
}

fn game(random: &mut fastrand::Rng) -> Vec<u8> {
    let (columns, rows) = [(3, 3), (4, 4), (3, 4), (5, 5)][random.usize(..4)];
    let game = [1, 1, 1, 2, 11][random.usize(..5)];
    let mut text = format!("(;GM[{game}]SZ[{columns}:{rows}]");
    // Setup in the root or after it.
    if random.u8(..3) == 0 {
        let node = ["", ";", ";;"][random.usize(..3)];
        text += &format!(
            "{node}AB[{}]AW[{}]",
            point_of(columns, rows, random),
            point_of(columns, rows, random)
        );
    }
    let point = |random: &mut fastrand::Rng| point_of(columns, rows, random);
    let mut depth = 0;
    for ply in 0..random.usize(..30) {
        match random.u8(..20) {
            0..2 => (text, depth) = (text + "(", depth + 1),
            2 if depth > 0 => text += ")(",
            3 if depth > 1 => (text, depth) = (text + "))(", depth - 1),
            _ => {}
        }
        let color = ["B", "W"][usize::from((ply % 2 == 1) != (random.u8(..12) == 0))];
        text += &match random.u8(..24) {
            0 => format!(";{color}[]"),
            1 => format!(";{color}[zz]"),
            2 => format!(";A{color}[{}]", point(random)),
            3 => format!(";AE[{}]{color}[{}]", point(random), point(random)),
            _ => format!(";{color}[{}]", point(random)),
        };
    }
    (text + &")".repeat(depth + 1)).into_bytes()
}

/// Searches real archives in the directory `SGF_CORPUS`, with as many queries as an unoptimized
/// build can run.
#[test]
fn real_archives() {
    let Some(directory) = std::env::var_os("SGF_CORPUS") else {
        return println!("skipped: SGF_CORPUS names no directory of real archives");
    };
    let (names, count): (&[&str], usize) = match cfg!(debug_assertions) {
        true => (&["nongo"], 40),
        false => (&["nongo", "go-commented", "joseki", "cjk", "go-pro"], 300),
    };
    for name in names {
        let games = games_in(PathBuf::from(&directory).join(format!("{name}.tar.zst")));
        compare_boards(&games, count, &mut fastrand::Rng::with_seed(3));
    }
}
