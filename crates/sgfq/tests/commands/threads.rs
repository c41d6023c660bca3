//! Runs on a system that refuses threads: with few threads, or with an error.

use std::process::Stdio;

use super::*;

/// Runs the command in `kib` KiB of address space.
fn limited(kib: u32, place: &Place, arguments: &str) -> Run {
    let script = format!(
        "ulimit -v {kib}; exec {} {arguments}",
        env!("CARGO_BIN_EXE_sgfq")
    );
    let mut shell = std::process::Command::new("sh");
    let output = shell
        .args(["-c", &script])
        .current_dir(place.0.path())
        .stdin(Stdio::null())
        .output()
        .expect("it ran");
    Run {
        status: output
            .status
            .code()
            .unwrap_or_else(|| panic!("{arguments}: a signal")),
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn refused_threads_do_not_matter() {
    let place = Place::new();
    place.put("x.sgf", GAMES.repeat(20_000));
    let gz = std::fs::read(packed("one.sgf.gz")).expect("a file");
    place.put("y.sgf.gz", gz);
    for command in [
        "count",
        "get pb,moves",
        "check -q",
        "stats",
        "cat",
        "sort moves",
        "fix -q",
        "rewrite --strip C",
        "find --sequence cc",
        "index -f csv",
        "players",
    ] {
        let expected = limited(16_000_000, &place, &format!("{command} -j1 x.sgf y.sgf.gz"));
        // The stacks of 1,024 threads do not fit. Those that fit leave much space for the one
        // worker that remains.
        let run = limited(
            2_000_000,
            &place,
            &format!("{command} -j1024 x.sgf y.sgf.gz"),
        );
        assert_eq!(
            (run.status, &*run.err),
            (expected.status, &*expected.err),
            "{command}"
        );
        assert!(run.out == expected.out, "{command}");
    }
}
