//! What is wrong with a file, gathered while its tree is written.

use std::collections::HashSet;

use serde_json::{Value, json};

use sgfstream::base::{Code, Position, Problem, Severity, Span};
use sgfstream::event::{Event, Ident, Place};
use sgfstream::game::Game;
use sgfstream::state::{GameState, Info};

/// So many are kept; what comes beyond is counted.
const KEPT: usize = 100_000;

/// Identifiers of a node that are remembered, but for single capitals.
const IDENTS: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Diagnostics {
    kept: Vec<Value>,
    dropped: u64,
    worst: Option<Severity>,
    state: GameState,
    /// Identifiers of the node: single capitals, a bit each, and others.
    capitals: u32,
    idents: HashSet<Vec<u8>>,
    /// One note a game is enough.
    assumed_in: u64,
}

impl Diagnostics {
    /// Looks at an event; `position_of` finds lines and columns.
    pub(super) fn look(&mut self, event: &Event<'_>, place: &Place, position_of: impl Fn(u64) -> Position) {
        let _ = self.state.event(event, place);
        match event {
            Event::Problem(problem) => self.add(*problem, place.game, &position_of),
            Event::NodeStart { .. } => {
                self.capitals = 0;
                self.idents.clear();
            }
            Event::Property(property) => {
                let len = property.ident().as_bytes().len() as u64;
                self.ident(property.ident(), len, place, &position_of);
            }
            Event::PropertyPart(part) if part.is_property_start() => {
                self.ident(part.ident(), place.span.len(), place, &position_of);
            }
            _ => {}
        }
    }

    /// Is the identifier in its node twice, or not of FF\[4\]?
    fn ident(&mut self, ident: Ident<'_>, len: u64, place: &Place, position_of: &impl Fn(u64) -> Position) {
        let is_new = match *ident.as_bytes() {
            [capital @ b'A'..=b'Z'] => {
                let bit = 1 << (capital - b'A');
                let is_new = self.capitals & bit == 0;
                self.capitals |= bit;
                is_new
            }
            _ => {
                let ident = ident.canonical();
                let is_new = !self.idents.contains(&*ident);
                if is_new && self.idents.len() < IDENTS {
                    self.idents.insert(ident.into_owned());
                }
                is_new
            }
        };
        let game = self.state.game();
        let has_digits = game.variant().is_some() || game.is_boardspace() || game == Game::Other;
        let is_ff4 = self.state.value(Info::FF).is_some_and(|value| value.as_bytes().trim_ascii() == b"4");
        let code = if !is_new {
            Code::DuplicateProperty
        } else if is_ff4 && !has_digits && ident.as_bytes().iter().any(u8::is_ascii_digit) {
            Code::DigitInIdentifier
        } else {
            return;
        };
        let span = Span::new(place.span.start, place.span.start + len);
        self.add(Problem::new(code, span), place.game, position_of);
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
