//! Tests of `variations`, `merge` and `sort`.

use super::{Place, run};

#[test]
fn each_variation_is_a_game() {
    let games = "mail (;GM[1]PB[A]C[root];B[aa](;W[bb]C[one];B[cc])(;W[dd](;B[ee])(;B[ff]\n  TR[aa][bb]))) text (;B[x])(;)";
    let out = run(&["variations"], games.as_bytes()).done();
    assert_eq!(
        out,
        "(;GM[1]PB[A]C[root];B[aa];W[bb]C[one];B[cc])\n\
         (;GM[1]PB[A]C[root];B[aa];W[dd];B[ee])\n\
         (;GM[1]PB[A]C[root];B[aa];W[dd];B[ff]TR[aa][bb])\n\
         (;B[x])\n\
         (;)\n"
    );
    // A node after a variation continues the line before the variation. Missing parentheses are
    // supplied.
    assert_eq!(
        run(&["variations"], b"(;B[aa](;W[bb]);B[cc](;W[dd").done(),
        "(;B[aa];W[bb])\n(;B[aa];B[cc];W[dd])\n"
    );
    assert_eq!(
        run(&["variations", "--where", "moves > 5"], games.as_bytes()).nothing(),
        ""
    );
}

/// In branching games, each game has the game information of its path.
pub(crate) const PARTED: &[u8] = b"(;FF[4]GM[1]CA[UTF-8]EV[cup];B[aa]\
(;W[bb]PB[Ada]PW[Ben]RE[B+R];B[cc](;W[dd])(;W[ee]))\
(;W[ff]PB[Cyd]PW[Ada]EV[final]EV[last]RE[B+1]C[x];B[gg]))";

#[test]
fn variations_have_the_game_information_of_their_path() {
    let out = run(&["variations"], PARTED).done();
    assert_eq!(
        out,
        "(;FF[4]GM[1]CA[UTF-8]EV[cup]PB[Ada]PW[Ben]RE[B+R];B[aa];W[bb];B[cc];W[dd])\n\
         (;FF[4]GM[1]CA[UTF-8]EV[cup]PB[Ada]PW[Ben]RE[B+R];B[aa];W[bb];B[cc];W[ee])\n\
         (;FF[4]GM[1]CA[UTF-8]PB[Cyd]PW[Ada]EV[final]RE[B+1];B[aa];W[ff]C[x];B[gg])\n"
    );
    // Neither the initial position of Hex nor a clock of Boardspace describes a whole game.
    for game in [
        "(;FF[4]GM[11];B[a1]IP[];W[b2])\n",
        "(;GM[hive];P0[1 TM 5];P0[TM 9]TM[9])\n",
    ] {
        assert_eq!(run(&["variations"], game.as_bytes()).done(), game);
    }
}

#[test]
fn too_long_lines_are_left_out_and_reported() {
    // Each variation is as long as all before it together.
    let game = format!("(;{}{}", "B[aa](;W[bb])(;".repeat(3000), ")".repeat(3001));
    let out = run(&["variations"], game.as_bytes());
    assert_eq!(out.status, 1);
    assert!(
        out.err.contains("were left out") && out.out.len() < 20 << 20,
        "{} {}",
        out.err,
        out.out.len()
    );
    let out = run(
        &["variations"],
        format!("(;C[{}];B[aa])(;B[bb])", "x".repeat(2 << 20)).as_bytes(),
    );
    assert_eq!((out.status, &*out.out), (1, &b"(;B[bb])\n"[..]));
    assert!(
        out.err.contains("1 line or game was left out"),
        "{}",
        out.err
    );
}

