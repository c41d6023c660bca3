//! Counts unparseable bytes inside games, which commands that write the games drop.

use sgfstream::{Code, Event, Place};
use sgfstream_adapt::edit::UNREAD;

use super::exit::Exit;
use super::terminal;

/// Counter of unparseable bytes in the events of inputs. Text between games does not count.
///
/// It works without gap events, which would slow the reader down. If a problem was reported between two events, the bytes
/// between them are more than whitespace.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    bytes: u64,
    /// Place of the first such bytes.
    first: Option<String>,
    /// Start of the last node or parenthesis, and end of the last event.
    node: u64,
    end: u64,
    /// Start of the first problem after the last event.
    problem: Option<u64>,
}

impl Unread {
    /// Handles an event of the input `name`.
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

    /// Adds the counts of the inputs after these.
    pub(crate) fn merge(&mut self, later: Self) {
        self.bytes += later.bytes;
        self.first = self.first.take().or(later.first);
    }

    /// Returns whether there were no such bytes.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Reports the number of such bytes, if any, and returns the exit status.
    pub(crate) fn print_summary(&self) -> Exit {
        let Some(first) = &self.first else { return Exit::Done };
        terminal::print_line(&format!("sgfq: {UNREAD} ({}; first in {first})", self.bytes));
        Exit::Found
    }
}
