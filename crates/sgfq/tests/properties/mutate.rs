//! Random mutations of files, some of which know the syntax.

use encoding_rs::{BIG5, EUC_JP, GBK, SHIFT_JIS};
use fastrand::Rng;

/// Maximum bytes of an input.
const MAX: usize = 4096;

const TOKENS: &[&[u8]] = &[
    b"(",
    b")",
    b";",
    b"[",
    b"]",
    b"\\",
    b":",
    b"\\]",
    b"\\\\",
    b"\n",
    b"\r\n",
    b" ",
    b"\0",
    b"(;",
    b"(;FF[4]GM[1]",
    b"\n(;GM[1]FF[4]",
    b"(;FF[3]",
    b"(;GM[11]SZ[11]",
    b"GM[6]",
    b"GM[Blokus]",
    b"FF[1]",
    b"SZ[9]",
    b"SZ[52:7]",
    b"CA[UTF-8]",
    b"CA[GBK]",
    b"CA[Shift_JIS]",
    b"CA[nothing]",
    b"KM[6,5]",
    b"RE[Black resigns]",
    b"DT[1996/12/24]",
    b"HA[2]",
    b"PB[\xe9]",
    b";B[aa]",
    b";W[bb]",
    b";B[]",
    b";W[tt]",
    b"B[cc][dd]",
    b"W[d d]",
    b";1[a1,b1]",
    b"AB[aa:cc]",
    b"AW[aa][aa]",
    b"AE[zz]",
    b"AddBlack[bb]",
    b"LB[aa:x]",
    b"L[aa][bb]",
    b"M[cc]",
    b"TE[1]BM[1]",
    b"C[a text]",
    b"C[\xba\xda\xe5\xd5]",
    b"C[\xe9\xbb\x92]",
    b"PL[B]",
    b"KO[]",
    b"VW[]",
    b"black[x]",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\x1b$B",
    b"\x1b(B",
    b"\x81",
    b"\x81\x5c",
    b"Subject: games",
];

/// Generates inputs from seeds.
pub(crate) struct Mutator<'s> {
    seeds: &'s [Vec<u8>],
    rng: Rng,
}

impl<'s> Mutator<'s> {
    pub(crate) fn new(seeds: &'s [Vec<u8>], seed: u64) -> Self {
        Self {
            seeds,
            rng: Rng::with_seed(seed),
        }
    }

    /// Returns the next input: a seed, or a window of it, changed a few times.
    pub(crate) fn next(&mut self) -> Vec<u8> {
        let mut input = self.window(MAX / 4);
        for _ in 0..1 + self.rng.usize(..5) {
            self.change(&mut input);
        }
        input.truncate(MAX);
        input
    }

    /// Returns bytes of a seed, usually its beginning, where a game starts.
    fn window(&mut self, most: usize) -> Vec<u8> {
        let seed = &self.seeds[self.rng.usize(..self.seeds.len())];
        let start = if self.rng.u8(..4) == 0 {
            self.rng.usize(..=seed.len())
        } else {
            0
        };
        let len = 1 + self.rng.usize(..most);
        seed[start..(start + len).min(seed.len())].to_vec()
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.rng.usize(..=input.len());
        let range = self.range(input);
        match self.rng.u8(..12) {
            0 if at < input.len() => input[at] ^= 1 << self.rng.u8(..8),
            1 if at < input.len() => input[at] = self.rng.u8(..),
            2 => input.truncate(at),
            3 => drop(input.drain(range)),
            4 => {
                let again: Vec<u8> = input[range].repeat(1 + self.rng.usize(..4));
                insert(input, at, &again);
            }
            5 => {
                let other = self.window(200);
                insert(input, at, &other);
            }
            6 => {
                // Around a value: inside its brackets, or in their place.
                let at = input
                    .iter()
                    .skip(at)
                    .position(|&byte| byte == b'[')
                    .map_or(at, |found| at + found + 1);
                let token = TOKENS[self.rng.usize(..TOKENS.len())];
                insert(input, at, token);
            }
            7 => self.recode(input),
            8 => {
                let piece: Vec<u8> = input.drain(range).collect();
                let at = self.rng.usize(..=input.len());
                insert(input, at, &piece);
            }
            _ => {
                let token = TOKENS[self.rng.usize(..TOKENS.len())];
                let at = self.border(input, at);
                insert(input, at, token);
            }
        }
    }

    /// Returns a range, usually of whole tokens.
    fn range(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let from = self.rng.usize(..=input.len());
        let from = self.border(input, from);
        let most = if self.rng.bool() { 8 } else { 80 };
        let to = (from + self.rng.usize(..most)).min(input.len());
        let to = self.border(input, to);
        from..to.max(from)
    }

    /// Returns the next place where a token may begin, or sometimes `at` itself.
    fn border(&mut self, input: &[u8], at: usize) -> usize {
        let is_border = |&byte: &u8| matches!(byte, b'(' | b')' | b';' | b'[' | b']' | b'\n');
        match self.rng.u8(..4) {
            0 => at,
            _ => input
                .iter()
                .skip(at)
                .position(is_border)
                .map_or(at, |found| at + found),
        }
    }

    /// Converts the text to another charset.
    fn recode(&mut self, input: &mut Vec<u8>) {
        let text = String::from_utf8_lossy(input).replace('\u{fffd}', "表");
        *input = match self.rng.u8(..8) {
            0 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            1 => format!("\u{feff}{text}")
                .encode_utf16()
                .flat_map(u16::to_be_bytes)
                .collect(),
            2 => text
                .chars()
                .map(|char| u8::try_from(u32::from(char)).unwrap_or(0xe9))
                .collect(),
            number => {
                let encoding = [GBK, SHIFT_JIS, BIG5, EUC_JP][usize::from(number) % 4];
                encoding.encode(&text.replace('a', "黒")).0.into_owned()
            }
        };
    }
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}
