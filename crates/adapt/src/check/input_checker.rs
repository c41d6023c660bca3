//! Checks games: one alone, or the games of an input one after another.

use std::io::Read;

use sgfstream::record::GameReader;
use sgfstream::{
    Charset, CharsetSource, Code, EventReader, LongGame, Options, Position, Problem, Reader,
    Result, Span, Transcoder,
};
use sgfstream_game::Facts;

use super::judge::GameValidator;
use super::report::Reporter;
use super::{ComparedFact, Finding, FindingPlace, InputGames, Remedy};

/// Options of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Whether to replay the moves of games whose rules a board knows.
    pub legality: bool,
}

impl CheckOptions {
    /// Returns these options with the replay of moves on or off.
    #[must_use]
    pub const fn with_legality(mut self, legality: bool) -> Self {
        self.legality = legality;
        self
    }
}

/// Passes the findings about a game to `found`, in the order of the file, except that findings
/// about a whole node come at the end of the node. They include the problems of the reader in the
/// game, but not those before it.
///
/// ```
/// use sgfstream::record::GameReader;
/// use sgfstream::{Code, SliceReader};
/// use sgfstream_adapt::check::{CheckOptions, findings};
/// use sgfstream_game::Facts;
///
/// let mut games = GameReader::new(SliceReader::new(b"(;FF[4]GM[1]SZ[9];B[ee]AW[aa];W[zz])"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let mut codes = Vec::new();
/// findings(&Facts::of(game, 0), CheckOptions::default(), &mut |finding| {
///     codes.push(finding.code)
/// });
/// assert_eq!(codes, [Code::SetupWithMove, Code::SetupInMainLine, Code::PointOffBoard]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
pub fn findings(facts: &Facts<'_>, options: CheckOptions, found: &mut dyn FnMut(Finding)) {
    let record = facts.record();
    let mut game = GameValidator::of(facts, options, Reporter::of_game(record.number(), found));
    game.check_root(facts, record.span_of(record.tokens()[0]));
    game.check(record);
}

/// Passes the findings about the problems between two games to `found`. `game` is the number of the
/// game before them.
pub fn problem_findings(problems: &[Problem], game: u64, found: &mut dyn FnMut(Finding)) {
    for problem in problems {
        let (code, span) = (problem.code, problem.span);
        found(Finding {
            code,
            severity: problem.severity(),
            span,
            game,
            path: String::new(),
            message: code.message().to_owned(),
            remedy: Remedy::of_reader(code),
            compared: None,
        });
    }
}

/// Checks the games of an input one after another, and compares each with the first.
///
/// ```
/// use sgfstream::{Code, SliceReader};
/// use sgfstream_adapt::check::{CheckOptions, InputChecker};
///
/// let mut codes = Vec::new();
/// let reader = SliceReader::new(b"(;FF[4]GM[1])(;FF[3]GM[1])");
/// InputChecker::new(CheckOptions::default())
///     .check_all(reader, &mut |finding| codes.push(finding.code))?;
/// assert_eq!(codes, [Code::SeveralGames, Code::DifferentVersions]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct InputChecker {
    options: CheckOptions,
    /// Facts about the games so far, to compare later games with.
    pub input_games: InputGames,
    /// Games so far.
    games: u64,
    /// Number of the last game.
    last: u64,
    /// Charset of the last game.
    charset: Option<Charset>,
    /// Whether the input is a part of a larger one, so that the games before it are unknown.
    is_part: bool,
}

