//! The law over all cases: each input of the repository's tests is given to every face, and equal
//! questions have equal answers. [`agreement`](super::agreement) compares the commands on the same
//! inputs.

use std::collections::BTreeSet;

use sgfstream::record::{GameReader, Outline};
use sgfstream::{Code, Options, SliceReader};
use sgfstream_adapt::check::{CheckOptions, Finding, InputChecker};
use sgfstream_adapt::edit::{Rewriter, edit};
use sgfstream_adapt::fix::{FixFilter, fix};
use sgfstream_draw::NodeView;
use sgfstream_explore::{ArchiveReader, ExplorerResponse, StopFlag};
use sgfstream_game::{Coordinates, Facts, Game, Side, facts::NodeTarget, internal::BOARD_MAX};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{Query, position_in};
use sgfstream_table::row::{ColumnSet, FilledRow, GameRow, RowReader};

use super::{cases, common};

/// Function that returns two answers to a question about a game, or `None` if the question has no
/// sense for this game.
type Question = fn(&Case<'_>) -> Option<(String, String)>;

const QUESTIONS: &[(&str, Question)] = &[
    ("check and column: illegal moves", illegal_moves),
    ("check and column: whether moves can be judged", judged),
    ("check and board: moves out of turn", turns),
    ("board and column: who begins", first_players),
    ("board and column: columns and rows", sizes),
    ("board and column: number of moves", numbers_of_moves),
    ("board and start of searches", starts),
    ("board and find: the last position", last_positions),
    ("board and find: the sequence of the first moves", sequences),
    ("check and board: what cannot be read", unread),
    ("before and after fix", |case| {
        boards_after(case, &fixed(case.bytes))
    }),
    ("before and after rewrite --upgrade", |case| {
        boards_after(case, &rewritten("upgrade", case.bytes))
    }),
    ("before and after rewrite --canonical", |case| {
        boards_after(case, &rewritten("canonical", case.bytes))
    }),
    ("before and after rewrite --pentobi", |case| {
        boards_after(case, &rewritten("pentobi", case.bytes))
    }),
    ("before and after rewrite --utf8", |case| {
        boards_after(case, &rewritten("utf8", case.bytes))
    }),
    ("get before and after fix", columns_after_fix),
    ("page and board: the last node", pages_of_last_node),
    ("page and check: findings", pages_of_findings),
    ("page and fix: the repaired game", pages_of_repair),
];

/// A game, with the answers that several questions need.
struct Case<'t> {
    bytes: &'t [u8],
    facts: Facts<'t>,
    outline: Outline<'t>,
    row: GameRow,
    /// Findings of `check --legality`.
    findings: Vec<Finding>,
    /// The board at the end of the main line.
    end: Option<Box<NodeView>>,
}

fn row_of(bytes: &[u8]) -> Option<GameRow> {
    let mut filled = FilledRow::new(ColumnSet::all());
    let mut rows = RowReader::new(SliceReader::new(bytes), &mut filled);
    rows.next_row().expect("no limit is set").cloned()
}

fn view(facts: &Facts<'_>, outline: &Outline<'_>, target: NodeTarget) -> Option<Box<NodeView>> {
    let node = target.find(outline, facts).ok()?;
    NodeView::of(outline, facts, node, Coordinates::Sgf, None, &mut None).ok()
}

/// Returns the last board of a game, its rows and the side to move.
fn last_board(bytes: &[u8]) -> Option<String> {
    let mut games = GameReader::new(SliceReader::new(bytes));
    let record = games.next_game().expect("no limit is set")?.ok()?;
    let (facts, outline) = (Facts::of(record, 0), Outline::of(record));
    let view = view(&facts, &outline, NodeTarget::End)?;
    Some(format!("{}{:?}", view.diagram.position, view.to_move))
}

fn fixed(bytes: &[u8]) -> Vec<u8> {
    fix(
        bytes,
        &FixFilter::default(),
        Options::default(),
        |_, _, _| {},
    )
}

fn rewritten(name: &str, bytes: &[u8]) -> Vec<u8> {
    Rewriter::new(vec![edit(name, "").expect("an edit")]).slice(bytes)
}

