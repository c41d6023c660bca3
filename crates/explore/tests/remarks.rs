//! Compares the remarks that an index finds with a walk over all nodes of all games, board by
//! board.

use std::collections::BTreeSet;
use std::path::PathBuf;

use sgfstream::SliceReader;
use sgfstream::record::{GameReader, Outline};
use sgfstream_explore::remarks::RemarkText;
use sgfstream_explore::{Builder, Index, MemoryStore};
use sgfstream_game::{BoardCell, Facts, Game, GameBoard, board::Symmetry, facts::NodePath};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Query;

use super::against_find::{Games, games_in};

const OF_POSITION: [&str; 7] = ["C", "N", "LB", "GB", "GW", "UC", "DM"];
const OF_MOVE: [&str; 4] = ["TE", "BM", "DO", "IT"];

/// A node with a remark: the board that it is about, as the stones of its cells.
struct WalkedRemark {
    game: u32,
    path: String,
    judges_move: bool,
    board: GameBoard,
    stones: Vec<u8>,
}

fn stones_of(board: &GameBoard, symmetry: Symmetry) -> Vec<u8> {
    let (columns, rows) = (board.size().columns(), board.size().rows());
    let mut stones = vec![b'.'; (columns * rows) as usize];
    let (width, _) = symmetry.size((columns, rows));
    for row in 0..rows as u16 {
        for column in 0..columns as u16 {
            let cell = BoardCell::new(column, row);
            let Some(side) = board.stone(cell) else {
                continue;
            };
            let turned = symmetry.turn(cell, (columns, rows));
            stones[(u32::from(turned.row) * width + u32::from(turned.column)) as usize] =
                side as u8;
        }
    }
    stones
}

/// Returns the remarks of a game of Go, found by playing the path to each node from the root.
fn walk(game: u32, facts: &Facts<'_>, found: &mut Vec<WalkedRemark>) {
    let outline = Outline::of(facts.record());
    for node in 0..outline.len() {
        let has = |idents: &[&str]| {
            idents
                .iter()
                .any(|ident| outline.property(node, ident).is_some())
        };
        let (judges_move, is_about_position) = (has(&OF_MOVE), has(&OF_POSITION));
        if !judges_move && !is_about_position {
            continue;
        }
        let Ok(mut replay) = facts.replay_boards() else {
            return;
        };
        let (mut before, mut has_move) = (None, false);
        for at in outline.path(node) {
            has_move = false;
            for property in outline.properties(at) {
                let mut is_move = false;
                for played in facts.moves_of(&property) {
                    before = replay.board().cloned();
                    replay.play(played.color, &played.bytes());
                    (is_move, has_move) = (true, true);
                }
                if !is_move && !property.ident().is(b"KO") && facts.changes_board(property.ident())
                {
                    replay.apply(&property);
                }
            }
        }
        let path = NodePath::of(&outline, node).to_string();
        let mut push = |board: Option<GameBoard>, judges_move| {
            let Some(board) = board else { return };
            let stones = stones_of(&board, Symmetry::Identity);
            found.push(WalkedRemark {
                game,
                path: path.clone(),
                judges_move,
                board,
                stones,
            });
        };
        push(replay.board().cloned(), false);
        if judges_move && has_move {
            push(before, true);
        }
    }
}

/// Returns the remarks that the index finds: game, path, and whether the remark judges a move.
fn indexed(index: &Index<Vec<u8>>, query: &Query) -> BTreeSet<(u32, String, bool)> {
    let query = query.clone().remarks();
    let filter = Filter::default().following(query.clone());
    let mut filled = filter.row(RemarkText::columns());
    let mut found = BTreeSet::new();
    for number in index.candidates(&query).expect("memory is readable") {
        let game = index
            .game(number)
            .expect("memory is readable")
            .expect("a game");
        let facts = Facts::of(game.record(), filled.infos());
        filled.fill(&facts);
        let finder = filled.finder().expect("the filter follows the query");
        for remark in finder.remarks() {
            found.insert((number, remark.node.clone(), remark.next.is_some()));
        }
        assert!(
            !finder.remarks().is_empty(),
            "the index named a game without remarks: {number}"
        );
    }
    found
}

