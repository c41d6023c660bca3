//! Counts unparseable bytes inside games, which commands that write the games drop.

use sgfstream::record::{GameRecord, TokenKind};
use sgfstream::{Code, Problem};
use sgfstream_adapt::edit::UNREAD;

use super::exit::Exit;
use super::terminal;

/// Counter of unparseable bytes in games. Text between games does not count.
///
/// If the reader reports a problem between two tokens, the bytes between them are more than
/// whitespace.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    bytes: u64,
    /// Place of the first such bytes.
    first: Option<String>,
    /// Start of the last node or parenthesis, and end of the last token.
    node: u64,
    end: u64,
    /// Start of the first problem after the last token.
    problem: Option<u64>,
}

impl Unread {
    /// Counts the bytes in a game of the input `name`.
    pub(crate) fn add(&mut self, game: &GameRecord<'_>, name: &str) {
        let mut problems = game.problems()[game.problems_before().len()..].iter();
        (self.problem, self.end) = (None, game.span().start);
        for &token in game.tokens() {
            let span = game.span_of(token);
            if token.kind() == TokenKind::Problem {
                if let Some(problem) = problems.next() {
                    self.note_problem(problem);
                }
                continue;
            }
            let node = match token.kind() {
                TokenKind::Run => token
                    .places()
                    .last()
                    .map(|place| game.span().start + place as u64 - 1),
                TokenKind::Move | TokenKind::Property => None,
                _ => Some(span.start),
            };
            self.count_before(span.start, name);
            self.node = node.unwrap_or(self.node);
            self.end = span.end;
        }
    }

    fn note_problem(&mut self, problem: &Problem) {
        let is_text = !problem.span.is_empty()
            && problem.span.start >= self.end
            && problem.code != Code::NulByte;
        self.problem = self.problem.or(is_text.then_some(problem.span.start));
    }

    /// Counts the bytes before a token at `start`, if a problem says that they are text.
    fn count_before(&mut self, start: u64, name: &str) {
        if self.problem.take().is_some_and(|problem| problem < start) {
            self.bytes += start - self.end;
            self.first
                .get_or_insert_with(|| format!("{name}, byte {}", self.node));
        }
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
        let Some(first) = &self.first else {
            return Exit::Done;
        };
        terminal::print_line(&format!(
            "sgfq: {UNREAD} ({}; first in {first})",
            self.bytes
        ));
        Exit::Found
    }
}
