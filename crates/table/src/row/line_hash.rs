//! Hash of a main line. It identifies a game regardless of other properties; the canonical form
//! also ignores the orientation of the board.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::sync::LazyLock;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use sgfstream_game::value::{BoardSize, PointEntry};
use sgfstream_game::{BoardCell, Dialect, Game, Move, Side, board::Symmetry, dialect::Stone};

use super::LineMove;

/// Hash of a main line, 128 bits. It is stable across releases, machines and runs.
///
/// It is XXH3-128 with seed 0 of these bytes (numbers little-endian):
///
/// ```text
/// header   "sgfstream line 2" 0, the game's name (of a number without a name the
///          number), 0, columns u32, rows u32
/// point    a move to a field, as one u64: 2^63 + color * 2^32 + column * 2^16 + row, from 0
/// text     any other move: a pass, a word, or a move of several fields, as its dialect spells it; what no
///          dialect reads, byte for byte. One u64: its XXH3-64 plus `color`, modulo 2^62
/// setup    before the moves that follow it in its node, one u64: the sum, modulo 2^62, of the XXH3-64 of each different
///          value as a u64: a field as above, any other value as above, with the two bytes of the identifier,
///          big-endian, for `color`
/// ```
///
/// `color` is 1 for Black and the first color, 2 for White. Setup is AB, AW, AE, AA, A1 to A4, BO,
/// WO, RP, PL, CO, CV and DI in the nodes of the main line. A rectangle counts as its cells on the
/// board; an unreadable value does not count, and of several PL in a node the last counts.
///
/// [`Dialect::parse_move`] and related functions read moves and setup, as they do for boards. So
/// the hash does not depend on the spelling of points and moves: the order of points in a move of
/// Blokus, `c4` or `cd` in Othello and Hex, and capitals and blanks where the dialect ignores them.
/// `[tt]` is a pass on boards up to 19 by 19.
///
/// A line with more than 131,072 moves and values of setup has no hash.
///
/// The canonical hash is the hash of the least image of the line under the symmetries of the board:
/// eight in Go, two in Hex ([`Symmetry::HEX`]), one elsewhere. Images compare by their columns,
/// their rows, then the numbers of their moves and setup in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineHash(pub u128);

/// Writes 32 hexadecimal digits.
impl fmt::Display for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Maximum number of moves and values of setup in a line, which take 1 MiB. A longer line has no
/// hash.
const LINE_MAX: usize = 1 << 17;

/// Marks the setup of a node among the moves. The lower bits are the start and the end of its
/// values, in 24 bits each.
const SETUP: u64 = 1 << 62;

/// Setup and side of the boards whose values have known hashes.
const STONES: [&[u8]; 3] = [b"AB", b"AW", b"AE"];
const SIDE: u32 = 19;

/// Hashes of these values, identifier by identifier and row by row, after each symmetry.
static SETUP_HASHES: LazyLock<Vec<[u64; 8]>> = LazyLock::new(|| {
    let mut hashes = Vec::new();
    for ident in STONES {
        for (row, column) in (0..19).flat_map(|row| (0..19).map(move |column| (row, column))) {
            let value = LineMove::of_point(number_of(ident), column, row);
            hashes.push(Symmetry::ALL.map(|symmetry| turned_hash(value, symmetry, (SIDE, SIDE))));
        }
    }
    hashes
});

/// Collects a main line and returns its hashes.
#[derive(Clone)]
pub(super) struct LineHasher {
    canonical: bool,
    dialect: Dialect,
    size: (u32, u32),
    symmetries: &'static [Symmetry],
    /// The header without the board size.
    header: Vec<u8>,
    /// Moves, and a [`SETUP`] entry before the moves of a node with setup.
    moves: Vec<u64>,
    /// Values of setup, node by node, without repetitions.
    values: Vec<u64>,
    /// Start of the current node's moves and values, or of those after its last setup that follows
    /// a move.
    node: (usize, usize),
    /// Whether the line exceeded [`LINE_MAX`].
    is_cut: bool,
    /// The last number of setup, and the sums of the hashes of its values after each symmetry, if
    /// all are known.
    sums: Cell<(u64, Option<[u64; 8]>)>,
    scratch: Vec<u8>,
}

