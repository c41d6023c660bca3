//! Tests of `rewrite`.

use super::{Place, common, run, sgfq};

#[test]
fn edits_in_their_order() {
    let game = b"(;GM[1]C[a]N[b];B[aa])";
    let rewrite = |arguments: &[&str]| run(&[&["rewrite"], arguments].concat(), game).done();
    assert_eq!(
        rewrite(&["--rename", "N=C", "--strip", "C"]),
        "(;GM[1];B[aa])"
    );
    assert_eq!(
        rewrite(&["--strip", "C", "--rename", "N=C"]),
        "(;GM[1]C[b];B[aa])"
    );
    assert_eq!(
        rewrite(&["--set", "EV=1", "--main-line", "--set", "EV=2"]),
        "(;GM[1]C[a]N[b]EV[2];B[aa])"
    );
    assert_eq!(rewrite(&[]), "(;GM[1]C[a]N[b];B[aa])");
    let err = run(&["rewrite", "--turn", "sideways"], game).refused();
    assert!(err.contains("--turn") && err.contains("rotate-90"), "{err}");
}

#[test]
fn text_between_games_stays() {
    assert_eq!(
        sgfq(&["rewrite", "--strip", "comments"]).done(),
        super::GAMES.replace("C[a ko]", "")
    );
}

/// Without edits nothing is added, so text after a truncated game becomes a part of it.
#[test]
fn truncated_games_are_reported() {
    let place = Place::new();
    let [whole, cut] =
        [("a.sgf", "(;C[a])"), ("b.sgf", "(;C[b")].map(|(name, games)| place.put(name, games));
    let empty = place.put("c.sgf", "");
    for alone in [&[&*whole, &*cut][..], &[&*cut], &[&*cut, &*empty]] {
        let said = run(&[&["rewrite"], alone].concat(), b"");
        assert_eq!((said.status, &*said.err), (0, ""), "{alone:?}");
    }
    let said = run(&["rewrite", &cut, &empty, &whole], b"");
    let expected = format!(
        "sgfq: inputs end inside a game, so readers take the next game for a part of it; close games with \
         `sgfq cat` (1; first in {cut}, byte 5)\n"
    );
    assert_eq!(
        (said.status, &said.out[..], said.err),
        (1, &b"(;C[b(;C[a])"[..], expected)
    );
    // With an edit, the game is closed.
    assert_eq!(
        run(&["rewrite", "--strip", "N", &cut, &whole], b"").done(),
        "(;C[b])(;C[a])"
    );
}

#[test]
fn in_place_with_a_backup() {
    let place = Place::new();
    let file = place.put("x.sgf", "(;C[a];B[aa])");
    run(
        &["rewrite", "--in-place", "--backup", "--strip", "C", &file],
        b"",
    )
    .done();
    assert_eq!(
        (
            place.read("x.sgf").as_str(),
            place.read("x.sgf.bak").as_str()
        ),
        ("(;;B[aa])", "(;C[a];B[aa])")
    );
    run(
        &[
            "rewrite",
            "--in-place",
            "--backup=.old",
            "--strip",
            "B",
            &file,
        ],
        b"",
    )
    .done();
    assert_eq!(
        (
            place.read("x.sgf").as_str(),
            place.read("x.sgf.old").as_str()
        ),
        ("(;;)", "(;;B[aa])")
    );
    assert_eq!(place.names(), ["x.sgf", "x.sgf.bak", "x.sgf.old"]);
}

/// A run without changes keeps the file and makes no backup.
#[test]
fn an_unchanged_file_is_not_replaced() {
    let place = Place::new();
    let file = place.put("x.sgf", "(;C[a];B[aa])");
    let state = || {
        std::fs::metadata(place.path("x.sgf"))
            .and_then(|file| file.modified())
            .expect("a file")
    };
    let before = state();
    run(
        &["rewrite", "--in-place", "--backup", "--strip", "N", &file],
        b"",
    )
    .done();
    run(&["fix", "--in-place", "--backup", "-q", &file], b"").done();
    assert_eq!((state(), place.names()), (before, vec!["x.sgf".to_owned()]));
}

