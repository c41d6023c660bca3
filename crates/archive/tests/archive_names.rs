//! Names of members whose charset no header states.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use encoding_rs::{Encoding, GBK, SHIFT_JIS, UTF_8};
use sgfstream_archive::{
    self as archive, ArchiveProblem, Entry, EntryName, Input, ReadOptions, Walk,
};

/// File that is deleted at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path =
            std::env::temp_dir().join(format!("sgfstream-names-{}-{name}", std::process::id()));
        fs::write(&path, bytes).expect("a file");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns a stored zip without flags; each member is a game that contains its number.
fn zip(names: &[Vec<u8>]) -> Vec<u8> {
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (at, name) in names.iter().enumerate() {
        let game = game(at);
        let mut crc = flate2::Crc::new();
        crc.update(&game);
        let len = (game.len() as u32).to_le_bytes();
        // The bytes from the version to the length of the extra field are the same in both headers.
        let head = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
            &crc.sum().to_le_bytes(),
            &len,
            &len,
        ];
        let head = [
            head.concat(),
            (name.len() as u16).to_le_bytes().to_vec(),
            vec![0; 2],
        ]
        .concat();
        directory.extend(
            [
                b"PK\x01\x02\x14\0",
                &*head,
                &[0; 10],
                &(zip.len() as u32).to_le_bytes(),
                name,
            ]
            .concat(),
        );
        zip.extend([b"PK\x03\x04", &*head, name, &game].concat());
    }
    let count = (names.len() as u16).to_le_bytes();
    let place = [
        (directory.len() as u32).to_le_bytes(),
        (zip.len() as u32).to_le_bytes(),
    ]
    .concat();
    [
        &zip,
        &*directory,
        b"PK\x05\x06\0\0\0\0",
        &count,
        &count,
        &place,
        &[0; 2],
    ]
    .concat()
}

fn game(at: usize) -> Vec<u8> {
    format!("(;GM[1]GN[{at}])").into_bytes()
}

fn of(encoding: &'static Encoding, names: &[&str]) -> Vec<Vec<u8>> {
    names
        .iter()
        .map(|name| encoding.encode(name).0.into_owned())
        .collect()
}

/// Adds an entry's name, without the file's, and its bytes; panics on problems.
fn seen(
    item: Result<Entry<'_>, ArchiveProblem>,
    into: &mut Vec<(String, Vec<u8>)>,
) -> ControlFlow<()> {
    let Ok(entry) = item else { panic!("{item:?}") };
    let mut bytes = Vec::new();
    entry
        .read
        .read_to_end(&mut bytes)
        .expect("an undamaged member");
    into.push((entry.name.members().collect::<Vec<_>>().join("!"), bytes));
    ControlFlow::Continue(())
}

fn see(input: Input) -> Vec<(String, Vec<u8>)> {
    let mut entries = Vec::new();
    archive::visit(&[input], &ReadOptions::default(), |item| {
        seen(item, &mut entries)
    });
    entries
}

fn see_pieces(path: &Path, parts: usize) -> Vec<(String, Vec<u8>)> {
    let mut entries = Vec::new();
    let input = Walk::new(vec![Input::path(path)])
        .next()
        .expect("one")
        .expect("a file");
    for piece in input.split(parts) {
        piece.visit(&ReadOptions::default(), |item| seen(item, &mut entries));
    }
    entries
}

fn see_stream(read: &mut dyn Read) -> Vec<(String, Vec<u8>)> {
    let mut entries = Vec::new();
    archive::visit_reader(
        &EntryName::file("-"),
        read,
        &ReadOptions::default(),
        |item| seen(item, &mut entries),
    );
    entries
}

/// Reader that returns one byte at a time.
struct Bytewise<'a>(&'a [u8]);

impl Read for Bytewise<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(1);
        self.0.read(&mut out[..len])
    }
}

