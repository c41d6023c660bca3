//! `matrix.txt` records the output of each command for games of fourteen kinds. Its diff shows
//! changed output.
//!
//! ```sh
//! SGF_RECORD=1 cargo test -p sgfq --test commands -- matrix    # records it again
//! ```

use std::fmt::Write;

use encoding_rs::{GBK, SHIFT_JIS};

use super::{Place, common, run};

const SNAPSHOT: &str = "crates/sgfq/tests/commands/matrix.txt";

/// Commands that read games, each with its required arguments.
const COMMANDS: [&[&str]; 35] = [
    &["count"],
    &["stats"],
    &[
        "get",
        "variant,board_width,pb,winner,margin,moves,illegal_moves,charset,charset_source",
    ],
    &["freq", "pb"],
    &["players", "-f", "csv"],
    &["grep", "."],
    &[
        "find",
        "--position",
        "cc gg",
        "--columns",
        "game,found_move,next",
    ],
    &["find", "--pattern", "X?/??", "--summary"],
    &["openings", "--moves", "1"],
    &["tree"],
    &["moves"],
    &["board"],
    &["filter", "moves > 1"],
    &["cat"],
    &["head", "-n", "1"],
    &["cat", "--games", "-1"],
    &["cat", "--games", "2-"],
    &["sample", "-n", "1"],
    &["dedup"],
    &["rewrite", "--main-line"],
    &["check", "--legality", "-f", "short"],
    &["fix"],
    &["charset"],
    &["rewrite", "--canonical"],
    &["rewrite", "--utf8"],
    &["rewrite", "--turn", "rotate-180"],
    &["rewrite", "--swap-colors"],
    &["rewrite", "--expand"],
    &["rewrite", "--upgrade"],
    &["sort", "moves"],
    &["merge"],
    &["variations"],
    &["split"],
    &[
        "index",
        "-f",
        "csv",
        "-o",
        "-",
        "--columns",
        "game,gm,pb,moves,errors",
    ],
    &["events"],
];

/// Returns the inputs by name.
fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let utf_16 = |text: &str| {
        [
            &[0xff, 0xfe][..],
            &text
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<_>>(),
        ]
        .concat()
    };
    let gbk = GBK
        .encode("(;FF[4]GM[1]SZ[9]PB[常昊九段]PW[李昌镐九段]EV[第二届世界围棋锦标赛];B[cc];W[gg])")
        .0
        .into_owned();
    let sjis = SHIFT_JIS
        .encode("(;FF[4]GM[1]SZ[9]PB[黒田名人]PW[申し込み]EV[第十期本因坊戦です];B[cc];W[gg])")
        .0
        .into_owned();
    let latin = b"(;FF[4]GM[1]SZ[9]PB[Jos\xe9 Mu\xf1oz]PW[J\xfcrgen Gr\xfcn];B[cc];W[gg])".to_vec();
    let several =
        b"(;FF[4]GM[1]SZ[9]PB[Ada]RE[B+R];B[cc];W[gg];B[cg])\n(;FF[4]GM[1]SZ[9]PB[Ben]RE[W+2.5];B[cc];W[gc])\n";
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        (
            "no-gm",
            text("(;FF[4]SZ[9]PB[Ada]RE[B+1.5]KM[6.5];B[cc];W[gg]C[good];B[cg])"),
        ),
        (
            "gm-late",
            text("(;FF[4]PB[Ada]RE[B+R]SZ[5]GM[11];B[a1];W[c3];B[b2])"),
        ),
        (
            "foreign",
            text("(;FF[4]GM[11]SZ[5]PB[Ada]RE[B+R];B[a1];W[swap-pieces];B[c3];W[resign])"),
        ),
        ("no-ca", gbk.clone()),
        (
            "stale-ca",
            utf_16("(;FF[4]CA[GB2312]GM[1]SZ[9]PB[常昊];B[cc];W[gg])"),
        ),
        ("utf-16", utf_16("(;FF[4]GM[1]SZ[9]PB[常昊];B[cc];W[gg])")),
        ("joined", [latin, sjis, gbk].join(&b'\n')),
        (
            "damaged",
            text("(;FF[4]GM[1]SZ[9]PB[Ada];B[cc]C[good [!] move];W[gg]C[see [1]. Then)"),
        ),
        (
            "illegal",
            text("(;FF[4]GM[1]SZ[9]PB[Ada];B[cc];W[cc];B[zz];W[gg])"),
        ),
        (
            "setup-late",
            text("(;FF[4]GM[1]SZ[9]PB[Ada];AB[cc];AW[gg];B[cg];AE[cc];W[gc])"),
        ),
        (
            "info-late",
            text("(;FF[4]GM[1]SZ[9];;PB[Ada]RE[B+R];B[cc];W[gg])"),
        ),
        ("where", several.to_vec()),
        ("several", several.to_vec()),
        ("empty", Vec::new()),
    ]
}

/// Returns a text on one line, truncated if it is long.
fn line(text: &str) -> String {
    const LONGEST: usize = 150;
    let line = text
        .trim_end()
        .split('\n')
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let line = line
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ⏎ ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Returns the text without keys of games, which depend on the directory of the test.
fn without_keys(text: &str) -> String {
    let is_key = |word: &str| {
        word.len() > 15
            && word
                .trim_start_matches('-')
                .bytes()
                .all(|byte| byte.is_ascii_digit())
    };
    let words = text.split_inclusive([',', '\n']);
    words
        .map(|word| {
            if is_key(word.trim_end_matches([',', '\n'])) {
                "KEY,"
            } else {
                word
            }
        })
        .collect()
}

fn page() -> String {
    let place = Place::new();
    let mut page = "A row has the kind of input, the exit status and the output, cut and on one line (`⏎` is a newline); below it is stderr.\n\
        `where` is the input of `several`, with `--where \"moves > 2\"`.\n"
        .to_owned();
    for command in COMMANDS {
        writeln!(page, "\n## {}\n", command.join(" ")).expect("memory");
        for (name, bytes) in inputs() {
            let file = place.put(&format!("{name}.sgf"), bytes);
            let choice: &[&str] = match name {
                "where" if command[0] == "filter" => &["--", "moves > 2"],
                "where" => &["--where", "moves > 2"],
                _ => &[],
            };
            let folder = place.text(name);
            let own: &[&str] = match command {
                ["filter", _] if name == "where" => &["filter"],
                ["split"] => &["split", "-d", &folder],
                command => command,
            };
            let made = run(&[own, choice, &[&file]].concat(), b"");
            let shown = |text: &str| line(&without_keys(&text.replace(&place.text(""), "")));
            let out = shown(&String::from_utf8_lossy(&made.out));
            writeln!(
                page,
                "{}",
                format!("{name:<10} {}  {out}", made.status).trim_end()
            )
            .expect("memory");
            if !made.err.is_empty() {
                writeln!(page, "{:<10}    {}", "", shown(&made.err)).expect("memory");
            }
        }
    }
    page
}

#[test]
fn matrix() {
    let (page, path) = (page(), common::root().join(SNAPSHOT));
    if std::env::var_os("SGF_RECORD").is_some() {
        std::fs::write(&path, &page).expect("the snapshot is written");
    }
    let known = std::fs::read_to_string(&path).expect("a snapshot");
    for (number, (now, before)) in page.lines().zip(known.lines()).enumerate() {
        assert_eq!(
            now,
            before,
            "{SNAPSHOT}:{}: record it again with SGF_RECORD=1, if this is meant",
            number + 1
        );
    }
    assert_eq!(page.lines().count(), known.lines().count(), "{SNAPSHOT}");
}