/// A `\` at the end of a file escapes nothing, and half a character has no other half, so the
/// written `]` is a bracket.
#[test]
fn a_value_that_is_cut_stays_one() {
    for cut in [
        &b"a\\"[..],
        b"\xe9\xbb\x92\\",
        b"\x95#\\",
        b"\x95\\",
        b"ab\x8d",
    ] {
        let place = Place::new();
        let file = place.put("cut.sgf", [b"(;C[", cut].concat());
        let next = place.put("next.sgf", b"(;PB[Ada];B[aa])");
        for command in [&["variations"][..], &["cat", "--sgfs"]] {
            for charset in ["auto", "detect", "gbk"] {
                let out = run(
                    &[command, &["--charset", charset, &file, &next]].concat(),
                    b"",
                );
                let games = run(&["get", "pb"], &out.out).done();
                assert_eq!(
                    games.lines().collect::<Vec<_>>(),
                    ["pb", "", "Ada"],
                    "{command:?} {charset} {}",
                    out.out.escape_ascii()
                );
            }
        }
    }
}

/// Bytes of damaged games that no output contains are counted, with the place of the first.
#[test]
fn unparseable_bytes_are_left_out_and_reported() {
    let games =
        "(;GM[1]SZ[9];B[aa]) between (;GM[1]SZ[9];B[aa]C[good [!] move];W[bb] x\n\n(y;B[cc]))";
    let place = Place::new();
    let file = place.put("damaged.sgf", games);
    for command in [&["variations"][..], &["merge"], &["cat", "--sgfs"]] {
        let run = |arguments: &[&str]| run(&[command, arguments].concat(), b"");
        let out = run(&[&file]);
        assert_eq!(out.status, 1, "{command:?} {}", out.err);
        let said = format!(
            "sgfq: unparseable bytes inside games were left out (12; first in {file}, byte 40)\n"
        );
        assert_eq!(out.err, said, "{command:?}");
        let out = run(&["--where", "game = 2", &file]);
        assert!(
            out.status == 1 && out.err == said,
            "{command:?} {}",
            out.err
        );
        assert_eq!(
            run(&["--where", "game = 1", &file]).status,
            0,
            "{command:?}"
        );
    }
}

#[test]
fn games_that_begin_alike_are_one_tree() {
    let games = "(;GM[1]SZ[9]PB[Ada]PW[Ben]RE[B+R];B[ee]C[five];W[cc];B[gg])\
        (;SZ[9]GM[1]PB[Cyd]DT[1990];B[ee]C[centre]TR[aa](;W[cc]C[corner])(;W[gc]))\
        (;GM[1]SZ[9]PB[Dan];B[ee])(;GM[1]SZ[19];B[ee])";
    let out = run(&["merge"], games.as_bytes()).done();
    assert_eq!(
        out,
        "(;FF[4]CA[UTF-8]GM[1]SZ[9]\n\
         ;B[ee]C[five\n\ncentre\n\nPB: Dan]TR[aa]\n\
         (;W[cc]C[corner\n\nPB: Cyd\nDT: 1990]\n\
         ;B[gg]PB[Ada]PW[Ben]RE[B+R])\n\
         (;W[gc]))\n\
         (;FF[4]CA[UTF-8]GM[1]SZ[19]\n\
         ;B[ee])\n"
    );
    // Merging the output again changes nothing, and neither does merging a single game.
    let again = run(&["merge"], out.as_bytes()).done();
    assert_eq!(run(&["merge"], again.as_bytes()).done(), again);
    let one = "(;GM[1]SZ[9]PB[\u{7e6b}]C[a\\]b];B[ee](;W[cc])(;W[gg]))";
    assert_eq!(
        run(&["merge"], one.as_bytes()).done(),
        "(;FF[4]CA[UTF-8]GM[1]SZ[9]PB[\u{7e6b}]C[a\\]b]\n;B[ee]\n(;W[cc])\n(;W[gg]))\n"
    );
    assert_eq!(run(&["merge"], b"no games").nothing(), "");
    // A comment that is already there as a whole is not added again.
    let games = "(;C[a\n\nb];B[aa])(;C[a\n\nb])(;C[b])(;C[a\n\n])(;C[a])";
    let merged = "(;FF[4]CA[UTF-8]GM[1]SZ[19]C[a\n\nb\n\na\n\n]\n;B[aa])\n";
    assert_eq!(run(&["merge"], games.as_bytes()).done(), merged);
}

