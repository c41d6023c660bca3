//! Tests of `charset` and `--charset`.

use serde_json::Value;

use super::{Place, common, run};

#[test]
fn a_line_for_each_game() {
    let games = b"(;CA[UTF-8]C[\xe9])(;CA[Shift_JIS]C[\x95\x5c\x8e\xa6\x83\x5d])(;C[x])";
    let out = run(&["charset"], games).done();
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(
        lines[0],
        [
            "game",
            "declared",
            "valid",
            "detected",
            "confidence",
            "framing"
        ]
    );
    assert_eq!(
        lines[1],
        ["-#1", "UTF-8", "no", "windows-1252", "low", "either"]
    );
    assert_eq!(lines[2][..3], ["-#2", "Shift_JIS", "yes"]);
    assert_eq!(lines[2][5], "whole");
    assert_eq!(lines[3], ["-#3", "-", "ascii", "-", "-", "either"]);
    assert!(
        run(&["charset", "-f", "jsonl"], games)
            .done()
            .contains("\"declared\":null")
    );
}

#[test]
fn detection_is_for_games_that_say_nothing() {
    let text = "黒番の先手が右上の星に打ち、白は左下の小目に構えた。";
    let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode(text);
    let games = [b"(;PB[", &*sjis, b"])(;CA[UTF-8]PB[", "é".as_bytes(), b"])"].concat();
    let out = run(
        &[
            "get",
            "charset,charset_source,pb",
            "--charset",
            "detect",
            "-f",
            "csv",
        ],
        &games,
    )
    .done();
    assert_eq!(
        out,
        format!("charset,charset_source,pb\nShift_JIS,detected,{text}\nUTF-8,declared,é\n")
    );
    let out = run(&["rewrite", "--charset", "detect", "--utf8"], &games).done();
    assert_eq!(out, format!("(;CA[UTF-8]PB[{text}])(;CA[UTF-8]PB[é])"));
    // A guess of low confidence is shown but not written.
    let low = b"(;GN[\xb5\xda6\xbe\xed])";
    let left = run(&["rewrite", "--charset", "detect", "--utf8"], low);
    assert!(
        left.status == 1 && left.out == low && left.err.contains("1 game was not converted"),
        "{}",
        left.err
    );
    assert!(
        run(&["get", "charset_source", "--charset", "detect"], low)
            .done()
            .contains("guessed")
    );
}

/// A program saved the file again as UTF-16 and did not change `CA`.
#[test]
fn transcoded_games_are_utf_8_whatever_ca_says() {
    for label in ["GB2312", "Shift_JIS", "Big5", "EUC-KR", "ISO-8859-1"] {
        let games = format!(
            "\u{feff}(;FF[4]GM[1]SZ[9]CA[{label}]PB[常昊];B[aa])(;FF[4]GM[1]CA[{label}]PB[林海峰];B[aa])"
        );
        let wide: Vec<u8> = games.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let out = run(&["get", "pb,charset,charset_source", "-f", "csv"], &wide).done();
        assert_eq!(
            out, "pb,charset,charset_source\n常昊,UTF-8,bom\n林海峰,UTF-8,bom\n",
            "{label}"
        );
        let checked = run(&["check", "-f", "short", "-q"], &wide);
        let expected = format!(
            "error[stale-charset]: in `CA`: the text was transcoded, so expected `UTF-8`, found `{label}`\n"
        );
        let shown = String::from_utf8(checked.out).expect("UTF-8");
        assert_eq!(shown.matches(&*expected).count(), 2, "{shown}");
        for command in [&["rewrite", "--utf8"][..], &["fix", "-q"]] {
            let out = run(command, &wide).done();
            assert_eq!(out, games.replace(label, "UTF-8"), "{command:?}");
        }
        // The output reads like the input, for each command that writes games.
        let commands = [
            "cat",
            "filter\tmoves > 0",
            "head",
            "cat\t--games\t-2",
            "sort\tmoves",
            "dedup",
            "variations",
            "merge",
            "find\t--position\taa",
        ];
        let edits = [
            "rewrite",
            "rewrite\t--canonical",
            "rewrite\t--main-line",
            "rewrite\t--strip\tcomments",
            "rewrite\t--strip\tcomments\t--where\tgame > 1",
        ];
        for command in commands.iter().chain(&edits) {
            let out = run(&command.split('\t').collect::<Vec<_>>(), &wide).done();
            let read = run(&["get", "pb,charset", "-f", "csv"], out.as_bytes()).done();
            let mut names: Vec<_> = read.lines().skip(1).collect();
            names.sort_unstable();
            assert_eq!(names, ["常昊,UTF-8", "林海峰,UTF-8"], "{command}: {out}");
            assert!(!out.contains(label), "{command}: {out}");
            assert!(out.contains("CA[UTF-8]"), "{command}: {out}");
        }
        // The same for references, and for text without a declared charset.
        let place = Place::new();
        let file = place.put("x.sgf", &wide);
        let out = run(&["cat", &format!("{file}#2"), &format!("{file}#1")], b"").done();
        assert_eq!(out.matches("CA[UTF-8]").count(), 2, "{out}");
    }
    let wide: Vec<u8> = "(;PB[常昊]\n;B[aa])"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(
        run(&["cat"], &wide).done(),
        "(;PB[常昊]\nCA[UTF-8];B[aa])\n"
    );
}

