//! The hash of a main line: the same for the same game, whatever else the
//! file says, and, in its canonical form, whichever way the board was turned.

use std::borrow::Cow;
use std::fmt;

use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use sgfstream_game::value::{BoardSize, Point, PointEntry};
use sgfstream_game::{Dialect, Field, Game, Move, Side, Stone, Symmetry};

/// The hash of a main line, 128 bits. Stable: it does not change between
/// releases, machines or runs.
///
/// It is XXH3-128 with seed 0 of these bytes (numbers little-endian):
///
/// ```text
/// header   "sgfstream line 1" 0, the game's name (of a number without a name the
///          number), 0, columns u32, rows u32
/// setup    3 [AB AW AE: for each row of the board a u64, bit c is column c] sum u128
///          the boards in games of two-letter points only; `sum` is the wrapping sum of the
///          XXH3-128 of every other setup value (identifier, `[`, point or text), so
///          that the order of values does not matter; before the moves of its node
/// move     1 color u8 column u16 row u16     a point, from 0
/// other    2 color u8 length u8 text         a pass, a word, or any move of a game whose points are not
///          read here, as its dialect spells it; what no dialect reads, byte for byte; past 255
///          bytes its XXH3-128. A move that is a list of points longer than a reader holds at once is
///          one of these for each point, the second and later ones with 128 added to `color`
/// ```
///
/// So a game has one hash however its points and moves are spelt: the order of
/// points in a move of Blokus, `c4` and `cd` in Othello and Hex, capital letters
/// and blanks make no difference where the dialect says that they make none.
///
/// Setup is AB, AW, AE, AA, A1 to A4, BO, WO, RP, PL, CO, CV and DI of the nodes of
/// the main line; `color` is 1 for Black and the first colour, 2 for White.
/// A pass is as the game spells it: empty in Go, `[tt]` on a board of at most 19
/// by 19 included.
///
/// A line of more than 1 MiB of these bytes has no hash.
///
/// The canonical hash is that of the bytes that come first in the order of
/// bytes, of all that the board's symmetries make of the line: eight in Go, two
/// in Hex ([`Symmetry::HEX`]), one elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineHash(pub u128);

impl LineHash {
    /// The digits of its text.
    pub(super) fn digits(self) -> [u8; 32] {
        let mut digits = [0; 32];
        for ([high, low], byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(self.0.to_be_bytes()) {
            *high = b"0123456789abcdef"[usize::from(byte >> 4)];
            *low = b"0123456789abcdef"[usize::from(byte & 15)];
        }
        digits
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.digits()).expect("ASCII"))
    }
}

/// A piece of a value that is too long to be held.
#[derive(Clone, Copy)]
pub(super) struct Piece<'p> {
    pub(super) bytes: &'p [u8],
    /// It is the first of its value, the last.
    pub(super) is_start: bool,
    pub(super) is_end: bool,
}

/// Bytes of a line that are kept: the moves of 174,000 points. A longer line has no hash.
const LINE_MAX: usize = 1 << 20;

/// Columns and rows that two letters can name.
const SIDE: usize = 52;

/// The fields of AB, AW and AE in one node: bit `c` of word `r` is the field in column `c` and row `r`.
type Boards = [[u64; SIDE]; 3];

/// A record of a line.
#[derive(Clone, Copy)]
pub(super) enum Record<'r> {
    /// A move to a field, and its colour.
    Point(u8, (u32, u32)),
    /// Another move, with its kind, its colour and its length.
    Text(&'r [u8]),
    /// A setup: the words of its boards, and for each way to turn the board the sum of its other values.
    Setup(&'r [u8], &'r [u128; 8]),
}

/// A record after a symmetry, in the order of its bytes among those of the same record.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Turned {
    /// Nearly all: as a number, for which no memory is taken. To compare it costs no call; that of two empty lists of bytes costs
    /// hundreds of cycles where it looks at the memory at their address, which is none.
    Point(u64),
    Other(Vec<u8>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    TwoLetters,
    Lettered,
    Raw,
}

/// Takes a main line and gives its hashes.
#[derive(Clone)]
pub(super) struct LineHasher {
    canonical: bool,
    points: Points,
    dialect: Dialect,
    size: (u32, u32),
    /// Its columns and rows where points are two letters, else none.
    letters: (u32, u32),
    /// The ways to turn the board.
    ways: &'static [Symmetry],
    /// The line as it is: its header, which ends with the size, and its records.
    bytes: Vec<u8>,
    header: usize,
    /// For each setup among the records, the sums of its values that are on no board.
    sums: Vec<[u128; 8]>,
    /// Where the moves of the current node begin: its setup goes before them.
    node: usize,
    has_setup: bool,
    boards: Box<Boards>,
    sum: [u128; 8],
    /// There was more than [`LINE_MAX`].
    is_cut: bool,
    /// The hash of a value that comes in pieces.
    long: Xxh3,
    scratch: Vec<u8>,
}