/// Lines in other corners are merged, with everything on their boards; texts do not change.
#[test]
fn turned_lines_meet() {
    let merge = |games: &str| run(&["merge", "--by", "symmetric"], games.as_bytes()).done();
    // Marks of a node are transformed like the moves after it.
    let games = "(;SZ[19];B[pd]LB[nc:A];W[nc](;B[qf]C[pd])(;B[pb]))(;SZ[19];B[dd]TR[dd:ed];W[cf]TR[bf];B[fc];W[aa])\
        (;SZ[19];B[dp]MA[dn]AR[dp:dn];W[fq];B[dn]C[other])";
    assert_eq!(
        merge(games),
        "(;FF[4]CA[UTF-8]GM[1]SZ[19]\n;B[pd]LB[nc:A]TR[pd:pe]MA[pf]AR[pd:pf]\n;W[nc]TR[nb]\n\
         (;B[qf]C[pd]\n;W[sa])\n(;B[pb])\n(;B[pf]C[other]))\n"
    );
    // Each line of a game is transformed separately, and so is setup.
    assert_eq!(
        merge("(;SZ[9]AB[cc];W[gg](;B[gc])(;B[cg]))(;SZ[9]AB[gc];W[cg];B[gg];W[aa])"),
        "(;FF[4]CA[UTF-8]AB[cc]GM[1]SZ[9]\n;W[gg]\n;B[gc]\n;W[ai])\n"
    );
    // A rectangular board keeps its orientation, Hex is rotated by 180 degrees only, and other
    // games are not transformed.
    for (games, nodes) in [
        ("(;SZ[9:7];B[aa])(;SZ[9:7];B[ig])", 2),
        ("(;SZ[9:7];B[ab])(;SZ[9:7];B[ba])", 3),
        ("(;GM[11]SZ[5];B[a2])(;GM[11]SZ[5];B[e4])", 2),
        ("(;GM[11]SZ[5];B[a2])(;GM[11]SZ[5];B[b1])", 3),
        ("(;GM[2]SZ[8];B[c4])(;GM[2]SZ[8];B[d3])", 3),
        ("(;SZ[9];B[])(;SZ[9];B[tt])", 2),
    ] {
        assert_eq!(merge(games).matches(';').count(), nodes, "{games}");
    }
    let out = run(
        &["merge", "--by", "symmetric"],
        b"(;SZ[9];B[ab];W[bc])(;SZ[9];B[ba]TR[zz];W[cb])",
    );
    assert_eq!(out.status, 1);
    assert_eq!(
        out.err,
        "sgfq: 1 value was not rotated: its points are invalid\n"
    );
}

/// A transformed copy adds nothing to a tree.
#[test]
fn a_turned_tree_is_the_tree() {
    let mut seed = 7u32;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % below
    };
    let point = |at: u32| {
        format!(
            "{}{}",
            char::from(b'a' + (at % 19) as u8),
            char::from(b'a' + (at / 19) as u8)
        )
    };
    for _ in 0..10 {
        // No line of the tree is symmetric at its end, because the first move is off all axes.
        let mut tree = "(;GM[1]SZ[19];B[pc]".to_owned();
        let mut open = 1;
        for number in 0..60 {
            let color = if number % 2 == 0 { "W" } else { "B" };
            let [at, mark, other] = [(); 3].map(|()| point(random(361)));
            tree += &format!(
                ";{color}[{at}]LB[{mark}:{number}]AR[{mark}:{at}]C[{at} {number}]AE[{other}]"
            );
            match random(4) {
                0 => {
                    tree += "(";
                    open += 1;
                }
                1 if open > 1 => {
                    tree += ")(";
                }
                _ => {}
            }
        }
        let tree = tree.replace("((", "(").replace("()", "") + &")".repeat(open);
        let place = Place::new();
        let file = place.put("tree.sgf", &tree);
        let merged = run(&["merge", "--by", "symmetric", &file], b"");
        for way in [
            "rotate-90",
            "rotate-180",
            "rotate-270",
            "mirror-columns",
            "mirror-rows",
            "transpose",
            "antitranspose",
        ] {
            let turned = place.put(
                "turned.sgf",
                run(&["rewrite", "--turn", way, &file], b"").out,
            );
            let both = run(&["merge", "--by", "symmetric", &file, &turned], b"");
            assert_eq!(both.text(), merged.text(), "{way} {tree}");
        }
    }
}

