//! Counts of findings by code, which determine the exit status.

use std::collections::BTreeMap;

use sgfstream::{Code, Severity};

use crate::report::counted;

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) files: u64,
    by_code: BTreeMap<(Severity, Code), u64>,
    hidden: u64,
    /// Findings that were not printed because of `--max-findings`.
    pub(super) cut: u64,
    /// Findings that were not printed because enough findings of their code and file were.
    pub(super) more: u64,
    pub(super) worst: Option<Severity>,
    /// Whether a limit was reached, so that later findings may be missing or wrong.
    pub(super) is_incomplete: bool,
}

impl Tally {
    pub(super) fn count(&mut self, severity: Severity, code: Code, is_shown: bool) {
        *self.by_code.entry((severity, code)).or_default() += 1;
        self.hidden += u64::from(!is_shown);
        self.worst = self.worst.max(Some(severity));
        // SGFC 7: no game at all.
        self.is_incomplete |= code == Code::CheckLimit;
    }

    /// Adds the counts of another tally.
    pub(super) fn merge(&mut self, other: Self) {
        self.files += other.files;
        for (kind, count) in other.by_code {
            *self.by_code.entry(kind).or_default() += count;
        }
        self.hidden += other.hidden;
        self.more += other.more;
        self.worst = self.worst.max(other.worst);
        self.is_incomplete |= other.is_incomplete;
    }

    /// Returns a line for each code, the most severe and most frequent codes first.
    pub(super) fn summary(&self) -> String {
        let mut rows: Vec<_> = self.by_code.iter().collect();
        rows.sort_by_key(|&((severity, code), &count)| {
            (std::cmp::Reverse((*severity, count)), *code)
        });
        let mut lines = String::new();
        let mut sums = [0u64; 3];
        for ((severity, code), count) in rows {
            sums[*severity as usize] += count;
            let sgfc = code
                .sgfc()
                .map(|number| format!(" (SGFC {number})"))
                .unwrap_or_default();
            lines.push_str(&format!("{count:>9}  {severity}[{code}]{sgfc}\n"));
        }
        let [notes, warnings, errors] = sums;
        let sums = [
            counted(errors, "error"),
            counted(warnings, "warning"),
            counted(notes, "note"),
        ]
        .join(", ");
        lines.push_str(&format!("{}: {sums}", counted(self.files, "file")));
        if self.hidden > 0 {
            lines.push_str(&format!("; {} not shown, see --level", self.hidden));
        }
        if self.more > 0 {
            lines.push_str(&format!("; {} more of a kind, see --all", self.more));
        }
        if self.cut > 0 {
            lines.push_str(&format!("; {} not printed; see --max-findings", self.cut));
        }
        lines
    }
}
