//! Hash of a board that is updated while moves are made and stones are set up. Two boards of one
//! game and size have the same hash if all their cells have the same contents, whatever the order
//! of the moves.

use std::sync::Arc;

use crate::value::BoardSize;

use super::havannah::Hexagon;
use super::kropki::{Border, Dots, Territory};
use super::{Board, BoardCell, Dialect, Effects, Game, Move, Setup, Stone, Symmetry};

/// Odd number nearest to 2⁶⁴ divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes the bits of `x` by the finalizer of SplitMix64, in which every bit changes half of the
/// others.
#[inline]
pub(super) const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Largest number of symmetries of a board: a hexagon has 12.
const WAYS: usize = 12;

/// Zobrist hash of a board under all symmetries of its game at once. A
/// [`GameBoard`](super::GameBoard) updates it after a call of
/// [`keep_hash`](super::GameBoard::keep_hash).
///
/// The hash depends on the board, not on the moves: captured stones, the order of moves, the side
/// to move, ko and prisoners have no influence. It is stable across releases, machines and runs.
/// With `mix` the finalizer of SplitMix64, `golden` = `0x9E3779B97F4A7C15`, and all sums modulo
/// 2⁶⁴:
///
/// ```text
/// seed     = 0; for each byte of "sgfstream board 1" 0, the game's name (of a number without a name
///            the number), 0, columns u32, rows u32 (little-endian): seed = mix(seed + golden + byte)
/// field    = mix(seed + golden * (65536 * row + column + 1))            column and row from 0
/// content  = 1 Black or the first color, 2 White, 3, 4, else a number of the game
/// part     = field rotated left by 16 * (content - 1) bits, where content is at most 4
///            mix(field + golden * content)                  where it is more
/// hash     = mix(seed) xor the part of each field that is not empty
/// ```
///
/// Contents above 4 are 5 to 10 in Kropki (`5 + 3 * owner + dot`: owner 0 for Black and 1 for
/// White, dot 0 for no dot, 1 Black, 2 White) and 255 for an arrow of Amazons. In Octi, a content
/// is computed from the pods of the stack, lowest first: starting with 0, for each pod
/// `stack = mix(stack + golden + 65536 * color + 256 * superprongs + prongs)`, with color 0 for
/// Black and 1 for White, and a bit for each prong and superprong, `A` the lowest.
///
/// A rotated or mirrored board has the hash of the transformed cells. On a board that is not
/// square, a quarter turn exchanges columns and rows in the seed too. Havannah hashes the cells in
/// straight numbering. The canonical hash is the smallest hash under the [`Game::symmetries`].
///
/// ```
/// use sgfstream_game::{Dialect, Game, GameBoard, Side, board::Symmetry};
///
/// let go = Dialect::new(Game::Go, None);
/// let hash = |moves: &[(Side, &[u8])]| {
///     let mut position = GameBoard::new(&go).expect("Go has a board");
///     position.keep_hash();
///     for (side, point) in moves {
///         position.play(*side, &go.parse_move(point).expect("a point")).expect("legal");
///     }
///     position.hash().expect("it is kept").clone()
/// };
/// let one = hash(&[(Side::Black, b"pd"), (Side::White, b"dc")]);
/// let turned = hash(&[(Side::White, b"cp"), (Side::Black, b"dd")]); // a quarter turn
/// assert_ne!(one.plain(), turned.plain());
/// assert_eq!(one.canonical().0, turned.canonical().0);
/// let exchanged = hash(&[(Side::White, b"pd"), (Side::Black, b"dc")]);
/// assert_ne!(one.canonical().0, exchanged.canonical().0);
/// assert_eq!(one.canonical().0, exchanged.exchanged().expect("Go has it").0);
/// assert_eq!(hash(&[]).plain(), 0x3b31_007a_5d20_9c99);
/// ```
#[derive(Clone, Debug)]
pub struct BoardHash {
    game: Game,
    size: BoardSize,
    /// Set in Havannah only.
    hexagon: Option<Hexagon>,
    as_is: SymmetrySums,
    exchanged: SymmetrySums,
    /// Contents of the cells, row by row; empty in Octi, whose hash is recomputed from all cells.
    contents: Vec<u8>,
    /// Whether the next setup may clear the initial position of a game: no setup has come so far.
    is_unset: bool,
    /// Changes of contents, if the caller wants them.
    changes: Option<Vec<Change>>,
}