/// Joins games of several charsets. Each is read in its own charset by any number of workers, and
/// no guess is written.
#[test]
fn each_game_is_read_in_the_charset_that_its_text_shows() {
    let place = Place::new();
    // More than 64 bytes of non-ASCII text give high confidence.
    let texts = [
        (
            encoding_rs::SHIFT_JIS,
            "黒番の先手が右上の星に打ち、白は左下の小目に構えた。次に黒は右下の星を占めた。",
        ),
        (
            encoding_rs::GBK,
            "第十一届中国围棋天元战挑战赛三番棋第二局，白中盘胜，第三局在北京进行",
        ),
        (
            encoding_rs::EUC_KR,
            "제이십삼기 기성전 도전오번기 제일국, 흑 불계승, 제이국은 서울에서 다시 열린다",
        ),
    ];
    let mut games = b"(;PB[x]PW[plain])".to_vec();
    for (charset, text) in texts {
        games.extend_from_slice(&[b"(;GM[1]PB[", &*charset.encode(text).0, b"])\n"].concat());
    }
    let short = encoding_rs::GBK.encode("常昊 李昌镐 中韩天元战").0;
    games.extend_from_slice(
        &[
            b"(;GM[1]PB[",
            &*short,
            b"])(;CA[UTF-8]PB[",
            "é".as_bytes(),
            b"])",
        ]
        .concat(),
    );
    let file = place.put("x.sgf", &games);

    let get = ["get", "pb,charset,charset_source", "-f", "jsonl", &file];
    let read = run(&get, b"");
    // A game is read the same, whatever follows it.
    let valid = "(;PB[常昊九段])\n".as_bytes();
    let valid = run(
        &["get", "charset,charset_source", "-f", "jsonl"],
        &[valid, &games].concat(),
    );
    assert!(
        valid
            .text()
            .starts_with("{\"charset\":\"UTF-8\",\"charset_source\":\"default\"}\n"),
        "{}",
        valid.text()
    );
    for (charset, text) in texts {
        let row = format!(
            "\"pb\":\"{text}\",\"charset\":\"{}\",\"charset_source\":\"",
            charset.name()
        );
        assert!(read.text().contains(&row), "{row}: {}", read.text());
    }
    let row =
        "\"pb\":\"常昊 李昌镐 中韩天元战\",\"charset\":\"GBK\",\"charset_source\":\"guessed\"";
    assert!(read.text().contains(row), "{}", read.text());
    assert_eq!(
        read.err,
        "sgfq: 4 games declare no charset that fits; guessed from their text; see `sgfq charset` and `sgfq help charsets`\n"
    );
    for jobs in ["1", "2", "7"] {
        let same = run(&[&get[..], &["-j", jobs]].concat(), b"");
        assert!(
            (same.status, &same.out, &same.err) == (0, &read.out, &read.err),
            "{jobs}"
        );
    }
    // With `--charset auto`, nothing is detected and no message appears.
    let plain = run(&[&get[..], &["--charset", "auto"]].concat(), b"");
    assert!(
        plain.err.is_empty() && !plain.text().contains("guessed") && !plain.text().contains("黒番"),
        "{}",
        plain.text()
    );
    // The command reads no text, so nothing is detected.
    assert_eq!(run(&["count", &file], b"").err, "");

    // A filter reads the text, and the bytes are written unchanged.
    let chosen = run(&["filter", "pb like '%天元%'", &file], b"");
    assert_eq!(chosen.status, 0, "{}", chosen.err);
    for part in [&*texts[1].0.encode(texts[1].1).0, &short] {
        assert!(chosen.out.windows(part.len()).any(|bytes| bytes == part));
    }
    // A medium confidence is enough for reading, but not for writing.
    let written = run(&["rewrite", "--utf8", &file], b"");
    assert_eq!(written.status, 1, "{}", written.err);
    assert!(
        written.err.contains("1 game was not converted"),
        "{}",
        written.err
    );
    assert!(
        written
            .out
            .windows(short.len())
            .any(|bytes| bytes == &*short)
    );
    for (_, text) in texts {
        assert!(
            String::from_utf8_lossy(&written.out).contains(text),
            "{text}"
        );
    }
}