impl LineHasher {
    /// A hasher; without `canonical` it does not turn the board, which is
    /// faster.
    pub(super) fn new(canonical: bool) -> Self {
        Self {
            canonical,
            points: Points::Raw,
            dialect: Dialect::new(Game::Go, None),
            size: (0, 0),
            letters: (0, 0),
            ways: &[Symmetry::Identity],
            bytes: Vec::new(),
            header: 0,
            sums: Vec::new(),
            node: 0,
            has_setup: false,
            boards: Box::new([[0; SIDE]; 3]),
            sum: [0; 8],
            is_cut: false,
            long: Xxh3::new(),
            scratch: Vec::new(),
        }
    }

    /// True if the line was too long for a hash.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The hash of the game and the size of the board.
    pub(super) fn header_hash(&self) -> u64 {
        xxh3_64(&self.bytes[..self.header])
    }

    /// Begins a line of `game` on a board of `size`, or of the game's default.
    pub(super) fn start(&mut self, game: Game, size: Option<BoardSize>) {
        let size = size.or_else(|| game.default_size());
        self.size = size.map_or((0, 0), |size| (size.columns(), size.rows()));
        self.dialect = Dialect::of_any_program(game, size);
        let has_points = self.size.0.max(self.size.1) <= u32::from(u16::MAX);
        self.points = match game {
            Game::Hex if has_points => Points::Lettered,
            game if game.has_two_letter_points() => Points::TwoLetters,
            _ => Points::Raw,
        };
        self.letters = if self.points == Points::TwoLetters { self.size } else { (0, 0) };
        self.ways = match game {
            Game::Go if self.canonical => &Symmetry::ALL,
            Game::Hex if self.canonical => &Symmetry::HEX,
            _ => &[Symmetry::Identity],
        };
        self.bytes.clear();
        self.bytes.extend_from_slice(b"sgfstream line 1\0");
        match game {
            Game::Number(number) => self.bytes.extend_from_slice(number.to_string().as_bytes()),
            game => self.bytes.extend_from_slice(game.name().as_bytes()),
        }
        self.bytes.push(0);
        self.bytes.extend_from_slice(&size_bytes(self.size));
        self.header = self.bytes.len();
        self.node = self.header;
        self.sums.clear();
        self.is_cut = false;
        self.clear_setup();
    }

    /// The next move.
    pub(super) fn play(&mut self, side: Side, value: &[u8]) {
        self.play_color(side as u8 + 1, value);
    }

    /// The next move: that of Black or the first colour for 1.
    #[inline(always)]
    pub(super) fn play_color(&mut self, color: u8, value: &[u8]) {
        if let &[column, row] = value
            && let Some(field) = self.pair(column, row)
        {
            self.push_point(color, field);
        } else {
            self.play_other(color, value);
        }
    }

    #[inline(never)]
    fn play_other(&mut self, color: u8, value: &[u8]) {
        match self.played(value) {
            Ok(field) => self.push_point(color, field),
            Err(text) => self.push_text(color, &text),
        }
    }

    #[inline(always)]
    fn push_point(&mut self, color: u8, field: (u32, u32)) {
        if self.has_space() {
            self.bytes.extend_from_slice(&point_bytes(color, field));
        }
    }

    /// A move that is no point, or its hash if that is shorter.
    fn push_text(&mut self, color: u8, text: &[u8]) {
        let Ok(len) = u8::try_from(text.len()) else {
            return self.push_text(color, &xxh3_128(text).to_le_bytes());
        };
        if self.has_space() {
            self.bytes.extend_from_slice(&[2, color, len]);
            self.bytes.extend_from_slice(text);
        }
    }

    /// True if one more record is kept.
    #[inline(always)]
    fn has_space(&mut self) -> bool {
        self.is_cut |= self.bytes.len() + size_of_val(&*self.sums) >= LINE_MAX;
        !self.is_cut
    }

