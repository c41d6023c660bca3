//! Many references into a file: it is read once, and the output is that of one after another.

use std::fmt::Write;

use super::tar::tar;
#[cfg(unix)]
use super::timed;
use super::{Place, Run, run};

/// Games with faults, several on a line, bytes between them, and some that do not end.
fn collection(games: usize) -> String {
    let mut text = String::new();
    for number in 1..=games {
        write!(text, "(;FF[4]GM[1]PB[player {number}]SZ[19]KM[6{}]", [".5", ",5"][number % 2]).expect("memory");
        (0..number % 5)
            .for_each(|turn| write!(text, ";{}[{}a]", ["B", "W"][turn % 2], ["z", "c"][turn % 2]).expect("memory"));
        text.push_str([")", ")\n", ") junk ]\r\n", "))\n", ";B[bb)]\r)\r", ")\n\n"][number % 6]);
    }
    text
}

/// The commands that are asked, each with what tells its output apart.
const COMMANDS: [&[&str]; 7] = [
    &["cat"],
    &["cat", "--sgfs"],
    &["filter", "--where", "moves > 1"],
    &["get", "source,member,game,offset,length,pb,errors,warnings,moves", "-f", "csv"],
    &["check", "--level", "note", "--diag", "json", "-q"],
    &["check", "--level", "note", "--diag", "human", "-q"],
    &["rewrite", "--strip", "KM"],
];

fn assert_as_one_by_one(place: &Place, references: &[String]) {
    let list = place.put("list", references.join("\n"));
    for command in COMMANDS {
        let together = run(&[command, &["--files-from", &list]].concat(), b"");
        let arguments: Vec<&str> = references.iter().map(|reference| &**reference).collect();
        let as_arguments = run(&[command, &arguments].concat(), b"");
        let mut alone = Run { status: 0, out: Vec::new(), err: String::new() };
        for (at, reference) in references.iter().enumerate() {
            let one = run(&[command, &[reference]].concat(), b"");
            let header = if command.contains(&"csv") && at > 0 {
                one.out.iter().position(|&b| b == b'\n').map_or(0, |at| at + 1)
            } else {
                0
            };
            // A filter without a match is no fault of the whole.
            alone.status = if command[0] == "filter" { 0 } else { alone.status.max(one.status) };
            alone.out.extend_from_slice(&one.out[header..]);
            alone.err += &one.err;
        }
        let (expected, found) = (String::from_utf8_lossy(&alone.out), String::from_utf8_lossy(&together.out));
        let differs = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
        assert_eq!(differs, None, "{command:?}");
        assert!(alone.out == together.out && as_arguments.out == together.out, "{command:?}");
        assert_eq!((together.status, &*together.err), (alone.status, &*alone.err), "{command:?}");
    }
}

#[test]
fn games_of_a_file_in_any_order() {
    let place = Place::new();
    let file = place.put("x.sgf", collection(60));
    // A byte order mark, and UTF-16, have an effect on all games after them.
    let marked = place.put("bom.sgf", format!("\u{feff}{}", collection(7)));
    let wide = collection(5).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let wide = place.put("wide.sgf", [&b"\xff\xfe"[..], &wide].concat());
    let mut references: Vec<String> = (1..=60).step_by(4).map(|game| format!("{file}#{game}")).collect();
    references.extend([3, 1, 7].map(|game| format!("{marked}#{game}")));
    references.extend([5, 2].map(|game| format!("{wide}#{game}")));
    references.push(references[1].clone());
    fastrand::seed(11);
    fastrand::shuffle(&mut references);
    references.insert(3, file.clone());
    assert_as_one_by_one(&place, &references);
}

#[test]
fn games_of_members_in_any_order() {
    let place = Place::new();
    let members = [("a.sgf", 9), ("deep/b.sgf", 1), ("c.sgf", 30)].map(|(name, games)| (name, collection(games)));
    let tar = tar(&members.each_ref().map(|(name, text)| (*name, text.as_bytes())));
    let archive = place.put("x.tar", &tar);
    let other = place.put("y.tar", &tar);
    let zip = place.put("two.zip", std::fs::read(super::packed("two.zip")).expect("a file"));
    let mut references = Vec::new();
    for (member, games) in [("c.sgf", &[29, 4, 30, 5, 12][..]), ("a.sgf", &[9, 1]), ("deep/b.sgf", &[1])] {
        references.extend(games.iter().map(|game| format!("{archive}!{member}#{game}")));
        references.push(format!("{other}!{member}#{}", games[0]));
    }
    references.extend(["two.sgf#1", "two.sgf", "one.sgf#1"].map(|member| format!("{zip}!{member}")));
    fastrand::seed(5);
    fastrand::shuffle(&mut references);
    assert_as_one_by_one(&place, &references);
    // What is not there is reported in its place.
    references.insert(2, format!("{archive}!none.sgf#1"));
    references.insert(5, format!("{archive}!a.sgf#99"));
    let list = place.put("list", references.join("\n"));
    let run = run(&["get", "pb", "-f", "csv", "--files-from", &list], b"");
    assert_eq!(run.status, 2);
    let said = format!(
        "sgfq: {archive}: expected a member `none.sgf`, found none\nsgfq: {archive}!a.sgf: expected a game 99, found fewer\n"
    );
    assert_eq!(run.err, said);
}

/// A hundred times as many references take about a hundred times as long, not ten thousand times.
#[cfg(unix)]
#[test]
fn many_games_of_a_file_take_linear_time() {
    let text = "(;GM[1]C[a comment, so that there is something to read]B[aa];W[bb])\n".repeat(100_000);
    let wide = "(;GM[1]C[a comment]B[aa];W[bb])\n"
        .repeat(20_000)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect::<Vec<u8>>();
    for (bytes, games) in [(text.into_bytes(), 100_000), ([&b"\xff\xfe"[..], &wide].concat(), 20_000)] {
        assert_linear(&bytes, games);
    }
}

#[cfg(unix)]
fn assert_linear(bytes: &[u8], games: u32) {
    let place = Place::new();
    let file = place.put("x.sgf", bytes);
    let step = games as usize / 2000;
    let mut games: Vec<String> = (1..=games).step_by(step).map(|game| format!("{file}#{game}")).collect();
    fastrand::seed(3);
    fastrand::shuffle(&mut games);
    let time = |games: &[String]| {
        let list = place.put("list", games.join("\n"));
        let (out, time) = timed(&place, &["cat", "--files-from", &list]);
        assert_eq!(out.lines().count(), games.len());
        time
    };
    let (few, many) = (time(&games[..20]), time(&games));
    assert!(many < 25 * few, "20 games {few:?}, 2,000 games {many:?}");
}
