//! Members and games of one file that are named one by one (`x.zip!a.sgf#1`, `x.zip!b.sgf#2`, `y.sgf#17`): the file is read
//! once for all of them. What they name is kept in a temporary file until its turn comes, so the order of the names
//! stays, and memory does not grow with what they name.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::entry::{Entry, Item, ReadOptions, Summary};
use crate::fault::Fault;
use crate::name::EntryName;
use crate::picks::Picks;
use crate::problem::{ArchiveProblem, Trouble};
use crate::shared_entry::{FromStart, SharedEntry};
use crate::visitor::{Sink, Visited};

/// A file that several references name.
#[derive(Debug)]
pub(crate) struct SharedFile {
    /// The member and the game of each.
    wanted: Vec<(Option<String>, Option<u64>)>,
    kept: OnceLock<Kept>,
}

/// Entries that the references name, when the file has been read.
#[derive(Debug)]
struct Kept {
    pieces: Vec<Piece>,
    /// The pieces of each reference; none for one that must be read on its own.
    of: Vec<Option<Vec<usize>>>,
}

#[derive(Debug)]
enum Piece {
    Entry { name: EntryName, is_plain: bool, entry: SharedEntry },
    Problem(ArchiveProblem),
}

impl SharedFile {
    pub(crate) fn new(wanted: Vec<(Option<String>, Option<u64>)>) -> Self {
        Self { wanted, kept: OnceLock::new() }
    }

    /// Gives the entries of reference `number` to `sink`. `read` reads the file, which is called `name`; it is called
    /// once for all references. Nothing if this one must be read on its own.
    pub(crate) fn visit(
        &self,
        number: usize,
        name: &EntryName,
        options: &ReadOptions,
        read: impl FnOnce(Option<&Picks>, &[usize], Sink<'_>) -> Visited,
        sink: &mut dyn FnMut(Item<'_>) -> ControlFlow<()>,
    ) -> Option<Summary> {
        let kept = self.kept.get_or_init(|| {
            let _turn = options.turn.lock().unwrap_or_else(PoisonError::into_inner);
            Keeper::new(&self.wanted, options).keep_all(name, read)
        });
        let pieces = kept.of[number].as_ref()?;
        let mut summary = Summary::default();
        for &piece in pieces {
            let flow = match &kept.pieces[piece] {
                Piece::Problem(problem) => {
                    summary.problems += 1;
                    sink(Item::Problem(problem.clone()))
                }
                Piece::Entry { name, is_plain, entry } => {
                    summary.entries += 1;
                    sink(Item::Entry(Entry {
                        name: name.clone(),
                        size: Some(entry.len()),
                        game: self.wanted[number].1,
                        is_plain: *is_plain,
                        window: 0,
                        shared: Some(entry),
                        read: &mut FromStart::new(entry),
                    }))
                }
            };
            if flow.is_break() {
                summary.stopped = true;
                break;
            }
        }
        Some(summary)
    }
}

/// Reads a file and keeps what is named.
struct Keeper<'w> {
    wanted: &'w [(Option<String>, Option<u64>)],
    /// Bytes that the temporary file may have.
    most: u64,
    file: Option<Arc<Mutex<File>>>,
    end: u64,
    kept: Kept,
}

impl<'w> Keeper<'w> {
    fn new(wanted: &'w [(Option<String>, Option<u64>)], options: &ReadOptions) -> Self {
        let of = wanted.iter().map(|_| Some(Vec::new())).collect();
        let kept = Kept { pieces: Vec::new(), of };
        Self { wanted, most: options.caps.spool, file: None, end: 0, kept }
    }

    fn keep_all(mut self, name: &EntryName, read: impl FnOnce(Option<&Picks>, &[usize], Sink<'_>) -> Visited) -> Kept {
        let takers: Vec<usize> = (0..self.wanted.len()).collect();
        let members =
            self.wanted.iter().enumerate().filter_map(|(taker, (member, _))| Some((member.as_deref()?, taker)));
        let picks = Picks::new(members);
        let picks = (!picks.is_empty()).then_some(&picks);
        let visited = read(picks, &takers, &mut |item, takers| {
            self.item(item, takers);
            ControlFlow::Continue(())
        });
        for &taker in &visited.left {
            self.kept.of[taker] = None;
        }
        if visited.summary.problems == 0 {
            let missing = takers.iter().filter(|taker| !visited.found.contains(taker) && picks.is_some());
            for &taker in missing {
                if let Some(member) = &self.wanted[taker].0 {
                    let fault = Fault::new(Trouble::NotFound, format!("a member `{member}`"), "none");
                    self.add(Piece::Problem(fault.at(name.clone())), &[taker]);
                }
            }
        }
        self.kept
    }

    fn add(&mut self, piece: Piece, takers: &[usize]) {
        for &taker in takers {
            if let Some(pieces) = &mut self.kept.of[taker] {
                pieces.push(self.kept.pieces.len());
            }
        }
        self.kept.pieces.push(piece);
    }

    fn item(&mut self, item: Item<'_>, takers: &[usize]) {
        match item {
            // It is said once.
            Item::Problem(problem) => self.add(Piece::Problem(problem), &takers[..takers.len().min(1)]),
            Item::Entry(entry) => match self.keep(entry, takers) {
                Ok(piece) => self.add(piece, takers),
                // There is no space to keep it.
                Err(_) => takers.iter().for_each(|&taker| self.kept.of[taker] = None),
            },
        }
    }

    fn keep(&mut self, mut entry: Entry<'_>, takers: &[usize]) -> io::Result<Piece> {
        let mut games: Vec<u64> = takers.iter().filter_map(|&taker| self.wanted[taker].1).collect();
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