/// Of two simultaneous runs, one leaves the file to the other.
#[cfg(unix)]
#[test]
fn a_file_that_another_run_replaces_is_left() {
    let place = Place::new();
    let file = place.put("x.sgf", "(;C[a];B[aa])");
    let other = std::fs::File::open(place.path("x.sgf")).expect("a file");
    other.lock().expect("a lock");
    let said = run(&["rewrite", "--in-place", "--strip", "C", &file], b"");
    assert!(
        said.status == 2
            && said
                .err
                .contains("another program changed the file meanwhile"),
        "{}",
        said.err
    );
    assert_eq!(place.read("x.sgf"), "(;C[a];B[aa])");
    other.unlock().expect("a lock");
    run(&["rewrite", "--in-place", "--strip", "C", &file], b"").done();
    assert_eq!(place.read("x.sgf"), "(;;B[aa])");
}

#[test]
fn a_backup_replaces_nothing() {
    let place = Place::new();
    let file = place.put("x.sgf", "(;C[a];B[aa];W[bb])");
    for edit in ["C", "B", "W"] {
        run(
            &["rewrite", "--in-place", "--backup", "--strip", edit, &file],
            b"",
        )
        .done();
    }
    let read = |name: &str| place.read(name);
    assert_eq!(
        place.names(),
        ["x.sgf", "x.sgf.bak", "x.sgf.bak.2", "x.sgf.bak.3"]
    );
    assert_eq!(
        [read("x.sgf.bak"), read("x.sgf.bak.2"), read("x.sgf.bak.3")],
        ["(;C[a];B[aa];W[bb])", "(;;B[aa];W[bb])", "(;;;W[bb])"]
    );
}

/// An incomplete backup gets no name, and the file is unchanged.
#[cfg(target_os = "linux")]
#[test]
fn a_backup_is_whole_or_absent() {
    let place = Place::new();
    let games = format!("(;GM[1]C[{}])", "x".repeat(100_000));
    place.put("x.sgf", &games);
    // The new file is short, but the backup exceeds the file size limit.
    let script = format!(
        "trap '' XFSZ; ulimit -f 16; exec {} rewrite --in-place --backup --strip C x.sgf",
        env!("CARGO_BIN_EXE_sgfq")
    );
    let mut shell = std::process::Command::new("sh");
    let output = shell
        .args(["-c", &script])
        .current_dir(place.0.path())
        .output()
        .expect("it ran");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && said.contains("file too large"),
        "{said}"
    );
    assert_eq!(
        (place.names(), place.read("x.sgf") == games),
        (vec!["x.sgf".to_owned()], true)
    );
}

#[cfg(unix)]
#[test]
fn owners_and_links_are_kept() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let place = Place::new();
    let file = place.put("x.sgf", "(;C[a];B[aa])");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).expect("permission");
    // Only root may give a file away; for other users the owner stays the same.
    _ = chown(&file, Some(12345), Some(23456));
    let access = |name: &str| {
        let metadata = std::fs::metadata(place.path(name)).expect("a file");
        (metadata.uid(), metadata.gid(), metadata.mode() & 0o777)
    };
    let before = access("x.sgf");
    let run = run(
        &["rewrite", "--in-place", "--backup", "--strip", "C", &file],
        b"",
    );
    assert_eq!((run.status, &*run.err), (0, ""));
    assert_eq!((access("x.sgf"), access("x.sgf.bak")), (before, before));
    super::run(&["cat", &place.text("x.sgf.bak"), "-o", &file], b"").done();
    assert_eq!(access("x.sgf"), before);

    std::fs::hard_link(&file, place.path("other.sgf")).expect("a link");
    for command in [
        &["rewrite", "--in-place", "--strip", "B", &file][..],
        &["fix", "--in-place", &file],
    ] {
        let err = super::run(command, b"").refused();
        assert!(err.contains("the file has 2 hard links"), "{err}");
        assert_eq!(
            (place.read("x.sgf"), place.read("other.sgf")),
            ("(;C[a];B[aa])\n".to_owned(), "(;C[a];B[aa])\n".to_owned())
        );
    }
}

#[test]
fn stdin_and_archives_have_no_place() {
    assert!(
        sgfq(&["rewrite", "--in-place", "--main-line"])
            .refused()
            .contains("unpacked files")
    );
    let archive = format!("{}/../../corpus/packed/two.zip", env!("CARGO_MANIFEST_DIR"));
    let before = std::fs::read(&archive).expect("a file");
    assert!(
        run(&["rewrite", "--in-place", "--strip", "PB", &archive], b"")
            .refused()
            .contains("unpacked files")
    );
    assert!(std::fs::read(&archive).expect("a file") == before);
}

