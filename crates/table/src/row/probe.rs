//! Questions about a game that no column answers: what a property says
//! anywhere, whether it is there, which move was the fourth.

use std::fmt;
use std::sync::Arc;

use sgfstream::base::Charset;
use sgfstream::event::RawValue;

use super::text::{capped, simple_text};

/// A test of the text of a value: `None` where it cannot tell.
pub(crate) type ProbeTest = Arc<dyn Fn(&str) -> Option<bool> + Send + Sync>;

/// A question. Identifiers are canonical.
#[derive(Clone)]
pub(crate) enum Probe {
    /// The first value of the first property of this identifier, as text.
    First(Vec<u8>),
    /// Whether the game has the property.
    Has(Vec<u8>),
    /// Whether a value of the property passes the test: true if one does,
    /// false if there are some and none does, nothing if there are none.
    Any(Vec<u8>, ProbeTest),
    /// The move of this number in the main line, from 1.
    Move(u64),
}

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, ident) = match self {
            Self::First(ident) => ("First", ident),
            Self::Has(ident) => ("Has", ident),
            Self::Any(ident, _) => ("Any", ident),
            Self::Move(number) => return write!(f, "Move({number})"),
        };
        write!(f, "{kind}({})", String::from_utf8_lossy(ident))
    }
}

/// Questions and the answers of the current game.
///
/// A value's text is read to the cap of [`TEXT_CAP`](super::TEXT_CAP) bytes by `First`, whole by
/// `Any` unless the property is too long to come in one piece; then the first
/// piece of each value counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probes {
    probes: Vec<Probe>,
    answers: Vec<Answer>,
    /// Questions about properties; nothing is done for each property
    /// without any.
    about_properties: bool,
    last_move: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Answer {
    text: Option<String>,
    truth: Option<bool>,
    settled: bool,
}

impl Probes {
    /// Adds a question, and says its number.
    pub(crate) fn push(&mut self, probe: Probe) -> usize {
        match &probe {
            Probe::Move(number) => self.last_move = self.last_move.max(*number),
            _ => self.about_properties = true,
        }
        self.probes.push(probe);
        self.answers.push(Answer::default());
        self.probes.len() - 1
    }

    /// True if nothing is asked.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.probes.is_empty()
    }

    /// The text that a [`Probe::First`] or [`Probe::Move`] found.
    #[must_use]
    pub(crate) fn text(&self, probe: usize) -> Option<&str> {
        self.answers[probe].text.as_deref()
    }

    /// What a [`Probe::Has`] or [`Probe::Any`] found.
    #[must_use]
    pub(crate) fn truth(&self, probe: usize) -> Option<bool> {
        match self.probes[probe] {
            Probe::Has(_) => Some(self.answers[probe].settled),
            _ => self.answers[probe].truth,
        }
    }

    /// True if reading on changes no answer.
    #[must_use]
    pub(crate) fn is_settled(&self) -> bool {
        self.answers.iter().all(|answer| answer.settled)
    }

    pub(super) fn ask_for_moves(&self) -> bool {
        self.last_move > 0
    }

    pub(super) fn ask_about_properties(&self) -> bool {
        self.about_properties
    }

    pub(super) fn start_game(&mut self) {
        self.answers.iter_mut().for_each(|answer| *answer = Answer::default());
    }

    /// A property, or the first piece of a value of one.
    #[inline]
    pub(super) fn property<'v>(
        &mut self,
        ident: sgfstream::event::Ident<'_>,
        values: impl Iterator<Item = RawValue<'v>> + Clone,
        charset: Charset,
    ) {
        if self.about_properties {
            self.ask(ident, values, charset);
        }
    }

    fn ask<'v>(
        &mut self,
        ident: sgfstream::event::Ident<'_>,
        values: impl Iterator<Item = RawValue<'v>> + Clone,
        charset: Charset,
    ) {
        for (probe, answer) in self.probes.iter().zip(&mut self.answers) {
            if answer.settled {
                continue;
            }
            match probe {
                Probe::Has(id) if ident.is(id) => answer.settled = true,
                Probe::First(id) if ident.is(id) => {
                    let first = values.clone().next().unwrap_or(RawValue::new(b"", sgfstream::Framing::Value));
                    let first = RawValue::new(capped(first.as_bytes()), first.framing());
                    answer.text = Some(simple_text(first, charset).into_owned());
                    answer.settled = true;
                }
                Probe::Any(id, test) if ident.is(id) => {
                    for value in values.clone() {
                        match test(&value.with_charset(charset).text()) {
                            Some(true) => {
                                answer.truth = Some(true);
                                answer.settled = true;
                                break;
                            }
                            Some(false) => answer.truth = Some(false),
                            None => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The move of this number in the main line.
    pub(super) fn play(&mut self, number: u64, value: &[u8]) {
        if number > self.last_move {
            return;
        }
        for (probe, answer) in self.probes.iter().zip(&mut self.answers) {
            if matches!(probe, Probe::Move(wanted) if *wanted == number) {
                let value = capped(value);
                answer.text = Some(String::from_utf8_lossy(value).split_whitespace().collect());
                answer.settled = true;
            }
        }
    }
}