#[test]
fn defaults_equal_declared_values() {
    let games = "(;GM[1]SZ[19:19];B[aa])(;;B[aa];W[bb])(;SZ[ 19 ];B[aa];W[cc])(;GM[1]SZ[x];B[aa])(;GM[11]SZ[11];B[aa])(;GM[11];B[aa])";
    assert_eq!(
        run(&["merge"], games.as_bytes()).done(),
        "(;FF[4]CA[UTF-8]GM[1]SZ[19]\n;B[aa]\n(;W[bb])\n(;W[cc]))\n\
         (;FF[4]CA[UTF-8]GM[1]SZ[x]\n;B[aa])\n\
         (;FF[4]CA[UTF-8]GM[11]SZ[11]\n;B[aa])\n"
    );
}

/// Properties of a game stay with it, even unknown and rare ones, and losses are counted.
#[test]
fn no_game_gets_properties_of_another() {
    let games = "(;GM[1]SZ[9]GC[of the first]JD[1]ON[corner];B[aa]BL[3]N[a];W[bb])(;GM[1]SZ[9]GC[of the second];B[aa]BL[4]N[b];W[cc])";
    let out = run(&["merge"], games.as_bytes());
    assert_eq!(
        String::from_utf8_lossy(&out.out),
        "(;FF[4]CA[UTF-8]GM[1]SZ[9]\n;B[aa]BL[3]N[a]\n\
         (;W[bb]GC[of the first]JD[1]ON[corner])\n\
         (;W[cc]GC[of the second]))\n"
    );
    assert_eq!(out.status, 1);
    assert_eq!(
        out.err,
        "sgfq: 2 properties were left out: their nodes already have other values\n"
    );
}

/// `CA` may follow texts of its root.
#[test]
fn a_merged_root_is_read_by_its_charset() {
    let game = b"(;FF[4]GM[1]SZ[9]C[\x8d\x95]CA[Shift_JIS]PB[\x8d\x95];B[aa]C[\x8d\x95])";
    let merged = "(;FF[4]CA[UTF-8]GM[1]SZ[9]PB[黒]C[黒]\n;B[aa]C[黒])\n";
    assert_eq!(run(&["merge"], game).done(), merged);
}

/// Bytes that UTF-8 cannot represent are counted.
#[test]
fn invalid_bytes_of_merged_texts_are_reported() {
    let out = run(
        &["merge"],
        b"(;CA[UTF-8]SZ[9]PB[Ada\xff];B[aa]C[a\xe9b])(;CA[GBK]SZ[9];B[aa]C[\xba\xda])",
    );
    assert_eq!(
        (out.status, out.text().matches('\u{fffd}').count()),
        (1, 2),
        "{}",
        out.err
    );
    assert_eq!(
        out.err,
        "sgfq: 2 values are invalid in their charset; invalid bytes were written as U+FFFD\n"
    );
}

/// If a root names two games, the one that counts is written.
#[test]
fn a_merged_root_names_one_game() {
    let out = run(&["merge"], b"(;FF[4]GM[4]GM[1]SZ[9];B[cc])");
    assert_eq!(out.text().matches("GM[").count(), 1, "{}", out.text());
    assert_eq!(out.status, 1, "{}", out.err);
    assert!(out.err.contains("1 property was left out"), "{}", out.err);
}

