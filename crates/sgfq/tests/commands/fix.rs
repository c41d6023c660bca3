//! Tests of `fix`.

use super::inputs::run_in;
use super::{Place, run};

const BROKEN: &[u8] = b"(;FF[4]GM[1] KM[6,5]\n;B[d d]W[pp])\n(;FF[4]GM[1]C[cut";

#[test]
fn repairs_are_reported() {
    let run = run(&["fix"], BROKEN);
    assert!(
        run.err.contains("-:1:17: repaired[malformed-game-info]: ")
            && run.err.contains("write `6.5`"),
        "{}",
        run.err
    );
    assert!(
        run.err.contains("2:8: repaired[two-moves-in-node]")
            && run.err.ends_with("sgfq: 5 repaired, 0 left\n"),
        "{}",
        run.err
    );
    assert_eq!(
        run.done(),
        "(;FF[4]GM[1] KM[6.5]\n;B[dd];W[pp])\n(;FF[4]GM[1]C[cut])"
    );
}

#[test]
fn repairs_are_reported_as_json() {
    let run = run(&["fix", "-f", "jsonl"], BROKEN);
    let objects: Vec<serde_json::Value> = run
        .err
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect();
    assert_eq!(objects.len(), 5);
    assert_eq!(objects[0]["code"], "malformed-game-info");
    assert_eq!(
        (
            &objects[0]["line"],
            &objects[0]["column"],
            &objects[0]["byte"]
        ),
        (&1.into(), &17.into(), &16.into())
    );
    assert_eq!(
        (&objects[0]["done"], &objects[0]["repair"]["text"]),
        (&"repaired".into(), &"6.5".into())
    );
}

#[test]
fn codes_and_levels() {
    let fixed = |arguments: &[&str]| run(&[&["fix", "--quiet"], arguments].concat(), BROKEN);
    assert_eq!(
        fixed(&["--only", "unclosed-value,unclosed-game"]).done(),
        format!("{}])", String::from_utf8_lossy(BROKEN))
    );
    let out = fixed(&["--allow", "two-moves-in-node", "--allow", "unclosed-game"]).done();
    assert_eq!(
        out,
        "(;FF[4]GM[1] KM[6.5]\n;B[dd]W[pp])\n(;FF[4]GM[1]C[cut]"
    );
    assert!(
        fixed(&["--only", "no-such-code"])
            .refused()
            .contains("unknown code")
    );
    assert_eq!(
        run(&["fix", "-q"], b"mail\n(;GM[1])").done(),
        "mail\n(;GM[1])"
    );
    let note = |more: &[&str]| {
        run(
            &[&["fix", "-q", "--level", "note"], more].concat(),
            b"mail\n(;GM[1])",
        )
        .done()
    };
    assert_eq!(
        (&*note(&[]), &*note(&["--guess"])),
        ("mail\n(;FF[4]GM[1])", "\n(;FF[4]GM[1])")
    );
    assert!(fixed(&[]).err.is_empty());
}

#[test]
fn in_place_with_a_backup() {
    let place = Place::new();
    let file = place.put("x.sgf", BROKEN);
    run(&["fix", "--in-place", "--backup", &file], b"").done();
    assert_eq!(
        place.read("x.sgf"),
        "(;FF[4]GM[1] KM[6.5]\n;B[dd];W[pp])\n(;FF[4]GM[1]C[cut])"
    );
    assert_eq!(place.read("x.sgf.bak").as_bytes(), BROKEN);
    assert_eq!(place.names(), ["x.sgf", "x.sgf.bak"]);
    assert_eq!(run(&["fix", &file], b"").err, "");
    let out = place.text("out.sgf");
    run(&["fix", "-o", &out, &file], b"").done();
    assert_eq!(place.read("out.sgf"), place.read("x.sgf"));
    assert!(
        run(&["fix", "--in-place"], BROKEN)
            .refused()
            .contains("unpacked files")
    );
}