    /// A piece of the next move, or of a further point of the move before.
    pub(super) fn play_piece(&mut self, side: Side, is_further: bool, piece: Piece<'_>) {
        let is_whole = piece.is_start && piece.is_end;
        if is_whole && !is_further {
            return self.play(side, piece.bytes);
        }
        let hash = self.add_piece(b"", piece).to_le_bytes();
        if piece.is_end {
            let color = side as u8 + 1 + if is_further { 128 } else { 0 };
            self.push_text(color, if is_whole { piece.bytes } else { &hash });
        }
    }

    /// A piece of a value of a setup property.
    pub(super) fn set_up_piece(&mut self, ident: &[u8], piece: Piece<'_>) {
        if piece.is_start && piece.is_end {
            return self.set_up(ident, piece.bytes);
        }
        let hash = self.add_piece(&[ident, b"["].concat(), piece);
        if piece.is_end {
            self.has_setup = true;
            self.sum.iter_mut().for_each(|sum| *sum = sum.wrapping_add(hash));
        }
    }

    /// Hashes a piece, and `head` before the first; gives the hash of the value at its end.
    fn add_piece(&mut self, head: &[u8], piece: Piece<'_>) -> u128 {
        if piece.is_start {
            self.long.reset();
            self.long.update(head);
        }
        self.long.update(piece.bytes);
        if piece.is_end { self.long.digest128() } else { 0 }
    }

    /// A value of a setup property.
    pub(super) fn set_up(&mut self, ident: &[u8], value: &[u8]) {
        self.has_setup = true;
        if self.points == Points::TwoLetters
            && let Some(board) = [&b"AB"[..], b"AW", b"AE"].iter().position(|board| *board == ident)
            && let Ok(entry) = PointEntry::parse_lenient(value)
        {
            insert(&mut self.boards[board], entry.value);
            return;
        }
        let text = self.placed(ident, value);
        let bytes = &mut self.scratch;
        for (sum, symmetry) in self.sum.iter_mut().zip(self.ways) {
            bytes.clear();
            bytes.extend_from_slice(ident);
            bytes.push(b'[');
            match &text {
                Ok(field) => {
                    let (column, row) = symmetry.apply(*field, self.size);
                    bytes.extend_from_slice(&column.to_le_bytes());
                    bytes.extend_from_slice(&row.to_le_bytes());
                }
                Err(text) => bytes.extend_from_slice(text),
            }
            *sum = sum.wrapping_add(xxh3_128(bytes));
        }
    }

    /// A node ends.
    #[inline(always)]
    pub(super) fn end_node(&mut self) {
        if self.has_setup {
            self.end_setup();
        }
        self.node = self.bytes.len();
    }

    /// The setup of a node goes before its moves.
    #[cold]
    #[inline(never)]
    fn end_setup(&mut self) {
        if self.has_space() {
            let moves = self.bytes.split_off(self.node);
            self.bytes.push(3);
            let rows = self.rows_of_boards();
            let mask = u64::MAX >> (64 - self.size.0.clamp(1, 64));
            for word in self.boards.iter().flat_map(|board| &board[..rows]) {
                self.bytes.extend_from_slice(&(word & mask).to_le_bytes());
            }
            self.bytes.extend_from_slice(&self.sum[0].to_le_bytes());
            self.bytes.extend(moves);
            self.sums.push(self.sum);
        }
        self.clear_setup();
    }

    fn clear_setup(&mut self) {
        if self.has_setup {
            *self.boards = [[0; SIDE]; 3];
            self.sum = [0; 8];
            self.has_setup = false;
        }
    }

    /// Rows of each board of a setup; none where setup is not on boards.
    fn rows_of_boards(&self) -> usize {
        if self.points == Points::TwoLetters { SIDE.min(self.size.1 as usize) } else { 0 }
    }

    /// The hash of the line, and the canonical one. None without a move or
    /// setup: such games are not the same. None for a line of more than 1 MiB.
    pub(super) fn finish(&mut self) -> Option<(LineHash, LineHash)> {
        self.end_node();
        if self.is_cut || self.bytes.len() == self.header {
            return None;
        }
        let plain = LineHash(xxh3_128(&self.bytes));
        let square = |symmetry: &Symmetry| size_bytes(symmetry.size(self.size));
        let Some(least) = self.ways.iter().map(square).min() else { return Some((plain, plain)) };
        let ways = self.ways.iter().copied().filter(|symmetry| square(symmetry) == least);
        let least = Symmetry::least(ways, self.records(), |symmetry, record| match *record {
            Record::Point(color, field) => Turned::Point(in_order(self.turn_point(symmetry, color, field))),
            _ => {
                let mut bytes = Vec::new();
                self.turn(symmetry, record, &mut bytes);
                Turned::Other(bytes)
            }
        });
        if least == Symmetry::Identity {
            return Some((plain, plain));
        }
        let mut turned = std::mem::take(&mut self.scratch);
        turned.clear();
        turned.reserve(self.bytes.len());
        turned.extend_from_slice(&self.bytes[..self.header - 8]);
        turned.extend_from_slice(&size_bytes(least.size(self.size)));
        self.turn_all(least, &mut turned);
        let canonical = LineHash(xxh3_128(&turned));
        self.scratch = turned;
        Some((plain, canonical))
    }

