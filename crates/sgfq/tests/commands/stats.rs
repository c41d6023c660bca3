//! Tests of `sgfq stats`, run as users run it.

use assert_cmd::Command;
use serde_json::Value;

fn sgfq(arguments: &[&str], stdin: &[u8]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("sgfq")
        .expect("built")
        .args(arguments)
        .write_stdin(stdin)
        .assert()
}

fn json(arguments: &[&str], stdin: &[u8]) -> Value {
    let arguments = [&["stats", "-f", "json"], arguments].concat();
    let output = sgfq(&arguments, stdin)
        .success()
        .get_output()
        .stdout
        .clone();
    assert_eq!(
        output.iter().filter(|&&byte| byte == b'\n').count(),
        1,
        "one line"
    );
    serde_json::from_slice(&output).expect("JSON")
}

const COLLECTION: &[u8] =
    b"(;GM[1]FF[4]CA[UTF-8]SZ[19]DT[2016-03-09]RE[W+R]KM[7.5]PB[Lee]PW[AlphaGo];B[qd];W[dd](;B[pq])(;B[qc]))
(;GM[1]SZ[9]HA[2]AB[cc][gg]RE[B+12];W[ee])
(;GM[11];B[a1];W[swap-pieces] ) )
(;GM[lyngk]CA[none];P0[1 move])";

#[test]
fn one_object_with_every_count() {
    let stats = json(&[], COLLECTION);
    for (key, count) in [
        ("files", 1),
        ("games", 4),
        ("nodes", 12),
        ("moves", 8),
        ("variations", 2),
        ("properties", 25),
        ("values", 26),
        ("bytes", COLLECTION.len() as u64),
    ] {
        assert_eq!(stats[key], count, "{key}");
    }
    for (pointer, count) in [
        ("/problems/error", 2),
        ("/problems/warning", 0),
        ("/problems/note", 0),
        ("/problems/codes/stray-parenthesis", 1),
        ("/board/Go 19x19", 1),
        ("/board/Go 9x9", 1),
        ("/board/Hex 11x11", 1),
        ("/gm/1", 2),
        ("/gm/11", 1),
        ("/gm/lyngk", 1),
        ("/ff/4", 1),
        ("/ff/none", 3),
        ("/sz/19", 1),
        ("/ca/UTF-8", 1),
        // One game says `none`, and two have no value.
        ("/ca/none", 3),
        ("/property/B", 4),
        ("/property/AB", 1),
        ("/property/P0", 1),
        ("/year/2016", 1),
        ("/result/W+R", 1),
        ("/result/B+score", 1),
        ("/result/none", 2),
        ("/result_by_handicap/2/black", 1),
        ("/handicap/2", 1),
        ("/komi/7.5", 1),
        ("/length/max", 3),
        ("/length/histogram/0-9", 4),
        ("/players/total", 2),
        ("/openings/with_setup", 1),
    ] {
        assert_eq!(stats.pointer(pointer), Some(&count.into()), "{pointer}");
    }
    assert_eq!(stats["heat"]["boards"][0]["black"][3][16], 1);
}

#[test]
fn a_summary_for_a_person() {
    let output = sgfq(&["stats", "--top", "3"], COLLECTION)
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).expect("UTF-8");
    for line in [
        "games         4",
        "errors        2",
        "properties",
        "games and boards, with the defaults if GM or SZ is missing",
        "  1   25.0%  Hex 11x11",
        "The next lists count declared values; (none) counts games without one.",
        "  1   25.0%  11 Hex",
        "first moves, Go 19x19",
        "  1  100.0%  Black won 0 % (0-79)  B qd",
    ] {
        assert!(
            text.lines().any(|other| other == line),
            "`{line}` in\n{text}"
        );
    }
}

