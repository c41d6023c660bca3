//! A table: its columns as data.

use std::collections::HashMap;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::filter::Selection;
use crate::row::ColumnType;

use super::position_options::PositionOptions;

/// The version of names, types and meanings of all columns.
pub const SCHEMA: &str = "3";

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// A row for each game.
    Games,
    /// A row for each move of a main line.
    Moves,
    /// A row for each comment.
    Comments,
    /// A row for each game, with its main line as lists of numbers.
    Lines,
    /// A row for each position of a main line.
    Positions,
    /// A row for the hash of each position of a main line.
    Boards,
}

impl TableKind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Games, Self::Moves, Self::Comments, Self::Lines, Self::Positions, Self::Boards];

    /// The name: `games`, `moves` and so on.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Moves => "moves",
            Self::Comments => "comments",
            Self::Lines => "lines",
            Self::Positions => "positions",
            Self::Boards => "boards",
        }
    }
}

/// One thing for each table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerTable<T>([T; 6]);

impl<T> PerTable<T> {
    /// What `make` makes for each.
    pub fn new(make: impl FnMut(TableKind) -> T) -> Self {
        Self(TableKind::ALL.map(make))
    }

    /// Each table and its thing.
    pub fn iter(&self) -> impl Iterator<Item = (TableKind, &T)> {
        TableKind::ALL.into_iter().zip(&self.0)
    }

    /// Likewise, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (TableKind, &mut T)> {
        TableKind::ALL.into_iter().zip(&mut self.0)
    }
}

impl<T> IntoIterator for PerTable<T> {
    type Item = (TableKind, T);
    type IntoIter = std::iter::Zip<std::array::IntoIter<TableKind, 6>, std::array::IntoIter<T, 6>>;

    fn into_iter(self) -> Self::IntoIter {
        TableKind::ALL.into_iter().zip(self.0)
    }
}

impl<T> Index<TableKind> for PerTable<T> {
    type Output = T;

    fn index(&self, kind: TableKind) -> &T {
        &self.0[kind as usize]
    }
}

impl<T> IndexMut<TableKind> for PerTable<T> {
    fn index_mut(&mut self, kind: TableKind) -> &mut T {
        &mut self.0[kind as usize]
    }
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) types: Vec<CellType>,
    pub(super) schema: SchemaRef,
}

/// What the cells of a column are. The numbers of training data are small, and so are their types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellType {
    Cell(ColumnType),
    Byte,
    Short,
    Bytes,
    Shorts,
    /// Lists of this length.
    FixedBytes(usize),
    FixedShorts(usize),
}

impl CellType {
    pub(super) const INT: Self = Self::Cell(ColumnType::Int);
    pub(super) const TEXT: Self = Self::Cell(ColumnType::Text);
    pub(super) const FLOAT: Self = Self::Cell(ColumnType::Float);
    pub(super) const BOOL: Self = Self::Cell(ColumnType::Bool);

    fn data_type(self) -> DataType {
        let item = |data_type| Arc::new(Field::new_list_field(data_type, true));
        match self {
            Self::TEXT => DataType::Utf8,
            Self::INT => DataType::Int64,
            Self::FLOAT => DataType::Float64,
            Self::Cell(ColumnType::Date) => DataType::Date32,
            Self::BOOL => DataType::Boolean,
            Self::Byte => DataType::Int8,
            Self::Short => DataType::Int16,
            Self::Bytes => DataType::List(item(DataType::Int8)),
            Self::Shorts => DataType::List(item(DataType::Int16)),
            Self::FixedBytes(len) => DataType::FixedSizeList(item(DataType::Int8), len as i32),
            Self::FixedShorts(len) => DataType::FixedSizeList(item(DataType::Int16), len as i32),
        }
    }
}

const KEY: (&str, CellType, &str) =
    ("key", CellType::INT, "Key of the game: the first 64 bits of XXH3 of `source!member@offset`");

const MOVES: [(&str, CellType, &str); 13] = [
    KEY,
    ("ply", CellType::INT, "Number of the move in the main line, from 1; of a setup, that of the move before it"),
    ("step", CellType::INT, "Number of the row in its game, from 1"),
    (
        "kind",
        CellType::TEXT,
        "`move`, or the identifier of a setup: `AB`, `AW`, `AE`, `PL` and others; `start` where a game begins with stones",
    ),
    ("color", CellType::TEXT, "`B`, `W`, or a colour's number, `3` or `4`"),
    ("move", CellType::TEXT, "The move or the value of the setup as written; empty for a pass"),
    ("x", CellType::INT, "Column of the field that the move or setup is about, from 0, from the left"),
    ("y", CellType::INT, "Row of the field, from 0, from the top"),
    ("is_pass", CellType::BOOL, "The move is a pass; nothing for a setup"),
    ("is_legal", CellType::BOOL, "The move is legal; nothing where no board is known, or for a setup"),
    ("time_left", CellType::FLOAT, "BL or WL of the mover in the same node, in seconds"),
    ("captures", CellType::INT, "What the move took from the opponent; nothing where no board is known"),
    (
        "changes",
        CellType::TEXT,
        "What the board has after the row and x, y and color do not say: `x,y,stone` with a blank between, `-` for empty",
    ),
];

const COMMENTS: [(&str, CellType, &str); 5] = [
    KEY,
    ("node", CellType::INT, "Number of the node in the game, in the order of the file, from 0"),
    ("ply", CellType::INT, "Moves of the main line up to the node; nothing in a variation"),
    ("property", CellType::TEXT, "`C`, `GC` or `N`"),
    ("text", CellType::TEXT, "The text, decoded; at most 1 MiB of it"),
];

