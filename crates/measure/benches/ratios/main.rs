//! Measures every row of the table of targets in `docs/performance.md` in one run,
//! as the ratio of two kinds of work on the same bytes.
//!
//! ```text
//! SGF_CORPUS=../shared/corpus cargo bench -p sgfstream-measure --bench ratios            # real archives too
//! cargo bench -p sgfstream-measure --bench ratios -- --rounds 40 --only read             # longer, less
//! ```
//!
//! `--only` takes one of read, file, values, skip, typed, framing, pushed.
//!
//! Other programs on the machine can lengthen a time, but never shorten it.
//! So the benchmark cuts the data into pieces of a few milliseconds, lets the
//! kinds of work take turns on each piece, and counts the best time of each piece.

mod race;
mod set;
#[path = "../../../../benches/support/mod.rs"]
mod support;
mod table;

use std::path::PathBuf;

use race::Race;
use set::{Set, archives};
use sgfstream_measure::Moves;
use support::data::{Sample, gbk_as_utf8, is_test, sjis_as_utf8};
use support::work;
use table::{Row, print_head};

fn main() {
    let options = Options::parse();
    let real = archives();
    let generated = |shape| Set::of(shape, Sample::of(shape, options.size).bytes);

    let moves = generated("moves");
    let comments = generated("comments");
    let named = |names: &[&str]| {
        real.iter()
            .filter(|set| names.contains(&set.name.as_str()))
            .collect::<Vec<_>>()
    };
    let dense: Vec<&Set> = [&moves]
        .into_iter()
        .chain(named(&["go-collections-derived", "go-server"]))
        .collect();
    let talking: Vec<&Set> = [&comments]
        .into_iter()
        .chain(named(&["joseki", "tsumego", "go-commented", "go-ai"]))
        .collect();

    println!(
        "Best of {} rounds for each piece of the data.\n",
        options.rounds
    );
    print_head();
    if options.wants("read") {
        for set in &dense {
            read(set, Some(1.7), &options).print();
        }
        for set in &talking {
            read(set, Some(1.3), &options).print();
        }
        if let Some(mixed) = Set::mixed(&real) {
            read(&mixed, Some(1.4), &options).print();
            one_by_one(&mixed, &options).print();
        }
        for set in [&moves, &comments] {
            depths(set, &options).print();
        }
        for set in named(&["go-pro", "cjk", "nongo"]) {
            read(set, None, &options).print();
        }
        for shape in ["lines", "utf8", "deep", "wide", "hex"] {
            read(&generated(shape), None, &options).print();
        }
    }
    if options.wants("file") {
        for set in dense.iter().chain(&talking) {
            file(set, &options).print();
        }
    }
    if options.wants("values") {
        for (name, value) in [
            ("values of 2 KB", 2_000),
            ("values of 16 KB", 16_000),
            ("a value of 4 MB", 4_000_000),
        ] {
            let sample = Sample::of_values(value.min(options.size), options.size);
            read(&Set::of(name, sample.bytes), Some(0.7), &options).print();
        }
    }
    if options.wants("skip") {
        for set in dense.iter().chain(&talking) {
            skip(set, &options).print();
        }
    }
    if options.wants("typed") {
        for set in &dense {
            typed(
                set,
                "typed Go moves, `Dialect::parse_move`",
                sgfstream_measure::read_moves,
                &options,
            )
            .print();
            typed(
                set,
                "typed Go moves, `Point::parse_on`",
                sgfstream_measure::read_points,
                &options,
            )
            .print();
        }
    }
    if options.wants("framing") {
        for shape in ["gbk", "sjis"] {
            framing(shape, &options).print();
        }
    }
    if options.wants("pushed") {
        for set in [&moves, &comments] {
            pushed(set, &options).print();
        }
        for shape in ["moves", "value"] {
            linear(shape, &options).print();
        }
    }
}

/// Options after `--`.
struct Options {
    rounds: u32,
    only: Option<String>,
    /// Bytes of a generated set.
    size: usize,
}

impl Options {
    fn parse() -> Self {
        let test = is_test();
        let mut options = Self {
            rounds: if test { 1 } else { 15 },
            only: None,
            size: if test { 60_000 } else { 8_000_000 },
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--rounds" => {
                    let rounds = words.next().and_then(|word| word.parse().ok());
                    options.rounds = rounds.expect("expected a number after `--rounds`");
                }
                "--only" => options.only = words.next(),
                // An option that Cargo adds.
                _ => {}
            }
        }
        options
    }

    /// True if `--only` selects these rows, or is absent.
    fn wants(&self, rows: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == rows)
    }
}

