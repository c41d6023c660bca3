//! Plans: divides inputs among processes or machines, into splits that can be read separately.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use sgfstream_archive::{ArchiveProblem, FileKind, Input, InputFile};

use crate::engine::Engine;
use crate::feed::{PartSize, zip_ranges};
use crate::file_range::FileRange;
use crate::job::{Out, PartOffset, each_part};

/// A share of the inputs: consecutive ranges of them.
///
/// A split travels as text, with a line for each range. The lines contain no control characters but
/// tabs. Reading a split needs the files and nothing else.
///
/// ```
/// use sgfstream_archive::Input;
/// use sgfstream_engine::{Engine, Split};
///
/// let plan = Engine::new().plan(&[Input::parse("../../corpus/go-ff4.sgf")], 64 << 20)?;
/// let text = plan.splits[0].to_string();
/// assert_eq!(text, "0\t\t0\tnamed\t../../corpus/go-ff4.sgf");
/// assert_eq!(text.parse::<Split>()?, plan.splits[0]);
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split(Vec<SplitLine>);

/// A range of an input: a range of bytes, or of runs of members; the number of games before it; and
/// the input.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SplitLine {
    from: u64,
    until: Option<u64>,
    games: u64,
    input: String,
}

/// Splits that together, in order, yield the same as the inputs; and inputs that could not be
/// opened.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SplitPlan {
    /// Splits, in the order of the inputs.
    pub splits: Vec<Split>,
    /// Problems that belong to no split.
    pub problems: Vec<ArchiveProblem>,
}

impl Split {
    /// Returns the ranges, with the current state of each file.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Result<FileRange, ArchiveProblem>> {
        self.0.iter().map(
            |&SplitLine {
                 from,
                 until,
                 games,
                 ref input,
             }| {
                Ok(FileRange {
                    input: InputFile::from_text(input)?,
                    from,
                    until,
                    games,
                })
            },
        )
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (
            at,
            SplitLine {
                from,
                until,
                games,
                input,
            },
        ) in self.0.iter().enumerate()
        {
            let until = until.map(|until| until.to_string()).unwrap_or_default();
            let newline = if at == 0 { "" } else { "\n" };
            write!(f, "{newline}{from}\t{until}\t{games}\t{input}")?;
        }
        Ok(())
    }
}

/// Error for a text that is not a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSplitError;

impl fmt::Display for ParseSplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a split has four lines: its start, its end or nothing, the games before it, and an input")
    }
}

impl std::error::Error for ParseSplitError {}

impl FromStr for Split {
    type Err = ParseSplitError;

    fn from_str(text: &str) -> Result<Self, ParseSplitError> {
        let range = |line: &str| {
            let mut fields = line.splitn(4, '\t');
            let from = fields.next()?.parse().ok()?;
            let until = fields
                .next()
                .filter(|until| !until.is_empty())
                .map(str::parse)
                .transpose()
                .ok()?;
            let games = fields.next()?.parse().ok()?;
            Some(SplitLine {
                from,
                until,
                games,
                input: fields.next()?.to_owned(),
            })
        };
        text.lines()
            .map(range)
            .collect::<Option<_>>()
            .map(Self)
            .ok_or(ParseSplitError)
    }
}

