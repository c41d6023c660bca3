//! Compares the page's findings with `sgfq check`, and its repairs with `sgfq fix`.

use serde_json::{Value, json};

use super::explore::Server;
use super::{Place, run};

/// Checks that `sgfq check` and the page report the same number of findings of each code.
pub(super) fn assert_same_findings(file: &str, server: &Server) {
    let checked = run(&["check", "-f", "jsonl", "--level", "note", file], b"");
    let mut expected = std::collections::BTreeMap::new();
    for line in checked.text().lines() {
        let finding: Value = serde_json::from_str(line).expect("JSON");
        *expected
            .entry((finding["severity"].to_string(), finding["code"].to_string()))
            .or_insert(0) += 1;
    }
    let rows = server.ask("findings", &json!({}))["rows"].clone();
    let found = rows.as_array().into_iter().flatten();
    let found: std::collections::BTreeMap<_, _> = found
        .map(|row| {
            (
                (row["severity"].to_string(), row["code"].to_string()),
                row["count"].as_i64().expect("a count"),
            )
        })
        .collect();
    assert_eq!(found, expected, "{file}");
}

/// For truncated games, the supplied end is a finding, and downloads contain it.
#[test]
fn games_that_are_cut_off_have_their_findings() {
    let place = Place::new();
    for (name, games, closed) in [
        (
            "start.sgf",
            ";FF[4]GM[1]SZ[9];B[aa])",
            "(;FF[4]GM[1]SZ[9];B[aa])\n",
        ),
        (
            "end.sgf",
            "(;FF[4]GM[1]SZ[9];B[aa](;W[bb]\n(;FF[4]GM[1]SZ[9];B[cc]C[cut\\",
            "(;FF[4]GM[1]SZ[9];B[aa](;W[bb]\n))\n(;FF[4]GM[1]SZ[9];B[cc]C[cut])\n",
        ),
    ] {
        let file = place.put(name, games);
        let server = Server::of(&[&file]);
        assert_same_findings(&file, &server);
        let (_, games) = server.post("export", &json!({ "moves": "" }));
        assert_eq!(String::from_utf8(games).expect("UTF-8"), closed);
    }
}

#[test]
fn findings_and_repairs() {
    let place = Place::new();
    let games = "(;FF[4]GM[1]SZ[9:9];B[a a])(;FF[4]GM[1]SZ[9];B[aa])(;FF[4]GM[1]SZ[9]KM[6,5];B[zz])(;FF[3]GM[1]KM[6,5])";
    let file = place.put("x.sgf", games);
    let server = Server::of(&[&file]);
    assert_same_findings(&file, &server);
    let repair = server.ask("repair", &json!({ "id": 0 }));
    assert_eq!(
        (&repair["changed"], &repair["after"]),
        (&json!(true), &json!("(;FF[4]GM[1]SZ[9];B[aa])"))
    );
    let (_, games) = server.post("export", &json!({ "moves": "", "repaired": true }));
    let (all, fixed) = (
        String::from_utf8(games).expect("UTF-8"),
        run(&["fix", "-q", &file], b""),
    );
    assert_eq!(all.replace('\n', ""), fixed.text().replace('\n', ""));
}
