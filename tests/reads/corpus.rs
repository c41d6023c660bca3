//! The files of `corpus/`: the README lists each, the twin and all readers
//! return the same events, and each has the problems that are listed here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::twin::{self, Bounds, Kind};
use crate::{SMALL, check_steps};

fn files() -> BTreeSet<String> {
    let directory =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")).expect("a directory");
    let names = directory
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_file());
    names
        .map(|entry| entry.file_name().into_string().expect("UTF-8"))
        .filter(|name| name != "README.md")
        .collect()
}

#[test]
fn each_file_has_its_line() {
    let readme = include_str!("../../corpus/README.md");
    let lines = readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let described: BTreeSet<_> = lines.map(|(name, _)| name.to_owned()).collect();
    assert_eq!(described, files());
}

#[test]
fn all_fronts_agree_on_each_file() {
    for name in files() {
        let bytes = fs::read(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("corpus")
                .join(&name),
        )
        .expect("a file");
        let bytes = sgfstream::transcode(&bytes);
        for bounds in [Bounds::default(), SMALL] {
            check_steps(&bytes, bounds, &twin::parse(&bytes, bounds));
        }
    }
}

#[test]
fn each_file_has_its_problems() {
    let mut found = String::new();
    for name in files() {
        let bytes = fs::read(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("corpus")
                .join(&name),
        )
        .expect("a file");
        let steps = twin::parse(&sgfstream::transcode(&bytes), Bounds::default());
        let problems = steps
            .iter()
            .filter(|step| matches!(step.kind, Kind::Problem(_)));
        let problems: Vec<_> = problems.map(|step| step.to_string()).collect();
        if !problems.is_empty() {
            found.push_str(&format!("{name} {}\n", problems.join(" ")));
        }
    }
    assert_eq!(found, PROBLEMS);
}

/// Reads by bytes (`Framing::Value`), as the twin does.
const PROBLEMS: &str = "\
big5-plain.sgf !unexpected-text@50..60 !stray-bracket@60..61
blank.sgf !no-game@5..5
charset-unknown.sgf !unknown-charset@12..23
empty.sgf !no-game@0..0
fragments.sgf !node-after-variation@252..252
games.sgfs !unclosed-game@92..92 !unclosed-value@123..123 !unclosed-game@123..123
gbk-plain.sgf !stray-bracket@67..68
go-ff1.sgf !text-before-game@0..43
go-server-fox.sgf !unexpected-text@283..287
headless-copied.sgf !text-before-game@0..15 !missing-parenthesis@19..19 !unclosed-game@60..60
headless.sgf !missing-parenthesis@0..0 !unclosed-game@50..50
long-names.mgt !text-before-game@0..17
lowercase.sgf !lowercase-identifier@7..11 !lowercase-identifier@14..18 !lowercase-identifier@22..27 !identifier-without-capital@32..41 !lowercase-identifier@42..47
mail-quoted.sgf !text-before-game@0..1 !unexpected-text@20..21 !unexpected-text@64..65
mail.sgf !text-before-game@0..142 !text-after-game@188..224
no-semicolon.sgf !missing-root-semicolon@1..1 !missing-semicolon@23..23 !missing-semicolon@36..36
no-value.sgf !identifier-without-value@17..19 !identifier-without-value@25..27 !value-without-identifier@28..32 !identifier-without-value@51..52
node-after-variation.sgf !node-after-variation@39..39
nul-bytes.sgf !nul-byte@17..19 !nul-byte@32..33
page.html.sgf !text-before-game@0..42 !text-after-game@46..127 !text-after-game@159..179
quoted-printable.sgf !identifier-without-value@30..31 !unexpected-text@31..32 !identifier-without-value@32..36 !unexpected-text@36..37 !identifier-without-value@37..39 !unexpected-text@45..46 !identifier-without-value@46..48
shift-jis-plain.sgf !unexpected-text@61..62 !value-without-identifier@62..76
stray-brackets.sgf !unexpected-text@28..32 !stray-bracket@32..33 !stray-bracket@39..40
stray-parentheses.sgf !stray-parenthesis@19..20 !variation-without-node@21..22 !variation-without-node@40..41 !empty-variation@49..51 !text-after-game@61..68
text-only.sgf !value-before-game@0..45 !no-game@46..46
unclosed-identifier.sgf !unclosed-identifier@24..25 !unclosed-game@25..25
unclosed-tree.sgf !unclosed-game@43..43
unclosed-value.sgf !unclosed-value@52..52 !unclosed-game@52..52
";