impl LineHasher {
    /// Returns a hasher. Without `canonical` it skips other orientations, which is faster.
    pub(super) fn new(canonical: bool) -> Self {
        Self {
            canonical,
            dialect: Dialect::new(Game::Go, None),
            size: (0, 0),
            symmetries: &[],
            header: Vec::new(),
            moves: Vec::new(),
            values: Vec::new(),
            node: (0, 0),
            is_cut: false,
            sums: Cell::default(),
            scratch: Vec::new(),
        }
    }

    /// Returns whether the line was too long for a hash.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Starts a line of `game` on a board of `size`, or of the game's default size.
    pub(super) fn start(&mut self, game: Game, size: Option<BoardSize>) {
        let size = size.or_else(|| game.default_size());
        self.size = size.map_or((0, 0), |size| (size.columns(), size.rows()));
        self.dialect = Dialect::of_any_program(game, size);
        self.symmetries = match game {
            Game::Go if self.canonical => &Symmetry::ALL,
            // A column has 16 bits.
            Game::Hex if self.canonical && self.size.0.max(self.size.1) <= 1 << 16 => {
                &Symmetry::HEX
            }
            _ => &[Symmetry::Identity],
        };
        let name = if let Game::Number(number) = game {
            number.to_string()
        } else {
            game.name().to_owned()
        };
        self.header = [b"sgfstream line 2\0", name.as_bytes(), b"\0"].concat();
        self.moves.clear();
        self.values.clear();
        self.sums.take();
        (self.node, self.is_cut) = ((0, 0), false);
    }

    /// Handles the next move. `color` is 1 for Black or the first color.
    #[inline]
    pub(super) fn play_color(&mut self, color: u8, value: &[u8]) {
        let played = match self.dialect.parse_placement(value) {
            Some(field) => point(color.into(), field),
            None => self.number_of_other(color, value),
        };
        self.push(played);
    }

    #[inline(never)]
    fn number_of_other(&self, color: u8, value: &[u8]) -> u64 {
        match self.dialect.parse_move(value) {
            Ok(Move::Place(field)) => point(color.into(), field),
            Err(_) | Ok(Move::Raw(_)) => text(color.into(), value),
            Ok(played) => text(
                color.into(),
                self.dialect.show_move(&played).to_string().as_bytes(),
            ),
        }
    }

    #[inline]
    fn push(&mut self, played: u64) {
        if self.has_space() {
            self.moves.push(played);
        }
    }

    /// Returns whether there is room for another move or value.
    #[inline]
    fn has_space(&mut self) -> bool {
        if self.moves.len() + self.values.len() >= LINE_MAX && !self.is_cut {
            self.dedup_values();
            // Require half of the space to be free. Otherwise every further value could sort them
            // again.
            self.is_cut = self.moves.len() + self.values.len() > LINE_MAX / 2;
        }
        !self.is_cut
    }

    /// Sorts the values of the current node, and removes repetitions and what a later value of the
    /// node overwrites.
    #[cold]
    fn dedup_values(&mut self) {
        let mut values = self.values.split_off(self.node.1);
        if may_repeat_points(&values) {
            let mut seen = HashSet::new();
            values.reverse();
            values.retain(|&value| {
                LineMove(value)
                    .point()
                    .is_none_or(|point| seen.insert(point))
            });
        }
        values.sort_unstable();
        values.dedup();
        self.values.extend(values);
    }