impl Case<'_> {
    fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
    }

    fn count(&self, is_counted: impl Fn(&Finding) -> bool) -> usize {
        self.findings
            .iter()
            .filter(|finding| is_counted(finding))
            .count()
    }

    /// Returns whether the checker sees the same moves as the table: only moves of the main line,
    /// each of one value.
    fn is_one_line(&self) -> bool {
        let is_list =
            |finding: &Finding| finding.code == Code::TooManyValues && self.is_about_move(finding);
        self.row.variations == Some(0)
            && !self.findings.iter().any(is_list)
            && !self.has(Code::OlderForm)
            && !self.has(Code::CheckLimit)
    }

    /// Returns whether a finding about a value is about a move: ``in `B`: expected …``.
    fn is_about_move(&self, finding: &Finding) -> bool {
        let ident = finding.message.split('`').nth(1).unwrap_or_default();
        self.facts
            .game
            .move_ids()
            .contains(sgfstream::Ident::new(ident.as_bytes()))
    }
}

/// Each illegal or unreadable move is a finding.
fn illegal_moves(case: &Case<'_>) -> Option<(String, String)> {
    let illegal = case.row.illegal_moves.filter(|_| case.is_one_line())?;
    let found = case.count(|finding| match finding.code {
        Code::OccupiedPoint | Code::IllegalKo | Code::IllegalSuicide | Code::IllegalMove => true,
        Code::PointOffBoard if !finding.message.starts_with("in `") => true,
        Code::PointOffBoard | Code::UnreadableValue | Code::EmptyValue => {
            case.is_about_move(finding)
        }
        _ => false,
    });
    Some((found.to_string(), illegal.to_string()))
}

/// If no board knows the rules, the checker says so and the column is empty.
fn judged(case: &Case<'_>) -> Option<(String, String)> {
    let is_unknown = |finding: &Finding| finding.code == Code::UncheckedGame;
    let has_border = case.facts.game == Game::Go && case.row.illegal_moves.is_none();
    let is_judged = case.row.illegal_moves.is_some();
    (!has_border).then(|| {
        (
            (case.count(is_unknown) == 0).to_string(),
            is_judged.to_string(),
        )
    })
}

/// The checker reports a move in a row of another side than the board expects.
fn turns(case: &Case<'_>) -> Option<(String, String)> {
    let codes = [Code::TwoMovesInRow, Code::ContradictingPlayer];
    let found = case.count(|finding| codes.contains(&finding.code));
    let mut replay = case
        .facts
        .replay_boards()
        .ok()
        .filter(|_| case.is_one_line())?;
    let (record, takes_turns) = (case.facts.record(), case.facts.game.takes_turns());
    let mut out_of_turn = 0;
    for node in record.main_line_nodes().filter(|_| takes_turns) {
        for (_, property) in node.properties() {
            for raw in case.facts.moves_of(&property) {
                out_of_turn += usize::from(replay.turn().excludes(Side::of_color(raw.color)));
            }
            replay.apply(&property);
        }
    }
    takes_turns.then(|| (found.to_string(), out_of_turn.to_string()))
}

fn first_players(case: &Case<'_>) -> Option<(String, String)> {
    let view = view(&case.facts, &case.outline, NodeTarget::Move(0))?;
    let side = view
        .to_move
        .map(|side| side.name_in(case.facts.game))
        .unwrap_or_default();
    let names_two = case
        .bytes
        .windows(3)
        .filter(|bytes| bytes == b"PL[")
        .count()
        > 1;
    (view.ply == 0 && !names_two).then(|| {
        (
            side.to_owned(),
            case.row.to_play.clone().unwrap_or_default(),
        )
    })
}

fn sizes(case: &Case<'_>) -> Option<(String, String)> {
    let size = case.end.as_ref()?.diagram.position.dialect().size();
    let shown = |width: u32, height: u32| format!("{width}x{height}");
    let (width, height) = (
        case.row.board_width.unwrap_or(0),
        case.row.board_height.unwrap_or(0),
    );
    Some((
        shown(size.columns(), size.rows()),
        shown(width as u32, height as u32),
    ))
}

fn numbers_of_moves(case: &Case<'_>) -> Option<(String, String)> {
    Some((
        case.end.as_ref()?.ply.to_string(),
        case.row.moves?.to_string(),
    ))
}

fn starts(case: &Case<'_>) -> Option<(String, String)> {
    let view = view(&case.facts, &case.outline, NodeTarget::Move(0))?;
    let found = position_in(SliceReader::new(case.bytes), Some(0)).expect("no limit is set")?;
    (view.ply == 0).then(|| (view.diagram.position.to_string(), found.to_string()))
}

