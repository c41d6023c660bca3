//! Top-level file of an input, which can be read on any thread.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use std::ops::ControlFlow;

use crate::caps::{Caps, Ledger, Meter, MeteredReader};
use crate::disk::{Disk, volumes};
use crate::fault::Fault;
use crate::member_selection::{MemberSelection, Pick, games_of};
use crate::name::{EntryName, raw_path};
use crate::problem::{ArchiveErrorKind, ArchiveProblem};
use crate::sniff::{Sniff, is_container_name};
use crate::stream::{HEAD, Stream, WINDOW};
use crate::walk::entry::{Entry, ReadOptions, Summary};
use crate::walk::input::Reference;
use crate::walk::visitor::{Context, Sink, Visitor, ends_with_zip};
use crate::zip::{ZipDirectory, ZipPart};

/// Top-level input: a file, or stdin. It is cheap to clone and can be sent to other threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The path; `None` for stdin.
    path: Option<PathBuf>,
    size: Option<u64>,
    modified: Option<SystemTime>,
    /// The members and games that the caller named; empty for all.
    references: Arc<[Reference]>,
    /// Whether the caller named the input, instead of a directory that contains it.
    is_named: bool,
    /// The name to use if it is not the path.
    copy_of: Option<EntryName>,
    part: Option<ZipPart>,
}

/// Kind of an input file, as its first bytes show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A file that is not packed. Any part of it can be read at any time.
    Plain,
    /// One decoder from start to end: `.gz`, `.tar`, `.tar.zst`, stdin.
    Stream,
    /// A zip file, whose members can be opened in any order. [`split`](InputFile::split) cuts it
    /// into parts.
    Zip,
    /// A 7z file.
    SevenZip,
}

impl InputFile {
    pub(crate) fn file(path: PathBuf, metadata: &Metadata, is_named: bool) -> Self {
        let more = volumes(&path).into_iter().skip(1);
        let more: u64 = more
            .filter_map(|path| std::fs::metadata(path).ok())
            .map(|metadata| metadata.len())
            .sum();
        let size = metadata.is_file().then_some(metadata.len() + more);
        let modified = metadata.modified().ok();
        Self {
            path: Some(path),
            size,
            modified,
            is_named,
            ..Self::stdin()
        }
    }

    pub(crate) fn stdin() -> Self {
        Self {
            path: None,
            size: None,
            modified: None,
            references: Arc::default(),
            is_named: true,
            copy_of: None,
            part: None,
        }
    }

    pub(crate) fn of(self, references: Vec<Reference>) -> Self {
        Self {
            references: references.into(),
            ..self
        }
    }

    pub(crate) fn of_one(self, member: Option<String>, game: Option<u64>) -> Self {
        if member.is_none() && game.is_none() {
            self
        } else {
            self.of(vec![Reference { member, game }])
        }
    }

    pub(crate) fn named(self, name: EntryName) -> Self {
        Self {
            copy_of: Some(name),
            ..self
        }
    }

    /// Returns the name: the path, `-`, or the name of a [copy](crate::Input::Copy).
    #[must_use]
    pub fn name(&self) -> EntryName {
        if let Some(name) = &self.copy_of {
            return name.clone();
        }
        EntryName::file(self.path().unwrap_or(Path::new("-")))
    }

    /// Returns the path, unless the input is stdin.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the bytes on disk of all volumes, if known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Returns the time of the last change of the file, or of its first volume, if known.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// Returns the members and games that the caller named one by one; empty if all are wanted.
    #[must_use]
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// Returns the input file as a text, from which another process can rebuild it. Returns `None`
    /// for inputs that another process cannot open: stdin, and files that are read under another
    /// name.
    ///
    /// ```
    /// use sgfstream_archive::{Input, InputFile, Walk};
    ///
    /// let input =
    ///     Walk::new(vec![Input::path("../../corpus/packed/two.zip")]).next().expect("one")?;
    /// let text = input.to_text().expect("a file");
    /// assert_eq!(text, "named\t../../corpus/packed/two.zip");
    /// assert_eq!(InputFile::from_text(&text)?, input);
    /// # Ok::<(), sgfstream_archive::ArchiveProblem>(())
    /// ```
    #[must_use]
    pub fn to_text(&self) -> Option<String> {
        let path = self
            .path()
            .filter(|_| self.copy_of.is_none() && self.part.is_none())?;
        let kind = if self.is_named { "named" } else { "found" };
        let mut text = format!("{kind}\t{}", escaped(path.as_os_str().as_encoded_bytes()));
        for Reference { member, game } in &*self.references {
            let game = game.map(|game| game.to_string()).unwrap_or_default();
            let member = escaped(member.as_deref().unwrap_or_default().as_bytes());
            text.push_str(&format!("\t{game}\t{member}"));
        }
        Some(text)
    }