#[test]
fn a_file_that_is_not_whole_never_has_the_name() {
    let place = Place::new();
    let out = place.put("out.sgf", "old");
    // The input cannot be read to its end: a truncated archive.
    let gz = std::fs::read(format!(
        "{}/../../corpus/packed/one.sgf.gz",
        env!("CARGO_MANIFEST_DIR")
    ))
    .expect("a file");
    let cut = place.put("cut.sgf.gz", &gz[..gz.len() / 2]);
    let run = run(&["rewrite", "--utf8", "-o", &out, &cut], b"");
    assert_eq!(run.status, 2, "{}", run.err);
    let err = super::run(
        &["rewrite", "-o", &place.text("no/such/place.sgf"), &out],
        b"",
    )
    .refused();
    assert!(err.contains("place.sgf"), "{err}");
    assert_eq!(place.names(), ["cut.sgf.gz", "out.sgf"]);
}

#[test]
fn without_edits_every_byte_comes_back() {
    let place = Place::new();
    common::each_file(997, |name, bytes| {
        if bytes.starts_with(b"\xff\xfe")
            || bytes.starts_with(b"\xfe\xff")
            || name.contains("iso-2022")
        {
            return; // Transcoded to UTF-8 while reading.
        }
        if let Some((_, "gz" | "bz2" | "xz" | "zst" | "lz4" | "zip" | "tar" | "7z" | "tgz")) =
            name.rsplit_once('.')
        {
            return; // Archives are not rewritten as such, only their contents.
        }
        let file = place.put("in.sgf", bytes);
        let run = run(&["rewrite", &file], b"");
        assert!(run.out == bytes, "{name}");
    });
}

#[test]
fn no_packed_file_is_replaced_by_its_content() {
    let place = Place::new();
    // Each contains `(;C[a])`: the legacy format of lz4, zstd, and both after a skippable frame, as
    // pzstd writes it.
    let lz4 = b"\x02\x21\x4c\x18\x08\0\0\0\x70(;C[a])";
    let zst = b"\x28\xb5\x2f\xfd\x20\x07\x39\0\0(;C[a])";
    let skippable = b"\x5a\x2a\x4d\x18\x05\0\0\0hello";
    for bytes in [&lz4[..], zst, &[&skippable[..], zst].concat()] {
        assert_eq!(run(&["rewrite", "--strip", "C"], bytes).done(), "(;)");
        let file = place.put("x.sgf", bytes);
        assert!(
            run(&["rewrite", "--in-place", "--strip", "C", &file], b"")
                .refused()
                .contains("unpacked files")
        );
        assert_eq!(std::fs::read(&file).expect("a file"), bytes);
    }
}

#[test]
fn three_bytes_do_not_make_a_file_japanese() {
    let input = b"(;FF[4]CA[UTF-8]C[\x1b$B];B[aa])\n(;B[bb])";
    let lone = b"(;FF[4]C[\x1b$B];B[aa])\n(;B[bb])";
    for input in [&input[..], lone] {
        let counts = run(&["count"], input).done();
        assert!(
            counts.contains("games\t2\n") && counts.contains("moves\t2\n"),
            "{counts}"
        );
        assert_eq!(run(&["rewrite"], input).out, input);
    }
    let place = Place::new();
    let file = place.put("x.sgf", lone);
    run(&["rewrite", "--in-place", "--strip", "B", &file], b"").done();
    assert_eq!(place.read("x.sgf").as_bytes(), b"(;FF[4]C[\x1b$B];)\n(;)");
}

