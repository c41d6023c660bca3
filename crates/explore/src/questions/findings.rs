//! Findings in the games, and repaired games as `sgfq fix` writes them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use sgfstream::{Code, Options, Severity, SliceReader};
use sgfstream_adapt::check::{CheckOptions, Explanation, Finding, InputChecker};
use sgfstream_adapt::fix::{FixFilter, Outcome, fix};

use super::cores::{Cores, runs_of};
use super::protocol::{CodeReply, FindingExample, FindingsReply, RepairReply, RepairedFinding};
use super::stop_flag::StopFlag;
use crate::{Index, Store};

/// Maximum number of examples per finding.
const EXAMPLES: usize = 5;

/// Maximum number of repairs listed per game.
const LISTED: usize = 200;

/// A node and the text found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeText {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Findings by code and severity, because some codes have another severity below FF[4].
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
    /// Adds the findings of later games.
    fn append(&mut self, later: Self) {
        self.count += later.count;
        self.games += later.games;
        self.examples.extend(later.examples);
        self.examples.truncate(EXAMPLES);
    }
}

/// Returns the findings of these games by code, the most severe first.
pub(crate) fn by_code<S: Store + Sync>(
    index: &Index<S>,
    cores: &impl Cores,
    games: &[u32],
    stop: &StopFlag,
) -> io::Result<Vec<FindingsReply>> {
    let mut codes = ByCode::new();
    for found in cores.each(&runs_of(games, cores), |run| of_run(index, stop.until(run))) {
        for (key, later) in found? {
            codes.entry(key).or_default().append(later);
        }
    }
    stop.check()?;
    let mut codes: Vec<_> = codes.into_iter().collect();
    codes.sort_by_key(|&((severity, code), ref of_code)| (Reverse(severity), Reverse(of_code.count), code));
    let mut rows = Vec::with_capacity(codes.len());
    for ((severity, code), FindingsByCode { count, games, mut examples, .. }) in codes {
        for example in &mut examples {
            example.game = index.name(example.id)?;
        }
        let explanation = Explanation::of(code);
        let explain = CodeReply {
            title: code.message(),
            text: explanation.meaning(),
            advice: explanation.advice(),
            sgfc: code.sgfc(),
        };
        rows.push(FindingsReply { code: code.as_str(), severity: severity.as_str(), count, games, examples, explain });
    }
    Ok(rows)
}

/// Returns the findings of a run of games by code.
fn of_run(index: &Index<impl Store>, games: impl Iterator<Item = u32>) -> io::Result<ByCode> {
    let mut codes = ByCode::new();
    for game in games {
        let mut add = |finding: Finding| {
            let of_code = codes.entry((finding.severity, finding.code)).or_default();
            of_code.count += 1;
            of_code.games += u64::from(of_code.last.replace(game) != Some(game));
            if of_code.examples.len() < EXAMPLES {
                let (path, message) = (finding.path, finding.message);
                of_code.examples.push(FindingExample { id: game, game: String::new(), path, message });
            }
        };
        check(index, game, &mut add)?;
    }
    Ok(codes)
}

/// Passes the findings of a game to `found`.
fn check(index: &Index<impl Store>, game: u32, found: &mut dyn FnMut(Finding)) -> io::Result<()> {
    let bytes = index.bytes(game)?.unwrap_or_default();
    let reader = SliceReader::with_options(&bytes, index.options());
    let checker = InputChecker::new(CheckOptions::default());
    // An index has no games that are too long to check.
    checker.check_all(reader, found).map_err(io::Error::other)?;
    Ok(())
}

/// Returns the first finding of a code in a game, with its node and message.
pub(crate) fn first_of_code(index: &Index<impl Store>, code: Code, game: u32) -> io::Result<Option<NodeText>> {
    let mut first = None;
    let mut keep_first = |finding: Finding| {
        if finding.code == code && first.is_none() {
            first = Some(NodeText { path: finding.path, text: finding.message });
        }
    };
    check(index, game, &mut keep_first)?;
    Ok(first)
}

/// Returns a game as `sgfq fix` writes it.
pub(crate) fn repaired(bytes: &[u8], options: Options) -> Vec<u8> {
    fix(bytes, &FixFilter::default(), options, |_, _, _| {})
}

/// Repairs a game as `sgfq fix` does. Returns each finding with its outcome, and the text before and after.
pub(crate) fn repair(bytes: &[u8], options: Options) -> RepairReply {
    let mut found = Vec::new();
    let after = fix(bytes, &FixFilter::default(), options, |_, finding: &Finding, outcome| {
        if found.len() < LISTED {
            found.push(RepairedFinding {
                code: finding.code.as_str(),
                path: finding.path.clone(),
                message: finding.message.clone(),
                left: outcome == Outcome::Left,
            });
        }
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    RepairReply { findings: found, changed: after != bytes, before: text(bytes), after: text(&after) }
}