    /// Parses the text of [`to_text`](Self::to_text); the size is the current size of the file.
    ///
    /// # Errors
    /// The file cannot be opened, or the text is invalid.
    pub fn from_text(text: &str) -> Result<Self, ArchiveProblem> {
        let problem = |name: &Path, fault: Fault| fault.at(EntryName::file(name));
        let fields: Vec<_> = text.split('\t').map(unescaped).collect();
        let [kind, path, references @ ..] = &fields[..] else {
            return Err(problem(
                Path::new(text),
                Fault::new(
                    ArchiveErrorKind::NotFound,
                    "expected a kind and a path, found one field",
                ),
            ));
        };
        let path = raw_path(path);
        let references = references.chunks(2).map(|fields| Reference {
            game: String::from_utf8_lossy(&fields[0]).parse().ok(),
            member: fields
                .get(1)
                .filter(|text| !text.is_empty())
                .map(|text| String::from_utf8_lossy(text).into_owned()),
        });
        match std::fs::metadata(&path) {
            Ok(metadata) => {
                Ok(Self::file(path, &metadata, kind == b"named").of(references.collect()))
            }
            Err(err) => Err(problem(&path, Fault::unopened(&err))),
        }
    }

    /// Opens the file and finds out from its first bytes how it can be read.
    ///
    /// # Errors
    /// The file cannot be opened or read.
    pub fn kind(&self) -> io::Result<FileKind> {
        let Some(head) = self.head()? else {
            return Ok(FileKind::Stream);
        };
        Ok(match Sniff::of(&head, true) {
            Some(Sniff::Zip) => FileKind::Zip,
            Some(Sniff::Other) if self.ends_with_zip(&head) => FileKind::Zip,
            // An archive whose first bytes are damaged must not be read as text.
            Some(Sniff::Other) if is_container_name(&self.name().last()) => FileKind::Stream,
            Some(Sniff::SevenZip) => FileKind::SevenZip,
            Some(sniff) if sniff.is_container() => FileKind::Stream,
            _ => FileKind::Plain,
        })
    }

    /// Returns whether the file ends with a zip archive, after other bytes.
    fn ends_with_zip(&self, head: &[u8]) -> bool {
        let Some(path) = self.path() else {
            return false;
        };
        let ledger = Arc::new(Ledger::new(Caps::default(), Meter::default(), None));
        !head.is_empty() && Disk::open(path, ledger).is_ok_and(|mut disk| ends_with_zip(&mut disk))
    }

    /// Returns the first bytes, unless the input is stdin, a pipe or a device.
    fn head(&self) -> io::Result<Option<Vec<u8>>> {
        let Some(path) = self.path() else {
            return Ok(None);
        };
        if !std::fs::metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut head = Vec::with_capacity(HEAD);
        File::open(path)?.take(HEAD as u64).read_to_end(&mut head)?;
        Ok(Some(head))
    }

    /// Cuts a zip file into at most `parts` parts with about the same number of members, for
    /// several threads. The entries of the parts, in order, are the entries of the whole. Other
    /// inputs are not cut.
    ///
    /// ```
    /// use sgfstream_archive::{Input, Walk};
    ///
    /// let input =
    ///     Walk::new(vec![Input::path("../../corpus/packed/two.zip")]).next().expect("one")?;
    /// assert_eq!(input.split(8).len(), 2);
    /// # Ok::<(), sgfstream_archive::ArchiveProblem>(())
    /// ```
    #[must_use]
    pub fn split(&self, parts: usize) -> Vec<Self> {
        let pieces = || -> Option<Vec<Self>> {
            if parts < 2
                || self.part.is_some()
                || !self.references.is_empty()
                || self.kind().ok()? != FileKind::Zip
            {
                return None;
            }
            let ledger = Arc::new(Ledger::new(Caps::default(), Meter::default(), None));
            let mut disk = Disk::open(self.path()?, ledger).ok()?;
            let len = disk.len();
            let directory = ZipDirectory::find(&mut disk, len).ok()?;
            let parts = ZipPart::cut(&mut disk, directory.into(), parts as u64).ok()?;
            // An end record may state that there are no members although there are some.
            (!parts.is_empty()).then(|| {
                parts
                    .into_iter()
                    .map(|part| Self {
                        part: Some(part),
                        ..self.clone()
                    })
                    .collect()
            })
        };
        pieces().unwrap_or_else(|| vec![self.clone()])
    }

