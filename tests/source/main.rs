//! Rules of the source that a compiler does not check: which folder may use
//! which (`layers`), which facts may be cited (`citations`), the names of
//! public types (`types`), and the names and lengths of files (`text`).

mod citations;
mod layers;
mod text;
mod types;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files below `directory`, sorted, without the files of builds and tools.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let is_ours = !matches!(
                name.as_str(),
                ".git" | "target" | "dist" | "artifacts" | "mutants.out" | "node_modules"
            );
            match path.is_dir() {
                true if is_ours => open.push(path),
                false if is_ours => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Returns the path of a file from the root, with `/` on every system.
fn name_of(path: &Path) -> String {
    path.strip_prefix(root())
        .expect("below the root")
        .to_string_lossy()
        .replace('\\', "/")
}

/// Returns the names and texts of the Rust files below a folder, if it exists.
fn rust_files(folder: &str) -> Vec<(String, String)> {
    let folder = root().join(folder);
    let all = if folder.is_dir() {
        files(&folder)
    } else {
        Vec::new()
    };
    let of_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let named = |path: PathBuf| (name_of(&path), fs::read_to_string(path).expect("UTF-8"));
    all.into_iter().filter(of_rust).map(named).collect()
}
