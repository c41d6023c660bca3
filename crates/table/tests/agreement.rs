//! Games, nodes, variations, moves and main lines are counted alike by events, `Count`, `Stats`,
//! rows and the checker, in our own files and in real ones.

use crate::common;
use std::collections::BTreeMap;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;

use sgfstream::record::{GameReader, Outline};
use sgfstream::{Code, Event, EventReader, Flow, Property, SliceReader, from_fn};
use sgfstream_adapt::check::{CheckOptions, Finding, InputChecker};
use sgfstream_adapt::stats::BoardId;
use sgfstream_adapt::{Count, Stats};
use sgfstream_archive::Input;
use sgfstream_draw::NodeView;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{
    Coordinates, Dialect, Facts, Game,
    facts::{Info, Moves, NodeTarget},
};
use sgfstream_table::arrow::{PositionOptions, Scan, TableKind};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{Continuation, Finder, Query, position_in};
use sgfstream_table::row::{ColumnSet, FilledRow, RowReader};

/// Counts of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    games: u64,
    nodes: u64,
    variations: u64,
    moves: u64,
    /// Moves of main lines.
    line: u64,
}

/// Returns the games of an input.
fn facts_of_games<T>(bytes: &[u8], mut look: impl FnMut(&Facts<'_>) -> T) -> Vec<T> {
    let mut games = GameReader::new(SliceReader::new(bytes));
    let mut found = Vec::new();
    while let Some(game) = games.next_game().expect("no limit is set") {
        found.push(look(&Facts::of(game.expect("a short game"), 0)));
    }
    found
}

/// Counts by the events of the reader.
fn by_events(bytes: &[u8]) -> Sums {
    let games = facts_of_games(bytes, |facts| facts.game);
    let (mut sums, mut is_line) = (Sums::default(), false);
    let mut count = from_fn(|event, place| {
        match event {
            Event::VariationStart { .. } if place.depth > 1 => sums.variations += 1,
            Event::VariationStart { .. } => is_line = true,
            Event::VariationEnd { .. } => {
                sums.games += u64::from(place.depth == 1);
                is_line = false;
            }
            Event::NodeStart { .. } => sums.nodes += 1,
            Event::Property(property) => {
                let moves = Moves::of(games[place.game as usize - 1], property).count() as u64;
                sums.moves += moves;
                sums.line += if is_line { moves } else { 0 };
            }
            _ => {}
        }
        Flow::Go
    });
    let mut reader = SliceReader::new(bytes);
    reader.hold_games();
    reader.drive(&mut count).expect("no limit is set");
    sums
}

fn by_stats(bytes: &[u8]) -> Sums {
    let mut stats = Stats::default();
    stats
        .add_all(&mut GameReader::new(SliceReader::new(bytes)))
        .expect("no limit is set");
    let Stats {
        games,
        nodes,
        variations,
        moves,
        ..
    } = stats;
    assert_eq!(stats.lengths.count, games);
    Sums {
        games,
        nodes,
        variations,
        moves,
        line: stats.lengths.sum as u64,
    }
}

/// Counts by rows, without the moves of variations, which rows do not have.
fn by_rows(bytes: &[u8]) -> Sums {
    let mut filled = FilledRow::new(ColumnSet::all());
    let mut rows = RowReader::new(SliceReader::new(bytes), &mut filled);
    let mut sums = Sums::default();
    let number = |cell: Option<i64>| cell.expect("a row has it") as u64;
    while let Some(row) = rows.next_row().expect("no limit is set") {
        sums.games += 1;
        sums.nodes += number(row.nodes);
        sums.variations += number(row.variations);
        sums.line += number(row.moves);
    }
    sums
}

/// Counts moves in root nodes, and moves after another move of their node, by the checker's
/// findings and by the nodes.
fn crowded(bytes: &[u8]) -> [[u64; 2]; 2] {
    let mut by_checker = [0; 2];
    let mut count = |finding: Finding| match finding.code {
        Code::MoveInRoot => by_checker[0] += 1,
        Code::TwoMovesInNode => by_checker[1] += 1,
        _ => {}
    };
    let checker = InputChecker::new(CheckOptions::default());
    checker
        .check_all(SliceReader::new(bytes), &mut count)
        .expect("no limit is set");
    let mut by_nodes = [0; 2];
    facts_of_games(bytes, |facts| {
        for (number, node) in facts.record().nodes().enumerate() {
            let is_move = |property: &Property<'_>| facts.moves_of(property).next().is_some();
            let moves = node
                .properties()
                .filter(|(_, property)| is_move(property))
                .count() as u64;
            by_nodes[0] += if number == 0 { moves } else { 0 };
            by_nodes[1] += moves.saturating_sub(1);
        }
    });
    [by_checker, by_nodes]
}

#[test]
fn all_count_the_same() {
    let (mut files, mut sums, mut checked) = (0, Sums::default(), 0);
    common::each_file(1, |name, bytes| {
        let events = by_events(bytes);
        let mut count = Count::default();
        SliceReader::new(bytes)
            .drive(&mut count)
            .expect("no limit is set");
        let count = (count.games, count.nodes, count.variations, count.moves());
        assert_eq!(
            count,
            (events.games, events.nodes, events.variations, events.moves),
            "count: {name}"
        );
        assert_eq!(by_stats(bytes), events, "stats: {name}");
        assert_eq!(by_rows(bytes), Sums { moves: 0, ..events }, "rows: {name}");
        // The checker looks further ahead if nothing declares the game.
        let declared = facts_of_games(bytes, |facts| facts.value(Info::GM).is_some());
        if declared == [true] {
            let [by_checker, by_nodes] = crowded(bytes);
            assert_eq!(by_checker, by_nodes, "check: {name}");
            checked += 1;
        }
        files += 1;
        sums.games += events.games;
        sums.line += events.line;
    });
    println!(
        "{files} files, {checked} of them checked, {} games",
        sums.games
    );
    assert!(files > 50 && sums.games > 50 && sums.line > 500 && checked > 20);
}

/// The facts of a game that other readers print.
#[derive(Clone, Debug, PartialEq)]
struct Root {
    dialect: Dialect,
    size: Option<BoardSize>,
    version: u8,
    has_version: bool,
}

/// Asserts that facts, rows and statistics see the same root of each game.
fn agree(name: &str, bytes: &[u8]) -> usize {
    let roots = facts_of_games(bytes, |facts| Root {
        dialect: facts.dialect(),
        size: facts.board_size(),
        version: facts.version().number(),
        has_version: facts.value(Info::FF).is_some(),
    });
    let mut filled = FilledRow::new(ColumnSet::all());
    let mut rows = RowReader::new(SliceReader::new(bytes), &mut filled);
    let mut stats = Stats::default();
    stats
        .add_all(&mut GameReader::new(SliceReader::new(bytes)))
        .expect("no limit is set");
    let (mut boards, mut versions) = (BTreeMap::<String, u64>::new(), BTreeMap::<i64, u64>::new());
    for (at, root) in roots.iter().enumerate() {
        let number = at + 1;
        let game = root.dialect.game();
        let row = rows.next_row().expect("no limit is set").expect("a game");
        assert_eq!(row.gm, game.number(), "rows: game {number} of {name}");
        let side = |side: fn(BoardSize) -> u32| root.size.map(|size| i64::from(side(size)));
        assert_eq!(
            row.board_width,
            side(BoardSize::columns),
            "rows: game {number} of {name}"
        );
        assert_eq!(
            row.board_height,
            side(BoardSize::rows),
            "rows: game {number} of {name}"
        );
        // If FF is not a version, tables and statistics have no value.
        let is_version = row.ff.is_none_or(|ff| ff == i64::from(root.version));
        assert!(is_version, "rows: game {number} of {name}: {:?}", row.ff);
        if let Some(ff) = row.ff.filter(|_| root.has_version) {
            *versions.entry(ff).or_default() += 1;
        }
        let has_own_size = matches!(game, Game::Pentobi(_) | Game::Backgammon);
        let size = if has_own_size {
            Some(root.dialect.size())
        } else {
            root.size
        };
        let board = BoardId {
            size,
            numbering: root.dialect.numbering(),
            ..BoardId::new(game, size)
        };
        *boards.entry(board.to_string()).or_default() += 1;
    }
    for (board, count) in &boards {
        assert_eq!(
            stats.facts.boards.get(board),
            *count,
            "stats: {board} of {name}"
        );
    }
    for (version, count) in &versions {
        assert_eq!(
            stats.facts.ff.get(version),
            *count,
            "stats: FF[{version}] of {name}"
        );
    }
    let ff = &stats.facts.ff;
    let known = ff.total() - ff.absent - ff.unreadable;
    assert_eq!(known, versions.values().sum::<u64>(), "stats: {name}");
    roots.len()
}

#[test]
fn all_read_the_same_root() {
    let mut games = 0;
    common::each_file(16, |name, bytes| games += agree(name, bytes));
    println!("{games} games");
    assert!(games > 50);
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 512, failure_persistence: None, ..Default::default() })]
    #[test]
    fn all_read_the_same_made_root(
        root in proptest::collection::vec(
            proptest::prop_oneof![
                "GM\\[(1|2|4|6|11|19|40|99| 11|Go|hex|Blokus Duo|Hive|x|)\\]",
                "FF\\[(1|3|4|5|0|-1| 4|x|)\\]",
                "SZ\\[(9|19|13:9|13x9|9 9|100|0|NG|N|x| 11 |19:19|)\\]",
                "(AP\\[(GoRilla:1|HexGui:0.9|kropki.dl.pl:1|Edax:4|Pentobi:1)|SO\\[http://www.littlegolem.net|EV\\[hex.mc|RU\\[LG|XS\\[|5A\\[2|C\\[x)\\]",
                "(B|W|AB|1|A1|P0)\\[(aa|a1|tt|)\\]",
            ],
            0..6,
        ),
        after in "(;[BW]\\[(aa|c4|tt|swap|)\\]){0,3}",
    ) {
        let game = format!("(;{}{after})", root.concat());
        agree(&game, game.as_bytes());
    }
}

