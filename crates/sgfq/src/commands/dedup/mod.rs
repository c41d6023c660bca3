//! `sgfq dedup`: writes each game once.

mod join_counts;
mod near;
mod stored_games;

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use xxhash_rust::xxh3::xxh3_128;

use sgfstream::Charset;
use sgfstream::parallel::PartReader;
use sgfstream_engine::{OUTPUT_FULL, Out, PartOffset};
use sgfstream_game::{Game, board::Symmetry};
use sgfstream_table::row::{Cell, Column, ColumnSet, GameRow, LineMoves, RowReader};

use crate::args::destination::Destination;
use crate::args::io::Io;
use crate::args::threads::{self, ANSWER, OutputTiming, Pool, each_part, hand_out_if_full};
use crate::args::where_games::Chooser;
use crate::io::new_files::NewFiles;
use crate::io::output::Output;
use crate::io::relative_names::RelativeNames;
use crate::io::spill::Spills;
use crate::io::temp_file::Sorted;
use crate::report::exit::{Exit, note_count};
use crate::report::format::Format;
use crate::report::rows::RowWriter;
use crate::report::terminal;

use join_counts::JoinCounts;
use near::{Duplicates, NearDuplicates};
use stored_games::{GameSize, StoredGames};

/// Write each game once: the most complete of the games with the same main line.
///
/// Two games are equal if game type, board, setup and moves are equal. `dedup` keeps the game with
/// the most nodes; ties go to the longest comments. A game without moves and setup is never a
/// duplicate. `--by dyer` compares only six moves (`sgfq get dyer`); it compares games without all
/// six as `exact` does. Different games can share these six moves, so read the `--report`.
///
/// `--prefer merge` adds the properties and variations of the other games to the most complete
/// game, as `sgfq merge` does. If text would be lost, that game stays unchanged. With `--near`, a
/// game is also a duplicate if its main line is the start of another, or if at most N moves differ;
/// the longest line stays. Main lines of fewer than 10 * (N + 1) moves must be equal.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq dedup --by symmetric games/ -o unique.sgf --rejects duplicates.sgf\n\
\x20 sgfq dedup --by dyer games/ -o unique.sgf --report dropped.csv\n\
\x20 sgfq dedup --near=2 -d unique games/")]
pub(crate) struct Dedup {
    /// Compare games `exact`, `symmetric` (ignoring rotation and reflection; Go, Hex), or by six
    /// moves: `dyer`, `dyer_canonical`.
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = ComparedBy::Exact)]
    by: ComparedBy,

    /// Of equal games, keep the `fullest`, the `first`, or a `merge` of all.
    #[arg(long, alias = "keep", value_name = "WHICH", value_enum, hide_possible_values = true,
        default_value_t = KeptGame::Fullest)]
    prefer: KeptGame,

    /// Also drop near duplicates: at most N moves differ [default: 1]; setup must be equal.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", require_equals = true, value_parser = clap::value_parser!(u32).range(0..=20))]
    near: Option<u32>,

    /// Write the remaining games of each input to a file in DIR, as `filter -d`.
    #[arg(short = 'd', long, value_name = "DIR", conflicts_with = "file")]
    directory: Option<PathBuf>,

    /// Write the duplicates to FILE.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Write a list of dropped games with reasons to FILE: .csv, .tsv or .jsonl.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    #[command(flatten)]
    io: Io<Pool>,
}

/// Comparison of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ComparedBy {
    Exact,
    Symmetric,
    Dyer,
    #[value(name = "dyer_canonical")]
    DyerCanonical,
}

impl ComparedBy {
    /// Returns the column of the signature, for games whose signature is complete, and the column
    /// of the hash.
    fn columns(self) -> (Option<&'static Column>, &'static Column) {
        let (signature, hash) = match self {
            Self::Exact => (None, "hash"),
            Self::Symmetric => (None, "canonical_hash"),
            Self::Dyer => (Some("dyer"), "hash"),
            Self::DyerCanonical => (Some("dyer_canonical"), "canonical_hash"),
        };
        (
            signature.and_then(Column::find),
            Column::find(hash).expect("a column"),
        )
    }