#[test]
fn the_variations_of_a_merged_tree_are_the_games() {
    let games = "(;GM[1]SZ[9];B[aa];W[bb];B[cc])\n(;GM[1]SZ[9];B[aa];W[dd])\n(;GM[1]SZ[9];B[ee])\n";
    let place = Place::new();
    let tree = place.put("tree.sgf", run(&["merge"], games.as_bytes()).done());
    let lines = run(&["variations", &tree], b"").done();
    let moves = |games: &str| run(&["moves"], games.as_bytes()).done();
    assert_eq!(moves(&lines), moves(games));
}

#[test]
fn lines_beyond_the_memory_of_the_tree_are_counted() {
    let games: String = (0..40)
        .map(|number| format!("(;C[{number} {}];B[aa])", "x".repeat(900 << 10)))
        .collect();
    let out = run(&["merge"], games.as_bytes());
    assert!(out.status == 1 && out.out.len() < 26 << 20, "{}", out.err);
    let games: String = (0..40)
        .map(|number| {
            format!(
                "(;B[{}]C[{}])",
                (b'a' + number % 26) as char,
                "x".repeat(900 << 10)
            )
        })
        .collect();
    let games = games
        + &(0..40)
            .map(|n| {
                format!(
                    "(;W[a{}]C[{}])",
                    (b'a' + n % 26) as char,
                    "y".repeat(900 << 10)
                )
            })
            .collect::<String>();
    let out = run(&["merge"], games.as_bytes());
    assert_eq!(out.status, 1, "{}", out.err);
    assert!(
        out.err.contains("left out") && out.out.len() < 26 << 20,
        "{}",
        out.err
    );
}

#[test]
fn games_sort_by_what_they_say() {
    let games = "(;PB[b]DT[1990]KM[6.5];B[aa])(;PB[a]DT[2001-02-03]KM[-1])(;PB[b]DT[1850];B[aa];W[bb])(;PB[])(;KM[0.5])";
    let sorted = |arguments: &[&str]| {
        let out = run(&[&["sort"], arguments].concat(), games.as_bytes()).done();
        let rows = run(
            &["get", "pb,date_min,km,moves", "-f", "csv"],
            out.as_bytes(),
        )
        .done();
        rows.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let (old, new, oldest) = ("b,1990-01-01,6.5,1", "a,2001-02-03,-1,0", "b,1850-01-01,,2");
    assert_eq!(sorted(&["date_min"]), [oldest, old, new, ",,,0", ",,0.5,0"]);
    assert_eq!(
        sorted(&["--reverse", "date_min"]),
        [new, old, oldest, ",,,0", ",,0.5,0"]
    );
    assert_eq!(sorted(&["km"]), [new, ",,0.5,0", old, oldest, ",,,0"]);
    assert_eq!(
        sorted(&["moves * -1, pb"]),
        [oldest, old, ",,,0", new, ",,0.5,0"]
    );
    assert_eq!(sorted(&["pb", "--where", "moves > 0"]), [old, oldest]);
    let err = run(&["sort", "pbb"], games.as_bytes()).refused();
    assert!(err.contains("did you mean `pb`?"), "{err}");
    // The bytes of a game do not change.
    assert_eq!(
        run(&["sort", "pb"], b"( ;PB[b] )x(;PB [a])").done(),
        "(;PB [a])\n( ;PB[b] )\n"
    );
}

/// Sorts more games than fit in memory.
#[test]
fn sorting_goes_to_disk() {
    let games: String = (0..60_000)
        .map(|number| format!("(;GN[{}])", (number * 7919) % 60_000))
        .collect();
    let out = run(&["sort", "prop('GN') * 1"], games.as_bytes());
    let expected: String = (0..60_000)
        .map(|number| format!("(;GN[{number}])\n"))
        .collect();
    assert_eq!(out.status, 0, "{}", out.err);
    assert!(out.out == expected.as_bytes());
}