/// A cell whose content has changed: see
/// [`GameBoard::keep_changes`](super::GameBoard::keep_changes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The cell; in Havannah in straight numbering.
    pub field: BoardCell,
    /// Content before the change: see [`BoardHash`].
    pub old: u8,
    /// Content after the change.
    pub new: u8,
}

/// Data that a `GameBoard` keeps up to date beside its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardTracking {
    /// Hash under all symmetries.
    Hash,
    /// Hash of the board in its own orientation.
    PlainHash,
    /// List of changes, without a hash.
    Changes,
    /// Hash under all symmetries without an exchange of colors, and a list of changes.
    HashAndChanges,
}

/// Hash sums of a board under several symmetries.
#[derive(Clone, Debug)]
struct SymmetrySums {
    ways: &'static [Symmetry],
    seeds: [u64; WAYS],
    /// Sum of each symmetry, and the largest number beyond them.
    sums: [u64; WAYS],
    /// Keys of all cells, row by row, if boards of several games share them.
    keys: Option<Arc<[[u64; WAYS]]>>,
}

impl SymmetrySums {
    fn new(ways: &'static [Symmetry]) -> Self {
        Self {
            ways,
            seeds: [0; WAYS],
            sums: [u64::MAX; WAYS],
            keys: None,
        }
    }

    fn clear(&mut self, game: Game, size: BoardSize) {
        self.keys = None;
        for (at, symmetry) in self.ways.iter().enumerate() {
            self.seeds[at] = seed(game, symmetry.size((size.columns(), size.rows())));
            self.sums[at] = mix(self.seeds[at]);
        }
    }

    /// Returns the key of a cell under each symmetry.
    fn fields(&self, field: BoardCell, size: BoardSize) -> [u64; WAYS] {
        let mut fields = [0; WAYS];
        for (at, symmetry) in self.ways.iter().enumerate() {
            let turned = symmetry.apply(
                (field.column.into(), field.row.into()),
                (size.columns(), size.rows()),
            );
            fields[at] = field_key(self.seeds[at], turned);
        }
        fields
    }

    /// Computes the keys of all cells.
    fn compute_keys(&mut self, size: BoardSize) {
        let row =
            |row: u16| (0..size.columns() as u16).map(move |column| BoardCell::new(column, row));
        let cells = (0..size.rows() as u16).flat_map(row);
        self.keys = Some(cells.map(|cell| self.fields(cell, size)).collect());
    }

    /// Updates the sums after a change of a cell.
    #[inline]
    fn change(&mut self, field: BoardCell, size: BoardSize, contents: [u64; 2]) {
        let new;
        let fields = match (&self.keys, field.index_on(size)) {
            (Some(keys), Some(at)) => &keys[at],
            _ => {
                new = self.fields(field, size);
                &new
            }
        };
        for content in contents.into_iter().filter(|content| *content > 0) {
            let sums = self.sums.iter_mut().zip(fields);
            if content <= 4 {
                // The keys beyond the symmetries are 0, so a loop of constant length leaves their
                // sums.
                let bits = 16 * (content as u32 - 1);
                sums.for_each(|(sum, field)| *sum ^= field.rotate_left(bits));
            } else {
                let sums = sums.take(self.ways.len());
                sums.for_each(|(sum, field)| {
                    *sum ^= mix(field.wrapping_add(GOLDEN.wrapping_mul(content)))
                });
            }
        }
    }