/// A search for the last board finds the game at its last move.
fn last_positions(case: &Case<'_>) -> Option<(String, String)> {
    let end = case.end.as_ref()?;
    let filter = Filter::finding(Query::position(end.diagram.position.clone()).all(), None)
        .expect("no condition");
    let mut filled = filter.row(ColumnSet::default());
    let mut rows = RowReader::new(SliceReader::new(case.bytes), &mut filled);
    assert!(rows.next_root().expect("no limit is set"));
    rows.finish_row().expect("no limit is set");
    let is_found = rows.filled().hits().iter().any(|hit| hit.ply <= end.ply);
    // A search compares boards of the size at the start.
    let start = case.facts.replay_boards().ok()?.into_board()?.size();
    let is_moved = start == end.diagram.position.size();
    is_moved.then(|| (is_found.to_string(), "true".to_owned()))
}

/// A search for the first moves of a game, as its file spells them, finds the game.
fn sequences(case: &Case<'_>) -> Option<(String, String)> {
    let mut replay = case
        .facts
        .replay_boards()
        .ok()
        .filter(|replay| replay.board().is_some())?;
    let mut moves = Vec::new();
    for node in case.facts.record().main_line_nodes() {
        for (_, property) in node.properties() {
            for raw in case.facts.moves_of(&property) {
                let text = String::from_utf8_lossy(&raw.bytes()).into_owned();
                let is_word =
                    !text.is_empty() && !text.contains([' ', '\n', '\t', '\r', '[', ']', '\\']);
                let is_readable = case.facts.dialect().parse_move(text.as_bytes()).is_ok();
                let is_first = moves.len() < 6 && is_word && is_readable;
                let side = Side::of_color(raw.color).name_in(case.facts.game);
                moves.push(if is_first {
                    format!("{side}[{text}]")
                } else {
                    String::new()
                });
            }
            replay.apply(&property);
        }
    }
    let first: Vec<String> = moves
        .into_iter()
        .take(6)
        .take_while(|text| !text.is_empty())
        .collect();
    // A rectangular board of Hex changes its size with `swap-pieces`, and the search ends. Huge
    // boards are not searched.
    let size = replay.board().map(|board| board.size())?;
    let is_same = Some(size) == case.facts.board_size() && size.longer() <= BOARD_MAX;
    let query = Query::sequence(&first.join(" "), false, false)
        .ok()
        .filter(|_| is_same)?;
    let filter = Filter::finding(query.exact(true), None).expect("no condition");
    let mut filled = filter.row(ColumnSet::default());
    let mut rows = RowReader::new(SliceReader::new(case.bytes), &mut filled);
    assert!(rows.next_root().expect("no limit is set"));
    rows.finish_row().expect("no limit is set");
    Some((
        rows.filled().hits().is_empty().to_string(),
        "false".to_owned(),
    ))
}

/// The board names moves and setup that it did not accept, and the checker reports them.
fn unread(case: &Case<'_>) -> Option<(String, String)> {
    let end = case
        .end
        .as_ref()
        .filter(|_| case.is_one_line() && !case.has(Code::UncheckedGame))?;
    let codes = [
        Code::UnreadableValue,
        Code::PointOffBoard,
        Code::EmptyValue,
        Code::IllegalMove,
        Code::TooManyValues,
    ];
    let is_reported = case
        .findings
        .iter()
        .any(|finding| codes.contains(&finding.code));
    (end.unread > 0).then(|| (is_reported.to_string(), "true".to_owned()))
}

/// Returns whether it is sure where the values end: no `]` is left over, and no escape was cut.
fn has_borders(case: &Case<'_>) -> bool {
    !case.has(Code::StrayBracket) && !case.bytes.ends_with(b"\\")
}

fn boards_after(case: &Case<'_>, after: &[u8]) -> Option<(String, String)> {
    has_borders(case).then_some(())?;
    Some((
        last_board(case.bytes)?,
        last_board(after).unwrap_or_default(),
    ))
}

/// A repair changes no answer that is sure before it.
fn columns_after_fix(case: &Case<'_>) -> Option<(String, String)> {
    // `fix` takes `PL` out of a node with a move, and game information out of a node below other
    // game information.
    let (is_mixed, is_below) = (
        case.has(Code::SetupWithMove),
        case.has(Code::GameInfoBelowGameInfo),
    );
    let shown = |row: &GameRow| {
        let hash = row.hash.as_ref().filter(|_| !is_mixed);
        let winner = row.winner.as_ref().filter(|_| !is_below);
        format!(
            "{:?} {:?} {hash:?} {:?} {winner:?} {:?} {:?} {:?} {:?}",
            row.variant, row.moves, row.to_play, row.date_min, row.rules, row.komi, row.handicap
        )
    };
    let after = row_of(&fixed(case.bytes)).filter(|_| has_borders(case))?;
    Some((shown(&case.row), shown(&after)))
}

