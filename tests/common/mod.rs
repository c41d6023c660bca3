//! Inputs for tests: our own corpus, and the files below the directory that
//! the environment variable `SGF_CORPUS` names.
#![allow(dead_code, unused_macros)]

pub(crate) mod conformance;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sgfstream_archive::{Input, ReadOptions, visit};

/// Returns the files of `corpus/` by name, without the JSON of `corpus/conformance`.
pub(crate) fn own_files() -> Vec<(String, Vec<u8>)> {
    let mut files = files_below(&root().join("corpus"), 1);
    files.retain(|(name, _)| !name.ends_with(".jsonl") && !name.ends_with(".py"));
    files
}

/// Returns whether `SGF_LONG` is set. Tests that take minutes then try all of their cases.
pub(crate) fn is_long() -> bool {
    std::env::var_os("SGF_LONG").is_some()
}

/// Returns the root of the workspace.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .ancestors()
        .find(|folder| folder.join("Cargo.lock").is_file())
        .expect("a workspace")
}

/// Calls back for each file of `corpus/`, then for every `step`-th real file, or
/// every n-th if `SGF_CORPUS_STEP` is n.
pub(crate) fn each_file(step: usize, mut each: impl FnMut(&str, &[u8])) {
    for (name, bytes) in own_files() {
        each(&name, &bytes);
    }
    let Some(real) = std::env::var_os("SGF_CORPUS") else {
        println!("real files skipped: SGF_CORPUS names no directory");
        return;
    };
    let asked = std::env::var("SGF_CORPUS_STEP")
        .ok()
        .and_then(|step| step.parse().ok());
    let step = asked.unwrap_or(step);
    let mut number = 0;
    visit(
        &[Input::path(Path::new(&real))],
        &ReadOptions::default(),
        |item| {
            if let Ok(entry) = item {
                number += 1;
                if number % step.max(1) == 0 {
                    let mut bytes = Vec::new();
                    entry.read.read_to_end(&mut bytes).expect("a readable file");
                    each(&entry.name.to_string(), &bytes);
                }
            }
            ControlFlow::Continue(())
        },
    );
}

fn files_below(directory: &Path, step: usize) -> Vec<(String, Vec<u8>)> {
    let named = |path: &PathBuf| {
        path.file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    let read = |path: PathBuf| (named(&path), fs::read(&path).expect("a readable file"));
    paths_below(directory, step).into_iter().map(read).collect()
}

pub(crate) fn paths_below(directory: &Path, step: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path)
            } else {
                found.push(path)
            }
        }
    }
    found.sort();
    found.into_iter().step_by(step.max(1)).collect()
}
