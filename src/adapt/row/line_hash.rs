//! The hash of a main line: the same for the same game, whatever else the
//! file says, and, in its canonical form, whichever way the board was turned.

use std::fmt;

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::game::{Game, Symmetry};
use crate::value::{BoardSize, Point, PointEntry};

use super::board_bits::BoardBits;

/// The hash of a main line, 128 bits. Stable: it does not change between
/// releases, machines or runs.
///
/// It is XXH3-128 with seed 0 of these bytes (numbers little-endian):
///
/// ```text
/// header   "sgfstream line 1" 0, the game's name, 0, columns u32, rows u32
/// setup    3 [AB AW AE: for each row of the board a u64, bit c is column c] sum u128
///          the boards in games of two-letter points only; `sum` is the wrapping sum of the
///          XXH3-128 of every other setup value (identifier, `[`, point or text), so
///          that the order of values does not matter; before the moves of its node
/// move     1 color u8 column u32 row u32     a point, from 0
/// other    2 color u8 length u8 text         a pass (empty), a word, or any move of a game whose points
///          are not read here; without blanks; lowercase except in games of two-letter
///          points; past 255 bytes its XXH3-128
/// ```
///
/// Setup is AB, AW, AE, AA, A1 to A4, RP, PL, CO, CV and DI of the nodes of
/// the main line; `color` is 1 for Black and the first colour, 2 for White.
/// A pass is empty, `[tt]` on a Go board of at most 19 by 19 included.
///
/// The canonical hash is the smallest of the hashes of the line under the
/// board's symmetries: eight in Go, two in Hex ([`Symmetry::HEX`]), one
/// elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineHash(pub u128);

/// 32 hexadecimal digits.
impl fmt::Display for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Moves are hashed in pieces of about this many bytes.
const CHUNK: usize = 4096;

/// Bytes of the moves of one node that wait for its setup.
const NODE: usize = 4096;

/// Points are 1, color, column, row.
const POINT_LEN: usize = 10;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    TwoLetters,
    Lettered,
    Raw,
}

/// Takes a main line and gives its hashes.
///
/// ```
/// use sgfstream::{adapt::row::LineHasher, game::Game};
///
/// let hash = |moves: [&[u8]; 2]| {
///     let mut line = LineHasher::new(true);
///     line.start(Game::Go, None);
///     line.play(1, moves[0]);
///     line.end_node();
///     line.play(2, moves[1]);
///     line.finish().expect("moves were played")
/// };
/// let (plain, canonical) = hash([b"pd", b"dp"]);
/// let (turned, same) = hash([b"pp", b"dd"]);
/// assert_ne!(plain, turned);
/// assert_eq!(canonical, same);
/// ```
#[derive(Clone)]
pub struct LineHasher {
    canonical: bool,
    points: Points,
    is_go: bool,
    size: (u32, u32),
    ways: Vec<(Symmetry, Xxh3)>,
    chunk: Vec<u8>,
    /// Where the moves of the current node begin in it: they wait for its setup.
    node: usize,
    /// All of the chunk are points.
    only_points: bool,
    scratch: Vec<u8>,
    boards: Box<[BoardBits; 3]>,
    sums: [u128; 8],
    has_setup: bool,
    is_empty: bool,
}

impl LineHasher {
    /// A hasher; without `canonical` it does not turn the board, which is
    /// faster.
    #[must_use]
    pub fn new(canonical: bool) -> Self {
        Self {
            canonical,
            points: Points::Raw,
            is_go: false,
            size: (0, 0),
            ways: Vec::new(),
            chunk: Vec::new(),
            node: 0,
            only_points: true,
            scratch: Vec::new(),
            boards: Box::new([BoardBits::new(); 3]),
            sums: [0; 8],
            has_setup: false,
            is_empty: true,
        }
    }

    /// Begins a line of `game` on a board of `size`, or of the game's default.
    pub fn start(&mut self, game: Game, size: Option<BoardSize>) {
        let size = size.or_else(|| game.entry().default_size);
        self.size = size.map_or((0, 0), |size| (size.columns(), size.rows()));
        self.is_go = game == Game::Go;
        self.points = match game {
            Game::Hex => Points::Lettered,
            game if game.has_two_letter_points() => Points::TwoLetters,
            _ => Points::Raw,
        };
        let symmetries: &[Symmetry] = match game {
            Game::Go if self.canonical => &Symmetry::ALL,
            Game::Hex if self.canonical => &Symmetry::HEX,
            _ => &Symmetry::ALL[..1],
        };
        self.ways.resize_with(symmetries.len(), || (Symmetry::Identity, Xxh3::new()));
        for (way, &symmetry) in self.ways.iter_mut().zip(symmetries) {
            way.0 = symmetry;
            way.1.reset();
            way.1.update(b"sgfstream line 1\0");
            way.1.update(game.name().as_bytes());
            let (columns, rows) = symmetry.size(self.size);
            way.1.update(&[0]);
            way.1.update(&columns.to_le_bytes());
            way.1.update(&rows.to_le_bytes());
        }
        self.chunk.clear();
        self.node = 0;
        self.only_points = true;
        self.clear_setup();
        self.is_empty = true;
    }

