//! Archives that were truncated, damaged, or built as no tool builds them: existing members are
//! visited, missing ones are reported.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sgfstream_archive::{
    self as archive, ArchiveErrorKind, ArchiveProblem, Caps, Entry, EntryName, Input, ReadOptions,
    Walk,
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

#[derive(Debug, Default)]
struct Seen {
    entries: Vec<(String, Vec<u8>)>,
    problems: Vec<(ArchiveErrorKind, String)>,
}

impl Seen {
    fn take(&mut self, item: Result<Entry<'_>, ArchiveProblem>) -> ControlFlow<()> {
        match item {
            Ok(entry) => {
                let mut bytes = Vec::new();
                _ = entry.read.read_to_end(&mut bytes);
                self.entries.push((entry.name.to_string(), bytes));
            }
            Err(problem) => self.problems.push((problem.kind, problem.to_string())),
        }
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> Vec<&[u8]> {
        self.entries.iter().map(|(_, bytes)| &**bytes).collect()
    }

    fn troubles(&self) -> Vec<ArchiveErrorKind> {
        self.problems.iter().map(|(kind, _)| *kind).collect()
    }
}

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    /// Returns the items of a file of this name and these bytes.
    fn see(&self, name: &str, bytes: &[u8]) -> Seen {
        see(&[Input::path(self.write(name, bytes))])
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path
    }
}

fn see(inputs: &[Input]) -> Seen {
    let mut seen = Seen::default();
    archive::visit(inputs, &ReadOptions::default(), |item| seen.take(item));
    seen
}

fn see_stream(bytes: &[u8]) -> Seen {
    let mut seen = Seen::default();
    archive::visit_reader(
        &EntryName::file("-"),
        &mut &*bytes,
        &ReadOptions::default(),
        |item| seen.take(item),
    );
    seen
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(Path::new("tests/archives").join(name)).expect("a fixture")
}

/// Unsupported archives are reported, with a way to read them.
#[test]
fn archives_that_are_not_read() {
    let scratch = Scratch::new();
    let seen = scratch.see("x.rar", b"Rar!\x1a\x07\x01\0.................");
    assert_eq!(
        (seen.bytes().len(), seen.troubles()),
        (0, vec![ArchiveErrorKind::Unsupported])
    );
    assert!(
        seen.problems[0].1.contains(
            "RAR archives are not supported; unpack it first with `unar` or `bsdtar -xf`"
        ),
        "{seen:?}"
    );
}

#[test]
fn a_zip_that_was_cut_gives_from_disk_what_it_gives_as_a_stream() {
    let scratch = Scratch::new();
    for name in [
        "two.zip",
        "stored.zip",
        "bzip2.zip",
        "zip64.zip",
        "descriptor-deflate.zip",
    ] {
        let whole = bytes(name);
        for len in 60..whole.len() {
            let (disk, stream) = (
                scratch.see("x.zip", &whole[..len]),
                see_stream(&whole[..len]),
            );
            assert_eq!(
                (disk.bytes(), disk.troubles()),
                (stream.bytes(), stream.troubles()),
                "{name} {len}"
            );
            assert!(!disk.problems.is_empty(), "{name} {len}");
        }
        // The directory is cut off, but both members are complete.
        assert_eq!(
            scratch.see("x.zip", &whole[..whole.len() - 23]).bytes(),
            [ONE, TWO],
            "{name}"
        );
    }
}

#[test]
fn bytes_around_a_zip() {
    let scratch = Scratch::new();
    let zip = bytes("two.zip");
    let (few, many) = (vec![b'x'; 1000], vec![b'x'; 200_000]);
    for (front, after) in [
        (&few, &[][..]),
        (&many, &[]),
        (&Vec::new(), &few),
        (&Vec::new(), &many),
        (&few, &few),
    ] {
        let seen = scratch.see("x.zip", &[front, &zip, after].concat());
        assert_eq!(
            (seen.bytes(), seen.problems.len()),
            (vec![ONE, TWO], 0),
            "{} {}",
            front.len(),
            after.len()
        );
    }
    // A text that mentions the signature of a directory is a text.
    let text = [&b"mail\n"[..], ONE, b"PK\x05\x06"].concat();
    assert_eq!(scratch.see("x.sgf", &text).bytes(), [&*text]);
    let path = scratch.write("program", &[&few, &*zip].concat());
    let input = Walk::new(vec![Input::path(path)])
        .next()
        .expect("one")
        .expect("a file");
    assert_eq!(input.split(8).len(), 2);
}

