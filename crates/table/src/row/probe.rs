//! Questions about a game that no column answers: the value of any property, whether it exists, or
//! the fourth move.

use std::borrow::Cow;

use sgfstream::record::GameItem;
use sgfstream::{Ident, Property};
use sgfstream_game::{Coordinates, Dialect, Facts, internal::OpeningMove};

use crate::filter::{Expression, Subject, Value};
use crate::find::{Finder, Query};

/// Question about a game. Identifiers are canonical.
#[derive(Clone, Debug)]
pub(crate) enum Probe {
    /// The first value of the first property of this identifier, as text.
    First(Vec<u8>),
    /// Whether the game has the property.
    Has(Vec<u8>),
    /// Whether the condition holds for a value of the property: true if it does for one, false if it
    /// does for none, unknown if no value can be decided.
    Any(Vec<u8>, Box<Expression>),
    /// The move with this number on the main line, from 1.
    Move(u64),
    /// Whether the move with this number equals the given one, in the spelling `pd` or `Q16`.
    MoveIs(u64, String),
    /// Whether the finder with this index has a hit.
    Found(usize),
}

/// Questions, and their answers for the current game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probes {
    probes: Vec<Probe>,
    answers: Vec<Answer>,
    /// Whether there are questions about properties. If not, properties need no work.
    about_properties: bool,
    last_move: u64,
    pub(crate) finders: Vec<Finder>,
    /// Index of the finder whose hits are requested.
    hits_of: Option<usize>,
}

/// Part of a game that questions ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ProbeReach {
    /// Some nodes after the root.
    Start,
    MainLine,
    Tree,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Answer {
    text: Option<String>,
    truth: Option<bool>,
    settled: bool,
}

impl Probes {
    /// Adds a question. Returns its index.
    pub(crate) fn push(&mut self, probe: Probe) -> usize {
        match &probe {
            Probe::Move(number) | Probe::MoveIs(number, _) => {
                self.last_move = self.last_move.max(*number)
            }
            Probe::Found(_) => {}
            _ => self.about_properties = true,
        }
        self.probes.push(probe);
        self.answers.push(Answer::default());
        self.probes.len() - 1
    }

    /// Returns whether a question is about a text.
    pub(crate) fn ask_text(&self) -> bool {
        self.probes
            .iter()
            .any(|probe| matches!(probe, Probe::First(_) | Probe::Any(..)))
    }

    /// Removes the last question.
    pub(crate) fn pop(&mut self) {
        self.probes.pop();
        self.answers.pop();
    }

    /// Adds the question whether `query` has a hit. `has_hits` requests the hits as well.
    pub(crate) fn push_query(&mut self, query: Query, has_hits: bool) -> usize {
        let number = self.finders.len();
        self.finders.push(Finder::new(query));
        self.hits_of = if has_hits { Some(number) } else { self.hits_of };
        self.push(Probe::Found(number))
    }

    /// Returns the finder whose hits are requested.
    #[must_use]
    pub(crate) fn finder(&self) -> Option<&Finder> {
        self.finders.get(self.hits_of?)
    }

    /// Returns the first moves that a finder collected, in the requested spelling.
    #[must_use]
    pub(crate) fn opening_text(&self, probe: usize) -> Option<String> {
        let Probe::Found(number) = self.probes[probe] else {
            return None;
        };
        let finder = &self.finders[number];
        let opening = finder.opening()?;
        let text = |played: &OpeningMove| {
            let text = played.text(&opening.board, finder.coordinates);
            text.split_once(' ')
                .map_or(String::new(), |(_, text)| text.to_owned())
        };
        Some(opening.moves.iter().map(text).collect::<Vec<_>>().join(" "))
    }

    /// Sets the spelling of moves.
    pub(super) fn spell(&mut self, coordinates: Coordinates) {
        self.finders
            .iter_mut()
            .for_each(|finder| finder.coordinates = coordinates);
    }

    /// Returns the number of parts of the game that the finders did not search. Boards for an index
    /// are no search.
    #[must_use]
    pub(super) fn unsearched(&self) -> u64 {
        self.finders
            .iter()
            .filter(|finder| !finder.query().is_of_boards())
            .map(Finder::cut)
            .sum()
    }

    /// Returns how much of a game the questions ask for, at first.
    pub(super) fn reach(&self) -> ProbeReach {
        let searched = self
            .finders
            .iter()
            .map(|finder| match finder.query().has_variations() {
                true => ProbeReach::Tree,
                false => ProbeReach::MainLine,
            });
        searched.max().unwrap_or(ProbeReach::Start)
    }

