//! Tests of the engine: order, cancelling, failures, memory.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use sgfstream::{Detection, Event, EventReader, Options};
use sgfstream_archive::Input;
use sgfstream_engine::{Engine, Job, Monitor, Out, Part, PartEnd, PartOffset, PartSize};
use tempfile::TempDir;

mod plan;
mod references;
#[path = "../../../tests/common/tar.rs"]
mod tar;
#[path = "../../../tests/common/zstd.rs"]
mod zstd;

/// Job that calls a function for each part, with a list of lines as output.
struct Lines<F>(F);

impl<F: Fn(Part<'_>, &mut Out<'_, Vec<String>>) -> Result<PartEnd> + Sync> Job for Lines<F> {
    type Worker = ();
    type Output = Vec<String>;

    fn worker(&self) {}

    fn output(&self) -> Vec<String> {
        Vec::new()
    }

    fn read(&self, _: &mut (), part: Part<'_>, out: &mut Out<'_, Vec<String>>) -> Result<PartEnd> {
        (self.0)(part, out)
    }
}

/// Returns a job that lists the first property of each game, with the game's number in the part.
fn names() -> impl Job<Output = Vec<String>> {
    Lines(|part: Part<'_>, out: &mut Out<'_, Vec<String>>| {
        let mut reader = part.reader();
        while reader.advance()? {
            if let Event::Property(property) = reader.event() {
                let line = format!("{} {}", reader.game(), property.text());
                out.push(line);
            }
        }
        Ok(reader.finish()?)
    })
}

fn games(directory: &TempDir, name: &str, text: &str) -> Input {
    let path = directory.path().join(name);
    fs::write(&path, text).expect("a directory of ours");
    Input::parse(&path.to_string_lossy())
}

/// Returns a text of more than one block.
fn large(count: usize) -> String {
    (0..count)
        .map(|number| format!("(;FF[4]C[{number}{}])\n", " x".repeat(500)))
        .collect()
}

fn collect(engine: &Engine, inputs: &[Input], job: &impl Job<Output = Vec<String>>) -> Vec<String> {
    let mut lines = Vec::new();
    let take = |result: &mut sgfstream_engine::PartResult<Vec<String>>| {
        lines.extend(std::mem::take(&mut result.output));
        Ok(())
    };
    engine.run(inputs, job, take).expect("no failure");
    lines
}

#[test]
fn results_come_in_the_order_of_the_inputs() {
    let directory = TempDir::new().expect("a temporary directory");
    let mut inputs = vec![games(&directory, "large", &large(8_000))];
    inputs.extend(
        (0..200).map(|n| games(&directory, &format!("{n}.sgf"), &format!("(;C[small {n}])"))),
    );
    let first = collect(&Engine::new().with_threads(1), &inputs, &names());
    assert_eq!(first.len(), 16_200);
    assert!(first[16_199].ends_with("small 199"));
    let files = fs::read_dir(directory.path()).expect("a directory of ours");
    let bytes: u64 = files
        .map(|file| {
            file.and_then(|file| file.metadata())
                .expect("a file of ours")
                .len()
        })
        .sum();
    for threads in [1, 2, 3, 8] {
        let engine = Engine::new().with_threads(threads);
        assert!(
            first == collect(&engine, &inputs, &names()),
            "{threads} threads"
        );
        assert_eq!(
            engine.monitor().progress().packed,
            bytes,
            "{threads} threads"
        );
    }
}

/// Returns a job that lists the first property of each game.
fn texts() -> impl Job<Output = Vec<String>> {
    Lines(|part: Part<'_>, out: &mut Out<'_, Vec<String>>| {
        let mut reader = part.reader();
        while reader.advance()? {
            if let Event::Property(property) = reader.event() {
                out.push(property.text().into_owned());
            }
        }
        Ok(reader.finish()?)
    })
}

