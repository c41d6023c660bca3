//! The contract between the formats and the visitor: a format finds the
//! members of a container, and whoever implements [`Members`] chooses and reads
//! them. So no format knows what is done with a member, or what is inside it.

use std::sync::Arc;

use crate::caps::Ledger;
use crate::fault::Fault;
use crate::member_selection::Choice;
use crate::stream::Source;

/// The caller wants no more items.
#[derive(Debug)]
pub(crate) struct Stop;

/// Why a container is not read further.
#[derive(Debug)]
pub(crate) enum Halt {
    Stop,
    /// Reported for the container as a whole.
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

/// Receives the members of one container.
pub(crate) trait Members {
    /// The counts that members are held against.
    fn ledger(&self) -> &Arc<Ledger>;

    /// How to read the member called `text`, or nothing if it is not wanted.
    /// `raw` are the bytes of its name, by which the caller may name it too.
    fn choose(&mut self, text: &str, raw: &[u8]) -> Option<Choice>;

    /// Says that the member called `text` was read, in a container that has each name once. True if nothing else is
    /// wanted.
    fn is_done(&mut self, text: &str, choice: &Choice) -> bool;

    /// Reads a chosen member; `window` is the memory of its own decoder.
    fn read(
        &mut self,
        member: &str,
        choice: Choice,
        size: Option<u64>,
        window: u64,
        source: &mut dyn Source,
    ) -> Result<(), Stop>;

    /// Reports a fault of `member`, or of the container.
    fn report(&mut self, member: Option<&str>, fault: &Fault) -> Result<(), Stop>;
}