    /// Returns whether there are no questions.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.probes.is_empty()
    }

    /// Returns the text that a [`Probe::First`] or [`Probe::Move`] found.
    #[must_use]
    pub(crate) fn text(&self, probe: usize) -> Option<&str> {
        self.answers[probe].text.as_deref()
    }

    /// Returns the answer of another question, or `None` if it is unknown.
    #[must_use]
    pub(crate) fn truth(&self, probe: usize) -> Option<bool> {
        match self.probes[probe] {
            Probe::Has(_) => Some(self.answers[probe].settled),
            Probe::Found(number) => {
                let finder = &self.finders[number];
                let is_found = !finder.hits().is_empty() || finder.opening().is_some();
                (is_found || finder.cut() == 0).then_some(is_found)
            }
            _ => self.answers[probe].truth,
        }
    }

    /// Returns whether further reading cannot change the answers.
    #[must_use]
    pub(crate) fn is_settled(&self) -> bool {
        let is_settled = |(probe, answer): (&Probe, &Answer)| match probe {
            Probe::Found(number) => self.finders[*number].is_settled(),
            _ => answer.settled,
        };
        self.probes.iter().zip(&self.answers).all(is_settled)
    }

    /// Answers the questions from as much of a game as was read.
    pub(super) fn answer(&mut self, facts: &Facts<'_>, coordinates: Coordinates) {
        if self.probes.is_empty() {
            return;
        }
        self.answers.fill(Answer::default());
        for finder in &mut self.finders {
            finder.search(facts);
        }
        if self.about_properties {
            self.ask_properties(facts);
        }
        if self.last_move > 0 {
            self.ask_moves(facts, coordinates);
        }
    }

    /// Answers the questions about properties, in the order of the file.
    fn ask_properties(&mut self, facts: &Facts<'_>) {
        let game = facts.record();
        for item in game.items(game.tokens()) {
            if let GameItem::Property(_, property) = item {
                self.ask(&property.with_charset(game.charset()));
            }
        }
    }

    /// Answers the questions about moves of the main line.
    fn ask_moves(&mut self, facts: &Facts<'_>, coordinates: Coordinates) {
        let game = facts.record();
        let mut ply = 0;
        for item in game.items(game.main_line()) {
            let GameItem::Property(_, property) = item else {
                continue;
            };
            for played in facts.moves_of(&property) {
                ply += 1;
                self.play(ply, &played.bytes(), || facts.dialect(), coordinates);
            }
            if ply >= self.last_move {
                break;
            }
        }
    }

    pub(super) fn start_game(&mut self) {
        self.answers.fill(Answer::default());
        self.finders.iter_mut().for_each(Finder::start_game);
    }

    fn ask(&mut self, property: &Property<'_>) {
        let Self {
            probes, answers, ..
        } = self;
        for (probe, answer) in probes.iter().zip(answers) {
            if answer.settled || !probe.is_about(property.ident()) {
                continue;
            }
            match probe {
                Probe::Has(_) => answer.settled = true,
                Probe::First(_) => answer.keep(&property.simple_text()),
                Probe::Any(_, condition) => {
                    for value in property.values() {
                        match condition.evaluate(Subject::Given(&value.text())) {
                            Value::Bool(true) => {
                                answer.truth = Some(true);
                                answer.settled = true;
                                break;
                            }
                            Value::Bool(false) => answer.truth = Some(false),
                            _ => {}
                        }
                    }
                }
                Probe::Move(_) | Probe::MoveIs(..) | Probe::Found(_) => {}
            }
        }
    }

    /// Handles the move with this number on the main line.
    pub(super) fn play(
        &mut self,
        number: u64,
        value: &[u8],
        dialect: impl Fn() -> Dialect,
        coordinates: Coordinates,
    ) {
        if number > self.last_move {
            return;
        }
        let Self {
            probes, answers, ..
        } = self;
        for (probe, answer) in probes.iter().zip(answers) {
            match probe {
                Probe::Move(wanted) if *wanted == number => {
                    let text = String::from_utf8_lossy(value)
                        .split_whitespace()
                        .collect::<String>();
                    answer.keep(&spelled(&text, &dialect, coordinates));
                }
                Probe::MoveIs(wanted, text) if *wanted == number => {
                    answer.truth = Some(is_same_move(value, text, &dialect()));
                    answer.settled = true;
                }
                _ => {}
            }
        }
    }
}

/// Returns a move in another spelling, if it can be read.
pub(super) fn spelled(
    text: &str,
    dialect: impl Fn() -> Dialect,
    coordinates: Coordinates,
) -> Cow<'_, str> {
    if coordinates == Coordinates::Sgf {
        return Cow::Borrowed(text);
    }
    let dialect = dialect();
    match dialect.parse_move(text.as_bytes()) {
        Ok(mv) => Cow::Owned(dialect.show_move_in(&mv, coordinates).to_string()),
        Err(_) => Cow::Borrowed(text),
    }
}

/// Returns whether the value of a move and a text are the same move.
fn is_same_move(value: &[u8], text: &str, dialect: &Dialect) -> bool {
    let value: Vec<u8> = value
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    value == text.as_bytes()
        || dialect
            .parse_move(&value)
            .is_ok_and(|played| dialect.parse_move_in_any(text.as_bytes()) == Ok(played))
}

impl Probe {
    /// Returns whether the question is about properties with this identifier.
    fn is_about(&self, ident: Ident<'_>) -> bool {
        match self {
            Self::First(id) | Self::Has(id) | Self::Any(id, _) => ident.is(id),
            Self::Move(_) | Self::MoveIs(..) | Self::Found(_) => false,
        }
    }
}

impl Answer {
    /// Stores a text as the answer.
    fn keep(&mut self, text: &str) {
        self.text = Some(text.to_owned());
        self.settled = true;
    }
}