/// Members of a stream: more than are passed to a worker together, some that are passed block by
/// block, one without bytes, and a stream without an end.
#[test]
fn members_of_a_stream_are_read_as_files_are() {
    let directory = TempDir::new().expect("a temporary directory");
    let text = |number: usize| match number {
        300 | 900 | 901 => large(3_000),
        500 => String::new(),
        _ => format!("(;C[small {number}])"),
    };
    let texts_of: Vec<(String, String)> = (0..1_100)
        .map(|number| (format!("{number:04}.sgf"), text(number)))
        .collect();
    let members: Vec<(&str, &[u8])> = texts_of
        .iter()
        .map(|(name, text)| (&name[..], text.as_bytes()))
        .collect();
    let files: Vec<Input> = texts_of
        .iter()
        .map(|(name, text)| games(&directory, name, text))
        .collect();
    let expected = collect(&Engine::new().with_threads(1), &files, &texts());
    assert_eq!(expected.len(), 1_096 + 2 * 9_000);

    let packed = zstd::zstd(&tar::tar(&members));
    let path = directory.path().join("all.tar.zst");
    fs::write(&path, &packed).expect("a directory of ours");
    let input = Input::parse(&path.to_string_lossy());
    for threads in [1, 2, 3, 8] {
        let found = collect(
            &Engine::new().with_threads(threads),
            std::slice::from_ref(&input),
            &texts(),
        );
        assert!(
            found == expected,
            "{threads} threads: {} of {} games",
            found.len(),
            expected.len()
        );
    }

    // Everything before the cut is read, and the cut is reported once.
    fs::write(&path, &packed[..packed.len() / 2]).expect("a directory of ours");
    let (mut found, mut problems) = (Vec::new(), 0);
    let take = |result: &mut sgfstream_engine::PartResult<Vec<String>>| {
        found.extend(std::mem::take(&mut result.output));
        problems += result.problems.len();
        Ok(())
    };
    Engine::new()
        .with_threads(2)
        .run(&[input], &texts(), take)
        .expect("a cut is no failure");
    // The last game may be cut.
    found.pop();
    assert!(
        found.len() > 300 && expected.starts_with(&found),
        "{} games",
        found.len()
    );
    assert_eq!(problems, 1);
}

/// The borders of a plain file do not depend on how a piece of it is read.
#[test]
fn a_piece_of_a_file_is_read_with_any_cut() {
    let directory = TempDir::new().expect("a temporary directory");
    let input = games(&directory, "one", &large(12_000));
    for cut in [
        PartSize::default(),
        PartSize::Few,
        PartSize::Bytes(1 << 20),
        PartSize::Bytes(3 << 20),
    ] {
        for threads in [1, 3] {
            let engine = Engine::new().with_threads(threads);
            let plan = engine
                .plan(std::slice::from_ref(&input), 1)
                .expect("a plan");
            assert!(plan.splits.len() > 4, "{plan:?}");
            let engine = engine.with_part_size(cut);
            let mut found = Vec::new();
            for split in &plan.splits {
                let take = |result: &mut sgfstream_engine::PartResult<Vec<String>>| {
                    assert!(
                        result.problems.is_empty(),
                        "{cut:?} {split:?}: {:?}",
                        result.problems
                    );
                    found.extend(std::mem::take(&mut result.output));
                    Ok(())
                };
                engine.run_split(split, &texts(), take).expect("no failure");
            }
            assert_eq!(found.len(), 24_000, "{cut:?}, {threads} threads");
            assert!(found.iter().step_by(2).all(|text| text == "4"));
        }
    }
}

