//! The problems of a file, gathered while its tree is written.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::io::spill::Spill;
use crate::report::json;
use sgfstream::{Code, Event, EventReader, Ident, Place, Problem, Severity, Span};
use sgfstream_engine::PartReader;
use sgfstream_game::{Game, GameState, Info};

/// Identifiers of a node that are remembered, besides single capitals.
const IDENTS: usize = 4096;

#[derive(Default)]
pub(super) struct Diagnostics {
    /// As they are written at the end of the file's object.
    written: Spill,
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
    pub(super) fn look(&mut self, event: &Event<'_>, place: &Place, reader: &PartReader<'_>) -> io::Result<()> {
        let _ = self.state.event(event, place);
        match event {
            Event::Problem(problem) => return self.add(*problem, place, reader),
            Event::NodeStart { .. } => {
                self.capitals = 0;
                self.idents.clear();
            }
            Event::Property(property) => {
                return self.ident(property.ident(), property.ident().as_bytes().len() as u64, place, reader);
            }
            Event::PropertyPart(part) if part.is_property_start() => {
                return self.ident(part.ident(), place.span.len(), place, reader);
            }
            _ => {}
        }
        Ok(())
    }

    /// Looks for an identifier that is twice in its node, or not one of FF\[4\].
    fn ident(&mut self, ident: Ident<'_>, len: u64, place: &Place, reader: &PartReader<'_>) -> io::Result<()> {
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
            return Ok(());
        };
        let span = Span::new(place.span.start, place.span.start + len);
        self.add(Problem::new(code, span), place, reader)
    }

    /// Notes that a value was read that is not ASCII, in a game that names no charset.
    pub(super) fn assumed_charset(&mut self, place: &Place, reader: &PartReader<'_>) -> io::Result<()> {
        if self.assumed_in == place.game {
            return Ok(());
        }
        self.assumed_in = place.game;
        self.add(Problem::new(Code::AssumedCharset, place.span), place, reader)
    }

    pub(super) fn add(&mut self, problem: Problem, place: &Place, reader: &PartReader<'_>) -> io::Result<()> {
        self.worst = self.worst.max(Some(problem.severity()));
        if self.written.len() > 0 {
            self.written.write_all(b",")?;
        }
        let position = reader.position_of(problem.span.start);
        let (severity, code) = (problem.severity().as_str(), problem.code.as_str());
        // Written by hand, as there may be millions: through `serde_json::Value` it takes four times as long.
        let mut bytes = Vec::with_capacity(256);
        write!(bytes, "{{\"severity\":\"{severity}\",\"code\":\"{code}\",\"sgfc\":")?;
        match problem.code.sgfc() {
            Some(number) => write!(bytes, "{number}")?,
            None => bytes.write_all(b"null")?,
        }
        bytes.write_all(b",\"message\":")?;
        json::write_text(&mut bytes, problem.code.message())?;
        let (byte, line, column) = (position.byte, position.line, position.column);
        write!(bytes, ",\"byte\":{byte},\"line\":{line},\"column\":{column},\"game\":{}}}", place.game)?;
        self.written.write_all(&bytes)
    }

    /// Writes the fields of the file's object that are about problems.
    pub(super) fn write(mut self, out: &mut impl Write, is_failed: bool) -> anyhow::Result<()> {
        out.write_all(b"\"diagnostics\":[")?;
        self.written.copy(0, self.written.len(), out)?;
        let status = if is_failed || self.worst == Some(Severity::Error) { "error" } else { "ok" };
        Ok(write!(out, "],\"status\":\"{status}\"")?)
    }
}