impl Engine {
    /// Divides inputs into splits of about `split_bytes` on disk: exact byte ranges of plain files,
    /// runs of members of zip files, other archives as a whole, and groups of small files. The
    /// splits, in order, yield the same as the inputs, as long as the files do not change and the
    /// engine that reads them has the same options. Large plain files are read once, on all cores,
    /// to find where games begin.
    ///
    /// # Errors
    ///
    /// The inputs include stdin, or a copy of a stream, which another process cannot open.
    pub fn plan(&self, inputs: &[Input], split_bytes: u64) -> anyhow::Result<SplitPlan> {
        let mut plan = SplitPlan::default();
        let (mut small, mut small_bytes) = (Split::default(), 0);
        for input in self.walk(inputs) {
            let input = match input {
                Ok(input) => input,
                Err(problem) => {
                    plan.problems.push(problem);
                    continue;
                }
            };
            let name = input.name();
            let text = input
                .to_text()
                .ok_or_else(|| anyhow::anyhow!("{name}: a stream cannot be split; name a file"))?;
            let ranges = self.ranges(&input, split_bytes)?;
            let is_one = ranges.len() == 1;
            let mut ranges = ranges.into_iter().map(|(range, games)| SplitLine {
                from: range.start,
                until: (range.end < u64::MAX).then_some(range.end),
                games,
                input: text.clone(),
            });
            small_bytes += input.size().unwrap_or(0);
            if is_one {
                small.0.extend(ranges.by_ref());
            }
            if (!is_one || small_bytes >= split_bytes) && !small.0.is_empty() {
                plan.splits.push(std::mem::take(&mut small));
            }
            if !is_one || small_bytes >= split_bytes {
                small_bytes = 0;
            }
            plan.splits.extend(ranges.map(|range| Split(vec![range])));
        }
        plan.splits
            .extend(Some(small).filter(|split| !split.0.is_empty()));
        Ok(plan)
    }

    /// Returns the ranges of an input, each with the number of games before it.
    fn ranges(
        &self,
        input: &InputFile,
        split_bytes: u64,
    ) -> anyhow::Result<Vec<(Range<u64>, u64)>> {
        let whole = vec![(0..u64::MAX, 0)];
        let is_small = input.size().is_none_or(|size| size <= split_bytes);
        if is_small || !input.references().is_empty() {
            return Ok(whole);
        }
        Ok(match input.kind() {
            Ok(FileKind::Plain) => {
                let starts = self.starts(input, split_bytes)?;
                let ends = starts
                    .iter()
                    .skip(1)
                    .map(|(start, _)| *start)
                    .chain([u64::MAX]);
                starts
                    .iter()
                    .zip(ends)
                    .map(|(&(start, games), end)| (start..end, games))
                    .collect()
            }
            Ok(FileKind::Zip) => {
                let (all, size) = (
                    zip_ranges(input).len() as u64,
                    input.size().unwrap_or(0).max(1),
                );
                let each = (u128::from(all) * u128::from(split_bytes) / u128::from(size))
                    .clamp(1, all.into()) as u64;
                let starts = (0..all).step_by(each as usize);
                starts
                    .map(|at| (at..if at + each < all { at + each } else { u64::MAX }, 0))
                    .collect()
            }
            _ => whole,
        })
    }

    /// The minimum length of a range of a plain file, in bytes.
    pub const LEAST: u64 = 64 << 10;

    /// Returns where the ranges of a plain file begin, and the number of games before each. Each
    /// range is at least `bytes` and [`LEAST`](Self::LEAST) long.
    fn starts(&self, input: &InputFile, bytes: u64) -> anyhow::Result<Vec<(u64, u64)>> {
        let part_starts = each_part(
            || (),
            |_| None,
            |(), part, start: &mut Out<'_, u64>| {
                let mut reader = part.reader();
                **start = reader.start();
                Ok(reader.finish()?)
            },
        );
        let mut starts = vec![(0, 0)];
        let engine = self
            .clone()
            .with_own_monitor()
            .with_part_size(PartSize::default());
        engine.run_ranges(
            std::iter::once(Ok(FileRange::from(input.clone()))),
            &part_starts,
            |outcome| {
                let PartOffset {
                    games,
                    errors,
                    warnings,
                    ..
                } = outcome.before;
                // A problem after the last game belongs to the next game, so the file is not
                // divided between them.
                let (last, _) = starts[starts.len() - 1];
                let len = outcome.output.saturating_sub(last);
                if errors + warnings == 0 && len >= bytes.max(Self::LEAST) {
                    starts.push((outcome.output, games));
                }
                Ok(())
            },
        )?;
        Ok(starts)
    }
}