#[test]
fn transcoded_files_are_not_written_in_place() {
    let place = Place::new();
    let utf16 = |text: &str| {
        format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    let utf32 = "\u{feff}(;C[黒])"
        .chars()
        .flat_map(|c| u32::from(c).to_be_bytes())
        .collect::<Vec<u8>>();
    for (bytes, name) in [
        (utf16("(;C[黒])"), "UTF-16LE"),
        (utf32, "UTF-32BE"),
        (b"(;C[\x1b$B9u\x1b(B])".to_vec(), "ISO-2022-JP"),
    ] {
        let file = place.put("x.sgf", &bytes);
        for command in [
            &["fix", "--in-place", &file][..],
            &["rewrite", "--in-place", "--strip", "B", &file],
        ] {
            let err = run(command, b"").refused();
            assert!(err.contains(name) && err.contains("unchanged"), "{err}");
            assert_eq!(std::fs::read(&file).expect("a file"), bytes);
        }
        let said = run(&["rewrite", "--in-place", "--utf8", &file], b"");
        assert!(said.err.contains("written in UTF-8"), "{}", said.err);
        assert!(place.read("x.sgf").contains("C[黒]"));
    }
    // The option states that the file is not ISO-2022-JP.
    let file = place.put("x.sgf", b"(;C[\x1b$B9u\x1b(B])");
    run(
        &[
            "rewrite",
            "--in-place",
            "--charset",
            "UTF-8",
            "--strip",
            "B",
            &file,
        ],
        b"",
    )
    .done();
    assert_eq!(place.read("x.sgf"), "(;C[\x1b$B9u\x1b(B])");
}

#[test]
fn losses_in_transcoding_are_reported() {
    let place = Place::new();
    let game = "\u{feff}(;C[a"
        .encode_utf16()
        .chain([0xD800])
        .chain("b])".encode_utf16());
    let lone = game.flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let file = place.put("x.sgf", &lone);
    for command in ["count", "check", "rewrite", "fix", "cat", "events"] {
        let run = run(&[command, &file], b"");
        assert_eq!(run.status, 1, "{command}: {}", run.err);
        assert!(
            run.err.contains("1 malformed UTF-16LE sequence"),
            "{command}: {}",
            run.err
        );
    }
    // A large file is transcoded on its own thread.
    let pad = "(;C[x])"
        .repeat(200_000)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect::<Vec<u8>>();
    let large = place.put("large.sgf", [&lone[..], &pad].concat());
    let run = super::run(&["count", &large], b"");
    assert_eq!(
        (run.status, run.err.matches("1 malformed").count()),
        (1, 1),
        "{}",
        run.err
    );
    assert!(
        super::run(&["rewrite", "--in-place", "--utf8", &file], b"")
            .refused()
            .contains("1 malformed")
    );
    assert_eq!(std::fs::read(&file).expect("a file"), lone);
}

/// Texts are converted before other edits change them, so a second run changes nothing.
#[test]
fn plain_texts_in_utf8_need_one_run() {
    let once = run(
        &["rewrite", "--text", "--utf8"],
        b"(;FF[4]GM[1]CA[GBK]C[a\xba\xda  \r\nb\\:x  ];B[aa])",
    );
    let expected = "(;FF[4]GM[1]CA[UTF-8]C[a\u{9ed1}  \nb:x];B[aa])";
    assert_eq!(
        (once.err.as_str(), once.out.as_slice()),
        ("", expected.as_bytes())
    );
    assert_eq!(
        run(&["rewrite", "--text", "--utf8"], &once.out).out,
        once.out
    );
}

/// Bytes that form no property or value are not written without a message.
#[test]
fn a_value_that_does_not_fit_is_refused() {
    for (set, message) in [
        ("SZ=abc", "--set: in `SZ`: expected a board size"),
        ("AB=zzz", "--set: in `AB`: expected a point"),
        ("DT=last week", "--set: in `DT`: expected dates"),
        ("9=3", "expected"),
        (
            "sz=9",
            "--set: expected an identifier of capital letters, found `sz`",
        ),
    ] {
        let err = run(&["rewrite", "--set", set], b"(;GM[1])").refused();
        assert!(err.contains(message), "{set}: {err}");
    }
    assert_eq!(
        run(&["rewrite", "--set", "SZ=abc", "--force"], b"(;GM[1])").done(),
        "(;GM[1]SZ[abc])"
    );
    for set in [
        "EV=a]b", "SZ=19", "SZ=7:9", "CA=UTF-8", "FF=4", "GM=11", "ZZ=own", "RE=B+R", "PB=黒",
    ] {
        assert_eq!(run(&["rewrite", "--set", set], b"(;)").status, 0, "{set}");
    }
}

/// A text does not grow beyond the maximum length. A text that would is kept and counted.
#[test]
fn replaced_texts_do_not_grow_without_limit() {
    let input = format!("(;GM[1]C[{}];C[x];N[a])", "x".repeat(200_000));
    let grown = run(
        &[
            "rewrite",
            "--replace",
            "C,N/x/xxxxxxxxxx/",
            "--replace",
            "C/y?/$0$0/",
        ],
        input.as_bytes(),
    );
    let expected = input.replace("C[x]", "C[xxxxxxxxxx]");
    assert!(
        grown.status == 1 && grown.out == expected.as_bytes(),
        "{}",
        grown.err
    );
    assert!(
        grown.err.contains("is longer than 1 MiB (1; first in"),
        "{}",
        grown.err
    );
    let long = "$0".repeat(2_000);
    let refused = run(
        &["rewrite", "--replace", &format!("C/x+/{long}/")],
        input.as_bytes(),
    );
    assert!(
        refused.status == 1
            && refused.out
                == input
                    .replace("C[x]", &format!("C[{}]", "x".repeat(2_000)))
                    .as_bytes()
    );
}

/// The quadratic time ends at 32 KiB: four times the texts take four times as long.
#[cfg(unix)]
#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn replacing_takes_linear_time() {
    let place = super::Place::new();
    let text = |bytes: usize| format!("C[{}]", "x".repeat(bytes));
    let time = |count: usize| {
        let file = place.put(
            "texts.sgf",
            format!("(;{})", format!("N[x];{};", text(4 << 10)).repeat(count)),
        );
        let (out, time) = super::timed(&place, &["rewrite", "--replace", "C/x+y|x/z/", &file]);
        assert_eq!(out.matches('z').count(), count * (4 << 10));
        time.as_secs_f64()
    };
    let (once, more) = (time(8), time(32));
    assert!(more < 8.0 * once + 0.1, "{once} {more}");
    let long = format!("(;{})", text((32 << 10) + 1));
    let left = run(&["rewrite", "--replace", "C/x+y|x/z/"], long.as_bytes());
    assert!(
        left.status == 1 && left.out == long.as_bytes(),
        "{}",
        left.err
    );
    assert!(
        left.err.contains("texts of more than 32 KiB are unchanged"),
        "{}",
        left.err
    );
    // The command reports only texts that match. An expression of bounded length edits texts of any
    // length.
    assert_eq!(
        run(&["rewrite", "--replace", "C/y+/z/"], long.as_bytes()).done(),
        long
    );
    assert_eq!(
        run(&["rewrite", "--replace", "C/x{1,9}/z/"], long.as_bytes())
            .done()
            .matches('z')
            .count(),
        3641
    );
}

