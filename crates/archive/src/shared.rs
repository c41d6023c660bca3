//! Members and games of one file that are named one by one (`x.zip!a.sgf#1`, `x.zip!b.sgf#2`, `y.sgf#17`): the file is read
//! once for all of them. What they name is kept in a temporary file until its turn comes, so the order of the names
//! stays, and memory does not grow with what they name.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::entry::{Entry, Item, ReadOptions};
use crate::name::EntryName;
use crate::problem::ArchiveProblem;
use crate::shared_entry::{FromStart, SharedEntry};
use crate::visitor::{Sink, Visited};

/// A file that several references name.
#[derive(Debug)]
pub(crate) struct SharedFile {
    /// By the name of the member; `""` is the file itself.
    wanted: HashMap<String, Wanted>,
    kept: OnceLock<Kept>,
}

/// Something that is named.
#[derive(Debug, Default)]
struct Wanted {
    /// The number of the first reference that names it, which is told its problems.
    first: usize,
    /// Games that are asked for.
    games: Vec<u64>,
}

/// Entries that the references name, when the file has been read.
#[derive(Debug, Default)]
struct Kept {
    pieces: Vec<Piece>,
    /// The pieces of each name; none for one that must be read on its own.
    of: HashMap<String, Option<Vec<usize>>>,
    visited: Visited,
}

#[derive(Debug)]
enum Piece {
    Entry { name: EntryName, is_plain: bool, entry: SharedEntry },
    Problem(ArchiveProblem),
}

/// The member that is named, as pieces are found by it.
fn key(member: Option<&str>) -> String {
    member.map_or_else(String::new, |member| member.trim_start_matches("./").replace("!./", "!"))
}

impl SharedFile {
    /// The file of references to these members and games, in their order.
    pub(crate) fn new<'r>(references: impl Iterator<Item = (Option<&'r str>, Option<u64>)>) -> Self {
        let mut wanted = HashMap::new();
        for (number, (member, game)) in references.enumerate() {
            let wanted = wanted.entry(key(member)).or_insert_with(|| Wanted { first: number, games: Vec::new() });
            wanted.games.extend(game);
        }
        for Wanted { games, .. } in wanted.values_mut() {
            games.sort_unstable();
            games.dedup();
        }
        Self { wanted, kept: OnceLock::new() }
    }

    /// Gives the entries of reference `number`, to this member and game, to `sink`. `read` reads some members of the file, or all
    /// of it; it is called once for all references. Nothing if this one must be read on its own.
    pub(crate) fn visit(
        &self,
        number: usize,
        (member, game): (Option<&str>, Option<u64>),
        options: &ReadOptions,
        read: impl FnOnce(&[&str], Sink<'_>) -> Visited,
        sink: &mut dyn FnMut(Item<'_>) -> ControlFlow<()>,
    ) -> Option<Visited> {
        let kept = self.kept.get_or_init(|| {
            let _turn = options.turn.lock().unwrap_or_else(PoisonError::into_inner);
            Keeper::new(&self.wanted, options).keep_all(read)
        });
        let key = key(member);
        let pieces = kept.of[&key].as_ref()?;
        // A name in bytes is known to the reader of the archive alone.
        if pieces.is_empty() && (kept.visited.is_mixed || key.contains("\\x")) {
            return None;
        }
        let is_found = !pieces.is_empty() || kept.visited.summary.problems > 0;
        let mut visited = Visited { is_found, ..Visited::default() };
        for &piece in pieces {
            let flow = match &kept.pieces[piece] {
                Piece::Problem(_) if number != self.wanted[&key].first => continue,
                Piece::Problem(problem) => {
                    visited.summary.problems += 1;
                    sink(Item::Problem(problem.clone()))
                }
                Piece::Entry { name, is_plain, entry } => {
                    visited.summary.entries += 1;
                    sink(Item::Entry(Entry {
                        name: name.clone(),
                        size: Some(entry.len()),
                        game,
                        is_plain: *is_plain,
                        window: 0,
                        shared: Some(entry),
                        read: &mut FromStart::new(entry),
                    }))
                }
            };
            if flow.is_break() {
                visited.summary.stopped = true;
                break;
            }
        }
        Some(visited)
    }
}

/// Reads a file and keeps what is named.
struct Keeper<'w> {
    wanted: &'w HashMap<String, Wanted>,
    /// The name in the first reference.
    first: &'w str,
    /// Bytes that the temporary file may have.
    most: u64,
    file: Option<Arc<Mutex<File>>>,
    end: u64,
    kept: Kept,
}

