//! Passes the commit of the build to the command, for `sgfq --version`.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let source = if variable("PROFILE") == "debug" {
        // Debug builds do not ask git, because each commit would rebuild the command.
        "debug build".to_owned()
    } else {
        packaged()
            .or_else(checked_out)
            .unwrap_or_else(|| "built from a package".to_owned())
    };
    let (version, target) = (variable("CARGO_PKG_VERSION"), variable("TARGET"));
    println!("cargo::rustc-env=SGFQ_VERSION={version} ({source}, {target})");
}

/// Returns the commit that `cargo package` recorded.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    // Only printed if the file exists, because Cargo treats a missing file as changed and would
    // rebuild each time.
    println!("cargo::rerun-if-changed=.cargo_vcs_info.json");
    let commit = text.split_once("\"sha1\"")?.1.split('"').nth(1)?;
    Some(format!(
        "built from a package, commit {}",
        commit.get(..10)?
    ))
}

/// Returns the commit of the working tree if this file is tracked there. Sources unpacked inside
/// another repository are not tracked.
fn checked_out() -> Option<String> {
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["log", "-1", "--format=%h, %cs", "--abbrev=10"])?;
    let is_changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Some(format!(
        "commit {commit}{}",
        if is_changed { ", with changes" } else { "" }
    ))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
