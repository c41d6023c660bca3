//! Files that replace their inputs.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use sgfstream::{Options, Transcoder};
use sgfstream_archive::{EntryName, is_packed};
use sgfstream_engine::{Part, PartEnd, is_record};

use crate::args::input::Inputs;
use crate::args::threads::ProgressWhen;
use crate::io::whole_file::WholeFile;
use crate::report::counted;
use crate::report::exit::Exit;
use crate::report::terminal;

/// Arguments of commands that can write in place.
#[derive(Clone, Debug, Args)]
pub(crate) struct InPlace {
    /// Replace each input file, unless it is packed or has several hard links.
    #[arg(long, conflicts_with = "file")]
    pub(crate) in_place: bool,

    /// Keep the old file under its name followed by SUFFIX [default: .bak].
    #[arg(long, value_name = "SUFFIX", requires = "in_place", num_args = 0..=1, default_missing_value = ".bak", require_equals = true, value_parser = parse_suffix())]
    backup: Option<OsString>,
}

/// Returns a parser of suffixes. With an empty suffix, a backup would look like another game.
fn parse_suffix() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|suffix| match suffix.is_empty() {
        true => Err("expected a suffix, such as `.bak`"),
        false => Ok(suffix),
    })
}

impl InPlace {
    /// Passes each input to `each`, with a file that replaces the input when it is complete.
    ///
    /// Inputs that cannot be replaced are reported and left unchanged: packed files, and files in
    /// UTF-16, UTF-32 or ISO-2022-JP, which would become UTF-8. With `may_transcode`, such files
    /// are replaced if no character is lost.
    pub(crate) fn each(
        &self,
        inputs: &Inputs,
        may_transcode: bool,
        progress: ProgressWhen,
        mut each: impl FnMut(&str, Part<'_>, &mut WholeFile) -> anyhow::Result<PartEnd>,
    ) -> anyhow::Result<Exit> {
        let (mut exit, mut refused) = (Exit::Done, None::<PathBuf>);
        let options = inputs.how.options();
        let walked = inputs.each(progress, |part| {
            let entry = part.name();
            let name = entry.to_string();
            let is_file = part.game().is_none() && is_plain(entry);
            let transcoding = if is_file {
                Transcoding::of(entry.path(), options)
            } else {
                None
            };
            let why = match hard_links(entry.path()) {
                _ if !is_file => Some(format!(
                    "--in-place replaces only unpacked files, not {}",
                    kind_of(&part)
                )),
                links @ 2.. => Some(format!(
                    "the file has {links} hard links, and only one of them would be replaced"
                )),
                _ => transcoding
                    .as_ref()
                    .and_then(|transcoding| transcoding.refusal(may_transcode)),
            };
            if let Some(why) = why {
                // Reported once for all members of an archive.
                if is_file || refused.as_deref() != Some(entry.path()) {
                    let name = if is_file {
                        name
                    } else {
                        entry.source().into_owned()
                    };
                    terminal::print_line(&format!("sgfq: {name}: {why}; unchanged"));
                    refused = Some(entry.path().to_owned());
                }
                exit = exit.or(Exit::Unreadable);
                return Ok(ControlFlow::Continue(PartEnd::default()));
            }
            let original = Original::lock(entry.path());
            let mut file = WholeFile::create(entry.path())?;
            let end = each(&name, part, &mut file)?;
            if !original.is_as_it_was() {
                terminal::print_line(&format!(
                    "sgfq: {name}: another program changed the file meanwhile; unchanged"
                ));
                exit = exit.or(Exit::Unreadable);
            } else if !file.is_same_as(entry.path())? {
                if let Some(suffix) = &self.backup {
                    back_up(entry.path(), suffix)?;
                }
                file.finish()?;
                if transcoding.is_some() {
                    terminal::print_note(&format!("sgfq: {name}: written in UTF-8"));
                }
            }
            Ok(ControlFlow::Continue(end))
        })?;
        Ok(exit.or(walked))
    }
}

/// An input file before it is replaced.
struct Original<'p> {
    path: &'p Path,
    /// Open file, locked until it is dropped, or `None` if another process has locked it.
    locked: Option<File>,
    state: Option<FileState>,
}

