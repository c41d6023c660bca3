//! The properties of `fuzz/`, and some of the command, without libFuzzer: small files, and what was
//! found with them, are changed at random and given to each property.
//!
//! Each property gets a few hundred inputs, always the same; `SGF_FUZZ` gives
//! all of them together so many seconds, and other inputs each time; `SGF_PROPERTY` names the one that gets them all.
//! What fails is made small, and written to the folder of the build: move it to `finds`.

#![allow(unreachable_pub, dead_code, reason = "the properties have more than one home")]

mod commands;
#[path = "../../../../tests/common/mod.rs"]
mod common;
#[path = "../../../../fuzz/src/lib.rs"]
mod fuzz;
mod mutate;

use std::cell::RefCell;
use std::fs;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use fuzz::Property;
use mutate::Mutator;

/// Random inputs where no time is set.
const FEW: u64 = 300;

/// The properties of the libraries, and those of the command.
fn properties() -> impl Iterator<Item = &'static (&'static str, Property)> {
    fuzz::PROPERTIES.iter().chain(&commands::PROPERTIES)
}

/// Inputs that once failed, or nearly, by the name of their property.
fn finds() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/properties/finds");
    let mut finds: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), fs::read(path).expect("a file")))
        .collect();
    finds.sort();
    finds
}

thread_local! {
    /// Message of the last panic of this thread.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Failure of the property on the input.
fn failure(property: Property, input: &[u8]) -> Option<String> {
    let result = panic::catch_unwind(AssertUnwindSafe(|| property(input)));
    result.err().map(|_| SAID.take())
}

/// Keeps what panics say, instead of printing it.
fn keep_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().name().is_some_and(|name| properties().any(|(known, _)| *known == name)) {
            SAID.replace(info.to_string());
        } else {
            print(info);
        }
    }));
}

/// A part of the input that fails, too, if one is found in a little time.
fn smaller(property: Property, input: &[u8]) -> Vec<u8> {
    let until = Instant::now() + Duration::from_secs(20);
    let mut least = input.to_vec();
    let mut len = least.len().div_ceil(2);
    while len > 0 && Instant::now() < until {
        let mut at = 0;
        while at < least.len() && Instant::now() < until {
            let without = [&least[..at], &least[(at + len).min(least.len())..]].concat();
            if failure(property, &without).is_some() { least = without } else { at += len }
        }
        len /= 2;
    }
    least
}

/// Says what failed, where it is, and what a smaller input says.
fn told(name: &str, property: Property, input: &[u8]) -> String {
    let least = smaller(property, input);
    let said = failure(property, &least).unwrap_or_default();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.sgf"));
    fs::write(&path, &least).expect("disk space");
    let said: String = said.chars().take(2000).collect();
    format!("{name}: {}: {}\n{said}", path.display(), least.escape_ascii())
}

#[test]
fn properties_hold() {
    keep_panics();
    let seconds: Option<u64> = std::env::var("SGF_FUZZ").ok().map(|seconds| seconds.parse().expect("a number"));
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let only = std::env::var("SGF_PROPERTY").ok();
    let properties: Vec<_> =
        properties().filter(|(name, _)| only.as_deref().is_none_or(|only| *name == only)).collect();
    assert!(!properties.is_empty(), "expected a property in SGF_PROPERTY, found {only:?}");
    let each = seconds.unwrap_or(0) * workers.min(properties.len()) as u64 / properties.len() as u64;
    let each = Duration::from_secs(each);
    let seed = seconds.map_or(1, |_| fastrand::u64(..));
    println!("seed {seed}");
    let mut seeds: Vec<Vec<u8>> = common::own_files().into_iter().map(|(_, bytes)| bytes).collect();
    let finds = finds();
    seeds.extend(finds.iter().map(|(_, bytes)| bytes.clone()));
    let (seeds, finds, failures) = (&seeds, &finds, &Mutex::new(Vec::new()));
    let waiting = Mutex::new(properties.into_iter());
    let work = |name: &str, property: Property| {
        let fail = |input: &[u8]| failures.lock().expect("no panic").push(told(name, property, input));
        let (mut count, mut bytes) = (0u64, 0u64);
        for input in finds.iter().map(|(_, bytes)| bytes).chain(seeds).filter(|input| input.len() < 1 << 14) {
            count += 1;
            if failure(property, input).is_some() {
                return fail(input);
            }
        }
        let mut mutator = Mutator::new(seeds, seed);
        let until = Instant::now() + each;
        let few = count + FEW;
        while if seconds.is_some() { Instant::now() < until } else { count < few } {
            let input = mutator.next();
            count += 1;
            bytes += input.len() as u64;
            if failure(property, &input).is_some() {
                return fail(&input);
            }
        }
        println!("{name:8} {count:8} inputs, {bytes:10} bytes");
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some((name, property)) = waiting.lock().expect("no panic").next() else { break };
                    let named = thread::Builder::new().name((*name).to_owned());
                    let done = named.spawn_scoped(scope, || work(name, *property)).expect("a thread").join();
                    done.expect("failures are caught");
                }
            });
        }
    });
    let failures = failures.lock().expect("no panic");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
