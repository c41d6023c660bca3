//! References that come one after another: which of them name the same file.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::fault::Fault;
use crate::input::Target;
use crate::name::EntryName;
use crate::problem::ArchiveProblem;
use crate::shared::SharedFile;
use crate::work::Work;

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
            // Each text is held in some five places until the file has been read.
            bytes += 1024 + 5 * (found.path.as_os_str().len() + found.member.as_ref().map_or(0, String::len));
            references.0.push(found);
            target = if bytes < MEMORY { next() } else { None };
        }
        references
    }

    /// The work that they are, in their order.
    pub(crate) fn into_works(self) -> Vec<Result<Work, ArchiveProblem>> {
        let mut places: HashMap<(&Path, bool), Vec<usize>> = HashMap::new();
        for (at, target) in self.0.iter().enumerate() {
            places.entry((&target.path, target.member.is_some())).or_default().push(at);
        }
        let mut shared: Vec<Option<(Arc<SharedFile>, usize)>> = vec![None; self.0.len()];
        for places in places.into_values().filter(|places| places.len() > 1) {
            let references = places.iter().map(|&at| (self.0[at].member.as_deref(), self.0[at].game));
            let file = Arc::new(SharedFile::new(references));
            places.into_iter().enumerate().for_each(|(number, at)| shared[at] = Some((Arc::clone(&file), number)));
        }
        let works = self.0.into_iter().zip(shared).map(|(target, shared)| match fs::metadata(&target.path) {
            Ok(metadata) => Ok(Work::file(target.path, &metadata, true).of(target.member, target.game).shared(shared)),
            Err(err) => Err(Fault::unopened(&err).at(EntryName::file(&target.path))),
        });
        works.collect()
    }
}
