//! Asks the page and the command for every column and every finding of the same files.

use std::collections::BTreeMap;
use std::io::Write;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::chosen::containers;
use super::explore::Server;
use super::explore_findings::assert_same_findings;
use super::{Place, run};

const LATIN: &str =
    "(;FF[4]GM[1]PB[張栩]PW[Ann]SZ[9];B[aa])\n(;GM[1]PB[井山裕太]EV[Cup]KM[6,5];B[bb]C[ö x])\n";
const CHINESE: &str = "(;GM[1]PB[张栩]PW[李世石]SZ[9]C[第一届中国围棋名人战决赛];B[aa])\n(;GM[1]PB[古力]KM[6,5];B[bb]C[黑棋胜])";
const TAIWANESE: &str = "(;GM[1]PB[張栩]SZ[9]C[第一屆中國圍棋名人戰決賽];B[aa])\n(;GM[1]PB[周俊勳]KM[6,5];B[bb]C[功夫])";
const JAPANESE: &str =
    "(;GM[1]PB[張栩]SZ[9]C[これは表の十の手です];B[aa])(;GM[1]PB[井山裕太];B[bb]C[ソフトの能力]);";
const KOREAN: &str =
    "(;GM[1]PB[이세돌]SZ[9]C[안녕하세요 바둑 대국입니다];B[aa])\n(;GM[1]PB[박정환];B[bb]C[뷁])";

/// Returns files whose games are others when they are taken out, and files without a game.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let utf16 = |bytes_of: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
        format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(bytes_of)
            .collect()
    };
    let encoded = |charset: &'static Encoding, text: &str| charset.encode(text).0.into_owned();
    let declared =
        |text: &str, charset: &str| text.replace("GM[1]", &format!("CA[{charset}]GM[1]"));
    let bom = "\u{feff}".as_bytes();
    let mut cut = b"(;GM[1]PB[x];B[aa](;W[bb]C[never closed \n".to_vec();
    cut.extend(b"(;GM[1]FF[4]SZ[19]PB[y];B[cc])\n".repeat(3));
    let mut cut_in_line = b"(;GM[1]PB[x];B[aa](;W[bb]".to_vec();
    cut_in_line.extend(b"(;GM[1]FF[4]SZ[19]PB[y];B[cc])".repeat(4));
    vec![
        ("utf8.sgf", LATIN.as_bytes().to_vec()),
        (
            "bom.sgf",
            [bom, LATIN.as_bytes(), b"(;GM[1]PB[caf\xe9];B[aa])"].concat(),
        ),
        (
            "bom_later.sgf",
            [
                b"x",
                bom,
                b"(;PB[caf\xe9];B[aa])",
                bom,
                b"(;PB[caf\xe9];B[aa])",
            ]
            .concat(),
        ),
        ("le.sgf", utf16(u16::to_le_bytes, LATIN)),
        ("be.sgf", utf16(u16::to_be_bytes, &declared(LATIN, "GBK"))),
        (
            "be_cut.sgf",
            utf16(u16::to_be_bytes, "(;PB[ü];B[aa])text(;B[aa"),
        ),
        ("gbk.sgf", encoded(GBK, CHINESE)),
        (
            "gbk_declared.sgf",
            encoded(GBK, &declared(CHINESE, "GB2312")),
        ),
        ("big5.sgf", encoded(BIG5, TAIWANESE)),
        (
            "big5_declared.sgf",
            encoded(BIG5, &declared(TAIWANESE, "Big5")),
        ),
        ("sjis.sgf", encoded(SHIFT_JIS, JAPANESE)),
        (
            "sjis_declared.sgf",
            encoded(SHIFT_JIS, &declared(JAPANESE, "Shift_JIS")),
        ),
        ("cp949.sgf", encoded(EUC_KR, KOREAN)),
        (
            "cp949_declared.sgf",
            encoded(EUC_KR, &declared(KOREAN, "UTF-8")),
        ),
        (
            "mixed.sgf",
            [
                &encoded(GBK, CHINESE),
                LATIN.as_bytes(),
                &encoded(EUC_KR, KOREAN),
                b"x\x90(;PB[b\xf6se])",
            ]
            .concat(),
        ),
        (
            "stray.sgf",
            b"(;GM[1]PB[a];B[aa])\n]text; (x\n(;GM[1]PB[b];B[bb])\n mail) ] end [a]".to_vec(),
        ),
        (
            "games.sgf",
            b"]]x\n(;GM[1]PB[a])(;FF[3]GM[1]PB[b])(;GM[2];B[a1](;FF[4]CA[GBK]GM[1]PB[x];B[cc]))"
                .to_vec(),
        ),
        ("cut.sgf", cut),
        ("cut_in_line.sgf", cut_in_line),
        (
            "open.sgf",
            b"(;GM[1]PB[x];B[aa])(;GM[1]PB[y];B[bb](;W[cc]C[open \\".to_vec(),
        ),
        (
            "headless.sgf",
            b";GM[1]PB[x];B[aa])(;GM[1]PB[y];B[bb])".to_vec(),
        ),
        ("none.sgf", b"hello world not sgf".to_vec()),
        ("none.pdf.sgf", b"%PDF-1.4\n".to_vec()),
        ("empty.sgf", Vec::new()),
    ]
}

