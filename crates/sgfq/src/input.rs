//! The inputs of a command: what the arguments name, opened one entry after
//! another, each with a reader over it.

use std::ffi::{OsStr, OsString};
use std::io::{Cursor, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use sgfstream::base::Charset;
use sgfstream::read::{FramingPolicy, Options, Reader, Transcoder, transcode};
use sgfstream_archive::{self as archive, EntryName, Input, Item};

use super::cap_args::CapArgs;
use super::detect;
use super::exit::Exit;
use super::games::Then;
use super::terminal;
use sgfstream_engine::{OneGame, missing_game};

/// Arguments that name inputs and how to read them.
#[derive(Clone, Debug, Args)]
pub(super) struct Inputs {
    /// Files, directories, archives, `archive!member`, patterns, `@list`, or `-` for
    /// stdin (the default); `FILE#17` for one game. See `sgfq help inputs`.
    #[arg(value_name = "INPUT")]
    inputs: Vec<OsString>,

    /// Also read the inputs named in FILE, one per line; `-` is stdin. Patterns are not expanded.
    #[arg(long, value_name = "FILE")]
    files_from: Vec<PathBuf>,

    /// Names in `--files-from` end with NUL instead of a newline, as `find -print0` writes them.
    #[arg(short = '0', long = "null", requires = "files_from")]
    nul: bool,

    #[command(flatten)]
    pub(super) how: How,
}

/// Arguments for reading.
#[derive(Clone, Debug, Args)]
pub(super) struct How {
    /// Charset of every game, whatever CA says: a name such as GBK, `latin1`, `auto`, or `detect`. See `sgfq
    /// help charset`.
    #[arg(long, value_name = "NAME", value_parser = parse_charset, global = true)]
    pub(super) charset: Option<CharsetChoice>,

    /// How the end of a value is found in charsets whose characters may contain `]`.
    #[arg(long, value_enum, default_value_t = Framing::Auto, global = true, hide_short_help = true)]
    pub(super) framing: Framing,

    #[command(flatten)]
    caps: CapArgs,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(super) enum Framing {
    /// Byte by byte, unless that makes no sense.
    #[default]
    Auto,
    /// Byte by byte, as the specification says.
    Value,
    /// By whole characters.
    Whole,
}

/// What `--charset` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharsetChoice {
    /// As without it.
    Auto,
    /// A guess for games without CA.
    Detect,
    /// This one for all.
    Forced(Charset),
}

fn parse_charset(name: &str) -> Result<CharsetChoice, String> {
    match name.to_ascii_lowercase().as_str() {
        "auto" => return Ok(CharsetChoice::Auto),
        "detect" => return Ok(CharsetChoice::Detect),
        _ => {}
    }
    Charset::forced(name.as_bytes())
        .map(CharsetChoice::Forced)
        .ok_or_else(|| "expected the name of a charset, such as UTF-8 or GBK".to_owned())
}

impl How {
    /// How archives are read.
    pub(super) fn archives(&self) -> archive::ReadOptions {
        self.caps.archives()
    }

    /// Gives `each` the entry, open for reading, and says what it says.
    pub(super) fn open<T>(
        &self,
        name: &EntryName,
        game: Option<u64>,
        read: &mut dyn Read,
        each: impl FnOnce(Opened<'_, '_>) -> T,
    ) -> T {
        let mut head = Vec::new();
        let mut fallback = None;
        if self.charset == Some(CharsetChoice::Detect) {
            // A failure comes again when the rest is read.
            _ = (&mut *read).take(detect::LOOKED_AT as u64).read_to_end(&mut head);
            fallback = detect::fallback(&transcode(&head));
        }
        let mut chained;
        let read: &mut dyn Read = if head.is_empty() {
            read
        } else {
            chained = Cursor::new(head).chain(read);
            &mut chained
        };
        each(Opened { name, game, read: Transcoder::new(read), fallback })
    }

    /// The reader's options.
    pub(super) fn options(&self) -> Options {
        let charset = match self.charset {
            Some(CharsetChoice::Forced(charset)) => Some(charset),
            _ => None,
        };
        let framing = match self.framing {
            Framing::Auto => FramingPolicy::Auto,
            Framing::Value => FramingPolicy::Value,
            Framing::Whole => FramingPolicy::Whole,
        };
        Options::default().with_charset(charset).with_framing(framing)
    }
}

/// What the entries of a command are read with.
pub(super) type EntryReader<'e> = Reader<EntryRead<'e>>;

/// The bytes of an entry, as readers want them.
pub(super) type EntryRead<'e> = Transcoder<&'e mut (dyn Read + 'e)>;

/// An entry, open for reading.
pub(super) struct Opened<'n, 'e> {
    pub(super) name: &'n EntryName,
    /// The game that was asked for (`#17`), counted from 1.
    pub(super) game: Option<u64>,
    pub(super) read: EntryRead<'e>,
    /// The charset that `--charset detect` found.
    fallback: Option<Charset>,
}

impl Opened<'_, '_> {
    /// The options that it is to be read with.
    pub(super) fn options(&self, options: Options) -> Options {
        options.with_fallback(self.fallback)
    }
}

impl Inputs {
    /// One input.
    pub(super) fn of(input: &OsStr, how: How) -> Self {
        Self { inputs: vec![input.to_owned()], files_from: Vec::new(), nul: false, how }
    }

    /// What the arguments name; stdin, where they name nothing.
    pub(super) fn parsed(&self) -> Vec<Input> {
        let lists = self.files_from.iter().map(if self.nul { Input::list_nul } else { Input::list });
        let inputs: Vec<_> = self.inputs.iter().map(|input| Input::parse_os(input)).chain(lists).collect();
        if inputs.is_empty() { vec![Input::Stdin] } else { inputs }
    }

    /// The inputs as they were named, for a title.
    pub(super) fn names(&self) -> Vec<String> {
        let lists = self.files_from.iter().map(|path| path.to_string_lossy().into_owned());
        self.inputs.iter().map(|input| input.to_string_lossy().into_owned()).chain(lists).collect()
    }

    /// True if more than one argument names inputs.
    pub(super) fn are_several(&self) -> bool {
        self.inputs.len() > 1 || !self.files_from.is_empty()
    }

    /// Opens every entry and gives it to `each` with its name. What cannot be
    /// read is said on stderr and costs nobody else's data.
    pub(super) fn each(
        &self,
        options: Options,
        mut each: impl FnMut(&str, EntryReader<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Exit> {
        self.each_opened(|name, read, fallback| each(name, Reader::with_options(read, options.with_fallback(fallback))))
    }

    /// As [`each`](Self::each), for those who make readers of their own, with the charset that `--charset detect` found.
    pub(super) fn each_opened(
        &self,
        mut each: impl FnMut(&str, EntryRead<'_>, Option<Charset>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Exit> {
        let mut exit = Exit::Done;
        let walked = self.each_named(|opened| {
            let name = opened.name.to_string();
            match opened.game {
                None => each(&name, opened.read, opened.fallback)?,
                Some(number) => {
                    let mut game = OneGame::new(opened.read, self.how.options(), number);
                    each(&format!("{name}#{number}"), Transcoder::new(&mut game), opened.fallback)?;
                    if !game.is_found() {
                        terminal::say(&format!("sgfq: {}", missing_game(opened.name, number)));
                        exit = Exit::Unreadable;
                    }
                }
            }
            Ok(Then::Go)
        })?;
        Ok(exit.or(walked))
    }

    /// The same, with the parts of the name, the number of the game that was
    /// asked for, and a way to stop.
    pub(super) fn each_named(
        &self,
        mut each: impl FnMut(Opened<'_, '_>) -> anyhow::Result<Then>,
    ) -> anyhow::Result<Exit> {
        let mut exit = Exit::Done;
        let mut stop = None;
        archive::visit(&self.parsed(), &self.how.archives(), |item| {
            let entry = match item {
                Item::Entry(entry) => entry,
                Item::Problem(problem) => {
                    terminal::say(&format!("sgfq: {problem}"));
                    exit = exit.or(Exit::Unreadable);
                    return ControlFlow::Continue(());
                }
            };
            let name = entry.name.clone();
            match self.how.open(&name, entry.game, entry.read, &mut each) {
                Ok(Then::Go) => ControlFlow::Continue(()),
                Ok(Then::Stop) => ControlFlow::Break(()),
                // Said as a problem of the archive behind the entry.
                Err(err) if err.downcast_ref::<sgfstream::Error>().is_some_and(sgfstream::Error::is_io) => {
                    ControlFlow::Continue(())
                }
                Err(err) => {
                    stop = Some(err);
                    ControlFlow::Break(())
                }
            }
        });
        match stop {
            Some(err) => Err(err),
            None => Ok(exit),
        }
    }
}
