//! Tokens of a game.

use crate::event::Property;
use crate::scan::Framing;

/// Token of a buffer: 8 bytes.
///
/// ```text
/// bits  0..4   kind; of a property also its framing, and whether it is short
///       4..31  place in the game's bytes
///      31..58  index of the `)` of a `(`; number of a problem; nodes of a run; length of a long property
///      58..63  bytes from node to node of a run
///      63      a property with a single value without blanks; a token that the reader inserted
///
/// short property
///      31..41  key: both letters of the identifier, 0 if it is anything else but one or two capitals
///      41..47  number of values, 63 if it was not counted
///      47..63  length
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Token(u64);

/// TokenKind of a [`Token`].
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::{GameReader, TokenKind};
///
/// let mut games = GameReader::new(SliceReader::new(b"(;GM[1];B[aa];W[bb])"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let kinds: Vec<_> = game.tokens().iter().map(|token| token.kind()).collect();
/// assert_eq!(
///     kinds,
///     [
///         TokenKind::Open,
///         TokenKind::Node,
///         TokenKind::Property,
///         TokenKind::Run,
///         TokenKind::Close
///     ]
/// );
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TokenKind {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `;`.
    Node,
    /// `B[xy]` or `W[xy]` after another property of its node, or in the root.
    Move,
    /// Nodes that begin with a plain move each, with nothing else but the properties that follow
    /// the last of them.
    Run,
    /// Problem in the file.
    Problem,
    /// Any other property.
    Property,
}

/// Bytes and tokens of a game that a token can count.
pub(crate) const FIELD_MAX: u64 = (1 << 27) - 1;

/// Kinds of properties, to which the framing is added.
const SHORT: u64 = 8;
const LONG: u64 = 12;

/// Number of values that were not counted.
const UNCOUNTED: u64 = 63;

impl Token {
    #[inline(always)]
    pub(crate) fn new(kind: TokenKind, at: u64, len: u64) -> Self {
        Self(kind as u64 | at << 4 | len << 31)
    }

    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    pub(crate) fn of_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the fields of a short property of one value, without place, length and key.
    #[inline(always)]
    pub(crate) fn one_value(framing: Framing) -> u64 {
        SHORT | framing as u64 | 1 << 41 | 1 << 63
    }

    /// Returns these fields with another number of values.
    #[inline(always)]
    pub(crate) fn with_values(one_value: u64, values: usize) -> u64 {
        if values == 1 {
            one_value
        } else {
            one_value & !(1 << 41 | 1 << 63) | (values as u64).min(UNCOUNTED) << 41
        }
    }

    /// Returns the key of an identifier of two letters, or of one letter and `@`; 0 if they are not
    /// capitals.
    #[inline(always)]
    pub(crate) fn key_of_letters(first: u8, second: u8) -> u64 {
        let are_capitals = first & 0xE0 == 0x40 && second & 0xE0 == 0x40;
        if are_capitals {
            u64::from(first & 31) << 5 | u64::from(second & 31)
        } else {
            0
        }
    }

