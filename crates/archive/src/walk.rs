//! From inputs to work: directories, globs and lists, one step at a time.
//! Holds the names of the directories it stands in, and nothing of the rest.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::fault::Fault;
use super::glob;
use super::input::{Input, Target};
use super::name::EntryName;
use super::problem::{ArchiveProblem, Trouble};
use super::sniff::{is_container_name, is_record_name};
use super::work::{Work, unopened};

/// A line of a list that is longer than this is no name.
const LONGEST_LINE: u64 = 64 << 10;

/// The work that inputs come to, in order: directories by name, lists by line.
///
/// Nothing is opened but directories and lists; the files are opened by
/// [`Work::visit`] or [`Work::kind`].
///
/// ```
/// use sgfstream_archive::{Input, Walk};
///
/// let work: Vec<_> = Walk::new(vec![Input::path("../../corpus/packed")]).filter_map(Result::ok).collect();
/// assert!(work.iter().any(|work| work.path().is_some_and(|path| path.ends_with("two.zip"))));
/// assert!(work.iter().all(|work| work.size().is_some()));
/// ```
#[derive(Debug)]
pub struct Walk {
    inputs: VecDeque<Input>,
    stack: Vec<Step>,
    /// Directories that are walked, links resolved. A link into one of them
    /// is not followed: what it shows is seen anyway, and circles end.
    roots: Vec<PathBuf>,
}

#[derive(Debug)]
enum Step {
    /// Names of a directory, the last one first.
    Directory(Vec<PathBuf>),
    List {
        lines: BufReader<ListFile>,
        name: PathBuf,
        nul: bool,
    },
    Glob(Vec<PathBuf>),
}

#[derive(Debug)]
enum ListFile {
    File(File),
    Stdin(io::Stdin),
}

impl Read for ListFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(out),
            Self::Stdin(stdin) => stdin.read(out),
        }
    }
}

impl Walk {
    /// The work of `inputs`.
    #[must_use]
    pub fn new(inputs: impl Into<Vec<Input>>) -> Self {
        Self { inputs: inputs.into().into(), stack: Vec::new(), roots: Vec::new() }
    }

    fn begin(&mut self, input: Input) -> Option<Result<Work, ArchiveProblem>> {
        self.roots.clear();
        match input {
            Input::Stdin => Some(Ok(Work::stdin())),
            Input::Path(target) => self.target(target),
            Input::Glob(pattern) => {
                let mut paths = glob::expand(&pattern);
                if paths.is_empty() {
                    let fault = Fault::new(Trouble::NotFound, "a file that fits the pattern", "none");
                    return Some(Err(problem(&pattern, &fault)));
                }
                paths.reverse();
                self.stack.push(Step::Glob(paths));
                None
            }
            Input::List { path, nul } => {
                let file = if path == Path::new("-") {
                    Ok(ListFile::Stdin(io::stdin()))
                } else {
                    File::open(&path).map(ListFile::File)
                };
                match file {
                    Ok(file) => {
                        self.stack.push(Step::List { lines: BufReader::new(file), name: path, nul });
                        None
                    }
                    Err(err) => Some(Err(problem(&path, &unopened(&err)))),
                }
            }
        }
    }

