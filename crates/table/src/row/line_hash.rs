//! The hash of a main line: the same for the same game, whatever else the
//! file says, and, in its canonical form, whichever way the board was turned.

use std::borrow::Cow;
use std::fmt;

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use sgfstream_game::value::{BoardSize, Point, PointEntry};
use sgfstream_game::{Dialect, Field, Game, Move, Program, Side, Stone, Symmetry};

use super::board_bits::BoardBits;
use super::line_moves::LineLog;
use super::move_record::{CHUNK, Chunk, Turn, records};

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

/// Bytes of the moves of one node that wait for its setup.
const NODE: usize = CHUNK;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    TwoLetters,
    Lettered,
    Raw,
}

/// Takes a main line and gives its hashes.
///
/// ```
/// use sgfstream_game::{Game, Side};
/// use sgfstream_table::row::LineHasher;
///
/// let hash = |moves: [&[u8]; 2]| {
///     let mut line = LineHasher::new(true);
///     line.start(Game::Go, None);
///     line.play(Side::Black, moves[0]);
///     line.end_node();
///     line.play(Side::White, moves[1]);
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
    dialect: Dialect,
    size: (u32, u32),
    /// The same where points are two letters; else none is on the board.
    letters: (u32, u32),
    /// The ways to turn the board.
    ways: &'static [Symmetry],
    /// Those of them that make the line come first, as far as it is known: a bit each. Few moves leave but one.
    first: u8,
    /// The line as it is, and as one of those makes it.
    hashes: [Xxh3; 2],
    chunk: Chunk,
    /// Where the moves of the current node begin in it: they wait for its setup.
    node: usize,
    /// The end of a node needs nothing while the chunk is shorter: 0 where the node has setup or may tell symmetries apart.
    plain_below: usize,
    scratch: [Vec<u8>; 2],
    /// The hash of a value that comes in pieces.
    long: Xxh3,
    boards: Box<[BoardBits; 3]>,
    sums: [u128; 8],
    has_setup: bool,
    is_empty: bool,
    log: LineLog,
}

impl LineHasher {
    /// A hasher; without `canonical` it does not turn the board, which is
    /// faster.
    #[must_use]
    pub fn new(canonical: bool) -> Self {
        Self {
            canonical,
            points: Points::Raw,
            dialect: Dialect::new(Game::Go, None),
            size: (0, 0),
            letters: (0, 0),
            ways: &[Symmetry::Identity],
            first: 1,
            hashes: [Xxh3::new(), Xxh3::new()],
            chunk: Chunk::new(),
            node: 0,
            plain_below: 0,
            scratch: Default::default(),
            long: Xxh3::new(),
            boards: Box::new([BoardBits::new(); 3]),
            sums: [0; 8],
            has_setup: false,
            is_empty: true,
            log: LineLog::default(),
        }
    }

    /// Keeps the line, for [`LineMoves`](super::LineMoves).
    pub(super) fn keep_line(&mut self) {
        self.log = LineLog::kept();
    }

    /// The records of the line, after [`finish`](Self::finish); none if there were too many.
    pub(super) fn line(&self) -> Option<&[u8]> {
        self.log.bytes()
    }

    /// Begins a line of `game` on a board of `size`, or of the game's default.
    pub fn start(&mut self, game: Game, size: Option<BoardSize>) {
        let size = size.or_else(|| game.default_size());
        self.size = size.map_or((0, 0), |size| (size.columns(), size.rows()));
        // Cells of Hex may be two letters, whichever program wrote them.
        let program = if game == Game::Hex { Program::Gorilla } else { Program::Standard };
        self.dialect = Dialect::of_program(game, size, program);
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
        self.first = u8::MAX >> (8 - self.ways.len());
        for hash in &mut self.hashes {
            hash.reset();
            hash.update(b"sgfstream line 1\0");
            match game {
                Game::Number(number) => hash.update(number.to_string().as_bytes()),
                game => hash.update(game.name().as_bytes()),
            }
            hash.update(&[0]);
        }
        self.log.start(game);
        self.chunk.clear();
        self.node = 0;
        self.clear_setup();
        self.is_empty = true;
        let size = self.size;
        self.feed(|_, symmetry, bytes| {
            let (columns, rows) = symmetry.size(size);
            bytes.extend_from_slice(&columns.to_le_bytes());
            bytes.extend_from_slice(&rows.to_le_bytes());
        });
        self.plain_below = if self.first.is_power_of_two() { CHUNK } else { 0 };
    }