/// Returns the identifier in a finding about a value: ``in `B`: expected …``.
fn ident_of(message: &str) -> Option<&str> {
    message.strip_prefix("in `")?.split('`').next()
}

/// Returns the illegal moves of the games of an input, by the checker and by rows. Returns `None`
/// if one of them cannot count them: the checker counts other moves in games with variations, and
/// in lists of moves it skips the later values.
fn illegal_moves(bytes: &[u8]) -> Vec<Option<(u64, u64)>> {
    let mut found: BTreeMap<u64, u64> = BTreeMap::new();
    let mut skipped = std::collections::BTreeSet::new();
    let mut look = |finding: Finding| {
        let is_of_move = |ident: &str| matches!(ident, "B" | "W" | "1" | "2" | "3" | "4");
        let is_illegal = match finding.code {
            Code::OccupiedPoint | Code::IllegalKo | Code::IllegalSuicide | Code::IllegalMove => {
                true
            }
            // A finding about a value, or about a move that was read but is off the board.
            Code::PointOffBoard => ident_of(&finding.message).is_none_or(is_of_move),
            Code::UnreadableValue | Code::EmptyValue => {
                ident_of(&finding.message).is_some_and(is_of_move)
            }
            _ => false,
        };
        *found.entry(finding.game).or_default() += u64::from(is_illegal);
        let is_list = finding.code == Code::TooManyValues
            && ident_of(&finding.message).is_some_and(is_of_move);
        if is_list || matches!(finding.code, Code::CheckLimit | Code::OlderForm) {
            skipped.insert(finding.game);
        }
    };
    let checker = InputChecker::new(CheckOptions::default().with_legality(true));
    checker
        .check_all(SliceReader::new(bytes), &mut look)
        .expect("no limit is set");
    let mut filled = FilledRow::new(ColumnSet::all());
    let mut rows = RowReader::new(SliceReader::new(bytes), &mut filled);
    let mut judged = Vec::new();
    while let Some(row) = rows.next_row().expect("no limit is set") {
        let game = row.game.expect("a row has it") as u64;
        let by_checker = found.get(&game).copied().unwrap_or(0);
        let can_tell = row.variations == Some(0) && !skipped.contains(&game);
        judged.push(
            row.illegal_moves
                .filter(|_| can_tell)
                .map(|illegal| (by_checker, illegal as u64)),
        );
    }
    judged
}

