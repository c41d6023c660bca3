//! Files that a command writes: beside their final name, and renamed when they
//! are whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::output::Output;
use super::temporary::Temporary;

/// Where the output goes.
#[derive(Clone, Debug, Args)]
pub(super) struct Destination {
    /// Write to FILE; it is replaced only when the output is complete.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Destination {
    /// Runs `write` with the destination: the file, or `out`.
    pub(super) fn with<T>(
        &self,
        out: &mut Output,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        match &self.file {
            None => write(out),
            Some(path) if path == Path::new("-") => write(out),
            Some(path) => {
                let mut file = WholeFile::create(path)?;
                let result = write(&mut file)?;
                file.finish()?;
                Ok(result)
            }
        }
    }

    /// True if the output goes to stdout.
    pub(super) fn is_stdout(&self) -> bool {
        self.file.as_deref().is_none_or(|path| path == Path::new("-"))
    }
}

/// A file that gets its name when it is complete. If it is dropped before that, it is removed.
pub(super) struct WholeFile {
    inner: Inner,
    path: PathBuf,
}

enum Inner {
    Beside(BufWriter<File>, Temporary),
    /// A device, a pipe: nothing that could be replaced.
    Direct(BufWriter<File>),
}

/// Bytes before a write.
const BUFFER: usize = 64 << 10;

impl WholeFile {
    /// A file that will be `path`. A link stays a link; what it names is
    /// replaced.
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let shown = || path.display().to_string();
        if let Ok(metadata) = fs::metadata(path)
            && !metadata.is_file()
        {
            let file = File::options().write(true).open(path).with_context(shown)?;
            return Ok(Self { inner: Inner::Direct(BufWriter::with_capacity(BUFFER, file)), path: path.to_owned() });
        }
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (file, temporary) = Temporary::create(directory).with_context(shown)?;
        if let Ok(metadata) = fs::metadata(&path) {
            // A replaced file keeps who may read it.
            fs::set_permissions(temporary.path(), metadata.permissions()).with_context(shown)?;
        }
        Ok(Self { inner: Inner::Beside(BufWriter::with_capacity(BUFFER, file), temporary), path })
    }

    /// Gives it its name.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        let shown = || self.path.display().to_string();
        match self.inner {
            Inner::Direct(mut file) => file.flush().with_context(shown),
            Inner::Beside(file, temporary) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error).with_context(shown)?;
                file.sync_data().with_context(shown)?;
                temporary.persist(&self.path, true).with_context(shown)
            }
        }
    }

    /// Gives it its name, unless there is a file of that name.
    pub(super) fn finish_new(self) -> anyhow::Result<()> {
        let shown = || self.path.display().to_string();
        match self.inner {
            Inner::Direct(mut file) => file.flush().with_context(shown),
            Inner::Beside(mut file, temporary) => {
                file.flush().with_context(shown)?;
                temporary.persist(&self.path, false).with_context(shown)
            }
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match &mut self.inner {
            Inner::Beside(file, _) => file.write(buf),
            Inner::Direct(file) => file.write(buf),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.inner {
            Inner::Beside(file, _) => file.flush(),
            Inner::Direct(file) => file.flush(),
        }
    }
}