#[test]
fn several_inputs_add_up() {
    let folder = std::env::temp_dir().join(format!("sgfq-stats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let files = ["one.sgf", "two.SGF"].map(|name| folder.join(name));
    for file in &files {
        std::fs::write(file, COLLECTION).expect("a file");
    }
    let folder_text = folder.to_str().expect("UTF-8");
    let both = json(&[folder_text], b"");
    assert_eq!((&both["files"], &both["games"]), (&2.into(), &8.into()));
    let missing = folder.join("missing.sgf");
    let arguments = [
        "stats",
        "-f",
        "json",
        files[0].to_str().expect("UTF-8"),
        missing.to_str().expect("UTF-8"),
    ];
    let output = sgfq(&arguments, b"").code(2).get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing.sgf"));
    let rest: Value = serde_json::from_slice(&output.stdout).expect("JSON all the same");
    assert_eq!(rest["games"], 4);
    std::fs::remove_dir_all(&folder).expect("cleaned up");
}

#[test]
fn nothing_and_nonsense() {
    let nothing = json(&[], b"");
    assert_eq!(
        (
            &nothing["files"],
            &nothing["games"],
            &nothing["length"]["max"]
        ),
        (&1.into(), &0.into(), &Value::Null)
    );
    let nonsense: Vec<u8> = b"(;)"
        .iter()
        .copied()
        .chain((0..=255u8).cycle().take(10_000))
        .collect();
    assert_eq!(
        json(&["--depth", "16", "--top", "0"], &nonsense)["files"],
        1
    );
    sgfq(&["stats", "--depth", "17"], b"").code(2);
    sgfq(&["stats", "-f", "yaml"], b"").code(2);
}

#[test]
fn control_characters_reach_no_terminal() {
    let hostile = "(;PB[\u{1b}]0;x\u{7}\u{202e}]EV[\u{9b}31m]RU[\u{1b}c];B[aa])";
    let output = sgfq(&["stats"], hostile.as_bytes())
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).expect("UTF-8");
    assert!(
        text.chars().all(|char| char == '\n' || !char.is_control()),
        "{text:?}"
    );
    assert!(!text.contains('\u{202e}'));
}

/// Returns the working memory of the command in KiB after each of these numbers of games with new
/// names, sizes, programs and moves. All texts have the same length, so that the heap reuses the
/// space of old texts and gaps do not count as growth. The pages of the command itself do not
/// count, either.
#[cfg(target_os = "linux")]
fn memory_kib(after: [u64; 2]) -> [u64; 2] {
    use std::io::{BufWriter, Read, Write};
    use std::process::Stdio;

    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("sgfq"))
        .args(["stats", "-f", "json", "-j1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut stdin = BufWriter::new(child.stdin.take().expect("piped"));
    let mut number = 0u64;
    let memory = after.map(|games| {
        while number < games {
            number += 1;
            let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let text = format!("{hash:060x}");
            let [a, b, c, d] = [0, 5, 10, 15].map(|at| char::from(b'a' + (hash >> at) as u8 % 19));
            let [gm, columns, rows, komi] = [50, 97, 89, 10_000].map(|count| hash % count);
            let ident: String = text[44..].bytes().map(|byte| char::from(b'A' + byte % 26)).collect();
            writeln!(
                stdin,
                "(;GM[{gm}]SZ[{columns}:{rows}]PB[{text}]EV[{text}]AP[{text}]RU[{text}]OT[{text}]CA[{text}]KM[{komi}]\
                 {ident}[];B[{a}{b}];W[{c}{d}];B[{text}])"
            )
            .expect("read");
        }
        stdin.flush().expect("read");
        // All except the last blocks was read.
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
        let memory = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a field of the kernel's");
        memory.trim().trim_end_matches(" kB").parse().expect("a number")
    });
    drop(stdin);
    let mut output = Vec::new();
    child
        .stdout
        .take()
        .expect("piped")
        .read_to_end(&mut output)
        .expect("read");
    assert!(child.wait().expect("ended").success());
    let stats: Value = serde_json::from_slice(&output).expect("JSON");
    assert_eq!(stats["games"], number);
    assert_eq!(stats["players"]["exact"], false);
    memory
}

/// Memory does not grow with the amount and variety of the input. A text kept for each game would
/// take at least 80 bytes. The allocator may use half of that itself, because it does not return
/// all memory at once.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_constant() {
    let after = [
        100_000,
        if cfg!(debug_assertions) {
            250_000
        } else {
            3_000_000
        },
    ];
    let [small, large] = memory_kib(after);
    // 32 MiB, and 8 MiB for the worker.
    assert!(small.max(large) <= 40 << 10, "{small} and {large} KiB");
    let allowed = (after[1] - after[0]) * 80 / 2 / 1024;
    assert!(
        large <= small + allowed.min(8 << 10),
        "{small} and {large} KiB: more than {allowed} KiB"
    );
}

/// More players than the limit, in a file of several blocks: the result does not depend on the
/// number of threads.
#[test]
fn long_lists_are_the_same_for_any_number_of_threads() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("games.sgf");
    let game = |number: u64| {
        let [black, white] = [7, 11].map(|step| number * number * step % 20_011);
        format!(
            "(;GM[1]SZ[19]PB[black {black}]PW[white {white}]C[{}];B[pd];W[dd])\n",
            ".".repeat(100)
        )
    };
    std::fs::write(&path, (0..40_000).map(game).collect::<String>()).expect("written");
    let path = path.to_str().expect("UTF-8");
    let stats = |threads| {
        sgfq(
            &["stats", "-f", "json", "--top", "0", "-j", threads, path],
            b"",
        )
        .success()
    };
    let one = stats("1").get_output().stdout.clone();
    assert!(String::from_utf8_lossy(&one).matches("black ").count() > 2_000);
    for threads in ["2", "3"] {
        assert!(
            stats(threads).get_output().stdout == one,
            "{threads} threads"
        );
    }
}
