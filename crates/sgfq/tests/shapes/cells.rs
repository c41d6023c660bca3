//! Command lines that are run on every shape: each command, each output format, each edit. An entry
//! of the help that is missing here is an error.

use std::collections::BTreeSet;
use std::process::Command;

/// `{in}` is the file, `{copy}` a copy of it, `{dir}` an empty directory.
const CELLS: &[&str] = &[
    "count {in}",
    "count -f json {in}",
    "count -f jsonl {in}",
    "stats {in}",
    "stats -f json --top 0 --depth 16 {in}",
    "stats --html {dir}/stats.html --title x {in}",
    "stats -f jsonl --top 3 {in}",
    "stats -f html {in}",
    "get all {in}",
    "get all -f table {in}",
    "get all -f tsv {in}",
    "get all -f csv {in}",
    "get all -f jsonl {in}",
    "get pb,prop('C') --where any('C')LIKE'%q%'OR(has('AB')AND(move(3)='aa'OR(moves>3))) {in}",
    "find --position aa -f sgf {in}",
    "find --position aa -f tsv {in}",
    "find --position= --variations --swap-colors --summary -f table {in}",
    "find --pattern X.O/.?. --swap-colors --variations --summary -f csv {in}",
    "find --pattern x --columns all -f jsonl {in}",
    "find --sequence aa --anywhere --interleaved --variations --swap-colors -f csv {in}",
    "openings --moves 16 {in}",
    "openings -f csv {in}",
    "openings -f tsv {in}",
    "openings --from aa --moves 16 {in}",
    "openings -f jsonl {in}",
    "get first_moves_canonical --where position('aa')OR(opening('aa'))ORpattern('X/O')ORsequence('aa')ORplayer='x' {in}",
    "freq pb {in}",
    "freq pb -f csv {in}",
    "freq pb -f tsv {in}",
    "freq pb -f jsonl {in}",
    "players {in}",
    "players -f table {in}",
    "players --sort share -f csv {in}",
    "players --sort name -f tsv {in}",
    "players -f jsonl {in}",
    "grep . {in}",
    "grep -c . {in}",
    "grep -v q {in}",
    "grep -ln . {in}",
    "grep -l . -f csv {in}",
    "grep -i --in C,B,AB,PB [a-z]+ -f csv {in}",
    "grep q -f tsv {in}",
    "grep a -f jsonl {in}",
    "tree {in}",
    "tree -f jsonl {in}",
    "moves {in}",
    "moves --plain {in}",
    "moves --plain --coords gtp {in}",
    "board {in}",
    "board --node 0.0/1 --numbers -f svg {in}",
    "board --move 3 --comment --no-next {in}",
    "board -f svg {in}",
    "board --crop=3 -f svg -d {dir}/boards {in}",
    "get first_moves,move(2) --coords gtp --where move(1)<>'Q16' {in}",
    "stats --coords gtp {in}",
    "filter --where moves>1 --rejects {dir}/rest {in}",
    "filter --where length('C')>3 {in}",
    "filter --where moves>1 -d {dir}/kept {in}",
    "cat {in}",
    "cat --sgfs {in}",
    "head -n 1000000 {in}",
    "cat --games 2-3,-1000000 {in}",
    "cat --games 2-3 {in}",
    "sample -n 1000000 {in}",
    "dedup {in}",
    "dedup --by symmetric {in}",
    "dedup --near --report {dir}/report.csv {in}",
    "dedup --near=3 --by symmetric {in}",
    "dedup -d {dir}/once {in}",
    "rewrite --main-line {in}",
    "variations {in}",
    "merge {in}",
    "merge --by symmetric {in}",
    "sort pb,moves {in}",
    "sort --reverse re {in}",
    "check {in}",
    "check --level note -f short {in}",
    "check --level note -f jsonl --legality {in}",
    "check --level note -f sarif {in}",
    "fix {in}",
    "fix -q --level note --guess {in}",
    "fix -f jsonl {in}",
    "fix -q --in-place {copy}",
    "charset {in}",
    "charset -f csv {in}",
    "charset -f jsonl {in}",
    "count --charset detect {in}",
    "rewrite {in}",
    "rewrite --canonical --in-place {copy}",
    "split -n 1000 -d {dir}/games {in}",
    "split --name {pb} -d {dir}/players {in}",
    "split --name {pb}-{dt} -d {dir}/named {in}",
    "index {in} -o {dir}/games.parquet",
    "index {in} -o {dir}/games.arrow",
    "index {in} -o -",
    "index {in} -f csv",
    "index {in} -f tsv",
    "index {in} -f jsonl",
    "index {in} -o {dir}/games -f parquet",
    "find {in} --position pd --index {dir}/games.positions -f csv",
    "index {in} -o {dir}/games.jsonl --moves {dir}/moves.jsonl --comments {dir}/comments.jsonl",
    "index {in} -o {dir}/games.csv --moves {dir}/moves.csv --comments {dir}/comments.csv",
    "index {in} -o {dir}/games.parquet --moves {dir}/moves.parquet --comments {dir}/comments.parquet",
    "events {in}",
    "events --gaps {in}",
];