    /// Returns the key of an identifier of one or two capitals.
    #[inline(always)]
    pub(crate) fn key_of(ident: &[u8]) -> u64 {
        let letter = |byte: u8| byte.is_ascii_uppercase().then_some(u64::from(byte & 31));
        match *ident {
            [one] => letter(one).map_or(0, |one| one << 5),
            [one, two] => letter(one)
                .and_then(|one| Some(one << 5 | letter(two)?))
                .unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns a short property; `fields` are the fields of [`one_value`](Self::one_value).
    #[inline(always)]
    pub(crate) fn short(fields: u64, at: u64, len: u64, key: u64) -> Self {
        Self(fields | at << 4 | key << 31 | len << 47)
    }

    #[inline(always)]
    pub(crate) fn is_short(len: u64) -> bool {
        len < 1 << 16
    }

    #[cold]
    pub(crate) fn long(framing: u64, at: u64, len: u64, simple: bool) -> Self {
        Self(LONG | framing | at << 4 | len << 31 | u64::from(simple) << 63)
    }

    /// Returns a property with these fields; of a long one, the key and the number of values are
    /// left out.
    pub(crate) fn of_fields(
        framing: u64,
        at: u64,
        len: u64,
        key: u64,
        values: u64,
        simple: bool,
    ) -> Self {
        if !Self::is_short(len) {
            return Self::long(framing, at, len, simple);
        }
        let fields = SHORT | framing | values.min(UNCOUNTED) << 41 | u64::from(simple) << 63;
        Self::short(fields, at, len, key)
    }

    pub(crate) fn property(property: &Property<'_>, at: u64) -> Self {
        let (len, framing) = (property.as_bytes().len() as u64, property.framing() as u64);
        if !Self::is_short(len) {
            return Self::long(framing, at, len, property.is_simple());
        }
        let mut fields = Self::one_value(property.framing());
        if !property.is_simple() {
            let values = property.values().take(UNCOUNTED as usize).count() as u64;
            fields = fields & !(1 << 41 | 1 << 63) | values << 41;
        }
        Self::short(fields, at, len, Self::key_of(property.ident().as_bytes()))
    }

    #[inline(always)]
    pub(crate) fn run(at: u64, count: u64, stride: u64) -> Self {
        Self(Self::new(TokenKind::Run, at, count).0 | stride << 58)
    }

    /// Returns this run with the node at `at` after it, if all nodes of the run have the same
    /// distance.
    #[inline(always)]
    pub(crate) fn with_node(self, at: u64) -> Option<Self> {
        if self.0 & 15 != TokenKind::Run as u64 {
            return None;
        }
        let (start, count) = (self.0 >> 4 & FIELD_MAX, self.0 >> 31 & FIELD_MAX);
        let distance = at.wrapping_sub(start);
        if count == 1 {
            return (distance < 32).then(|| Self::run(start, 2, distance));
        }
        (distance == count * (self.0 >> 58 & 31)).then(|| self.with_nodes(1))
    }

    /// Returns this run with `count` more nodes after it.
    #[inline(always)]
    pub(crate) fn with_nodes(self, count: u64) -> Self {
        Self(self.0 + (count << 31))
    }

    #[inline(always)]
    pub(crate) fn with_len(self, len: u64) -> Self {
        Self(self.0 & !(FIELD_MAX << 31) | len << 31)
    }

    #[inline(always)]
    pub(crate) fn inserted(self, is_inserted: bool) -> Self {
        Self(self.0 | u64::from(is_inserted) << 63)
    }

    /// Returns the kind, such as a property or the start of a node.
    #[must_use]
    #[inline(always)]
    pub fn kind(self) -> TokenKind {
        match self.0 & 15 {
            0 => TokenKind::Open,
            1 => TokenKind::Close,
            2 => TokenKind::Node,
            3 => TokenKind::Move,
            4 => TokenKind::Run,
            5 => TokenKind::Problem,
            _ => TokenKind::Property,
        }
    }

    #[inline(always)]
    pub(crate) fn is_move(self) -> bool {
        self.0 & 15 == TokenKind::Move as u64
    }

    #[inline(always)]
    pub(crate) fn framing(self) -> Framing {
        [
            Framing::Value,
            Framing::Pairs,
            Framing::ShiftJis,
            Framing::Auto,
        ][(self.0 & 3) as usize]
    }

    /// Returns the place of the first byte in the game.
    #[must_use]
    #[inline(always)]
    pub fn at(self) -> usize {
        (self.0 >> 4 & FIELD_MAX) as usize
    }

    /// Returns the length of a property; else the field of the kind.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        if self.0 & 12 == SHORT {
            (self.0 >> 47 & 0xFFFF) as usize
        } else {
            (self.0 >> 31 & FIELD_MAX) as usize
        }
    }

    /// Returns the key of a property's identifier, if it has one or two capitals: five bits a
    /// letter.
    #[must_use]
    #[inline(always)]
    pub fn key(self) -> Option<u16> {
        let key = (self.0 >> 31 & 1023) as u16;
        (self.0 & 12 == SHORT && key != 0).then_some(key)
    }

    /// Returns the number of a property's values, if they were counted.
    #[must_use]
    #[inline(always)]
    pub fn values(self) -> Option<u32> {
        let values = self.0 >> 41 & 63;
        (self.0 & 12 == SHORT && values != UNCOUNTED).then_some(values as u32)
    }

    #[inline(always)]
    pub(crate) fn ident_len(self) -> Option<u32> {
        self.key().map(|key| if key & 31 == 0 { 1 } else { 2 })
    }

    #[inline(always)]
    pub(crate) fn stride(self) -> usize {
        (self.0 >> 58 & 31) as usize
    }

    /// Returns whether the reader inserted the token.
    #[must_use]
    pub fn is_inserted(self) -> bool {
        matches!(
            self.kind(),
            TokenKind::Open | TokenKind::Close | TokenKind::Node
        ) && self.is_marked()
    }

    #[inline(always)]
    pub(crate) fn is_marked(self) -> bool {
        self.0 >> 63 == 1
    }

    /// Returns the places of the moves of a run.
    #[inline(always)]
    pub fn places(self) -> impl Iterator<Item = usize> + use<> {
        let (at, stride) = (self.at() + 1, self.stride());
        (0..self.len()).map(move |number| at + number * stride)
    }

    /// Returns the number of nodes that the token starts.
    #[must_use]
    #[inline(always)]
    pub fn nodes(self) -> usize {
        match self.kind() {
            TokenKind::Node => 1,
            TokenKind::Run => self.len(),
            _ => 0,
        }
    }

    /// Returns the token of a move of a run. Moves are numbered from 0.
    #[must_use]
    pub fn of_run(self, number: usize) -> Self {
        Self::new(
            TokenKind::Move,
            (self.at() + 1 + number * self.stride()) as u64,
            0,
        )
    }
}
