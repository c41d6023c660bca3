//! Output file that gets its name only when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use sgfstream_archive::error_text;

use super::temporary::Temporary;

/// Returns the directory of a file.
pub(crate) fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Output file that gets its name when it is complete. If it is dropped earlier, it is removed.
pub(crate) struct WholeFile {
    inner: Inner,
    path: PathBuf,
}

enum Inner {
    Beside(BufWriter<File>, Temporary),
    /// Device or pipe, which cannot be replaced.
    Direct(BufWriter<File>),
}

/// Bytes buffered before a write.
pub(crate) const BUFFER: usize = 64 << 10;

impl WholeFile {
    /// Creates a file that will be renamed to `path`. If `path` is a link, its target is replaced
    /// and the link stays.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        anyhow::ensure!(
            path != Path::new("-"),
            "expected a file name, found `-`; write `./-` for a file of this name"
        );
        let shown = || path.display().to_string();
        if let Ok(metadata) = fs::metadata(path)
            && !metadata.is_file()
        {
            let file = File::options().write(true).open(path).with_context(shown)?;
            return Ok(Self {
                inner: Inner::Direct(BufWriter::with_capacity(BUFFER, file)),
                path: path.to_owned(),
            });
        }
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let directory = directory_of(&path);
        anyhow::ensure!(
            directory.exists(),
            "{}: no such directory: {}",
            shown(),
            directory.display()
        );
        let (file, temporary) = Temporary::named(directory, &path).with_context(shown)?;
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Self {
            inner: Inner::Beside(file, temporary),
            path,
        })
    }

    /// Syncs the file to disk and gives it its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        self.persist(true, true)
    }

    /// Gives the file its name, but returns an error if that file exists. With `is_synced`, syncs
    /// it to disk first.
    pub(crate) fn finish_new(self, is_synced: bool) -> anyhow::Result<()> {
        self.persist(is_synced, false)
    }

    /// Returns whether two files have equal contents.
    pub(crate) fn is_same_as(&mut self, other: &Path) -> anyhow::Result<bool> {
        self.flush()?;
        let Inner::Beside(_, temporary) = &self.inner else {
            return Ok(false);
        };
        let is_same = || -> io::Result<bool> {
            let [mut own, mut other] = [File::open(temporary.path())?, File::open(other)?];
            if own.metadata()?.len() != other.metadata()?.len() {
                return Ok(false);
            }
            let mut blocks = [vec![0; BUFFER], vec![0; BUFFER]];
            loop {
                let len = own.read(&mut blocks[0])?;
                if len == 0 {
                    return Ok(true);
                }
                other.read_exact(&mut blocks[1][..len])?;
                if blocks[0][..len] != blocks[1][..len] {
                    return Ok(false);
                }
            }
        };
        is_same().with_context(|| self.path.display().to_string())
    }

    fn persist(self, is_synced: bool, replaces: bool) -> anyhow::Result<()> {
        let shown = || self.path.display().to_string();
        match self.inner {
            Inner::Direct(mut file) => Ok(file.flush().map_err(|err| named(&self.path, &err))?),
            Inner::Beside(file, temporary) => {
                let file = file
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)
                    .with_context(shown)?;
                if is_synced {
                    file.sync_data().with_context(shown)?;
                }
                temporary.persist(replaces).with_context(shown)
            }
        }
    }

    /// Gives the file the access of another one. Same as [`Temporary::copy_access`].
    pub(crate) fn copy_access(&self, old: &Path) -> anyhow::Result<()> {
        let Inner::Beside(_, temporary) = &self.inner else {
            return Ok(());
        };
        temporary
            .copy_access(old)
            .with_context(|| self.path.display().to_string())
    }
}

impl WholeFile {
    fn buffer(&mut self) -> &mut BufWriter<File> {
        let (Inner::Beside(file, _) | Inner::Direct(file)) = &mut self.inner;
        file
    }
}

/// Adds the name of the file to an error. The error of a named pipe is not the error of stdout, so
/// a reader that closes it early is an error, too.
#[cold]
fn named(path: &Path, err: &io::Error) -> io::Error {
    io::Error::other(format!("{}: {}", path.display(), error_text(err)))
}

impl Write for WholeFile {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.buffer()
            .write(buf)
            .map_err(|err| named(&self.path, &err))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer().flush().map_err(|err| named(&self.path, &err))
    }
}
