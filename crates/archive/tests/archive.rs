//! Every kind of archive yields entries; damaged archives yield problems.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sgfstream_archive::{
    self as archive, ArchiveErrorKind, ArchiveProblem, Caps, Entry, EntryName, FileKind, Input,
    ReadOptions, Summary, Walk,
};

macro_rules! caps {
    ($($field:ident: $value:expr),*) => {{
        let mut caps = Caps::default();
        $(caps.$field = $value;)*
        caps
    }};
}

const ONE: &[u8] = b"(;GM[1]FF[4]SZ[19]PB[One];B[pd];W[dp])\n";
const TWO: &[u8] = b"(;GM[1]FF[4]SZ[9]PB[Two];B[ee])\n";

/// Items of a visit.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    /// Names and bytes of entries.
    entries: Vec<(String, Vec<u8>)>,
    problems: Vec<(ArchiveErrorKind, String)>,
    /// Number of entries whose reader failed.
    failed: usize,
}

impl Seen {
    fn take(&mut self, item: Result<Entry<'_>, ArchiveProblem>) -> ControlFlow<()> {
        match item {
            Ok(entry) => {
                let mut bytes = Vec::new();
                self.failed += usize::from(entry.read.read_to_end(&mut bytes).is_err());
                self.entries.push((entry.name.to_string(), bytes));
            }
            Err(problem) => self.problems.push((problem.kind, problem.to_string())),
        }
        ControlFlow::Continue(())
    }

    /// Returns the names without the file's.
    fn members(&self) -> Vec<&str> {
        self.entries
            .iter()
            .map(|(name, _)| name.split_once('!').map_or("", |(_, member)| member))
            .collect()
    }
}

fn see_with(inputs: &[Input], options: &ReadOptions) -> Seen {
    let mut seen = Seen::default();
    archive::visit(inputs, options, |item| seen.take(item));
    seen
}

fn see(input: Input) -> Seen {
    see_with(&[input], &ReadOptions::default())
}

fn see_stream(bytes: &[u8], caps: Caps) -> (Seen, Summary) {
    let mut seen = Seen::default();
    let options = ReadOptions::new(caps);
    let summary = archive::visit_reader(&EntryName::file("-"), &mut &*bytes, &options, |item| {
        seen.take(item)
    });
    (seen, summary)
}

fn fixture(name: &str) -> PathBuf {
    Path::new("tests/archives").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(fixture(name)).expect("a fixture")
}