#[test]
fn a_zip_whose_directory_has_more_than_was_met() {
    let zip = bytes("stored.zip");
    let second = memchr::memmem::rfind(&zip, b"PK\x03\x04").expect("two members");
    let directory = memchr::memmem::find(&zip, b"PK\x01\x02").expect("a directory");
    let seen = see_stream(&[&zip[..second], &zip[directory..]].concat());
    assert_eq!(seen.bytes(), [ONE]);
    let said = "-: expected 2 members, as the directory has, found 1".to_owned();
    assert_eq!(seen.problems, [(ArchiveErrorKind::Damaged, said)]);
}

#[test]
fn the_checksum_of_a_stream_around_a_zip_is_held() {
    let mut packed = Vec::new();
    let zip = bytes("two.zip");
    std::io::Read::read_to_end(
        &mut flate2::read::GzEncoder::new(&*zip, flate2::Compression::fast()),
        &mut packed,
    )
    .expect("memory");
    assert_eq!(see_stream(&packed).problems, []);
    let at = packed.len() - 6;
    packed[at] ^= 1;
    let seen = see_stream(&packed);
    assert_eq!(
        (seen.bytes(), seen.troubles()),
        (vec![ONE, TWO], vec![ArchiveErrorKind::Damaged])
    );
}

#[test]
fn lz4_of_the_legacy_format_ends_with_its_blocks() {
    let block = lz4_flex::block::compress(ONE);
    let len = u32::try_from(block.len()).expect("small").to_le_bytes();
    let whole = [b"\x02\x21\x4c\x18", &len[..], &block, &len, &block].concat();
    let seen = see_stream(&whole);
    assert_eq!(
        (seen.bytes(), seen.problems.len()),
        (vec![&*ONE.repeat(2)], 0)
    );
    for cut in [1, block.len() + 1, block.len() + 3] {
        let seen = see_stream(&whole[..whole.len() - cut]);
        assert_eq!(
            (seen.bytes(), seen.troubles()),
            (vec![ONE], vec![ArchiveErrorKind::Truncated]),
            "{cut}"
        );
    }
}

#[test]
fn a_name_that_promises_an_archive_is_held_to_it() {
    let scratch = Scratch::new();
    for name in [
        "two.zip",
        "lzma2.7z",
        "one.sgf.gz",
        "one.sgf.bz2",
        "one.sgf.xz",
        "one.sgf.zst",
        "one.sgf.lz4",
    ] {
        let mut damaged = bytes(name);
        damaged[1] ^= 0x10;
        let path = scratch.write(name, &damaged);
        if name == "two.zip" {
            // The zip has an intact directory at its end.
            assert_eq!(see(&[Input::path(&path)]).bytes().last(), Some(&TWO));
            fs::remove_file(path).expect("there");
            continue;
        }
        let said = format!(
            "{}: not a packed file, although its name ends like one",
            path.display()
        );
        // Named, and found in a directory.
        for input in [Input::path(&path), Input::path(scratch.0.path())] {
            let seen = see(&[input]);
            assert_eq!(seen.problems, [(ArchiveErrorKind::Damaged, said.clone())]);
            assert_eq!(seen.bytes().len(), 0);
        }
        let input = Walk::new(vec![Input::path(&path)])
            .next()
            .expect("one")
            .expect("a file");
        assert_eq!(input.kind().expect("readable"), archive::FileKind::Stream);
        fs::remove_file(path).expect("there");
    }
    assert_eq!(
        scratch.see("empty.7z", b"").troubles(),
        [ArchiveErrorKind::Truncated]
    );
    // The content shows a record, whatever its name.
    assert_eq!(scratch.see("record.gz", ONE).bytes(), [ONE]);
}

#[test]
fn a_tar_goes_on_after_a_damaged_header() {
    let scratch = Scratch::new();
    let one = &bytes("two.tar")[..1024];
    let tar = [&one.repeat(10), &[0; 1024][..]].concat();
    for header in 0..10 {
        let mut damaged = tar.clone();
        damaged[header * 1024 + 130] ^= 1;
        let seen = scratch.see("x.tar", &damaged);
        assert_eq!(
            (seen.bytes(), seen.troubles()),
            (vec![ONE; 9], vec![ArchiveErrorKind::Damaged]),
            "{header}"
        );
        let gz = {
            let mut out = Vec::new();
            let mut encoder = flate2::read::GzEncoder::new(&*damaged, flate2::Compression::fast());
            std::io::Read::read_to_end(&mut encoder, &mut out).expect("memory");
            out
        };
        let seen = scratch.see("x.tgz", &gz);
        assert_eq!(
            (seen.bytes(), seen.troubles()),
            (vec![ONE; 9], vec![ArchiveErrorKind::Damaged]),
            "{header}"
        );
    }
}

