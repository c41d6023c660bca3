//! Tests the properties of `fuzz/`, and some of the command, without libFuzzer. Small files and
//! earlier finds are changed at random and passed to each property.
//!
//! Each property gets a few hundred inputs, always the same. `SGF_FUZZ` sets a time in seconds for
//! all properties together, with new inputs each time. `SGF_PROPERTY` names a single property. A
//! failing input is minimized and written to the build directory; move it to `finds`.

#![allow(
    unreachable_pub,
    dead_code,
    reason = "the properties have more than one home"
)]

mod commands;
#[path = "../../../../tests/common/mod.rs"]
mod common;
#[path = "../../../../fuzz/src/lib.rs"]
mod fuzz;
mod mutate;

use std::cell::RefCell;
use std::fs;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use fuzz::{Choice, Property};
use mutate::Mutator;
use sgfstream_archive::{Input, ReadOptions, visit};

/// Number of random inputs if no time is set.
const FEW: u64 = 300;

/// Of this many kept inputs, one is tested if no time is set.
const KEPT_STEP: usize = 20;

/// Returns the properties of the libraries and of the command.
fn properties() -> impl Iterator<Item = &'static Property> {
    fuzz::PROPERTIES.iter().chain(&commands::PROPERTIES)
}

/// An input that once failed or nearly failed.
struct Find {
    /// `PROPERTY-WHAT`, followed by `.CHOICE` if only one variant of the property failed.
    name: String,
    bytes: Vec<u8>,
}

impl Find {
    fn choice(&self, property: &Property) -> Option<Choice> {
        let (name, choice) = self.name.split_once('.')?;
        let is_of = name
            .strip_prefix(property.name)
            .is_some_and(|rest| rest.starts_with('-'));
        is_of.then(|| Choice::new(choice.parse().expect("a number")))
    }
}

fn finds() -> Vec<Find> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/properties/finds");
    let mut finds: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| Find {
            name: path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned(),
            bytes: fs::read(path).expect("a file"),
        })
        .collect();
    finds.sort_by(|one, other| one.name.cmp(&other.name));
    finds
}

/// Returns every n-th of the inputs that `fuzz/run` keeps, with the names of their targets, or all
/// of them if a time is set.
fn kept(is_long: bool) -> Vec<(String, Vec<u8>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus.tar.zst");
    let step = if is_long { 1 } else { KEPT_STEP };
    let (mut kept, mut number) = (Vec::new(), 0);
    let mut options = ReadOptions::default();
    options.all_files = true;
    visit(&[Input::path(&path)], &options, |item| {
        let Ok(entry) = item else {
            return ControlFlow::Continue(());
        };
        number += 1;
        if number % step == 0 {
            let member = entry.name.last().into_owned();
            let target = member.split('/').rev().nth(1).expect("a folder").to_owned();
            let mut input = Vec::new();
            entry.read.read_to_end(&mut input).expect("a whole archive");
            kept.push((target, input));
        }
        ControlFlow::Continue(())
    });
    assert!(kept.len() > 1_000, "{} inputs", kept.len());
    kept
}

/// Returns the choices for an input: one for each variant of the property, otherwise random.
fn choices(property: &Property, rng: &mut Rng) -> Vec<Choice> {
    let ways = property.ways;
    (0..ways)
        .map(|way| Choice::of_way(way, ways, rng.u32(..)))
        .collect()
}

thread_local! {
    /// Message of the last panic of this thread.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the failure of one variant of the property on the input.
fn failure(property: &Property, input: &[u8], choice: Choice) -> Option<String> {
    let result = panic::catch_unwind(AssertUnwindSafe(|| (property.holds)(input, choice)));
    result.err().map(|_| SAID.take())
}

/// Stores the messages of panics instead of printing them.
fn keep_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current()
            .name()
            .is_some_and(|name| properties().any(|known| known.name == name))
        {
            SAID.replace(info.to_string());
        } else {
            print(info);
        }
    }));
}

