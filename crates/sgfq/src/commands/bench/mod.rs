//! `sgfq bench`: measures the speed of the reader, stage by stage, and its memory, on this machine with these files.

mod stage;

use sgfstream_engine::PartEnd;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;

use sgfstream::EventReader;
use sgfstream_adapt::Count;
use sgfstream_archive::Input;

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::json::SCHEMA;
use crate::report::terminal;
use stage::{STAGES, Stage, Work};

/// Measure reading speed and memory use on your files.
///
/// Stage `count` reads all inputs from disk on one thread, as `sgfq count -j1` does, and measures peak memory. Then `bench`
/// loads the inputs into memory and runs each further stage on one core: `search` finds each `]` and `\`; `events` reads
/// every event; `text` decodes every value; `values` parses every value by the type of its property; `moves` parses every
/// move. The last three include `events`. `bench` prints the best of several rounds.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq bench archive.tar.zst\n\
\x20 sgfq bench --rounds 1 -f json games/")]
pub(crate) struct Bench {
    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    /// Run each stage in memory this many times.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Load at most this many MB for the stages in memory.
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    load: u64,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

const FORMATS: &[Format] = &[Format::Text, Format::Json];

/// Result of a stage.
struct Row {
    stage: &'static str,
    bytes: u64,
    time: Duration,
    work: Work,
}

impl Row {
    fn gigabytes(&self) -> f64 {
        self.bytes as f64 / self.time.as_secs_f64().max(1e-9) / 1e9
    }
}

impl Bench {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let format = self.destination.format(self.format, FORMATS)?;
        self.destination.refuse(&self.inputs, None)?;
        let mut rows = Vec::new();
        let mut exit = Exit::Done;
        let mut peak = None;
        if self.inputs.parsed().contains(&Input::Stdin) {
            terminal::print_note("sgfq: stdin can be read only once, so stage `count` and peak memory are left out");
        } else {
            let row;
            (row, exit) = self.count()?;
            // If the first stage could read nothing, the other stages cannot either.
            if row.bytes == 0 && exit > Exit::Done {
                return Ok(exit);
            }
            rows.push(row);
            peak = std::fs::read_to_string("/proc/self/status").ok().as_deref().and_then(peak_memory);
        }
        let (collections, is_all, loaded) = self.loaded(exit)?;
        let bytes: u64 = collections.iter().map(|bytes| bytes.len() as u64).sum();
        if !is_all {
            terminal::print_note(&format!("sgfq: loaded {:.0} MB; to load more, raise `--load`", bytes as f64 / 1e6));
        }
        rows.extend(STAGES.map(|(name, stage)| self.best(name, stage, &collections, bytes)));
        self.destination.with(&self.inputs, out, |out| {
            if format == Format::Text {
                return write_text(out, &rows, collections.len(), peak);
            }
            let rows: Vec<_> = rows.iter().map(json_row).collect();
            let object = json!({ "schema": SCHEMA, "rounds": self.rounds, "files": collections.len(), "loaded_bytes": bytes, "peak_memory_bytes": peak, "stages": rows });
            Ok(writeln!(out, "{object}")?)
        })?;
        Ok(loaded)
    }

    /// Reads everything as one worker of `sgfq count` does.
    fn count(&self) -> anyhow::Result<(Row, Exit)> {
        let start = Instant::now();
        let (mut count, mut bytes) = (Count::default(), 0);
        let exit = self.inputs.each(self.inputs.how.options(), |part| {
            let mut reader = part.reader();
            let result = reader.drive(&mut count);
            bytes += reader.offset();
            result?;
            Ok(ControlFlow::Continue(reader.finish()?))
        })?;
        let work = Work { events: 0, items: count.games };
        Ok((Row { stage: "count", bytes, time: start.elapsed(), work }, exit))
    }

    /// Returns the inputs in memory, whether these are all inputs, and the exit status.
    fn loaded(&self, before: Exit) -> anyhow::Result<(Vec<Vec<u8>>, bool, Exit)> {
        let mut collections = Vec::new();
        let mut left = self.load * 1_000_000;
        let mut is_all = true;
        let exit = self.inputs.each(self.inputs.how.options(), |part| {
            let mut bytes = Vec::new();
            let mut input = part.bytes();
            let result = (&mut input).take(left).read_to_end(&mut bytes);
            left -= bytes.len() as u64;
            is_all &= left > 0;
            if !bytes.is_empty() {
                collections.push(bytes);
            }
            result.map_err(sgfstream::Error::from)?;
            Ok(ControlFlow::Continue(PartEnd::default()))
        })?;
        Ok((collections, is_all, before.or(exit)))
    }

    fn best(&self, name: &'static str, stage: Stage, collections: &[Vec<u8>], bytes: u64) -> Row {
        let options = self.inputs.how.options();
        let mut best = (Duration::MAX, Work::default());
        for _ in 0..self.rounds {
            let start = Instant::now();
            let mut work = Work::default();
            for collection in collections {
                work.add(stage(collection, options));
            }
            best = best.min((start.elapsed(), work));
        }
        Row { stage: name, bytes, time: best.0, work: best.1 }
    }
}

fn write_text(out: &mut dyn Write, rows: &[Row], files: usize, peak: Option<u64>) -> anyhow::Result<()> {
    writeln!(out, "{:<8}{:>12}{:>10}{:>10}{:>14}", "stage", "MB", "ms", "GB/s", "M events/s")?;
    for row in rows {
        let (megabytes, millis) = (row.bytes as f64 / 1e6, row.time.as_secs_f64() * 1e3);
        let events = match row.work.events {
            0 => String::new(),
            events => format!("{:.1}", events as f64 / row.time.as_secs_f64().max(1e-9) / 1e6),
        };
        writeln!(out, "{:<8}{megabytes:>12.2}{millis:>10.1}{:>10.3}{events:>14}", row.stage, row.gigabytes())?;
    }
    let peak = peak.map_or("not known here".to_owned(), |peak| format!("{:.1} MiB", peak as f64 / 1_048_576.0));
    writeln!(out, "files in memory {files}; peak memory of `count` {peak}")?;
    Ok(())
}

fn json_row(row: &Row) -> serde_json::Value {
    json!({
        "stage": row.stage,
        "bytes": row.bytes,
        "seconds": row.time.as_secs_f64(),
        "gigabytes_a_second": row.gigabytes(),
        "events": row.work.events,
        "items": row.work.items,
    })
}

/// Returns the peak physical memory of this process in bytes, from the text of Linux's `/proc/self/status`.
fn peak_memory(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status() {
        assert_eq!(peak_memory("Name:\tsgfq\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n"), Some(1234 * 1024));
        assert_eq!(peak_memory("Name:\tsgfq\n"), None);
        assert_eq!(peak_memory("VmHWM:\t many kB\n"), None);
        if cfg!(target_os = "linux") {
            let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
            assert!(peak_memory(&status).expect("Linux says it") > 100_000);
        }
    }
}