/// Compares reading a slice with the search for `]` and `\`.
fn read(set: &Set, target: Option<f64>, options: &Options) -> Row {
    let events: u64 = set
        .pieces
        .iter()
        .map(|piece| work::read_slice(piece).events)
        .sum();
    let rates = Race::of(options.rounds)
        .runner(set, |piece, _| work::read_slice(piece).events)
        .runner(set, |piece, _| work::memchr2(piece).1)
        .run();
    Row::new("every event of a slice / memchr2", &set.name, target, rates)
        .with_events(events as f64 / set.len() as f64)
}

/// Compares a reader that is also asked for the depth of each node.
fn depths(set: &Set, options: &Options) -> Row {
    let rates = Race::of(options.rounds)
        .runner(set, |piece, _| work::read_depths(piece).1)
        .runner(set, |piece, _| work::read_slice(piece).events)
        .run();
    Row::new(
        "events and the depth of nodes / events",
        &set.name,
        None,
        rates,
    )
}

/// Compares one reader for each file with one reader for many files.
fn one_by_one(set: &Set, options: &Options) -> Row {
    let rates = Race::of(options.rounds)
        .runner(set, |_, at| {
            set.files(at)
                .map(|file| work::read_slice(file).events)
                .sum()
        })
        .runner(set, |piece, _| work::read_slice(piece).events)
        .run();
    Row::new(
        "a reader for each file / one for all",
        &set.name,
        None,
        rates,
    )
}

/// Compares a stream of a file with the slice.
fn file(set: &Set, options: &Options) -> Row {
    let files: Vec<PathBuf> = (set.pieces.iter().enumerate())
        .map(|(at, piece)| {
            work::temporary_file(&format!("{at}.sgf"), piece).expect("a file for the bench")
        })
        .collect();
    let rates = Race::of(options.rounds)
        .runner(set, |_, at| work::read_file(&files[at]).events)
        .runner(set, |piece, _| work::read_slice(piece).events)
        .run();
    files
        .iter()
        .for_each(|file| std::fs::remove_file(file).expect("written above"));
    Row::new("`Reader<File>` / slice", &set.name, Some(0.9), rates)
}

fn skip(set: &Set, options: &Options) -> Row {
    let rates = Race::of(options.rounds)
        .runner(set, |piece, _| work::skip_games(piece))
        .runner(set, |piece, _| work::read_slice(piece).events)
        .run();
    Row::new("`skip_game` / full read", &set.name, Some(3.0), rates)
}

fn typed(set: &Set, work: &'static str, parse: fn(&[u8]) -> Moves, options: &Options) -> Row {
    let rates = Race::of(options.rounds)
        .runner(set, |piece, _| parse(piece).points)
        .runner(set, |piece, _| work::read_slice(piece).events)
        .run();
    Row::new(work, &set.name, Some(0.7), rates)
}

/// Compares a double-byte charset with UTF-8, in bytes per second.
fn framing(shape: &'static str, options: &Options) -> Row {
    let sample = Sample::of(shape, options.size).bytes;
    let utf8 = if shape == "gbk" {
        gbk_as_utf8(&sample)
    } else {
        sjis_as_utf8(&sample)
    };
    let (set, utf8) = (Set::of(shape, sample), Set::of("utf8", utf8));
    let rates = Race::of(options.rounds)
        .runner(&set, |piece, _| work::read_slice(piece).events)
        .runner(&utf8, |piece, _| work::read_slice(piece).events)
        .run();
    Row::new(
        "double-byte framing / the same text in UTF-8",
        &set.name,
        Some(0.5),
        rates,
    )
}

fn pushed(set: &Set, options: &Options) -> Row {
    let rates = Race::of(options.rounds)
        .runner(set, |piece, _| work::read_pushed(piece, 1 << 16).events)
        .runner(set, |piece, _| work::read_slice(piece).events)
        .run();
    Row::new(
        "pushed chunks of 64 KiB / slice",
        &set.name,
        Some(0.85),
        rates,
    )
}

/// Pushes single bytes: the rate must stay about equal for four times the data.
fn linear(shape: &'static str, options: &Options) -> Row {
    let sample = |len| Set::of(shape, Sample::of(shape, len).bytes);
    let (small, large) = (sample(options.size / 32), sample(options.size / 8));
    let rates = Race::of(options.rounds.min(5))
        .runner(&large, |piece, _| work::read_pushed(piece, 1).events)
        .runner(&small, |piece, _| work::read_pushed(piece, 1).events)
        .run();
    Row::new(
        "pushed single bytes, 4 x the data / 1 x",
        &large.name,
        Some(0.8),
        rates,
    )
}
