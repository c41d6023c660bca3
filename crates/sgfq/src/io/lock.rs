//! Files that say that a process is at work in a directory. The system releases the lock when the process ends,
//! however it ends.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// Locks the file at `path`, which is created if it does not exist. None if another process holds the lock.
pub(crate) fn lock(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        if !try_lock(&file)? {
            return Ok(None);
        }
        // The lock of a file that another process has removed in between excludes no one.
        if is_at(&file, path) {
            return Ok(Some(file));
        }
    }
}

/// False if another process holds the lock.
fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // A file system without locks: there, two processes are not kept apart.
        Err(TryLockError::Error(err)) if err.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(err)) => Err(err),
    }
}

/// True if the process that locked the file at `path` has ended. Not where that cannot be known.
pub(crate) fn is_free(path: &Path) -> io::Result<bool> {
    let file = File::options().write(true).open(path)?;
    Ok(file.try_lock().is_ok() && is_at(&file, path))
}

/// True if `file` is still the file at `path`.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let node = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
        file.metadata().ok().map(node) == std::fs::metadata(path).ok().map(node)
    }
    #[cfg(not(unix))]
    {
        _ = file;
        path.exists()
    }
}
