//! Checks that entries give the same games in whatever chunks their bytes arrive.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use sgfstream::Options;
use sgfstream_explore::ArchiveReader;

/// Reader that returns at most `chunk` bytes per call, and an error instead of the end if `fails`.
struct Chunks<'b> {
    bytes: &'b [u8],
    chunk: usize,
    fails: bool,
}

impl Read for Chunks<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.fails && self.bytes.is_empty() {
            return Err(io::Error::other("damaged"));
        }
        let len = buf.len().min(self.chunk);
        self.bytes.read(&mut buf[..len])
    }
}

/// Returns the names and bytes of the games, and the problems.
fn read(files: &[(String, Vec<u8>)], chunk: usize) -> (Vec<(String, Vec<u8>)>, Vec<String>) {
    let mut reader = ArchiveReader::new(Options::default());
    for (name, bytes) in files {
        let bytes = Chunks {
            bytes,
            chunk,
            fails: false,
        };
        reader.read(name, bytes, |_| {}).expect("memory takes all");
    }
    let faults = reader.faults().to_vec();
    (games_of(reader), faults)
}

fn games_of(reader: ArchiveReader) -> Vec<(String, Vec<u8>)> {
    let explorer = reader.finish(Vec::new()).expect("memory takes all");
    let index = explorer.index();
    let bytes = |game| {
        index
            .game(game)
            .expect("memory")
            .expect("a game")
            .record()
            .as_bytes()
            .to_vec()
    };
    (0..index.len())
        .map(|game| (index.name(game).expect("a name"), bytes(game)))
        .collect()
}

fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let entries = fs::read_dir(folder)
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    let read = |path: &Path| fs::read(path).expect("a file");
    files
        .iter()
        .map(|path| {
            (
                path.file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned(),
                read(path),
            )
        })
        .collect()
}

#[test]
fn chunks_make_no_difference() {
    let files = corpus();
    let whole = read(&files, usize::MAX);
    assert!(whole.0.len() > 100, "{}", whole.0.len());
    for chunk in [1, 7, 1000, 64 << 10] {
        assert!(read(&files, chunk) == whole, "{chunk}");
    }
}

/// One reader splits entries into games and another indexes them: the games are the same. A cut
/// batch is an error.
#[test]
fn batches_make_no_difference() {
    thread_local!(static BATCHES: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) });
    let files: Vec<_> = (0..64).flat_map(|_| corpus()).collect();
    let mut unpacker = ArchiveReader::new(Options::default())
        .with_batches(|batch| BATCHES.with_borrow_mut(|all| all.push(batch.to_vec())));
    for (name, bytes) in &files {
        unpacker
            .read(name, &bytes[..], |_| {})
            .expect("memory takes all");
    }
    assert!(unpacker.finish_batches());
    let batches = BATCHES.take();
    assert!(batches.len() > 1);
    let mut reader = ArchiveReader::new(Options::default());
    batches
        .iter()
        .for_each(|batch| reader.append(batch).expect("memory takes all"));
    assert_eq!(
        (reader.games(), reader.finish_batches()),
        (unpacker.games(), false)
    );
    assert!(games_of(reader) == read(&files, usize::MAX).0);
    let mut reader = ArchiveReader::new(Options::default());
    assert!(reader.append(&batches[0][..batches[0].len() - 1]).is_err());
}

#[test]
fn records_and_transcoded_games_are_turned() {
    let utf16: Vec<u8> = "\u{feff}(;CA[UTF-16]PB[常昊])"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let cut: Vec<u8> = [&utf16[..], &[0x00, 0xd8]].concat();
    let files = [
        ("a.sgf".to_owned(), utf16),
        ("b.sgf".to_owned(), cut),
        (
            "c.gib".to_owned(),
            b"\\HS\n\\HE\n\\GS\nnonsense\n\\GE\n".to_vec(),
        ),
    ];
    let (games, faults) = read(&files, 5);
    assert_eq!(games[0].1, "(;CA[UTF-16]PB[常昊])".as_bytes());
    assert_eq!(games[1].1, games[0].1);
    assert_eq!(faults.len(), 2, "{faults:?}");
}

/// Bytes before and after games are dropped. A truncated game is kept truncated, because `check`
/// reports it.
#[test]
fn noise_is_no_game() {
    let noise = vec![b'x'; 1 << 20];
    let files = [(
        "a.sgf".to_owned(),
        [&noise[..], b"(;B[aa])", &noise, b"(;B[bb"].concat(),
    )];
    let (games, _) = read(&files, 64 << 10);
    assert_eq!(
        games,
        [
            ("a.sgf#1".to_owned(), b"(;B[aa])".to_vec()),
            ("a.sgf#2".to_owned(), b"(;B[bb".to_vec())
        ]
    );
}

/// If an entry breaks off, the games before that are kept.
#[test]
fn a_game_that_breaks_off_is_left_out() {
    let text = b"(;B[aa])\n(;B[bb];W[cc])\n";
    for len in 0..=text.len() {
        let mut reader = ArchiveReader::new(Options::default());
        let mut games = 0;
        let bytes = Chunks {
            bytes: &text[..len],
            chunk: 7,
            fails: true,
        };
        reader
            .read("a.sgf", bytes, |count| games = count)
            .expect("memory takes all");
        let ends = text[..len].iter().filter(|&&byte| byte == b')').count();
        assert_eq!(
            (reader.games() as usize, games as usize),
            (ends, ends),
            "{len}"
        );
    }
}