/// A part knows whether its entry is read in parts; an entry that must be converted is.
#[test]
fn only_large_entries_are_cut() {
    let directory = TempDir::new().expect("a temporary directory");
    let wide = directory.path().join("wide");
    let utf16: Vec<u8> = format!("\u{feff}{}(;C[黒])", large(3_000))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    fs::write(&wide, utf16).expect("a directory of ours");
    let record = "Rating\n19\nAda 7D*\nBen 5DP\nwww.example.com\n0\n0\n6\n20110812 [09:31]\n480\nwhite wins\n1\nPMABBQEEQ\n";
    let inputs = [
        games(&directory, "large", &large(3_000)),
        games(&directory, "medium", &large(300)),
        games(&directory, "small", "(;C[x])"),
        Input::parse(&wide.to_string_lossy()),
        games(&directory, "record", record),
    ];
    let job = Lines(|part: Part<'_>, out: &mut Out<'_, Vec<String>>| {
        let name = part
            .name()
            .to_string()
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned();
        let mut reader = part.reader();
        let mut last = String::new();
        while reader.advance()? {
            if let Event::Property(property) = reader.event() {
                last = property.text().into_owned();
            }
        }
        out.push(format!(
            "{name} {}",
            last.chars().take(2).collect::<String>()
        ));
        Ok(reader.finish()?)
    });
    let found = collect(&Engine::new().with_threads(2), &inputs, &job);
    let parts = |name: &str| found.iter().filter(|line| line.starts_with(name)).count();
    assert!(parts("large") > 1 && parts("wide") > 1, "{found:?}");
    // Of the large entries, check only the last part.
    let is_checked = |line: &&String| {
        !line.starts_with("large") && (!line.starts_with("wide") || line.ends_with('黒'))
    };
    let checked: Vec<&String> = found.iter().filter(is_checked).collect();
    assert_eq!(checked, ["medium 29", "small x", "wide 黒", "record pd"]);
}

#[test]
fn parts_are_numbered_late() {
    let directory = TempDir::new().expect("a temporary directory");
    let inputs = [
        games(&directory, "one", &large(8_000)),
        games(&directory, "two", &large(5_000)),
    ];
    let count = Lines(|part: Part<'_>, out: &mut Out<'_, Vec<String>>| {
        let start = u64::from(part.is_start());
        let mut reader = part.reader();
        let end = reader.finish()?;
        out.push(format!("{start} {}", end.games));
        Ok(end)
    });
    let (mut parts, mut totals, mut games) = (0, Vec::new(), 0);
    Engine::new()
        .with_threads(3)
        .run(&inputs, &count, |result| {
            if result.is_start {
                games = 0;
            }
            for line in &result.output {
                let (start, more) = line.split_once(' ').expect("two numbers");
                assert_eq!(start == "1", result.before == PartOffset::default());
                assert_eq!(games, result.before.games);
                games += more.parse::<u64>().expect("a number");
                parts += 1;
                if matches!(games, 5_000 | 8_000) {
                    totals.push(games);
                }
            }
            Ok(())
        })
        .expect("no failure");
    totals.sort_unstable();
    assert!(parts > 4 && totals == [5_000, 8_000], "{parts} {totals:?}");
}

#[test]
fn one_thread_reads_blocks_as_large_as_asked() {
    let directory = TempDir::new().expect("a temporary directory");
    let inputs = [games(&directory, "one", &large(8_000))];
    let count = Lines(|part: Part<'_>, out: &mut Out<'_, Vec<String>>| {
        let end = part.reader().finish()?;
        out.push(end.games.to_string());
        Ok(end)
    });
    let one = Engine::new().with_threads(1);
    let all = [
        (one.clone(), 4),
        (one.clone().with_part_size(PartSize::Bytes(4 << 20)), 2),
        (one.with_part_size(PartSize::Bytes(u64::MAX)), 1),
        // Several threads need parts.
        (
            Engine::new()
                .with_threads(2)
                .with_part_size(PartSize::Bytes(u64::MAX)),
            4,
        ),
        // The parts are the same for any number of threads.
        (
            Engine::new().with_threads(1).with_part_size(PartSize::Few),
            4,
        ),
        (
            Engine::new().with_threads(3).with_part_size(PartSize::Few),
            4,
        ),
    ];
    for (engine, parts) in all {
        let counts = collect(&engine, &inputs, &count);
        let sum: u64 = counts
            .iter()
            .map(|count| count.parse::<u64>().expect("a number"))
            .sum();
        assert_eq!((counts.len(), sum), (parts, 8_000), "{engine:?}");
    }
}

