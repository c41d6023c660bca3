//! Archives that were cut, damaged, or put together in ways that tools do not:
//! what is there is given, and what is not is said.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sgfstream_archive::{self as archive, Caps, EntryName, Input, Item, ReadOptions, Trouble, Walk};

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
    problems: Vec<(Trouble, String)>,
}

impl Seen {
    fn take(&mut self, item: Item<'_>) -> ControlFlow<()> {
        match item {
            Item::Entry(entry) => {
                let mut bytes = Vec::new();
                _ = entry.read.read_to_end(&mut bytes);
                self.entries.push((entry.name.to_string(), bytes));
            }
            Item::Problem(problem) => self.problems.push((problem.trouble, problem.to_string())),
        }
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> Vec<&[u8]> {
        self.entries.iter().map(|(_, bytes)| &**bytes).collect()
    }

    fn troubles(&self) -> Vec<Trouble> {
        self.problems.iter().map(|(trouble, _)| *trouble).collect()
    }
}

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    /// What a file of this name and these bytes is.
    fn see(&self, name: &str, bytes: &[u8]) -> Seen {
        see(&[Input::path(self.write(name, bytes))])
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).expect("room");
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
    archive::visit_reader(&EntryName::file("-"), &mut &*bytes, &ReadOptions::default(), |item| seen.take(item));
    seen
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(Path::new("tests/archives").join(name)).expect("a fixture")
}

#[test]
fn a_zip_that_was_cut_gives_from_disk_what_it_gives_as_a_stream() {
    let scratch = Scratch::new();
    for name in ["two.zip", "stored.zip", "bzip2.zip", "zip64.zip", "descriptor-deflate.zip"] {
        let whole = bytes(name);
        for len in 60..whole.len() {
            let (disk, stream) = (scratch.see("x.zip", &whole[..len]), see_stream(&whole[..len]));
            assert_eq!((disk.bytes(), disk.troubles()), (stream.bytes(), stream.troubles()), "{name} {len}");
            assert!(!disk.problems.is_empty(), "{name} {len}");
        }
        // The directory is cut off, and both members are there.
        assert_eq!(scratch.see("x.zip", &whole[..whole.len() - 23]).bytes(), [ONE, TWO], "{name}");
    }
}

#[test]
fn bytes_around_a_zip() {
    let scratch = Scratch::new();
    let zip = bytes("two.zip");
    let (few, many) = (vec![b'x'; 1000], vec![b'x'; 200_000]);
    for (front, behind) in [(&few, &[][..]), (&many, &[]), (&Vec::new(), &few), (&Vec::new(), &many), (&few, &few)] {
        let seen = scratch.see("x.zip", &[front, &zip, behind].concat());
        assert_eq!((seen.bytes(), seen.problems.len()), (vec![ONE, TWO], 0), "{} {}", front.len(), behind.len());
    }
    // A text in which a directory is spoken of is a text.
    let text = [&b"mail\n"[..], ONE, b"PK\x05\x06"].concat();
    assert_eq!(scratch.see("x.sgf", &text).bytes(), [&*text]);
    let path = scratch.write("program", &[&few, &*zip].concat());
    let work = Walk::new(vec![Input::path(path)]).next().expect("one").expect("a file");
    assert_eq!(work.split(8).len(), 2);
}

#[test]
fn a_zip_whose_directory_has_more_than_was_met() {
    let zip = bytes("stored.zip");
    let second = memchr::memmem::rfind(&zip, b"PK\x03\x04").expect("two members");
    let directory = memchr::memmem::find(&zip, b"PK\x01\x02").expect("a directory");
    let seen = see_stream(&[&zip[..second], &zip[directory..]].concat());
    assert_eq!(seen.bytes(), [ONE]);
    let said = "-: expected 2 members, as the directory has, found 1".to_owned();
    assert_eq!(seen.problems, [(Trouble::Damaged, said)]);
}

#[test]
fn the_checksum_of_a_stream_around_a_zip_is_held() {
    let mut packed = Vec::new();
    let zip = bytes("two.zip");
    std::io::Read::read_to_end(&mut flate2::read::GzEncoder::new(&*zip, flate2::Compression::fast()), &mut packed)
        .expect("memory");
    assert_eq!(see_stream(&packed).problems, []);
    let at = packed.len() - 6;
    packed[at] ^= 1;
    let seen = see_stream(&packed);
    assert_eq!((seen.bytes(), seen.troubles()), (vec![ONE, TWO], vec![Trouble::Damaged]));
}

#[test]
fn lz4_of_the_legacy_format_ends_with_its_blocks() {
    let block = lz4_flex::block::compress(ONE);
    let len = u32::try_from(block.len()).expect("small").to_le_bytes();
    let whole = [b"\x02\x21\x4c\x18", &len[..], &block, &len, &block].concat();
    let seen = see_stream(&whole);
    assert_eq!((seen.bytes(), seen.problems.len()), (vec![&*ONE.repeat(2)], 0));
    for cut in [1, block.len() + 1, block.len() + 3] {
        let seen = see_stream(&whole[..whole.len() - cut]);
        assert_eq!((seen.bytes(), seen.troubles()), (vec![ONE], vec![Trouble::Truncated]), "{cut}");
    }
}