    /// The records of the line; none if it is too long.
    pub(super) fn records(&self) -> Records<'_> {
        let rest = if self.is_cut { &[] } else { &self.bytes[self.header..] };
        Records { rest, sums: self.sums.iter(), setup: 1 + 3 * 8 * self.rows_of_boards() + 16 }
    }

    /// Adds the bytes of all records after a symmetry.
    fn turn_all(&self, symmetry: Symmetry, bytes: &mut Vec<u8>) {
        let mut records = self.records();
        loop {
            // Runs of moves to fields, which nearly all records are, without a look at each.
            let points = records.take_points();
            let start = bytes.len();
            bytes.resize(start + points.as_flattened().len(), 0);
            for (turned, &point) in bytes[start..].as_chunks_mut().0.iter_mut().zip(points) {
                let (color, field) = read_point(point);
                *turned = self.turn_point(symmetry, color, field);
            }
            let Some(record) = records.next() else { return };
            self.turn(symmetry, &record, bytes);
        }
    }

    /// Adds the bytes of a record after a symmetry.
    #[inline]
    fn turn(&self, symmetry: Symmetry, record: &Record<'_>, bytes: &mut Vec<u8>) {
        match *record {
            Record::Text(text) => bytes.extend_from_slice(text),
            Record::Point(color, field) => bytes.extend_from_slice(&self.turn_point(symmetry, color, field)),
            Record::Setup(boards, sums) => {
                bytes.push(3);
                self.turn_boards(symmetry, boards, bytes);
                let way = self.ways.iter().position(|&way| way == symmetry).unwrap_or(0);
                bytes.extend_from_slice(&sums[way].to_le_bytes());
            }
        }
    }

    /// The bytes of a move to a field after a symmetry.
    #[inline(always)]
    fn turn_point(&self, symmetry: Symmetry, color: u8, field: (u32, u32)) -> [u8; 6] {
        point_bytes(color, symmetry.apply(field, self.size))
    }

    #[cold]
    #[inline(never)]
    fn turn_boards(&self, symmetry: Symmetry, boards: &[u8], bytes: &mut Vec<u8>) {
        let size = (self.size.0.clamp(1, SIDE as u32), self.size.1.clamp(1, SIDE as u32));
        let rows = self.rows_of_boards();
        let rows_after = SIDE.min(symmetry.size(self.size).1 as usize);
        bytes.reserve(3 * 8 * rows_after + 16);
        for board in boards.as_chunks::<8>().0.chunks_exact(rows.max(1)) {
            let mut turned = [0_u64; SIDE];
            for (row, word) in board.iter().enumerate() {
                let mut word = u64::from_le_bytes(*word) & (u64::MAX >> (64 - size.0));
                while word != 0 {
                    let (column, row) = symmetry.apply((word.trailing_zeros(), row as u32), size);
                    turned[row as usize] |= 1 << column;
                    word &= word - 1;
                }
            }
            turned[..rows_after].iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        }
    }

    /// The field of a move where it is hashed as one, else the text that is
    /// hashed.
    fn played<'v>(&self, value: &'v [u8]) -> Result<(u32, u32), Cow<'v, [u8]>> {
        let compact = without_blanks(value);
        if let &[column, row] = &*compact
            && let Some(field) = self.pair(column, row)
        {
            return Ok(field);
        }
        match self.dialect.parse_move(value).or_else(|_| self.dialect.parse_move(&compact)) {
            Ok(Move::Place(field)) if self.points == Points::Lettered => Ok(field_of(field)),
            Ok(played) => Err(Cow::Owned(self.dialect.show_move(&played).to_string().into_bytes())),
            Err(_) => Err(Cow::Borrowed(value)),
        }
    }

    /// Like `played`, for a value of setup.
    fn placed<'v>(&self, ident: &[u8], value: &'v [u8]) -> Result<(u32, u32), Cow<'v, [u8]>> {
        let compact = without_blanks(value);
        // Colours and numbers, in every game.
        if matches!(ident, b"PL" | b"CO" | b"CV" | b"DI") {
            return Err(Cow::Owned(compact.to_ascii_lowercase()));
        }
        match self.dialect.parse_stone(value).or_else(|_| self.dialect.parse_stone(&compact)) {
            Ok(Stone::Point(field)) if self.points == Points::Lettered => Ok(field_of(field)),
            Ok(Stone::Raw(_)) | Err(_) => Err(Cow::Borrowed(value)),
            Ok(stone) => Err(Cow::Owned(self.dialect.show_stone(&stone).to_string().into_bytes())),
        }
    }

    /// The field of two letters, if that is how points are written and it is on the board.
    #[inline(always)]
    fn pair(&self, column: u8, row: u8) -> Option<(u32, u32)> {
        let point = Point::parse(&[column, row]).ok()?;
        let (column, row) = (u32::from(point.column()), u32::from(point.row()));
        (column < self.letters.0 && row < self.letters.1).then_some((column, row))
    }
}