/// Texts are replaced in any node, in order with the other edits, in the charset of their game.
#[test]
fn texts_are_replaced() {
    let game = "(;CA[UTF-8]PB[Mr A\\]b]PW[Mr C]C[Mr x: ok];B[aa]C[hosi, Hosi]LB[bb:Mr])";
    let rewrite =
        |arguments: &[&str]| run(&[&["rewrite"], arguments].concat(), game.as_bytes()).done();
    assert_eq!(
        rewrite(&["--replace", "PB,PW/^Mr (.*)$/$1 [sir]/"]),
        game.replace("Mr A\\]b", "A\\]b [sir\\]")
            .replace("Mr C", "C [sir\\]")
    );
    assert_eq!(
        rewrite(&["--replace", "comments|(?i)hosi|hoshi|"]),
        game.replace("hosi, Hosi", "hoshi, hoshi")
    );
    assert_eq!(
        rewrite(&[
            "--replace",
            "C/o/0/",
            "--replace",
            "C/0/黒/",
            "--strip",
            "PB"
        ]),
        "(;CA[UTF-8]PW[Mr C]C[Mr x: 黒k];B[aa]C[h黒si, H黒si]LB[bb:Mr])"
    );
    // A composed value is no text, which is reported.
    let other = run(&["rewrite", "--replace", "LB/Mr/Sir/"], game.as_bytes());
    assert_eq!(
        (
            &*other.out,
            other
                .err
                .contains("properties whose values are not text are unchanged")
        ),
        (game.as_bytes(), true)
    );

    let latin1 = b"(;CA[ISO-8859-1]PB[\xe9];B[aa])";
    let out = run(&["rewrite", "--replace", "PB/\u{e9}/\u{fc}/"], latin1);
    assert_eq!(
        (out.status, &*out.out),
        (0, &b"(;CA[ISO-8859-1]PB[\xfc];B[aa])"[..])
    );
    let out = run(&["rewrite", "--replace", "PB/\u{e9}/黒/"], latin1);
    assert_eq!((out.status, &*out.out), (1, &latin1[..]));
    assert!(
        out.err
            .contains("cannot encode are unchanged; see --utf8 (1; first in -, byte 1)"),
        "{}",
        out.err
    );

    for (argument, said) in [
        ("PB/(/x/", "invalid regular expression `(`"),
        ("PB/a/b", "expected PROPERTIES/REGEX/NEW/"),
        ("coments/a/b/", "expected an identifier such as C"),
    ] {
        let err = run(&["rewrite", "--replace", argument], game.as_bytes()).refused();
        assert!(err.contains("--replace: ") && err.contains(said), "{err}");
    }
}