/// All readers of a game find the same moves illegal.
#[test]
fn illegal_moves_are_the_same() {
    let (mut games, mut illegal) = (0, 0);
    common::each_file(16, |name, bytes| {
        for (number, (by_checker, by_rows)) in
            illegal_moves(bytes).into_iter().flatten().enumerate()
        {
            assert_eq!(by_checker, by_rows, "game {number} of {name}");
            (games, illegal) = (games + 1, illegal + by_rows);
        }
    });
    println!("{games} games, {illegal} illegal moves");
    assert!(games > 50);
    let nz = "(;FF[4]GM[1]SZ[5]RU[NZ]AB[ab][bb][ca]AW[ba];W[aa])";
    let ko = "(;FF[4]GM[1]SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb]KO[])";
    for (game, count) in [
        (nz.to_owned(), 0),
        (nz.replace("RU[NZ]", ""), 1),
        (
            nz.replace("RU[NZ]", "RU[koPOSITIONALscoreAREAtaxNONEsui1]"),
            0,
        ),
        (nz.replace("RU[NZ]", "RU[New Zealand Rules]"), 0),
        (nz.replace("RU[NZ]", "RU[Japanese]"), 1),
        (ko.to_owned(), 0),
        (ko.replace("KO[]", ""), 1),
        // Blanks, capitals and words.
        (
            "(;FF[4]GM[1]SZ[9];B[ dd ];W[e\ne];B[  ];W[PASS];B[FF];W[ｇｇ];B[dd])".to_owned(),
            1,
        ),
        ("(;FF[4]GM[1]SZ[9];B[zz];W[what];B[a])".to_owned(), 3),
    ] {
        assert_eq!(
            illegal_moves(game.as_bytes()),
            [Some((count, count))],
            "{game}"
        );
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 512, failure_persistence: None, ..Default::default() })]
    #[test]
    fn illegal_moves_are_the_same_in_made_games(
        root in "GM\\[(1|1|1|4|2|11)\\](RU\\[(NZ|AGA|Japanese|Ing|Tromp Taylor)\\])?(A[BWE]\\[(aa|bb|aa:bc|b b|BA)\\]){0,3}",
        nodes in proptest::collection::vec("[BW]\\[([a-c][a-c]|[a-c][a-c]|[a-c][a-c]|[a-c][a-c]|[a-c][1-3]| aa|B B|tt|pass||x|swap|dd)\\](KO\\[\\])?|A[BWE]\\[[a-c][a-c]\\]", 0..40),
    ) {
        let game = format!("(;FF[4]SZ[3]{root};{})", nodes.join(";"));
        for (by_checker, by_rows) in illegal_moves(game.as_bytes()).into_iter().flatten() {
            proptest::prop_assert_eq!(by_checker, by_rows, "{}", game);
        }
    }
}