    fn has_symmetries(self) -> bool {
        matches!(self, Self::Symmetric | Self::DyerCanonical)
    }

    /// Returns the reason in the report for a duplicate with an equal key but different moves.
    fn reason(self) -> &'static str {
        if self == Self::Symmetric {
            "turned"
        } else {
            "signature"
        }
    }
}

/// Which of equal games stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KeptGame {
    Fullest,
    First,
    Merge,
}

/// Reader of what is compared of a game: its hash, its line and its size.
struct GameHasher {
    by: ComparedBy,
    /// The columns of the signature and of the hash.
    keys: (Option<&'static Column>, &'static Column),
    /// Whether it reads the moves, to find near lines or to detect rotated boards.
    has_lines: bool,
    has_names: bool,
    has_charsets: bool,
}

/// A game with its line to compare, its size and its name.
#[derive(Default)]
struct HashedGame {
    /// Number of the spill with the bytes of the game.
    spill: usize,
    bytes: Range<u64>,
    hash: Option<u128>,
    /// Moves of the line, or `None` if they are too many or not needed.
    moves: Option<LineMoves>,
    fullness: GameSize,
    symmetries: u8,
    size: (u32, u32),
    input: String,
    /// Number of the game in its part.
    game: u64,
    /// Name of the charset, if it is known and needed.
    charset: &'static str,
}

impl HashedGame {
    fn name(&self, before: &PartOffset) -> String {
        format!("{}#{}", self.input, self.game + before.games)
    }
}

impl GameHasher {
    fn columns(&self) -> ColumnSet {
        let (signature, hash) = self.keys;
        let names = ["source", "member", "game"]
            .into_iter()
            .filter(|_| self.has_names);
        ColumnSet::of(
            names
                .chain(["nodes", "comment_bytes"])
                .filter_map(Column::find)
                .chain(signature)
                .chain([hash]),
        )
    }

    fn hashed(&self, rows: &RowReader<'_, PartReader<'_>>) -> HashedGame {
        let (filled, facts) = (rows.filled(), rows.facts().expect("the game was read"));
        let row = filled.row();
        let symmetries = match facts.game {
            _ if !self.by.has_symmetries() => 1,
            Game::Go => Symmetry::ALL.len(),
            Game::Hex => Symmetry::HEX.len(),
            _ => 1,
        };
        let source = row
            .source
            .clone()
            .filter(|_| self.has_names)
            .unwrap_or_default();
        let count = |count: Option<i64>| count.unwrap_or(0).unsigned_abs();
        HashedGame {
            hash: hash_of(self.keys, row),
            moves: self.has_lines.then(|| filled.line()).flatten(),
            fullness: GameSize {
                nodes: count(row.nodes),
                comment_bytes: count(row.comment_bytes),
            },
            symmetries: symmetries as u8,
            size: facts
                .board_size()
                .map_or((0, 0), |size| (size.columns(), size.rows())),
            input: row
                .member
                .as_ref()
                .map_or(source.clone(), |member| format!("{source}!{member}")),
            game: row.game.unwrap_or(0).unsigned_abs(),
            charset: Some(facts.charset())
                .filter(|&known| self.has_charsets && known != Charset::AUTO)
                .map_or("", Charset::name),
            ..HashedGame::default()
        }
    }
}

/// Games of a part.
#[derive(Default)]
struct HashedGames {
    games: Vec<HashedGame>,
    /// Bytes of the games, which are about as many as those of their lines, and of their numbers.
    size: u64,
}

impl threads::Output for HashedGames {
    fn is_full(&self) -> bool {
        self.size > OUTPUT_FULL as u64
    }
}

