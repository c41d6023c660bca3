//! Checks that the JSON of every command has exactly the fields that `docs/json.md` lists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::run;

/// Each section of the page with commands that print all of its fields.
const OUTPUTS: [(&str, &[&[&str]]); 11] = [
    (
        "check",
        &[&["check", "-q", "--level", "note", "-f", "jsonl", "corpus"]],
    ),
    (
        "fix",
        &[
            &["fix", "--guess", "--level", "note", "-f", "jsonl", "corpus"],
            &["fix", "-f", "jsonl", "-"],
        ],
    ),
    (
        "stats",
        &[
            &["stats", "-f", "json", "corpus"],
            &["stats", "-f", "json", "--all-files", "corpus"],
        ],
    ),
    ("count", &[&["count", "-f", "json", "corpus"]]),
    ("tree", &[&["tree", "-f", "jsonl", "corpus"]]),
    (
        "events",
        &[&["events", "--gaps", "corpus"], &["events", "-"]],
    ),
    ("charset", &[&["charset", "-f", "jsonl", "corpus"]]),
    (
        "players",
        &[
            &["players", "-f", "jsonl", "corpus"],
            &["players", "-f", "jsonl", "--openings", "2", "corpus"],
            &[
                "players",
                "-f",
                "jsonl",
                "--player",
                "Ada",
                "--against",
                "Ben",
                "corpus",
            ],
        ],
    ),
    ("openings", &[&["openings", "-f", "jsonl", "corpus"]]),
    (
        "find --said",
        &[&["find", "-f", "jsonl", "--said", "--position", "pd", "-"]],
    ),
    (
        "find --summary",
        &[&[
            "find",
            "-f",
            "jsonl",
            "--summary",
            "--sequence",
            "B[pd]",
            "corpus",
        ]],
    ),
];

/// Expands `a.{b,c}.d` to `a.b.d` and `a.c.d`.
fn expand(fields: &str) -> Vec<String> {
    let Some((before, (inside, after))) = fields
        .split_once('{')
        .and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    else {
        return vec![fields.to_owned()];
    };
    inside
        .split(',')
        .flat_map(|each| expand(&format!("{before}{each}{after}")))
        .collect()
}

/// Returns the fields of a section from lines such as `` - `a`, `b[].{c,d}`: meaning ``.
fn listed(page: &str, command: &str) -> BTreeSet<String> {
    let section = page
        .split("\n## ")
        .find(|section| section.starts_with(&format!("`sgfq {command}")));
    let section = section.unwrap_or_else(|| panic!("{command}: expected a section"));
    let rows = section
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split_once("`: "));
    rows.flat_map(|(fields, meaning)| {
        assert!(meaning.len() > 5, "{fields}: expected a meaning");
        fields.split("`, `").flat_map(expand).collect::<Vec<_>>()
    })
    .collect()
}

/// Collects the fields of a value. Keys that the page lists as `*` are data; undecodable bytes are
/// a value.
fn collect(value: &Value, prefix: &str, listed: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("latin1") => {}
        Value::Object(fields) => {
            for (name, value) in fields {
                let any = format!("{prefix}*");
                let has_any = listed.iter().any(|field| field.starts_with(&any));
                let field = if has_any {
                    any
                } else {
                    format!("{prefix}{name}")
                };
                // Nested variations have the same fields.
                if name != "children" {
                    collect(value, &format!("{field}."), listed, found);
                }
                found.insert(field);
            }
        }
        Value::Array(values) => {
            let prefix = format!("{}[].", prefix.strip_suffix('.').expect("a field"));
            values
                .iter()
                .for_each(|value| collect(value, &prefix, listed, found));
        }
        _ => {}
    }
}

#[test]
fn the_page_lists_the_fields_of_each_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/json.md")).expect("a page");
    let corpus = root.join("corpus").to_string_lossy().into_owned();
    // A value that arrives in pieces, and one that no repair fits.
    let text = "x".repeat(3 << 20);
    let input = format!(
        "(;FF[4]KM[2h]GM[1]C[{text}]DT[196?];B[aa]AR[aa:cc]) (;;B[pd]C[here]LB[dd:A];W[dd]BM[1])"
    );
    let mut faults = Vec::new();
    for (command, runs) in OUTPUTS {
        let listed = listed(&page, command);
        let mut found = BTreeSet::new();
        for arguments in runs {
            let arguments: Vec<String> = arguments
                .iter()
                .map(|text| text.replace("corpus", &corpus))
                .collect();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let run = run(&arguments, input.as_bytes());
            let out = if command == "fix" {
                run.err
            } else {
                String::from_utf8(run.out).expect("UTF-8")
            };
            let lines: Vec<Value> = out
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect();
            assert!(!lines.is_empty(), "{arguments:?}");
            for line in &lines {
                // The rows of players are a table.
                let schema = if command == "players" {
                    Value::Null
                } else {
                    Value::from(1)
                };
                assert_eq!(line["schema"], schema, "{arguments:?}: {line}");
                collect(line, "", &listed, &mut found);
            }
        }
        faults.extend(
            found
                .difference(&listed)
                .map(|field| format!("{command}: not on the page: {field}")),
        );
        faults.extend(
            listed
                .difference(&found)
                .map(|field| format!("{command}: on the page, not met: {field}")),
        );
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
