//! Compares pairs of outputs that must agree, on the repository's files and on a sample of real
//! ones. Each pair is one line.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sgfstream::{Event, SliceReader};

use super::inputs::run_in;
use super::tar::tar;
use super::{Place, common};

/// Function that returns an output about the games of a place.
type Answer = fn(&Place) -> String;

/// Other tests compare more pairs: checker and table (`crates/table/tests/agreement.rs`), page and
/// command (`explore_findings.rs`), hash and board (`crates/table/tests/find`), find and index
/// (`crates/explore/tests`), table and Python (`python/tests`), command and npm (`web/wasm/test`).
const PAIRS: &[(&str, Answer, Answer)] = &[
    (
        "a directory and its archive",
        |at| table(at, &["games"]),
        |at| table(at, &["games.tar"]).replace("games.tar!", ""),
    ),
    (
        "one thread and several",
        |at| table(at, &["-j1", "games.tar"]),
        |at| table(at, &["-j3", "games.tar"]),
    ),
    (
        "statistics and table: which game it is",
        variants_of_stats,
        variants_of_table,
    ),
    (
        "statistics and table: main lines",
        |at| stats(at)["length"]["moves"].to_string(),
        moves_of_table,
    ),
    (
        "count and table: main lines",
        |at| of_count(at, "main_line_moves"),
        moves_of_table,
    ),
    (
        "players and conditions",
        |at| games_of_players(at, "games.tar"),
        |at| games_by_condition(at, "games.tar"),
    ),
    (
        "count and statistics",
        |at| of_count(at, "moves"),
        |at| stats(at)["moves"].to_string(),
    ),
    (
        "board and table: who plays first",
        turns_of_boards,
        turns_of_table,
    ),
    (
        "before and after fix",
        |at| games(at, "games.tar"),
        |at| games(at, "fixed.sgf"),
    ),
    (
        "before and after cat",
        |at| games(at, "games.tar"),
        |at| games(at, "cat.sgf"),
    ),
    (
        "a filter that is true and none",
        |at| games(at, "games.tar"),
        |at| games(at, "filtered.sgf"),
    ),
    (
        "sorted and as they were",
        |at| sorted(&games(at, "games.tar")),
        |at| sorted(&games(at, "sorted.sgf")),
    ),
    (
        "before and after dedup",
        |at| distinct(&games(at, "games.tar")),
        |at| hashed(&games(at, "dedup.sgf")),
    ),
];

fn answer(at: &Place, arguments: &[&str]) -> String {
    let run = run_in(at, arguments, b"");
    assert!(run.status < 2, "{arguments:?} {}", run.err);
    String::from_utf8(run.out).expect("UTF-8")
}

/// Returns all columns except the columns of the input.
fn table(at: &Place, arguments: &[&str]) -> String {
    let columns = "reference,length,variant,board_width,pb,pw,charset,re,winner,komi,moves,nodes,hash,canonical_hash,errors,illegal_moves";
    answer(at, &[&["get", columns, "-f", "csv"], arguments].concat())
}

/// Returns the columns that do not change when a game is moved or written in another spelling.
fn games(at: &Place, input: &str) -> String {
    answer(
        at,
        &[
            "get",
            "variant,board_width,board_height,moves,first_moves,hash,canonical_hash",
            "-f",
            "csv",
            input,
        ],
    )
}