impl InputChecker {
    /// Returns a checker of an input.
    #[must_use]
    pub fn new(options: CheckOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// Returns this checker, prepared for a part of an input that is not the first part. Findings
    /// that depend on the games before the part have [`compared`](Finding::compared).
    #[must_use]
    pub fn for_part(mut self) -> Self {
        self.is_part = true;
        self
    }

    /// Checks all games of a reader. Returns the games that exceed the budget: of these, only the
    /// problems of the reader are reported.
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails.
    pub fn check_all(
        mut self,
        reader: impl EventReader,
        found: &mut dyn FnMut(Finding),
    ) -> Result<Vec<LongGame>> {
        self.check_games(&mut GameReader::new(reader), &mut |finding, _| {
            found(finding);
            true
        })
    }

    /// Checks games until `found` returns false. For findings between games, the reader must [keep
    /// them](GameReader::keeping_context). Returns the games that exceed the budget: of these, only
    /// the problems of the reader are reported.
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails.
    pub fn check_games<R: EventReader>(
        &mut self,
        games: &mut GameReader<R>,
        found: &mut dyn FnMut(Finding, &mut FindingPlace<'_, R>) -> bool,
    ) -> Result<Vec<LongGame>> {
        let mut long_games = Vec::new();
        games.keep_long_game_problems();
        while games.next_game()?.is_some() {
            if games.game().is_none() {
                long_games.push(games.long_game());
            }
            if !self.check_next(games, found) {
                return Ok(long_games);
            }
        }
        self.check_rest(games, found);
        Ok(long_games)
    }

    /// Checks the game that `games` has read, and the bytes before it. Returns false once `found`
    /// has returned false.
    pub fn check_next<R: EventReader>(
        &mut self,
        games: &GameReader<R>,
        found: &mut dyn FnMut(Finding, &mut FindingPlace<'_, R>) -> bool,
    ) -> bool {
        let mut goes_on = true;
        let mut place = FindingPlace::new(games, self.charset.unwrap_or(Charset::AUTO));
        let Some(game) = games.game() else {
            let (last, long) = (self.last, games.long_game());
            self.skip(long, &mut |finding| {
                goes_on = goes_on && found(finding, &mut place)
            });
            let (before, problems) = games.long_game_problems();
            for (index, (problem, position)) in problems.enumerate() {
                place.position = Some(position);
                let game = if index < before { last } else { long.number };
                problem_findings(&[problem], game, &mut |finding| {
                    goes_on = goes_on && found(finding, &mut place)
                });
            }
            return goes_on;
        };
        if game.charset_source() == CharsetSource::Forced {
            place.charset = game.charset();
        }
        self.check(&Facts::of(game, 0), &mut |finding| {
            if finding.span.start >= game.span().start {
                place.charset = game.charset();
            }
            goes_on = goes_on && found(finding, &mut place);
        });
        self.charset = Some(game.charset());
        goes_on
    }

    /// Checks the bytes after the last game of `games`.
    pub fn check_rest<R: EventReader>(
        &self,
        games: &GameReader<R>,
        found: &mut dyn FnMut(Finding, &mut FindingPlace<'_, R>) -> bool,
    ) {
        let mut goes_on = true;
        let charset = self.charset.unwrap_or_else(|| games.reader().charset());
        let mut place = FindingPlace::new(games, charset);
        problem_findings(games.trailing_problems(), self.last, &mut |finding| {
            goes_on = goes_on && found(finding, &mut place);
        });
    }

    /// Checks the next game, and the bytes before it.
    pub fn check(&mut self, facts: &Facts<'_>, found: &mut dyn FnMut(Finding)) {
        let record = facts.record();
        problem_findings(record.problems_before(), self.last, found);
        let start = record.span_of(record.tokens()[0]);
        let mut report = Reporter::of_game(record.number(), found);
        self.count_game(record.number(), start, &mut report);
        let mut game = GameValidator::of(facts, self.options, report);
        game.check_root(facts, start);
        let declared = match record.charset_source() >= CharsetSource::Declared {
            true => Some(record.charset()),
            // A game of Pentobi that declares no charset is UTF-8 (spec P-06).
            false => facts.game.variant().map(|_| Charset::UTF_8),
        };
        for (code, fact) in [
            (
                Code::DifferentVersions,
                ComparedFact::Version(game.context.ff),
            ),
            (Code::DifferentGames, ComparedFact::Game(facts.game)),
            (Code::DifferentCharsets, ComparedFact::Charset(declared)),
        ] {
            self.compare(code, start, fact, &mut game.report);
        }
        game.check(record);
    }

    /// Counts a game that exceeds the budget.
    pub fn skip(&mut self, game: LongGame, found: &mut dyn FnMut(Finding)) {
        let start = Span::new(game.span.start, game.span.start + 1);
        self.count_game(
            game.number,
            start,
            &mut Reporter::of_game(game.number, found),
        );
    }

    fn count_game(&mut self, number: u64, start: Span, report: &mut Reporter<'_>) {
        self.games += 1;
        self.last = number;
        self.compare(
            Code::SeveralGames,
            start,
            ComparedFact::Number(self.games),
            report,
        );
    }

    /// Reports the first game that differs in this fact from the first game of the input.
    fn compare(&mut self, code: Code, span: Span, fact: ComparedFact, report: &mut Reporter<'_>) {
        let message = self.input_games.compare(fact);
        if self.is_part {
            // Another part may contain the first game of the input, so leave the decision to
            // whoever merges the parts.
            let may_differ = match fact {
                ComparedFact::Number(number) => number <= 2,
                _ => self.games == 1 || message.is_some(),
            };
            if may_differ {
                report.add_compared(code, span, fact);
            }
        } else if let Some(message) = message {
            report.add(code, span, message, None);
        }
    }
}

/// Checks an input with the default options, and passes each finding with its line and column to
/// `found`. Returns the games that exceed the budget: of these, only the problems of the reader are
/// reported.
///
/// # Errors
///
/// Returns an error if reading fails.
pub fn check(input: impl Read, mut found: impl FnMut(&Finding, Position)) -> Result<Vec<LongGame>> {
    let mut input = Transcoder::new(input);
    let options = input.options(Options::default());
    let mut games = GameReader::new(Reader::with_options(input, options)).keeping_context();
    InputChecker::new(CheckOptions::default()).check_games(&mut games, &mut |finding, place| {
        found(&finding, place.position_of(finding.span.start));
        true
    })
}
