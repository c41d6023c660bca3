//! Findings that are known: those that an earlier run wrote with `-f jsonl`.
//!
//! A finding is known by its file, its code and its words. These stay the same when other parts of the file change;
//! lines, bytes and numbers of games do not.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use crate::report::json::SCHEMA;

use super::line::Line;

/// Findings of a baseline, at most. They take 12 bytes each.
const MOST: usize = 1 << 20;

/// Bytes of a line of a baseline, at most: one that `check` wrote is shorter.
const LINE: u64 = 16 << 20;

/// The findings of an earlier run, as hashes.
#[derive(Debug)]
pub(super) struct Baseline {
    hasher: RandomState,
    keys: Vec<u64>,
    /// How often each of them may still be met.
    left: Vec<u32>,
}

impl Baseline {
    /// Reads what `sgfq check -f jsonl` wrote.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let shown = || path.display().to_string();
        let mut input = BufReader::new(File::open(path).with_context(shown)?);
        let hasher = RandomState::new();
        let (mut keys, mut line) = (Vec::new(), Vec::new());
        for number in 1.. {
            line.clear();
            if std::io::Read::take(&mut input, LINE).read_until(b'\n', &mut line).with_context(shown)? == 0 {
                break;
            }
            let place = || format!("{}:{number}", path.display());
            let object: Value = serde_json::from_slice(&line)
                .with_context(|| format!("{}: expected a line of `sgfq check -f jsonl`", place()))?;
            let text = |name: &str| object.get(name).and_then(Value::as_str);
            anyhow::ensure!(
                object.get("schema").and_then(Value::as_u64) == Some(SCHEMA),
                "{}: expected a line of `sgfq check -f jsonl` with \"schema\":{SCHEMA}, found another",
                place()
            );
            let (Some(file), Some(code), Some(message)) = (text("file"), text("code"), text("message")) else {
                anyhow::bail!("{}: expected a finding with `file`, `code` and `message`, found none", place());
            };
            anyhow::ensure!(
                keys.len() < MOST,
                "{}: expected at most {MOST} findings, found more; `--allow CODE` leaves out a frequent one",
                shown()
            );
            keys.push(hasher.hash_one((file, code, message, text("found"))));
        }
        keys.sort_unstable();
        let mut left: Vec<u32> = Vec::new();
        let mut last = None;
        for &key in &keys {
            match left.last_mut() {
                Some(count) if last == Some(key) => *count += 1,
                _ => left.push(1),
            }
            last = Some(key);
        }
        keys.dedup();
        Ok(Self { hasher, keys, left })
    }

    /// True if the line is one of its findings; each is known as often as it was found. To be asked in the order of the
    /// input.
    pub(super) fn takes(&mut self, line: &Line<'_>) -> bool {
        let (file, code, message) = (&*line.file, line.finding.code.as_str(), &*line.message());
        let key = self.hasher.hash_one((file, code, message, line.found.as_deref()));
        let Ok(at) = self.keys.binary_search(&key) else { return false };
        let is_known = self.left[at] > 0;
        self.left[at] = self.left[at].saturating_sub(1);
        is_known
    }
}