    fn target(&mut self, target: Target) -> Option<Result<Work, ArchiveProblem>> {
        let Target { path, member, game } = target;
        if path == Path::new("-") && member.is_some() {
            return Some(Ok(Work::stdin().of(member, game)));
        }
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                self.roots.clear();
                self.roots.extend(fs::canonicalize(&path).ok());
                self.directory(&path)
            }
            Ok(metadata) => Some(Ok(Work::file(path, &metadata, true).of(member, game))),
            Err(err) => Some(Err(problem(&path, &unopened(&err)))),
        }
    }

    fn directory(&mut self, path: &Path) -> Option<Result<Work, ArchiveProblem>> {
        match fs::read_dir(path).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect()) {
            Ok(paths) => {
                let mut paths: Vec<PathBuf> = paths;
                paths.sort_unstable_by(|a, b| b.cmp(a));
                self.stack.push(Step::Directory(paths));
                None
            }
            Err(err) => {
                Some(Err(problem(path, &Fault::new(Trouble::Unreadable, "a readable directory", err.to_string()))))
            }
        }
    }

    /// Something found in a directory: walked into, taken, or passed over.
    fn found(&mut self, path: PathBuf) -> Option<Result<Work, ArchiveProblem>> {
        let own = fs::symlink_metadata(&path).ok()?;
        let is_link = own.is_symlink();
        let metadata = match if is_link { fs::metadata(&path) } else { Ok(own) } {
            Ok(metadata) => metadata,
            // A link to nowhere, or a file gone since: only worth a word if
            // its name promised something.
            Err(err) if is_ours(&path) => return Some(Err(problem(&path, &unopened(&err)))),
            Err(_) => return None,
        };
        if metadata.is_file() {
            return is_ours(&path).then(|| Ok(Work::file(path, &metadata, false)));
        }
        if !metadata.is_dir() {
            return None;
        }
        if is_link {
            let real = fs::canonicalize(&path).ok()?;
            if self.roots.iter().any(|root| real.starts_with(root)) {
                return None;
            }
            self.roots.push(real);
        }
        self.directory(&path)
    }

    fn step(&mut self) -> Option<Option<Result<Work, ArchiveProblem>>> {
        Some(match self.stack.last_mut()? {
            Step::Directory(paths) => match paths.pop() {
                Some(path) => self.found(path),
                None => {
                    self.stack.pop();
                    None
                }
            },
            Step::Glob(paths) => match paths.pop() {
                Some(path) => self.target(Target { path, member: None, game: None }),
                None => {
                    self.stack.pop();
                    None
                }
            },
            Step::List { lines, name, nul } => match next_line(lines, *nul) {
                Ok(Some(line)) if line.is_empty() => None,
                Ok(Some(line)) => {
                    let target = target_of(&line);
                    self.target(target)
                }
                Ok(None) => {
                    self.stack.pop();
                    None
                }
                Err(fault) => {
                    let problem = problem(&*name, &fault);
                    self.stack.pop();
                    Some(Err(problem))
                }
            },
        })
    }
}

impl Iterator for Walk {
    type Item = Result<Work, ArchiveProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let work = match self.step() {
                Some(work) => work,
                None => {
                    let input = self.inputs.pop_front()?;
                    self.begin(input)
                }
            };
            if work.is_some() {
                return work;
            }
        }
    }
}

fn problem(path: impl AsRef<Path>, fault: &Fault) -> ArchiveProblem {
    ArchiveProblem {
        at: EntryName::file(path),
        trouble: fault.trouble,
        expected: fault.expected.clone(),
        found: fault.found.clone(),
    }
}

fn is_ours(path: &Path) -> bool {
    // Only ASCII matters, so a name that is no Unicode may be shown roughly.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    is_record_name(&name) || is_container_name(&name)
}

/// A line, without what ends it; nothing at the end of the list.
fn next_line(lines: &mut impl BufRead, nul: bool) -> Result<Option<Vec<u8>>, Fault> {
    let mut line = Vec::new();
    let end = if nul { 0 } else { b'\n' };
    let len = lines.take(LONGEST_LINE).read_until(end, &mut line).map_err(|err| Fault::unreadable(&err))?;
    if len == 0 {
        return Ok(None);
    }
    if line.last() == Some(&end) {
        line.pop();
    } else if len as u64 == LONGEST_LINE {
        return Err(Fault::damaged("a list of names", format!("a line longer than {LONGEST_LINE} bytes")));
    }
    if !nul && line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(line))
}

/// What a line of a list names; patterns and lists are not read in lists.
fn target_of(line: &[u8]) -> Target {
    std::str::from_utf8(line).map_or_else(|_| Target::parse_bytes(line), Target::parse)
}
