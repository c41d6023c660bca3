//! State of an index between runs: segments, whole or damaged, also inside of one large source; shards; a full disk.

use super::*;

/// So many games of some 1,000 bytes, different for each `name`.
fn games(name: &str, count: usize) -> String {
    let moves = format!(";B[dd];W[pp]C[{}]", "text ".repeat(180));
    (0..count).map(|at| format!("(;GM[1]FF[4]PB[{name} {at}]KM[{}.5]{moves})\n", at % 9)).collect()
}

/// Runs `sgfq` and waits until `is_ready`, or until it ends; then it is killed. True if it was killed.
fn killed_when(scratch: &Scratch, args: &[&str], is_ready: impl Fn() -> bool) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
    let mut child = command.current_dir(&scratch.0).args(args).spawn().expect("it runs");
    while child.try_wait().expect("a child").is_none() {
        if is_ready() {
            child.kill().expect("a child");
            return !child.wait().expect("a child").success();
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    false
}

/// Like `killed_when`; if it ended before that, because this test was not given a processor in time, its output is removed, and it
/// runs again.
fn kill_when(scratch: &Scratch, output: &str, args: &[&str], is_ready: impl Fn() -> bool) {
    for _ in 0..50 {
        if killed_when(scratch, args, &is_ready) && is_ready() {
            return;
        }
        for file in [output.to_owned(), format!("{output}.manifest")] {
            _ = fs::remove_file(scratch.0.join(file));
        }
        _ = fs::remove_dir_all(scratch.0.join(format!("{output}.parts")));
    }
    panic!("{args:?}: too fast to be killed");
}

/// The notes of finished segments.
fn notes(scratch: &Scratch, output: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(scratch.0.join(format!("{output}.parts"))).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ext| ext == "json")).collect()
}

/// A kill in the middle of one large file, zip or tar: the run that follows reads only the rest, and gives the same
/// bytes. So it does if one of the finished segments was damaged.
#[test]
fn a_large_source_goes_on_inside() {
    let scratch = Scratch::new("inside");
    scratch.write("in.sgf", games("plain", 16_000).as_bytes());
    let members: Vec<_> = (0..30).map(|at| (format!("{at}.sgf"), games(&format!("tar {at}"), 300))).collect();
    let members: Vec<_> = members.iter().map(|(name, games)| (name.as_str(), games.as_bytes())).collect();
    scratch.write("in.tar", &tar(&members));
    for (input, output) in [("in.sgf", "a.arrow"), ("in.tar", "b.parquet"), ("in.sgf", "c.parquet")] {
        let args = |output| ["index", input, "--segment", "500000", "--columns", "source,game,pb", "-j2", "-o", output];
        let whole = format!("whole-{output}");
        assert_eq!(text(&scratch.sgfq(&args(&whole)).stderr), "");
        kill_when(&scratch, output, &args(output), || notes(&scratch, output).len() >= 3);
        let finished = notes(&scratch, output);
        if output == "a.arrow" {
            // Of the second segment a byte is changed, of the third some are cut off.
            let mut parts: Vec<_> = finished.iter().map(|note| note.with_extension("games.arrow")).collect();
            parts.sort_by_key(|part| fs::metadata(part).expect("a part").modified().expect("a time"));
            let mut bytes = fs::read(&parts[1]).expect("a part");
            bytes[100] ^= 1;
            fs::write(&parts[1], bytes).expect("disk space");
            let bytes = fs::read(&parts[2]).expect("a part");
            fs::write(&parts[2], &bytes[..bytes.len() / 2]).expect("disk space");
        }
        let run = scratch.sgfq(&[&args(output)[..], &["--progress", "always"]].concat());
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{said}");
        let read = said.lines().last().and_then(|line| line.split_once(" games in ")).expect("a summary").0;
        let read: usize = read.replace(',', "").parse().expect("a number");
        let all = if input == "in.sgf" { 16_000 } else { 9_000 };
        assert!(read < all, "{input}: {read} games were read again");
        let damages =
            said.matches("expected the bytes that were written, found other bytes; they are made anew").count();
        assert_eq!(damages, if output == "a.arrow" { 2 } else { 0 }, "{said}");
        assert!(scratch.read(output) == scratch.read(&whole), "{output}");
        assert!(!scratch.0.join(format!("{output}.parts")).exists());
    }
    // Nothing is left of the runs that were killed.
    assert!(scratch.names().iter().all(|name| !name.starts_with('.')), "{:?}", scratch.names());
    // What did not change is not read for an update, once there was one.
    let update = ["index", "in.sgf", "--segment", "500000", "--columns", "source,game,pb", "-o", "a.arrow", "--update"];
    let said = text(&scratch.sgfq(&[&update[..], &["--progress", "always"]].concat()).stderr);
    assert!(said.contains("16,000 games in 1 files"), "{said}");
    let said = text(&scratch.sgfq(&[&update[..], &["--progress", "always"]].concat()).stderr);
    assert!(said.contains("0 games in 0 files"), "{said}");
    assert!(scratch.read("a.arrow") == scratch.read("whole-a.arrow"));
}