/// Returns a smaller part of the input that also fails, if one is found in a short time.
fn smaller(property: &Property, input: &[u8], choice: Choice) -> Vec<u8> {
    let until = Instant::now() + Duration::from_secs(20);
    let mut least = input.to_vec();
    let mut len = least.len().div_ceil(2);
    while len > 0 && Instant::now() < until {
        let mut at = 0;
        while at < least.len() && Instant::now() < until {
            let without = [&least[..at], &least[(at + len).min(least.len())..]].concat();
            if failure(property, &without, choice).is_some() {
                least = without
            } else {
                at += len
            }
        }
        len /= 2;
    }
    least
}

/// Prints the failing property, the place of the input, and the message for a smaller input.
fn told(property: &Property, input: &[u8], choice: Choice) -> String {
    let name = property.name;
    let least = smaller(property, input, choice);
    let said = failure(property, &least, choice).unwrap_or_default();
    let path =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-find.{}.sgf", choice.number()));
    fs::write(&path, &least).expect("disk space");
    let said: String = said.chars().take(2000).collect();
    format!(
        "{name}: {}: {}\n{said}",
        path.display(),
        least.escape_ascii()
    )
}

#[test]
fn properties_hold() {
    keep_panics();
    let seconds: Option<u64> = std::env::var("SGF_FUZZ")
        .ok()
        .map(|seconds| seconds.parse().expect("a number"));
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let only = std::env::var("SGF_PROPERTY").ok();
    let properties: Vec<_> = properties()
        .filter(|each| only.as_deref().is_none_or(|only| each.name == only))
        .collect();
    assert!(
        !properties.is_empty(),
        "expected a property in SGF_PROPERTY, found {only:?}"
    );
    let each =
        seconds.unwrap_or(0) * workers.min(properties.len()) as u64 / properties.len() as u64;
    let each = Duration::from_secs(each);
    let seed = seconds.map_or(1, |_| fastrand::u64(..));
    println!("seed {seed}");
    let mut seeds: Vec<Vec<u8>> = common::own_files()
        .into_iter()
        .map(|(_, bytes)| bytes)
        .collect();
    let finds = finds();
    seeds.extend(finds.iter().map(|find| find.bytes.clone()));
    let kept = kept(seconds.is_some());
    let (seeds, finds, kept, failures) = (&seeds, &finds, &kept, &Mutex::new(Vec::new()));
    let waiting = Mutex::new(properties.into_iter());
    let work = |property: &Property| {
        let (mut count, mut bytes, mut rng) = (0u64, 0u64, Rng::with_seed(seed));
        // False if the input failed.
        let holds = |input: &[u8], choices: Vec<Choice>| {
            let failed = choices
                .into_iter()
                .find(|&choice| failure(property, input, choice).is_some());
            failures
                .lock()
                .expect("no panic")
                .extend(failed.map(|choice| told(property, input, choice)));
            failed.is_none()
        };
        for find in finds {
            let known = find.choice(property).into_iter();
            let drawn = (0..8).flat_map(|_| choices(property, &mut rng));
            if !holds(&find.bytes, known.chain(drawn).collect()) {
                return;
            }
        }
        for (_, input) in kept.iter().filter(|(target, _)| *target == property.name) {
            count += 1;
            let (choice, data) = Choice::split(input);
            if !holds(data, vec![choice]) {
                return;
            }
        }
        for input in seeds.iter().filter(|input| input.len() < 1 << 14) {
            count += 1;
            if !holds(input, choices(property, &mut rng)) {
                return;
            }
        }
        let mut mutator = Mutator::new(seeds, seed);
        let until = Instant::now() + each;
        let few = count + FEW;
        while if seconds.is_some() {
            Instant::now() < until
        } else {
            count < few
        } {
            let input = mutator.next();
            count += 1;
            bytes += input.len() as u64;
            if !holds(&input, choices(property, &mut rng)) {
                return;
            }
        }
        println!("{:10} {count:8} inputs, {bytes:10} bytes", property.name);
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some(property) = waiting.lock().expect("no panic").next() else {
                        break;
                    };
                    let named = thread::Builder::new().name(property.name.to_owned());
                    let done = named
                        .spawn_scoped(scope, || work(property))
                        .expect("a thread")
                        .join();
                    done.expect("failures are caught");
                }
            });
        }
    });
    let failures = failures.lock().expect("no panic");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
