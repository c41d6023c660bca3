//! The checker: buffers the beginning of a game until its kind and charset are known, then passes every event to the
//! [`GameValidator`].

use sgfstream::{CharsetSource, Code, Event, Flow, Place, Property, Sink, Span};
use sgfstream_game::pentobi::{Document, default_charset};
use sgfstream_game::{Dialect, GameState, Lookahead, RootRetention};

use super::context::GameContext;
use super::judge::GameValidator;
use super::pending::Pending;
use super::report::{CheckerMemory, Reporter};
use super::texts::CharsetState;
use super::{CheckOptions, ComparedFact, Finding, InputGames};

/// [`Sink`] that reports a [`Finding`] for each problem of its input.
///
/// A checker takes the events of one input; [`next_input`](Self::next_input) prepares it for another. Findings come in the
/// order of the input, except that findings about a whole node come at the end of the node.
///
/// ```
/// use sgfstream::{Code, EventReader, SliceReader};
/// use sgfstream_adapt::check::{CheckOptions, Checker};
///
/// let mut codes = Vec::new();
/// let mut checker = Checker::new(CheckOptions::default(), |finding| codes.push(finding.code));
/// SliceReader::new(b"(;FF[4]GM[1]SZ[9];B[ee]AW[aa];W[zz])").drive(&mut checker)?;
/// drop(checker);
/// assert_eq!(codes, [Code::SetupWithMove, Code::SetupInMainLine, Code::PointOffBoard]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Checker<'f> {
    judge: GameValidator<'f>,
    /// The kind of the current game is not known yet, so `pending` buffers its events.
    is_waiting: bool,
    pending: Pending,
    state: GameState,
    lookahead: Lookahead,
    others: InputGames,
    /// Games of this input so far.
    games: u64,
    /// The input is a part of a larger one, so the games before it are unknown.
    is_part: bool,
}

impl<'f> Checker<'f> {
    /// Returns a checker that passes each finding to `found`.
    #[must_use]
    pub fn new(options: CheckOptions, mut found: impl FnMut(&Finding) + 'f) -> Self {
        let (mut state, lookahead) = (GameState::new(RootRetention::Values), Lookahead::default());
        let context = GameContext::new(&mut state, lookahead.finish());
        Self {
            judge: GameValidator::new(
                options.legality,
                context,
                Reporter::new(Box::new(move |finding| found(&finding))),
            ),
            is_waiting: false,
            pending: Pending::default(),
            state,
            lookahead,
            others: InputGames::default(),
            games: 0,
            is_part: false,
        }
    }

    /// Returns the dialect by which the current or last game is checked: which game it is, the size of its board, and the
    /// program whose habits it follows.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.judge.context.dialect
    }

    /// Returns the version, 1 to 4, by which the current or last game is checked.
    #[must_use]
    pub fn version(&self) -> u8 {
        self.judge.context.ff
    }

    /// Prepares the checker for the events of another input.
    pub fn next_input(&mut self) {
        self.is_waiting = false;
        self.pending.clear();
        self.others = InputGames::default();
        self.games = 0;
        self.is_part = false;
        self.judge.next_input();
    }

    /// Returns this checker, prepared for a part of an input that is not the first part. Findings that depend on the games
    /// before the part have [`compared`](Finding::compared).
    #[must_use]
    pub fn for_part(mut self) -> Self {
        self.is_part = true;
        self
    }

    /// Returns facts about the games of this input so far, to compare later games with.
    #[must_use]
    pub fn input_games(&self) -> InputGames {
        self.others
    }

    //  The event goes by value: a reference to it would put every event into memory.
    #[inline(never)]
    fn any(&mut self, event: Event<'_>, place: Place) {
        if !self.is_waiting
            && let Event::VariationStart { .. } = event
            && place.depth == 1
        {
            self.start_game(&place);
        }
        if self.is_waiting {
            self.wait(&event, &place);
        } else {
            self.judge.take(&event, place.span, place.depth);
        }
    }

    fn start_game(&mut self, place: &Place) {
        self.is_waiting = true;
        self.pending.clear();
        self.lookahead = Lookahead::default();
        self.judge.start_game(place.game);
        self.games += 1;
        self.compare(Code::SeveralGames, place.span, ComparedFact::Number(self.games));
    }

    /// Buffers an event of a game whose kind is not known yet.
    #[inline(never)]
    fn wait(&mut self, event: &Event<'_>, place: &Place) {
        let _ = self.state.event(event, place);
        let is_known = self.lookahead.take(event);
        // A piece of a property is not buffered, because the property is longer than what may be buffered.
        let is_piece = event.ident().is_some() && !matches!(event, Event::Property(_));
        if !is_piece {
            self.pending.push(event, place.span, place.depth);
        }
        let is_over = matches!(event, Event::VariationEnd { .. }) && place.depth == 1;
        if is_over || is_piece || is_known || self.pending.is_full() {
            if !is_over && self.state.nodes() == 1 {
                self.judge.report.limit(CheckerMemory::Root, place.span);
            }
            self.set_game(place);
        }
        if is_piece {
            self.judge.take(event, place.span, place.depth);
        }
    }

    /// Validates the buffered events, now that the kind of the game is known.
    fn set_game(&mut self, place: &Place) {
        self.is_waiting = false;
        let context = GameContext::new(&mut self.state, self.lookahead.finish());
        let pending = std::mem::take(&mut self.pending);
        let start = pending.start().unwrap_or(place.span);
        let charset = CharsetState { charset: place.charset, source: place.charset_source };
        self.judge.set_game(context, charset, start);
        let declared = match place.charset_source >= CharsetSource::Declared {
            true => Some(place.charset),
            // A game of Pentobi that declares no charset has the default charset of its dialect (spec P-06).
            false => context.game.variant().map(|_| default_charset(Document::Current)),
        };
        self.compare(Code::DifferentVersions, start, ComparedFact::Version(context.ff));
        self.compare(Code::DifferentGames, start, ComparedFact::Game(context.game));
        self.compare(Code::DifferentCharsets, start, ComparedFact::Charset(declared));
        for (event, span, depth) in pending.events() {
            if let Event::Property(property) = &event
                && let Some((letter, point)) = property.as_move()
                && self.judge.play(letter, point, property, span)
            {
                continue;
            }
            self.judge.take(&event, span, depth);
        }
        self.pending = pending;
        self.pending.clear();
    }

    /// Reports the first game that differs in this fact from the first game of the input.
    fn compare(&mut self, code: Code, span: Span, fact: ComparedFact) {
        let message = self.others.compare(fact);
        if self.is_part {
            // Another part may contain the first game of the input, so leave the decision to whoever merges the parts.
            let may_differ = match fact {
                ComparedFact::Number(number) => number <= 2,
                _ => self.games == 1 || message.is_some(),
            };
            if may_differ {
                self.judge.report.add_compared(code, span, fact);
            }
        } else if let Some(message) = message {
            self.judge.report.add(code, span, message, None);
        }
    }
}