    /// The next move.
    #[inline]
    pub fn play(&mut self, color: u8, value: &[u8]) {
        self.is_empty = false;
        if self.chunk.len() - self.node >= NODE {
            self.end_node();
        }
        if let (Points::TwoLetters, &[column, row]) = (self.points, value)
            && let Some((column, row)) = self.pair(column, row)
        {
            self.push_point(color, column, row);
        } else {
            self.play_other(color, value);
        }
    }

    #[inline]
    fn push_point(&mut self, color: u8, column: u32, row: u32) {
        let ([a, b, c, d], [e, f, g, h]) = (column.to_le_bytes(), row.to_le_bytes());
        self.chunk.extend_from_slice(&[1, color, a, b, c, d, e, f, g, h]);
    }

    #[inline(never)]
    fn play_other(&mut self, color: u8, value: &[u8]) {
        if let Some((column, row)) = self.field(value) {
            return self.push_point(color, column, row);
        }
        self.only_points = false;
        let text = self.text(value);
        let text = if self.is_go && text == b"tt" && self.size.0.max(self.size.1) <= 19 { &[] } else { &*text };
        self.chunk.extend_from_slice(&[2, color]);
        match u8::try_from(text.len()) {
            Ok(len) => {
                self.chunk.push(len);
                self.chunk.extend_from_slice(text);
            }
            Err(_) => {
                self.chunk.push(16);
                self.chunk.extend_from_slice(&xxh3_128(text).to_le_bytes());
            }
        }
    }

    /// True for the identifiers (canonical) that put up a position.
    #[must_use]
    pub fn is_setup(ident: &[u8]) -> bool {
        matches!(
            ident,
            b"AB" | b"AW" | b"AE" | b"AA" | b"A1" | b"A2" | b"A3" | b"A4" | b"RP" | b"PL" | b"CO" | b"CV" | b"DI"
        )
    }

    /// A value of a setup property.
    pub fn set_up(&mut self, ident: &[u8], value: &[u8]) {
        self.is_empty = false;
        self.has_setup = true;
        if self.points == Points::TwoLetters
            && let Some(board) = [&b"AB"[..], b"AW", b"AE"].iter().position(|board| *board == ident)
            && let Ok(entry) = PointEntry::parse_lenient(value)
        {
            self.boards[board].insert(entry.value);
            return;
        }
        let field = if self.points == Points::Lettered && ident != b"PL" { self.field(value) } else { None };
        for (sum, (symmetry, _)) in self.sums.iter_mut().zip(&self.ways) {
            self.scratch.clear();
            self.scratch.extend_from_slice(ident);
            self.scratch.push(b'[');
            match field {
                Some(field) => {
                    let (column, row) = symmetry.apply(field, self.size);
                    self.scratch.extend_from_slice(&column.to_le_bytes());
                    self.scratch.extend_from_slice(&row.to_le_bytes());
                }
                None => {
                    let blank = |byte: &u8| !byte.is_ascii_whitespace();
                    self.scratch.extend(value.iter().filter(|byte| blank(byte)).map(u8::to_ascii_lowercase));
                }
            }
            *sum = sum.wrapping_add(xxh3_128(&self.scratch));
        }
    }

    /// A node ends.
    #[inline]
    pub fn end_node(&mut self) {
        if self.has_setup {
            self.end_setup();
        }
        self.node = self.chunk.len();
        if self.node >= CHUNK {
            self.flush();
        }
    }

    /// The setup of a node goes before its moves.
    #[cold]
    #[inline(never)]
    fn end_setup(&mut self) {
        let moves = self.chunk.split_off(self.node);
        let only_points = self.only_points;
        self.flush();
        self.feed_setup();
        self.clear_setup();
        self.only_points = only_points;
        self.chunk = moves;
    }

    /// The hash of the line, and the canonical one. None without a move or
    /// setup: such games are not the same.
    pub fn finish(&mut self) -> Option<(LineHash, LineHash)> {
        self.end_node();
        self.flush();
        let plain = self.ways.first()?.1.digest128();
        let smallest = self.ways.iter().map(|way| way.1.digest128()).min()?;
        (!self.is_empty).then_some((LineHash(plain), LineHash(smallest)))
    }

    fn clear_setup(&mut self) {
        if self.has_setup {
            *self.boards = [BoardBits::new(); 3];
            self.sums = [0; 8];
            self.has_setup = false;
        }
    }

