//! What is wrong with a file, gathered while its tree is written.

use serde_json::{Value, json};

use sgfstream::adapt::NodeIdents;
use sgfstream::base::{Code, Position, Problem, Severity, Span};
use sgfstream::event::{Event, Place};

/// So many are kept; what comes beyond is counted.
const KEPT: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct Diagnostics {
    kept: Vec<Value>,
    dropped: u64,
    worst: Option<Severity>,
    idents: NodeIdents,
    /// One note a game is enough.
    assumed_in: u64,
}

impl Diagnostics {
    /// Looks at an event; `position_of` finds lines and columns.
    pub(super) fn look(&mut self, event: &Event<'_>, place: &Place, position_of: impl Fn(u64) -> Position) {
        match event {
            Event::Problem(problem) => self.add(*problem, place.game, &position_of),
            event => {
                if let Some(code) = self.idents.look(event, place.depth) {
                    let len = match event {
                        Event::Property(property) => property.ident().as_bytes().len() as u64,
                        _ => place.span.len(),
                    };
                    let span = Span::new(place.span.start, place.span.start + len);
                    self.add(Problem::new(code, span), place.game, &position_of);
                }
            }
        }
    }

    /// A value of the event at `place` was no text in the game's charset.
    pub(super) fn invalid_bytes(&mut self, place: &Place, position_of: impl Fn(u64) -> Position) {
        self.add(Problem::new(Code::InvalidBytes, place.span), place.game, &position_of);
    }

    /// A value beyond ASCII was read, and the game names no charset.
    pub(super) fn assumed_charset(&mut self, place: &Place, position_of: impl Fn(u64) -> Position) {
        if self.assumed_in != place.game {
            self.assumed_in = place.game;
            self.add(Problem::new(Code::AssumedCharset, place.span), place.game, &position_of);
        }
    }

    fn add(&mut self, problem: Problem, game: u64, position_of: &impl Fn(u64) -> Position) {
        self.worst = self.worst.max(Some(problem.severity()));
        if self.kept.len() == KEPT {
            self.dropped += 1;
            return;
        }
        let position = position_of(problem.span.start);
        self.kept.push(json!({
            "severity": problem.severity().as_str(),
            "code": problem.code.as_str(),
            "sgfc": problem.code.sgfc(),
            "message": problem.code.message(),
            "byte": position.byte,
            "line": position.line,
            "column": position.column,
            "game": game,
        }));
    }

    pub(super) fn status(&self) -> &'static str {
        if self.worst == Some(Severity::Error) { "error" } else { "ok" }
    }

    /// How many there were beyond those that were kept.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) fn into_json(self) -> Value {
        Value::Array(self.kept)
    }
}
