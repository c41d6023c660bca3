//! Tests of the splits of a plan: their contents, and their sizes.

use std::fs;
use std::path::Path;

use sgfstream_archive::Input;
use sgfstream_engine::Engine;
use tempfile::TempDir;

#[path = "../../../tests/common/zip.rs"]
mod zip;

/// Bytes of a block of a plain file. A border is the start of the first game in a block.
const BLOCK: u64 = 2 << 20;

/// A piece, parsed from the text of its split.
#[derive(Clone, Debug)]
struct Line {
    from: u64,
    until: Option<u64>,
    games: u64,
    path: String,
}

/// Returns the pieces of each split, for splits of about `bytes`.
fn plan(inputs: &[Input], bytes: u64) -> Vec<Vec<Line>> {
    let plan = Engine::new()
        .with_threads(2)
        .plan(inputs, bytes)
        .expect("files");
    assert!(plan.problems.is_empty(), "{:?}", plan.problems);
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |text: &str| text.parse::<u64>().expect("a number");
        let until = Some(fields[1])
            .filter(|until| !until.is_empty())
            .map(number);
        Line {
            from: number(fields[0]),
            until,
            games: number(fields[2]),
            path: fields[fields.len() - 1].to_owned(),
        }
    };
    plan.splits
        .iter()
        .map(|split| split.to_string().lines().map(line).collect())
        .collect()
}

fn write(directory: &TempDir, name: &str, bytes: &[u8]) -> Input {
    let path = directory.path().join(name);
    fs::write(&path, bytes).expect("a directory of ours");
    Input::path(&path)
}

/// A large file is divided at games, and each piece follows the games before it. No piece but the
/// last is shorter than requested, or longer than up to the next border.
#[test]
fn pieces_of_a_file_are_as_large_as_asked() {
    let game = format!("(;C[{}])\n", "x".repeat(500));
    let len = game.len() as u64;
    let directory = TempDir::new().expect("a temporary directory");
    let size = 12_000 * len;
    let input = write(&directory, "large.sgf", game.repeat(12_000).as_bytes());
    for bytes in [
        1,
        BLOCK - 1,
        BLOCK,
        BLOCK + 1,
        2 * BLOCK + 7,
        size / 2,
        size - 1,
        size,
        size + 1,
    ] {
        let splits = plan(std::slice::from_ref(&input), bytes);
        assert!(
            splits.iter().all(|pieces| pieces.len() == 1),
            "{bytes}: {splits:?}"
        );
        let pieces: Vec<&Line> = splits.iter().flatten().collect();
        let mut at = 0;
        for (number, piece) in pieces.iter().enumerate() {
            assert_eq!(
                (piece.from, piece.games),
                (at, at / len),
                "{bytes}: {pieces:?}"
            );
            let is_last = number + 1 == pieces.len();
            assert_eq!(piece.until.is_none(), is_last, "{bytes}: {pieces:?}");
            at = piece.until.unwrap_or(size);
            assert!(at % len == 0 && at > piece.from, "{bytes}: {pieces:?}");
            if !is_last {
                // A border that is too near is skipped; the next one is at most a block and a game
                // later.
                let least = bytes.max(Engine::LEAST);
                assert!(
                    (least..least + BLOCK + len).contains(&(at - piece.from)),
                    "{bytes}: {pieces:?}"
                );
            }
        }
        assert_eq!(at, size);
        let is_one = pieces.len() == 1;
        assert!(
            if is_one {
                bytes + BLOCK > size
            } else {
                bytes < size
            },
            "{bytes}: {pieces:?}"
        );
    }
}