/// Directory for one test, deleted at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("sgfstream-test-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("a directory");
        fs::write(&path, bytes).expect("a file");
        path
    }

    fn text(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Archives that contain `one.sgf` and `two.sgf`.
const PAIRS: &[&str] = &[
    "two.tar",
    "two.tar.gz",
    "two.tar.bz2",
    "two.tar.xz",
    "two.tar.zst",
    "two.tar.lz4",
    "v7.tar.gz",
    "two.zip",
    "stored.zip",
    "deflate.zip",
    "deflate64.zip",
    "bzip2.zip",
    "lzma.zip",
    "zstd.zip",
    "xz.zip",
    "zip64.zip",
    "descriptor-deflate.zip",
    "descriptor-bzip2.zip",
    #[cfg(feature = "c")]
    "descriptor-lzma.zip",
    "stored.7z",
    "lzma.7z",
    "lzma2.7z",
    "ppmd.7z",
    "bzip2.7z",
    "deflate.7z",
    #[cfg(feature = "c")]
    "zstd.7z",
    "volumes.7z.001",
];

#[test]
fn both_members_of_every_container() {
    for name in PAIRS {
        let seen = see(Input::path(fixture(name)));
        assert_eq!(seen.problems, [], "{name}");
        assert_eq!(seen.members(), ["one.sgf", "two.sgf"], "{name}");
        assert_eq!(seen.entries[0].1, ONE, "{name}");
        assert_eq!(seen.entries[1].1, TWO, "{name}");
    }
}

#[test]
fn both_members_of_every_stream() {
    for name in PAIRS.iter().filter(|name| !name.contains("volumes")) {
        let (seen, summary) = see_stream(&bytes(name), Caps::default());
        assert_eq!(seen.problems, [], "{name}");
        assert_eq!(seen.members(), ["one.sgf", "two.sgf"], "{name}");
        assert_eq!(
            (&*seen.entries[0].1, &*seen.entries[1].1),
            (ONE, TWO),
            "{name}"
        );
        assert_eq!(summary.entries, 2);
    }
}

#[test]
fn content_decides_and_not_the_name() {
    let scratch = Scratch::new("content");
    for name in PAIRS.iter().filter(|name| !name.contains("volumes")) {
        let path = scratch.write("disguised.sgf", &bytes(name));
        assert_eq!(
            see(Input::path(path)).members(),
            ["one.sgf", "two.sgf"],
            "{name}"
        );
    }
    let seen = see(Input::path(scratch.write("plain.zip", ONE)));
    assert_eq!(seen.entries[0].1, ONE);
}

#[test]
fn names_and_what_is_taken() {
    let mut names = [
        "围棋/古力.sgf",
        "囲碁/本因坊戦.sgf",
        "Müller.sgf",
        "黒.sgf",
        "xé.sgf",
        "old.hgf",
        "noext",
        "empty.sgf",
    ];
    let seen = see(Input::path(fixture("names.zip")));
    // The second name is in Shift_JIS, the first in GBK, which is then the charset of the archive.
    let japanese = std::mem::replace(&mut names[1], "埻岄/杮場朧愴.sgf");
    assert_eq!((seen.members(), seen.problems.len()), (names.to_vec(), 0));
    // A stream has no list of names, so each name is decoded alone.
    names[1] = japanese;
    let (seen, summary) = see_stream(&bytes("names.zip"), Caps::default());
    assert_eq!((seen.members(), seen.problems.len()), (names.to_vec(), 0));
    assert_eq!(summary.skipped, 1);
    for name in ["gnu.tar.gz", "pax.tar.gz"] {
        let seen = see(Input::path(fixture(name)));
        let long = format!(
            "{}/{}/{}/long.sgf",
            "d".repeat(90),
            "e".repeat(90),
            "f".repeat(90)
        );
        assert_eq!(seen.members(), [&*long, "囲碁.sgf"], "{name}");
    }
}

#[test]
fn archives_in_archives_once() {
    let seen = see(Input::path(fixture("nested.zip")));
    let members = [
        "inner.tar.gz!one.sgf",
        "inner.tar.gz!two.sgf",
        "inner.zip!one.sgf",
        "inner.zip!two.sgf",
        "inner.7z!one.sgf",
        "inner.7z!two.sgf",
        "three.sgf.gz",
        "last.sgf",
    ];
    assert_eq!(seen.members(), members);
    let problem = "tests/archives/nested.zip!deep.bin: more than 2 nested archives (cap `nesting`); \
                   unpack the outer one first";
    assert_eq!(seen.problems, [(ArchiveErrorKind::Cap, problem.to_owned())]);
    let seen = see(Input::path(fixture("nested.tar.gz")));
    assert_eq!(
        seen.members(),
        [&members[2..6], &["three", "last.sgf"]].concat()
    );
    assert_eq!(seen.problems, []);
    let caps = caps! { nesting: 1 };
    let (seen, _) = see_stream(&bytes("nested.tar.gz"), caps);
    assert_eq!((seen.members(), seen.problems.len()), (vec!["last.sgf"], 3));
}

#[test]
fn streams_one_after_another_are_one() {
    let skippable = b"\x5a\x2a\x4d\x18\x05\0\0\0hello";
    for (name, between, after) in [
        ("gz", &b""[..], &b"\0\0\0\0\0\0\0"[..]),
        ("bz2", b"", b"\0\0\0"),
        ("xz", b"\0\0\0\0", b"\0\0\0\0\0\0\0\0"),
        ("zst", skippable, skippable),
        ("lz4", skippable, skippable),
    ] {
        let one = bytes(&format!("one.sgf.{name}"));
        let all = [&*one, between, &one, &one, after].concat();
        let (seen, _) = see_stream(&all, Caps::default());
        assert_eq!(seen.problems, [], "{name}");
        assert_eq!(seen.entries, [("-".to_owned(), ONE.repeat(3))], "{name}");
        // Other bytes after the stream must not undo the entry.
        let (seen, _) = see_stream(&[&*one, b"something else"].concat(), Caps::default());
        assert_eq!(
            (&*seen.entries[0].1, seen.failed, seen.problems.len()),
            (ONE, 1, 1),
            "{name}"
        );
    }
    for lead in [&b"\x50\x2a\x4d\x18\0\0\0\0"[..], skippable] {
        let (seen, _) = see_stream(&[lead, &bytes("one.sgf.zst")].concat(), Caps::default());
        assert_eq!(seen.entries[0].1, ONE);
    }
}

#[test]
fn members_and_games_by_name() {
    let name = |text: &str| see(Input::parse(&format!("tests/archives/{text}")));
    for text in [
        "two.zip!two.sgf",
        "two.tar.gz!two.sgf",
        "lzma2.7z!two.sgf",
        "nested.zip!inner.7z!two.sgf",
    ] {
        let seen = name(text);
        assert_eq!(
            (&*seen.entries[0].1, seen.entries.len(), seen.problems.len()),
            (TWO, 1, 0),
            "{text}"
        );
    }
    assert_eq!(name("names.zip!readme.txt").entries[0].1, b"hello");
    assert_eq!(name("names.zip!围棋/").members(), ["围棋/古力.sgf"]);
    assert_eq!(
        name("nested.zip!inner.zip").members(),
        ["inner.zip!one.sgf", "inner.zip!two.sgf"]
    );
    assert_eq!(
        name("one.sgf.gz!one.sgf").problems[0].0,
        ArchiveErrorKind::NotFound
    );
    let missing = "tests/archives/two.zip: no member `no.sgf` in the archive";
    assert_eq!(
        name("two.zip!no.sgf").problems,
        [(ArchiveErrorKind::NotFound, missing.to_owned())]
    );
    archive::visit(
        &[Input::parse("tests/archives/two.zip!two.sgf#17")],
        &ReadOptions::default(),
        |item| {
            let Ok(entry) = item else { panic!("{item:?}") };
            assert_eq!(entry.games, Some(&[17][..]));
            ControlFlow::Continue(())
        },
    );
}

#[test]
fn a_password_costs_its_members_only() {
    let seen = see(Input::path(fixture("encrypted.zip")));
    assert_eq!(
        (seen.members(), seen.problems[0].0),
        (vec!["two.sgf"], ArchiveErrorKind::Encrypted)
    );
    let (seen, _) = see_stream(&bytes("encrypted.zip"), Caps::default());
    assert_eq!(seen.problems[0].0, ArchiveErrorKind::Encrypted);
    for name in ["encrypted.7z", "encrypted-header.7z"] {
        let seen = see(Input::path(fixture(name)));
        assert_eq!(
            (seen.entries.len(), seen.problems[0].0),
            (0, ArchiveErrorKind::Encrypted),
            "{name}"
        );
    }
}

#[test]
fn caps() {
    let cap = |caps| see_stream(&bytes("bomb.sgf.bz2"), caps).0;
    let seen = cap(Caps::default());
    assert_eq!(
        (seen.problems[0].0, seen.failed),
        (ArchiveErrorKind::Cap, 1)
    );
    assert!((1 << 19..2 << 20).contains(&seen.entries[0].1.len()));
    assert_eq!(cap(caps! { ratio: u64::MAX }).problems, []);
    let seen = cap(caps! { bytes: 1000 });
    assert!(
        seen.problems[0]
            .1
            .contains("unpacks to more than 1000 bytes"),
        "{:?}",
        seen.problems
    );
    for name in ["two.zip", "two.tar.gz", "lzma2.7z"] {
        let (seen, _) = see_stream(&bytes(name), caps! { entries: 1 });
        assert_eq!(
            (seen.entries.len(), seen.problems[0].0),
            (1, ArchiveErrorKind::Cap),
            "{name}"
        );
    }
    for name in ["lzma2.7z", "one.sgf.xz", "two.tar.zst"] {
        let (seen, _) = see_stream(&bytes(name), caps! { memory: 1000, spool: 1 << 20 });
        // zstd needs no window for such a small file.
        let is_refused = seen
            .problems
            .iter()
            .map(|(kind, _)| *kind)
            .eq([ArchiveErrorKind::Cap]);
        assert!(name.ends_with("zst") || is_refused, "{name}: {seen:?}");
    }
    // A window larger than the default cap is refused, and accepted if the cap is raised.
    let mut writer = zstd::Encoder::new(Vec::new(), 3).expect("memory");
    writer
        .window_log(29)
        .and_then(|()| writer.write_all(ONE))
        .expect("memory");
    let packed = writer.finish().expect("memory");
    let (seen, _) = see_stream(&packed, Caps::default());
    let said = "the decoder needs more than 335544320 bytes of memory (cap `memory`, raised by --cap-memory)";
    assert!(
        matches!(&seen.problems[..], [(ArchiveErrorKind::Cap, text)] if text.contains(said)),
        "{seen:?}"
    );
    let (seen, _) = see_stream(&packed, caps! { memory: 600 << 20 });
    assert_eq!(
        (seen.entries[0].1.as_slice(), seen.problems.len()),
        (ONE, 0)
    );
    let (seen, _) = see_stream(&bytes("lzma2.7z"), caps! { spool: 10 });
    assert_eq!(seen.problems[0].0, ArchiveErrorKind::Cap);
    // The list of members has 20 bytes packed and 113 unpacked.
    let (seen, _) = see_stream(&bytes("lzma2.7z"), caps! { header: 112 });
    assert!(
        seen.problems[0]
            .1
            .contains("the list of members has 113 bytes"),
        "{seen:?}"
    );
    let (seen, _) = see_stream(&bytes("lzma2.7z"), caps! { header: 113 });
    assert_eq!(seen.problems, []);
}

#[test]
fn directories_lists_globs_and_links() {
    let scratch = Scratch::new("walk");
    for name in ["b/two.SGF", "a/one.sgf", "c.sgfs", "a/deep/er/x.blksgf"] {
        scratch.write(name, ONE);
    }
    for name in ["a/notes.txt", ".sgf", "z.7z.002"] {
        scratch.write(name, b"text");
    }
    scratch.write("d.tgz", &bytes("two.tar.gz"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("..", scratch.0.join("a/loop")).expect("a link");
        std::os::unix::fs::symlink(".", scratch.0.join("self")).expect("a link");
        std::os::unix::fs::symlink("nowhere", scratch.0.join("gone.sgf")).expect("a link");
    }
    let root = scratch.text("");
    let names = |seen: &Seen| -> Vec<String> {
        seen.entries
            .iter()
            .map(|(name, _)| name.trim_start_matches(&root).to_owned())
            .collect()
    };
    let all = [
        "a/deep/er/x.blksgf",
        "a/one.sgf",
        "b/two.SGF",
        "c.sgfs",
        "d.tgz!one.sgf",
        "d.tgz!two.sgf",
    ];
    let seen = see(Input::path(&root));
    assert_eq!(names(&seen), all);
    assert_eq!(seen.problems.len(), usize::from(cfg!(unix)));
    assert_eq!(
        names(&see(Input::parse(&scratch.text("**/*.[sS][gG][fF]")))),
        ["a/one.sgf", "b/two.SGF"]
    );
    assert_eq!(
        see(Input::parse(&scratch.text("*.none"))).problems[0].0,
        ArchiveErrorKind::NotFound
    );

    let lines = [
        scratch.text("b/two.SGF"),
        String::new(),
        scratch.text("d.tgz!two.sgf#1"),
        scratch.text("no.sgf"),
    ];
    scratch.write("list", lines.join("\r\n").as_bytes());
    scratch.write("list0", lines.join("\0").as_bytes());
    for list in [
        Input::parse(&format!("@{}", scratch.text("list"))),
        Input::list_nul(scratch.text("list0")),
    ] {
        let seen = see(list);
        assert_eq!(names(&seen), ["b/two.SGF", "d.tgz!two.sgf"]);
        assert_eq!(seen.problems[0].0, ArchiveErrorKind::NotFound);
    }
}

#[test]
fn work_for_many_threads() {
    let input: Vec<_> = Walk::new(vec![Input::path(fixture("names.zip"))])
        .collect::<Result<_, _>>()
        .expect("a file");
    assert_eq!(input[0].kind().expect("readable"), FileKind::Zip);
    let whole = see(Input::path(fixture("names.zip")));
    for parts in 1..20 {
        let options = ReadOptions::default();
        let pieces = input[0].split(parts);
        assert!(pieces.len() <= parts);
        let mut seen = Seen::default();
        std::thread::scope(|scope| {
            let pieces = pieces.iter().map(|piece| {
                scope.spawn(|| {
                    let mut seen = Seen::default();
                    piece.visit(&options, |item| seen.take(item));
                    seen
                })
            });
            for piece in pieces.collect::<Vec<_>>() {
                seen.entries.extend(piece.join().expect("no panic").entries);
            }
        });
        assert_eq!(seen, whole, "{parts} parts");
        let size = input[0].size().expect("a file");
        assert!((size - 20..=size).contains(&options.meter.raw()));
    }
}

#[test]
fn members_are_loaded_up_to_a_limit() {
    for (limit, whole) in [(10, false), (ONE.len(), false), (ONE.len() + 1, true)] {
        let mut buf = b"kept".to_vec();
        archive::visit(
            &[Input::path(fixture("two.tar.gz"))],
            &ReadOptions::default(),
            |item| {
                let Ok(mut entry) = item else {
                    panic!("{item:?}")
                };
                assert_eq!(entry.load(&mut buf, limit).expect("undamaged"), whole);
                entry.read.read_to_end(&mut buf).expect("the rest");
                ControlFlow::Break(())
            },
        );
        assert_eq!(buf, [b"kept", ONE].concat());
    }
}

#[test]
fn stop_stops() {
    for name in PAIRS {
        let mut count = 0;
        let inputs = [Input::path(fixture(name)), Input::path(fixture(name))];
        let summary = archive::visit(&inputs, &ReadOptions::default(), |_| {
            count += 1;
            ControlFlow::Break(())
        });
        assert_eq!(
            (count, summary.stopped, summary.problems),
            (1, true, 0),
            "{name}"
        );
    }
}

#[test]
fn a_cut_archive_gives_what_is_there_and_says_so() {
    for name in PAIRS
        .iter()
        .filter(|name| !name.ends_with("7z") && !name.contains("volumes"))
    {
        let whole = bytes(name);
        let (full, _) = see_stream(&whole, Caps::default());
        for len in (1..whole.len()).filter(|len| whole.len() < 2000 || len % 101 == 0) {
            let (seen, summary) = see_stream(&whole[..len], Caps::default());
            assert_eq!(summary.problems as usize, seen.problems.len());
            // The first few bytes may be unrecognizable and come as one plain entry.
            let started = seen
                .entries
                .first()
                .is_none_or(|(name, _)| name == &full.entries[0].0);
            assert!(started || len < 600, "{name} {len} {seen:?}");
            for ((member, bytes), (full_member, full_bytes)) in
                seen.entries.iter().zip(&full.entries)
            {
                let prefix = member == full_member && full_bytes.starts_with(bytes);
                assert!(prefix || !started, "{name} {len} {seen:?}");
            }
            let complete = seen.entries == full.entries;
            assert!(
                complete || !seen.problems.is_empty() || len < 40 || name.ends_with("tar"),
                "{name} {len} {seen:?}"
            );
        }
    }
}

#[test]
fn a_sparse_member_is_reported_and_the_others_are_read() {
    for name in [
        "sparse-gnu.tar.gz",
        "sparse-pax-0.0.tar.gz",
        "sparse-pax-0.1.tar.gz",
        "sparse-pax-1.0.tar.gz",
    ] {
        let seen = see(Input::path(fixture(name)));
        let said = format!(
            "tests/archives/{name}!sparse.sgf: sparse members are not supported; unpack the archive with \
             `tar -x`"
        );
        assert_eq!(
            seen.problems,
            [(ArchiveErrorKind::Unsupported, said)],
            "{name}"
        );
        assert!(
            seen.members() == ["one.sgf"] && seen.entries[0].1 == ONE,
            "{name}"
        );
        // A problem of a member that is not selected is not reported.
        let one = see(Input::parse(&format!("tests/archives/{name}!one.sgf")));
        assert_eq!(
            (one.entries.len(), &one.problems[..]),
            (1, &[][..]),
            "{name}"
        );
    }
}

#[test]
fn a_failing_read_reaches_the_reader_and_is_a_problem() {
    struct Failing<'a>(&'a [u8]);
    impl std::io::Read for Failing<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Err(std::io::Error::other("disk on fire"));
            }
            self.0.read(out)
        }
    }
    let tar = bytes("two.tar");
    for (given, entry) in [(ONE, "x"), (&tar[..520], "x!one.sgf")] {
        let mut seen = Seen::default();
        let name = EntryName::file("x");
        archive::visit_reader(
            &name,
            &mut Failing(given),
            &ReadOptions::default(),
            |item| seen.take(item),
        );
        assert_eq!((seen.failed, &*seen.entries[0].0), (1, entry));
        assert!(ONE.starts_with(&seen.entries[0].1) && !seen.entries[0].1.is_empty());
        let problem = format!("{entry}: cannot be read: disk on fire");
        assert_eq!(seen.problems, [(ArchiveErrorKind::Unreadable, problem)]);
    }
}