#[test]
fn a_run_can_be_cancelled() {
    let directory = TempDir::new().expect("a temporary directory");
    let inputs: Vec<_> = (0..50)
        .map(|n| games(&directory, &format!("{n}.sgf"), &large(400)))
        .collect();
    for threads in [1, 4] {
        let engine = Engine::new().with_threads(threads);
        let monitor: Monitor = engine.monitor();
        let mut results = 0;
        engine
            .run(&inputs, &names(), |_| {
                results += 1;
                monitor.cancel();
                Ok(())
            })
            .expect("a run that was cancelled is no failure");
        assert!(
            monitor.is_cancelled() && results == 1,
            "{threads} threads: {results}"
        );
        assert!(monitor.progress().games < 50 * 400);
    }
}

#[test]
fn a_run_ends_with_the_first_failure() {
    let directory = TempDir::new().expect("a temporary directory");
    let inputs = [
        games(&directory, "a", "(;C[a])"),
        games(&directory, "b", &large(8_000)),
    ];
    let failing = Lines(|part: Part<'_>, out: &mut Out<'_, Vec<String>>| {
        out.push(part.name().to_string());
        anyhow::ensure!(part.name().to_string().ends_with('a'), "not `a`");
        Ok(part.reader().finish()?)
    });
    let mut seen = Vec::new();
    let engine = Engine::new().with_threads(3);
    let take = |result: &mut sgfstream_engine::PartResult<Vec<String>>| {
        seen.push(std::mem::take(&mut result.output));
        Ok(())
    };
    let err = engine.run(&inputs, &failing, take).expect_err("it fails");
    assert_eq!(err.to_string(), "not `a`");
    assert!(seen[0][0].ends_with('a'));
    let err = engine
        .run(&inputs, &names(), |_| anyhow::bail!("enough"))
        .expect_err("it fails");
    assert_eq!(err.to_string(), "enough");
}

#[test]
fn a_panic_in_a_job_ends_the_run() {
    let directory = TempDir::new().expect("a temporary directory");
    let inputs = [
        games(&directory, "a", &large(8_000)),
        games(&directory, "b", "(;C[b])"),
    ];
    let panicking = Lines(|part: Part<'_>, _: &mut Out<'_, Vec<String>>| {
        assert!(part.is_start(), "a panic on purpose");
        Ok(part.reader().finish()?)
    });
    let run = || {
        Engine::new()
            .with_threads(3)
            .run(&inputs, &panicking, |_| Ok(()))
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}

#[test]
fn unreadable_inputs_are_problems_in_order() {
    let directory = TempDir::new().expect("a temporary directory");
    let missing = Input::parse(&directory.path().join("missing.sgf").to_string_lossy());
    let few = Input::parse(&format!(
        "{}#3",
        directory.path().join("b").to_string_lossy()
    ));
    let inputs = [
        games(&directory, "a", "(;C[a])"),
        missing,
        games(&directory, "b", "(;C[b])(;C[c])"),
        few,
    ];
    let engine = Engine::new().with_threads(2);
    let mut said = Vec::new();
    engine
        .run(&inputs, &names(), |result| {
            said.extend(std::mem::take(&mut result.output));
            said.extend(
                result
                    .problems
                    .iter()
                    .map(|problem| problem.message.to_string()),
            );
            Ok(())
        })
        .expect("problems are no failure");
    assert_eq!(said.len(), 5, "{said:?}");
    assert!(
        said[0] == "1 a"
            && said[2..4] == ["1 b", "2 c"]
            && said[4] == "no game 3: the file has 2 games",
        "{said:?}"
    );
    assert_eq!(engine.monitor().progress().problems, 2);
    let mut problems = 0;
    let read = engine.each(
        &inputs,
        |part| Ok(std::ops::ControlFlow::Continue(part.reader().finish()?)),
        |_| problems += 1,
    );
    assert!(read.is_ok() && problems == 2);
}

/// Few results wait to be taken, even if the caller is slow.
#[test]
fn few_results_wait() {
    struct Counted(Arc<AtomicU64>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_sub(1, SeqCst);
        }
    }
    struct Counting {
        alive: Arc<AtomicU64>,
        most: Mutex<u64>,
        /// New outputs.
        made: AtomicU64,
    }
    impl Job for Counting {
        type Worker = ();
        type Output = Vec<Counted>;

        fn worker(&self) {}

        fn output(&self) -> Self::Output {
            self.made.fetch_add(1, SeqCst);
            Vec::new()
        }

        fn reuse(&self, mut output: Self::Output) -> Option<Self::Output> {
            output.clear();
            Some(output)
        }

        fn read(
            &self,
            _: &mut (),
            part: Part<'_>,
            out: &mut Out<'_, Self::Output>,
        ) -> Result<PartEnd> {
            let mut reader = part.reader();
            while reader.advance()? {
                if matches!(reader.event(), Event::VariationStart { .. }) {
                    let alive = self.alive.fetch_add(1, SeqCst) + 1;
                    out.push(Counted(Arc::clone(&self.alive)));
                    let mut most = self.most.lock().expect("no panic");
                    *most = alive.max(*most);
                    drop(most);
                    if out.len() >= 100 {
                        out.hand_out();
                    }
                }
            }
            Ok(reader.finish()?)
        }
    }
    let directory = TempDir::new().expect("a temporary directory");
    let inputs = [games(&directory, "large", &large(20_000))];
    let alive = Arc::new(AtomicU64::new(0));
    let job = Counting {
        alive: Arc::clone(&alive),
        most: Mutex::new(0),
        made: AtomicU64::new(0),
    };
    let mut games = 0;
    let slow = |games: &mut usize, more: usize| {
        std::thread::sleep(Duration::from_millis(1));
        *games += more;
    };
    Engine::new()
        .with_threads(2)
        .run(&inputs, &job, |result| {
            slow(&mut games, result.output.len());
            Ok(())
        })
        .expect("no failure");
    let most = *job.most.lock().expect("no panic");
    assert_eq!((games, alive.load(SeqCst)), (20_000, 0));
    // Results of 100 games: two in progress, three whose turn has come, four ahead of their turn,
    // one that is taken.
    assert!(most <= 1_000, "{most} games in results at once");
    // Beside them, two empty outputs of workers that wait to hand out another.
    let made = job.made.load(SeqCst);
    assert!(made <= 16, "{made} outputs for some 200 results");
}

