//! Inputs for tests: our own corpus, and the files below the directory that
//! the environment variable `SGF_CORPUS` names.
#![allow(dead_code, unused_macros)]

use std::fs;
use std::path::{Path, PathBuf};

/// The files of `corpus/`, by name.
pub(crate) fn own_files() -> Vec<(String, Vec<u8>)> {
    files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"), 1)
}

/// Our own files, then every `step`-th of the real ones, one after another.
pub(crate) fn each_file(step: usize, mut each: impl FnMut(&str, &[u8])) {
    for (name, bytes) in own_files() {
        each(&name, &bytes);
    }
    let Some(real) = std::env::var_os("SGF_CORPUS") else {
        println!("real files skipped: SGF_CORPUS names no directory");
        return;
    };
    for path in paths_below(Path::new(&real), step) {
        let bytes = fs::read(&path).expect("a readable file");
        // Archives are read by the tests of archives.
        if !bytes.starts_with(b"\x28\xb5\x2f\xfd") {
            each(&path.to_string_lossy(), &bytes);
        }
    }
}

fn files_below(directory: &Path, step: usize) -> Vec<(String, Vec<u8>)> {
    let named = |path: &PathBuf| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let read = |path: PathBuf| (named(&path), fs::read(&path).expect("a readable file"));
    paths_below(directory, step).into_iter().map(read).collect()
}

fn paths_below(directory: &Path, step: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found.into_iter().step_by(step.max(1)).collect()
}