/// Shares of one index: several processes at once, one of them killed; the run without a share reads what is missing,
/// and gives the bytes of one process.
#[test]
fn shares_come_to_the_bytes_of_one_process() {
    let scratch = Scratch::new("shares");
    scratch.write("in/a.sgf", games("plain", 7_000).as_bytes());
    let members: Vec<_> = (0..9).map(|at| (format!("{at}.sgf"), games(&format!("tar {at}"), 100))).collect();
    let members: Vec<_> = members.iter().map(|(name, games)| (name.as_str(), games.as_bytes())).collect();
    scratch.write("in/b.tar", &tar(&members));
    for at in 0..40 {
        scratch.write(&format!("in/small/{at}.sgf"), games(&format!("small {at}"), 10).as_bytes());
    }
    let args = |output: &'static str| {
        [
            "index",
            "in",
            "--segment",
            "100000",
            "-o",
            output,
            "--moves",
            "m.parquet",
            "--columns",
            "source,member,game,pb",
        ]
    };
    assert_eq!(text(&scratch.sgfq(&args("whole.arrow")).stderr), "");
    let expected = (scratch.read("whole.arrow"), scratch.read("m.parquet"));
    fs::remove_file(scratch.0.join("m.parquet")).expect("there");
    // One process is killed while it is at work.
    // One after the other, again and again: when one has ended, the next is killed as soon as it begins.
    let is_killed = ["1/3", "2/3", "3/3"].repeat(20).into_iter().any(|share| {
        let args = [&args("o.arrow")[..], &["--shard", share]].concat();
        killed_when(&scratch, &args, || !notes(&scratch, "o.arrow").is_empty())
    });
    assert!(is_killed, "too fast to be killed");
    let spawn = |share: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
        command.current_dir(&scratch.0).args(args("o.arrow")).args(["--shard", share]);
        command.stderr(std::process::Stdio::piped()).spawn().expect("it runs")
    };
    // While a share is at work, no run can write the tables.
    let lock = fs::File::open(scratch.0.join("o.arrow.parts/lock")).expect("it is there");
    lock.lock_shared().expect("the process that had it was killed");
    let refused = scratch.sgfq(&args("o.arrow"));
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("expected no other run"), "{}", text(&refused.stderr));
    let shares = ["1/3", "2/3", "2/3"].map(spawn);
    for share in shares {
        let output = share.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    }
    // Not by closing it: a child of another test may have inherited it, until it runs its own program.
    lock.unlock().expect("it is locked");
    assert!(!scratch.0.join("o.arrow").exists());
    let of_plain =
        notes(&scratch, "o.arrow").into_iter().filter(|note| text(&fs::read(note).expect("a note")).contains("a.sgf"));
    assert!(of_plain.count() > 1);
    let run = scratch.sgfq(&[&args("o.arrow")[..], &["--progress", "always"]].concat());
    let said = text(&run.stderr);
    let read = said.lines().last().and_then(|line| line.split_once(" games in ")).expect("a summary").0;
    let read: usize = read.replace(',', "").parse().expect("a number");
    assert!(read < 7_000, "{read} games were read again");
    assert!((scratch.read("o.arrow"), scratch.read("m.parquet")) == expected);
    assert_eq!(scratch.names(), ["m.parquet", "o.arrow", "o.arrow.manifest", "whole.arrow", "whole.arrow.manifest"]);
    for share in ["0/3", "4/3", "1", "x/2"] {
        assert_eq!(scratch.sgfq(&["index", "in", "-o", "o.arrow", "--shard", share]).status.code(), Some(2));
    }
}