/// A game with an undeclared charset is never labeled as UTF-8 unless it is.
#[test]
fn utf_8_is_never_made_of_bytes_of_an_unknown_charset() {
    let (gbk, _, _) = encoding_rs::GBK.encode("古力");
    let unknown = [b"(;GM[1]PB[", &*gbk, b"];B[aa]C[x])"].concat();
    let known = [b"(;GM[1]CA[GBK]PB[", &*gbk, b"])"].concat();
    let late = [
        &b"(;GM[1]PB[x];B[aa]C["[..],
        "é".as_bytes(),
        b"](;W[bb]C[\xe9])(;W[cc]))",
    ]
    .concat();
    let input = [
        &b"mail\n"[..],
        &unknown,
        b"\n",
        &known,
        b" (;GM[1]PB[Ren\xc3\xa9])",
        &late,
        b"(;C[x])\n",
    ]
    .concat();
    let expected = [
        &b"mail\n"[..],
        &unknown,
        "\n(;GM[1]CA[UTF-8]PB[古力]) (;GM[1]CA[UTF-8]PB[René])".as_bytes(),
        &late,
        b"(;CA[UTF-8]C[x])\n",
    ]
    .concat();
    let said = "sgfq: 2 games were not converted: the text is not UTF-8, and no CA declares its charset (first: -#1); name \
                it with --charset, or have it guessed with --charset detect\n";
    let run = super::run(&["rewrite", "--utf8"], &input);
    assert_eq!((run.status, &*run.err), (1, said));
    // The message does not suggest a guess to users who already requested one.
    let guessed = super::run(&["rewrite", "--utf8", "--charset", "detect"], b"(;C[\x81])");
    let said = "sgfq: 1 game was not converted: the text is not UTF-8, and no CA declares its charset (first: -#1); name it with \
                --charset\n";
    assert_eq!((guessed.status, &*guessed.err), (1, said));
    assert_eq!(
        String::from_utf8_lossy(&run.out),
        String::from_utf8_lossy(&expected)
    );
    assert!(run.out == expected);
    // The other edits are made, even in games that are not converted.
    let run = super::run(
        &["rewrite", "--strip", "C", "--utf8", "--set", "EV=x"],
        &unknown,
    );
    assert!(
        run.out == [b"(;GM[1]PB[", &*gbk, b"]EV[x];B[aa])"].concat(),
        "{}",
        String::from_utf8_lossy(&run.out)
    );
    // A charset on the command line is used.
    let named = super::run(&["rewrite", "--utf8", "--charset", "GBK"], &unknown).done();
    assert_eq!(named, "(;GM[1]CA[UTF-8]PB[古力];B[aa]C[x])");
    let latin1 = super::run(
        &["rewrite", "--utf8", "--charset", "latin1"],
        b"(;PB[Ren\xe9])",
    )
    .done();
    assert_eq!(latin1, "(;CA[UTF-8]PB[René])");
}

#[test]
fn a_long_game_is_converted_whole_or_not_at_all() {
    let place = Place::new();
    for (last, is_left) in [(&b"\xc3\xa9"[..], false), (b"\xb9\xc5", true)] {
        let moves = ";B[aa]C[text and more text, so that it takes some memory]".repeat(60_000);
        let long = [
            b"(;GM[1]",
            moves.as_bytes(),
            b";C[",
            &b"x".repeat(3 << 20),
            last,
            b"])",
        ]
        .concat();
        let file = place.put("x.sgf", &long);
        let run = run(&["rewrite", "--utf8", &file], b"");
        let label = if is_left { "" } else { "CA[UTF-8]" };
        let expected = [
            b"(;GM[1]",
            label.as_bytes(),
            moves.as_bytes(),
            b";C[",
            &b"x".repeat(3 << 20),
            last,
            b"])",
        ]
        .concat();
        assert_eq!(run.status, i32::from(is_left), "{}", run.err);
        assert!(run.out == expected);
    }
}