impl<'w> Keeper<'w> {
    fn new(wanted: &'w HashMap<String, Wanted>, options: &ReadOptions) -> Self {
        let of = wanted.keys().map(|name| (name.clone(), Some(Vec::new()))).collect();
        let kept = Kept { of, ..Kept::default() };
        let first = wanted.iter().min_by_key(|(_, wanted)| wanted.first).map_or("", |(name, _)| name);
        Self { wanted, first, most: options.caps.spool, file: None, end: 0, kept }
    }

    fn keep_all(mut self, read: impl FnOnce(&[&str], Sink<'_>) -> Visited) -> Kept {
        let members: Vec<&str> = self.wanted.keys().map(String::as_str).filter(|name| !name.is_empty()).collect();
        self.kept.visited = read(&members, &mut |item| {
            self.item(item);
            ControlFlow::Continue(())
        });
        self.kept
    }

    /// The names that are wanted and lead to `name`: of the member, and of archives around it.
    fn names(&self, name: &EntryName) -> Vec<&'w str> {
        let mut names = Vec::new();
        let mut path = String::new();
        let members = name.members().map(|member| member.trim_start_matches("./"));
        for (at, member) in std::iter::once("").chain(members).enumerate() {
            path += if at > 1 { "!" } else { "" };
            path += member;
            names.extend(self.wanted.get_key_value(&path).map(|(name, _)| name.as_str()));
        }
        names
    }

    fn item(&mut self, item: Item<'_>) {
        let (piece, names) = match item {
            Item::Problem(problem) => {
                // It is said once: for the first that names it, or else for the first of all.
                let names = self.names(&problem.at);
                let name = names.into_iter().min_by_key(|&name| self.wanted[name].first).unwrap_or(self.first);
                (Some(Piece::Problem(problem)), vec![name])
            }
            Item::Entry(entry) => {
                let names = self.names(&entry.name);
                (self.keep(entry, &names).ok(), names)
            }
        };
        for name in names {
            match self.kept.of.get_mut(name) {
                Some(Some(pieces)) if piece.is_some() => pieces.push(self.kept.pieces.len()),
                // There is no space to keep it.
                Some(pieces) => *pieces = None,
                None => {}
            }
        }
        self.kept.pieces.extend(piece);
    }

    fn keep(&mut self, mut entry: Entry<'_>, names: &[&str]) -> io::Result<Piece> {
        let mut games: Vec<u64> = names.iter().flat_map(|&name| self.wanted[name].games.iter().copied()).collect();
        games.sort_unstable();
        games.dedup();
        let (file, start, len, failed) = match entry.path() {
            Some(path) => {
                let file = File::open(path)?;
                let len = file.metadata()?.len();
                (Arc::new(Mutex::new(file)), 0, len, None)
            }
            None => {
                let (len, failed) = self.copy(&mut entry)?;
                let file = self.file.clone().ok_or(io::ErrorKind::NotFound)?;
                self.end += len;
                (file, self.end - len, len, failed)
            }
        };
        let piece = SharedEntry::new(file, start, len, failed, games);
        Ok(Piece::Entry { name: entry.name, is_plain: entry.is_plain, entry: piece })
    }

    /// Copies an entry to the end of the temporary file. An error is one of this file; how reading ended is a result.
    fn copy(&mut self, entry: &mut Entry<'_>) -> io::Result<(u64, Option<(io::ErrorKind, String)>)> {
        let file = match &self.file {
            Some(file) => file,
            None => self.file.insert(Arc::new(Mutex::new(tempfile::tempfile()?))),
        };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.end))?;
        let mut out = BufWriter::with_capacity(64 << 10, &mut *file);
        let mut buf = [0; 16 << 10];
        let mut len = 0;
        loop {
            match entry.read.read(&mut buf) {
                Ok(0) => break out.flush().map(|()| (len, None)),
                Ok(read) => {
                    len += read as u64;
                    if self.end + len > self.most {
                        return Err(io::ErrorKind::StorageFull.into());
                    }
                    out.write_all(&buf[..read])?;
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => break out.flush().map(|()| (len, Some((err.kind(), err.to_string())))),
            }
        }
    }
}
