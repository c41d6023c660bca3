//! Files that have no final name yet. They are in a directory beside their final name, `.sgfq-…`, which has a lock. It
//! goes when they have their names or are dropped, and when a signal ends the process. A process that is killed leaves
//! it; the next one that writes there finds that the lock is free, and removes it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

use super::lock;

/// Start of the names of the directories. A walk through inputs passes over them.
pub(crate) const PREFIX: &str = ".sgfq-";

/// The file that is locked in each of them.
const LOCK: &str = "lock";

/// Unfinished files, should the process end now.
struct Files {
    /// By the directory that they are in.
    workspaces: BTreeMap<PathBuf, Workspace>,
    /// The directory of the last file. Its workspace stays for the next file.
    last: PathBuf,
    /// Files so far.
    number: u64,
    finished: u64,
}

/// A directory of unfinished files.
struct Workspace {
    path: PathBuf,
    _lock: Option<File>,
    files: u64,
}

/// The files of this process. They are static for the thread that obeys signals, which removes them when the process ends.
static FILES: Mutex<Files> =
    Mutex::new(Files { workspaces: BTreeMap::new(), last: PathBuf::new(), number: 0, finished: 0 });

/// Held while a file appears or gets its name, so that none is missed.
fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a file that is not whole.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
    directory: PathBuf,
}

impl Temporary {
    /// A new file that will get its name in `directory`, open for writing.
    pub(crate) fn create(directory: &Path) -> io::Result<(File, Self)> {
        let directory = fs::canonicalize(directory)?;
        let mut files = files();
        if files.last != directory {
            files.last.clone_from(&directory);
            files.remove_unused(false);
        }
        files.number += 1;
        let number = files.number;
        if !files.workspaces.contains_key(&directory) {
            remove_abandoned(&directory);
            files.workspaces.insert(directory.clone(), Workspace::create(&directory)?);
        }
        let workspace = files.workspaces.get_mut(&directory).expect("created above");
        let path = workspace.path.join(number.to_string());
        let file = File::options().write(true).create_new(true).open(&path)?;
        workspace.files += 1;
        Ok((file, Self { path, directory }))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name; `replaces` a file of that name, or fails.
    pub(crate) fn persist(self, name: &Path, replaces: bool) -> io::Result<()> {
        let mut files = files();
        let result = match replaces {
            true => fs::rename(&self.path, name),
            false => TempPath::try_from_path(&self.path)?.persist_noclobber(name).map_err(|err| err.error),
        };
        files.finished += u64::from(result.is_ok());
        // Before `self` is dropped, which locks them, too.
        drop(files);
        result
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut files = files();
        // It is not there if it has its name.
        _ = fs::remove_file(&self.path);
        if let Some(workspace) = files.workspaces.get_mut(&self.directory) {
            workspace.files -= 1;
            files.remove_unused(false);
        }
    }
}

impl Files {
    /// Removes the directories without files, but that of the last file only if `all` go.
    fn remove_unused(&mut self, all: bool) {
        let Self { workspaces, last, .. } = self;
        workspaces.retain(|directory, workspace| {
            let is_used = workspace.files > 0 || (!all && directory == last);
            if !is_used {
                remove(&workspace.path);
            }
            is_used
        });
    }
}

impl Workspace {
    fn create(directory: &Path) -> io::Result<Self> {
        let random = std::hash::RandomState::new();
        for number in 0.. {
            let path = directory.join(format!("{PREFIX}{:08x}", random.hash_one(number) as u32));
            match fs::create_dir(&path) {
                Ok(()) => {}
                Err(err) if err.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(err) => return Err(err),
            }
            match lock::lock(&path.join(LOCK)) {
                Ok(Some(lock)) => return Ok(Self { path, _lock: Some(lock), files: 0 }),
                // Another process took it for one of a process that was killed.
                Ok(None) => {}
                Err(err) if err.kind() == io::ErrorKind::NotFound => {}
                Err(err) => {
                    _ = fs::remove_dir_all(&path);
                    return Err(err);
                }
            }
        }
        unreachable!("numbers do not end")
    }
}

/// Removes a directory of unfinished files, its lock after all others: if this process is killed in between, the next one
/// still knows by the lock that the directory was abandoned.
fn remove(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten().filter(|entry| entry.file_name() != LOCK) {
        _ = fs::remove_file(entry.path());
    }
    _ = fs::remove_dir_all(directory);
}

/// Removes what processes left in `directory` that were killed.
fn remove_abandoned(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            let path = entry.path();
            match lock::is_free(&path.join(LOCK)) {
                Ok(true) => remove(&path),
                // Killed before it had a lock. A directory with files stays.
                Err(err) if err.kind() == io::ErrorKind::NotFound => _ = fs::remove_dir(path),
                _ => {}
            }
        }
    }
}

/// Removes the directories of unfinished files, for a process that ends.
pub(crate) fn close() {
    files().remove_unused(true);
}

/// Removes unfinished files and returns a sentence about the finished ones, for
/// a process that is about to end. No file appears or gets a name after this.
pub(crate) fn abandon() -> String {
    let files = files();
    let begun: u64 = files.workspaces.values().map(|workspace| workspace.files).sum();
    for workspace in files.workspaces.values() {
        remove(&workspace.path);
    }
    let finished = files.finished;
    // Never unlocked: whoever waits for it waits for the end.
    std::mem::forget(files);
    let count = |count: u64, what| format!("{count} file{} {what}", if count == 1 { " is" } else { "s are" });
    match (begun, finished) {
        (0, 0) => String::new(),
        (_, 0) => "; no file was finished".to_owned(),
        (_, finished) => format!("; {}", count(finished, "finished and kept")),
    }
}
