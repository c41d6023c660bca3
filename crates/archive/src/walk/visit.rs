//! Functions that read all inputs on one thread.

use std::io::{Read, Seek};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::caps::{Ledger, MeteredReader};
use crate::disk::Disk;
use crate::name::EntryName;
use crate::problem::ArchiveProblem;
use crate::stream::{Stream, WINDOW};
use crate::walk::entry::{Entry, ReadOptions, Summary};
use crate::walk::input::Input;
use crate::walk::steps::Walk;
use crate::walk::visitor::{Context, Sink, Visitor};

/// Passes every entry of `inputs` to `sink`, in order, on this thread.
///
/// ```
/// use sgfstream_archive::{Input, ReadOptions, visit};
/// use std::ops::ControlFlow;
///
/// let mut lengths = Vec::new();
/// let inputs = [Input::parse("../../corpus/packed/two.tar.zst")];
/// let summary = visit(&inputs, &ReadOptions::default(), |item| {
///     match item {
///         Ok(entry) => lengths
///             .push(std::io::copy(entry.read, &mut std::io::sink()).expect("undamaged")),
///         Err(problem) => eprintln!("{problem}"),
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!((lengths.len(), summary.entries, summary.problems), (2, 2, 0));
/// ```
pub fn visit(
    inputs: &[Input],
    options: &ReadOptions,
    mut sink: impl FnMut(Result<Entry<'_>, ArchiveProblem>) -> ControlFlow<()>,
) -> Summary {
    visit_all(inputs, options, &mut sink)
}

/// Visits the inputs. The function is not generic, so that it is compiled once for all types of
/// sinks.
fn visit_all(inputs: &[Input], options: &ReadOptions, sink: Sink<'_>) -> Summary {
    let mut summary = Summary::default();
    let mut walk = Walk::new(inputs.to_vec()).with_options(options);
    while !summary.stopped
        && let Some(input) = walk.next()
    {
        match input {
            Ok(input) => summary.merge(input.visit(options, &mut *sink)),
            Err(problem) => {
                summary.problems += 1;
                summary.stopped = sink(Err(problem)).is_break();
            }
        }
    }
    summary
}

/// Passes every entry of the bytes of `read` to `sink`: a file, compressed or not, or an archive.
/// `name` replaces the file's name in the names of entries.
///
/// ```
/// use sgfstream_archive::{EntryName, ReadOptions, visit_reader};
/// use std::ops::ControlFlow;
///
/// let mut names = Vec::new();
/// visit_reader(
///     &EntryName::file("upload"),
///     &b"(;GM[1])"[..],
///     &ReadOptions::default(),
///     |item| {
///         if let Ok(entry) = item {
///             names.push(entry.name.to_string());
///         }
///         ControlFlow::Continue(())
///     },
/// );
/// assert_eq!(names, ["upload"]);
/// ```
pub fn visit_reader(
    name: &EntryName,
    read: impl Read,
    options: &ReadOptions,
    mut sink: impl FnMut(Result<Entry<'_>, ArchiveProblem>) -> ControlFlow<()>,
) -> Summary {
    let ledger = Arc::new(Ledger::new(options.caps, options.meter.clone(), None));
    let mut visitor = Visitor::new(&mut sink, Arc::clone(&ledger), 0);
    let mut stream = Stream::new(
        MeteredReader {
            inner: read,
            ledger: &ledger,
        },
        WINDOW,
    );
    // The error means only that `sink` stopped, which the summary has too.
    _ = visitor.content(
        name,
        &mut stream,
        Context {
            is_named: true,
            is_record: options.is_record,
            ..Context::default()
        },
    );
    visitor.visited.summary
}

/// Passes every entry of a file to `sink`, like [`visit_reader()`], but seeks in the file: it reads
/// a zip by the directory at its end, and a 7z without a copy. Use it for a file without a path,
/// such as a file that was given to a browser.
///
/// `volumes` are the file, or its parts if it was split, each with its length. Set `is_named` if
/// the caller named the file, so that it is read whatever its content.
///
/// ```
/// use sgfstream_archive::{EntryName, ReadOptions, visit_volumes};
/// use std::io::Cursor;
/// use std::ops::ControlFlow;
///
/// let zip = std::fs::read("../../corpus/packed/two.zip")?;
/// let len = zip.len() as u64;
/// let name = EntryName::file("games.zip");
/// let mut names = Vec::new();
/// visit_volumes(
///     &name,
///     vec![(Cursor::new(zip), len)],
///     true,
///     &ReadOptions::default(),
///     |item| {
///         if let Ok(entry) = item {
///             names.push(entry.name.to_string());
///         }
///         ControlFlow::Continue(())
///     },
/// );
/// assert_eq!(names.len(), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn visit_volumes<V: Read + Seek + 'static>(
    name: &EntryName,
    volumes: Vec<(V, u64)>,
    is_named: bool,
    options: &ReadOptions,
    mut sink: impl FnMut(Result<Entry<'_>, ArchiveProblem>) -> ControlFlow<()>,
) -> Summary {
    let size = volumes.iter().map(|(_, len)| len).sum();
    let ledger = Arc::new(Ledger::new(options.caps, options.meter.clone(), Some(size)));
    let mut visitor = Visitor::new(&mut sink, Arc::clone(&ledger), 0);
    let context = Context {
        is_named: is_named || options.all_files,
        is_all: options.all_files,
        is_record: options.is_record,
        size: Some(size),
        ..Context::default()
    };
    // The error means only that `sink` stopped, which the summary has too.
    _ = visitor.file(
        name,
        &mut Disk::of(volumes, Arc::clone(&ledger)),
        context,
        None,
    );
    ledger.finish();
    visitor.visited.summary
}
