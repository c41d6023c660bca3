//! Files that a command writes: beside their final name, and renamed when they
//! are whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::args::input::Inputs;
use crate::io::output::Output;
use crate::io::temporary::Temporary;

/// Where the output goes.
#[derive(Clone, Debug, Args)]
pub(crate) struct Destination {
    /// Write to FILE; it is replaced only when the output is complete.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Destination {
    /// Runs `write` with the destination: the file, or `out`. The file must not be one of `inputs`.
    pub(crate) fn with<T>(
        &self,
        inputs: &Inputs,
        out: &mut Output,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        self.with_rejects(None, inputs, out, |out, _| write(out))
    }

    /// The same, with a second file for what is not chosen.
    pub(crate) fn with_rejects<T>(
        &self,
        rejects: Option<&Path>,
        inputs: &Inputs,
        out: &mut Output,
        write: impl FnOnce(&mut dyn Write, Option<&mut WholeFile>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let path = self.file.as_deref().filter(|path| *path != Path::new("-"));
        let outputs: Vec<&Path> = path.into_iter().chain(rejects).collect();
        refuse_overlap(inputs, &outputs)?;
        let mut rejects = rejects.map(WholeFile::create).transpose()?;
        let mut file = path.map(WholeFile::create).transpose()?;
        let result = match &mut file {
            None => write(out, rejects.as_mut())?,
            Some(file) => write(file, rejects.as_mut())?,
        };
        file.into_iter().chain(rejects).try_for_each(WholeFile::finish)?;
        Ok(result)
    }

    /// True if the output goes to stdout.
    pub(crate) fn is_stdout(&self) -> bool {
        self.file.as_deref().is_none_or(|path| path == Path::new("-"))
    }
}

/// What a file is, whatever it is called: two names with the same identity are links to one file.
#[derive(PartialEq, Eq)]
enum Identity {
    #[cfg(unix)]
    Node(u64, u64),
    Path(PathBuf),
}

impl Identity {
    /// The identity of the file at `path`, or of the file that would be created there. A device or a pipe has none:
    /// nothing in it is replaced.
    fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => None,
            #[cfg(unix)]
            Ok(metadata) => {
                use std::os::unix::fs::MetadataExt;
                Some(Self::Node(metadata.dev(), metadata.ino()))
            }
            #[cfg(not(unix))]
            Ok(_) => fs::canonicalize(path).ok().map(Self::Path),
            Err(_) => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
                Some(Self::Path(fs::canonicalize(parent).ok()?.join(path.file_name()?)))
            }
        }
    }
}

/// Fails if one of `outputs` is an input, or the same file as another of them. Links are followed. To be called
/// before anything is opened or created.
pub(crate) fn refuse_overlap(inputs: &Inputs, outputs: &[&Path]) -> anyhow::Result<()> {
    let mut known: Vec<(&Path, Identity)> = Vec::new();
    for &output in outputs {
        let Some(identity) = Identity::of(output) else { continue };
        if let Some((other, _)) = known.iter().find(|(_, other)| *other == identity) {
            let (output, other) = (output.display(), other.display());
            anyhow::bail!("{output}: expected a file that is not another output, found the output {other}");
        }
        known.push((output, identity));
    }
    // What does not exist is no input; then the inputs need not be listed.
    known.retain(|(output, _)| output.is_file());
    if known.is_empty() {
        return Ok(());
    }
    for input in inputs.files()? {
        let Some(identity) = Identity::of(&input) else { continue };
        if let Some((output, _)) = known.iter().find(|(_, output)| *output == identity) {
            let (output, input) = (output.display(), input.display());
            anyhow::bail!("{output}: expected an output that is not an input, found the input {input}");
        }
    }
    Ok(())
}

/// A file that gets its name when it is complete. If it is dropped before that, it is removed.
pub(crate) struct WholeFile {
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
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
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
    pub(crate) fn finish(self) -> anyhow::Result<()> {
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
    pub(crate) fn finish_new(self) -> anyhow::Result<()> {
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

impl WholeFile {
    fn buffer(&mut self) -> &mut BufWriter<File> {
        let (Inner::Beside(file, _) | Inner::Direct(file)) = &mut self.inner;
        file
    }

    /// An error with the name of the file.
    #[cold]
    fn named(&self, err: io::Error) -> io::Error {
        io::Error::new(err.kind(), format!("{}: {err}", self.path.display()))
    }
}

impl Write for WholeFile {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.buffer().write(buf).map_err(|err| self.named(err))
    }

    fn write_all(&mut self, buf: &[u8]) -> io::Result<()> {
        self.buffer().write_all(buf).map_err(|err| self.named(err))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer().flush().map_err(|err| self.named(err))
    }
}
