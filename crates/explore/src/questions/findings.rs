//! Findings in the games, and repaired games as `sgfq fix` writes them.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use serde_json::{Value, json};

use sgfstream::{Code, EventReader, Options, Severity, SliceReader};
use sgfstream_adapt::check::{CheckOptions, Checker, Explanation, Finding};
use sgfstream_adapt::fix::{FixFilter, Outcome, fix};

use super::answer_error::AnswerError;
use super::cores::{Cores, runs_of};
use super::list::NodeText;
use super::stop_flag::StopFlag;
use crate::{Index, Store};

/// Maximum number of examples per finding.
const EXAMPLES: usize = 5;

/// Maximum number of repairs listed per game.
const LISTED: usize = 200;

/// Findings by code and severity, because some codes have another severity below FF[4].
type ByCode = BTreeMap<(Severity, Code), FindingsByCode>;

/// Findings of one code and severity.
#[derive(Default)]
struct FindingsByCode {
    count: u64,
    games: u64,
    last: Option<u32>,
    /// Examples with the number of the game, the path of the node, and the message.
    examples: Vec<Value>,
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
) -> io::Result<Value> {
    let mut codes = ByCode::new();
    for found in cores.each(&runs_of(games, cores), |run| of_run(index, stop.until(run))) {
        for (key, later) in found? {
            codes.entry(key).or_default().append(later);
        }
    }
    stop.check()?;
    for example in codes.values_mut().flat_map(|of_code| &mut of_code.examples) {
        let id = example["id"].as_u64().and_then(|id| u32::try_from(id).ok()).unwrap_or(u32::MAX);
        example["game"] = index.name(id)?.into();
    }
    let mut rows: Vec<_> = codes.into_iter().collect();
    rows.sort_by_key(|&((severity, code), ref of_code)| (Reverse(severity), Reverse(of_code.count), code));
    let rows = rows.into_iter().map(|((severity, code), of_code)| {
        let explanation = Explanation::of(code);
        json!({
            "code": code.as_str(),
            "severity": severity.as_str(),
            "count": of_code.count,
            "games": of_code.games,
            "examples": of_code.examples,
            "explain": {
                "title": code.message(),
                "text": explanation.meaning(),
                "advice": explanation.advice(),
                "sgfc": code.sgfc(),
            },
        })
    });
    Ok(json!({ "rows": rows.collect::<Value>() }))
}

/// Returns the findings of a run of games by code.
fn of_run(index: &Index<impl Store>, games: impl Iterator<Item = u32>) -> io::Result<ByCode> {
    let (mut codes, number) = (ByCode::new(), &Cell::new(0));
    let mut checker = Checker::new(CheckOptions::default(), |finding| {
        let of_code = codes.entry((finding.severity, finding.code)).or_default();
        of_code.count += 1;
        of_code.games += u64::from(of_code.last.replace(number.get()) != Some(number.get()));
        if of_code.examples.len() < EXAMPLES {
            of_code.examples.push(json!({
                "id": number.get(),
                "game": "",
                "path": finding.path,
                "message": finding.message,
            }));
        }
    });
    for game in games {
        number.set(game);
        let bytes = index.bytes(game)?.unwrap_or_default();
        checker.next_input();
        SliceReader::with_options(&bytes, index.options()).drive(&mut checker).map_err(io::Error::other)?;
    }
    drop(checker);
    Ok(codes)
}

/// Returns the first finding of a code in a game, with its node and message.
pub(crate) fn first_of_code(index: &Index<impl Store>, code: Code, game: u32) -> Result<Option<NodeText>, AnswerError> {
    let mut first = None;
    let mut checker = Checker::new(CheckOptions::default(), |finding| {
        if finding.code == code && first.is_none() {
            first = Some(NodeText { path: finding.path.clone(), text: finding.message.clone() });
        }
    });
    let bytes = index.bytes(game)?.unwrap_or_default();
    SliceReader::with_options(&bytes, index.options()).drive(&mut checker)?;
    drop(checker);
    Ok(first)
}

/// Returns a game as `sgfq fix` writes it.
pub(crate) fn repaired(bytes: &[u8], options: Options) -> Vec<u8> {
    fix(bytes, &FixFilter::default(), options, |_, _, _| {})
}

/// Repairs a game as `sgfq fix` does. Returns each finding with its outcome, and the text before and after.
pub(crate) fn repair(bytes: &[u8], options: Options) -> Value {
    let mut found = Vec::new();
    let after = fix(bytes, &FixFilter::default(), options, |_, finding: &Finding, outcome| {
        if found.len() < LISTED {
            found.push(json!({
                "code": finding.code.as_str(),
                "path": finding.path,
                "message": finding.message,
                "left": outcome == Outcome::Left,
            }));
        }
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    json!({ "findings": found, "changed": after != bytes, "before": text(bytes), "after": text(&after) })
}
