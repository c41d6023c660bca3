//! References that come one after another: which of them name the same file.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use crate::fault::Fault;
use crate::name::EntryName;
use crate::problem::ArchiveProblem;
use crate::walk::input::{Reference, Target};
use crate::walk::work::Work;

/// Memory for the references that are taken together. Each file is read once for them.
const MEMORY: usize = 8 << 20;

/// A run of references, as they were named.
#[derive(Default)]
pub(crate) struct References(Vec<Target>);

impl References {
    /// True for a name of one member, or of one game of a file.
    pub(crate) fn is_one(target: &Target) -> bool {
        let is_one_member = |member: &str| !member.is_empty() && !member.ends_with('/') && !member.contains(['*', '?']);
        target.member.as_deref().map_or(target.game.is_some(), is_one_member) && target.path.is_file()
    }

    /// `first`, and those that `next` gives, until there are enough.
    pub(crate) fn collect(first: Target, mut next: impl FnMut() -> Option<Target>) -> Self {
        let mut references = Self::default();
        let mut bytes = 0;
        let mut target = Some(first);
        while let Some(found) = target {
            // Each text is held in some five places until its file has been read.
            bytes += 1024 + 5 * (found.path.as_os_str().len() + found.member.as_ref().map_or(0, String::len));
            references.0.push(found);
            target = if bytes < MEMORY { next() } else { None };
        }
        references
    }

    /// Work for each file that they name, in the order of the first reference to it.
    pub(crate) fn into_works(self) -> Vec<Result<Work, ArchiveProblem>> {
        let mut files: Vec<(PathBuf, Vec<Reference>)> = Vec::new();
        let mut places: HashMap<(PathBuf, bool), usize> = HashMap::new();
        for Target { path, member, game } in self.0 {
            // The games of a file as it is, and those of its members, are read separately.
            let place = *places.entry((path.clone(), member.is_some())).or_insert_with(|| {
                files.push((path, Vec::new()));
                files.len() - 1
            });
            files[place].1.push(Reference { member, game });
        }
        let work = |(path, references): (PathBuf, Vec<Reference>)| match fs::metadata(&path) {
            Ok(metadata) => Ok(Work::file(path, &metadata, true).of(references)),
            Err(err) => Err(Fault::unopened(&err).at(EntryName::file(&path))),
        };
        files.into_iter().map(work).collect()
    }
}
