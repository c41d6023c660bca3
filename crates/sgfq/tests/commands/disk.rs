//! An unreadable file among readable ones. On Linux, a process that reads its own memory at address
//! 0 gets EIO.
#![cfg(target_os = "linux")]

use assert_cmd::Command;

#[test]
fn a_file_that_fails_is_named_and_the_others_are_read() {
    let folder = tempfile::TempDir::new().expect("a directory");
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for name in ["a.sgf", "b.sgf"] {
        std::fs::write(file(name), "(;FF[4]GM[1];B[aa])\n(;FF[4]GM[1])\n").expect("disk space");
    }
    for command in [
        &["count", "-f", "json"][..],
        &["get", "game"],
        &["check", "-q"],
        &["cat"],
        &["stats", "-f", "json"],
        &["sort", "game"],
        &["merge"],
        &["find", "--sequence", "aa"],
    ] {
        let has_jobs = !["cat", "sort", "merge"].contains(&command[0]);
        for jobs in ["1", "2"].into_iter().take(1 + usize::from(has_jobs)) {
            let mut arguments: Vec<&str> = command.to_vec();
            if has_jobs {
                arguments.extend(["-j", jobs]);
            }
            let run = |inputs: &[&str]| {
                let inputs = inputs.iter().map(|name| {
                    if name.starts_with('/') {
                        (*name).to_owned()
                    } else {
                        file(name)
                    }
                });
                let output = Command::cargo_bin("sgfq")
                    .expect("built")
                    .args(&arguments)
                    .args(inputs)
                    .output();
                output.expect("it ran")
            };
            let output = run(&["a.sgf", "/proc/self/mem", "b.sgf"]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
            assert!(
                said.contains("/proc/self/mem") && said.contains("input/output error"),
                "{arguments:?}: {said}"
            );
            let others = run(&["a.sgf", "b.sgf"]);
            let text =
                |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\"files\":3", "\"files\":2");
            match command[0] {
                // The unreadable file counts as a file.
                "count" | "stats" => assert!(
                    text(&output.stdout).contains("\"games\":4"),
                    "{}",
                    text(&output.stdout)
                ),
                _ => assert_eq!(text(&output.stdout), text(&others.stdout), "{arguments:?}"),
            }
        }
    }
}