impl Dedup {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let is_merge = self.prefer == KeptGame::Merge;
        if is_merge && self.by != ComparedBy::Exact {
            let by = self.by.to_possible_value().expect("it is not hidden");
            anyhow::bail!(
                "--prefer merge needs --by exact, found --by {}: only games with the same moves can be merged",
                by.get_name()
            );
        }
        self.io.inputs.how.write_games();
        let chooser = if is_merge {
            self.io.choice.parse()?
        } else {
            self.io.parse_without_text()?
        };
        let options = self.io.inputs.how.options();
        let files = [self.rejects.as_deref(), self.report.as_deref()];
        let report = self
            .report
            .as_deref()
            .map(Destination::of)
            .unwrap_or_default();
        let rows = RowWriter::new(report.format(None, REPORT_FORMATS)?, REPORT, false);
        let (mut dropped, mut fuller, mut joining) = (0u64, 0u64, JoinCounts::default());
        let mut kept = self
            .directory
            .as_deref()
            .map(|directory| NewFiles::create(directory, None))
            .transpose()?;
        let names = RelativeNames::new(self.io.inputs.parsed());
        if let Some(kept) = &kept {
            files
                .into_iter()
                .flatten()
                .try_for_each(|file| kept.refuse(file))?;
        }
        let exit = self.io.destination.with_others(
            files,
            &self.io.inputs,
            out,
            |out, [mut rejects, mut report]| {
                let (exit, mut held, mut sorted, mut groups) = self.find_duplicates(&chooser)?;
                let mut next = groups.next()?;
                if let Some(report) = &mut report {
                    report.write_all(&rows.head())?;
                }
                // Consecutive games that stay unchanged. They are written together.
                let mut run = 0..0;
                for game in 0..held.count() {
                    let Some(duplicate) = sorted.of(game)? else {
                        if kept.is_none() && next.is_none_or(|[joined, _]| joined != game) {
                            if run.end != game {
                                held.copy(std::mem::replace(&mut run, game..game), out)?;
                            }
                            run.end += 1;
                            continue;
                        }
                        held.copy(std::mem::take(&mut run), out)?;
                        let others = || {
                            let other = next.filter(|[kept, _]| *kept == game);
                            next = if other.is_some() {
                                groups.next()?
                            } else {
                                next
                            };
                            Ok(other.map(|[_, other]| other))
                        };
                        let file: &mut dyn Write = match &mut kept {
                            Some(kept) => {
                                let name = held.name(game)?;
                                let (entry, _) = name.rsplit_once('#').unwrap_or_default();
                                kept.of(entry, &names)?
                            }
                            None => out,
                        };
                        joining.write(&mut held, game, others, options, file)?;
                        continue;
                    };
                    let [own, kept] = [held.fullness(game)?, held.fullness(duplicate.kept)?];
                    dropped += 1;
                    fuller += u64::from(own.has_more(kept));
                    if let Some(rejects) = &mut rejects {
                        held.copy(game..game + 1, *rejects)?;
                    }
                    if let Some(report) = &mut report {
                        let mut line = Vec::new();
                        let reason = duplicate.reason(self.by.reason());
                        let names = [&*held.name(game)?, &*held.name(duplicate.kept)?, reason];
                        // Equal signatures have no counts, because they compare six moves only.
                        let moves =
                            [duplicate.differing, duplicate.missing].map(|count| match reason {
                                "signature" => Cell::Null,
                                _ => Cell::Int(count as i64),
                            });
                        let counts = [own.nodes, own.comment_bytes, kept.nodes, kept.comment_bytes];
                        let counts = moves
                            .into_iter()
                            .chain(counts.map(|count| Cell::Int(count as i64)));
                        rows.row(names.map(Cell::Text).into_iter().chain(counts), &mut line);
                        report.write_all(&line)?;
                    }
                }
                held.copy(run, out)?;
                Ok(exit)
            },
        )?;
        if let Some(kept) = kept {
            kept.finish(out)?;
        }
        if is_merge {
            joining.print_summary();
        }
        let verb = if fuller == 1 { "has" } else { "have" };
        let more = format!(
            "; {fuller} of them {verb} more nodes or comments than the game that stays, see --report"
        );
        let more = if fuller > 0 && !is_merge { &more } else { "" };
        note_count(
            dropped - joining.joined,
            &format!("game was dropped{more}"),
            &format!("games were dropped{more}"),
        );
        Ok(chooser.or_none(&self.io.inputs, exit))
    }

    /// Reads all games and finds the duplicates among them.
    fn find_duplicates(
        &self,
        chooser: &Chooser,
    ) -> anyhow::Result<(Exit, StoredGames, Duplicates, Sorted<[u64; 2]>)> {
        let has_report = self.report.is_some();
        let is_merge = self.prefer == KeptGame::Merge;
        let has_names = has_report || self.directory.is_some();
        let hasher = GameHasher {
            by: self.by,
            keys: self.by.columns(),
            has_lines: self.near.is_some() || has_report,
            has_names,
            has_charsets: is_merge,
        };
        let mut duplicates = NearDuplicates::new(self.near, is_merge);
        let mut held = StoredGames::default();
        let mut long = 0u64;
        let spills = Spills::default();
        let job = each_part(
            || chooser.row(hasher.columns()),
            |filled, part, out: &mut Out<'_, HashedGames>| {
                spills.write(|number, spill| {
                    let mut rows = RowReader::of_part(part, filled)?;
                    while chooser.next_whole(&mut rows)? {
                        let start = spill.len();
                        rows.write_line(spill)?;
                        let bytes = start..spill.len();
                        out.size += bytes.end - start + size_of::<HashedGame>() as u64;
                        out.games.push(HashedGame {
                            spill: number,
                            bytes,
                            ..hasher.hashed(&rows)
                        });
                        if !hand_out_if_full(out) {
                            break;
                        }
                    }
                    Ok(rows.end()?)
                })
            },
        );
        let exit = self.io.read(
            OutputTiming::Streamed { is_shown: false },
            ANSWER,
            &job,
            |result| {
                for game in &result.output.games {
                    long += u64::from(game.moves.is_none() && game.hash.is_some());
                    let rank = if self.prefer == KeptGame::First {
                        (0, 0)
                    } else {
                        game.fullness.rank()
                    };
                    duplicates.add(game, rank)?;
                    let name = if has_names {
                        game.name(&result.before)
                    } else {
                        String::new()
                    };
                    held.push(game, &name)?;
                }
                Ok(())
            },
        )?;
        held.bytes = spills.take();
        let sorted = duplicates.find()?;
        let exit = if self.near.is_some() {
            exit.or(incomplete(long, duplicates.unfinished))
        } else {
            exit
        };
        let groups = duplicates.groups()?;
        Ok((exit, held, sorted, groups))
    }
}