/// Small files are grouped, in their order, until they reach the requested size. A file that is
/// divided is not in a group.
#[test]
fn small_files_come_together() {
    let directory = TempDir::new().expect("a temporary directory");
    let game = format!("(;C[{}])\n", "x".repeat(89));
    for large in [None, Some(0), Some(17), Some(29)] {
        let counts: Vec<usize> = (0..30)
            .map(|at| {
                if Some(at) == large {
                    60_000
                } else {
                    1 + at * 37 % 40
                }
            })
            .collect();
        let inputs: Vec<Input> = (0..)
            .zip(&counts)
            .map(|(at, &count)| {
                write(
                    &directory,
                    &format!("{at}.sgf"),
                    game.repeat(count).as_bytes(),
                )
            })
            .collect();
        let size = |at: usize| (counts[at] * game.len()) as u64;
        let name = |piece: &Line| -> usize {
            Path::new(&piece.path)
                .file_stem()
                .and_then(|name| name.to_str())
                .expect("a name")
                .parse()
                .expect("a number")
        };
        for bytes in [1, 1_000, 10_000, 50_000, 1 << 20] {
            let splits = plan(&inputs, bytes);
            let order: Vec<usize> = splits.iter().flatten().map(name).collect();
            let mut once = order.clone();
            once.dedup();
            assert!(once == (0..30).collect::<Vec<_>>(), "{bytes}: {order:?}");
            for (number, pieces) in splits.iter().enumerate() {
                let files: Vec<usize> = pieces.iter().map(name).collect();
                if files.iter().any(|&at| Some(at) == large) {
                    assert_eq!(files.len(), 1, "{bytes}: {files:?}");
                    continue;
                }
                assert!(
                    pieces
                        .iter()
                        .all(|piece| (piece.from, piece.until, piece.games) == (0, None, 0))
                );
                // The last file fills the split; without it, the split is too small, unless
                // something ends it earlier.
                let sum: u64 = files.iter().map(|&at| size(at)).sum();
                let last = *files.last().expect("no split is empty");
                let ends = number + 1 == splits.len() || Some(last + 1) == large;
                assert!(sum >= bytes || ends, "{bytes}: {files:?}");
                assert!(sum - size(last) < bytes, "{bytes}: {files:?}");
            }
        }
    }
}

/// The runs of members of a zip file are consecutive; their number is the file's size divided by
/// the requested size.
#[test]
fn runs_of_a_zip_file_follow_one_another() {
    let directory = TempDir::new().expect("a temporary directory");
    let text = "x".repeat(100_000);
    let members: Vec<(String, Vec<u8>)> = (0..100)
        .map(|at| (format!("{at}.sgf"), format!("(;C[{text}])").into_bytes()))
        .collect();
    let bytes = zip::zip(&members);
    let size = bytes.len() as u64;
    let input = write(&directory, "all.zip", &bytes);
    let all = size.div_ceil(512 << 10);
    for bytes in [1, 600_000, 1 << 20, size / 2, size - 1, size, size + 1] {
        let splits = plan(std::slice::from_ref(&input), bytes);
        assert!(splits.iter().all(|pieces| pieces.len() == 1), "{splits:?}");
        let each = if bytes < size {
            (all * bytes / size).clamp(1, all)
        } else {
            all
        };
        let expected: Vec<_> = (0..all)
            .step_by(each as usize)
            .map(|from| (from, Some(from + each).filter(|&until| until < all)))
            .collect();
        let found: Vec<_> = splits
            .iter()
            .flatten()
            .map(|piece| (piece.from, piece.until))
            .collect();
        assert_eq!(found, expected, "{bytes} of {size}");
    }
}

/// A single game or member is read by one process.
#[test]
fn named_games_and_members_are_not_cut() {
    let directory = TempDir::new().expect("a temporary directory");
    let text = format!("(;C[{}])", "x".repeat(100_000));
    write(&directory, "large.sgf", text.repeat(50).as_bytes());
    let members: Vec<(String, Vec<u8>)> = (0..50)
        .map(|at| (format!("{at}.sgf"), text.clone().into_bytes()))
        .collect();
    write(&directory, "all.zip", &zip::zip(&members));
    for named in ["large.sgf#3", "all.zip!7.sgf", "all.zip!7.sgf#1"] {
        let input = Input::parse(&directory.path().join(named).to_string_lossy());
        let splits = plan(&[input], 1);
        let pieces: Vec<_> = splits
            .iter()
            .flatten()
            .map(|piece| (piece.from, piece.until))
            .collect();
        assert_eq!(pieces, [(0, None)], "{named}");
    }
}