#[test]
fn a_name_that_promises_an_archive_is_held_to_it() {
    let scratch = Scratch::new();
    for name in ["two.zip", "lzma2.7z", "one.sgf.gz", "one.sgf.bz2", "one.sgf.xz", "one.sgf.zst", "one.sgf.lz4"] {
        let mut damaged = bytes(name);
        damaged[1] ^= 0x10;
        let path = scratch.write(name, &damaged);
        if name == "two.zip" {
            // Its directory stands at the end.
            assert_eq!(see(&[Input::path(&path)]).bytes().last(), Some(&TWO));
            fs::remove_file(path).expect("there");
            continue;
        }
        let said = format!("{}: expected a packed file, as its name says, found other bytes", path.display());
        // Named, and found in a directory.
        for input in [Input::path(&path), Input::path(scratch.0.path())] {
            let seen = see(&[input]);
            assert_eq!(seen.problems, [(Trouble::Damaged, said.clone())]);
            assert_eq!(seen.bytes().len(), 0);
        }
        let work = Walk::new(vec![Input::path(&path)]).next().expect("one").expect("a file");
        assert_eq!(work.kind().expect("readable"), archive::WorkKind::Stream);
        fs::remove_file(path).expect("there");
    }
    assert_eq!(scratch.see("empty.7z", b"").troubles(), [Trouble::Truncated]);
    // What is a record says so itself.
    assert_eq!(scratch.see("record.gz", ONE).bytes(), [ONE]);
}

#[test]
fn a_tar_goes_on_behind_a_damaged_header() {
    let scratch = Scratch::new();
    let one = &bytes("two.tar")[..1024];
    let tar = [&one.repeat(10), &[0; 1024][..]].concat();
    for header in 0..10 {
        let mut damaged = tar.clone();
        damaged[header * 1024 + 130] ^= 1;
        let seen = scratch.see("x.tar", &damaged);
        assert_eq!((seen.bytes(), seen.troubles()), (vec![ONE; 9], vec![Trouble::Damaged]), "{header}");
        let gz = {
            let mut out = Vec::new();
            let mut encoder = flate2::read::GzEncoder::new(&*damaged, flate2::Compression::fast());
            std::io::Read::read_to_end(&mut encoder, &mut out).expect("memory");
            out
        };
        let seen = scratch.see("x.tgz", &gz);
        assert_eq!((seen.bytes(), seen.troubles()), (vec![ONE; 9], vec![Trouble::Damaged]), "{header}");
    }
}

/// Whatever bit of it is turned: either nothing changes, or it is said.
#[test]
fn no_bit_of_a_7z_is_turned_in_silence() {
    let scratch = Scratch::new();
    for name in ["deflate.7z", "lzma2.7z"] {
        let whole = bytes(name);
        let expected = see_stream(&whole);
        // The first 32 bytes: the magic, a version that nobody asks for, and checksums.
        for at in 32..whole.len() {
            for bit in [0, 3, 6] {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                let seen = scratch.see("x.7z", &damaged);
                let is_same = seen.bytes() == expected.bytes();
                assert!(is_same || !seen.problems.is_empty(), "{name} {at} {bit} {seen:?}");
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
        let work = Walk::new(vec![Input::path(path)]).next().expect("one").expect("a file");
        let mut seen = Seen::default();
        for piece in work.split(parts) {
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
            let whole = seen.bytes().into_iter().filter(|bytes| *bytes == ONE).count();
            let said = usize::from(entries < 100);
            assert_eq!((whole, seen.problems.len()), (entries, said), "{parts} {caps:?} {:?}", seen.problems);
        }
    }
    // Members that overlap unpack to more than the file could hold.
    let mut dull = Vec::new();
    let mut encoder = flate2::write::DeflateEncoder::new(&mut dull, flate2::Compression::best());
    let text = [&b"(;C["[..], &vec![b'x'; 2 << 20], b"])"].concat();
    encoder.write_all(&text).expect("memory");
    encoder.finish().expect("memory");
    zip = overlapping(&dull, &text, 2000);
    let path = scratch.write("y.zip", &zip);
    for parts in [1, 5, 40] {
        let seen = visit(&path, parts, Caps::default());
        assert_eq!(seen.troubles(), [Trouble::Cap], "{parts}");
        assert!(seen.bytes().len() < 100, "{parts} {}", seen.bytes().len());
    }
}

fn u16(value: usize) -> [u8; 2] {
    u16::try_from(value).expect("small").to_le_bytes()
}

fn u32(value: usize) -> [u8; 4] {
    u32::try_from(value).expect("small").to_le_bytes()
}

/// A local header, or an entry of the directory when it has an `offset`.
fn header(method: usize, bytes: &[u8], crc: u32, size: usize, name: &str, offset: Option<usize>) -> Vec<u8> {
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
