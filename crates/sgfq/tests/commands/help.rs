//! Runs the examples of every help page.

use std::env;
use std::fs;
use std::path::Path;
use std::process;

use assert_cmd::cargo::cargo_bin;

use crate::{Place, run};

/// Returns the commands that `sgfq help` lists.
pub(crate) fn commands() -> Vec<String> {
    let overview = run(&["help"], b"").done();
    let (_, jobs) = overview.split_once("\nLook:\n").expect("the first job");
    let jobs = jobs.lines().take_while(|line| !line.starts_with("Topics"));
    jobs.filter_map(|line| Some(line.strip_prefix("  ")?.split_once(' ')?.0.to_owned()))
        .collect()
}

/// Returns the examples of a command.
fn examples(help: &str) -> Vec<&str> {
    let after = help
        .split_once("Examples:\n")
        .map_or("", |(_, after)| after);
    after
        .lines()
        .map_while(|line| line.strip_prefix("  "))
        .collect()
}

/// Returns a directory with files of the corpus under the names that the examples use.
fn example_files() -> Place {
    let place = Place::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    fs::create_dir(place.path("games")).expect("a directory");
    for entry in fs::read_dir(&corpus).expect("the corpus") {
        let name = entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("UTF-8");
        if name.starts_with("go-") || name.starts_with("stray-") {
            fs::copy(corpus.join(&name), place.path("games").join(&name)).expect("a copy");
        }
    }
    let files = [
        ("game.sgf", "go-ff4.sgf"),
        ("games.sgf", "go-collection.sgf"),
        ("old.sgf", "go-ff3.sgf"),
        ("new.sgf", "go-ff4.sgf"),
        ("archive.zip", "packed/two.zip"),
        ("archive.tar.zst", "packed/two.tar.zst"),
    ];
    for (name, from) in files {
        fs::copy(corpus.join(from), place.path(name)).expect("a copy");
    }
    place
}

/// Returns the size of all files below a directory.
fn bytes(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path());
    entries
        .map(|path| {
            if path.is_dir() {
                bytes(&path)
            } else {
                fs::metadata(&path).map_or(0, |data| data.len())
            }
        })
        .sum()
}