/// Returns the condition that a column has a value.
fn condition(column: &str, value: &Value) -> String {
    match value {
        Value::Null => format!("{column} IS NULL"),
        Value::String(text) => format!("{column} = '{}'", text.replace('\'', "''")),
        number => format!("{column} = {number}"),
    }
}

/// Checks that the page and the command return the same cells and findings. Returns the number of
/// cells.
fn assert_same_cells(input: &str) -> usize {
    let server = Server::of(&[input]);
    let total = |condition: &str| {
        server.ask("games", &json!({ "all": true, "where": condition }))["total"].clone()
    };
    let (mut listed, mut cells, mut skip) = (BTreeMap::new(), 0, 0);
    loop {
        let rows = server.ask("games", &json!({ "all": true, "skip": skip, "count": 500 }))["rows"]
            .clone();
        let rows = rows.as_array().expect("rows").clone();
        if rows.is_empty() {
            break;
        }
        skip += rows.len();
        listed.extend(
            rows.into_iter()
                .map(|row| (row["name"].clone().to_string(), row)),
        );
    }
    let table = run(&["get", "all", "-f", "jsonl", input], b"");
    for line in table.text().lines() {
        let row: serde_json::Map<String, Value> = serde_json::from_str(line).expect("JSON");
        let conditions: Vec<String> = row
            .iter()
            .map(|(column, value)| condition(column, value))
            .collect();
        if total(&conditions.join(" AND ")) != 1 {
            let game = condition("reference", &row["reference"]);
            let differs = |cell: &&String| total(&format!("{game} AND {cell}")) != 1;
            let differing: Vec<_> = conditions.iter().filter(differs).collect();
            panic!("{input}: {} {differing:?}", row["reference"]);
        }
        let shown = &listed[&row["reference"].to_string()];
        for column in [
            "pb", "br", "pw", "wr", "dt", "re", "ev", "moves", "handicap",
        ] {
            let value = row[column].as_str().map_or_else(
                || row[column].to_string().replace("null", ""),
                str::to_owned,
            );
            assert_eq!(shown[column], value, "{input} {column}");
        }
        cells += row.len();
    }
    assert_eq!(table.text().lines().count(), listed.len(), "{input}");
    assert_same_findings(input, &server);
    cells
}

#[test]
fn the_page_and_the_command_have_the_same_cells() {
    let place = Place::new();
    let files = files();
    for (name, bytes) in &files {
        let file = place.put(name, bytes);
        if !name.starts_with("none") && !bytes.is_empty() {
            assert!(assert_same_cells(&file) > 60, "{name}");
        }
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed
        .write_all(
            &files
                .iter()
                .find(|(name, _)| *name == "stray.sgf")
                .expect("a file")
                .1,
        )
        .expect("memory");
    assert!(assert_same_cells(&place.put("x.sgf.gz", packed.finish().expect("memory"))) > 60);
    for input in containers(&place, &files) {
        assert!(assert_same_cells(&input) > 2_000, "{input}");
    }
}

/// A file of several parts is as one of a single part.
#[test]
fn parts_have_the_problems_before_them() {
    let place = Place::new();
    let game = format!("(;GM[1]C[{}];B[aa])\n] x\n", "text ".repeat(400));
    let games = game.repeat(4_000) + "] end";
    let file = place.put("parts.sgf", games);
    let server = Server::of(&[&file]);
    assert_same_findings(&file, &server);
    for condition in [
        "errors = 0",
        "errors > 0",
        "byte_offset > 2000000",
        "game > 2000 AND errors > 0",
    ] {
        let counted = run(&["count", "--where", condition, &file], b"").done();
        let games = counted
            .lines()
            .find_map(|line| line.strip_prefix("games"))
            .expect("a line")
            .trim()
            .to_owned();
        let found =
            server.ask("games", &json!({ "all": true, "where": condition }))["total"].clone();
        assert_eq!(found.to_string(), games, "{condition}");
    }
}