/// Compares the index with the walk on `count` random positions. Returns the number of remarks.
fn compare(games: &Games, count: usize) -> usize {
    let mut builder = Builder::<_, MemoryStore>::new(Vec::new());
    let mut walked = Vec::new();
    for (number, (name, game)) in (0..).zip(games) {
        builder
            .add(name, game.record(), false)
            .expect("memory takes all");
        let facts = Facts::of(game.record(), 0);
        if facts.game == Game::Go {
            walk(number, &facts, &mut walked);
        }
    }
    let index = Index::open(builder.finish("").expect("memory takes all")).expect("an index");
    let mut random = fastrand::Rng::with_seed(5);
    let mut compared = 0;
    for _ in 0..count {
        let of = &walked[random.usize(..walked.len())];
        let images: BTreeSet<_> = Game::Go
            .symmetries()
            .iter()
            .map(|&symmetry| stones_of(&of.board, symmetry))
            .collect();
        let same = walked.iter().filter(|remark| {
            let is_same_size = remark.board.size() == of.board.size();
            is_same_size && images.contains(&remark.stones)
        });
        let expected: BTreeSet<_> = same
            .map(|remark| (remark.game, remark.path.clone(), remark.judges_move))
            .collect();
        // A pass or another move without a point is no next move on the board.
        let is_known = |found: &BTreeSet<(u32, String, bool)>| {
            found
                .iter()
                .filter(|(.., judges_move)| !judges_move)
                .cloned()
                .collect::<Vec<_>>()
        };
        let found = indexed(&index, &Query::position(of.board.clone()));
        assert_eq!(
            is_known(&found),
            is_known(&expected),
            "game {} at {}",
            of.game,
            of.path
        );
        assert!(
            found.is_subset(&expected),
            "game {} at {}",
            of.game,
            of.path
        );
        compared += expected.len();
    }
    compared
}

#[test]
fn index_agrees_with_a_walk() {
    let games = games_in(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus"));
    assert!(compare(&games, 60) > 60);
}

/// Compares real archives in the directory `SGF_CORPUS`.
#[test]
fn real_archives() {
    let Some(directory) = std::env::var_os("SGF_CORPUS") else {
        return println!("skipped: SGF_CORPUS names no directory of real archives");
    };
    for name in ["joseki", "go-commented"] {
        let games = games_in(PathBuf::from(&directory).join(format!("{name}.tar.zst")));
        let remarks = compare(&games, 60);
        println!("{name}: {} games, {remarks} remarks compared", games.len());
    }
}

/// Labels and judged moves are turned to the board of the query.
#[test]
fn texts_are_turned() {
    let game = b"(;SZ[19]PB[Ada]PW[Finn]DT[1846-09-11];B[dd];W[pp]C[a or b]LB[qf:b][fq:a](;B[cf]BM[2]C[Too thin])(;B[qf]TE[1]))";
    let mut games = GameReader::new(SliceReader::new(game));
    let game = games
        .next_game()
        .expect("a slice")
        .expect("a game")
        .expect("a short game");
    let query = Query::position_after("pd dp").expect("moves").remarks();
    let filter = Filter::default().following(query);
    let mut filled = filter.row(RemarkText::columns());
    let facts = Facts::of(game, filled.infos());
    filled.fill(&facts);
    let found = RemarkText::of_game(&filled, &facts);
    let labels = found[0]
        .labels
        .iter()
        .map(|label| (&*label.label, &*label.sgf));
    let (labels, texts): (Vec<_>, Vec<_>) = (
        labels.collect(),
        found
            .iter()
            .map(|remark| {
                (
                    &*remark.node,
                    remark.add.as_deref(),
                    remark.judgments.join(", "),
                )
            })
            .collect(),
    );
    let inverse = |point: &str| {
        let symmetry = Symmetry::for_name(found[0].symmetry)
            .expect("a name")
            .inverse();
        let bytes = point.as_bytes();
        let cell = BoardCell::new(u16::from(bytes[0] - b'a'), u16::from(bytes[1] - b'a'));
        let turned = symmetry.turn(cell, (19, 19));
        format!(
            "{}{}",
            char::from(b'a' + turned.column as u8),
            char::from(b'a' + turned.row as u8)
        )
    };
    assert_eq!(labels, [("a", &*inverse("fq")), ("b", &*inverse("qf"))]);
    assert_eq!(
        (&*found[0].pb, &*found[0].dt, found[0].comment.as_deref()),
        ("Ada", "1846-09-11", Some("a or b"))
    );
    assert_eq!(texts.len(), 3);
    assert_eq!(
        (texts[1].0, &*texts[1].2, texts[2].0, &*texts[2].2),
        ("0/0", "mistake (BM 2)", "1/0", "good move (TE)")
    );
    // Of the two next moves that are equal by a symmetry of the position, the rightmost represents
    // both.
    let next = |point: &str| [format!("B[{point}]"), format!("B[{}]", mirrored(point))];
    assert!(next(&inverse("cf")).contains(&texts[1].1.expect("a move").to_owned()));
}

/// Mirrors a point on the diagonal through the stones `pd` and `dp`.
fn mirrored(point: &str) -> String {
    let bytes = point.as_bytes();
    let turn = |byte: u8| char::from(b's' - (byte - b'a'));
    format!("{}{}", turn(bytes[1]), turn(bytes[0]))
}
