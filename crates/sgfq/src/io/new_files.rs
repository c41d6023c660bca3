//! New files in a directory, with unique names that every file system accepts.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::file_name::safe_name;
use super::relative_names::RelativeNames;
use super::whole_file::{WholeFile, directory_of};
use crate::report::counted;

/// Maximum number of names stored, at 16 bytes each.
const NAMES: usize = 4_000_000;

/// Maximum bytes of a name without its extension. With a number and an extension, it fits in the
/// 255 bytes of file systems.
const NAME: usize = 200;

/// Directory for new files with games or results. No two names differ only in case.
pub(crate) struct NewFiles {
    directory: PathBuf,
    /// Directory with links resolved.
    real: PathBuf,
    extension: &'static str,
    /// Whether existing files are replaced, or `None` for a command without this option.
    force: Option<bool>,
    /// Hashes of the names in lowercase without numbers, each with the number of files of that
    /// name.
    names: HashMap<u64, u32>,
    /// File being written.
    open: Option<WholeFile>,
    /// Entry of the current file, if the file belongs to one.
    entry: String,
    /// Number of files so far.
    pub(crate) count: u64,
}

impl NewFiles {
    /// Creates the directory if it does not exist. `force` is the option that replaces files, for a
    /// command that has it.
    pub(crate) fn create(directory: &Path, force: Option<bool>) -> anyhow::Result<Self> {
        let shown = || directory.display().to_string();
        let is_other = directory.exists() && !directory.is_dir();
        anyhow::ensure!(!is_other, "{}: is a file, not a directory", shown());
        fs::create_dir_all(directory).with_context(shown)?;
        let real = fs::canonicalize(directory).with_context(shown)?;
        let (directory, names) = (directory.to_owned(), HashMap::new());
        Ok(Self {
            directory,
            real,
            extension: "sgf",
            force,
            names,
            open: None,
            entry: String::new(),
            count: 0,
        })
    }

    /// Sets the extension of the files.
    pub(crate) fn with_extension(self, extension: &'static str) -> Self {
        Self { extension, ..self }
    }

    /// Returns the file of an entry, named after it. Consecutive games of one entry share a file.
    pub(crate) fn of(
        &mut self,
        entry: &str,
        names: &RelativeNames,
    ) -> anyhow::Result<&mut WholeFile> {
        if self.open.is_none() || self.entry != entry {
            self.next(&names.of(entry))?;
            entry.clone_into(&mut self.entry);
        }
        Ok(self.open.as_mut().expect("opened above"))
    }

    /// Creates the next file at the path that [`free_path`](Self::free_path) returns.
    pub(crate) fn next(&mut self, name: &str) -> anyhow::Result<&mut WholeFile> {
        self.close()?;
        let path = self.free_path(name)?;
        fs::create_dir_all(directory_of(&path)).with_context(|| path.display().to_string())?;
        self.count += 1;
        Ok(self.open.insert(WholeFile::create(&path)?))
    }

    /// Returns the file that [`next`](Self::next) created last.
    pub(crate) fn last(&mut self) -> &mut WholeFile {
        self.open.as_mut().expect("`next` was called")
    }

    /// Returns a path that no other file of this run has. Makes the parts of `name` between `/`
    /// safe, and adds a number if the name is taken.
    pub(crate) fn free_path(&mut self, name: &str) -> anyhow::Result<PathBuf> {
        let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
        let parts: Vec<String> = parts.map(|part| safe_name(part, NAME)).collect();
        let plain = if parts.is_empty() {
            "_".to_owned()
        } else {
            parts.join("/")
        };
        let mut number = self
            .names
            .get(&hash_of(&plain))
            .map_or(1, |number| number + 1);
        let mut free = plain.clone();
        while number > 1 {
            free = format!("{plain}-{number}");
            // The numbered name may also be taken.
            if self.names.insert(hash_of(&free), 1).is_none() {
                break;
            }
            number += 1;
        }
        self.names.insert(hash_of(&plain), number);
        anyhow::ensure!(
            self.names.len() <= NAMES,
            "more than {NAMES} files would be written"
        );
        let path = self.directory.join(format!("{free}.{}", self.extension));
        let is_free = self.force == Some(true) || path.symlink_metadata().is_err();
        let hint = if self.force.is_some() {
            "; `--force` replaces it"
        } else {
            ""
        };
        anyhow::ensure!(is_free, "{}: the file exists already{hint}", path.display());
        Ok(path)
    }

    /// Returns an error if another output is in the directory, because it could replace one of
    /// these files.
    pub(crate) fn refuse(&self, other: &Path) -> anyhow::Result<()> {
        let is_inside = fs::canonicalize(directory_of(other))
            .is_ok_and(|parent| parent.starts_with(&self.real));
        let (other, directory) = (other.display(), self.directory.display());
        anyhow::ensure!(
            !is_inside,
            "{other}: the file is in {directory}, where the games go; choose another directory"
        );
        Ok(())
    }

    /// Returns whether this run wrote the file. A directory that is read late may contain outputs
    /// of the run.
    pub(crate) fn has_written(&self, source: &Path) -> bool {
        let parent = fs::canonicalize(directory_of(source)).ok();
        let file =
            parent.and_then(|parent| Some(parent.join(source.file_name()?).with_extension("")));
        let name = file
            .as_deref()
            .and_then(|file| file.strip_prefix(&self.real).ok()?.to_str());
        name.is_some_and(|name| self.names.contains_key(&hash_of(name)))
    }

    fn close(&mut self) -> anyhow::Result<()> {
        match self.open.take() {
            Some(file) if self.force == Some(true) => file.finish(),
            Some(file) => file.finish_new(false),
            None => Ok(()),
        }
    }

    /// Gives the last file its name and writes the number of files to `out`.
    pub(crate) fn finish(mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.close()?;
        Ok(writeln!(out, "{}", counted(self.count, "file"))?)
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
            path.strip_prefix(place.path())
                .expect("inside")
                .to_string_lossy()
                .into_owned()
        });
        let names = [
            "x", "X-2", "x-2-2", "x-3", "x-4", "a/_/b", "a/B", "_", "_-2",
        ];
        assert_eq!(given, names.map(|name| format!("{name}.sgf")));
    }
}
