//! Files written in place of those they were read from.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use clap::Args;

use sgfstream::read::{Options, transcode};
use sgfstream_archive::{EntryName, is_packed};
use sgfstream_engine::{Part, PartEnd};

use crate::args::destination::WholeFile;
use crate::args::input::Inputs;
use crate::report::exit::Exit;
use crate::report::terminal;

/// Arguments of commands that can write in place.
#[derive(Clone, Debug, Args)]
pub(crate) struct InPlace {
    /// Replace each input file. Files inside archives cannot be replaced.
    #[arg(long, conflicts_with = "file")]
    pub(crate) in_place: bool,

    /// With `--in-place`: keep the old file under its name followed by SUFFIX [default: .bak].
    #[arg(long, value_name = "SUFFIX", requires = "in_place", num_args = 0..=1, default_missing_value = ".bak", require_equals = true)]
    backup: Option<OsString>,
}

impl InPlace {
    /// Gives each input to `each`, with the file that takes its place when
    /// that is done. What cannot be replaced is said and left as it is.
    pub(crate) fn each(
        &self,
        inputs: &Inputs,
        options: Options,
        mut each: impl FnMut(&str, Part<'_>, &mut WholeFile) -> anyhow::Result<PartEnd>,
    ) -> anyhow::Result<Exit> {
        let mut exit = Exit::Done;
        let walked = inputs.each(options, |part| {
            let entry = part.name();
            let name = entry.to_string();
            if part.game().is_some() || !is_plain(entry) {
                terminal::say(&format!(
                    "sgfq: {name}: expected a plain file to write in place of, found another; left as it is"
                ));
                exit = exit.or(Exit::Unreadable);
                return Ok(ControlFlow::Continue(PartEnd::default()));
            }
            let mut file = WholeFile::create(entry.path())?;
            let end = each(&name, part, &mut file)?;
            if let Some(suffix) = &self.backup {
                let mut backup = entry.path().as_os_str().to_owned();
                backup.push(suffix);
                fs::copy(entry.path(), &backup).with_context(|| backup.to_string_lossy().into_owned())?;
            }
            file.finish()?;
            Ok(ControlFlow::Continue(end))
        })?;
        Ok(exit.or(walked))
    }
}

/// True if the bytes that were read are those of the file on disk, not unpacked
/// from it.
fn is_plain(name: &EntryName) -> bool {
    if name.members().len() > 0 || name.path().as_os_str() == "-" {
        return false;
    }
    let mut head = Vec::new();
    // A file that cannot be read here fails again when it is opened to be read.
    _ = fs::File::open(name.path()).and_then(|file| file.take(512).read_to_end(&mut head));
    !is_packed(&head)
}

/// True if the file is in UTF-16, UTF-32 or ISO-2022-JP: it is read as UTF-8.
pub(crate) fn is_transcoded(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(64 << 10).read_to_end(&mut head));
    read.is_ok() && matches!(transcode(&head), Cow::Owned(_))
}