    /// Hashes what `make` makes of each way; those whose bytes come first stay.
    fn feed(&mut self, make: impl Fn(usize, Symmetry, &mut Vec<u8>)) {
        let [least, bytes] = &mut self.scratch;
        bytes.clear();
        make(0, Symmetry::Identity, bytes);
        self.hashes[0].update(bytes);
        self.log.add_hash(bytes);
        let mut left = 0;
        for (number, &symmetry) in self.ways.iter().enumerate().filter(|(number, _)| self.first & 1 << number != 0) {
            bytes.clear();
            make(number, symmetry, bytes);
            if left == 0 || bytes < least {
                std::mem::swap(least, bytes);
                left = 1 << number;
            } else if bytes == least {
                left |= 1 << number;
            }
        }
        self.first = left;
        self.hashes[1].update(least);
    }

    /// The next move.
    pub fn play(&mut self, side: Side, value: &[u8]) {
        self.play_color(side as u8 + 1, value);
    }

    /// The next move: that of Black or the first colour for 1.
    #[inline(always)]
    pub(super) fn play_color(&mut self, color: u8, value: &[u8]) {
        if self.chunk.len() - self.node >= NODE {
            self.end_node();
        }
        if let &[column, row] = value
            && let Some((column, row)) = self.pair(column, row)
        {
            self.chunk.push_point(color, column, row);
        } else {
            self.play_other(color, value);
        }
    }

    #[inline(never)]
    fn play_other(&mut self, color: u8, value: &[u8]) {
        let text = match self.played(value) {
            Ok((column, row)) => return self.chunk.push_point(color, column, row),
            Err(text) => text,
        };
        self.chunk.push_text(color, &text);
    }

    /// A piece of the next move, or of a further point of the move before.
    pub(super) fn play_piece(&mut self, side: Side, is_further: bool, piece: Piece<'_>) {
        let is_whole = piece.is_start && piece.is_end;
        if is_whole && !is_further {
            return self.play(side, piece.bytes);
        }
        let hash = self.add_piece(b"", piece).to_le_bytes();
        if piece.is_end {
            if self.chunk.len() - self.node >= NODE {
                self.end_node();
            }
            let color = side as u8 + 1 + if is_further { 128 } else { 0 };
            self.chunk.push_text(color, if is_whole { piece.bytes } else { &hash });
        }
    }

