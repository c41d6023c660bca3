//! The problems of a file, gathered while its tree is written.

use std::collections::HashSet;
use std::io::Write;

use serde_json::{Value, json};

use crate::report::json;
use sgfstream::base::{Code, Problem, Severity, Span};
use sgfstream::event::{Event, Ident, Place};
use sgfstream::game::Game;
use sgfstream::read::EventReader;
use sgfstream::state::{GameState, Info};
use sgfstream_engine::PartReader;

/// How many are kept; further ones are counted.
const KEPT: usize = 100_000;

/// Identifiers of a node that are remembered, besides single capitals.
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
    /// The last game with a note about its charset: one note a game is enough.
    assumed_in: u64,
}

impl Diagnostics {
    /// Looks for problems in an event; `reader` knows lines and columns.
    pub(super) fn look(&mut self, event: &Event<'_>, place: &Place, reader: &PartReader<'_>) {
        let _ = self.state.event(event, place);
        match event {
            Event::Problem(problem) => self.add(*problem, place, reader),
            Event::NodeStart { .. } => {
                self.capitals = 0;
                self.idents.clear();
            }
            Event::Property(property) => {
                self.ident(property.ident(), property.ident().as_bytes().len() as u64, place, reader);
            }
            Event::PropertyPart(part) if part.is_property_start() => {
                self.ident(part.ident(), place.span.len(), place, reader);
            }
            _ => {}
        }
    }

    /// Looks for an identifier that is twice in its node, or not one of FF\[4\].
    fn ident(&mut self, ident: Ident<'_>, len: u64, place: &Place, reader: &PartReader<'_>) {
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
        self.add(Problem::new(code, span), place, reader);
    }

    /// Notes that a value was read that is not ASCII, in a game that names no charset.
    pub(super) fn assumed_charset(&mut self, place: &Place, reader: &PartReader<'_>) {
        if self.assumed_in != place.game {
            self.assumed_in = place.game;
            self.add(Problem::new(Code::AssumedCharset, place.span), place, reader);
        }
    }

    pub(super) fn add(&mut self, problem: Problem, place: &Place, reader: &PartReader<'_>) {
        self.worst = self.worst.max(Some(problem.severity()));
        if self.kept.len() == KEPT {
            self.dropped += 1;
            return;
        }
        let position = reader.position_of(problem.span.start);
        self.kept.push(json!({
            "severity": problem.severity().as_str(),
            "code": problem.code.as_str(),
            "sgfc": problem.code.sgfc(),
            "message": problem.code.message(),
            "byte": position.byte,
            "line": position.line,
            "column": position.column,
            "game": place.game,
        }));
    }

    /// Writes the fields of the file's object that are about problems.
    pub(super) fn write(self, out: &mut impl Write, is_failed: bool) -> anyhow::Result<()> {
        out.write_all(b"\"diagnostics\":")?;
        json::write(out, &Value::Array(self.kept))?;
        if self.dropped > 0 {
            write!(out, ",\"diagnostics_left_out\":{}", self.dropped)?;
        }
        let status = if is_failed || self.worst == Some(Severity::Error) { "error" } else { "ok" };
        Ok(write!(out, ",\"status\":\"{status}\"")?)
    }
}