/// Meaning of the moves of a game, as several readers see it.
#[derive(Debug, PartialEq)]
struct Meaning {
    illegal: Vec<Option<(u64, u64)>>,
    hash: Option<String>,
    first_moves: Option<String>,
    /// The last board as drawn, and the move that led to it.
    drawn: (Vec<String>, Option<String>, u64),
    /// Plies and continuations of the hits, for a search of the board after the first move.
    hits: Vec<(u64, Continuation)>,
    /// First moves, and the hashes of all boards.
    searched: String,
    tables: Vec<String>,
}

impl Meaning {
    fn of(game: &str) -> Self {
        let bytes = game.as_bytes();
        let mut filled = FilledRow::new(ColumnSet::all());
        let mut rows = RowReader::new(SliceReader::new(bytes), &mut filled);
        let row = rows.next_row().expect("no limit is set").expect("a game");
        let (hash, first_moves) = (row.canonical_hash.clone(), row.first_moves.clone());
        let mut games = GameReader::new(SliceReader::new(bytes));
        let record = games
            .next_game()
            .expect("memory")
            .expect("one game")
            .expect("short");
        let (outline, facts) = (Outline::of(record), Facts::of(record, 0));
        let view_at = |target: NodeTarget| {
            let node = target.find(&outline, &facts).expect("a node");
            NodeView::of(&outline, &facts, node, Coordinates::Gtp, None, &mut None)
                .expect("a board")
        };
        let view = view_at(NodeTarget::End);
        let first = view_at(NodeTarget::Move(1)).diagram.position;
        let (mut hits, mut searched) = (Vec::new(), String::new());
        for query in [Query::position(first), Query::opening(8), Query::boards()] {
            let filter = Filter::finding(query.all(), None).expect("no condition");
            let mut filled = filter.row(ColumnSet::default());
            let mut rows = RowReader::new(SliceReader::new(bytes), &mut filled);
            assert!(rows.next_root().expect("no limit is set"));
            rows.finish_row().expect("no limit is set");
            hits.extend(
                rows.filled()
                    .hits()
                    .iter()
                    .map(|hit| (hit.ply, hit.continuation.clone())),
            );
            searched += &format!(
                "{:?} {:?}",
                rows.filled().opening(),
                rows.filled().finder().map(Finder::boards)
            );
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("game.sgf");
        std::fs::write(&file, game).expect("a file");
        let scans = [
            Scan::of(TableKind::Moves, None),
            Scan::of(TableKind::Lines { legality: true }, None),
            Scan::of(TableKind::Positions(PositionOptions::new(9)), None),
        ];
        let tables = scans.map(|scan| {
            let scan = scan.expect("no condition");
            let batches = scan
                .read(vec![Input::path(&file)])
                .map(|batch| batch.expect("readable").rows);
            let of_batch = |rows: RecordBatch| {
                let names = [
                    "color", "x", "y", "is_pass", "is_legal", "captures", "moves", "move",
                    "colors", "stones",
                ];
                let is_written =
                    |name: &str| name == "move" && rows.column_by_name("kind").is_some();
                let names = names.into_iter().filter(|name| !is_written(name));
                names
                    .map(|name| format!("{name}: {:?}", rows.column_by_name(name)))
                    .collect::<String>()
            };
            batches.map(of_batch).collect::<String>()
        });
        Self {
            illegal: illegal_moves(bytes),
            hash,
            first_moves,
            drawn: (view.diagram.rows(), view.played, view.unread),
            hits,
            searched,
            tables: tables.to_vec(),
        }
    }
}

/// Asserts that the board of move 0 is the board from which searches start. Returns whether both
/// have one.
fn starts_alike(name: &str, bytes: &[u8]) -> bool {
    let mut games = GameReader::new(SliceReader::new(bytes));
    let Some(record) = games.next_game().expect("memory") else {
        return false;
    };
    let (outline, facts) = (
        Outline::of(record.expect("short")),
        Facts::of(record.expect("short"), 0),
    );
    if facts.root_moves().next().is_some() {
        return false;
    }
    let node = NodeTarget::Move(0)
        .find(&outline, &facts)
        .expect("all games have a start");
    let searched = position_in(SliceReader::new(bytes), Some(0)).expect("memory");
    let Ok(view) = NodeView::of(&outline, &facts, node, Coordinates::Gtp, None, &mut None) else {
        return false;
    };
    let drawn = view.diagram.position;
    assert_eq!(
        (Some(drawn.to_string()), view.ply),
        (searched.map(|board| board.to_string()), 0),
        "{name}"
    );
    true
}

#[test]
fn move_0_is_the_start_of_searches() {
    let mut games = 0;
    common::each_file(16, |name, bytes| {
        games += u64::from(starts_alike(name, bytes))
    });
    println!("{games} games");
    assert!(games > 50);
    for game in [
        "(;GM[1]SZ[9];AB[aa]AW[bb];B[cc])",
        "(;GM[1]SZ[9]AB[aa]AW[bb];B[cc])",
        "(;GM[1]SZ[9];C[x];AB[aa]AW[bb];;B[cc];AB[dd])",
        "(;GM[1]SZ[9]C[set](;AB[bb]AW[bc];C[text])(;AB[gb]AW[gc]))",
        "(;GM[1]SZ[9])",
    ] {
        assert!(starts_alike(game, game.as_bytes()), "{game}");
    }
    let bytes = b"(;GM[1]SZ[9];AB[aa]AW[bb];B[cc])";
    let start = position_in(SliceReader::new(bytes), Some(0))
        .expect("memory")
        .expect("a board");
    assert!(start.to_string().starts_with("X........\n.O......."));
}

/// Every spelling of a move is the same move for the checker, hashes, boards, tables and searches.
#[test]
fn spellings_of_a_move_are_read_alike() {
    for (plain, spellings) in [
        (
            "dd",
            &["d d", " dd", "d\nd", "DD", "dD", "ｄｄ", "ｄ d", "\tD D"][..],
        ),
        (
            "",
            &[
                "pass",
                "PASS",
                " pass ",
                "ｐａｓｓ",
                "tt",
                "TT",
                "t t",
                "ｔｔ",
                " ",
            ],
        ),
        ("gg", &["G G", "ｇg"]),
        ("dc", &["Dc"]),
    ] {
        let game = |spelling: &str| {
            format!("(;FF[4]GM[1]SZ[9]AB[cd][dc][ed];B[{spelling}];W[ec];B[de];W[{spelling}])")
        };
        let expected = Meaning::of(&game(plain));
        assert!(
            expected.hash.is_some() && expected.drawn.2 == 0 && !expected.hits.is_empty(),
            "{plain}: {expected:?}"
        );
        for spelling in spellings {
            assert_eq!(Meaning::of(&game(spelling)), expected, "{spelling:?}");
        }
    }
}

/// The table of moves has as many moves as the table of games counts.
#[test]
fn tables_agree() {
    let mut inputs = vec![Input::path(common::root().join("corpus"))];
    inputs.extend(std::env::var_os("SGF_CORPUS").map(|real| Input::path(Path::new(&real))));
    let rows = |scan: Scan| {
        scan.read(inputs.clone())
            .map(|batch| batch.expect("readable").rows)
    };
    let counts = rows(Scan::games("moves", None).expect("a column")).map(|batch| {
        let moves = batch
            .column_by_name("moves")
            .expect("a column")
            .as_primitive::<Int64Type>();
        moves.iter().flatten().sum::<i64>()
    });
    let moves = rows(Scan::of(TableKind::Moves, None).expect("no condition")).map(|batch| {
        let kinds = batch
            .column_by_name("kind")
            .expect("a column")
            .as_string::<i32>();
        kinds.iter().filter(|kind| *kind == Some("move")).count()
    });
    let moves: usize = moves.sum();
    assert_eq!(counts.sum::<i64>(), moves as i64);
    assert!(moves > 500);
}

/// Cases that readers once counted differently.
#[test]
fn small_games() {
    for (game, moves, line) in [
        ("(;GM[Blokus];BLUE[a20][b20];YELLOW[t20][t19])", 2, 2),
        ("(;B[aa][bb];W[cc])", 3, 3),
        ("(;;B[id x])", 1, 1),
        ("(;GM[27];P0[id \"x\"]P1[time 1];P0[1 pass])", 1, 1),
        ("(;1[a1]2[b1]GM[Blokus](;3[c1])(;4[d1]))", 4, 3),
        ("(;1[a1]2[b1](;3[c1]))", 0, 0),
        ("(;B[aa](;W[bb]);B[cc])", 3, 2),
        ("(;;C[x]B[aa]W[bb];AB[cc]B[dd])", 3, 3),
    ] {
        let sums = by_events(game.as_bytes());
        assert_eq!((sums.moves, sums.line), (moves, line), "{game}");
        assert_eq!(by_stats(game.as_bytes()), sums, "{game}");
        assert_eq!(
            by_rows(game.as_bytes()),
            Sums { moves: 0, ..sums },
            "{game}"
        );
    }
}