    /// Passes every entry of this input to `sink`, in order, on this thread.
    pub fn visit(
        &self,
        options: &ReadOptions,
        mut sink: impl FnMut(Result<Entry<'_>, ArchiveProblem>) -> ControlFlow<()>,
    ) -> Summary {
        self.visit_all(options, &mut sink)
    }

    /// Visits the input file. The function is not generic, so that it is compiled once for all
    /// types of sinks.
    fn visit_all(&self, options: &ReadOptions, sink: Sink<'_>) -> Summary {
        let mut ledger = Ledger::new(options.caps, options.meter.clone(), self.size);
        if let (Some(part), Some(size)) = (self.part, self.size) {
            ledger = part.ledger(ledger, size);
        }
        let ledger = Arc::new(ledger);
        let references = || self.references.iter().enumerate();
        let named = || {
            references().filter_map(|(number, Reference { member, game })| {
                Some(Pick {
                    number,
                    text: member.as_deref()?,
                    game: *game,
                })
            })
        };
        let picks = named().next().map(|_| MemberSelection::new(named()));
        let games = picks
            .is_none()
            .then(|| games_of(references().map(|(_, reference)| reference.game)))
            .flatten();
        let games = games.as_deref().filter(|games| !games.is_empty());
        let names: HashSet<&str> = named().map(|pick| pick.text).collect();
        let mut visitor = Visitor::new(sink, Arc::clone(&ledger), names.len());
        let is_all = options.all_files;
        let (is_named, is_record) = (self.is_named || is_all, options.is_record);
        let context = Context {
            is_named,
            is_all,
            is_record,
            picks: picks.as_ref(),
            games,
            ..Context::default()
        };
        let name = self.name();
        let result = match self.path() {
            None => {
                let stdin = MeteredReader {
                    inner: io::stdin().lock(),
                    ledger: &ledger,
                };
                visitor.content(&name, &mut Stream::new(stdin, WINDOW), context)
            }
            Some(path) => match Disk::open(path, Arc::clone(&ledger)) {
                Ok(mut disk) => {
                    let context = Context {
                        size: self.size,
                        is_plain: self.copy_of.is_none(),
                        ..context
                    };
                    let result = visitor.file(&name, &mut disk, context, self.part);
                    // The last of the parts reports it, so that it is reported once.
                    let is_told = result.is_ok()
                        && self.part.is_none_or(|part| part.is_last())
                        && disk.is_changed();
                    if is_told {
                        visitor.problem(&name, &Fault::changed())
                    } else {
                        result
                    }
                }
                Err(err) => visitor.problem(&name, &Fault::unopened(&err)),
            },
        };
        let mut missing = HashSet::new();
        let is_told = visitor.visited.summary.problems > 0;
        // The error means only that the sink stopped, which the summary has too.
        let is_complete = result.is_ok() && !is_told;
        for Pick { number, text, .. } in named().filter(|_| is_complete) {
            if visitor.visited.found.contains(&number) || !missing.insert(text) {
                continue;
            }
            let fault = Fault::new(
                ArchiveErrorKind::NotFound,
                format!("no member `{text}` in the archive"),
            );
            if visitor.problem(&name, &fault).is_err() {
                break;
            }
        }
        ledger.finish();
        visitor.visited.summary
    }
}

/// Escapes tabs, newlines and bytes that are not UTF-8 as `%` and two hexadecimal digits.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            if char == '%' || char.is_control() {
                char.encode_utf8(&mut [0; 4])
                    .bytes()
                    .for_each(|byte| text.push_str(&format!("%{byte:02X}")));
            } else {
                text.push(char);
            }
        }
        chunk
            .invalid()
            .iter()
            .for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        match part
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
        {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            None => bytes.extend_from_slice(part.as_bytes()),
        }
    }
    bytes
}