#[test]
fn a_game_that_is_longer_than_memory_is() {
    // The end of the game requires a change of its root.
    let text = "x".repeat(20 << 20);
    let game = format!("(;FF[3]GM[1]C[{text}];B[aa];AB[aa:bb])");
    let out = run(&["fix", "-q"], game.as_bytes()).out;
    assert!(out == game.replace("FF[3]", "FF[4]").as_bytes());
}

/// Each game is repaired separately, in inputs of any size.
#[test]
fn a_large_input_is_repaired_as_a_small_one() {
    // The stray word becomes a comment, and the comment requires a `CA`, which takes another pass.
    let game = "(;FF[4]GM[1];KM[6,5]B[d d]W[ee] \u{e9}t\u{e9})\n(;GM[1];TE[1]BM[1]B[aa]ZQ[1])\n)\n";
    let guess = &["fix", "--level", "note", "--guess"];
    let small = run(guess, game.as_bytes());
    let count = (256 << 10) / game.len() + 1;
    let large = run(guess, game.repeat(count).as_bytes());
    assert!(
        String::from_utf8_lossy(&small.out).contains("CA[UTF-8]"),
        "{}",
        String::from_utf8_lossy(&small.out)
    );
    assert!(
        large.out == small.out.repeat(count),
        "{}",
        String::from_utf8_lossy(&large.out[..1000])
    );
    let total = |err: &str| -> Vec<usize> {
        let last = err.lines().last().expect("a line");
        last.split(|c: char| !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .collect()
    };
    // Counts of repaired, guessed and remaining findings.
    let (of_large, of_small) = (total(&large.err), total(&small.err));
    assert_eq!(
        of_large,
        of_small.iter().map(|n| n * count).collect::<Vec<_>>()
    );
    assert!(of_small.last() > Some(&0), "{}", small.err);
    let again = run(guess, &large.out);
    assert!(
        again.out == large.out && total(&again.err)[0] == 0,
        "{}",
        again.err
    );
}

/// Games of all kinds are repaired the same in long and short inputs, and remaining findings are
/// reported.
#[test]
fn games_have_no_effect_on_each_other() {
    let roots = [
        "FF[4]GM[1]",
        "FF[3]GM[1]",
        "GM[1]",
        "FF[4]",
        "FF[4]GM[1]SZ[19:19]",
        "FF[4]GM[1]KM[6,5]",
        "FF[4]GM[1]GN[]",
    ];
    let more = [
        "",
        "DT[196?]",
        "RE[B+, he said]",
        "RE[0-1]",
        "AB[aa]B[bb]",
        "KM[x]",
        "ZZ[a]",
        "CA[UTF-8]",
        "GC[\u{e9}]",
        "BR[]",
    ];
    let nodes = [
        "B[dd]",
        "W[]",
        "B[tt]",
        "B[d d]",
        "B[aa]W[bb]",
        "AB[aa:bb]",
        "TE[1]BM[1]B[cc]",
        "C[\u{e9}]",
        "GN[x]",
        "ZZ[b]",
        "DT[1]",
    ];
    let gaps = ["\n", "\n\n", "", " ", "\nmail\n", ")\n"];
    let mut number = 1u64;
    let mut next = |words: &[&'static str]| {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        words[(number >> 33) as usize % words.len()]
    };
    let size = if super::common::is_long() {
        200 << 10
    } else {
        24 << 10
    };
    for has_gaps in [false, true] {
        let mut games = String::new();
        while games.len() < size {
            games.push_str(&format!("(;{}{}{}", next(&roots), next(&more), next(&more)));
            for _ in 0..4 {
                games.push_str(&format!(";{}", next(&nodes)));
            }
            games.push(')');
            games.push_str(if has_gaps { next(&gaps) } else { "\n" });
        }
        let said = |err: &str, what: &str| err.lines().filter(|line| line.contains(what)).count();
        for arguments in [
            &["fix", "--level", "warning"][..],
            &["fix", "--guess"],
            &["fix", "--level", "note"],
        ] {
            let (small, large) = (
                run(arguments, games.as_bytes()),
                run(arguments, games.repeat(2).as_bytes()),
            );
            assert!(large.out == small.out.repeat(2), "{arguments:?}");
            for what in [": repaired[", ": guessed[", ": left["] {
                assert_eq!(
                    said(&large.err, what),
                    2 * said(&small.err, what),
                    "{arguments:?} {what}"
                );
            }
            let again = run(arguments, &large.out);
            assert!(
                again.out == large.out && said(&again.err, ": repaired[") == 0,
                "{arguments:?}"
            );
        }
    }
}

#[test]
fn then_check_is_content() {
    for (name, bytes) in super::common::own_files() {
        let is_packed = name
            .rsplit_once('.')
            .is_some_and(|(_, suffix)| matches!(suffix, "gz" | "zip" | "zst"));
        if is_packed || name.ends_with(".md") {
            continue;
        }
        let fixed = run(
            &["fix", "-f", "jsonl", "--guess", "--level", "warning"],
            &bytes,
        );
        let told = fixed
            .err
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let left: Vec<_> = told
            .filter(|told| told["done"] == "left")
            .map(|told| told["code"].clone())
            .collect();
        let found = run(&["check", "-q", "-f", "jsonl"], &fixed.out);
        for line in String::from_utf8_lossy(&found.out).lines() {
            let finding: serde_json::Value = serde_json::from_str(line).expect("an object");
            assert!(
                finding["repair"].is_null() || left.contains(&finding["code"]),
                "{name}: {line}"
            );
        }
    }
}

#[test]
fn unrepaired_findings_are_counted() {
    let input = b"(;FF[4]GM[1]KM[6,5]RE[0-1];B[resign]C[caf\xe9])";
    let run_with = |arguments: &[&str]| run(&[&["fix"], arguments].concat(), input);
    let plain = run_with(&[]);
    assert!(
        plain.out.ends_with(b"KM[6.5]RE[0-1];B[resign]C[caf\xe9])"),
        "{}",
        String::from_utf8_lossy(&plain.out)
    );
    assert!(
        plain.err.ends_with("sgfq: 1 repaired, 2 left\n"),
        "{}",
        plain.err
    );
    let status = |arguments: &[&str]| run_with(arguments).status;
    assert_eq!((status(&[]), status(&["--fail-if-left"])), (0, 1));
}

#[test]
fn report_names_the_reason_of_a_blocked_repair() {
    const REASON: &str = "; not applied, because stray text near it may belong to a property";
    let blocked = run(&["fix"], b"(;FF[4]GM[1]KM[6,5]RE[0-1];b[ab])");
    let reasons = |report: &str, code: &str| {
        let is_of_code = |line: &&str| line.contains(code) && line.contains(REASON);
        report.lines().filter(is_of_code).count()
    };
    assert_eq!(
        reasons(&blocked.err, ": left[malformed-game-info]"),
        1,
        "{}",
        blocked.err
    );
    assert!(
        blocked.err.ends_with("sgfq: 0 repaired, 3 left\n"),
        "{}",
        blocked.err
    );
    let report = run(
        &["fix", "-f", "jsonl"],
        b"(;FF[4]GM[1]KM[6,5]RE[0-1];b[ab])",
    );
    let is_blocked = |code: &str| {
        let mut lines = report
            .err
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        lines
            .find(|line| line["code"] == code)
            .map(|line| line["blocked"].clone())
    };
    assert_eq!(is_blocked("malformed-game-info"), Some(true.into()));
    // A guess is left for want of `--guess`, and a repair elsewhere is made.
    let free = run(&["fix"], b"(;FF[4]GM[1]KM[6,5]RE[0-1];B[ab])");
    assert!(
        free.err.contains(": repaired[malformed-game-info]") && !free.err.contains(REASON),
        "{}",
        free.err
    );
}

#[test]
fn words_and_guesses_are_kept() {
    let input = b"(;FF[4]GM[1]RE[B+, he said]DT[196?];B[aa])";
    let plain = run(&["fix"], input);
    assert_eq!(
        plain.out,
        b"(;FF[4]GM[1]RE[B+]DT[196?]XK[RE: B+, he said];B[aa])"
    );
    let in_comments = run(&["fix", "--to-comments", "-q"], input);
    assert_eq!(
        in_comments.out,
        b"(;FF[4]GM[1]RE[B+]DT[196?]GC[RE: B+, he said];B[aa])"
    );
    assert!(
        plain.err.ends_with("sgfq: 1 repaired, 1 left\n"),
        "{}",
        plain.err
    );
    let guessed = run(&["fix", "--guess"], input);
    assert!(
        guessed
            .err
            .ends_with("sgfq: 1 repaired, 1 guessed, 0 left\n"),
        "{}",
        guessed.err
    );
    let shown = String::from_utf8_lossy(&guessed.out);
    assert!(
        shown.contains("DT[1960,1961,") && shown.contains("XK[DT: 196?][RE: B+, he said]"),
        "{shown}"
    );
}

/// Returns the peak memory in KiB for one node of this many bytes.
#[cfg(target_os = "linux")]
fn peak_kib(before: &str, middle: &str, bytes: usize) -> u64 {
    use std::io::{Read, Write};
    use std::process::Stdio;

    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("sgfq"))
        .args(["fix", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("runs");
    // The command waits in the last node until its output is read.
    let text = "x".repeat(600 << 10);
    let input = [
        before,
        &middle.repeat(bytes / middle.len()),
        ";C[",
        &text,
        "])",
    ]
    .concat();
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = child.stdout.take().expect("piped");
    let written = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let mut peak = 0;
    let mut block = vec![0; 16 << 10];
    while stdout.read(&mut block).expect("read") > 0 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let now = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = now.and_then(|now| now.trim().trim_end_matches(" kB").trim().parse().ok());
        peak = peak.max(now.unwrap_or(0));
    }
    written.join().expect("no panic").expect("all is read");
    child.wait().expect("ended");
    peak
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn memory_of_one_node_is_bounded() {
    for (before, middle) in [("(;FF[4]GM[1];", "B[]"), ("(;FF[4]GM[1];AB", "[zz]")] {
        let peak = peak_kib(before, middle, 800 << 10);
        // 48 MiB, and the budget of one game.
        assert!(0 < peak && peak <= 80 << 10, "{middle}: {peak} KiB");
    }
}

/// The command, which reads blocks and games, gives the same as the library with all bytes in
/// memory.
#[test]
fn long_inputs_are_repaired_as_short_ones() {
    const GAMES: [&[u8]; 22] = [
        b"(;FF[4]GM[1]SZ[19];B[aa];W[bb])",
        b"(;FF[4]GM[1]SZ[19]GN[];B[aa];W[bb](;B[cc])(;B[dd]))",
        b"(;FF[4]GM[1]KM[6,5]\n;B[dd]\n;W[pp]C[x])",
        b"(;FF[4]GM[1]KM[6,5];B[d d];W[zz])",
        b"(;FF[4]GM[1]RE[W+Resignation]DT[2001.2.3](;B[aa])(;B[bb]))",
        b"(;FF[3]GM[1]SZ[9];B[aa]AB[bb:cc])",
        b"(;GM[1]SZ[19:19];B[aa]W[bb])",
        b"(;FF[4]SZ[19]KM[6,5];B[aa])",
        b"(;FF[4]GM[1]AB[aa][bb]B[cc];W[dd])",
        b"(;FF[4]GM[1]C[caf\xe9];B[aa])",
        b"(;FF[4]GM[1]CA[UTF-8]C[caf\xc3\xa9]KM[7,5];B[aa])",
        b"(;FF[4]GM[1]CA[GBK]C[\xba\xda\x5d\x81];B[aa])",
        b"(;FF[4]GM[11]SZ[11];B[a1];W[swap-sides])",
        b"(;FF[4]GM[1];B[aa];W[bb]",
        b"(;FF[4]GM[1];B[aa];W[bb]))",
        b"(;FF[4]GM[1]KM[6,5])",
        b"(;FF[4]GM[1]KM[6,5](;B[aa]))",
        b"(;FF[4]GM[1]HA[1]KM[0];B[aa];W[bb];;B[cc]C[]N[])",
        b"(;FF[4]GM[1]C[a bare ] in a text];B[aa])",
        b"(;FF[4]GM[1]TB[aa][aa]DM[1]GB[1];B[aa]BL[x])",
        b"(;B[aa]FF[4]GM[1]PB[x]PB[y];W[bb])",
        b"(;1[a1,a2]GM[Blokus];2[t20](;3[t1])(;3[s1]))",
    ];
    const BETWEEN: [&[u8]; 7] = [
        b"\n",
        b"\n",
        b"",
        b"\r\n",
        b" mail ",
        b"\xEF\xBB\xBF",
        b"\n\0\n",
    ];
    let size = if super::common::is_long() {
        280_000
    } else {
        40_000
    };
    for seed in 0..4 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut input = if seed % 2 == 0 {
            Vec::new()
        } else {
            b"text\n".to_vec()
        };
        while input.len() < size {
            // Some inputs have few problems, so that long runs of games need no repair.
            let game = if seed < 2 && random.u8(..) > 20 {
                random.usize(..3)
            } else {
                random.usize(..GAMES.len())
            };
            input.extend_from_slice(GAMES[game]);
            let between = if seed < 2 && random.u8(..) > 5 {
                0
            } else {
                random.usize(..BETWEEN.len())
            };
            input.extend_from_slice(BETWEEN[between]);
        }
        let mut told = Vec::new();
        let expected = sgfstream_adapt::fix::fix(
            &input,
            &sgfstream_adapt::fix::FixFilter::from_level(sgfstream::Severity::Warning),
            sgfstream::Options::default(),
            |pass, finding, outcome| {
                if finding.remedy.is_some() {
                    let byte = if pass == 1 {
                        Some(finding.span.start)
                    } else {
                        None
                    };
                    told.push(format!(
                        "{pass} {} {} {byte:?} {} {outcome:?}",
                        finding.game, finding.path, finding.code
                    ));
                }
            },
        );
        let run = run(&["fix", "-f", "jsonl", "--level", "warning"], &input);
        let said = run.err.lines().map(|line| {
            let object: serde_json::Value = serde_json::from_str(line).expect("an object a line");
            let text = |name: &str| object[name].as_str().unwrap_or_default().to_owned();
            let outcome = match object["done"].as_str() {
                Some("repaired") => "Repaired",
                Some("guessed") => "Guessed",
                _ => "Left",
            };
            let (pass, game, byte) = (&object["pass"], &object["game"], object["byte"].as_u64());
            format!(
                "{pass} {game} {} {byte:?} {} {outcome}",
                text("path"),
                text("code")
            )
        });
        let said: Vec<String> = said.collect();
        let differ = said.iter().zip(&told).find(|(said, told)| said != told);
        assert_eq!((differ, said.len()), (None, told.len()), "seed {seed}");
        assert!(run.out == expected, "seed {seed}: other bytes");
    }
}

/// For files, members and large files, output, report and status do not depend on the number of
/// threads.
#[test]
fn threads_change_nothing() {
    let place = Place::new();
    std::fs::create_dir(place.path("files")).expect("disk space");
    let faulty = "(;FF[4]GM[1] KM[6,5]\n;B[d d]W[pp])\n";
    let sound = "(;FF[4]GM[1]SZ[19];B[aa];W[bb])\n";
    for number in 0..90 {
        let games = [
            faulty,
            "text(;GM[1]RE[0-1]C[cut",
            sound,
            "(;FF[3]GM[1];AB[aa:bb]",
        ];
        let game = games[number % games.len()].repeat(1 + number % 3);
        place.put(&format!("files/{number}.sgf"), &game);
    }
    // More than a block of a stream, and more than a block of a file.
    let long = |len: usize| -> String {
        let mut games = String::new();
        while games.len() < len {
            games.push_str(&sound.repeat(1000));
            games.push_str(faulty);
        }
        games
    };
    place.put("long.sgf", long(4_500_000));
    // No part can be repaired separately, because text precedes it that must be dropped.
    let game = format!("(;FF[4]GM[1]SZ[19]{})", ";B[aa];W[bb]".repeat(150));
    place.put(
        "mail.sgf",
        format!("{game}mail\n").repeat(2_300_000 / game.len()),
    );
    // Where blocks meet, parentheses of games are unmatched, so the bytes after them decide which
    // games there are.
    let unclear = [
        "(;(GM[]SZ[1;9])\n[(;X",
        "(;(;FF[]SZ[x])(E[\n",
        ")(;GM[1]FF[4];B[aa])\n",
        "(;M[]SZ[x](GM[]CA[])[(;F)\n",
    ];
    let mut games = String::new();
    for border in [2 << 20, 4 << 20] {
        while games.len() < border - (24 << 10) {
            games.push_str(sound);
        }
        for number in 0..1500 {
            let has_unclear = number % 40 == 0;
            games.push_str(if has_unclear {
                unclear[number / 40 % unclear.len()]
            } else {
                faulty
            });
        }
    }
    place.put("unclear.sgf", games.clone() + sound);
    place.put("bad.tar", {
        let member = long(1_500_000);
        let mut tar = super::tar::tar(&[
            ("a.sgf", BROKEN),
            ("b.sgf", member.as_bytes()),
            ("c.sgf", b"(;FF[4]GM[1]KM[7,5])"),
            ("d.sgf", BROKEN),
        ]);
        tar.truncate(tar.len() - 1500);
        tar
    });
    for arguments in [
        &["files", "bad.tar", "no-such.sgf", "files/3.sgf"][..],
        &["-f", "jsonl", "long.sgf", "mail.sgf"],
        &["unclear.sgf"],
        &["--level", "note", "bad.tar"],
    ] {
        let with = |jobs: &str| run_in(&place, &[&["fix", "-j", jobs], arguments].concat(), b"");
        let one = with("1");
        assert!(
            one.err.lines().count() > 4 && !one.out.is_empty(),
            "{}",
            one.err
        );
        for jobs in ["2", "4"]
            .into_iter()
            .filter(|jobs| *jobs != "2" || super::common::is_long())
        {
            let more = with(jobs);
            assert_eq!(
                (more.status, &more.err),
                (one.status, &one.err),
                "-j {jobs} {arguments:?}"
            );
            assert!(more.out == one.out, "-j {jobs} {arguments:?}: other bytes");
        }
    }
    // The output is the concatenation of the outputs of single files.
    let (mut out, mut err) = (Vec::new(), String::new());
    for number in 0..90 {
        let one = run_in(
            &place,
            &["fix", "-j", "1", &format!("files/{number}.sgf")],
            b"",
        );
        out.extend_from_slice(&one.out);
        err.extend(
            one.err
                .lines()
                .filter(|line| line.starts_with("files"))
                .map(|line| format!("{line}\n")),
        );
    }
    let names: Vec<String> = (0..90)
        .map(|number| format!("files/{number}.sgf"))
        .collect();
    let arguments: Vec<&str> = ["fix", "-j", "3"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    let all = run_in(&place, &arguments, b"");
    assert!(all.out == out, "other bytes");
    assert!(all.err.starts_with(&err), "{}", all.err);
}