fn sorted(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// Returns the games with a hash, sorted. Games without moves and setup have no hash and are never
/// duplicates.
fn hashed(text: &str) -> String {
    sorted(
        &text
            .lines()
            .filter(|line| !line.ends_with(','))
            .collect::<Vec<_>>()
            .join("\n"),
    )
}

/// Returns each game with a hash once.
fn distinct(text: &str) -> String {
    let hashed = hashed(text);
    let mut lines: Vec<&str> = hashed.lines().collect();
    lines.dedup();
    lines.join("\n")
}

fn stats(at: &Place) -> Value {
    serde_json::from_str(&answer(
        at,
        &["stats", "-f", "json", "--top", "0", "games.tar"],
    ))
    .expect("JSON")
}

fn of_count(at: &Place, name: &str) -> String {
    let counts = answer(at, &["count", "games.tar"]);
    counts
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .expect("a line")
        .trim()
        .to_owned()
}

fn moves_of_table(at: &Place) -> String {
    let moves = answer(at, &["get", "moves", "-f", "csv", "games.tar"]);
    moves
        .lines()
        .skip(1)
        .map(|moves| moves.parse::<u64>().expect("a number"))
        .sum::<u64>()
        .to_string()
}

/// Returns the players of a file, each with the number of games.
fn games_of_players(at: &Place, file: &str) -> String {
    let rows = answer(at, &["players", "-f", "jsonl", "--top", "40", file]);
    let rows = rows
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    rows.map(|row| {
        format!(
            "{}: {}\n",
            row["player"].as_str().expect("a name"),
            row["games"]
        )
    })
    .collect()
}

/// Returns the same players, each with the number of games that a condition finds.
fn games_by_condition(at: &Place, file: &str) -> String {
    let mut found = String::new();
    for (player, _) in games_of_players(at, file)
        .lines()
        .filter_map(|line| line.rsplit_once(": "))
    {
        let condition = format!("player = '{}'", player.replace('\'', "''"));
        let counts = answer(at, &["count", "-f", "json", "--where", &condition, file]);
        let counts: Value = serde_json::from_str(&counts).expect("JSON");
        found += &format!("{player}: {}\n", counts["games"]);
    }
    found
}

/// Returns the number of games of each kind.
fn variants_of_table(at: &Place) -> String {
    let mut found = BTreeMap::<String, u64>::new();
    for variant in answer(at, &["get", "variant", "-f", "csv", "games.tar"])
        .lines()
        .skip(1)
    {
        *found.entry(variant.to_owned()).or_default() += 1;
    }
    format!("{found:#?}")
}

/// Returns boards by their names, such as `Havannah 8x8 (Little Golem)`.
fn variants_of_stats(at: &Place) -> String {
    let boards = stats(at)["board"].as_object().expect("an object").clone();
    let mut found = BTreeMap::<String, u64>::new();
    for (board, count) in boards {
        let size = board
            .split(' ')
            .position(|word| word.starts_with(|char: char| char.is_ascii_digit()));
        let variant: Vec<&str> = board.split(' ').take(size.unwrap_or(usize::MAX)).collect();
        *found.entry(variant.join(" ")).or_default() += count.as_u64().expect("a count");
    }
    format!("{found:#?}")
}

/// Filter for games that set at most one player to move. In other games, the root may name one side
/// and the node before the first move the other.
const ONE_TURN: &str = "NOT (any('PL') IN ('B', '1') AND any('PL') IN ('W', '2'))";

/// Returns the games whose board at the root is drawn before any move, each with the player to
/// move.
fn turns_of_boards(at: &Place) -> String {
    let boards = answer(
        at,
        &[
            "board",
            "--move",
            "0",
            "--no-next",
            "--where",
            ONE_TURN,
            "games.tar",
        ],
    );
    let titles = boards
        .lines()
        .filter_map(|line| line.split_once(" /0, move 0"))
        .filter(|(_, turn)| !turn.starts_with(':'));
    let turns = titles.map(|(game, turn)| {
        let side = turn
            .trim_start_matches(", ")
            .trim_end_matches(" to play")
            .trim_start_matches("color ");
        format!(
            "{game},{}",
            side.replace("Black", "B").replace("White", "W")
        )
    });
    turns.collect::<Vec<_>>().join("\n")
}

/// Returns the same games from the table.
fn turns_of_table(at: &Place) -> String {
    let boards = turns_of_boards(at);
    let drawn: BTreeSet<&str> = boards
        .lines()
        .filter_map(|line| line.rsplit_once(','))
        .map(|(game, _)| game)
        .collect();
    let table = answer(at, &["get", "reference,to_play", "-f", "csv", "games.tar"]);
    let rows = table.lines().skip(1).filter(|line| {
        line.rsplit_once(',')
            .is_some_and(|(game, _)| drawn.contains(game))
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn pairs_agree() {
    let mut files = Vec::new();
    common::each_file(if common::is_long() { 5 } else { 50 }, |_, bytes| {
        files.push(bytes.to_vec())
    });
    assert_pairs_agree(files, &[]);
}

/// Pairs about a list of the most frequent, about game information in variations, and about
/// spelling. The cases repeat and respell on purpose, and [`law`](super::law) asks them about
/// `fix`.
const NOT_OF_CASES: [&str; 4] = [
    "statistics and table: which game it is",
    "players and conditions",
    "before and after fix",
    "before and after dedup",
];

/// Each case without damage is a file of its own.
#[test]
fn pairs_agree_on_all_cases() {
    let is_damaged = |case: &Vec<u8>| {
        SliceReader::new(case)
            .events()
            .flatten()
            .any(|event| matches!(event, Event::Problem(_)))
    };
    let mut files = super::cases::cases();
    files.retain(|case| !is_damaged(case));
    assert_pairs_agree(files, &NOT_OF_CASES);
}

fn assert_pairs_agree(files: Vec<Vec<u8>>, skipped: &[&str]) {
    let place = Place::new();
    let named = files
        .into_iter()
        .enumerate()
        .map(|(number, bytes)| (format!("games/{number:05}.sgf"), bytes));
    let files: Vec<_> = named.collect();
    std::fs::create_dir(place.path("games")).expect("disk space");
    for (name, bytes) in &files {
        place.put(name, bytes);
    }
    let members: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, bytes)| (&**name, &**bytes))
        .collect();
    place.put("games.tar", tar(&members));
    for (out, arguments) in [
        ("fixed.sgf", &["fix", "-q"][..]),
        ("cat.sgf", &["cat"]),
        ("filtered.sgf", &["filter", "--where", "moves >= 0"]),
        ("sorted.sgf", &["sort", "pb,-moves"]),
        ("dedup.sgf", &["dedup"]),
    ] {
        let made = run_in(
            &place,
            &[arguments, &["games.tar", "-o", out]].concat(),
            b"",
        );
        assert!(made.status < 2, "{arguments:?} {}", made.err);
    }
    let mut faults = Vec::new();
    for (name, one, other) in PAIRS.iter().filter(|(name, ..)| !skipped.contains(name)) {
        let (one, other) = (one(&place), other(&place));
        if one != other {
            let at = one
                .lines()
                .zip(other.lines())
                .find(|(one, other)| one != other);
            faults.push(format!(
                "{name}: {} and {} lines; {at:?}",
                one.lines().count(),
                other.lines().count()
            ));
        }
    }
    println!("{} files", files.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The first value that is not empty counts, for tables, conditions and the checker's repairs.
#[test]
fn the_value_of_a_list_is_one() {
    let place = Place::new();
    place.put(
        "list.sgf",
        "(;FF[4]GM[][1]SZ[][9]PB[ ][Ann][Bea]PW[]PW[Cy]KM[][6.5]RE[][W+R]HA[][2]AB[cc][gg];W[ee])",
    );
    let fixed = run_in(&place, &["fix", "-q", "list.sgf", "-o", "fixed.sgf"], b"");
    assert!(fixed.status < 2, "{}", fixed.err);
    let columns = "pb,pw,komi,winner,handicap,board_width,prop('PB'),prop('KM')";
    let rows = |file| answer(&place, &["get", columns, "-f", "csv", file]);
    assert_eq!(
        rows("list.sgf").lines().last(),
        Some("Ann,Cy,6.5,W,2,9,Ann,6.5")
    );
    assert_eq!(rows("fixed.sgf"), rows("list.sgf"));
}

/// A color has one name in a game: the identifier of its moves, wherever an answer mentions it.
#[test]
fn colors_are_named_alike() {
    for (gm, moves) in [
        ("1", ["B[cc]", "W[dd]"]),
        ("Blokus", ["1[a20]", "2[t20]"]),
        ("Blokus Two-Player", ["1[a20]", "2[t20]"]),
        ("Blokus Three-Player", ["3[a20]", "4[t20]"]),
        ("Blokus Trigon Three-Player", ["1[p16]", "2[q16]"]),
        ("Blokus Duo", ["B[a1]", "W[n14]"]),
    ] {
        let [first, second] = moves;
        let (first_color, second_color) = (&first[..1], &second[..1]);
        let place = Place::new();
        place.put("a.sgf", format!("(;GM[{gm}]CA[UTF-8];{first};{second})"));
        let last = |arguments: &[&str]| {
            let text = answer(&place, &[arguments, &["a.sgf"]].concat());
            text.lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(last(&["get", "to_play", "-f", "csv"]), first_color, "{gm}");
        assert_eq!(
            last(&[
                "find",
                "--position",
                first,
                "--columns",
                "next",
                "-f",
                "csv"
            ]),
            second,
            "{gm}"
        );
        let found: Value = serde_json::from_str(&last(&[
            "find",
            "--position",
            first,
            "--summary",
            "-f",
            "jsonl",
        ]))
        .expect("JSON");
        assert_eq!(found["color"].as_str(), Some(second_color), "{gm}");
        let opening: Value =
            serde_json::from_str(&last(&["openings", "-f", "jsonl"])).expect("JSON");
        let seen: Vec<&str> = opening["moves"]
            .as_str()
            .expect("text")
            .split(' ')
            .map(|played| &played[..1])
            .collect();
        assert_eq!(seen, [first_color, second_color], "{gm}");
        let board = answer(&place, &["board", "--move", "1", "--no-next", "a.sgf"]);
        let title = board.lines().next().expect("a title");
        let turn = if second_color == "W" {
            "White".to_owned()
        } else {
            format!("color {second_color}")
        };
        assert!(title.ends_with(&format!(", {turn} to play")), "{title}");
        assert!(title.contains(&format!(": {first_color} ")), "{title}");
        let stats: Value = serde_json::from_str(&last(&["stats", "-f", "json"])).expect("JSON");
        for top in stats["heat"]["boards"][0]["top"]
            .as_array()
            .into_iter()
            .flatten()
        {
            assert!(
                seen.contains(&&top["move"].as_str().expect("text")[..1]),
                "{gm} {top}"
            );
        }
    }
}

/// A result names a player of its game, or the checker reports it and no table has a winner.
#[test]
fn winners_are_players() {
    let results = ["B+", "W+R", "1+", "2+5", "3+", "4+T", "5+"];
    for (gm, seats) in [
        ("1", &["PB", "PW"][..]),
        ("Blokus Duo", &["PB", "PW"]),
        ("Blokus Two-Player", &["PB", "PW"]),
        ("Blokus Three-Player", &["P1", "P2", "P3"]),
        ("Blokus", &["P1", "P2", "P3", "P4"]),
    ] {
        for result in results {
            let place = Place::new();
            let names: String = seats
                .iter()
                .map(|seat| format!("{seat}[player {}]", &seat[1..]))
                .collect();
            place.put(
                "a.sgf",
                format!("(;FF[4]GM[{gm}]CA[UTF-8]{names}RE[{result}])"),
            );
            let winner = &result[..1];
            let is_player = seats.iter().any(|seat| &seat[1..] == winner);
            let expected = if is_player { winner } else { "" };
            let table = answer(&place, &["get", "reference,winner", "-f", "csv", "a.sgf"]);
            assert!(
                table.ends_with(&format!("a.sgf#1,{expected}\n")),
                "{gm} {table}"
            );
            let checked = answer(&place, &["check", "-f", "jsonl", "a.sgf"]);
            assert_eq!(
                checked.contains("malformed-game-info"),
                !is_player,
                "{gm} {result} {checked}"
            );
            let players = answer(&place, &["players", "-f", "jsonl", "a.sgf"]);
            let rows = players
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
            let won: Vec<_> = rows
                .filter(|row| row["won"] == 1)
                .map(|row| row["player"].clone())
                .collect();
            let named = is_player.then(|| Value::from(format!("player {winner}")));
            assert_eq!(won, named.into_iter().collect::<Vec<_>>(), "{gm} {result}");
        }
    }
}

/// Who played is one fact: a name has no surrounding blanks and no rank, and a game counts once for
/// each person.
#[test]
fn players_are_counted_alike() {
    let place = Place::new();
    place.put(
        "names.sgf",
        "(;GM[1]PB[Lee ]PW[x]RE[B+1];B[aa])(;GM[1]PB[ Lee]PW[x]RE[B+1];B[aa])(;GM[1]PB[Bot]PW[Bot]RE[B+1];B[aa])\
         (;GM[1]PB[Lee 9p]PW[吴清源 四段]RE[W+1];B[aa])(;GM[1]PB[Lee (3d)]PW[吴清源];B[aa])\
         (;GM[1]SZ[19];PB[late]PW[w]RE[B+R];B[aa]PB[aftermove])",
    );
    let players = games_of_players(&place, "names.sgf");
    assert_eq!(players, "Lee: 4\nx: 2\n吴清源: 2\nBot: 1\nlate: 1\nw: 1\n");
    assert_eq!(games_by_condition(&place, "names.sgf"), players);
    let stats: Value =
        serde_json::from_str(&answer(&place, &["stats", "-f", "json", "names.sgf"])).expect("JSON");
    let top = stats["players"]["top"].as_array().expect("a list");
    let mut counted: Vec<String> = top
        .iter()
        .map(|it| format!("{}: {}", it["name"].as_str().expect("text"), it["count"]))
        .collect();
    counted.sort();
    assert_eq!(counted.join("\n"), sorted(&players));
    let rows = answer(
        &place,
        &["get", "pb,br_level,wr_level", "-f", "csv", "names.sgf"],
    );
    let rows: Vec<&str> = rows.lines().skip(1).collect();
    assert_eq!(
        rows,
        [
            "Lee,,",
            "Lee,,",
            "Bot,,",
            "Lee 9p,29,4",
            "Lee (3d),3,",
            "late,,"
        ]
    );
    let games = |condition: &str| {
        let counts = answer(
            &place,
            &["count", "-f", "json", "--where", condition, "names.sgf"],
        );
        serde_json::from_str::<Value>(&counts).expect("JSON")["games"].as_u64()
    };
    assert_eq!(games("player = 'Lee' AND player = 'x'"), Some(2));
    assert_eq!(
        games("moves > 0 AND player IN ('x', 'y') AND player = 'Lee 1d'"),
        Some(2)
    );
    assert_eq!(
        games("player = 'Lee' AND opponent = '吴清源 五段'"),
        Some(2)
    );
    assert_eq!(games("player = 'Lee' AND player = 'Lee'"), Some(4));
    assert_eq!(games("player = 'Lee' AND player = 'Bot'"), Some(0));
}

/// A worker may read a part in vain, and the counts on stderr do not change.
#[test]
fn reports_do_not_depend_on_threads() {
    let place = Place::new();
    let mut games = Vec::new();
    for number in 0..100_000 {
        games.extend_from_slice(b"(;GM[1]CA[UTF-8]PB[");
        games.extend_from_slice(if number % 97 == 0 {
            &b"caf\xe9"[..]
        } else {
            b"name"
        });
        games.extend_from_slice(b"]C[(;x(;y];B[aa];W[bb];B[cc];W[dd];B[ee];W[ff];B[gg];W[hh])\n");
    }
    let report = |threads| run_in(&place, &["get", "pb", "-f", "csv", threads, "-"], &games).err;
    let alone = report("-j1");
    assert!(alone.contains("games have damaged text"), "{alone}");
    for _ in 0..4 {
        assert_eq!(report("-j3"), alone);
    }
}

/// Tables of one archive have one schema: with and without moves, from `get` and from `index`.
#[test]
fn tables_have_one_schema() {
    let place = Place::new();
    place.put("x.sgf", "(;GM[1]SZ[9]PB[Ann \"Z\" B]C[a];B[aa];W[aa])");
    let header = |arguments: &[&str]| {
        let made = run_in(
            &place,
            &[&["index", "x.sgf", "-o", "t.csv"], arguments].concat(),
            b"",
        );
        assert_eq!(made.status, 0, "{}", made.err);
        place
            .read("t.csv")
            .lines()
            .next()
            .expect("a header")
            .to_owned()
    };
    assert_eq!(header(&[]), header(&["--moves", "m.csv"]));
    let row = |arguments: &[&str]| -> Value {
        serde_json::from_str(&answer(&place, arguments)).expect("JSON")
    };
    let columns = "pb,moves,komi,ev";
    let mut of_index = row(&["index", "-f", "jsonl", "--columns", columns, "x.sgf"]);
    assert!(
        of_index
            .as_object_mut()
            .expect("an object")
            .remove("key")
            .is_some_and(|key| key.is_string())
    );
    assert_eq!(of_index, row(&["get", columns, "-f", "jsonl", "x.sgf"]));
    assert_eq!(
        row(&["freq", "moves", "-f", "jsonl", "x.sgf"])["moves"],
        row(&["get", "moves", "-f", "jsonl", "x.sgf"])["moves"]
    );
    assert_eq!(
        answer(&place, &["get", "pb", "-f", "tsv", "x.sgf"]),
        "pb\nAnn \"Z\" B\n"
    );
}
