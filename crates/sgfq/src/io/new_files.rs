//! New files in a directory: names that every file system accepts, each of them once.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::file_name::safe_name;
use super::relative_names::RelativeNames;
use super::whole_file::{WholeFile, directory_of};

/// Names that are remembered, at 16 bytes each.
const NAMES: usize = 4_000_000;

/// Bytes of a name without its extension: enough for a number and an extension in the 255 that file systems take.
const NAME: usize = 200;

/// A directory that gets new files, of games or of what is made of them. No two names differ in case only.
pub(crate) struct NewFiles {
    directory: PathBuf,
    /// The directory, links resolved.
    real: PathBuf,
    extension: &'static str,
    /// Whether files that are there are replaced; none for a command that cannot.
    force: Option<bool>,
    /// Hashes of the names in lower case, without numbers, and how many files had the name.
    names: HashMap<u64, u32>,
    /// The file that is written.
    open: Option<WholeFile>,
    /// The entry that it is for, if it is for one.
    entry: String,
    /// Files so far.
    pub(crate) count: u64,
}

impl NewFiles {
    /// Creates the directory, if there is none. `force` is the option that replaces files, for a command that has it.
    pub(crate) fn create(directory: &Path, force: Option<bool>) -> anyhow::Result<Self> {
        let shown = || directory.display().to_string();
        let is_other = directory.exists() && !directory.is_dir();
        anyhow::ensure!(!is_other, "{}: is a file, not a directory", shown());
        fs::create_dir_all(directory).with_context(shown)?;
        let real = fs::canonicalize(directory).with_context(shown)?;
        let (directory, names) = (directory.to_owned(), HashMap::new());
        Ok(Self { directory, real, extension: "sgf", force, names, open: None, entry: String::new(), count: 0 })
    }

    /// Files with this extension.
    pub(crate) fn with_extension(self, extension: &'static str) -> Self {
        Self { extension, ..self }
    }

    /// The file of an entry, named after it: that of the game before, if it was in the same entry.
    pub(crate) fn of(&mut self, entry: &str, names: &RelativeNames) -> anyhow::Result<&mut WholeFile> {
        if self.open.is_none() || self.entry != entry {
            self.next(&names.of(entry))?;
            entry.clone_into(&mut self.entry);
        }
        Ok(self.open.as_mut().expect("opened above"))
    }

    /// A new file, with a path as [`free_path`](Self::free_path) gives it.
    pub(crate) fn next(&mut self, name: &str) -> anyhow::Result<&mut WholeFile> {
        self.close()?;
        let path = self.free_path(name)?;
        fs::create_dir_all(directory_of(&path)).with_context(|| path.display().to_string())?;
        self.count += 1;
        Ok(self.open.insert(WholeFile::create(&path)?))
    }

    /// The file that [`next`](Self::next) has made last.
    pub(crate) fn last(&mut self) -> &mut WholeFile {
        self.open.as_mut().expect("`next` was called")
    }

    /// A path that no file of this run has. The parts of `name` between `/` are made safe; where another file has that name, a
    /// number follows.
    pub(crate) fn free_path(&mut self, name: &str) -> anyhow::Result<PathBuf> {
        let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
        let parts: Vec<String> = parts.map(|part| safe_name(part, NAME)).collect();
        let plain = if parts.is_empty() { "_".to_owned() } else { parts.join("/") };
        let mut number = self.names.get(&hash_of(&plain)).map_or(1, |number| number + 1);
        let mut free = plain.clone();
        while number > 1 {
            free = format!("{plain}-{number}");
            // It may be the name of another file.
            if self.names.insert(hash_of(&free), 1).is_none() {
                break;
            }
            number += 1;
        }
        self.names.insert(hash_of(&plain), number);
        anyhow::ensure!(self.names.len() <= NAMES, "more than {NAMES} files would be written");
        let path = self.directory.join(format!("{free}.{}", self.extension));
        let is_free = self.force == Some(true) || path.symlink_metadata().is_err();
        let hint = if self.force.is_some() { "; `--force` replaces it" } else { "" };
        anyhow::ensure!(is_free, "{}: the file exists already{hint}", path.display());
        Ok(path)
    }

    /// Fails if another output is in the directory: it could replace one of these files.
    pub(crate) fn refuse(&self, other: &Path) -> anyhow::Result<()> {
        let is_inside = fs::canonicalize(directory_of(other)).is_ok_and(|parent| parent.starts_with(&self.real));
        let (other, directory) = (other.display(), self.directory.display());
        anyhow::ensure!(
            !is_inside,
            "{other}: the file is in {directory}, where the games go; choose another directory"
        );
        Ok(())
    }

    /// True if this run has written the file: a directory that is read late may hold its outputs.
    pub(crate) fn has_written(&self, source: &Path) -> bool {
        let parent = fs::canonicalize(directory_of(source)).ok();
        let file = parent.and_then(|parent| Some(parent.join(source.file_name()?).with_extension("")));
        let name = file.as_deref().and_then(|file| file.strip_prefix(&self.real).ok()?.to_str());
        name.is_some_and(|name| self.names.contains_key(&hash_of(name)))
    }

    fn close(&mut self) -> anyhow::Result<()> {
        match self.open.take() {
            Some(file) if self.force == Some(true) => file.finish(),
            Some(file) => file.finish_new(false),
            None => Ok(()),
        }
    }

    /// Gives the last file its name, and writes to `out` how many there are.
    pub(crate) fn finish(mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.close()?;
        let files = self.count;
        Ok(writeln!(out, "{files} file{}", if files == 1 { "" } else { "s" })?)
    }
}

fn hash_of(name: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(name.to_lowercase().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let place = tempfile::TempDir::new().expect("a directory");
        let mut files = NewFiles::create(place.path(), None).expect("a directory");
        let given = ["x", "X", "x-2", "x-3", "x", "a/../b", "a//./B", "", "/"].map(|name| {
            let path = files.free_path(name).expect("a path");
            path.strip_prefix(place.path()).expect("inside").to_string_lossy().into_owned()
        });
        let names = ["x", "X-2", "x-2-2", "x-3", "x-4", "a/_/b", "a/B", "_", "_-2"];
        assert_eq!(given, names.map(|name| format!("{name}.sgf")));
    }
}
