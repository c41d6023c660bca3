//! Groups consecutive references by the file that they name.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use crate::fault::Fault;
use crate::name::EntryName;
use crate::problem::ArchiveProblem;
use crate::walk::input::{Reference, Target};
use crate::walk::input_file::InputFile;

/// Memory for the references of one group. Each file is read once for a group.
const MEMORY: usize = 8 << 20;

/// Consecutive references, in the order of the caller.
#[derive(Default)]
pub(crate) struct References(Vec<Target>);

impl References {
    /// Returns whether the target is one member, or one game of a file.
    pub(crate) fn is_one(target: &Target) -> bool {
        let is_one_member = |member: &str| {
            !member.is_empty() && !member.ends_with('/') && !member.contains(['*', '?'])
        };
        target
            .member
            .as_deref()
            .map_or(target.game.is_some(), is_one_member)
            && target.path.is_file()
    }

    /// Collects `first` and the references of `next`, until they reach the memory limit.
    pub(crate) fn collect(first: Target, mut next: impl FnMut() -> Option<Target>) -> Self {
        let mut references = Self::default();
        let mut bytes = 0;
        let mut target = Some(first);
        while let Some(found) = target {
            // Each text is stored about five times until its file has been read.
            bytes += 1024
                + 5 * (found.path.as_os_str().len() + found.member.as_ref().map_or(0, String::len));
            references.0.push(found);
            target = if bytes < MEMORY { next() } else { None };
        }
        references
    }

    /// Returns an input file for each file, in the order of the first reference to it.
    pub(crate) fn into_inputs(self) -> Vec<Result<InputFile, ArchiveProblem>> {
        let mut files: Vec<(PathBuf, Vec<Reference>)> = Vec::new();
        let mut places: HashMap<(PathBuf, bool), usize> = HashMap::new();
        for Target { path, member, game } in self.0 {
            // Games of the file itself and games of its members are read separately.
            let place = *places
                .entry((path.clone(), member.is_some()))
                .or_insert_with(|| {
                    files.push((path, Vec::new()));
                    files.len() - 1
                });
            files[place].1.push(Reference { member, game });
        }
        let input = |(path, references): (PathBuf, Vec<Reference>)| match fs::metadata(&path) {
            Ok(metadata) => Ok(InputFile::file(path, &metadata, true).of(references)),
            Err(err) => Err(Fault::unopened(&err).at(EntryName::file(&path))),
        };
        files.into_iter().map(input).collect()
    }
}
