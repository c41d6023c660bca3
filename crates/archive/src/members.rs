//! The contract between the formats and the visitor: a format finds the
//! members of a container, and whoever implements [`Members`] chooses and reads
//! them. So no format knows what is done with a member, or what is inside it.

use std::sync::Arc;

use crate::caps::Ledger;
use crate::fault::Fault;
use crate::picks::Picks;
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

/// A member that is to be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// The caller named it, so it is read whatever it looks like.
    pub(crate) is_named: bool,
    /// The caller named it by exactly these bytes.
    pub(crate) is_exact: bool,
    /// Members inside it that the caller named.
    pub(crate) inner: Option<Arc<Picks>>,
    /// Who asked for it, or for something inside it.
    pub(crate) takers: Arc<[usize]>,
}

/// Receives the members of one container.
pub(crate) trait Members {
    /// The counts that members are held against.
    fn ledger(&self) -> &Arc<Ledger>;

    /// How to read the member called `text`, or nothing if it is not wanted.
    /// `raw` are the bytes of its name, by which the caller may name it too.
    fn choose(&mut self, text: &str, raw: &[u8]) -> Option<Choice>;

    /// Says that a chosen member was read, in a container that has each name once. True if nothing else is wanted.
    fn is_done(&mut self, choice: &Choice) -> bool;

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
