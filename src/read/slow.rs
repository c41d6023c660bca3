//! The parser, as the cursor asks it: where the cursor stands, one step, and
//! where that leaves the cursor.

use crate::base::Problem;
use crate::scan::{Piece, State, Step, Token};

use super::parser::Parser;

/// What may be taken here, by where the reader stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// In a node: `;`, properties, `(`, `)`.
    Node,
    /// Behind the `(` of a variation: `;`.
    Open,
    /// In the root node: as in a node, but some properties say something of
    /// their game.
    Root,
    /// In a node, before a property of five bytes that was looked at with its
    /// `;`.
    Move,
    /// The same, with a blank behind it.
    MoveAndBlank,
    /// Behind a variation: `(`, `)`.
    Child,
    /// Behind the `(` of a game: `;`.
    OpenGame,
    /// Between games: `(`.
    Outside,
    /// Nothing: ask the parser.
    Slow,
}

/// What kind of event stands at the cursor; its bytes are `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    VariationStart {
        supplied: bool,
    },
    NodeStart {
        supplied: bool,
    },
    VariationEnd {
        supplied: bool,
    },
    Property {
        ident_len: u32,
        simple: bool,
    },
    /// The parser knows more.
    Part,
    Problem,
    Gap,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pulled {
    Event(Kind),
    More,
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Slow {
    pub(super) parser: Parser,
    pub(super) depth_limit: Option<u64>,
    /// The limits are so narrow that a token in a block may pass them.
    pub(super) narrow: bool,
    pub(super) part: Piece,
    pub(super) problem: Problem,
}

impl Slow {
    /// The cursor has taken steps of its own, and stands here.
    pub(super) fn go_on_from(&mut self, at: usize, open: u64, mode: Mode) {
        let state = match mode {
            Mode::Slow => return,
            Mode::Open | Mode::OpenGame => State::AfterOpen,
            Mode::Root => State::Root,
            Mode::Node | Mode::Move | Mode::MoveAndBlank => State::Node,
            Mode::Child => State::AfterChild,
            Mode::Outside => State::Outside,
        };
        self.parser.machine.go_on_from(at, open, state);
    }

    /// There is a `(` between games, with its `;` after it.
    #[inline(never)]
    pub(super) fn begin_game(&mut self) {
        self.parser.machine.begin_game();
        self.parser.begin_game();
    }

    /// One step of the parser, from where the cursor stands, and where that
    /// leaves the cursor.
    #[inline(never)]
    pub(super) fn step(
        &mut self,
        window: &[u8],
        last: bool,
        at: usize,
        open: u64,
        mode: Mode,
    ) -> (Pulled, usize, u64, Mode) {
        self.go_on_from(at, open, mode);
        let pulled = match self.parser.step(window, last) {
            Step::More => Pulled::More,
            Step::End => Pulled::End,
            Step::Token(token) => Pulled::Event(match token {
                Token::VariationStart(mark) => Kind::VariationStart { supplied: mark.supplied },
                Token::NodeStart(mark) => Kind::NodeStart { supplied: mark.supplied },
                Token::VariationEnd(mark) => Kind::VariationEnd { supplied: mark.supplied },
                Token::Property(found) => Kind::Property { ident_len: found.ident_len, simple: found.simple },
                Token::Part(piece) => {
                    self.part = piece;
                    Kind::Part
                }
                Token::Problem(problem) => {
                    self.problem = problem;
                    Kind::Problem
                }
                Token::Gap { .. } => Kind::Gap,
            }),
        };
        let machine = &self.parser.machine;
        let mode = match machine.state {
            _ if self.narrow || machine.has_gap() => Mode::Slow,
            State::AfterOpen if machine.open() > 1 => Mode::Open,
            State::AfterOpen => Mode::OpenGame,
            State::Outside => Mode::Outside,
            State::Root => Mode::Root,
            State::Node => Mode::Node,
            State::AfterChild => Mode::Child,
            _ => Mode::Slow,
        };
        (pulled, machine.at, machine.open(), mode)
    }
}
