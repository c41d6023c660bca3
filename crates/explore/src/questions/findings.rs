//! Findings in the games, and repaired games as `sgfq fix` writes them.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Read};

use sgfstream::record::GameRecord;
use sgfstream::{CharsetSource, Code, Options, Severity};
use sgfstream_adapt::check::{
    CheckOptions, ComparedFact, Explanation, Finding, InputChecker, InputGames,
};
use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
use sgfstream_game::Facts;
use sgfstream_open::CharsetTagger;

use super::cores::{Cores, SearchContext};
use super::node_text::NodeText;
use super::replies::{CodeReply, FindingExample, FindingRow, RepairReply, RepairedFinding};
use crate::{FileId, Index, Store, StoredGames};

/// Maximum number of examples per finding.
const EXAMPLES: usize = 5;

/// Maximum number of repairs listed per game.
const LISTED: usize = 200;

/// Findings by code and severity, because some codes have another severity below `FF[4]`.
type ByCode = BTreeMap<(Severity, Code), FindingsByCode>;

/// Findings of one code and severity.
#[derive(Default)]
struct FindingsByCode {
    count: u64,
    games: u64,
    last: Option<u32>,
    examples: Vec<FindingExample>,
}

impl FindingsByCode {
    /// Adds a finding about a game.
    fn add(&mut self, game: u32, finding: Finding) {
        self.count += 1;
        self.games += u64::from(self.last.replace(game) != Some(game));
        let (path, message) = (finding.path, finding.message);
        self.add_example(FindingExample {
            id: Some(game),
            game: String::new(),
            path,
            message,
        });
    }

    fn add_example(&mut self, example: FindingExample) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(example);
        }
    }

    /// Adds the findings of later games.
    fn append(&mut self, later: Self) {
        self.count += later.count;
        self.games += later.games;
        self.examples.extend(later.examples);
        self.examples.truncate(EXAMPLES);
    }
}

/// Findings of a run of games.
#[derive(Default)]
struct RunFindings {
    by_code: ByCode,
    /// Findings of the run's first file that depend on the games of that file in earlier runs.
    compared: Vec<(u32, Finding)>,
    /// First and last file, each with its number of games.
    first: Option<(FileId, u64)>,
    last: Option<(FileId, u64)>,
    /// Facts of the last file, with which its later games are compared.
    facts: InputGames,
}

impl RunFindings {
    /// Checks a run of games, the games of a file one after another.
    fn of(index: &Index<impl Store>, games: impl Iterator<Item = u32>) -> io::Result<Self> {
        let (mut run, mut stored) = (Self::default(), index.games());
        let mut checker = InputChecker::new(CheckOptions::default()).for_part();
        for game in games {
            let Some(file) = stored.read(game)? else {
                continue;
            };
            if run.last.is_some_and(|(last, _)| last != file) {
                checker = InputChecker::new(CheckOptions::default());
            }
            let facts = Facts::of(stored.game.record(), 0);
            checker.check(&facts, &mut |finding| match finding.compared {
                Some(_) => run.compared.push((game, finding)),
                None => run
                    .by_code
                    .entry((finding.severity, finding.code))
                    .or_default()
                    .add(game, finding),
            });
            let before = run
                .last
                .filter(|(last, _)| *last == file)
                .map_or(0, |(_, games)| games);
            run.last = Some((file, before + 1));
            if run.first.is_none_or(|(first, _)| first == file) {
                run.first = run.last;
            }
        }
        run.facts = checker.input_games;
        Ok(run)
    }
}

/// The file that is being checked run by run, with its games so far.
#[derive(Default)]
struct CheckedFile {
    file: Option<FileId>,
    games: u64,
    facts: InputGames,
}

impl CheckedFile {
    /// Moves on over the games of a run. Passes the findings that depend on earlier games to
    /// `found`.
    fn advance(&mut self, run: &mut RunFindings, mut found: impl FnMut(u32, Finding)) {
        let (Some((first, games)), Some((last, last_games))) = (run.first, run.last) else {
            return;
        };
        if self.file != Some(first) {
            *self = Self {
                file: Some(first),
                ..Self::default()
            };
        }
        for (game, mut finding) in std::mem::take(&mut run.compared) {
            let Some(mut fact) = finding.compared.take() else {
                continue;
            };
            if let ComparedFact::Number(number) = &mut fact {
                *number += self.games;
            }
            if let Some(message) = self.facts.compare(fact) {
                finding.message = message;
                found(game, finding);
            }
        }
        self.games += games;
        if last != first {
            *self = Self {
                file: Some(last),
                games: last_games,
                facts: run.facts,
            };
        }
    }
}

/// Returns whether findings of this code compare a game with the earlier games of its file.
pub(crate) fn is_of_file(code: Code) -> bool {
    matches!(
        code,
        Code::SeveralGames
            | Code::DifferentVersions
            | Code::DifferentGames
            | Code::DifferentCharsets
    )
}

