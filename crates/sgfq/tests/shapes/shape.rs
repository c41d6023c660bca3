//! Hostile shapes: files that repeat one thing as often as their size allows. The same size gives
//! the same bytes.

use std::io::{self, Write};

use encoding_rs::GBK;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::tar::tar_member;

/// Shape with its name and generator.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    make: Make,
}

enum Make {
    /// A head, a repeated unit, and a tail.
    Repeat(&'static [u8], &'static [u8], &'static [u8]),
    /// Nested units with a closing text for each.
    Nest(&'static [u8], &'static [u8], &'static [u8]),
    /// Units that differ by their number.
    Number(&'static [u8], fn(usize) -> String, &'static [u8]),
    /// Text of a game, encoded as bytes of this kind.
    Recode(fn(&[u8]) -> Vec<u8>),
    /// Archive of small games.
    Pack(fn(usize, &mut dyn Write) -> io::Result<()>),
}

use Make::{Nest, Number, Pack, Recode, Repeat};

const fn shape(name: &'static str, make: Make) -> Shape {
    Shape { name, make }
}

pub(crate) const SHAPES: &[Shape] = &[
    // Structure.
    shape("closing parentheses", Repeat(b"", b")", b"")),
    shape("opening parentheses", Repeat(b"", b"(", b"")),
    shape("balanced parentheses", Nest(b"", b"(", b")")),
    shape("opening brackets", Repeat(b"(;", b"[", b"])")),
    shape("closing brackets", Repeat(b"(;C[", b"]", b")")),
    shape("empty nodes", Repeat(b"(", b";", b")")),
    shape("empty games", Repeat(b"", b"(;)\r\n", b"")),
    shape("empty games on one line", Repeat(b"", b"(;)", b"")),
    shape(
        "small games",
        Repeat(b"", b"(;FF[4]GM[1]SZ[9];B[aa])\n", b""),
    ),
    shape("games cut off", Repeat(b"", b"(;GM[1]FF[4];B[aa]\n", b"")),
    shape("values cut off", Repeat(b"", b"(;GM[1]C[cut\n", b"")),
    shape("nested variations", Nest(b"(;GM[1]FF[4]", b"(;B[aa]", b")")),
    shape(
        "sibling variations",
        Repeat(b"(;GM[1]FF[4];B[aa]", b"(;W[bb])", b")"),
    ),
    shape(
        "a comb of variations",
        Nest(b"(;GM[1]FF[4]", b"(;B[aa](;W[bb])", b")"),
    ),
    shape(
        "variations that look like games",
        Repeat(b"(;GM[1]FF[4]", b"\n(;GM[1]FF[4]C[x])", b")"),
    ),
    shape(
        "nodes after variations",
        Repeat(b"(;GM[1]FF[4]", b"(;B[aa]);W[bb]", b")"),
    ),
    shape(
        "text between games",
        Repeat(b"", b"(;)a line of text\n", b""),
    ),
    shape(
        "text without a game",
        Repeat(b"", b"a line of text, and more of it\n", b""),
    ),
    shape(
        "quoted mail",
        Repeat(b"", b"> (;GM[1]FF[4]\n> ;B[aa])\n", b""),
    ),
    shape("NULs", Repeat(b"(;FF[4]", b"\0", b")")),
    shape("NULs in values", Repeat(b"(;FF[4]C[", b"a\0", b"])")),
    shape(
        "marks of the byte order",
        Repeat(b"", b"\xef\xbb\xbf(;FF[4])\n", b""),
    ),
    shape("blanks", Repeat(b"(;FF[4]", b" ", b")")),
    shape("newlines", Repeat(b"(;FF[4]", b"\r\n", b")")),
    shape(
        "blanks between values",
        Repeat(b"(;FF[4]AB", b"[aa] \n", b")"),
    ),
    // One large node, property, list, value or identifier.
    shape("one property many times", Repeat(b"(;", b"B[]", b")")),
    shape(
        "distinct properties",
        Number(b"(;FF[4]", |number| format!("{}[]", letters(number)), b")"),
    ),
    shape("one list of moves", Repeat(b"(;FF[4];B", b"[aa]", b")")),
    shape(
        "one list of points",
        Repeat(b"(;FF[4]SZ[52]AB", b"[aa][ZZ]", b")"),
    ),
    shape(
        "distinct points",
        Number(
            b"(;FF[4]SZ[52]AB",
            |number| format!("[{}]", point(number)),
            b")",
        ),
    ),
    shape("rectangles", Repeat(b"(;FF[4]SZ[19]AB", b"[aa:ss]", b")")),
    shape(
        "large rectangles",
        Repeat(b"(;FF[4]SZ[52]AB", b"[aa:ZZ]", b")"),
    ),
    shape(
        "rectangles beyond the board",
        Repeat(b"(;FF[4]SZ[9]AB", b"[aa:ZZ]", b")"),
    ),
    shape("one long value", Repeat(b"(;FF[4]C[", b"x", b"];B[aa])")),
    shape(
        "one long name",
        Repeat(b"(;FF[4]PB[", b"name ", b"];B[aa])"),
    ),
    shape("one long move", Repeat(b"(;FF[4];B[", b"a", b"])")),
    shape("one long number", Repeat(b"(;FF[4]KM[", b"9", b"])")),
    shape("one long identifier", Repeat(b"(;FF[4]", b"A", b"[x])")),
    shape(
        "one long identifier in lowercase",
        Repeat(b"(;FF[4]A", b"a", b"[x])"),
    ),
    shape("an unclosed value", Repeat(b"(;FF[4]C[", b"text ", b"")),
    shape(
        "dates",
        Repeat(b"(;FF[4]DT[1996-12-27", b",1996-12-28", b"])"),
    ),
    shape("colons", Repeat(b"(;FF[4]LB[aa:", b":", b"])")),
    // Texts and charsets.
    shape("escapes", Repeat(b"(;FF[4]C[", b"\\]", b"])")),
    shape("backslashes", Repeat(b"(;FF[4]C[", b"\\\\", b"])")),
    shape("soft line breaks", Repeat(b"(;FF[4]C[", b"a\\\n", b"])")),
    shape(
        "line breaks in a value",
        Repeat(b"(;FF[4]C[", b"a\r\n", b"])"),
    ),
    shape(
        "bytes of another charset",
        Repeat(b"(;FF[4]CA[UTF-8]C[", b"\xff", b"])"),
    ),
    shape(
        "values of another charset",
        Repeat(b"(;FF[4]CA[UTF-8]", b";C[\xe9]", b")"),
    ),
    shape(
        "undeclared bytes",
        Repeat(b"", b"(;FF[4]PB[\xe9\xe8]PW[\xbd\xa1])\n", b""),
    ),
    shape(
        "unknown charsets",
        Repeat(b"", b"(;FF[4]CA[klingon]PB[\xe9])\n", b""),
    ),
    shape(
        "lead bytes of GBK",
        Repeat(b"(;FF[4]CA[GBK]C[", b"\x81", b"])"),
    ),
    shape(
        "brackets in GBK",
        Repeat(b"(;FF[4]CA[GBK]", b"C[\x81\x5d]", b")"),
    ),
    shape(
        "values in GBK",
        Recode(|text| GBK.encode(&String::from_utf8_lossy(text)).0.into_owned()),
    ),
    shape("UTF-16", Recode(|text| utf_16(text, u16::to_le_bytes))),
    shape(
        "ISO-2022-JP",
        Repeat(b"(;FF[4]CA[ISO-2022-JP]C[", b"\x1b$B0O8k\x1b(B ", b"])"),
    ),
    shape(
        "escapes of ISO-2022-JP that never end",
        Repeat(b"(;FF[4];C[", b"\x1b$B", b"])"),
    ),
    // Properties with a meaning.
    shape(
        "root properties",
        Repeat(b"(;FF[4]", b"PB[a]PW[b]GN[c]", b")"),
    ),
    shape(
        "charsets",
        Repeat(b"(;FF[4]", b"CA[UTF-8]CA[GBK]", b";B[aa])"),
    ),
    shape("sizes", Repeat(b"(;FF[4]", b"SZ[19]SZ[9:13]", b";B[aa])")),
    shape("versions", Repeat(b"(;", b"FF[4]GM[1]", b";B[aa])")),
    shape(
        "roots in nodes",
        Repeat(b"(;FF[4]", b";FF[3]GM[2]SZ[7]CA[GBK]", b")"),
    ),
    shape(
        "players",
        Number(
            b"",
            |number| format!("(;FF[4]PB[player {number}]EV[event {number}];B[aa])\n"),
            b"",
        ),
    ),
    shape(
        "misspelt facts",
        Repeat(
            b"",
            b"(;FF[4]KM[6,5]RE[Black resigns]DT[1996/12/24]SZ[19x19];B[d d])\n",
            b"",
        ),
    ),
    shape(
        "old games",
        Repeat(
            b"",
            b"(;FF[1]M[aa]L[bb][cc]TE[1]BM[1]KI[11]AddBlack[aa])\n",
            b"",
        ),
    ),
    shape("labels", Repeat(b"(;FF[4]", b";LB[aa:A][bb:B\\:2]", b")")),
    shape("one list of labels", Repeat(b"(;FF[4]LB", b"[aa:A]", b")")),
    shape(
        "markup",
        Repeat(b"(;FF[4]", b";TR[aa:cc]SQ[dd]MA[ee]", b")"),
    ),
    shape("compose", Repeat(b"(;FF[4]AR", b"[aa:bb][bb:aa]", b")")),
    shape(
        "comments",
        Repeat(b"(;FF[4]", b";C[a comment]N[a name]", b")"),
    ),
    // Play.
    shape(
        "moves by one side",
        Repeat(b"(;FF[4]GM[1]SZ[19]", b";B[aa]", b")"),
    ),
    shape("passes", Repeat(b"(;FF[4]GM[1]SZ[19]", b";B[];W[tt]", b")")),
    shape(
        "a ko",
        Repeat(
            b"(;FF[4]GM[1]SZ[19]AB[ba][ab][bc]AW[ca][db][cc][bb]",
            b";B[cb];W[bb]",
            b")",
        ),
    ),
    shape(
        "a record of a server",
        Repeat(b"\\HS\n", b"STO 0 2 1 3 3\n\n", b"\\GE\n"),
    ),
    shape(
        "captures",
        Repeat(b"(;FF[4]GM[1]SZ[19]", b";AW[aa:ss]AE[ss];B[ss]", b")"),
    ),
    shape(
        "setup",
        Repeat(b"(;FF[4]GM[1]SZ[19]", b";AB[aa]AW[bb]AE[cc]", b")"),
    ),
    shape(
        "setup with moves",
        Repeat(b"(;FF[4]GM[1]SZ[19]", b";AB[aa]B[bb]W[cc]", b")"),
    ),
    shape(
        "large boards",
        Repeat(b"", b"(;FF[4]GM[1]SZ[52:52];B[ZZ])\n", b""),
    ),
    shape(
        "Hex",
        Repeat(
            b"(;FF[4]GM[11]SZ[11]",
            b";B[c1];W[swap-pieces];B[k11]",
            b")",
        ),
    ),
    shape(
        "Blokus",
        Repeat(b"(;GM[Blokus]", b";1[a1,b1,c1];2[t20,t19]", b")"),
    ),
    shape(
        "Backgammon",
        Repeat(b"(;FF[4]GM[6]", b";B[31heih];W[double]", b")"),
    ),
    // Archives.
    shape("members of a tar", Pack(tar)),
    shape("members of a gz", Pack(gz)),
    shape("a tar in a gz in a tar", Pack(nested)),
];

/// The smallest games: all equal, and all different.
pub(crate) const SMALLEST: [Shape; 2] = [
    shape("equal games", Repeat(b"", b"(;B[aa])", b"")),
    shape(
        "distinct games",
        Number(
            b"",
            |number| format!("(;SZ[52];B[{}];W[{}])", point(number), point(number / 2704)),
            b"",
        ),
    ),
];

impl Shape {
    /// Writes about `bytes` bytes of the shape.
    pub(crate) fn write(&self, bytes: usize, out: &mut dyn Write) -> io::Result<()> {
        match self.make {
            Repeat(head, unit, tail) => {
                out.write_all(head)?;
                write_times(out, unit, bytes / unit.len())?;
                out.write_all(tail)
            }
            Nest(head, open, close) => {
                let times = bytes / (open.len() + close.len());
                out.write_all(head)?;
                write_times(out, open, times)?;
                write_times(out, close, times + usize::from(!head.is_empty()))
            }
            Number(head, unit, tail) => {
                out.write_all(head)?;
                let mut written = 0;
                for number in 0.. {
                    if written >= bytes {
                        break;
                    }
                    let unit = unit(number);
                    out.write_all(unit.as_bytes())?;
                    written += unit.len();
                }
                out.write_all(tail)
            }
            Recode(recode) => {
                let node = ";B[aa]C[黒番 白番 定石]\n".as_bytes();
                out.write_all(&recode(b"(;FF[4]GM[1]CA[GBK]"))?;
                write_times(
                    out,
                    &recode(node)[byte_order_mark(recode)..],
                    bytes / recode(node).len(),
                )?;
                out.write_all(&recode(b")")[byte_order_mark(recode)..])
            }
            Pack(pack) => pack(bytes, out),
        }
    }
}

fn write_times(out: &mut dyn Write, unit: &[u8], times: usize) -> io::Result<()> {
    (0..times).try_for_each(|_| out.write_all(unit))
}

/// Returns the length of the mark that `recode` puts before each text.
fn byte_order_mark(recode: fn(&[u8]) -> Vec<u8>) -> usize {
    recode(b"").len()
}

fn utf_16(text: &[u8], order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = format!("\u{feff}{}", String::from_utf8_lossy(text));
    text.encode_utf16().flat_map(order).collect()
}

/// Returns an identifier for each number: `AA`, `BA` …
fn letters(number: usize) -> String {
    let mut rest = number;
    let mut ident = String::new();
    for _ in 0..4 {
        ident.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    ident
}

/// Returns a point of the board of 52 by 52.
fn point(number: usize) -> String {
    let letter =
        |at: usize| char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[at % 52]);
    [letter(number), letter(number / 52)].iter().collect()
}

/// Returns a game of the size of a tar block.
fn game(number: usize) -> Vec<u8> {
    let mut game = format!("(;FF[4]GM[1]PB[player {number}]").into_bytes();
    game.resize(510, b' ');
    game.extend_from_slice(b")\n");
    game
}

fn tar(bytes: usize, out: &mut dyn Write) -> io::Result<()> {
    for number in 0..(bytes / 1024).max(1) {
        out.write_all(&tar_member(&format!("{number}.sgf"), &game(number)))?;
    }
    out.write_all(&[0; 1024])
}

/// Writes gz files one after another, each with one game.
fn gz(bytes: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut written = 0;
    for number in 0.. {
        if written >= bytes {
            break;
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(format!("(;PB[{number}])\n").as_bytes())?;
        let packed = packed.finish()?;
        out.write_all(&packed)?;
        written += packed.len();
    }
    Ok(())
}

/// Writes members of a tar, each a compressed tar of one game.
fn nested(bytes: usize, out: &mut dyn Write) -> io::Result<()> {
    for number in 0..(bytes / 1024).max(1) {
        let mut inner = GzEncoder::new(Vec::new(), Compression::fast());
        inner.write_all(&crate::tar::tar(&[("game.sgf", &game(number))]))?;
        out.write_all(&tar_member(&format!("{number}.tar.gz"), &inner.finish()?))?;
    }
    out.write_all(&[0; 1024])
}