/// A worker ahead of its turn hands out a piece and reads on. The first part waits here until the
/// second was read.
#[test]
fn a_part_is_read_to_its_end_before_its_turn() {
    let (read, is_read) = channel();
    let is_read = Mutex::new(is_read);
    let job = Lines(|part: Part<'_>, out: &mut Out<'_, Vec<String>>| {
        let is_start = part.is_start();
        let mut reader = part.reader();
        reader.advance()?;
        out.push(format!("{} begins", reader.span().start));
        if is_start {
            is_read
                .lock()
                .expect("no panic")
                .recv_timeout(Duration::from_secs(60))?;
        }
        out.hand_out();
        out.push("ends".to_owned());
        let end = reader.finish()?;
        read.send(())?;
        Ok(end)
    });
    let directory = TempDir::new().expect("a temporary directory");
    let inputs = [games(&directory, "large", &large(8_000))];
    let lines = collect(&Engine::new().with_threads(2), &inputs, &job);
    assert_eq!((lines.len(), lines[0].as_str()), (8, "0 begins"));
    let starts: Vec<u64> = lines
        .iter()
        .filter_map(|line| line.strip_suffix(" begins")?.parse().ok())
        .collect();
    assert!(starts.len() == 4 && starts.is_sorted(), "{lines:?}");
}