/// Whichever bit is flipped, either the entries are the same or a problem is reported.
#[test]
fn no_bit_of_a_7z_is_turned_in_silence() {
    let scratch = Scratch::new();
    for name in ["deflate.7z", "lzma2.7z"] {
        let whole = bytes(name);
        let expected = see_stream(&whole);
        // The first 32 bytes are the magic, a version that is not checked, and checksums.
        for at in 32..whole.len() {
            for bit in [0, 3, 6] {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                let seen = scratch.see("x.7z", &damaged);
                let is_same = seen.bytes() == expected.bytes();
                assert!(
                    is_same || !seen.problems.is_empty(),
                    "{name} {at} {bit} {seen:?}"
                );
            }
        }
    }
}

#[test]
fn caps_are_those_of_the_whole_zip_whoever_reads_a_piece() {
    use std::io::Write;
    let scratch = Scratch::new();
    let mut zip = zip_of(100);
    let visit = |path: &Path, parts: usize, caps: Caps| {
        let options = ReadOptions::new(caps);
        let input = Walk::new(vec![Input::path(path)])
            .next()
            .expect("one")
            .expect("a file");
        let mut seen = Seen::default();
        for piece in input.split(parts) {
            piece.visit(&options, |item| seen.take(item));
        }
        seen
    };
    let path = scratch.write("x.zip", &zip);
    for parts in [1, 2, 7, 100] {
        for (caps, entries) in [
            (caps! { entries: 30 }, 30),
            (caps! { entries: 100 }, 100),
            (caps! { bytes: 30 * ONE.len() as u64 }, 30),
            (caps! { nesting: 0 }, 0),
        ] {
            let seen = visit(&path, parts, caps);
            let whole = seen
                .bytes()
                .into_iter()
                .filter(|bytes| *bytes == ONE)
                .count();
            let said = usize::from(entries < 100);
            assert_eq!(
                (whole, seen.problems.len()),
                (entries, said),
                "{parts} {caps:?} {:?}",
                seen.problems
            );
        }
    }
    // Members that overlap unpack to more than the file can contain.
    let mut dull = Vec::new();
    let mut encoder = flate2::write::DeflateEncoder::new(&mut dull, flate2::Compression::best());
    let text = [&b"(;C["[..], &vec![b'x'; 2 << 20], b"])"].concat();
    encoder.write_all(&text).expect("memory");
    encoder.finish().expect("memory");
    zip = overlapping(&dull, &text, 2000);
    let path = scratch.write("y.zip", &zip);
    for parts in [1, 5, 40] {
        let seen = visit(&path, parts, Caps::default());
        assert_eq!(seen.troubles(), [ArchiveErrorKind::Cap], "{parts}");
        assert!(seen.bytes().len() < 100, "{parts} {}", seen.bytes().len());
    }
}

fn u16(value: usize) -> [u8; 2] {
    u16::try_from(value).expect("small").to_le_bytes()
}

fn u32(value: usize) -> [u8; 4] {
    u32::try_from(value).expect("small").to_le_bytes()
}

/// Returns a local header, or an entry of the directory if `offset` is given.
fn header(
    method: usize,
    bytes: &[u8],
    crc: u32,
    size: usize,
    name: &str,
    offset: Option<usize>,
) -> Vec<u8> {
    let mut out = Vec::new();
    match offset {
        None => out.extend_from_slice(b"PK\x03\x04\x14\0\0\0"),
        Some(_) => out.extend_from_slice(b"PK\x01\x02\x14\0\x14\0\0\0"),
    }
    out.extend([u16(method), [0; 2], [0; 2]].concat());
    out.extend([crc.to_le_bytes(), u32(bytes.len()), u32(size)].concat());
    out.extend([u16(name.len()), [0; 2]].concat());
    if let Some(offset) = offset {
        out.extend_from_slice(&[0; 10]);
        out.extend(u32(offset));
    }
    out.extend_from_slice(name.as_bytes());
    out
}

fn finished(mut zip: Vec<u8>, directory: &[u8], members: usize) -> Vec<u8> {
    let at = zip.len();
    zip.extend_from_slice(directory);
    zip.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    zip.extend([u16(members), u16(members)].concat());
    zip.extend([u32(directory.len()), u32(at)].concat());
    zip.extend_from_slice(&[0; 2]);
    zip
}