    /// Returns the smallest sum, and the first symmetry with that sum.
    #[inline]
    fn least(&self) -> Option<(u64, Symmetry)> {
        let least = self
            .sums
            .iter()
            .fold(u64::MAX, |least, &sum| least.min(sum));
        Some((
            least,
            *self
                .ways
                .get(self.sums.iter().position(|sum| *sum == least)?)?,
        ))
    }
}

fn seed(game: Game, (columns, rows): (u32, u32)) -> u64 {
    let number;
    let name = match game {
        Game::Number(unnamed) => {
            number = unnamed.to_string();
            &*number
        }
        game => game.name(),
    };
    let parts = [
        &b"sgfstream board 1\0"[..],
        name.as_bytes(),
        &[0],
        &columns.to_le_bytes(),
        &rows.to_le_bytes(),
    ];
    parts.into_iter().flatten().fold(0, |seed: u64, &byte| {
        mix(seed.wrapping_add(GOLDEN).wrapping_add(byte.into()))
    })
}

#[inline]
fn field_key(seed: u64, (column, row): (u32, u32)) -> u64 {
    let number = u64::from(row) << 16 | u64::from(column);
    mix(seed.wrapping_add(GOLDEN.wrapping_mul(number + 1)))
}

/// Returns the content of an Octi stack after one more pod.
pub(super) const fn add_to_stack(stack: u64, color: u64, prongs: u64) -> u64 {
    mix(stack
        .wrapping_add(GOLDEN)
        .wrapping_add(65536 * color + prongs))
}

/// Returns the content of a cell after an exchange of colors.
const fn exchange(content: u64) -> u64 {
    match content {
        1 | 3 => content + 1,
        2 | 4 => content - 1,
        // Kropki: 5 + 3 * owner + dot.
        5..=10 => {
            let (owner, dot) = ((content - 5) / 3, (content - 5) % 3);
            5 + 3 * (1 - owner) + (3 - dot) % 3
        }
        _ => content,
    }
}

impl BoardHash {
    /// Hashes a board. Pass `is_empty` if nothing is on it.
    pub(super) fn new(
        dialect: &Dialect,
        board: &dyn Board,
        keep: BoardTracking,
        is_empty: bool,
    ) -> Self {
        let game = dialect.game();
        let (as_is, exchanged): (&[Symmetry], &[Symmetry]) = match keep {
            BoardTracking::Hash => (game.symmetries(), game.exchanged_symmetries()),
            BoardTracking::HashAndChanges => (game.symmetries(), &[]),
            BoardTracking::PlainHash => (&[Symmetry::Identity], &[]),
            BoardTracking::Changes => (&[], &[]),
        };
        let mut hash = Self {
            game,
            size: board.size(),
            hexagon: (game == Game::Havannah).then(|| dialect.hexagon()),
            as_is: SymmetrySums::new(as_is),
            exchanged: SymmetrySums::new(exchanged),
            contents: Vec::new(),
            is_unset: !is_empty,
            changes: matches!(keep, BoardTracking::Changes | BoardTracking::HashAndChanges)
                .then(Vec::new),
        };
        hash.clear();
        if !is_empty {
            hash.look_at_all(board);
        }
        hash
    }

    /// Returns a cell in the numbering of the hash: straight numbering in Havannah. Returns `None`
    /// off the board.
    #[inline]
    pub(super) fn field(&self, field: BoardCell) -> Option<BoardCell> {
        match self.hexagon {
            Some(hexagon) => hexagon.straighten(field),
            None => field.is_on(self.size).then_some(field),
        }
    }

    /// Returns whether a hash is kept.
    #[inline]
    pub(super) fn keeps_hash(&self) -> bool {
        !self.as_is.ways.is_empty()
    }

    /// Computes the keys of all cells once, for boards that clone this hash.
    pub(super) fn compute_keys(&mut self) {
        self.as_is.compute_keys(self.size);
        self.exchanged.compute_keys(self.size);
    }

