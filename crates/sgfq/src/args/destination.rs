//! Output files. They get their names only when they are complete.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::args::input::Inputs;
use crate::io::output::{Output, Stdout};
use crate::io::whole_file::{BUFFER, WholeFile, directory_of};
use crate::report::format::Format;

/// Where the output goes.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Destination {
    /// Write to FILE, replacing it only on success; compress if named .gz.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Destination {
    /// Creates a destination from the value of another option.
    pub(crate) fn of(file: &Path) -> Self {
        Self {
            file: Some(file.to_owned()),
        }
    }

    /// Returns the output file, or `None` for stdout.
    fn path(&self) -> Option<&Path> {
        self.file.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Returns an error if the file is one of `inputs` or equal to `other`.
    pub(crate) fn refuse<'p>(
        &'p self,
        inputs: &Inputs,
        other: Option<&'p Path>,
    ) -> anyhow::Result<()> {
        refuse_overlap(
            inputs,
            &self.path().into_iter().chain(other).collect::<Vec<_>>(),
        )
    }

    /// Runs `write` with the destination, which is the file or `out`, and with other files of the
    /// command. Returns an error if one of them is one of `inputs`.
    pub(crate) fn with_others<T, const N: usize>(
        &self,
        others: [Option<&Path>; N],
        inputs: &Inputs,
        out: &mut Output,
        write: impl FnOnce(&mut dyn Write, [Option<&mut WholeFile>; N]) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let path = self.path();
        let outputs: Vec<&Path> = path
            .into_iter()
            .chain(others.into_iter().flatten())
            .collect();
        refuse_overlap(inputs, &outputs)?;
        let mut files: [Option<WholeFile>; N] = [const { None }; N];
        for (file, other) in files.iter_mut().zip(others) {
            *file = other.map(WholeFile::create).transpose()?;
        }
        let mut file = path.map(Target::create).transpose()?;
        let open = files.each_mut().map(Option::as_mut);
        let result = match &mut file {
            None => write(out, open)?,
            Some(file) => write(file, open)?,
        };
        file.map_or(Ok(()), Target::finish)?;
        files
            .into_iter()
            .flatten()
            .try_for_each(WholeFile::finish)?;
        Ok(result)
    }

    /// Returns the format of `-f`, or the format in `formats` of the file's extension before `.gz`,
    /// or the first of `formats`.
    ///
    /// # Errors
    ///
    /// Returns an error if the command does not write the format of the extension.
    pub(crate) fn format(
        &self,
        stated: Option<Format>,
        formats: &[Format],
    ) -> anyhow::Result<Format> {
        if let Some(stated) = stated {
            return Ok(stated);
        }
        let Some(extension) = self.extension() else {
            return Ok(formats[0]);
        };
        let found = Format::from_str(&extension, true).ok();
        found
            .filter(|format| formats.contains(format))
            .with_context(|| {
                let names: Vec<String> = formats
                    .iter()
                    .map(|format| format!("`{}`", format.name()))
                    .collect();
                let hint = match found {
                    Some(Format::Parquet | Format::Arrow) => {
                        "; `sgfq index` writes Parquet and Arrow"
                    }
                    _ => "",
                };
                let (path, names) = (
                    self.path().unwrap_or(Path::new("-")).display(),
                    names.join(", "),
                );
                format!(
                    "{path}: this command does not write `{extension}`; pass -f with {names}{hint}"
                )
            })
    }

    /// Returns the extension that names the format of the file, before `.gz`.
    pub(crate) fn extension(&self) -> Option<String> {
        let path = self.path()?;
        let name = if is_gzip(path) {
            path.file_stem()
        } else {
            path.file_name()
        };
        let extension = Path::new(name?).extension()?.to_string_lossy().into_owned();
        (!extension.eq_ignore_ascii_case("txt")).then_some(extension)
    }

    /// Returns whether the output goes to stdout.
    pub(crate) fn is_stdout(&self) -> bool {
        self.file
            .as_deref()
            .is_none_or(|path| path == Path::new("-"))
    }
}

/// Open output: stdout for `-`, or a file, which is compressed if its name ends in .gz.
pub(crate) enum Target {
    Stdout(BufWriter<Stdout>),
    Plain(WholeFile),
    Packed(Box<GzEncoder<WholeFile>>),
}

impl Target {
    /// Opens an output. Same as [`WholeFile::create`].
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout(BufWriter::with_capacity(
                BUFFER,
                Stdout::new(),
            )));
        }
        let file = WholeFile::create(path)?;
        let pack = |file| Self::Packed(Box::new(GzEncoder::new(file, Compression::default())));
        Ok(if is_gzip(path) {
            pack(file)
        } else {
            Self::Plain(file)
        })
    }

    /// Writes the buffered rest. A file gets its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::Plain(file) => file.finish(),
            Self::Packed(packed) => packed.finish()?.finish(),
        }
    }

    fn out(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(out) => out,
            Self::Plain(file) => file,
            Self::Packed(packed) => packed,
        }
    }
}

impl Write for Target {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.out().write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out().flush()
    }
}

/// Returns whether the name asks for a compressed file.
pub(crate) fn is_gzip(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Identity of a file, independent of its name. Two names with the same identity are links to one
/// file.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    #[cfg(unix)]
    Node(u64, u64),
    Path(PathBuf),
}

impl Identity {
    /// Returns the identity of the file at `path`, or of the file that would be created there.
    /// Devices and pipes have no identity, because writing to them replaces nothing.
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
            Err(_) => Some(Self::Path(
                fs::canonicalize(directory_of(path))
                    .ok()?
                    .join(path.file_name()?),
            )),
        }
    }
}

/// Returns an error if one of `outputs` is an input or the same file as another output. Follows
/// links. Call it before any file is opened or created.
pub(crate) fn refuse_overlap(inputs: &Inputs, outputs: &[&Path]) -> anyhow::Result<()> {
    let mut known: HashMap<Identity, &Path> = HashMap::new();
    for &output in outputs {
        let Some(identity) = Identity::of(output) else {
            continue;
        };
        if let Some(other) = known.insert(identity, output) {
            let (output, other) = (output.display(), other.display());
            anyhow::bail!("{output}: output {other} is the same file; choose another one");
        }
    }
    refuse_inputs(inputs, known)
}

/// Returns an error if one of `files`, which may be replaced, is an input.
pub(crate) fn refuse_replaced(inputs: &Inputs, files: &[PathBuf]) -> anyhow::Result<()> {
    refuse_inputs(
        inputs,
        files
            .iter()
            .filter_map(|file| Some((Identity::of(file)?, &**file)))
            .collect(),
    )
}

fn refuse_inputs(inputs: &Inputs, mut known: HashMap<Identity, &Path>) -> anyhow::Result<()> {
    // A file that does not exist is no input. If none exists, the inputs need not be listed.
    known.retain(|_, output| output.is_file());
    if known.is_empty() {
        return Ok(());
    }
    for input in inputs.files()? {
        let Some(identity) = Identity::of(&input) else {
            continue;
        };
        if let Some(output) = known.get(&identity) {
            let (output, input) = (output.display(), input.display());
            anyhow::bail!("{output}: output would overwrite input {input}; choose another file");
        }
    }
    Ok(())
}
