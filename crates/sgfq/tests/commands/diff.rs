//! `diff` of collections.

use std::collections::BTreeSet;

use super::{Place, run};

/// The main line of a game: that of no other number.
fn line(number: usize) -> String {
    let letter = |number: usize| (b'a' + (number % 19) as u8) as char;
    format!(";B[{0}{1}];W[{1}{2}]", letter(number), letter(number / 19), letter(number * 7 + 3))
}

/// The rows of the answer without its head.
fn rows(out: &str) -> BTreeSet<String> {
    assert!(out.is_empty() || out.starts_with("change,a,b,properties\n"), "{out}");
    out.lines().skip(1).map(str::to_owned).collect()
}

/// Games that were moved, dropped, added, changed and written in other ways: each is found, and nothing else.
#[test]
fn collections_differ_in_what_was_changed() {
    let place = Place::new();
    for directory in ["a", "b", "b/sub"] {
        std::fs::create_dir(place.path(directory)).expect("disk space");
    }
    let (mut one, mut other) = ([String::new(), String::new()], [String::new(), String::new()]);
    let mut expected = BTreeSet::new();
    let [mut left, mut right] = [[0; 2]; 2];
    for number in 0..361 {
        let line = line(number);
        let plain = format!("(;GM[1]SZ[19]PB[Player {number}]{line}C[text])");
        let (from, to) = (number % 2, number / 2 % 2);
        left[from] += 1;
        right[to] += 1;
        let a = format!("a/{}.sgf#{}", ["x", "y"][from], left[from]);
        let b = format!("{}.sgf#{}", ["b/sub/z", "b/x"][to], right[to]);
        let (ours, theirs, row) = match number % 9 {
            0 => (true, String::new(), Some(format!("only in A,{a},,"))),
            1 => (false, plain.clone(), Some(format!("only in B,,{b},"))),
            2 => (true, plain.replace("text", "other"), Some(format!("changed,{a},{b},C"))),
            3 => (true, plain.replace("PB[P", "RE[B+R]PB[p"), Some(format!("changed,{a},{b},PB RE"))),
            4 => (true, format!("{};B[aa])", plain.trim_end_matches(')')), None),
            5 => (true, plain.replace(";W", "(;W").replace(")", ")(;W[tt]))"), None),
            // Blanks, escapes and the order mean nothing.
            6 => (true, format!("( ;\nPB[Player {number}]SZ[19] GM[1]\n{line}C[te\\xt])"), None),
            _ => (true, plain.clone(), None),
        };
        if ours {
            one[from] += &plain;
        } else {
            left[from] -= 1;
        }
        if theirs.is_empty() {
            right[to] -= 1;
        }
        other[to] += &theirs;
        match number % 9 {
            // One more move is another main line.
            4 => expected.extend([format!("only in A,{a},,"), format!("only in B,,{b},")]),
            5 => expected.extend([format!("changed,{a},{b},W variations")]),
            _ => expected.extend(row),
        }
    }
    for (name, text) in ["a/x.sgf", "a/y.sgf", "b/sub/z.sgf", "b/x.sgf"].into_iter().zip(one.iter().chain(&other)) {
        place.put(name, text);
    }
    let diff = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("sgfq").expect("it was built");
        let run = command.current_dir(place.0.path()).arg("diff").args(arguments).output().expect("it ran");
        (
            run.status.code(),
            String::from_utf8(run.stdout).expect("UTF-8"),
            String::from_utf8_lossy(&run.stderr).into_owned(),
        )
    };
    let (status, out, err) = diff(&["a", "b", "-f", "csv"]);
    let found = rows(&out);
    let missed: Vec<&String> = found.symmetric_difference(&expected).collect();
    assert_eq!((status, missed), (Some(1), Vec::new()), "{err}");
    let count = |start: &str| expected.iter().filter(|row| row.starts_with(start)).count();
    let (only, only_other, changed) = (count("only in A"), count("only in B"), count("changed"));
    let equal = 361 - (0..361).filter(|number| number % 9 < 6).count();
    let respelled = (0..361).filter(|number| number % 9 == 6).count();
    assert_eq!(
        err,
        format!(
            "sgfq: {only} games only in A, {only_other} only in B, {changed} changed, {equal} equal, {respelled} of them \
             written differently\n"
        )
    );
    // The other way round, the same games.
    let swapped: BTreeSet<String> = rows(&diff(&["b", "a", "-f", "csv", "-j", "1"]).1);
    let swap = |row: &String| {
        let cells: Vec<&str> = row.split(',').collect();
        let change = cells[0].replace('A', "?").replace('B', "A").replace('?', "B");
        [&*change, cells[2], cells[1], cells[3]].join(",")
    };
    assert_eq!(swapped, expected.iter().map(swap).collect());
    // Comments that are ignored are no change, and a collection is itself.
    let ignored = rows(&diff(&["a", "b", "--ignore", "comments", "-f", "csv"]).1);
    assert_eq!(ignored, expected.iter().filter(|row| !row.ends_with(",C")).cloned().collect());
    assert_eq!(diff(&["a", "a"]).0, Some(0));
    // JSON, one game a line.
    let json = diff(&["a", "b", "-f", "jsonl"]).1;
    assert_eq!(json.lines().count(), expected.len());
    assert!(json.contains("{\"change\":\"changed\",\"a\":\"a/y.sgf#2\","), "{json}");
}

/// Copies are counted: each game of a pair is in one pair.
#[test]
fn copies_are_paired_once() {
    let place = Place::new();
    let a = place.put("a.sgf", "(;B[aa])(;B[aa])(;B[aa])(;PB[x])(;PB[y])(;PB[y])");
    let b = place.put("b.sgf", "(;PB[y])(;B[aa]C[1])(;B[aa])(;PB[z])");
    let found = run(&["diff", &a, &b, "-f", "csv"], b"");
    let expected = [
        format!("changed,{a}#2,{b}#2,C"),
        format!("only in A,{a}#3,,"),
        format!("only in A,{a}#4,,"),
        format!("only in A,{a}#6,,"),
        format!("only in B,,{b}#4,"),
    ];
    assert_eq!(rows(found.text()), BTreeSet::from(expected));
    // Two files are compared one by one, unless games are asked for.
    let one = run(&["diff", &a, &b], b"").nothing();
    assert!(one.starts_with("game 1, node 0: "), "{one}");
    assert_eq!(run(&["diff", "--games", &a, &b], b"").nothing().lines().count(), 6);
    // A pipe is read once only.
    let refused = run(&["diff", "--games", &a, "-"], b"(;B[aa])").refused();
    assert!(refused.contains("-: expected games that can be read twice"), "{refused}");
    assert!(run(&["diff", &a, "-"], b"(;B[aa])").nothing().starts_with("game 2, node 0: "));
}