const WINNER: (&str, CellType, &str) =
    ("winner", CellType::Byte, "1 for Black, 2 for White, 0 for a draw; nothing where it is not sure");
const MARGIN: (&str, CellType, &str) = ("margin", CellType::FLOAT, "By how many points the game was won");
const KOMI: (&str, CellType, &str) = ("komi", CellType::FLOAT, "KM");

const LINES: [(&str, CellType, &str); 14] = [
    KEY,
    ("board_width", CellType::Short, "Columns of the board"),
    ("board_height", CellType::Short, "Rows of the board"),
    ("black", CellType::Shorts, "Points of Black's stones before the first move; nothing where they cannot be told"),
    ("white", CellType::Shorts, "Points of White's stones before the first move"),
    (
        "moves",
        CellType::Shorts,
        "Each move as y * board_width + x, -1 for a pass, -2 for another move; nothing for more than 1,048,576 moves",
    ),
    ("colors", CellType::Bytes, "Who played each move: 1 for Black, 2 for White"),
    WINNER,
    MARGIN,
    KOMI,
    ("handicap", CellType::INT, "HA"),
    ("rules", CellType::TEXT, "RU"),
    ("is_legal", CellType::BOOL, "Every move is legal; nothing where moves were not played on a board"),
    ("has_later_setup", CellType::BOOL, "Stones are set up after the first move"),
];

const PROBLEMS: [(&str, CellType, &str); 5] = [
    ("source", CellType::TEXT, "The file that could not be read, or not to its end"),
    ("member", CellType::TEXT, "The member of the archive, `outer!inner` where archives nest"),
    ("code", CellType::TEXT, "A stable name of the kind of problem"),
    ("expected", CellType::TEXT, "What should have been there"),
    ("found", CellType::TEXT, "What was there"),
];

impl Table {
    /// Games: their key, then these columns.
    #[must_use]
    pub fn games(selection: &Selection) -> Self {
        let key = std::iter::once((KEY.0.to_owned(), KEY.1, KEY.2.to_owned()));
        let columns = selection.columns().iter();
        let columns =
            columns.map(|column| (column.name.clone(), CellType::Cell(column.column_type), column.description()));
        Self::new("games", key.chain(columns))
    }

    /// The moves of main lines.
    #[must_use]
    pub fn moves() -> Self {
        Self::of("moves", &MOVES)
    }

    /// Comments.
    #[must_use]
    pub fn comments() -> Self {
        Self::of("comments", &COMMENTS)
    }

    /// Main lines as lists of numbers.
    #[must_use]
    pub fn lines() -> Self {
        Self::of("lines", &LINES)
    }

    /// Hashes of positions. Boards that are the same when they are turned or mirrored have one hash.
    #[must_use]
    pub fn boards() -> Self {
        let columns = [
            ("hash", CellType::INT, "Canonical hash of the board (`BoardHash`), its 64 bits as a signed number"),
            KEY,
            ("ply", CellType::INT, "Moves that were made"),
            ("color", CellType::Byte, "Who plays next: 1 for Black or the first colour; nothing at the end"),
            ("next", CellType::TEXT, "The next move on the board turned so that it has the canonical hash"),
            WINNER,
            ("board", CellType::TEXT, "Game and size: `Go 19x19`"),
        ];
        Self::of("boards", &columns)
    }

    /// Positions of main lines.
    #[must_use]
    pub fn positions(options: &PositionOptions) -> Self {
        let history = options.history.into();
        let columns = [
            KEY,
            ("ply", CellType::INT, "Number of the move that is played next, from 1"),
            ("color", CellType::Byte, "Who plays it: 1 for Black, 2 for White"),
            ("move", CellType::Short, "The move as row * size + column, -1 for a pass, -2 for another move"),
            ("stones", CellType::FixedBytes(options.points()), "The board before it, row by row: 0, 1 or 2"),
            ("ko", CellType::Short, "The point that the ko forbids to the one who plays; -1 for none"),
            WINNER,
            MARGIN,
            KOMI,
            ("last", CellType::FixedShorts(history), "The moves before it, the last one first; -2 for none"),
        ];
        // A list of no numbers is a type that few programs know.
        Self::of("positions", &columns[..columns.len() - usize::from(history == 0)])
    }

    /// Files and members that could not be read.
    #[must_use]
    pub fn problems() -> Self {
        Self::of("problems", &PROBLEMS)
    }

    fn of(name: &str, columns: &[(&str, CellType, &str)]) -> Self {
        let column = |&(name, cell_type, about): &(&str, _, &str)| (name.to_owned(), cell_type, about.to_owned());
        Self::new(name, columns.iter().map(column))
    }

    fn new(name: &str, columns: impl Iterator<Item = (String, CellType, String)>) -> Self {
        let mut types = Vec::new();
        let fields = columns.map(|(name, cell_type, about)| {
            types.push(cell_type);
            let about = HashMap::from([("description".to_owned(), about)]);
            Field::new(name, cell_type.data_type(), true).with_metadata(about)
        });
        let fields: Vec<Field> = fields.collect();
        let metadata = [("sgfq.table", name), ("sgfq.schema", SCHEMA), ("sgfq.version", env!("CARGO_PKG_VERSION"))];
        let metadata: HashMap<_, _> =
            metadata.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { types, schema: Arc::new(Schema::new_with_metadata(fields, metadata)) }
    }

    /// The schema of its batches.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}