    fn feed_setup(&mut self) {
        let transposed = self.boards.map(|board| board.transposed());
        for (way, sum) in self.ways.iter_mut().zip(self.sums) {
            self.scratch.clear();
            self.scratch.push(3);
            if self.points == Points::TwoLetters {
                for (board, transposed) in self.boards.iter().zip(&transposed) {
                    let turned = board.turned(transposed, way.0, self.size);
                    self.scratch.extend(turned.words(way.0.size(self.size)).flat_map(u64::to_le_bytes));
                }
            }
            self.scratch.extend_from_slice(&sum.to_le_bytes());
            way.1.update(&self.scratch);
        }
    }

    fn flush(&mut self) {
        for (symmetry, hash) in &mut self.ways {
            if *symmetry == Symmetry::Identity {
                hash.update(&self.chunk);
                continue;
            }
            let turn = Turn::of(*symmetry, self.size);
            self.scratch.clear();
            self.scratch.extend_from_slice(&self.chunk);
            if self.only_points {
                self.scratch.as_chunks_mut().0.iter_mut().for_each(|record| turn.apply(record));
            } else {
                let mut rest = self.scratch.as_mut_slice();
                while let [kind, _, tail @ ..] = rest {
                    let len = if *kind == 1 { POINT_LEN } else { 3 + usize::from(tail[0]) };
                    let (record, behind) = rest.split_at_mut(len);
                    if let (1, Ok(record)) = (record[0], record.try_into()) {
                        turn.apply(record);
                    }
                    rest = behind;
                }
            }
            hash.update(&self.scratch);
        }
        self.chunk.clear();
        self.node = 0;
        self.only_points = true;
    }

    /// The field on the board that a value names.
    fn field(&self, value: &[u8]) -> Option<(u32, u32)> {
        let field = match (self.points, value) {
            (Points::TwoLetters, value) => match *self.text(value) {
                [column, row] => return self.pair(column, row),
                _ => None,
            },
            (Points::Lettered, value) => lettered(&self.text(value)),
            (Points::Raw, _) => None,
        };
        field.filter(|&(column, row)| column < self.size.0 && row < self.size.1)
    }

    /// The field of two letters, if it is on the board.
    #[inline]
    fn pair(&self, column: u8, row: u8) -> Option<(u32, u32)> {
        let point = Point::parse(&[column, row]).ok()?;
        let (column, row) = (u32::from(point.column()), u32::from(point.row()));
        (column < self.size.0 && row < self.size.1).then_some((column, row))
    }

    fn text(&self, value: &[u8]) -> Vec<u8> {
        let kept = value.iter().filter(|byte| !byte.is_ascii_whitespace());
        if self.points == Points::TwoLetters {
            kept.copied().collect()
        } else {
            kept.map(u8::to_ascii_lowercase).collect()
        }
    }
}

impl fmt::Debug for LineHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineHasher").field("canonical", &self.canonical).finish_non_exhaustive()
    }
}

/// A symmetry of a board as the sums that it is: each coordinate is a multiple
/// (0, 1 or -1) of each, and a constant.
struct Turn {
    columns: [u32; 3],
    rows: [u32; 3],
}

impl Turn {
    fn of(symmetry: Symmetry, size: (u32, u32)) -> Self {
        let [zero, column, row] = [(0, 0), (1, 0), (0, 1)].map(|field| symmetry.apply(field, size));
        Self {
            columns: [column.0.wrapping_sub(zero.0), row.0.wrapping_sub(zero.0), zero.0],
            rows: [column.1.wrapping_sub(zero.1), row.1.wrapping_sub(zero.1), zero.1],
        }
    }

    /// Turns the record of a point.
    #[inline]
    fn apply(&self, record: &mut [u8; POINT_LEN]) {
        let [kind, color, a, b, c, d, e, f, g, h] = *record;
        let (column, row) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        let sum = |[of_column, of_row, more]: [u32; 3]| {
            column.wrapping_mul(of_column).wrapping_add(row.wrapping_mul(of_row)).wrapping_add(more).to_le_bytes()
        };
        let ([a, b, c, d], [e, f, g, h]) = (sum(self.columns), sum(self.rows));
        *record = [kind, color, a, b, c, d, e, f, g, h];
    }
}

/// `c4`, lowercase; or `cd`, as GoRilla and Little Golem write it.
fn lettered(text: &[u8]) -> Option<(u32, u32)> {
    if let &[column @ b'a'..=b'z', row @ b'a'..=b'z'] = text {
        return Some((u32::from(column - b'a'), u32::from(row - b'a')));
    }
    let letters = text.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let (letters, digits) = text.split_at(letters);
    if !(1..=3).contains(&letters.len()) || !(1..=4).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let column = letters.iter().fold(0, |column, letter| column * 26 + u32::from(letter - b'a') + 1);
    let row = digits.iter().fold(0, |row, digit| row * 10 + u32::from(digit - b'0'));
    Some((column - 1, row.checked_sub(1)?))
}