    /// A piece of a value of a setup property.
    pub(super) fn set_up_piece(&mut self, ident: &[u8], piece: Piece<'_>) {
        if piece.is_start && piece.is_end {
            return self.set_up(ident, piece.bytes);
        }
        let hash = self.add_piece(&[ident, b"["].concat(), piece);
        if piece.is_end {
            self.begin_setup();
            self.sums.iter_mut().for_each(|sum| *sum = sum.wrapping_add(hash));
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

    fn begin_setup(&mut self) {
        (self.is_empty, self.has_setup, self.plain_below) = (false, true, 0);
    }

    /// A value of a setup property.
    pub fn set_up(&mut self, ident: &[u8], value: &[u8]) {
        self.begin_setup();
        if self.points == Points::TwoLetters
            && let Some(board) = [&b"AB"[..], b"AW", b"AE"].iter().position(|board| *board == ident)
            && let Ok(entry) = PointEntry::parse_lenient(value)
        {
            self.boards[board].insert(entry.value);
            return;
        }
        let text = self.placed(ident, value);
        let bytes = &mut self.scratch[0];
        for (sum, symmetry) in self.sums.iter_mut().zip(self.ways) {
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
    pub fn end_node(&mut self) {
        if self.chunk.len() >= self.plain_below {
            self.end_uncommon_node();
        }
        self.node = self.chunk.len();
    }

    /// A node with setup, or one that may tell symmetries apart, or one that
    /// fills the chunk.
    #[cold]
    #[inline(never)]
    fn end_uncommon_node(&mut self) {
        if self.has_setup {
            self.end_setup();
        }
        if !self.first.is_power_of_two() {
            self.compare();
        }
        if self.chunk.len() >= CHUNK {
            self.flush();
        }
        self.plain_below = if self.first.is_power_of_two() { CHUNK } else { 0 };
    }

    /// The setup of a node goes before its moves.
    fn end_setup(&mut self) {
        let moves = self.chunk.split_off(self.node);
        self.flush();
        self.feed_setup();
        self.clear_setup();
        self.chunk.put_back(moves);
    }

    /// The hash of the line, and the canonical one. None without a move or
    /// setup: such games are not the same.
    pub fn finish(&mut self) -> Option<(LineHash, LineHash)> {
        self.end_node();
        self.flush();
        let [plain, canonical] = &self.hashes;
        let plain = plain.digest128();
        let canonical = if self.ways.len() > 1 { canonical.digest128() } else { plain };
        (!self.is_empty).then_some((LineHash(plain), LineHash(canonical)))
    }

    /// Which ways make the moves of this node come first.
    #[inline(never)]
    fn compare(&mut self) {
        for (kind, record) in records(&self.chunk.as_bytes()[self.node..]) {
            let (1, &[_, _, a, b, c, d]) = (kind, record) else { continue };
            let field = (u32::from(u16::from_le_bytes([a, b])), u32::from(u16::from_le_bytes([c, d])));
            let mut least = None;
            let mut left = 0;
            for (number, symmetry) in self.ways.iter().enumerate().filter(|(number, _)| self.first & 1 << number != 0) {
                let (column, row) = symmetry.apply(field, self.size);
                let bytes = Some(((column as u16).to_le_bytes(), (row as u16).to_le_bytes()));
                if least.is_none() || bytes < least {
                    (least, left) = (bytes, 1 << number);
                } else if bytes == least {
                    left |= 1 << number;
                }
            }
            self.first = left;
            if left.is_power_of_two() {
                return;
            }
        }
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
        let (points, size, sums, boards) = (self.points, self.size, self.sums, self.boards.clone());
        self.feed(|number, symmetry, bytes| {
            bytes.push(3);
            if points == Points::TwoLetters {
                for (board, transposed) in boards.iter().zip(&transposed) {
                    let turned = board.turned(transposed, symmetry, size);
                    bytes.extend(turned.words(symmetry.size(size)).flat_map(u64::to_le_bytes));
                }
            }
            bytes.extend_from_slice(&sums[number].to_le_bytes());
        });
    }

    fn flush(&mut self) {
        self.is_empty &= self.chunk.len() == 0;
        self.hashes[0].update(self.chunk.as_bytes());
        self.log.add(self.chunk.as_bytes());
        if self.ways.len() > 1 {
            let symmetry = self.ways[self.first.trailing_zeros() as usize];
            if symmetry != Symmetry::Identity {
                self.chunk.turn(&Turn::of(symmetry, self.size));
            }
            self.hashes[1].update(self.chunk.as_bytes());
        }
        self.chunk.clear();
        self.node = 0;
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

    /// The same of a value of setup.
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

impl fmt::Debug for LineHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineHasher").field("canonical", &self.canonical).finish_non_exhaustive()
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
mod tests {
    use super::{LineHasher, xxh3_128};
    use sgfstream_game::value::BoardSize;
    use sgfstream_game::{Game, Side, Symmetry};

    type Field = (u32, u32);

    /// The slow twin: the bytes that every symmetry makes of the line, and the
    /// hashes of the first of them. Each node sets up fields and plays others.
    fn hashes_slowly(nodes: &[(Vec<Field>, Vec<Option<Field>>)], size: Field) -> (u128, u128) {
        let bytes = |symmetry: Symmetry| {
            let (columns, rows) = symmetry.size(size);
            let mut bytes = b"sgfstream line 1\0Go\0".to_vec();
            bytes.extend([columns.to_le_bytes(), rows.to_le_bytes()].concat());
            for (setup, moves) in nodes {
                if !setup.is_empty() {
                    let mut black = vec![0_u64; rows as usize];
                    for &field in setup {
                        let (column, row) = symmetry.apply(field, size);
                        black[row as usize] |= 1 << column;
                    }
                    bytes.push(3);
                    bytes.extend(black.into_iter().flat_map(u64::to_le_bytes));
                    bytes.extend(vec![0; 2 * 8 * rows as usize + 16]);
                }
                for played in moves {
                    let Some(field) = *played else {
                        bytes.extend([2, 1, 0]);
                        continue;
                    };
                    let (column, row) = symmetry.apply(field, size);
                    bytes.extend([1, 1]);
                    bytes.extend([(column as u16).to_le_bytes(), (row as u16).to_le_bytes()].concat());
                }
            }
            bytes
        };
        let least = Symmetry::ALL.into_iter().map(bytes).min().expect("eight");
        (xxh3_128(&bytes(Symmetry::Identity)), xxh3_128(&least))
    }

    #[test]
    fn hashed_as_all_symmetries_would_be() {
        fastrand::seed(7);
        for round in 0..400 {
            let size = [(19, 19), (9, 9), (13, 9), (5, 8), (3, 3), (1, 1)][round % 6];
            let field = || (fastrand::u32(0..size.0), fastrand::u32(0..size.1));
            // Every other line begins on the diagonals, where symmetries tie.
            let diagonal =
                || (0..size.0.min(size.1)).map(|at| (at, at)).nth(fastrand::usize(0..3).min(size.0 as usize - 1));
            let nodes: Vec<_> = (0..fastrand::usize(1..900))
                .map(|node| {
                    let setup = (0..fastrand::usize(0..30).saturating_sub(27)).map(|_| field()).collect();
                    let moves = (0..fastrand::usize(0..3)).map(|_| match fastrand::u8(0..12) {
                        0 => None,
                        _ if round % 2 == 0 && node < 20 => Some(diagonal().unwrap_or((0, 0))),
                        _ => Some(field()),
                    });
                    (setup, moves.collect())
                })
                .collect();
            if nodes.iter().all(|(setup, moves): &(Vec<_>, Vec<_>)| setup.is_empty() && moves.is_empty()) {
                continue;
            }
            let mut line = LineHasher::new(true);
            line.start(Game::Go, Some(BoardSize::new(size.0, size.1)));
            let text = |(column, row): (u32, u32)| [b'a' + column as u8, b'a' + row as u8];
            for (setup, moves) in &nodes {
                moves.iter().for_each(|played| match played {
                    Some(field) => line.play(Side::Black, &text(*field)),
                    None => line.play(Side::Black, b""),
                });
                setup.iter().for_each(|&field| line.set_up(b"AB", &text(field)));
                line.end_node();
            }
            let (plain, canonical) = line.finish().expect("a line");
            assert_eq!((plain.0, canonical.0), hashes_slowly(&nodes, size), "round {round}");
        }
    }

    #[test]
    fn a_node_of_long_moves() {
        let mut line = LineHasher::new(true);
        line.start(Game::Chess, Some(BoardSize::square(8)));
        let mut bytes = b"sgfstream line 1\0Chess\0\x08\0\0\0\x08\0\0\0".to_vec();
        for len in (0..3000).map(|number| 1 + number * 7 % 255) {
            let text = vec![b'?'; len];
            line.play(Side::White, &text);
            bytes.extend([&[2, 2, len as u8], &*text].concat());
            if len == 1 {
                line.end_node();
            }
        }
        assert_eq!(line.finish().expect("a line").0.0, xxh3_128(&bytes));
    }
}