/// Edits of `rewrite`, in chains that are one command line each.
const CHAINS: &[&[&str]] = &[
    &[
        "--short-names",
        "--gorilla",
        "--set EV=x",
        "--add RO=1",
        "--rename AB=AW",
        "--swap-colors",
        "--turn rotate-90",
    ],
    &["--pentobi", "--expand", "--text", "--repair"],
    &[
        "--handicap",
        "--upgrade",
        "--compress",
        "--utf8",
        "--canonical",
    ],
    &[
        "--strip comments,markup",
        "--keep B,W,C,AB",
        "--depth 3",
        "--moves 100",
        "--main-line",
    ],
    &["--replace C,PB,EV/[a-m]+/x/"],
];

/// Commands that read no games or run until they are stopped.
const OTHERS: [&str; 4] = ["explain", "explore", "completions", "man"];

/// Returns all command lines. With `each_edit`, the single edits are included.
pub(crate) fn cells(each_edit: bool) -> Vec<String> {
    let mut cells: Vec<String> = CELLS.iter().map(|cell| (*cell).to_owned()).collect();
    cells.extend(
        CHAINS
            .iter()
            .map(|chain| format!("rewrite {} {{in}}", chain.join(" "))),
    );
    if each_edit {
        cells.extend(
            CHAINS
                .concat()
                .iter()
                .map(|edit| format!("rewrite {edit} {{in}}")),
        );
    }
    cells
}

/// Returns commands and formats of the help without a command line.
pub(crate) fn missing(sgfq: &str) -> Vec<String> {
    let help = |arguments: &[&str]| {
        let output = Command::new(sgfq)
            .args(arguments)
            .output()
            .expect("it runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let overview = help(&["help"]);
    let (_, jobs) = overview.split_once("\nLook:\n").expect("the first job");
    let jobs = jobs.lines().take_while(|line| !line.starts_with("Topics"));
    let commands: Vec<&str> = jobs
        .filter_map(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(
        commands.len() > 20 && commands.contains(&"count"),
        "{overview}"
    );
    let cells: Vec<Vec<String>> = cells(false)
        .iter()
        .map(|cell| cell.split(' ').map(str::to_owned).collect())
        .collect();
    let mut missing = Vec::new();
    for command in commands
        .into_iter()
        .filter(|command| !OTHERS.contains(command))
    {
        let own: Vec<_> = cells.iter().filter(|cell| cell[0] == command).collect();
        if own.is_empty() {
            missing.push(command.to_owned());
        }
        let text = help(&[command, "--help"]);
        for (names, values, default) in formats(&text) {
            let has = |value: &str| {
                own.iter().any(|cell| {
                    let given = cell
                        .windows(2)
                        .find(|pair| names.contains(&pair[0]))
                        .map(|pair| &*pair[1]);
                    given.unwrap_or(&default) == value
                })
            };
            missing.extend(
                values
                    .iter()
                    .filter(|value| !has(value))
                    .map(|value| format!("{command} {value}")),
            );
        }
        let edits = if command == "rewrite" {
            help(&["help", "edits"])
        } else {
            String::new()
        };
        for name in edits
            .lines()
            .filter_map(|line| line.strip_prefix("      --"))
        {
            let name = format!("--{}", name.split(' ').next().unwrap_or_default());
            if !own.iter().any(|cell| cell.contains(&name)) {
                missing.push(format!("{command} {name}"));
            }
        }
        // The formats of `index` are extensions.
        if let Some((_, endings)) = text.split_once("a name that ends in ") {
            for ending in endings
                .lines()
                .next()
                .unwrap_or_default()
                .split([' ', ','])
                .filter(|word| word.starts_with('.'))
            {
                if !own
                    .iter()
                    .any(|cell| cell.iter().any(|word| word.ends_with(ending)))
                {
                    missing.push(format!("{command} {ending}"));
                }
            }
        }
    }
    missing
}

/// Returns the options of a help that select a format: their names, values and defaults.
fn formats(help: &str) -> Vec<(BTreeSet<String>, Vec<String>, String)> {
    // An option begins on a line that starts with `-`; its other lines are indented further.
    let mut options: Vec<String> = Vec::new();
    for line in help.lines() {
        match options.last_mut() {
            _ if line.trim_start().starts_with('-') => options.push(line.trim().to_owned()),
            Some(option) => *option += &format!(" {}", line.trim()),
            None => {}
        }
    }
    let between = |text: &str, start: &str| {
        let (_, list) = text.split_once(start)?;
        Some(list.split_once(']')?.0.to_owned())
    };
    let formats = options
        .iter()
        .filter(|option| option.contains(" <FORMAT> ") || option.contains(" <FORM> "));
    let found = formats.map(|option| {
        let names = option
            .split([' ', ','])
            .filter(|word| word.starts_with('-'))
            .map(str::to_owned)
            .collect();
        let values = between(option, "[possible values: ").unwrap_or_default();
        let default = between(option, "[default: ").unwrap_or_default();
        (
            names,
            values.split(", ").map(str::to_owned).collect(),
            default,
        )
    });
    found.collect()
}

#[test]
fn formats_are_found_in_a_help() {
    let help = "Options:\n  -f, --format <FORMAT>  Output format [default: text] [possible values: text,\n                         json]\n      --top <N>          Rows\n";
    let [(names, values, default)] = &formats(help)[..] else {
        panic!("one option")
    };
    assert_eq!(
        (names.len(), &values[..], &**default),
        (2, &["text".to_owned(), "json".to_owned()][..], "text")
    );
}