#[test]
fn examples_of_help_run() {
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    let binary = cargo_bin("sgfq");
    let own = binary.parent().expect("a directory").to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([own].into_iter().chain(env::split_paths(&path))).expect("a path");
    let mut faults = Vec::new();
    for command in commands {
        let help = run(&["help", &command], b"").done();
        let place = example_files();
        for example in examples(&help) {
            let before = bytes(place.0.path());
            let mut shell = process::Command::new("sh");
            // `explore` runs until Ctrl-C and opens a browser.
            let served = format!("timeout -s INT 3 {example} --no-open");
            let is_server = command == "explore";
            let output = shell
                .args(["-c", if is_server { &served } else { example }])
                .current_dir(place.0.path())
                .env("PATH", &path)
                .output();
            let output = output.expect("a shell");
            let err = String::from_utf8_lossy(&output.stderr);
            let is_ended = matches!(output.status.code(), Some(0 | 1))
                || (is_server && err.contains("interrupted"));
            let is_fine = is_ended && !err.contains("sgfq: expected");
            let has_answered =
                !output.stdout.is_empty() || !err.is_empty() || bytes(place.0.path()) != before;
            if !is_fine || !has_answered {
                faults.push(format!("{example}: {}: {err}", output.status));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn one_help_for_both_options() {
    let help = run(&["count", "--help"], b"").done();
    assert_eq!(run(&["count", "-h"], b"").done(), help);
    assert_eq!(run(&["help", "count"], b"").done(), help);
    assert_eq!(
        run(&["help", "charset"], b"").done(),
        run(&["charset", "--help"], b"").done()
    );
    assert!(
        help.starts_with("Count games, nodes, moves and bytes\n\nExamples:\n  sgfq count games/\n"),
        "{help}"
    );
    let more = "More options: --files-from, --null, --allow-empty, --all-files (`sgfq help inputs`); --charset,";
    assert!(
        help.contains(more) && !help.contains("--cap-memory <BYTES>"),
        "{help}"
    );
}

#[test]
fn topics_list_the_options_that_they_describe() {
    let page = |topic: &str| run(&["help", topic], b"").done();
    assert!(
        page("inputs").contains("  -0, --null"),
        "{}",
        page("inputs")
    );
    assert!(
        page("charsets").contains("      --framing <FRAMING>"),
        "{}",
        page("charsets")
    );
    assert!(
        page("threads").contains("      --progress"),
        "{}",
        page("threads")
    );
    assert!(
        page("edits").contains("      --short-names"),
        "{}",
        page("edits")
    );
    assert!(
        page("caps").contains("      --cap-bytes <BYTES>"),
        "{}",
        page("caps")
    );
}

#[test]
fn a_misspelt_name_gets_a_suggestion() {
    for (arguments, near) in [
        (&["help", "chek"][..], "; did you mean `check`?"),
        (&["help", "expresions"], "; did you mean `expressions`?"),
        (&["man", "filtr"], "; did you mean `filter`?"),
        (
            &["explain", "malformed-valu"],
            "; did you mean `malformed-value`?",
        ),
        (
            &["check", "--allow", "point-of-board"],
            "; did you mean `point-off-board`?",
        ),
        (&["get", "winer"], "; did you mean `winner`?"),
        (&["freq", "winer"], "; did you mean `winner`?"),
        (
            &["index", "-o", "x.csv", "--columns", "winer"],
            "; did you mean `winner`?",
        ),
        (
            &["filter", "--where", "winer = 'B'"],
            "; did you mean `winner`?",
        ),
        (&["cuont"], "'count'"),
        (&["count", "--jbos", "2"], "'--jobs'"),
        (&["tree", "-f", "json"], "a similar value exists: 'jsonl'"),
        (
            &["dedup", "--by", "symetric"],
            "a similar value exists: 'symmetric'",
        ),
    ] {
        let err = run(arguments, b"").refused();
        assert!(err.contains(near), "{arguments:?}: {err}");
    }
}

#[test]
fn completions_of_each_shell() {
    for (shell, part) in [
        ("bash", "complete -F _sgfq -o"),
        ("zsh", "#compdef sgfq"),
        ("fish", "complete -c sgfq"),
        (
            "powershell",
            "Register-ArgumentCompleter -Native -CommandName 'sgfq'",
        ),
        ("elvish", "edit:completion:arg-completer[sgfq]"),
    ] {
        let script = run(&["completions", shell], b"").done();
        assert!(
            script.contains(part) && script.contains("variations") && script.contains("rejects"),
            "{shell}"
        );
    }
    assert!(
        run(&["completions", "csh"], b"")
            .refused()
            .contains("[possible values: bash, elvish, fish")
    );
}

/// Columns, codes and values of options are completed, also after a comma.
#[cfg(unix)]
#[test]
fn bash_completes_values() {
    let place = Place::new();
    let script = run(&["completions", "bash"], b"").done();
    let file = place.put("sgfq.bash", script);
    for (words, expected) in [
        ("get winn", "winner"),
        ("get pb,winn", "pb,winner"),
        ("freq winn", "winner"),
        ("freq pb,-", ""),
        ("sort pb,winn", "pb,winner"),
        ("index --columns pb,winn", "pb,winner"),
        ("find --columns winn", "winner"),
        ("explain malformed-v", "malformed-value"),
        (
            "check --allow no-game,malformed-v",
            "no-game,malformed-value",
        ),
        ("fix --only malformed-v", "malformed-value"),
        ("dedup --by sym", "symmetric"),
        ("tree -f t", "text"),
    ] {
        let shell = format!(
            "source {file}; COMP_WORDS=(sgfq {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _sgfq_lists sgfq \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        let output = process::Command::new("bash")
            .args(["-c", &shell])
            .output()
            .expect("bash");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            expected,
            "{words}"
        );
    }
    for (command, value) in [
        ("get", "board_width"),
        ("explain", "malformed-value"),
        ("check", "point-off-board"),
    ] {
        let page = run(&["man", command], b"").done().replace('\\', "");
        assert!(page.contains(value), "{command}: {page}");
    }
}

/// If `NO_COLOR` is set, commands write no colors, even on a terminal.
#[cfg(target_os = "linux")]
#[test]
fn no_color_is_obeyed() {
    let place = Place::new();
    let file = place.put("a.sgf", "(;GM[1]FF[4]SZ[9];B[zz])");
    let binary = env!("CARGO_BIN_EXE_sgfq");
    for arguments in [
        &*format!("check {file}"),
        "check --no-such-option",
        "help check",
        "-h",
        &format!("fix {file}"),
    ] {
        let has_color = |value: &str| {
            let command = format!("{binary} {arguments}");
            let mut terminal = process::Command::new("script");
            let terminal = terminal
                .args(["-qec", &command, "/dev/null"])
                .env("NO_COLOR", value)
                .env("TERM", "xterm");
            let output = terminal
                .stdin(process::Stdio::null())
                .output()
                .expect("script of util-linux");
            assert!(!output.stdout.is_empty(), "{arguments}");
            output.stdout.windows(2).any(|bytes| bytes == b"\x1b[")
        };
        assert!(!has_color("1"), "{arguments}");
        // An empty value does not count, see no-color.org.
        assert_eq!(has_color(""), arguments.starts_with("check"), "{arguments}");
    }
}

#[test]
fn manual_pages_have_all_options() {
    let page = run(&["man"], b"").done();
    assert!(
        page.contains(".TH sgfq 1") && page.contains("sgfq\\-check(1)"),
        "{page}"
    );
    let page = run(&["man", "check"], b"").done();
    for part in [
        ".TH sgfq-check 1",
        "\\-\\-legality",
        "\\-\\-cap\\-bytes",
        "\\-\\-files\\-from",
        "sgfq check games/",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn version_says_the_build() {
    let version = run(&["--version"], b"").done();
    assert!(
        version.starts_with(&format!("sgfq {} (", env!("CARGO_PKG_VERSION"))),
        "{version}"
    );
    assert!(
        version.contains("commit ")
            || version.contains("debug build")
            || version.contains("package"),
        "{version}"
    );
    assert_eq!(run(&["-V"], b"").done(), version);
}