/// Returns the findings of these games by code, the most severe first: those that `sgfq check`
/// reports about them and about what is outside of games in their archive.
pub(crate) fn by_code<S: Store + Sync>(
    context: &SearchContext<'_, S, impl Cores>,
    games: &[u32],
) -> io::Result<Vec<FindingRow>> {
    let index = context.index;
    let (mut codes, mut file) = (ByCode::new(), CheckedFile::default());
    for mut run in context.each(games, |run| RunFindings::of(index, run.copied()))? {
        let mut later = std::mem::take(&mut run.by_code);
        file.advance(&mut run, |game, finding| {
            later
                .entry((finding.severity, finding.code))
                .or_default()
                .add(game, finding);
        });
        for (key, later) in later {
            codes.entry(key).or_default().append(later);
        }
    }
    index.each_trailing(|name, problems| {
        for problem in problems {
            let of_code = codes.entry((problem.severity(), problem.code)).or_default();
            of_code.count += 1;
            let message = problem.code.message().to_owned();
            of_code.add_example(FindingExample {
                id: None,
                game: name.to_owned(),
                path: String::new(),
                message,
            });
        }
    })?;
    let mut codes: Vec<_> = codes.into_iter().collect();
    codes.sort_by_key(|&((severity, code), ref of_code)| {
        (Reverse(severity), Reverse(of_code.count), code)
    });
    let mut rows = Vec::with_capacity(codes.len());
    for (
        (severity, code),
        FindingsByCode {
            count,
            games,
            mut examples,
            ..
        },
    ) in codes
    {
        for example in &mut examples {
            if let Some(id) = example.id {
                example.game = index.name(id)?;
            }
        }
        let explanation = Explanation::of(code);
        let explain = CodeReply {
            title: code.message(),
            text: explanation.meaning,
            advice: explanation.advice,
            sgfc: code.sgfc(),
        };
        rows.push(FindingRow {
            code: code.as_str(),
            severity: severity.as_str(),
            count,
            games,
            examples,
            explain,
        });
    }
    Ok(rows)
}

/// Finds the first finding of a code in games. The games are in the order of the index, because
/// some codes compare a game with the earlier ones of its file.
pub(crate) struct CodeFinder {
    code: Code,
    checker: InputChecker,
    last: Option<FileId>,
}

impl CodeFinder {
    pub(crate) fn new(code: Code) -> Self {
        Self {
            code,
            checker: InputChecker::default(),
            last: None,
        }
    }

    /// Returns the node of the first finding in a game, and its message.
    pub(crate) fn find(
        &mut self,
        stored: &mut StoredGames<'_, impl Store>,
        game: u32,
    ) -> io::Result<Option<NodeText>> {
        let Some(file) = stored.read(game)? else {
            return Ok(None);
        };
        if self.last.replace(file) != Some(file) {
            self.checker = InputChecker::default();
        }
        let mut place = None;
        self.checker
            .check(&Facts::of(stored.game.record(), 0), &mut |finding| {
                if finding.code == self.code && place.is_none() {
                    place = Some(NodeText {
                        path: finding.path,
                        text: finding.message,
                    });
                }
            });
        Ok(place)
    }
}

/// Returns the bytes of a game; with `CA[UTF-8]` if its file was transcoded.
pub(super) fn with_charset(bytes: &[u8], is_transcoded: bool) -> io::Result<Cow<'_, [u8]>> {
    if !is_transcoded {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut tagged = Vec::with_capacity(bytes.len() + 16);
    CharsetTagger::new(bytes).read_to_end(&mut tagged)?;
    Ok(Cow::Owned(tagged))
}

/// Returns a game as `sgfq fix` writes it.
pub(crate) fn repaired(
    game: &GameRecord<'_>,
    is_transcoded: bool,
    options: Options,
) -> io::Result<Vec<u8>> {
    fixed(game, is_transcoded, options, |_, _| {})
}

/// Repairs a game and passes each finding with its outcome to `found`. If a byte order mark begins
/// the file, the repair reads the game as UTF-8.
fn fixed(
    game: &GameRecord<'_>,
    is_transcoded: bool,
    options: Options,
    mut found: impl FnMut(&Finding, Outcome),
) -> io::Result<Vec<u8>> {
    let options = options.with_transcoded(game.charset_source() == CharsetSource::Bom);
    let fixed = fix(
        game.as_bytes(),
        &FixFilter::default(),
        options,
        |_, finding, outcome| found(finding, outcome),
    );
    Ok(with_charset(&fixed, is_transcoded)?.into_owned())
}

/// Repairs a game as `sgfq fix` does. Returns each finding with its outcome, and the text before
/// and after.
pub(crate) fn repair(
    game: &GameRecord<'_>,
    is_transcoded: bool,
    options: Options,
) -> io::Result<RepairReply> {
    let mut found = Vec::new();
    let after = fixed(game, is_transcoded, options, |finding, outcome| {
        if found.len() < LISTED {
            found.push(RepairedFinding {
                code: finding.code.as_str(),
                path: finding.path.clone(),
                message: finding.message.clone(),
                left: outcome == Outcome::Left,
            });
        }
    })?;
    let before = game.as_bytes();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(RepairReply {
        findings: found,
        changed: after != before,
        before: text(before),
        after: text(&after),
    })
}
