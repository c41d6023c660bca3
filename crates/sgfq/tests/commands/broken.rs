//! Streams that break inside a game: no command counts this game.

use super::tar::tar;
use super::zstd::zstd;
use super::{Place, run};

/// Returns games whose comments are hard to pack, so that a stream breaks inside a comment.
fn games(count: usize) -> String {
    let mut random = fastrand::Rng::with_seed(60);
    let mut text = String::new();
    for number in 0..count {
        let comment: String = std::iter::repeat_with(|| random.alphanumeric())
            .take(600)
            .collect();
        text += &format!("(;GM[1]SZ[9]PB[player {number}];B[aa];W[bb]C[{comment}])\n");
    }
    text
}

#[test]
fn a_broken_game_counts_nowhere() {
    let place = Place::new();
    // The first number of games is one part, and the second needs several.
    for count in [40, 6_000] {
        let games = games(count);
        let plain = place.put("games.sgf", &games);
        let gz = place.text("games.sgf.gz");
        run(&["cat", "-o", &gz, &plain], b"").done();
        let archive = tar(&[("games.sgf", games.as_bytes())]);
        let packed = [
            archive,
            std::fs::read(&gz).expect("the file"),
            zstd(games.as_bytes()),
        ];
        for (name, packed) in ["cut.tar", "cut.sgf.gz", "cut.sgf.zst"]
            .into_iter()
            .zip(packed)
        {
            let cut = &packed[..packed.len() / 2 + 77];
            let file = place.put(name, cut);
            for (input, stdin) in [(&*file, &b""[..]), ("-", cut)] {
                for jobs in ["1", "2"] {
                    check(input, stdin, jobs, count);
                }
            }
        }
    }
}

fn check(input: &str, stdin: &[u8], jobs: &str, all: usize) {
    let what = format!("{input}, {} bytes, -j{jobs}", stdin.len());
    let broken = |arguments: &[&str]| {
        let run = run(&[arguments, &["-j", jobs, input]].concat(), stdin);
        assert_eq!(run.status, 2, "{what}: {}", run.err);
        assert!(run.err.lines().count() == 1, "{what}: {}", run.err);
        String::from_utf8(run.out).expect("UTF-8")
    };
    let count = broken(&["count"]);
    let number = |name: &str| -> usize {
        let value = count
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .expect("a line");
        value.trim().parse().expect("a number")
    };
    let games = number("games");
    assert!(games > 1 && games < all, "{what}: {games}");
    for arguments in [
        &["index", "--columns", "game,moves,nodes"][..],
        &["get", "game,moves,nodes"],
    ] {
        let rows = broken(&[arguments, &["-f", "csv"]].concat());
        let rows: Vec<Vec<usize>> = rows
            .lines()
            .skip(1)
            .map(|row| {
                row.rsplit(',')
                    .take(3)
                    .map(|cell| cell.parse().expect("a number"))
                    .collect()
            })
            .collect();
        let sum = |column: usize| rows.iter().map(|row| row[column]).sum::<usize>();
        assert_eq!(
            (rows.len(), sum(0), sum(1)),
            (games, number("nodes"), number("moves\t")),
            "{what}: {arguments:?}"
        );
    }
    let stats: serde_json::Value =
        serde_json::from_str(&broken(&["stats", "-f", "json"])).expect("JSON");
    assert_eq!(stats["games"], games, "{what}");
    assert_eq!(
        broken(&["freq", "game > 0"]).trim(),
        format!("{games}  true"),
        "{what}"
    );
    let copy = broken(&["filter", "true"]);
    assert_eq!(
        run(&["count"], copy.as_bytes()).done().lines().nth(1),
        Some(&*format!("games\t{games}")),
        "{what}"
    );
}

/// A broken input is not replaced by the games before the break.
#[test]
fn a_broken_input_is_not_replaced() {
    let place = Place::new();
    let bytes = std::fs::read(super::packed("one.sgf.gz")).expect("a file");
    let cut = &bytes[..bytes.len() - 9];
    let file = place.put("cut.sgf.gz", cut);
    for command in [&["rewrite", "--strip", "C"][..], &["fix"]] {
        let run = run(&[command, &["--in-place", &file]].concat(), b"");
        assert_eq!(run.status, 2, "{command:?}: {}", run.err);
        assert!(
            std::fs::read(&file).expect("a file") == cut,
            "{command:?}: {}",
            run.err
        );
    }
}
