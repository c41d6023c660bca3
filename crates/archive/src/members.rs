//! Interface between formats and the visitor: a format finds the members of a container, and an implementation of
//! [`Members`] selects and reads them. So no format depends on the use of members, or on their content.

use std::sync::Arc;

use crate::caps::Ledger;
use crate::fault::Fault;
use crate::member_selection::Choice;
use crate::stream::Source;

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

/// Receiver of the members of one container.
pub(crate) trait Members {
    /// Returns the counters that members are added to.
    fn ledger(&self) -> &Arc<Ledger>;

    /// Returns how to read the member called `text`; `None` if it is not selected. `raw` are the bytes of its name,
    /// which the caller may also use to name it.
    fn choose(&mut self, text: &str, raw: &[u8]) -> Option<Choice>;

    /// Records that the member called `text` was read, in a container whose names are unique. Returns whether all
    /// selected members are read.
    fn is_done(&mut self, text: &str, choice: &Choice) -> bool;

    /// Reads a selected member; `window` is the memory of its own decoder.
    fn read(
        &mut self,
        member: &str,
        choice: Choice,
        size: Option<u64>,
        window: u64,
        source: &mut dyn Source,
    ) -> Result<(), Stop>;

    /// Reports a fault of `member`, or of the container if `member` is `None`.
    fn report(&mut self, member: Option<&str>, fault: &Fault) -> Result<(), Stop>;
}