/// `--set` and `--add` with several values, raw values, and nodes other than the root.
#[test]
fn values_are_set_in_any_node() {
    let game = b"(;GM[1]SZ[19]C[a];B[pd]C[x];W[dd](;B[pp];W[dp])(;B[qq]C[y]))";
    for (edits, expected) in [
        (
            &["--set", "AB[dd][pp]"][..],
            "(;GM[1]SZ[19]C[a]AB[dd][pp];B[pd]C[x];W[dd](;B[pp];W[dp])(;B[qq]C[y]))",
        ),
        (
            &["--set", "C[b\\]c\\\\]"],
            "(;GM[1]SZ[19]C[b\\]c\\\\];B[pd]C[x];W[dd](;B[pp];W[dp])(;B[qq]C[y]))",
        ),
        (
            &["--add", "C[b]"],
            "(;GM[1]SZ[19]C[a];B[pd]C[x];W[dd](;B[pp];W[dp])(;B[qq]C[y]))",
        ),
        (
            &["--set", "C@root=a]b"],
            "(;GM[1]SZ[19]C[a\\]b];B[pd]C[x];W[dd](;B[pp];W[dp])(;B[qq]C[y]))",
        ),
        // The moves of the main line are counted from 1.
        (
            &["--set", "C@2=z"],
            "(;GM[1]SZ[19]C[a];B[pd]C[x];W[dd]C[z](;B[pp];W[dp])(;B[qq]C[y]))",
        ),
        (
            &["--set", "C@3=z"],
            "(;GM[1]SZ[19]C[a];B[pd]C[x];W[dd](;B[pp]C[z];W[dp])(;B[qq]C[y]))",
        ),
        (
            &["--set", "C@5=z"],
            "(;GM[1]SZ[19]C[a];B[pd]C[x];W[dd](;B[pp];W[dp])(;B[qq]C[y]))",
        ),
        (
            &["--add", "N@main=n"],
            "(;GM[1]SZ[19]C[a]N[n];B[pd]C[x]N[n];W[dd]N[n](;B[pp]N[n];W[dp]N[n])(;B[qq]C[y]))",
        ),
        (
            &["--add", "C@all=n"],
            "(;GM[1]SZ[19]C[a];B[pd]C[x];W[dd]C[n](;B[pp]C[n];W[dp]C[n])(;B[qq]C[y]))",
        ),
        (
            &["--set", "TE@B=1"],
            "(;GM[1]SZ[19]C[a];B[pd]C[x]TE[1];W[dd](;B[pp]TE[1];W[dp])(;B[qq]C[y]TE[1]))",
        ),
        (
            &["--set", "LB@comments[dd:1][pp:2]", "--strip", "C"],
            "(;GM[1]SZ[19]LB[dd:1][pp:2];B[pd]LB[dd:1][pp:2];W[dd](;B[pp];W[dp])(;B[qq]LB[dd:1][pp:2]))",
        ),
    ] {
        assert_eq!(
            run(&[&["rewrite"], edits].concat(), game).done(),
            expected,
            "{edits:?}"
        );
    }
    // Each game has its own moves; a second property of the same name is removed.
    let games = b"(;GM[1];B[aa])\n(;GM[1];B[bb]C[x]C[y];W[cc])";
    let set = run(&["rewrite", "--set", "C@1=z"], games).done();
    assert_eq!(set, "(;GM[1];B[aa]C[z])\n(;GM[1];B[bb]C[z];W[cc])");
}