/// The records of a line.
pub(super) struct Records<'r> {
    rest: &'r [u8],
    sums: std::slice::Iter<'r, [u128; 8]>,
    /// Bytes of a setup.
    setup: usize,
}

impl<'r> Records<'r> {
    /// Takes the records that come next and are moves to fields.
    fn take_points(&mut self) -> &'r [[u8; 6]] {
        let records = self.rest.as_chunks().0;
        let run = records.iter().take_while(|record: &&[u8; 6]| record[0] == 1).count();
        self.rest = &self.rest[6 * run..];
        &records[..run]
    }
}

impl<'r> Iterator for Records<'r> {
    type Item = Record<'r>;

    fn next(&mut self) -> Option<Record<'r>> {
        let len = match *self.rest {
            [] => return None,
            [1, ..] => 6,
            [2, _, len, ..] => 3 + usize::from(len),
            _ => self.setup,
        };
        let (record, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(match *record {
            [1, ..] => {
                let (color, field) = read_point(*record.first_chunk()?);
                Record::Point(color, field)
            }
            [3, ..] => Record::Setup(&record[1..len - 16], self.sums.next()?),
            _ => Record::Text(record),
        })
    }
}

impl fmt::Debug for LineHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineHasher").field("canonical", &self.canonical).finish_non_exhaustive()
    }
}

/// The record of a move to a field: one number, so that it is written at once.
#[inline(always)]
fn point_bytes(color: u8, (column, row): (u32, u32)) -> [u8; 6] {
    let number = 1 | u64::from(color) << 8 | u64::from(column as u16) << 16 | u64::from(row as u16) << 32;
    let [bytes @ .., _, _] = number.to_le_bytes();
    bytes
}

/// A number for a record of a move to a field, in the order of the bytes.
#[inline(always)]
fn in_order([a, b, c, d, e, f]: [u8; 6]) -> u64 {
    u64::from_be_bytes([0, 0, a, b, c, d, e, f])
}

/// The color and the field of the record of a move to a field.
#[inline(always)]
fn read_point([_, color, a, b, c, d]: [u8; 6]) -> (u8, (u32, u32)) {
    (color, (u16::from_le_bytes([a, b]).into(), u16::from_le_bytes([c, d]).into()))
}

fn size_bytes((columns, rows): (u32, u32)) -> [u8; 8] {
    let ([a, b, c, d], [e, f, g, h]) = (columns.to_le_bytes(), rows.to_le_bytes());
    [a, b, c, d, e, f, g, h]
}

/// Adds the fields of a point or rectangle.
fn insert(board: &mut [u64; SIDE], entry: PointEntry) {
    let (upper_left, lower_right) = (entry.upper_left(), entry.lower_right());
    let (from, last) = (u32::from(upper_left.column()), u32::from(lower_right.column()));
    let bits = (u64::MAX >> (63 - (last - from))) << from;
    for row in &mut board[usize::from(upper_left.row())..=usize::from(lower_right.row())] {
        *row |= bits;
    }
}

fn field_of(field: Field) -> (u32, u32) {
    (field.column.into(), field.row.into())
}

fn without_blanks(value: &[u8]) -> Cow<'_, [u8]> {
    if value.iter().any(u8::is_ascii_whitespace) {
        value.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
    } else {
        Cow::Borrowed(value)
    }
}

#[cfg(test)]
mod tests;
