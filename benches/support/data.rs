//! Generated data for the benches: the same shape and size give the same
//! bytes.

use encoding_rs::{Encoding, GBK, SHIFT_JIS};

use super::shapes::{Amount, Counts, Shape, write_collection};

/// A generated collection and its counts.
pub struct Sample {
    /// The generator's name of the shape.
    pub shape: &'static str,
    pub bytes: Vec<u8>,
    pub counts: Counts,
}

impl Sample {
    /// About `len` bytes of a shape.
    ///
    /// # Panics
    ///
    /// When the generator has no such shape.
    pub fn of(shape: &'static str, len: usize) -> Self {
        let kind = Shape::parse(shape).expect("a shape of the generator");
        let mut bytes = Vec::with_capacity(len + len / 8);
        let counts = write_collection(&mut bytes, kind, Amount::Bytes(len as u64), 1)
            .expect("writing to memory");
        Self {
            shape,
            bytes,
            counts,
        }
    }

    /// Games that contain one value of `value` bytes each.
    pub fn of_values(value: usize, len: usize) -> Self {
        let mut bytes = Vec::with_capacity(len + value);
        let mut counts = Counts::default();
        while bytes.len() < len {
            let game = Shape::parse("value").expect("a shape of the generator");
            let one = write_collection(&mut bytes, game, Amount::Bytes(value as u64), 1)
                .expect("writing to memory");
            counts.games += one.games;
            counts.nodes += one.nodes;
        }
        counts.bytes = bytes.len() as u64;
        Self {
            shape: "value",
            bytes,
            counts,
        }
    }
}

/// The shapes that `benches/read.rs` times separately.
pub const SHAPES: [&str; 11] = [
    "moves", "lines", "comments", "deep", "wide", "value", "gbk", "sjis", "utf8", "hex", "sgfs",
];

/// True if the run only checks results and times nothing: `cargo bench -- --test`
/// and `cargo test --benches`.
pub fn is_test() -> bool {
    let mut is_bench = false;
    for word in std::env::args() {
        match word.as_str() {
            "--test" => return true,
            "--bench" => is_bench = true,
            _ => {}
        }
    }
    !is_bench
}

/// Bytes of a sample: more than the CPU caches hold, or few if the run only
/// checks results.
pub fn size() -> usize {
    if is_test() { 50_000 } else { 8_000_000 }
}

/// The text of a GBK collection, encoded as UTF-8.
pub fn gbk_as_utf8(gbk: &[u8]) -> Vec<u8> {
    as_utf8(gbk, GBK)
}

/// Like `gbk_as_utf8`, for Shift_JIS.
pub fn sjis_as_utf8(sjis: &[u8]) -> Vec<u8> {
    as_utf8(sjis, SHIFT_JIS)
}

fn as_utf8(bytes: &[u8], encoding: &'static Encoding) -> Vec<u8> {
    let (text, _, had_errors) = encoding.decode(bytes);
    assert!(!had_errors, "the generator writes {}", encoding.name());
    text.replace(&format!("CA[{}]", encoding.name()), "CA[UTF-8]")
        .into_bytes()
}