fn zip_of(members: usize) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(ONE);
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for at in 0..members {
        let name = format!("{at}.sgf");
        directory.extend(header(0, ONE, crc.sum(), ONE.len(), &name, Some(zip.len())));
        zip.extend(header(0, ONE, crc.sum(), ONE.len(), &name, None));
        zip.extend_from_slice(ONE);
    }
    finished(zip, &directory, members)
}

fn overlapping(packed: &[u8], text: &[u8], members: usize) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(text);
    let (crc, size) = (crc.sum(), text.len());
    let mut zip = header(8, packed, crc, size, "x.sgf", None);
    zip.extend_from_slice(packed);
    let entry = |at| header(8, packed, crc, size, &format!("{at}.sgf"), Some(0));
    let directory: Vec<u8> = (0..members).flat_map(entry).collect();
    finished(zip, &directory, members)
}

#[test]
fn members_that_the_end_record_does_not_count_are_read_and_reported() {
    let scratch = Scratch::new();
    for (members, stated) in [(2, 0), (2, 1), (1500, 3), (3, 1)] {
        let mut zip = zip_of(members);
        let end = zip.len() - 22;
        zip[end + 8..end + 12].copy_from_slice(&[u16(stated), u16(stated)].concat());
        let path = scratch.write("x.zip", &zip);
        let said = format!(
            "the end record of the zip archive states {stated} members, its directory has more"
        );
        for parts in [1, 8] {
            let mut seen = Seen::default();
            let input = Walk::new(vec![Input::path(&path)])
                .next()
                .expect("one")
                .expect("a file");
            for piece in input.split(parts) {
                piece.visit(&ReadOptions::default(), |item| seen.take(item));
            }
            assert_eq!(seen.entries.len(), members, "{stated}");
            assert_eq!(seen.troubles(), [ArchiveErrorKind::Damaged], "{stated}");
            assert!(seen.problems[0].1.contains(&said), "{:?}", seen.problems);
        }
    }
    assert_eq!(scratch.see("empty.zip", &zip_of(0)).problems, []);
}

