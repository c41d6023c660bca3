//! Finds the files of inputs: reads directories, globs and lists one step at a time. Memory
//! contains only the entries of the directories around the current file.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use encoding_rs::{Encoding, UTF_8};
use walkdir::{DirEntry, WalkDir};

use crate::caps::Meter;
use crate::fault::Fault;
use crate::glob;
use crate::name::EntryName;
use crate::problem::{ArchiveErrorKind, ArchiveProblem};
use crate::sniff::{Sniff, is_backup_name, is_container_name, is_record_name};
use crate::stream::HEAD;
use crate::walk::entry::ReadOptions;
use crate::walk::input::{Input, Target};
use crate::walk::input_file::InputFile;
use crate::walk::references::References;

/// Maximum length of a line in a list. A list with a longer line counts as damaged.
const LONGEST_LINE: u64 = 64 << 10;

/// Maximum bytes of a list in UTF-16, which is decoded as a whole.
const LONGEST_UTF16: u64 = 16 << 20;

/// Iterator over the files of inputs, in order: directories by name, lists by line.
///
/// It opens only directories and lists; [`InputFile::visit`] and [`InputFile::kind`] open the
/// files.
///
/// ```
/// use sgfstream_archive::{Input, Walk};
///
/// let input: Vec<_> =
///     Walk::new(vec![Input::path("../../corpus/packed")]).filter_map(Result::ok).collect();
/// assert!(
///     input.iter().any(|input| input.path().is_some_and(|path| path.ends_with("two.zip")))
/// );
/// assert!(input.iter().all(|input| input.size().is_some()));
/// ```
pub struct Walk {
    inputs: VecDeque<Input>,
    stack: Vec<Step>,
    /// Directories of the current input, with links resolved. A link into one of them is not
    /// followed, because its files are visited anyway. So circular links end, too.
    roots: HashSet<PathBuf>,
    /// Files of grouped references, to return next.
    ready: VecDeque<Result<InputFile, ArchiveProblem>>,
    is_all: bool,
    is_record: Option<fn(&[u8]) -> bool>,
    ignored: &'static str,
    meter: Meter,
}

enum Step {
    /// A directory and everything below it, by name. Links are returned, not followed.
    Directory(walkdir::IntoIter),
    /// A list, and its name.
    List(Peekable<List>, PathBuf),
    /// Paths, in reverse order.
    Glob(Vec<PathBuf>),
}

/// An open file of names.
struct List {
    lines: BufReader<Box<dyn Read + Send>>,
    nul: bool,
}

impl Iterator for List {
    type Item = Result<Target, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = next_line(&mut self.lines, self.nul).transpose()?;
            if !line.as_ref().is_ok_and(Vec::is_empty) {
                return Some(line.map(|line| target_of(&line)));
            }
        }
    }
}

impl fmt::Debug for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk")
            .field("inputs", &self.inputs)
            .finish_non_exhaustive()
    }
}

impl Walk {
    /// Returns the files of `inputs`.
    #[must_use]
    pub fn new(inputs: impl Into<Vec<Input>>) -> Self {
        Self {
            inputs: inputs.into().into(),
            stack: Vec::new(),
            roots: HashSet::new(),
            ready: VecDeque::new(),
            is_all: false,
            is_record: None,
            ignored: "",
            meter: Meter::default(),
        }
    }

    /// Sets the options of the visit. Their meter counts the files that the walk skips.
    #[must_use]
    pub fn with_options(self, options: &ReadOptions) -> Self {
        let (is_all, is_record) = (options.all_files, options.is_record);
        Self {
            is_all,
            is_record,
            ignored: options.ignored,
            meter: options.meter.clone(),
            ..self
        }
    }