/// Length, time and number of the file. They change whenever the file is written or replaced.
type FileState = (u64, Option<SystemTime>, u64);

impl<'p> Original<'p> {
    /// Locks the file against other runs of `sgfq`. On file systems without locks, only the state
    /// is compared.
    fn lock(path: &'p Path) -> Self {
        // On other systems, the lock would prevent this process from reading the file through
        // another handle.
        let is_free = |file: &File| {
            cfg!(not(unix)) || !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
        };
        let locked = File::open(path).ok().filter(is_free);
        Self {
            path,
            locked,
            state: state_of(path),
        }
    }

    /// Returns whether no other process has locked, written or replaced the file.
    fn is_as_it_was(&self) -> bool {
        self.locked.is_some() && self.state.is_some() && state_of(self.path) == self.state
    }
}

fn state_of(path: &Path) -> Option<FileState> {
    let metadata = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let node = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let node = 0;
    Some((metadata.len(), metadata.modified().ok(), node))
}

/// Returns a noun for an input that is no plain file.
fn kind_of(part: &Part<'_>) -> &'static str {
    match part.game() {
        _ if part.name().path().as_os_str() == "-" => "standard input",
        Some(_) if is_plain(part.name()) => "one game of a file",
        _ => "a packed file",
    }
}

/// Returns whether the input is an unpacked file, so that its bytes equal the bytes on disk.
fn is_plain(name: &EntryName) -> bool {
    if name.members().len() > 0 || name.path().as_os_str() == "-" {
        return false;
    }
    let mut head = Vec::new();
    // If the file is unreadable, opening it for reading reports the error.
    _ = File::open(name.path()).and_then(|file| file.take(4096).read_to_end(&mut head));
    !is_packed(&head) && !is_record(&head)
}

/// Returns the number of hard links. Replacing one link would leave the old content in the others.
#[cfg(unix)]
fn hard_links(path: &Path) -> u64 {
    fs::metadata(path).map_or(1, |metadata| {
        std::os::unix::fs::MetadataExt::nlink(&metadata)
    })
}

#[cfg(not(unix))]
fn hard_links(_: &Path) -> u64 {
    1
}

/// Copies a file to its name with `suffix`, and adds a number if that file exists. The copy gets
/// its name only when it is complete.
fn back_up(path: &Path, suffix: &OsStr) -> anyhow::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    let numbered = |number: u64| {
        let mut name = name.clone();
        if number > 1 {
            name.push(format!(".{number}"));
        }
        PathBuf::from(name)
    };
    let is_free = |name: &PathBuf| fs::symlink_metadata(name).is_err();
    let backup = (1..)
        .map(numbered)
        .find(is_free)
        .expect("a directory has fewer files than there are numbers");
    let mut copy = WholeFile::create(&backup)?;
    let shown = || path.display().to_string();
    io::copy(&mut File::open(path).with_context(shown)?, &mut copy)?;
    copy.copy_access(path)?;
    copy.finish_new(true)
}

/// Result of converting a file to UTF-8.
struct Transcoding {
    encoding: &'static str,
    replacements: u64,
}

impl Transcoding {
    /// Reads the whole file if it needs transcoding. Returns `None` if it does not.
    fn of(path: &Path, options: Options) -> Option<Self> {
        let mut read = Transcoder::with_charset(File::open(path).ok()?, options.charset);
        if !read.prepare() {
            return None;
        }
        // Ignore the error, because the command reads the file again and reports it.
        _ = io::copy(&mut read, &mut io::sink());
        Some(Self {
            encoding: read.encoding_name()?,
            replacements: read.replacements(),
        })
    }

    /// Returns the reason why the file must not be replaced, if there is one.
    fn refusal(&self, may_transcode: bool) -> Option<String> {
        let Self {
            encoding,
            replacements,
        } = self;
        if *replacements > 0 {
            let sequences = counted(*replacements, &format!("malformed {encoding} sequence"));
            return Some(format!("the file has {sequences}"));
        }
        let why =
            format!("{encoding} cannot be written; convert the file with `sgfq rewrite --utf8`");
        (!may_transcode).then_some(why)
    }
}
