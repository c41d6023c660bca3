//! Sets of games to read, in pieces.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use sgfstream::{EventReader, SliceReader, transcode};
use sgfstream_archive::{self as archive, Input};

/// Bytes of a piece. Reading it takes a few milliseconds, so in some of many rounds
/// nothing else on the machine disturbs it.
const PIECE: usize = 2 << 20;

/// The real archives, by the names of their files without `.tar.zst`.
const ARCHIVES: [&str; 9] = [
    "go-collections-derived",
    "go-server",
    "joseki",
    "tsumego",
    "go-commented",
    "go-ai",
    "go-pro",
    "cjk",
    "nongo",
];

/// A named set of games.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) pieces: Vec<Bytes>,
    /// For each piece, the ends of its files.
    ends: Vec<Vec<usize>>,
}

impl Set {
    /// One collection, cut between games.
    pub(crate) fn of(name: &str, collection: Vec<u8>) -> Self {
        let mut set = Self::empty(name);
        let bytes = Bytes::from(collection);
        let mut start = 0;
        let mut reader = SliceReader::new(&bytes);
        while reader.advance().expect("no limit is set") {
            let end = reader.offset() as usize;
            if reader.depth() == 1
                && reader.span().len() == 1
                && bytes[end - 1] == b')'
                && end - start >= PIECE
            {
                set.push(bytes.slice(start..end));
                start = end;
            }
        }
        if start < bytes.len() {
            set.push(bytes.slice(start..));
        }
        set
    }

    /// The files of all sets in a random order, the same in every run.
    /// `None` when there are no sets.
    pub(crate) fn mixed(sets: &[Self]) -> Option<Self> {
        let mut files: Vec<&[u8]> = sets
            .iter()
            .flat_map(|set| (0..set.pieces.len()).flat_map(|at| set.files(at)))
            .collect();
        fastrand::Rng::with_seed(1).shuffle(&mut files);
        let mut set = Self::empty("all archives mixed");
        set.push_files(&files);
        (!files.is_empty()).then_some(set)
    }

    fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            pieces: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn push(&mut self, piece: Bytes) {
        self.ends.push(vec![piece.len()]);
        self.pieces.push(piece);
    }

    /// Joins files until each piece is full.
    fn push_files(&mut self, files: &[&[u8]]) {
        let (mut piece, mut ends) = (Vec::new(), Vec::new());
        for (index, file) in files.iter().enumerate() {
            piece.extend_from_slice(file);
            ends.push(piece.len());
            if piece.len() >= PIECE || index + 1 == files.len() {
                self.pieces.push(Bytes::from(std::mem::take(&mut piece)));
                self.ends.push(std::mem::take(&mut ends));
            }
        }
    }

    /// All bytes.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(Bytes::len).sum()
    }

    /// The files of a piece.
    pub(crate) fn files(&self, at: usize) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends[at].iter().copied());
        starts
            .zip(&self.ends[at])
            .map(move |(start, &end)| &self.pieces[at][start..end])
    }
}

/// The real archives, packed or unpacked, in the directory that the environment
/// variable `SGF_CORPUS` names. This function transcodes UTF-16 and ISO-2022-JP
/// first, since the ratios do not time that.
pub(crate) fn archives() -> Vec<Set> {
    let Some(directory) = std::env::var_os("SGF_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: real archives, because SGF_CORPUS names no directory of them");
        return Vec::new();
    };
    if crate::support::data::is_test() {
        eprintln!("skipped: real archives, because only the answers are wanted");
        return Vec::new();
    }
    ARCHIVES
        .iter()
        .filter_map(|name| archive(&directory, name))
        .collect()
}

fn archive(directory: &Path, name: &str) -> Option<Set> {
    let packed = directory.join(format!("{name}.tar.zst"));
    let path = if packed.exists() {
        packed
    } else {
        directory.join(name)
    };
    if !path.exists() {
        eprintln!(
            "skipped: archive {name}, because {} is not there",
            path.display()
        );
        return None;
    }
    // Sort by name, so that packed and unpacked archives give equal pieces.
    let mut files = BTreeMap::new();
    archive::visit(
        &[Input::path(&path)],
        &archive::ReadOptions::default(),
        |item| {
            match item {
                Ok(entry) => {
                    let mut bytes = Vec::new();
                    entry
                        .read
                        .read_to_end(&mut bytes)
                        .expect("the archive is whole");
                    let bytes = transcode(&bytes).into_owned();
                    files.insert(entry.name.to_string(), bytes);
                }
                Err(problem) => eprintln!("{problem}"),
            }
            ControlFlow::Continue(())
        },
    );
    let mut set = Set::empty(name);
    // Cut a large collection between games.
    let mut small: Vec<&[u8]> = Vec::new();
    for bytes in files.values() {
        if bytes.len() >= PIECE {
            set.pieces.extend(Set::of(name, bytes.clone()).pieces);
        } else {
            small.push(bytes);
        }
    }
    set.ends = set.pieces.iter().map(|piece| vec![piece.len()]).collect();
    set.push_files(&small);
    Some(set)
}