    fn begin(&mut self, input: Input) -> Option<Result<InputFile, ArchiveProblem>> {
        match input {
            Input::Stdin => Some(Ok(InputFile::stdin())),
            Input::Path(target) if References::is_one(&target) => {
                let inputs = &mut self.inputs;
                let is_one = |input: &mut Input| matches!(input, Input::Path(target) if References::is_one(target));
                let next = || match inputs.pop_front_if(is_one) {
                    Some(Input::Path(target)) => Some(target),
                    _ => None,
                };
                self.ready
                    .extend(References::collect(target, next).into_inputs());
                None
            }
            Input::Path(target) => self.target(target),
            Input::Copy { path, name } => match fs::metadata(&path) {
                Ok(metadata) => Some(Ok(InputFile::file(path, &metadata, true).named(name))),
                Err(err) => Some(Err(Fault::unopened(&err).at(name))),
            },
            Input::Glob(pattern) => {
                let mut paths = glob::expand(&pattern);
                if paths.is_empty() {
                    let fault =
                        Fault::new(ArchiveErrorKind::NotFound, "no file matches the pattern");
                    return problem(&pattern, &fault.or_address(Path::new(&pattern)));
                }
                paths.reverse();
                self.stack.push(Step::Glob(paths));
                None
            }
            Input::List { path, nul } => {
                let file: Box<dyn Read + Send> = if path == Path::new("-") {
                    Box::new(io::stdin())
                } else {
                    match File::open(&path) {
                        Ok(file) => Box::new(file),
                        Err(err) => return problem(&path, &Fault::unopened(&err)),
                    }
                };
                let lines = match if nul { Ok(file) } else { as_utf8(file) } {
                    Ok(lines) => BufReader::new(lines),
                    Err(err) => return problem(&path, &Fault::of_system(&err)),
                };
                let list = List { lines, nul };
                self.stack.push(Step::List(list.peekable(), path));
                None
            }
        }
    }

    fn target(&mut self, target: Target) -> Option<Result<InputFile, ArchiveProblem>> {
        let Target { path, member, game } = target;
        if path == Path::new("-") && member.is_some() {
            return Some(Ok(InputFile::stdin().of_one(member, game)));
        }
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                self.roots.clear();
                self.roots.extend(fs::canonicalize(&path).ok());
                self.push_directory(&path);
                None
            }
            Ok(metadata) => Some(Ok(
                InputFile::file(path, &metadata, true).of_one(member, game)
            )),
            Err(err) => problem(&path, &Fault::unopened(&err).or_address(&path)),
        }
    }

    fn push_directory(&mut self, path: &Path) {
        // The entries of a directory differ in their names only. To find the name in a path for
        // each comparison takes a tenth of the time of counting small files.
        let entries = WalkDir::new(path).min_depth(1).sort_by(|one, other| {
            let [one, other] = [one, other].map(|entry| entry.path().as_os_str());
            one.cmp(other)
        });
        self.stack.push(Step::Directory(entries.into_iter()));
    }

    /// Handles an entry of a directory: a file, a directory, a link, or a file to skip.
    fn found(&mut self, entry: DirEntry) -> Option<Result<InputFile, ArchiveProblem>> {
        let kind = entry.file_type();
        if !kind.is_file() && !kind.is_symlink() {
            return None;
        }
        let path = entry.into_path();
        let is_ours = self.is_all || is_ours(&path);
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            // Broken links are common. They are a problem only if a record may have the name.
            Err(err) if !is_ours && is_dangling(&err) => return None,
            Err(err) => return problem(&path, &Fault::unopened(&err)),
        };
        if metadata.is_file() {
            if !is_ours && !self.begins_like_ours(&path) {
                self.pass_over(&path);
                return None;
            }
            return Some(Ok(InputFile::file(path, &metadata, self.is_all)));
        }
        if metadata.is_dir() {
            match fs::canonicalize(&path) {
                Ok(real) => {
                    if !real.ancestors().any(|above| self.roots.contains(above)) {
                        self.roots.insert(real);
                        self.push_directory(&path);
                    }
                }
                Err(err) => return problem(&path, &Fault::unopened(&err)),
            }
        }
        None
    }

    /// Recognizes a game record or a container by its content, whatever its name. Members of
    /// archives are selected in the same way.
    fn begins_like_ours(&self, path: &Path) -> bool {
        if is_backup_name(&path.to_string_lossy()) {
            return false;
        }
        let mut head = Vec::new();
        let read = File::open(path).and_then(|file| file.take(HEAD as u64).read_to_end(&mut head));
        let is_known = Sniff::of(&head, true).is_some_and(|sniff| sniff != Sniff::Other);
        read.is_ok() && (is_known || self.is_record.is_some_and(|is_record| is_record(&head)))
    }

    fn pass_over(&mut self, path: &Path) {
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        self.meter.pass_over(extension);
    }

    /// Returns the next item of the innermost step, if it has any.
    fn step(&mut self) -> Option<Option<Result<InputFile, ArchiveProblem>>> {
        let found = match self.stack.last_mut()? {
            Step::Directory(entries) => match entries.next() {
                Some(Ok(entry)) if is_ignored(&entry, self.ignored) => {
                    if entry.file_type().is_dir() {
                        entries.skip_current_dir();
                    }
                    Some(None)
                }
                Some(Ok(entry)) => Some(self.found(entry)),
                Some(Err(err)) => Some(unlisted(err)),
                None => None,
            },
            Step::Glob(paths) => paths.pop().map(|path| {
                self.target(Target {
                    path,
                    member: None,
                    game: None,
                })
            }),
            Step::List(list, name) => match list.next() {
                Some(Ok(target)) if References::is_one(&target) => {
                    let is_one = |target: &Result<Target, Fault>| {
                        target.as_ref().is_ok_and(References::is_one)
                    };
                    let references = References::collect(target, || list.next_if(is_one)?.ok());
                    self.ready.extend(references.into_inputs());
                    Some(None)
                }
                Some(Ok(target)) => Some(self.target(target)),
                None => None,
                Some(Err(fault)) => {
                    let problem = problem(&*name, &fault);
                    self.stack.pop();
                    return Some(problem);
                }
            },
        };
        if found.is_none() {
            self.stack.pop();
        }
        Some(found.flatten())
    }
}