/// Returns the reply of the page of `explore` to a question about an archive of this game.
fn reply(case: &Case<'_>, name: &str, parameters: &str) -> Option<serde_json::Value> {
    // The page opens files as commands do, which decodes UTF-16 and ISO-2022-JP before the reader.
    let is_decoded = case.bytes.contains(&0) || case.bytes.contains(&0x1B);
    (!is_decoded).then_some(())?;
    let mut reader = ArchiveReader::new(Options::default());
    reader
        .read("game.sgf", case.bytes, |_| {})
        .expect("memory takes all");
    let explorer = reader
        .finish(vec!["game.sgf".to_owned()])
        .expect("memory takes all");
    match explorer
        .answer(name, parameters.as_bytes(), &StopFlag::default())
        .ok()?
    {
        ExplorerResponse::Json(json) => Some(serde_json::from_slice(&json).expect("JSON")),
        _ => None,
    }
}

/// The page shows the last node of the main line as `board` does.
fn pages_of_last_node(case: &Case<'_>) -> Option<(String, String)> {
    let view = case.end.as_ref()?;
    let parameters = format!(r#"{{"all": true, "id": 0, "path": "{}"}}"#, view.path);
    let page = reply(case, "game", &parameters)?;
    // The page omits a comment of blanks, and shows `GC` in place of `C`.
    let comment = view
        .comment
        .as_ref()
        .filter(|text| !text.trim().is_empty())
        .map(String::as_str);
    let own = serde_json::json!({
        "move": view.ply,
        "comment": comment.or(page["comment"].as_str()),
        "to_play": view.to_move.map(|side| side.name_in(case.facts.game)),
    });
    let shown =
        |found: &serde_json::Value| ["move", "comment", "to_play"].map(|name| found[name].clone());
    Some((format!("{:?}", shown(&page)), format!("{:?}", shown(&own))))
}

/// The page counts the findings that `check` has, without those that `--legality` adds.
fn pages_of_findings(case: &Case<'_>) -> Option<(String, String)> {
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    let checker = InputChecker::new(CheckOptions::default());
    checker
        .check_all(SliceReader::new(case.bytes), &mut |finding| {
            *counts.entry(finding.code.as_str().to_owned()).or_default() += 1;
        })
        .expect("no limit is set");
    let page = reply(case, "findings", "{}")?;
    let rows = page.get("findings").unwrap_or(&page).as_array()?.clone();
    let mut shown = std::collections::BTreeMap::<String, u64>::new();
    for row in rows {
        *shown.entry(row["code"].as_str()?.to_owned()).or_default() += row["count"].as_u64()?;
    }
    Some((format!("{shown:?}"), format!("{counts:?}")))
}

/// The page repairs a game as `fix` does.
fn pages_of_repair(case: &Case<'_>) -> Option<(String, String)> {
    let page = reply(case, "repair", r#"{"id": 0}"#)?;
    let after = page["after"].as_str()?.to_owned();
    Some((
        after,
        String::from_utf8_lossy(&fixed(case.bytes)).into_owned(),
    ))
}

/// Asks all questions about each game of an input. Returns the number of games.
fn ask(input: &[u8], faults: &mut BTreeSet<String>) -> usize {
    let mut games = GameReader::new(SliceReader::new(input));
    let mut count = 0;
    while let Some(record) = games.next_game().expect("no limit is set") {
        let Ok(record) = record else { continue };
        let bytes = record.as_bytes();
        let mut alone = GameReader::new(SliceReader::new(bytes));
        let Some(Ok(record)) = alone.next_game().expect("no limit is set") else {
            continue;
        };
        let Some(row) = row_of(bytes) else { continue };
        let mut findings = Vec::new();
        let checker = InputChecker::new(CheckOptions::default().with_legality(true));
        checker
            .check_all(SliceReader::new(bytes), &mut |finding| {
                findings.push(finding)
            })
            .expect("no limit is set");
        let (facts, outline) = (Facts::of(record, 0), Outline::of(record));
        let end = view(&facts, &outline, NodeTarget::End);
        let case = Case {
            bytes,
            facts,
            outline,
            row,
            findings,
            end,
        };
        count += 1;
        for (name, question) in QUESTIONS {
            if let Some((one, other)) = question(&case).filter(|(one, other)| one != other) {
                let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned();
                faults.insert(format!("{name}: {shown}\n    {one}\n    {other}"));
            }
        }
    }
    count
}

#[test]
fn equal_questions_have_equal_answers() {
    let (mut games, mut faults) = (0, BTreeSet::new());
    // The npm package gets the same inputs.
    let folder = std::env::var_os("SGF_CASES").map(std::path::PathBuf::from);
    for (number, input) in cases::cases().iter().enumerate() {
        games += ask(input, &mut faults);
        if let Some(folder) = &folder {
            std::fs::write(folder.join(format!("{number:04}.sgf")), input)
                .expect("a writable folder");
        }
    }
    common::each_file(200, |_, bytes| games += ask(bytes, &mut faults));
    println!("{games} games");
    assert!(games > 2_000);
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Rules that all faces once read alike but wrong: the codes of the findings, and the column
/// `illegal_moves`.
#[test]
fn rules_of_small_games() {
    for (game, codes, illegal) in [
        (
            r"(;FF[4]GM[19];B[33+A];B[33+B])",
            &[Code::TwoMovesInRow][..],
            Some(0),
        ),
        (
            r"(;FF[4]GM[19];W[37+E];B[33+A])",
            &[Code::ContradictingPlayer],
            Some(0),
        ),
        (r"(;FF[4]GM[19]BO[22][82];B[22+A];W[37+E])", &[], Some(0)),
        (r"(;FF[4]GM[19]RP[33];B[53+A];W[37+E])", &[], Some(0)),
        (
            r"(;FF[4]GM[19]SZ[6:7];B[22+A];W[25+E])",
            &[Code::UncheckedGame],
            None,
        ),
        (
            r"(;FF[4]GM[19]SZ[6:7]BO[22]WO[26];B[22+A];W[26+E])",
            &[],
            Some(0),
        ),
        (
            r"(;FF[4]GM[19];B[33+B];W[37+E];B[33+B-B])",
            &[Code::OccupiedPoint],
            Some(1),
        ),
        (
            r"(;FF[4]GM[19]AB[45A][45AB]CS[45])",
            &[Code::MarkWithoutStone],
            Some(0),
        ),
        (r"(;FF[4]GM[19]RU[full\:edgeless];B[33+A])", &[], Some(0)),
        (
            r"(;FF[4]GM[1]SZ[9]DT[1999\-01\-02]RE[B\+R];B[aa])",
            &[],
            Some(0),
        ),
        (
            r"(;GM[Blokus Two\-Player]FF[4]CA[UTF-8];1[a20])",
            &[],
            Some(0),
        ),
        (
            r"(;FF[4]GM[11]SZ[5]AB[a1:b2];W[b2])",
            &[Code::OccupiedPoint],
            Some(1),
        ),
        (
            r"(;FF[4]GM[11]SZ[5]AB[b2:a1];W[b2])",
            &[Code::UnreadableValue],
            Some(0),
        ),
        (
            r"(;FF[4]GM[19]AE[23:73];B[33+A])",
            &[Code::IllegalMove],
            Some(1),
        ),
        (
            r"(;FF[4]GM[19]AB[23:73];B[33+A])",
            &[Code::UnreadableValue],
            Some(0),
        ),
        (
            r"(;FF[4]GM[11]SZ[5];B[c1];W[swap-sides];W[d4];B[e5])",
            &[],
            Some(0),
        ),
        (
            r"(;FF[4]GM[11]SZ[5];B[c1];W[swap-sides];B[d4])",
            &[Code::TwoMovesInRow],
            Some(0),
        ),
    ] {
        let (mut found, mut faults) = (Vec::new(), BTreeSet::new());
        let checker = InputChecker::new(CheckOptions::default().with_legality(true));
        checker
            .check_all(SliceReader::new(game.as_bytes()), &mut |finding| {
                found.push(finding.code)
            })
            .expect("no limit");
        assert_eq!(
            (
                &*found,
                row_of(game.as_bytes()).expect("a game").illegal_moves
            ),
            (codes, illegal),
            "{game}"
        );
        assert_eq!(
            (ask(game.as_bytes(), &mut faults), faults.len()),
            (1, 0),
            "{faults:?}"
        );
    }
}