#[test]
fn arguments_of_values_are_refused() {
    for (edits, message) in [
        (["--set", "AB[dd][zzz]"], "--set: in `AB`: expected a point"),
        (["--set", "AB@4[zzz]"], "--set: in `AB`: expected a point"),
        (
            ["--set", "ab[dd]"],
            "--set: expected ID[VALUE][VALUE], such as AB[dd][pp], found `ab[dd]`",
        ),
        (
            ["--set", "AB[dd]x"],
            "--set: expected ID[VALUE][VALUE], such as AB[dd][pp], found `AB[dd]x`",
        ),
        (
            ["--set", "AB[dd]W[ee]"],
            "--set: expected ID[VALUE][VALUE], such as AB[dd][pp], found `AB[dd]W[ee]`",
        ),
        (
            ["--set", "C@x=a"],
            "--set: expected nodes (root, all, main, the number of a move, or properties) after `@`, found `x`",
        ),
        (
            ["--set", "C@1"],
            "--set: expected ID@NODES=VALUE, such as C@50=text, found `C@1`",
        ),
    ] {
        let err = run(&["rewrite", edits[0], edits[1]], b"(;GM[1])").refused();
        assert!(err.contains(message), "{edits:?}: {err}");
    }
    assert_eq!(
        run(&["rewrite", "--force", "--set", "AB[dd][zzz]"], b"(;GM[1])").done(),
        "(;GM[1]AB[dd][zzz])"
    );
}

/// Values are written in the charset of their game or not at all.
#[test]
fn values_are_written_in_the_charset_of_the_game() {
    // In GBK, the second byte of 黒 is a backslash, so it is not written. The second byte of 黑 is
    // not.
    let gb = b"(;GM[1]CA[GB2312]PB[\xba\xda]PW[a])";
    let place = Place::new();
    let file = place.put("x.sgf", gb);
    run(&["rewrite", "--in-place", "--set", "PW=黑", &file], b"").done();
    assert_eq!(
        std::fs::read(&file).expect("a file"),
        b"(;GM[1]CA[GB2312]PB[\xba\xda]PW[\xba\xda])"
    );
    run(
        &["rewrite", "--in-place", "--replace", "PW/$/黑/", &file],
        b"",
    )
    .done();
    assert_eq!(
        std::fs::read(&file).expect("a file"),
        b"(;GM[1]CA[GB2312]PB[\xba\xda]PW[\xba\xda\xba\xda])"
    );
    let left = run(&["rewrite", "--replace", "PB/黑/黒/"], gb);
    assert_eq!((left.status, &left.out[..]), (1, &gb[..]));
    let left = run(
        &["rewrite", "--set", "C@root=\u{1f600}"],
        b"(;GM[1]CA[ISO-8859-1])",
    );
    assert_eq!(
        (left.status, &left.out[..]),
        (1, &b"(;GM[1]CA[ISO-8859-1])"[..])
    );
    let said = "sgfq: values that their game's charset cannot encode were not written; see --utf8 (1; first in -, byte 1)\n";
    assert_eq!(left.err, said);
    // Without `CA`, a new text would be in another charset than the other texts.
    let unlabelled = b"(;GM[1]PW[\xc0\xee\xb2\xfd\xb8\xe4])";
    let left = run(&["rewrite", "--set", "PB=\u{9ed1}"], unlabelled);
    assert_eq!((left.status, &left.out[..]), (1, &unlabelled[..]));
    let ascii = run(&["rewrite", "--set", "PB=Ada"], unlabelled);
    assert_eq!(
        (ascii.status, &ascii.out[..]),
        (0, &b"(;GM[1]PW[\xc0\xee\xb2\xfd\xb8\xe4]PB[Ada])"[..])
    );
    let named = run(
        &["rewrite", "--charset", "GBK", "--set", "PB=\u{9ed1}"],
        unlabelled,
    );
    assert_eq!(
        (named.status, &named.out[..]),
        (0, &b"(;GM[1]PW[\xc0\xee\xb2\xfd\xb8\xe4]PB[\xba\xda])"[..])
    );
    // Games that exceed the limit are unchanged, except that whole properties are dropped.
    let long = format!("(;GM[1]C[{}]N[a];B[aa])", "x".repeat(400 << 10));
    let edited = run(&["rewrite", "--set", "N@C=b"], long.as_bytes());
    assert_eq!(edited.done(), long.replace("N[a]", "N[b]"));
    let left = run(
        &["rewrite", "--max-game", "100000", "--set", "N@C=b"],
        long.as_bytes(),
    );
    assert_eq!((left.status, left.out == long.as_bytes()), (1, true));
    assert!(
        left.err
            .contains("-#1: the game is longer than 100000 bytes"),
        "{}",
        left.err
    );
    assert_eq!(
        run(
            &["rewrite", "--max-game", "100000", "--strip", "C"],
            long.as_bytes()
        )
        .done(),
        "(;GM[1]N[a];B[aa])"
    );
}
