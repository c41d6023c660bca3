//! Calls: SQL's functions of values, and the questions that no column
//! answers.

use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Game, Move, Variant};

use crate::find::Query;
use crate::row::{ColumnType, Probe, nearest};

use super::FilterError;
use super::compile::{Compiler, Typed};
use super::expression::{Expression, Function};
use super::syntax::{Op, Tree};

/// Every function there is.
const NAMES: [&str; 15] = [
    "abs", "any", "cast", "coalesce", "day", "has", "length", "lower", "month", "move", "opening", "position", "prop",
    "upper", "year",
];

impl Compiler<'_> {
    pub(super) fn call(&mut self, name: &str, arguments: &[Tree], tree: &Tree) -> Result<Typed, FilterError> {
        if name == "coalesce" {
            let (values, kind) = self.one_type(&arguments.iter().collect::<Vec<_>>(), "`coalesce`")?;
            return match kind {
                Some(kind) => Ok(Typed::new(Expression::Call(Function::Coalesce, values), kind)),
                None => self.fault("expected values in `coalesce`, found none", &tree.span),
            };
        }
        if !NAMES.contains(&name) {
            let hint = match nearest(name, NAMES) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", NAMES.join(", ")),
            };
            let span = tree.span.start..tree.span.start + name.len();
            return self.fault(format!("expected a function, found `{name}`; {hint}"), &span);
        }
        let [argument] = arguments else {
            let found = arguments.len();
            return self.fault(format!("expected one argument of `{name}`, found {found}"), &tree.span);
        };
        let (function, kind) = match name {
            "lower" => (Function::Lower, ColumnType::Text),
            "upper" => (Function::Upper, ColumnType::Text),
            "length" => (Function::Length, ColumnType::Int),
            "abs" => {
                let number = self.number(argument)?;
                let kind = number.kind.unwrap_or(ColumnType::Int);
                return Ok(Typed::new(Expression::Call(Function::Abs, vec![number.expression]), kind));
            }
            "year" | "month" | "day" => {
                let date = self.of_type(argument, ColumnType::Date)?;
                let function = match name {
                    "year" => Function::Year,
                    "month" => Function::Month,
                    _ => Function::Day,
                };
                return Ok(Typed::new(Expression::Call(function, vec![date]), ColumnType::Int));
            }
            "move" => return self.move_of(argument),
            "opening" | "position" => return self.position(name, argument, tree),
            _ => return self.question(name, argument, tree),
        };
        let text = self.of_type(argument, ColumnType::Text)?;
        Ok(Typed::new(Expression::Call(function, vec![text]), kind))
    }

    fn question(&mut self, name: &str, argument: &Tree, tree: &Tree) -> Result<Typed, FilterError> {
        let Op::Text(written) = &argument.op else {
            let message =
                format!("expected an identifier between single quotes, such as {name}('C'), found an expression");
            return self.fault(message, &argument.span);
        };
        let ident: Vec<u8> = written.bytes().filter(|byte| !byte.is_ascii_lowercase()).collect();
        if ident.is_empty() || !written.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let message = format!("expected an identifier with a capital letter or digit, found '{written}'");
            return self.fault(message, &argument.span);
        }
        if name == "any" {
            return self.any_of(ident, &tree.span);
        }
        self.no_question_inside_any(tree)?;
        Ok(if name == "has" {
            let probe = self.wanted.probes.push(Probe::Has(ident));
            Typed::new(Expression::ProbeTruth(probe), ColumnType::Bool)
        } else {
            let probe = self.wanted.probes.push(Probe::First(ident));
            Typed::raw(Expression::ProbeText(probe))
        })
    }

    fn move_of(&mut self, argument: &Tree) -> Result<Typed, FilterError> {
        let number = self.move_number(argument)?;
        let probe = self.wanted.probes.push(Probe::Move(number));
        Ok(Typed::new(Expression::ProbeText(probe), ColumnType::Text))
    }

    fn move_number(&self, argument: &Tree) -> Result<u64, FilterError> {
        let number = match &argument.op {
            Op::Number(digits) => digits.parse::<u64>().ok(),
            _ => None,
        };
        match number {
            Some(0) => self.fault("expected the number of a move, from 1, found 0", &argument.span),
            Some(number) => {
                self.no_question_inside_any(argument)?;
                Ok(number)
            }
            None => self.fault("expected the number of a move, found something else", &argument.span),
        }
    }

    /// `move(4) = 'Q16'`: the text is a move in the spelling of the file or in that of players.
    pub(super) fn move_is(&mut self, call: &Tree, text: &Tree) -> Result<Expression, FilterError> {
        let [argument] = &*call.parts else {
            return self.fault(format!("expected one argument of `move`, found {}", call.parts.len()), &call.span);
        };
        let number = self.move_number(argument)?;
        let Op::Text(written) = &text.op else { return self.fault("expected a move", &text.span) };
        if !is_move_of_some_game(written.as_bytes()) {
            let message =
                format!("expected a move such as 'pd', 'Q16' or 'e3-c3', found '{written}'; LIKE takes any text");
            return self.fault(message, &text.span);
        }
        let probe = self.wanted.probes.push(Probe::MoveIs(number, written.clone()));
        Ok(Expression::ProbeTruth(probe))
    }

    /// `position('pd dp')`, and `opening`, which is reached after as many moves.
    fn position(&mut self, name: &str, argument: &Tree, tree: &Tree) -> Result<Typed, FilterError> {
        let Op::Text(moves) = &argument.op else {
            let message = format!("expected moves between single quotes, such as {name}('pd dp'), found an expression");
            return self.fault(message, &argument.span);
        };
        self.no_question_inside_any(tree)?;
        let query = match Query::position_after(moves) {
            Ok(query) => query,
            Err(err) => return self.fault(err.message(), &argument.span),
        };
        let by_move = (name == "opening").then_some(moves.split_whitespace().count() as u64);
        let probe = self.wanted.probes.push_query(query.by_move(by_move), false);
        Ok(Typed::new(Expression::ProbeTruth(probe), ColumnType::Bool))
    }

    fn no_question_inside_any(&self, tree: &Tree) -> Result<(), FilterError> {
        if self.is_inside_any() {
            return self.fault("expected a constant beside any(), found a question about the game", &tree.span);
        }
        Ok(())
    }

    pub(super) fn cast(&mut self, argument: &Tree, kind: ColumnType) -> Result<Typed, FilterError> {
        let value = self.value(argument)?;
        let possible = match (value.kind, kind) {
            (None | Some(ColumnType::Text), _) | (_, ColumnType::Text) => true,
            (Some(from), to) => from == to || (from.is_number() && to.is_number()),
        };
        if !possible {
            return self.fault("expected a value that can be cast, found another", &argument.span);
        }
        Ok(Typed::new(Expression::Call(Function::Cast(kind), vec![value.expression]), kind))
    }
}

/// True for what a game whose moves are defined can read, on a board as large as they come.
fn is_move_of_some_game(text: &[u8]) -> bool {
    let pentobi = Variant::ALL.iter().map(|&variant| Game::Pentobi(variant));
    Game::NUMBERED.iter().copied().chain(pentobi).any(|game| {
        let side = if matches!(game, Game::Hex | Game::Twixt) { 702 } else { 52 };
        let dialect = Dialect::new(game, Some(BoardSize::square(side)));
        let read = dialect.parse_move_in_any(text);
        dialect.has_points() && read.is_ok_and(|mv| !matches!(mv, Move::Raw(_) | Move::Action(_)))
    })
}