    /// Handles a value of a setup property.
    pub(super) fn set_up(&mut self, ident: &[u8], value: &[u8]) {
        // Setup after a move counts as a node of its own.
        if self.moves.len() > self.node.0 {
            self.end_node();
        }
        if !self.has_space() {
            return;
        }
        let number = number_of(ident);
        if !matches!(ident, b"PL" | b"CO" | b"CV" | b"DI")
            && self.dialect.game().has_two_letter_points()
        {
            if let Some(field) = self.dialect.parse_placement(value) {
                self.values.push(point(number, field));
                return;
            }
            // A value that is no point sets up nothing, and `fix` moves it to XK.
            let Ok(entry) = self.dialect.read_entry(value) else {
                return;
            };
            for field in entry
                .value
                .clipped(self.dialect.size())
                .into_iter()
                .flat_map(PointEntry::points)
            {
                if self.has_space() {
                    self.values.push(point(number, field.into()));
                }
            }
            return;
        }
        let is_of_stones = !matches!(ident, b"AE" | b"BO" | b"WO");
        if let Some(entry) = self.dialect.parse_rectangle(is_of_stones, value) {
            for cell in entry
                .points()
                .map(BoardCell::from)
                .take_while(|_| self.has_space())
                .collect::<Vec<_>>()
            {
                self.values.push(match self.dialect.game() {
                    Game::Octi => {
                        text(number, self.dialect.show_point(cell).to_string().as_bytes())
                    }
                    _ => point(number, cell),
                });
            }
            return;
        }
        let value = match self.dialect.parse_stone(value) {
            // Colors and numbers, which are the same in every game.
            _ if ident == b"PL" => {
                let Some(side) = Side::named_in(self.dialect.game(), value) else {
                    return;
                };
                // The last side that a node names counts.
                let turns = [b"b", b"w", b"3", b"4"].map(|letter| text(number, letter));
                let others = self.values.split_off(self.node.1);
                self.values
                    .extend(others.into_iter().filter(|value| !turns.contains(value)));
                turns[side.index()]
            }
            _ if matches!(ident, b"CO" | b"CV" | b"DI") => {
                let compact: Vec<u8> = value
                    .iter()
                    .copied()
                    .filter(|byte| !byte.is_ascii_whitespace())
                    .collect();
                text(number, &compact.to_ascii_lowercase())
            }
            Ok(Stone::Point(field)) => point(number, field),
            Ok(Stone::Raw(_)) => text(number, value),
            Err(_) => return,
            Ok(stone) => text(
                number,
                self.dialect.show_stone(&stone).to_string().as_bytes(),
            ),
        };
        self.values.push(value);
    }

    /// Ends a node: its setup goes before its moves.
    #[inline]
    pub(super) fn end_node(&mut self) {
        let (node, start) = self.node;
        if self.values.len() > start {
            self.dedup_values();
            self.moves.insert(
                node,
                SETUP | (start as u64) << 24 | self.values.len() as u64,
            );
        }
        self.node = (self.moves.len(), self.values.len());
    }

    /// Returns the hash of the line, and the canonical hash. Returns `None` if the line has neither
    /// moves nor setup, because such games need not be equal, or if it is too long.
    pub(super) fn finish(&mut self) -> Option<(LineHash, LineHash)> {
        self.end_node();
        if self.is_cut || self.moves.is_empty() {
            return None;
        }
        let mut bytes = std::mem::take(&mut self.scratch);
        let plain = self.hash_after(Symmetry::Identity, &mut bytes);
        let canonical = match self.least_image() {
            Symmetry::Identity => plain,
            symmetry => self.hash_after(symmetry, &mut bytes),
        };
        self.scratch = bytes;
        Some((plain, canonical))
    }

    /// Returns the symmetry that leads to the least image of the line. Nearly always, the first two
    /// moves decide.
    fn least_image(&self) -> Symmetry {
        let size = |symmetry: &Symmetry| symmetry.size(self.size);
        let least = self.symmetries.iter().map(size).min();
        let smallest = self
            .symmetries
            .iter()
            .copied()
            .filter(|symmetry| Some(size(symmetry)) == least);
        Symmetry::least(smallest, &self.moves, |symmetry, played| {
            self.turned(**played, symmetry)
        })
    }

    /// The hash of the line after a symmetry.
    fn hash_after(&self, symmetry: Symmetry, bytes: &mut Vec<u8>) -> LineHash {
        bytes.clear();
        self.write_head(symmetry, bytes);
        let start = bytes.len();
        bytes.resize(start + size_of::<u64>() * self.moves.len(), 0);
        let (numbers, _) = bytes[start..].as_chunks_mut();
        match symmetry {
            Symmetry::Identity => self.turn_all(Symmetry::Identity, numbers),
            Symmetry::Rotate90 => self.turn_all(Symmetry::Rotate90, numbers),
            Symmetry::Rotate180 => self.turn_all(Symmetry::Rotate180, numbers),
            Symmetry::Rotate270 => self.turn_all(Symmetry::Rotate270, numbers),
            Symmetry::MirrorColumns => self.turn_all(Symmetry::MirrorColumns, numbers),
            Symmetry::MirrorRows => self.turn_all(Symmetry::MirrorRows, numbers),
            Symmetry::Transpose => self.turn_all(Symmetry::Transpose, numbers),
            other => self.turn_all(other, numbers),
        }
        LineHash(xxh3_128(bytes))
    }

    /// Writes the numbers of all moves after a symmetry. It is inlined for each symmetry, so that
    /// the loop has no branch for it: 10 instructions per move instead of 40.
    #[inline(always)]
    fn turn_all(&self, symmetry: Symmetry, numbers: &mut [[u8; 8]]) {
        for (number, &played) in numbers.iter_mut().zip(&self.moves) {
            *number = self.turned(played, symmetry).to_le_bytes();
        }
    }