/// Formats of a report.
const REPORT_FORMATS: &[Format] = &[Format::Csv, Format::Tsv, Format::Jsonl];

/// The columns of a report.
const REPORT: [&str; 9] = [
    "game",
    "kept",
    "reason",
    "differing",
    "missing",
    "nodes",
    "comment_bytes",
    "kept_nodes",
    "kept_comment_bytes",
];

/// Reports games that were not fully compared.
fn incomplete(long: u64, unfinished: u64) -> Exit {
    let mut exit = Exit::Done;
    for (count, what) in [
        (
            long,
            "has a main line of more than 131,072 moves and was compared only with equal main lines",
        ),
        (
            unfinished,
            "shares moves with more than 1,000 other games and was compared with 1,000 of them",
        ),
    ] {
        if count > 0 {
            terminal::print_line(&format!("sgfq: {count} games: each {what}"));
            exit = Exit::Found;
        }
    }
    exit
}

/// Returns the number that equal games share.
fn hash_of((signature, hash): (Option<&Column>, &Column), row: &GameRow) -> Option<u128> {
    if let Some(Cell::Text(signature)) = signature.map(|column| column.get(row))
        && !signature.contains('?')
    {
        return Some(xxh3_128(signature.as_bytes()));
    }
    match hash.get(row) {
        Cell::Text(digits) => u128::from_str_radix(digits, 16).ok(),
        _ => None,
    }
}
