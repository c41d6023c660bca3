//! Bytes inside games that no reader understands, and that a command which writes the games leaves out.

use sgfstream::{Code, Event, Place};
use sgfstream_adapt::rewrite::UNREAD;

use super::exit::Exit;
use super::terminal;

/// Counts them in the events of inputs. Text between games does not count.
///
/// The events have no gaps, which would take the reader longer. What lies between two events is more than blanks if a problem
/// was reported there.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    bytes: u64,
    /// Where they were first.
    first: Option<String>,
    /// Where the last node or parenthesis begins, and where the last event ends.
    node: u64,
    end: u64,
    /// Where the first problem since then begins.
    problem: Option<u64>,
}

impl Unread {
    /// Takes an event of the input of this name.
    #[inline]
    pub(crate) fn take(&mut self, event: &Event<'_>, place: &Place, name: &str) {
        let start = place.span.start;
        if let Event::Problem(problem) = event {
            let is_text = !problem.span.is_empty() && problem.span.start >= self.end && problem.code != Code::NulByte;
            self.problem = self.problem.or(is_text.then_some(problem.span.start));
            return;
        }
        let is_text = self.problem.take().is_some_and(|problem| problem < start);
        let is_mark =
            matches!(event, Event::NodeStart { .. } | Event::VariationStart { .. } | Event::VariationEnd { .. });
        let begins_game = place.depth == 1 && matches!(event, Event::VariationStart { .. });
        if is_text && !begins_game {
            self.bytes += start - self.end;
            self.first.get_or_insert_with(|| format!("{name}, byte {}", self.node));
        }
        if is_mark {
            self.node = start;
        }
        self.end = place.span.end;
    }

    /// True if there were none.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Says how many they are, if any, and gives the exit status for that.
    pub(crate) fn tell(&self) -> Exit {
        let Some(first) = &self.first else { return Exit::Done };
        terminal::say(&format!("sgfq: {UNREAD} ({}; first in {first})", self.bytes));
        Exit::Found
    }
}
