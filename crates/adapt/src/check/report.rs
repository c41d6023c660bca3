//! Passes findings to the caller, each with its node path, and with its severity in this version of
//! the format.

use sgfstream::{Code, Severity, Span};
use sgfstream_game::{Dialect, GameBoard, internal::TreePath};

use super::{ComparedFact, Finding, Remedy};

/// Reporter that adds path, game and severity to findings and passes them to the caller.
pub(super) struct Reporter<'f> {
    found: &'f mut dyn FnMut(Finding),
    pub(super) path: TreePath,
    game: u64,
    /// The version of the format that the game declares, 1 to 4.
    pub(super) ff: u8,
    /// The dialect of the game.
    pub(super) dialect: Option<Dialect>,
    /// Whether the current property is setup or a move.
    pub(super) is_of_board: bool,
    /// Whether the game has a board; `None` until needed.
    has_board: Option<bool>,
    /// Limits that this game has exceeded, one bit each, because each is reported once.
    limits: u8,
}

/// Memory of the checker that has a limit.
#[derive(Clone, Copy, Debug)]
pub(super) enum CheckerMemory {
    Variations,
    Points,
    Identifiers,
    Positions,
}

impl<'f> Reporter<'f> {
    /// Returns a reporter at the start of a game.
    pub(super) fn of_game(game: u64, found: &'f mut dyn FnMut(Finding)) -> Self {
        let mut path = TreePath::default();
        path.start_game();
        Self {
            found,
            path,
            game,
            ff: 1,
            dialect: None,
            is_of_board: false,
            has_board: None,
            limits: 0,
        }
    }

    /// Returns the severity of a code here. SGFC's E4 is an error if the file declares FF\[4\],
    /// otherwise a warning (spec quirks §1).
    fn severity(&self, code: Code) -> Severity {
        let by_version = matches!(
            code,
            Code::MalformedValue
                | Code::SetupWithMove
                | Code::MalformedGameInfo
                | Code::GameInfoBelowGameInfo
                | Code::GoodAndBadMove
        );
        if by_version && self.ff < 4 {
            Severity::Warning
        } else {
            code.severity()
        }
    }

    #[cold]
    pub(super) fn add(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        remedy: impl Into<Option<Remedy>>,
    ) {
        let severity = self.severity(code);
        self.add_as(severity, code, span, message.into(), remedy.into());
    }

    #[cold]
    pub(super) fn add_as(
        &mut self,
        severity: Severity,
        code: Code,
        span: Span,
        message: String,
        remedy: Option<Remedy>,
    ) {
        let remedy = remedy.filter(|_| !self.is_of_board || self.has_board());
        self.pass(severity, code, span, message, remedy, None);
    }

    fn pass(
        &mut self,
        severity: Severity,
        code: Code,
        span: Span,
        message: String,
        remedy: Option<Remedy>,
        compared: Option<ComparedFact>,
    ) {
        (self.found)(Finding {
            code,
            severity,
            span,
            game: self.game,
            path: self.path.to_string(),
            message,
            remedy,
            compared,
        });
    }

    /// Returns whether a board can tell if a repair of setup or a move keeps the positions.
    fn has_board(&mut self) -> bool {
        let dialect = self.dialect;
        *self
            .has_board
            .get_or_insert_with(|| dialect.is_some_and(|dialect| GameBoard::new(&dialect).is_ok()))
    }

    /// Reports a finding that depends on the games before this part of the input.
    #[cold]
    pub(super) fn add_compared(&mut self, code: Code, span: Span, fact: ComparedFact) {
        let severity = self.severity(code);
        self.pass(severity, code, span, String::new(), None, Some(fact));
    }

    /// Reports that a limit was exceeded, once a game.
    #[cold]
    pub(super) fn limit(&mut self, what: CheckerMemory, span: Span) {
        let bit = 1 << what as u8;
        if self.limits & bit != 0 {
            return;
        }
        self.limits |= bit;
        let message = match what {
            CheckerMemory::Variations => {
                "more variations are open than the checker remembers; deeper nodes get no path and no check of turns"
            }
            CheckerMemory::Points => {
                "the node has more points than the checker remembers; further points are not compared"
            }
            CheckerMemory::Identifiers => {
                "the game has more identifiers than the checker remembers; further identifiers are not compared"
            }
            CheckerMemory::Positions => {
                "more variations are open than the checker keeps positions for; moves below them are not replayed"
            }
        };
        self.add(Code::CheckLimit, span, message, None);
    }
}