#[test]
fn damage_costs_nothing_in_front_of_it() {
    // Many small members, then a damaged block: all members before it are visited.
    let mut tar = bytes("two.tar")[..1024].repeat(2000);
    tar.extend([0; 1024]);
    let mut gz = Vec::new();
    let mut encoder = flate2::read::GzEncoder::new(&*tar, flate2::Compression::fast());
    std::io::Read::read_to_end(&mut encoder, &mut gz).expect("memory");
    let at = gz.len() * 3 / 4;
    gz[at..].fill(0xff);
    let (seen, _) = see_stream(&gz, Caps::default());
    assert!(
        seen.entries.len() > 1400 && seen.problems.len() == 1,
        "{} {:?}",
        seen.entries.len(),
        seen.problems
    );
    let mut zst = zstd::encode_all(&*tar, 1).expect("memory");
    let at = zst.len() - 8;
    zst[at..].fill(0xff);
    let (seen, _) = see_stream(&zst, caps! { ratio: u64::MAX });
    assert!(
        seen.entries.len() > 1400 && seen.problems.len() == 1,
        "{} {:?}",
        seen.entries.len(),
        seen.problems
    );
}

/// Returns the next number of xorshift64, so that the damage is the same in every run.
fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as usize
}

#[test]
fn nothing_panics_on_damage() {
    let rounds = if cfg!(debug_assertions) { 60 } else { 200 };
    let scratch = Scratch::new("damage");
    let caps = caps! { memory: 64 << 20, bytes: 16 << 20 };
    let options = ReadOptions::new(caps);
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let others = [
        "names.zip",
        "nested.zip",
        "nested.tar.gz",
        "sparse-gnu.tar.gz",
        "encrypted.7z",
        "encrypted.zip",
    ];
    let pax = [
        "sparse-pax-0.0.tar.gz",
        "sparse-pax-0.1.tar.gz",
        "sparse-pax-1.0.tar.gz",
        "gnu.tar.gz",
        "pax.tar.gz",
    ];
    for name in PAIRS
        .iter()
        .chain(&others)
        .chain(&pax)
        .filter(|name| !name.contains("volumes"))
    {
        let whole = bytes(name);
        for _ in 0..rounds {
            let mut damaged = whole.clone();
            for _ in 0..random(&mut state) % 8 {
                let at = random(&mut state) % damaged.len();
                damaged[at] = match random(&mut state) % 4 {
                    0 => 0,
                    1 => 0xff,
                    2 => damaged[at] ^ 1 << (random(&mut state) % 8),
                    _ => random(&mut state) as u8,
                };
            }
            if random(&mut state).is_multiple_of(3) {
                damaged.truncate(random(&mut state) % damaged.len());
            }
            see_stream(&damaged, caps);
            see_with(&[Input::path(scratch.write("x", &damaged))], &options);
        }
    }
}