    fn write_head(&self, symmetry: Symmetry, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.header);
        let (columns, rows) = symmetry.size(self.size);
        bytes.extend_from_slice(&columns.to_le_bytes());
        bytes.extend_from_slice(&rows.to_le_bytes());
    }

    /// Returns the hash of game and board size.
    pub(super) fn header_hash(&self) -> u64 {
        let mut head = Vec::new();
        self.write_head(Symmetry::Identity, &mut head);
        xxh3_64(&head)
    }

    /// Returns the numbers of moves and setup in order, each with whether it is setup.
    pub(super) fn moves(&self) -> impl Iterator<Item = (u64, bool)> {
        self.moves
            .iter()
            .map(|&played| (self.turned(played, Symmetry::Identity), is_setup(played)))
    }

    /// Returns the number of a move or setup after a symmetry.
    #[inline(always)]
    fn turned(&self, played: u64, symmetry: Symmetry) -> u64 {
        if is_setup(played) {
            self.turned_setup(played, symmetry)
        } else {
            LineMove(played).turned(symmetry, self.size).0
        }
    }

    #[inline(never)]
    fn turned_setup(&self, played: u64, symmetry: Symmetry) -> u64 {
        let values =
            &self.values[(played >> 24 & 0xFF_FFFF) as usize..(played & 0xFF_FFFF) as usize];
        if self.sums.get().0 != played {
            self.sums.set((played, self.sums_of(values)));
        }
        let place = Symmetry::ALL.iter().position(|&known| known == symmetry);
        let sum = match (self.sums.get().1, place) {
            (Some(sums), Some(place)) => sums[place],
            _ => {
                let hashes = values
                    .iter()
                    .map(|&value| turned_hash(LineMove(value), symmetry, self.size));
                hashes.fold(0, u64::wrapping_add)
            }
        };
        of_hash(0, sum)
    }

    /// Returns the sums of the hashes of values after each symmetry, if all hashes are known.
    fn sums_of(&self, values: &[u64]) -> Option<[u64; 8]> {
        if self.size != (SIDE, SIDE) {
            return None;
        }
        let mut sums = [0_u64; 8];
        for &value in values {
            let (column, row) = LineMove(value)
                .point()
                .filter(|&(column, row)| column < SIDE && row < SIDE)?;
            let ident = STONES
                .iter()
                .position(|ident| number_of(ident) == (value >> 32) as u16)?;
            let hashes = SETUP_HASHES[(ident * 19 + row as usize) * 19 + column as usize];
            for (sum, hash) in sums.iter_mut().zip(hashes) {
                *sum = sum.wrapping_add(hash);
            }
        }
        Some(sums)
    }
}

impl fmt::Debug for LineHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineHasher")
            .field("canonical", &self.canonical)
            .finish_non_exhaustive()
    }
}

/// Returns whether a number marks setup. A point has the bit above, and a text has neither bit.
const fn is_setup(played: u64) -> bool {
    played >> 62 == 1
}

/// Returns the number of a move to a field.
fn point(color: u16, field: BoardCell) -> u64 {
    LineMove::of_point(color, field.column, field.row).0
}

/// Returns the number of any other move.
fn text(color: u16, text: &[u8]) -> u64 {
    of_hash(color, xxh3_64(text))
}

fn of_hash(color: u16, hash: u64) -> u64 {
    hash.wrapping_add(color.into()) & (SETUP - 1)
}

/// Returns the hash of a value of setup after a symmetry.
fn turned_hash(value: LineMove, symmetry: Symmetry, size: (u32, u32)) -> u64 {
    xxh3_64(&value.turned(symmetry, size).0.to_le_bytes())
}

/// Returns whether two values are about the same point. A point beyond 32 columns or rows counts as
/// repeated.
fn may_repeat_points(values: &[u64]) -> bool {
    let mut rows = [0_u32; 32];
    for (column, row) in values.iter().filter_map(|&value| LineMove(value).point()) {
        if column >= 32 || row >= 32 || rows[row as usize] & 1 << column != 0 {
            return true;
        }
        rows[row as usize] |= 1 << column;
    }
    false
}

/// Returns a setup identifier in the form of a color.
fn number_of(ident: &[u8]) -> u16 {
    ident
        .first_chunk()
        .map_or(0, |bytes| u16::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests;
