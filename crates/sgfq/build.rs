//! Tells the command which commit it is built from, for `sgfq --version`.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let source = if variable("PROFILE") == "debug" {
        // Not asked for, so that a commit does not make each developer build anew.
        "debug build".to_owned()
    } else {
        packaged().or_else(checked_out).unwrap_or_else(|| "built from a package".to_owned())
    };
    let (version, target) = (variable("CARGO_PKG_VERSION"), variable("TARGET"));
    println!("cargo::rustc-env=SGFQ_VERSION={version} ({source}, {target})");
}

/// The commit that `cargo package` wrote down.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    // Not where there is none: Cargo takes a file that is missing as one that has changed, and builds the command anew.
    println!("cargo::rerun-if-changed=.cargo_vcs_info.json");
    let commit = text.split_once("\"sha1\"")?.1.split('"').nth(1)?;
    Some(format!("built from a package, commit {}", commit.get(..10)?))
}

/// The commit of the working tree, if this file is part of it: sources that were unpacked inside another repository
/// are not.
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
    Some(format!("commit {commit}{}", if is_changed { ", with changes" } else { "" }))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
