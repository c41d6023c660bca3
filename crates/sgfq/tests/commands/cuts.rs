//! Every command prints the same for a file, however the file is divided into parts.

use std::fmt::Write;

use super::{Place, run};

/// Returns games with problems, bytes between them, and comments that make some thousand games fill
/// three blocks.
fn games() -> String {
    let (mut text, comment) = (String::new(), "a comment [ of some words \\] \n".repeat(70));
    for number in 0..2400 {
        let (size, winner, charset) = (
            [9, 19][number % 2],
            ["B", "W"][number / 7 % 2],
            ["UTF-8", "x"][number / 3 % 2],
        );
        write!(
            text,
            "(;FF[{}]GM[1]SZ[{size}]CA[{charset}]PB[player {number}]",
            3 + number % 2
        )
        .expect("memory");
        write!(
            text,
            "RE[{winner}+R]DT[{}-01-02]C[é {comment}]",
            1950 + number % 60
        )
        .expect("memory");
        for turn in 0..number % 6 {
            write!(
                text,
                ";{}[{}]",
                ["B", "W"][turn % 2],
                ["cc", "dd", "zz", "ec", "cd"][turn]
            )
            .expect("memory");
        }
        text.push_str([")", ")\n", ") junk ]\r\n", "))\n", ";B[bb)]\r)\r"][number % 5]);
    }
    text
}

#[test]
fn any_cut_gives_what_one_thread_gives() {
    let place = Place::new();
    let file = place.put("games.sgf", games());
    let commands: [&[&str]; 17] = [
        &["count"],
        &["stats", "-f", "json"],
        &["openings", "-f", "csv"],
        &["find", "--sequence", "cc dd", "--summary", "-f", "csv"],
        &[
            "find",
            "--sequence",
            "cc dd",
            "--columns",
            "game,found_move",
        ],
        &["get", "game,errors,warnings,pb,moves", "-f", "csv"],
        &["get", "game,errors,pb"],
        &[
            "get",
            "game,warnings,pb",
            "-f",
            "jsonl",
            "--where",
            "moves > 2",
        ],
        &["get", "game,pb", "-f", "csv", "--where", "game % 3 = 0"],
        &["charset"],
        &["charset", "-f", "jsonl"],
        &["moves"],
        &["check", "--level", "note", "-f", "short"],
        &["check", "--level", "note", "-f", "jsonl"],
        &["filter", "moves > 2"],
        &["rewrite", "--strip", "C"],
        &["index", "-f", "csv", "-o", "-"],
    ];
    for command in commands {
        let [one, three] =
            ["1", "3"].map(|jobs| run(&[command, &["-j", jobs, &file]].concat(), b""));
        let differs = one
            .out
            .split(|&b| b == b'\n')
            .zip(three.out.split(|&b| b == b'\n'))
            .find(|(one, three)| one != three);
        let shown = differs.map(|(one, three)| [one, three].map(String::from_utf8_lossy));
        assert!(
            one.out == three.out && !one.out.is_empty(),
            "{command:?}: {shown:?}"
        );
        assert_eq!(
            (one.status, one.err),
            (three.status, three.err),
            "{command:?}"
        );
    }
    let names = ["1", "3"].map(|jobs| {
        let report = place.text(&format!("report{jobs}.csv"));
        let kept = run(
            &["dedup", "--near", "--report", &report, "-j", jobs, &file],
            b"",
        )
        .out;
        (kept, std::fs::read(&report).expect("the report"))
    });
    assert!(names[0] == names[1] && !names[0].1.is_empty());
}

/// The reader's window at the end of a part has games of the next part. They do not count.
#[test]
fn selected_games_are_counted_once() {
    let place = Place::new();
    let file = place.put("games.sgf", games());
    let games = |out: Vec<u8>| {
        String::from_utf8(out)
            .expect("UTF-8")
            .lines()
            .nth(1)
            .map(str::to_owned)
    };
    for expression in ["moves > 3", "pb = 'player 7'"] {
        let selected = run(&["filter", expression, &file], b"").out;
        let expected = games(run(&["count"], &selected).out);
        for jobs in ["1", "3"] {
            assert_eq!(
                games(run(&["count", "--where", expression, "-j", jobs, &file], b"").out),
                expected,
                "{expression}"
            );
        }
    }
}