    /// Returns the list of changes, if it is kept.
    #[inline]
    pub(super) fn changes(&mut self) -> Option<&mut Vec<Change>> {
        self.changes.as_mut()
    }

    /// Returns the hash of the board in its own orientation.
    #[must_use]
    #[inline]
    pub fn plain(&self) -> u64 {
        self.as_is.sums[0]
    }

    /// Returns the smallest hash of the board under the symmetries of its game, and the symmetry
    /// that leads to it.
    #[must_use]
    #[inline]
    pub fn canonical(&self) -> (u64, Symmetry) {
        self.as_is
            .least()
            .unwrap_or((self.plain(), Symmetry::Identity))
    }

    /// Returns the smallest hash after an exchange of colors. Returns `None` in games whose colors
    /// cannot be exchanged: see [`Game::exchanged_symmetries`].
    #[must_use]
    pub fn exchanged(&self) -> Option<(u64, Symmetry)> {
        self.exchanged.least()
    }

    /// Returns the hash under each symmetry of the game, the board's own orientation first, and
    /// then those with exchanged colors. The boolean is true for exchanged colors.
    ///
    /// If another board has one of these hashes as its [`plain`](Self::plain) hash, it is this
    /// board under that symmetry.
    pub fn turned(&self) -> impl Iterator<Item = (u64, Symmetry, bool)> + '_ {
        let of = |turned: &'_ SymmetrySums, is_exchanged| {
            let ways = turned.ways.iter().zip(turned.sums);
            ways.map(move |(&symmetry, sum)| (sum, symmetry, is_exchanged))
                .collect::<Vec<_>>()
        };
        of(&self.as_is, false)
            .into_iter()
            .chain(of(&self.exchanged, true))
    }

    /// Resets the hash to an empty board.
    fn clear(&mut self) {
        self.as_is.clear(self.game, self.size);
        self.exchanged.clear(self.game, self.size);
        self.contents.clear();
        if self.game != Game::Octi {
            self.contents
                .resize(self.size.columns() as usize * self.size.rows() as usize, 0);
        }
    }

    /// Updates the hash from every cell.
    fn look_at_all(&mut self, board: &dyn Board) {
        if self.size != board.size() || self.contents.is_empty() {
            self.size = board.size();
            self.clear();
        }
        for row in 0..self.size.rows() as u16 {
            for column in 0..self.size.columns() as u16 {
                self.look_at(board, BoardCell::new(column, row));
            }
        }
    }

    /// Updates the hash from the current content of a cell.
    #[inline]
    fn look_at(&mut self, board: &(impl Board + ?Sized), field: BoardCell) {
        if field.is_on(self.size) {
            self.set(field, board.content(field));
        }
    }

    #[inline]
    fn set(&mut self, field: BoardCell, new: u64) {
        let Some(at) = field.index_on(self.size) else {
            return;
        };
        let old = match self.contents.get_mut(at) {
            Some(content) => u64::from(std::mem::replace(content, new as u8)),
            None => 0,
        };
        if old != new {
            self.change(field, old, new);
        }
    }

    #[inline]
    fn change(&mut self, field: BoardCell, old: u64, new: u64) {
        let Some(field) = self.field(field) else {
            return;
        };
        if let Some(changes) = &mut self.changes {
            changes.push(Change {
                field,
                old: old as u8,
                new: new as u8,
            });
        }
        if self.as_is.ways.is_empty() {
            return;
        }
        self.as_is.change(field, self.size, [old, new]);
        if !self.exchanged.ways.is_empty() {
            self.exchanged
                .change(field, self.size, [exchange(old), exchange(new)]);
        }
    }

    /// Updates the hash after a stone was placed on a board of Go: `new` is the content of its
    /// cell, and the cells of `taken` are empty.
    #[inline]
    pub(super) fn follow_stone(
        &mut self,
        field: BoardCell,
        new: u8,
        taken: impl Iterator<Item = BoardCell>,
    ) {
        if field.is_on(self.size) {
            self.set(field, new.into());
            for taken in taken {
                self.set(taken, 0);
            }
        }
    }

    /// Updates the hash after a move. In Go, pass only moves that place no stone.
    #[inline]
    pub(super) fn follow_move(&mut self, board: &dyn Board, mv: &Move, played: Effects) {
        match mv {
            Move::Place(field) => {
                self.look_at(board, *field);
                if played.turned > 0 {
                    self.look_around(board, *field);
                }
            }
            Move::Pass => {}
            mv => self.follow_other(board, mv, played),
        }
    }

    #[cold]
    fn follow_other(&mut self, board: &dyn Board, mv: &Move, played: Effects) {
        match mv {
            Move::Step { from, to, .. } => [from, to]
                .into_iter()
                .for_each(|field| self.look_at(board, *field)),
            Move::Shot { from, to, arrow } => {
                [from, to, arrow]
                    .into_iter()
                    .for_each(|field| self.look_at(board, *field));
            }
            Move::Dots(dots) => self.look_at_dots(board, dots),
            Move::Piece(piece) => piece
                .fields()
                .iter()
                .for_each(|&field| self.look_at(board, field)),
            Move::Octi(_) => self.look_at_all(board),
            // Pieces were swapped.
            _ if played.turned > 0 => self.look_at_all(board),
            _ => {}
        }
    }

    /// Updates the hash after one value of a setup property.
    pub(super) fn follow_setup(&mut self, board: &dyn Board, setup: Setup, stone: &Stone) {
        if std::mem::take(&mut self.is_unset) || self.game == Game::Octi {
            return self.look_at_all(board);
        }
        match (setup, stone) {
            (_, Stone::Point(field)) => self.look_at(board, *field),
            (_, Stone::Piece(piece)) => piece
                .fields()
                .iter()
                .for_each(|&field| self.look_at(board, field)),
            (_, Stone::Territory(Territory::Point(field))) => self.look_at(board, *field),
            (_, Stone::Territory(Territory::Rectangle(from, to))) => {
                self.look_at_rows(board, [*from, *to].iter())
            }
            (_, Stone::Territory(Territory::Borders(borders))) => {
                self.look_at_rows(board, borders.iter().flat_map(Border::points));
            }
            _ => {}
        }
    }

    /// Updates the hash from the cells in all eight directions, up to the first cell that did not
    /// change.
    fn look_around(&mut self, board: &dyn Board, from: BoardCell) {
        for (right, down) in super::grid::QUEEN_STEPS {
            let mut field = from;
            loop {
                let column = i32::from(field.column) + right;
                let row = i32::from(field.row) + down;
                let (Ok(column), Ok(row)) = (u16::try_from(column), u16::try_from(row)) else {
                    break;
                };
                field = BoardCell::new(column, row);
                let Some(at) = field.index_on(self.size) else {
                    break;
                };
                if self
                    .contents
                    .get(at)
                    .is_none_or(|&content| u64::from(content) == board.content(field))
                {
                    break;
                }
                self.look_at(board, field);
            }
        }
    }

    fn look_at_dots(&mut self, board: &dyn Board, dots: &Dots) {
        if dots.borders().is_empty() {
            dots.dot()
                .into_iter()
                .for_each(|field| self.look_at(board, field));
        } else {
            let points: Vec<BoardCell> = dots.points().collect();
            self.look_at_rows(board, points.iter());
        }
    }

    /// Updates the hash from the rows of these points and all rows between them.
    fn look_at_rows<'f>(
        &mut self,
        board: &dyn Board,
        points: impl Iterator<Item = &'f BoardCell> + Clone,
    ) {
        let (Some(top), Some(bottom)) = (
            points.clone().map(|point| point.row).min(),
            points.map(|point| point.row).max(),
        ) else {
            return;
        };
        for row in top..=bottom {
            (0..self.size.columns() as u16)
                .for_each(|column| self.look_at(board, BoardCell::new(column, row)));
        }
    }
}