#[test]
fn nothing_lossy_is_written_in_place() {
    let place = Place::new();
    let bytes = b"(;CA[GBK]C[\xb9\xc5\xff])(;CA[GBK]C[\xb9\xc5])";
    let file = place.put("x.sgf", bytes);
    let out = run(&["rewrite", "--utf8", &file], b"");
    assert_eq!(
        (out.status, &*out.out),
        (1, "(;CA[UTF-8]C[古\u{fffd}])(;CA[UTF-8]C[古])".as_bytes())
    );
    let first = format!("(1; first in {file}#1, byte 1)");
    assert!(
        out.err.contains("written as U+FFFD") && out.err.contains(&first),
        "{}",
        out.err
    );
    let run = run(&["rewrite", "--utf8", "--in-place", &file], b"");
    let said = format!(
        "sgfq: 1 game was not converted: some bytes are invalid in the charset (first: {file}#1)\n"
    );
    assert_eq!((run.status, run.err), (1, said));
    let expected = [&bytes[..16], "(;CA[UTF-8]C[古])".as_bytes()].concat();
    assert!(std::fs::read(&file).expect("a file") == expected);
}

/// Omissions are reported with their place.
#[test]
fn bytes_that_are_left_out_have_a_place() {
    let place = Place::new();
    place.put("1.sgf", "(;B[aa])");
    let two = place.put("2.sgf", "(;B[aa])\n(;B[bb]) x (;W[cc] ? [x] )");
    let run = run(
        &["rewrite", "--strip", "N", &place.0.path().to_string_lossy()],
        b"",
    );
    assert!(
        run.err.contains("were left out (") && run.err.contains(&format!("first in {two}, byte ")),
        "{}",
        run.err
    );
    assert_eq!(run.status, 1);
}

/// A game that is not converted and lacks its end does not swallow the games of the next input.
#[test]
fn a_game_that_is_cut_off_is_closed() {
    let place = Place::new();
    for (cut, closed) in [
        (
            &b"(;B[aa]C[\xba\xda\xc6"[..],
            &b"(;B[aa]C[\xba\xda\xc6]"[..],
        ),
        (b"(;B[aa]C[\xe9 \\", b"(;B[aa]C[\xe9 ]"),
        (
            b"(;B[aa](;C[\xe9]) x (;W[bb]\n",
            b"(;B[aa](;C[\xe9]) x (;W[bb]\n)",
        ),
        (b"(;B[aa]C[\xe9]", b"(;B[aa]C[\xe9]"),
    ] {
        let (one, two) = (place.put("1.sgf", cut), place.put("2.sgf", "(;B[bb])"));
        let run = run(&["rewrite", "--utf8", &one, &two], b"");
        let expected = [closed, b")(;CA[UTF-8]B[bb])"].concat();
        assert_eq!(
            String::from_utf8_lossy(&run.out),
            String::from_utf8_lossy(&expected)
        );
        assert!(run.out == expected && run.status == 1, "{}", run.err);
    }
}

/// Damaged text is shown as far as it is readable, and games with such text are counted.
#[test]
fn damaged_texts_are_counted() {
    let games =
        b"(;CA[UTF-8]PB[a\xe5\x93])(;CA[UTF-8]PB[b]PW[\xff])(;CA[UTF-8]PB[c])(;PB[\xe9]C[a\xff])";
    for (columns, count) in [
        ("pb", "1 game has"),
        ("pb,pw", "2 games have"),
        ("moves", ""),
    ] {
        for jobs in ["1", "3"] {
            let found = run(&["get", columns, "-f", "csv", "-j", jobs], games);
            let lines = found.err.lines().filter(|line| line.contains("damaged"));
            let expected =
                format!("sgfq: {count} damaged text, shown as \u{FFFD}; see `sgfq check`");
            assert_eq!(found.status, 0, "{columns}");
            assert_eq!(
                lines.collect::<Vec<_>>(),
                if count.is_empty() {
                    vec![]
                } else {
                    vec![&*expected]
                },
                "{columns}"
            );
        }
    }
}

/// The cases of conformance that name the charset which a detector finds.
#[test]
fn cases_of_conformance_are_guessed() {
    let lines = include_str!("../../../../corpus/conformance/may-differ.jsonl").lines();
    let mut count = 0;
    for case in lines.filter(|line| line.contains("\"guess\"")) {
        let case: Value = serde_json::from_str(case).expect("JSON");
        let input = common::conformance::from_base64(case["input"].as_str().expect("an input"));
        let out = run(&["get", "charset", "-f", "jsonl"], &input).done();
        let charsets: Vec<Value> = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["charset"].take())
            .collect();
        assert_eq!(case["guess"], Value::from(charsets), "{}", case["id"]);
        count += 1;
    }
    assert!(count >= 6, "{count} cases");
}
