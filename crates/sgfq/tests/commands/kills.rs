//! Kills every command that writes files at random moments. No file is incomplete under a final
//! name, only hidden files remain, and the next run gives the same bytes. `SGF_KILLS` is the number
//! of kills per command.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Place;

/// Returns the files of a directory by name. Directories have no contents.
fn files(place: &Place, below: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for name in fs::read_dir(place.path(below)).into_iter().flatten() {
        let name = format!(
            "{below}{}",
            name.expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        );
        if place.path(&name).is_dir() {
            files.insert(format!("{name}/"), Vec::new());
            files.extend(self::files(place, &format!("{name}/")));
        } else {
            files.insert(name.clone(), fs::read(place.path(&name)).expect("a file"));
        }
    }
    files
}

fn is_unfinished(name: &str) -> bool {
    name.contains(".sgfq-")
}

/// Creates a few games that every command does something with.
fn put_inputs(place: &Place) {
    for file in 0..3 {
        let game = |at: usize| {
            let text = "(;FF[4]PB[Ada";
            format!(
                "{text} {}]KM[6,5]C[x]{})\n",
                at % 40,
                ";B[aa];W[bb]".repeat(20 + at % 3)
            )
        };
        place.put(
            &format!("in-{file}.sgf"),
            (0..150).map(game).collect::<String>(),
        );
    }
}

#[test]
fn every_command_that_writes() {
    let kills = std::env::var("SGF_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(3u32);
    let inputs = ["in-0.sgf", "in-1.sgf", "in-2.sgf"];
    let mut random = fastrand::Rng::with_seed(7);
    for arguments in [
        &["fix", "-q", "--in-place"][..],
        &["fix", "-q", "--in-place", "--backup"],
        &["rewrite", "--strip", "comments", "--in-place", "--backup"],
        &["fix", "-q", "-o", "out.sgf"],
        &["rewrite", "--canonical", "-o", "out.sgf"],
        &[
            "filter",
            "--where",
            "game % 2 = 0",
            "-o",
            "out.sgf",
            "--rejects",
            "rest.sgf",
        ],
        &["dedup", "-o", "out.sgf", "--rejects", "rest.sgf"],
        &["index", "-o", "out.parquet"],
        &[
            "dedup",
            "--near",
            "-o",
            "out.sgf",
            "--rejects",
            "rest.sgf",
            "--report",
            "report.csv",
        ],
        &["get", "pb,moves", "-o", "out.txt"],
        &["cat", "-o", "out.sgf"],
        &["cat", "--games", "-300", "-o", "out.sgf"],
        &["sort", "pb", "-o", "out.sgf"],
        &["merge", "-o", "out.sgf"],
        &["variations", "-o", "out.sgf"],
        &["split", "--name", "{pb}", "--force", "-d", "out"],
        &["split", "-n", "9", "--force", "-d", "out"],
        &["stats", "--html", "out.html"],
        &["board", "-o", "out.txt"],
        &[
            "index",
            "-o",
            "out.parquet",
            "--moves",
            "moves.parquet",
            "--comments",
            "comments.csv",
            "--row-group",
            "50",
        ],
    ] {
        let run = |place: &Place| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
            command
                .current_dir(place.0.path())
                .args(arguments)
                .args(inputs);
            command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it runs")
        };
        let is_in_place = arguments.contains(&"--in-place");
        let whole = Place::new();
        put_inputs(&whole);
        let before = files(&whole, "");
        let begun = Instant::now();
        assert!(
            run(&whole).wait().expect("it ends").success(),
            "{arguments:?}"
        );
        let time = begun.elapsed();
        let expected = files(&whole, "");
        assert!(
            expected.len() > before.len() || is_in_place && expected != before,
            "{arguments:?}"
        );
        assert!(
            !expected.keys().any(|name| is_unfinished(name)),
            "{arguments:?}: {:?}",
            expected.keys()
        );
        let place = Place::new();
        put_inputs(&place);
        for _ in 0..kills {
            let mut child = run(&place);
            std::thread::sleep(
                time.mul_f64(random.f64() * 1.1) + Duration::from_micros(random.u64(..500)),
            );
            child.kill().expect("a child");
            child.wait().expect("a child");
            for (name, bytes) in files(&place, "") {
                let is_known =
                    expected.get(&name) == Some(&bytes) || before.get(&name) == Some(&bytes);
                // If a file was replaced before the run started again, its backup has the replaced
                // contents.
                let is_backup = name.split_once(".bak").is_some_and(|(name, _)| {
                    expected.get(name) == Some(&bytes) || before.get(name) == Some(&bytes)
                });
                assert!(
                    is_known || is_backup || is_unfinished(&name),
                    "{arguments:?}: {name} is half"
                );
            }
        }
        assert!(
            run(&place).wait().expect("it ends").success(),
            "{arguments:?}"
        );
        let mut found = files(&place, "");
        let mut expected = expected;
        for files in [&mut found, &mut expected] {
            files.retain(|name, _| !name.contains(".bak") && !is_unfinished(name));
        }
        assert!(
            found == expected,
            "{arguments:?}: {:?} {:?}",
            found.keys(),
            expected.keys()
        );
    }
}