/// Returns the items of a visit, the selected games, and the number of packed bytes read.
fn seen(inputs: &[Input]) -> (Seen, Vec<Option<Vec<u64>>>, u64) {
    let (mut seen, mut games) = (Seen::default(), Vec::new());
    let options = ReadOptions::default();
    archive::visit(inputs, &options, |item| {
        if let Ok(entry) = &item {
            games.push(entry.games.map(<[u64]>::to_vec));
        }
        seen.take(item)
    });
    (seen, games, options.meter.raw())
}

/// Members that are named one by one come in the order of their archive, without duplicates, and
/// the archive is read once.
#[test]
fn references_into_an_archive() {
    let names = [
        "two.tar.zst",
        "two.zip",
        "lzma2.7z",
        "stored.7z",
        "nested.zip",
        "nested.tar.gz",
        "deflate.zip",
        "names.zip",
    ];
    let cut = tempfile::tempdir().expect("a directory");
    let mut archives: Vec<PathBuf> = names.iter().map(|name| fixture(name)).collect();
    for name in ["two.tar", "two.zip", "two.tar.gz"] {
        let bytes = fs::read(fixture(name)).expect("a file");
        let path = cut.path().join(name);
        fs::write(&path, &bytes[..bytes.len() * 2 / 3]).expect("disk space");
        archives.push(path);
    }
    for path in archives {
        let shown = path.display().to_string();
        let (all, _, _) = seen(&[Input::path(&path)]);
        let size = fs::metadata(&path).expect("a file").len();
        let missing = format!("{shown}!no such member");
        let names: Vec<String> = all.entries.iter().map(|(name, _)| name.clone()).collect();
        let games = |games: &[u64]| -> Vec<String> {
            names
                .iter()
                .flat_map(|name| games.iter().map(move |game| format!("{name}#{game}")))
                .collect()
        };
        for (mut texts, expected) in [
            // A member that is also named as a whole is read as a whole.
            ([&names[..], &games(&[2])].concat(), None),
            (games(&[7, 2, 7]), Some(vec![2, 7])),
        ] {
            texts.push(missing.clone());
            texts.push(texts[0].clone());
            // The order of the names must differ from the order of the archive.
            texts.sort_by_key(|text| text.bytes().rev().collect::<Vec<_>>());
            let inputs: Vec<Input> = texts.iter().map(|text| Input::parse(text)).collect();
            let (found, games, raw) = seen(&inputs);
            assert_eq!(
                (&found.entries, found.failed),
                (&all.entries, all.failed),
                "{shown}"
            );
            assert_eq!((games, raw), (vec![expected; names.len()], size), "{shown}");
            // A fixture has no problem but of a member that is not named.
            let said = format!("{shown}: no member `no such member` in the archive");
            let expected = if all.problems.is_empty() || shown.starts_with("tests") {
                vec![(ArchiveErrorKind::NotFound, said)]
            } else {
                all.problems.clone()
            };
            assert_eq!(found.problems, expected, "{shown}");
            // The same references, as a list.
            let list = cut.path().join("list");
            fs::write(&list, texts.join("\n")).expect("disk space");
            let (listed, _, raw) = seen(&[Input::list(&list)]);
            assert_eq!((listed.entries, raw), (found.entries, size), "{shown}");
        }
    }
}

/// Files come in the order of their first reference.
#[test]
fn references_to_several_files() {
    let texts = [
        "two.zip!two.sgf",
        "two.tar.gz!one.sgf",
        "two.zip!one.sgf",
        "one.sgf.gz#3",
        "one.sgf.gz#1",
    ];
    let inputs: Vec<Input> = texts
        .iter()
        .map(|text| Input::parse(&format!("tests/archives/{text}")))
        .collect();
    let (found, games, _) = seen(&inputs);
    let names: Vec<&str> = found
        .entries
        .iter()
        .map(|(name, _)| &name["tests/archives/".len()..])
        .collect();
    assert_eq!(
        names,
        [
            "two.zip!one.sgf",
            "two.zip!two.sgf",
            "two.tar.gz!one.sgf",
            "one.sgf.gz"
        ]
    );
    assert_eq!(games, [None, None, None, Some(vec![1, 3])]);
}