/// A note that was damaged counts as none.
#[test]
fn a_damaged_note_is_noticed() {
    let scratch = Scratch::new("note");
    for at in 0..6 {
        scratch.write(&format!("in/{at}.sgf"), games(&format!("file {at}"), 700).as_bytes());
    }
    let args = ["index", "in", "--segment", "1000", "-j1", "-o", "o.arrow"];
    kill_when(&scratch, "o.arrow", &args, || notes(&scratch, "o.arrow").len() >= 2);
    let note = &notes(&scratch, "o.arrow")[0];
    let json = fs::read_to_string(note).expect("a note").replacen("[700", "[701", 1);
    fs::write(note, json).expect("disk space");
    let run = scratch.sgfq(&args);
    let said = text(&run.stderr);
    assert!(said.ends_with(".json: expected the bytes that were written, found other bytes; they are made anew\n"));
    scratch.sgfq(&["index", "in", "--segment", "1000", "-o", "new.arrow"]);
    assert!(scratch.read("o.arrow") == scratch.read("new.arrow"));
}

/// No output of several files takes the place of an input.
#[test]
fn no_numbered_file_is_an_input() {
    let scratch = Scratch::new("own");
    scratch.write("in.sgf", b"(;PB[Ada])");
    scratch.write("o-00001.arrow", b"(;PB[Ben])");
    for (args, output) in [
        (&["index", "in.sgf", "o-00001.arrow", "-o", "./o.arrow", "--rows", "5"][..], "./o.arrow"),
        (&["index", "o-00001.arrow", "-o", "x.arrow", "--moves", "o.arrow", "--rows", "5"], "o.arrow"),
    ] {
        let run = scratch.sgfq(args);
        let said = format!("sgfq: {output}: expected outputs that are not inputs, found the input o-00001.arrow\n");
        assert_eq!((run.status.code(), text(&run.stderr)), (Some(2), said));
        assert_eq!(scratch.read("o-00001.arrow"), b"(;PB[Ben])");
    }
}

/// A full disk: each format says which file could not be written, leaves no file under a final name and nothing that
/// piles up, and the run that follows gives the table.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let scratch = Scratch::new("full");
    scratch.write("in.sgf", games("full", 3_000).as_bytes());
    let disk = scratch.0.join("disk");
    fs::create_dir_all(&disk).expect("a directory");
    let mount = |size: &str| {
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(&disk).output();
        mount.is_ok_and(|output| output.status.success())
    };
    if !mount("64k") {
        eprintln!("skipped: this user may not mount a tmpfs");
        return;
    }
    let unmount = || assert!(Command::new("umount").arg(&disk).status().expect("it runs").success());
    unmount();
    for format in ["parquet", "arrow", "csv", "jsonl"] {
        let (mut failed, mut size) = (0, 16);
        loop {
            assert!(mount(&format!("{size}k")));
            let output = format!("disk/x.{format}");
            let run = scratch.sgfq(&["index", "in.sgf", "-o", &output, "--columns", "game,pb", "-j1"]);
            let mut names: Vec<_> = fs::read_dir(&disk)
                .expect("there")
                .map(|entry| entry.expect("there").file_name().into_string().expect("UTF-8"))
                .collect();
            names.sort();
            if run.status.success() {
                let is_text = matches!(format, "csv" | "jsonl");
                assert_eq!(names, [format!("x.{format}"), format!("x.{format}.manifest")][..2 - usize::from(is_text)]);
                unmount();
                break;
            }
            failed += 1;
            let said = text(&run.stderr);
            assert!(
                said.starts_with(&format!("sgfq: {output}")) && said.matches("No space left").count() == 1,
                "{said}"
            );
            assert!(names.is_empty() || names == [format!("x.{format}.parts").as_str()], "{size}: {names:?}");
            unmount();
            size += size / 3;
        }
        assert!(failed > 2, "{format}");
    }
}