/// Names by charset. Some of them, alone, would be taken for another charset; some archives begin
/// with ASCII names.
fn archives() -> BTreeMap<&'static str, (Vec<Vec<u8>>, Vec<&'static str>)> {
    let japanese = vec![
        "readme.sgf",
        "ｱﾏ.sgf",
        "咆哮.sgf",
        "ソフト.sgf",
        "第一局/表",
        "ﾋｶﾙ.sgf",
        "本因坊戦.sgf",
    ];
    let chinese = vec![
        "a.sgf",
        "泰顺.sgf",
        "模.sgf",
        "什么1.sgf",
        "围棋/古力.sgf",
        "李世石.sgf",
        "第一局.sgf",
    ];
    let western = vec!["x.sgf", "Größe.sgf", "Müller.sgf", "café/André.sgf"];
    let utf8 = vec!["x.sgf", "Größe.sgf", "囲碁.sgf", "Шахматы.sgf"];
    let western_bytes = [
        &b"x.sgf"[..],
        b"Gr\x94\xe1e.sgf",
        b"M\x81ller.sgf",
        b"caf\x82/Andr\x82.sgf",
    ];
    BTreeMap::from([
        ("shift_jis", (of(SHIFT_JIS, &japanese), japanese)),
        ("gbk", (of(GBK, &chinese), chinese)),
        (
            "cp437",
            (western_bytes.map(<[u8]>::to_vec).to_vec(), western),
        ),
        ("utf8", (of(UTF_8, &utf8), utf8)),
    ])
}

#[test]
fn names_of_a_zip_have_one_charset() {
    for (charset, (names, texts)) in archives() {
        let zip = Scratch::new(charset, &zip(&names));
        let expected: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| ((*text).to_owned(), game(at)))
            .collect();
        for parts in [1, 2, 3, 100] {
            assert_eq!(see_pieces(&zip.0, parts), expected, "{charset} in {parts}");
        }
    }
}

#[test]
fn members_are_found_by_the_names_that_are_shown() {
    for (charset, (names, texts)) in archives() {
        let zip = Scratch::new(&format!("{charset}-by-name"), &zip(&names));
        for (at, text) in texts.iter().enumerate() {
            let address = format!("{}!{text}", zip.0.display());
            assert_eq!(
                see(Input::parse(&address)),
                [((*text).to_owned(), game(at))],
                "{charset}"
            );
        }
    }
}

#[test]
#[cfg(unix)]
fn members_are_found_by_their_bytes() {
    use std::os::unix::ffi::OsStrExt;
    for (charset, (names, texts)) in archives() {
        let zip = Scratch::new(&format!("{charset}-by-bytes"), &zip(&names));
        for (at, (name, text)) in names.iter().zip(&texts).enumerate() {
            let address = [zip.0.as_os_str().as_bytes(), b"!", name].concat();
            let expected = [((*text).to_owned(), game(at))];
            let argument = Input::parse_os(std::ffi::OsStr::from_bytes(&address));
            assert_eq!(see(argument), expected, "{charset} {text}");
            let list = Scratch::new(&format!("{charset}-list"), &address);
            assert_eq!(see(Input::list(&list.0)), expected, "{charset} {text}");
        }
    }
}

#[test]
fn a_stream_gives_the_same_names_however_it_comes() {
    for (charset, (names, _)) in archives() {
        let bytes = zip(&names);
        let whole = see_stream(&mut &*bytes);
        assert_eq!(whole.len(), names.len(), "{charset}");
        assert_eq!(see_stream(&mut Bytewise(&bytes)), whole, "{charset}");
    }
}

#[test]
fn names_beyond_those_that_are_looked_at_are_in_the_same_charset() {
    let texts: Vec<String> = (0..3000).map(|at| format!("{at}/棋谱.sgf")).collect();
    let mut names: Vec<_> = texts
        .iter()
        .map(|text| GBK.encode(text).0.into_owned())
        .collect();
    names.push(GBK.encode("泰顺.sgf").0.into_owned());
    let zip = Scratch::new("many", &zip(&names));
    for parts in [1, 4] {
        let entries = see_pieces(&zip.0, parts);
        assert_eq!((entries.len(), &*entries[3000].0), (3001, "泰顺.sgf"));
        assert!(
            entries
                .iter()
                .zip(&texts)
                .all(|((name, _), text)| name == text)
        );
    }
}