/// Returns a tar member with its header.
fn tar_member(name: &str, flag: u8, bytes: &[u8]) -> Vec<u8> {
    let mut block = [0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
    block[156] = flag;
    block[257..263].copy_from_slice(b"ustar\0");
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut out = [&block[..], bytes].concat();
    out.resize(out.len().next_multiple_of(512), 0);
    out
}

#[test]
fn bad_pax_records_are_reported() {
    for (records, found) in [
        (&b"0 path=lost.sgf\n"[..], "`0 path=lost.sgf\\n`"),
        (
            b"100000000000000000000 path=lost.sgf\n",
            "`100000000000000000000 path=lost.sgf\\n`",
        ),
        (b"-1 path=lost.sgf\n", "`-1 path=lost.sgf\\n`"),
        (b"40 path=lost.sgf\n", "`40 path=lost.sgf\\n`"),
        (b"no record", "`no record`"),
        (b"11 size=-1\n", "`-1`"),
    ] {
        let tar = [
            tar_member("pax", b'x', records),
            tar_member("one.sgf", b'0', ONE),
            vec![0; 1024],
        ]
        .concat();
        let seen = see_stream(&tar);
        // The member's own header still names it.
        assert_eq!(
            (&*seen.entries[0].0, seen.bytes()),
            ("-!one.sgf", vec![ONE])
        );
        assert_eq!(seen.troubles(), [ArchiveErrorKind::Damaged], "{found}");
        assert!(
            seen.problems[0].1.starts_with("-!one.sgf: expected a ")
                && seen.problems[0].1.contains(found),
            "{seen:?}"
        );
    }
    for records in [
        &b"16 path=new.sgf\n"[..],
        b"16 path=new.sgf\n\0\0\0",
        b"10 x=y z=\n16 path=new.sgf\n",
    ] {
        let tar = [
            tar_member("pax", b'x', records),
            tar_member("one.sgf", b'0', ONE),
            vec![0; 1024],
        ]
        .concat();
        let seen = see_stream(&tar);
        assert_eq!(
            (&*seen.entries[0].0, seen.problems.len()),
            ("-!new.sgf", 0),
            "{seen:?}"
        );
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn empty_bzip2_streams_are_cheap() {
    // Each stream once took 0.18 ms, so that 4.2 MB of them took more than a minute.
    let empty = b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0";
    let all = [
        &empty.repeat(300_000)[..],
        &bytes("one.sgf.bz2"),
        &empty.repeat(2),
    ]
    .concat();
    let start = std::time::Instant::now();
    let seen = see_stream(&all);
    assert_eq!((seen.bytes(), seen.problems.len()), (vec![ONE], 0));
    // A hundred times the current time on an idle machine.
    assert!(start.elapsed().as_secs() < 25, "{:?}", start.elapsed());
    let mut damaged = empty.repeat(3);
    damaged[27] = 1;
    assert_eq!(see_stream(&damaged).troubles(), [ArchiveErrorKind::Damaged]);
}

#[test]
fn packed_files_are_known_by_their_first_bytes() {
    let skippable = b"\x5a\x2a\x4d\x18\x05\0\0\0hello";
    for name in [
        "one.sgf.gz",
        "one.sgf.bz2",
        "one.sgf.xz",
        "one.sgf.zst",
        "one.sgf.lz4",
        "two.tar",
        "two.zip",
        "lzma.7z",
    ] {
        let bytes = bytes(name);
        assert!(archive::is_packed(&bytes[..bytes.len().min(512)]), "{name}");
        assert!(archive::is_packed(&[skippable, &*bytes].concat()), "{name}");
    }
    assert!(archive::is_packed(b"\x02\x21\x4c\x18\x10\0\0\0"));
    for plain in [ONE, b"", b"text", b"\xff\xfe(\0;\0", b"\xef\xbb\xbf(;"] {
        assert!(!archive::is_packed(plain));
    }
}

/// References to a whole archive inside an archive, and to a member of it that only its name
/// selects.
#[test]
fn references_to_an_archive_and_into_it() {
    let scratch = Scratch::new();
    let inner = tar(&[("one.sgf", ONE), ("notes.txt", b"notes")]);
    let path = scratch.write("x.tar", &tar(&[("inner.tar", &inner), ("two.sgf", TWO)]));
    let texts = [
        "!inner.tar!notes.txt",
        "!two.sgf",
        "!inner.tar",
        "!./inner.tar!one.sgf",
        "!gone.sgf",
    ];
    let inputs: Vec<Input> = texts
        .iter()
        .map(|text| Input::parse(&format!("{}{text}", path.display())))
        .collect();
    let found = see(&inputs);
    assert_eq!(found.bytes(), [ONE, b"notes", TWO]);
    assert!(
        matches!(&found.problems[..], [(ArchiveErrorKind::NotFound, text)] if text.contains("gone.sgf")),
        "{found:?}"
    );
}

/// Returns a tar with these members.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = Vec::new();
    for (name, bytes) in members {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..136].copy_from_slice(format!("{:011o}\0", bytes.len()).as_bytes());
        header[148..156].copy_from_slice(b"        ");
        header[156] = b'0';
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        tar.extend_from_slice(&header);
        tar.extend_from_slice(bytes);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.resize(tar.len() + 1024, 0);
    tar
}

/// The decoders in Rust cannot read two archives in every way, and report it.
#[cfg(not(feature = "c"))]
#[test]
fn archives_that_need_a_decoder_in_c() {
    for (name, said) in [
        ("zstd.7z", "the 7z method `ZSTD` is not supported"),
        ("descriptor-lzma.zip", "stated after its bytes"),
    ] {
        let seen = see_stream(&bytes(name));
        assert!(
            seen.problems[0].0 == ArchiveErrorKind::Unsupported
                && seen.problems[0].1.contains(said),
            "{seen:?}"
        );
    }
    // A directory states where the bytes of its members end.
    let seen = see(&[Input::parse("tests/archives/descriptor-lzma.zip")]);
    assert_eq!((seen.bytes(), seen.problems.len()), (vec![ONE, TWO], 0));
}

/// A flipped bit in a stream with checksums changes nothing, or is reported.
#[test]
fn no_bit_of_a_stream_is_turned_in_silence() {
    for name in ["one.sgf.xz", "one.sgf.zst", "one.sgf.bz2"] {
        let whole = bytes(name);
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                let seen = see_stream(&damaged);
                // Without its magic, the stream is one plain entry of other bytes.
                let is_same = seen
                    .entries
                    .iter()
                    .all(|(_, bytes)| bytes == ONE || *bytes == damaged);
                assert!(
                    is_same && !seen.entries.is_empty() || !seen.problems.is_empty(),
                    "{name} {at} {bit} {seen:?}"
                );
            }
        }
    }
}