/// A part ahead of its turn must not remove blocks that the first part has yet to read. The first
/// part waits here until a part far after it has begun.
#[test]
fn parts_ahead_leave_a_stream_to_the_first() {
    let (begun, is_begun) = channel();
    let is_begun = Mutex::new(is_begun);
    let job = Lines(|part: Part<'_>, out: &mut Out<'_, Vec<String>>| {
        let is_start = part.is_start();
        let mut reader = part.reader();
        let mut is_first = true;
        while reader.advance()? {
            if std::mem::take(&mut is_first) {
                begun.send(reader.span().start)?;
                while is_start
                    && is_begun
                        .lock()
                        .expect("no panic")
                        .recv_timeout(Duration::from_secs(60))?
                        < 7 << 20
                {}
            }
            if let Event::Property(property) = reader.event() {
                out.push(property.text().into_owned());
            }
        }
        Ok(reader.finish()?)
    });
    let directory = TempDir::new().expect("a temporary directory");
    let text = large(12_000);
    let plain = games(&directory, "one.sgf", &text);
    let path = directory.path().join("one.sgf.zst");
    fs::write(&path, zstd::zstd(text.as_bytes())).expect("a directory of ours");
    let expected = collect(&Engine::new().with_threads(1), &[plain], &texts());
    let found = collect(
        &Engine::new().with_threads(8),
        &[Input::parse(&path.to_string_lossy())],
        &job,
    );
    assert!(
        found == expected,
        "{} of {} texts",
        found.len(),
        expected.len()
    );
}

#[test]
fn charsets_are_guessed_for_each_game() {
    let directory = TempDir::new().expect("a temporary directory");
    let text = "黒番の先手が右上の星に打ち、白は左下の小目に構えた。";
    let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode(text);
    let other = "古力执黑先行，李世石应以小飞挂角，随后转战左下。";
    let (gbk, _, _) = encoding_rs::GBK.encode(other);
    let games = [b"(;C[", &*sjis, b"])(;C[", &*gbk, b"])(;C[x])"].concat();
    fs::write(directory.path().join("x.sgf"), games).expect("a directory of ours");
    let input = Input::parse(&directory.path().join("x.sgf").to_string_lossy());
    let engine = Engine::new().with_options(Options::default().with_detection(Detection::LIKELY));
    let expected = [format!("1 {text}"), format!("2 {other}"), "3 x".to_owned()];
    assert_eq!(
        collect(&engine, std::slice::from_ref(&input), &names()),
        expected
    );
    let detected = engine.monitor().progress().detected;
    assert_eq!((detected.games, detected.charset), (2, None));
    assert_ne!(collect(&Engine::new(), &[input], &names()), expected);
}

/// A file that another process writes to may end early or become longer. The change is reported,
/// and the other files are read.
#[test]
fn a_file_that_changes_while_it_is_read() {
    let directory = TempDir::new().expect("a temporary directory");
    let path = directory.path().join("changing");
    let tar = fs::read("../archive/tests/archives/two.tar").expect("a tar");
    for (before, after) in [
        (large(5_000), String::new()),
        (large(5_000), large(5_001)),
        (large(4), large(9)),
        (large(4), String::new()),
        (
            String::from_utf8(tar.clone()).expect("ASCII"),
            String::new(),
        ),
    ] {
        for threads in [1, 2] {
            fs::write(&path, &before).expect("a directory of ours");
            // The write below must have another time of change.
            std::thread::sleep(Duration::from_millis(20));
            let inputs = [
                Input::path(&path),
                games(&directory, "other", "(;C[other])"),
            ];
            let is_changed = AtomicU64::new(0);
            let changing = Lines(|part: Part<'_>, out: &mut Out<'_, Vec<String>>| {
                let name = part.name().to_string();
                let mut reader = part.reader();
                if !name.ends_with("other") && is_changed.fetch_add(1, SeqCst) == 0 {
                    reader.advance()?;
                    fs::write(&path, &after)?;
                }
                let end = reader.finish()?;
                out.push(format!("{name} {}", end.games));
                Ok(end)
            });
            let (mut lines, mut problems) = (Vec::new(), Vec::new());
            let run = Engine::new()
                .with_threads(threads)
                .run(&inputs, &changing, |result| {
                    lines.extend(std::mem::take(&mut result.output));
                    problems.extend(result.problems.iter().map(ToString::to_string));
                    Ok(())
                });
            run.expect("no failure");
            assert!(lines.last().expect("one").ends_with("other 1"), "{lines:?}");
            let said = "the file changed while it was read; read it again";
            assert!(
                problems
                    .last()
                    .is_some_and(|problem| problem.ends_with(said)),
                "{threads}: {problems:?}"
            );
        }
    }
}
