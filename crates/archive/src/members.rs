//! Interface between formats and the visitor: a format finds the members of a container, and
//! [`Members`] selects and reads them. So no format depends on the use of members, or on their
//! content.

use std::sync::Arc;

use crate::caps::Ledger;
use crate::fault::Fault;
use crate::member_selection::{Choice, is_macos_metadata};
use crate::name::EntryName;
use crate::stream::Source;
use crate::walk::visitor::{Context, Visitor};

/// Marker that the caller wants no more items.
#[derive(Debug)]
pub(crate) struct Stop;

/// Reason to stop reading a container.
#[derive(Debug)]
pub(crate) enum Halt {
    Stop,
    /// A fault of the container as a whole.
    Fault(Fault),
}

impl From<Stop> for Halt {
    fn from(_: Stop) -> Self {
        Self::Stop
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Members of the container called `name`.
pub(crate) struct Members<'i, 'v> {
    pub(crate) visitor: &'i mut Visitor<'v>,
    pub(crate) name: &'i EntryName,
    pub(crate) context: Context<'i>,
}

impl Members<'_, '_> {
    /// Returns the counters that members are added to.
    pub(crate) fn ledger(&self) -> &Arc<Ledger> {
        &self.visitor.ledger
    }

    /// Returns how to read the member called `text`; `None` if it is not selected. `raw` are the
    /// bytes of its name, which the caller may also use to name it.
    pub(crate) fn choose(&mut self, text: &str, raw: &[u8]) -> Option<Choice> {
        let Some(picks) = self.context.picks else {
            let games = self.context.games.map(<[u64]>::to_vec);
            return (self.context.is_all || !is_macos_metadata(text)).then(|| Choice {
                games,
                ..Choice::default()
            });
        };
        let choice = picks.find(text, raw)?;
        if choice.is_exact && self.visitor.done.contains(&self.name.member(text)) {
            return None;
        }
        self.visitor.visited.found.extend(&choice.numbers);
        Some(choice)
    }

    /// Records that the member called `text` was read, in a container whose names are unique.
    /// Returns whether all selected members are read.
    pub(crate) fn is_done(&mut self, text: &str, choice: &Choice) -> bool {
        let Visitor { done, wanted, .. } = &mut *self.visitor;
        if choice.is_exact {
            done.insert(self.name.member(text));
        }
        *wanted > 0 && done.len() >= *wanted
    }

    /// Reads a selected member; `window` is the memory of its own decoder.
    pub(crate) fn read(
        &mut self,
        member: &str,
        choice: Choice,
        size: Option<u64>,
        window: u64,
        source: &mut dyn Source,
    ) -> Result<(), Stop> {
        let context = Context {
            level: self.context.level,
            is_named: choice.is_named || self.context.is_all,
            is_all: self.context.is_all,
            is_record: self.context.is_record,
            picks: choice.inner.as_deref(),
            is_whole: !choice.numbers.is_empty(),
            games: choice.games.as_deref(),
            size,
            window: self.context.window + window,
            ..Context::default()
        };
        self.visitor
            .content(&self.name.member(member), source, context)
    }

    /// Reports a fault of `member`, or of the container if `member` is `None`.
    pub(crate) fn report(&mut self, member: Option<&str>, fault: &Fault) -> Result<(), Stop> {
        match member {
            Some(member) => self.visitor.problem(&self.name.member(member), fault),
            None => self.visitor.problem(self.name, fault),
        }
    }
}