impl Sink for Checker<'_> {
    const PLAYS: bool = true;

    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self.any(*event, *place);
        Flow::Go
    }

    #[inline(always)]
    fn node(&mut self, place: &Place) -> Flow {
        match self.is_waiting {
            false => self.judge.start_node(place.span),
            true => self.any(Event::NodeStart { supplied: false }, *place),
        }
        Flow::Go
    }

    #[inline(always)]
    fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        if self.is_waiting || !self.judge.play(letter, point, property, place.span) {
            self.any(Event::Property(*property), *place);
        }
        Flow::Go
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sgfstream::{EventReader, SliceReader};

    /// Returns the findings. With `is_slow`, the checker gets moves and nodes as plain events instead of through its fast
    /// methods.
    fn findings(games: &[u8], legality: bool, is_slow: bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut checker = Checker::new(CheckOptions { legality }, |finding| {
            let mut finding = finding.clone();
            if finding.code == Code::TwoMovesInRow && !legality {
                finding.span.end = 0;
            }
            found.push(format!("{finding:?}"));
        });
        let mut give = |event: &Event<'_>, place: &Place| match is_slow {
            true => checker.event(event, place),
            false => checker.take(event, place),
        };
        SliceReader::new(games).drive(&mut give).expect("a slice");
        drop(checker);
        found
    }

    /// On such a small board, stones are captured and replayed, moves hit occupied points, and kos are retaken at once.
    #[test]
    fn plain_moves_are_judged_as_any_property() {
        let words = [
            ";B[aa]",
            ";W[aa]",
            ";B[ba]",
            ";W[ba]",
            ";B[ab]",
            ";W[bb]",
            ";B[bb]",
            ";W[ca]",
            ";B[cb]",
            ";W[ab]",
            ";B[cc]",
            ";W[bc]",
            ";W[tt]",
            ";B[]",
            ";B[dd]",
            ";B[aa]KO[]",
            ";W[ac]B[cb]",
            ";AB[aa][bb]",
            ";AW[ab]W[ba]",
            "(",
            ")",
            ";W[aa]TE[1]BM[1]",
            ";B[aa][bb]",
            ";PL[W]",
            ";",
        ];
        let mut number = 1u64;
        let mut codes = std::collections::BTreeSet::new();
        for root in ["(;FF[4]GM[1]SZ[3]", "(;FF[3]SZ[3:2]AB[aa]", "(;GM[1]SZ[3]RU[NZ]", "(;GM[2]SZ[3]", "(;B[aa]W[bb]"]
        {
            for _ in 0..200 {
                let mut games = root.to_owned();
                for _ in 0..40 {
                    number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    games.push_str(words[(number >> 33) as usize % words.len()]);
                }
                for legality in [false, true] {
                    let found = findings(games.as_bytes(), legality, false);
                    assert_eq!(found, findings(games.as_bytes(), legality, true), "{games}");
                    codes.extend(
                        found
                            .iter()
                            .filter_map(|found| Some(found.split_once("code: ")?.1.split_once(',')?.0.to_owned())),
                    );
                }
            }
        }
        for code in ["OccupiedPoint", "IllegalKo", "IllegalSuicide", "TwoMovesInRow", "PointOffBoard"] {
            assert!(codes.contains(code), "{code}: {codes:?}");
        }
    }

    #[test]
    fn moves_of_one_property_have_each_fault_once() {
        let found = findings(b"(;FF[4]GM[1]SZ[9];B[aa];W[bb];B[aa][bb])", true, false);
        let occupied = found.iter().filter(|found| found.contains("OccupiedPoint"));
        assert_eq!(occupied.count(), 1, "{found:?}");
    }
}