impl Iterator for Walk {
    type Item = Result<InputFile, ArchiveProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let input = match self.ready.pop_front() {
                Some(input) => Some(input),
                None => match self.step() {
                    Some(input) => input,
                    None => {
                        let input = self.inputs.pop_front()?;
                        self.begin(input)
                    }
                },
            };
            if input.is_some() {
                return input;
            }
        }
    }
}

fn problem(path: impl AsRef<Path>, fault: &Fault) -> Option<Result<InputFile, ArchiveProblem>> {
    Some(Err(fault.at(EntryName::file(path))))
}

/// Returns whether the name of `entry` begins with the prefix of ignored names.
fn is_ignored(entry: &DirEntry, prefix: &str) -> bool {
    let name = entry.file_name().as_encoded_bytes();
    !prefix.is_empty() && name.starts_with(prefix.as_bytes())
}

/// Returns the problem of a directory that cannot be listed.
fn unlisted(err: walkdir::Error) -> Option<Result<InputFile, ArchiveProblem>> {
    let path = err.path().unwrap_or(Path::new("")).to_path_buf();
    let err = err
        .into_io_error()
        .unwrap_or_else(|| io::ErrorKind::Other.into());
    problem(
        path,
        &Fault::new(
            ArchiveErrorKind::Unreadable,
            format!("cannot list the directory: {err}"),
        ),
    )
}

/// Returns whether the error means that a link has no target.
fn is_dangling(err: &io::Error) -> bool {
    // The kind for a link to itself has no stable name yet.
    err.kind() == io::ErrorKind::NotFound || format!("{:?}", err.kind()) == "FilesystemLoop"
}

fn is_ours(path: &Path) -> bool {
    // Extensions are ASCII, so replaced bytes do not matter.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    is_record_name(&name) || is_container_name(&name)
}

/// Returns the text of a list in UTF-8, without its byte order mark. PowerShell writes lists with
/// one, also in UTF-16.
fn as_utf8(mut list: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::new();
    (&mut list).take(3).read_to_end(&mut head)?;
    let (encoding, mark) = match Encoding::for_bom(&head) {
        Some((encoding, _)) if encoding == UTF_8 => return Ok(list),
        Some(found) => found,
        None => return Ok(Box::new(Cursor::new(head).chain(list))),
    };
    let mut text = head.split_off(mark);
    list.take(LONGEST_UTF16).read_to_end(&mut text)?;
    if text.len() as u64 > LONGEST_UTF16 {
        return Err(io::Error::other(format!(
            "a list in UTF-16 has more than {LONGEST_UTF16} bytes; write it in UTF-8"
        )));
    }
    let (text, _) = encoding.decode_without_bom_handling(&text);
    Ok(Box::new(Cursor::new(text.into_owned())))
}

/// Reads a line without its end; returns `None` at the end of the list.
fn next_line(lines: &mut impl BufRead, nul: bool) -> Result<Option<Vec<u8>>, Fault> {
    let mut line = Vec::new();
    let end = if nul { 0 } else { b'\n' };
    let len = lines
        .take(LONGEST_LINE)
        .read_until(end, &mut line)
        .map_err(|err| Fault::unreadable(&err))?;
    if len == 0 {
        return Ok(None);
    }
    if line.last() == Some(&end) {
        line.pop();
    } else if len as u64 == LONGEST_LINE {
        return Err(Fault::damaged(
            "a list of names",
            format_args!("a line longer than {LONGEST_LINE} bytes"),
        ));
    }
    if !nul && line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(line))
}

/// Parses a line of a list. Lists contain neither patterns nor other lists.
fn target_of(line: &[u8]) -> Target {
    std::str::from_utf8(line).map_or_else(|_| Target::parse_bytes(line), Target::parse)
}
