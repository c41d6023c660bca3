//! A table: its columns as data, and rows on their way into it.

use std::collections::HashMap;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Date32Builder, FixedSizeListBuilder, Float64Builder, Int8Builder, Int16Builder, Int64Builder,
    ListBuilder, StringBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::filter::Selection;
use crate::row::{Cell, ColumnType};

use super::days::days;
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
    types: Vec<CellType>,
    schema: SchemaRef,
}

/// What the cells of a column are. The numbers of training data are small, and so are their types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellType {
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
    const INT: Self = Self::Cell(ColumnType::Int);
    const TEXT: Self = Self::Cell(ColumnType::Text);
    const FLOAT: Self = Self::Cell(ColumnType::Float);
    const BOOL: Self = Self::Cell(ColumnType::Bool);

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

/// Rows of a table, column by column.
#[derive(Debug)]
pub(super) struct TableRows {
    schema: SchemaRef,
    columns: Vec<Building>,
    rows: usize,
    /// About how much memory they take.
    bytes: usize,
}

/// A column on its way.
#[derive(Debug)]
struct Building {
    values: Values,
    /// Rows that it has: cells without a value are added with the next that
    /// has one, since most columns of most games are empty.
    len: usize,
}

#[derive(Debug)]
enum Values {
    Text(StringBuilder),
    Int(Int64Builder),
    Float(Float64Builder),
    Date(Date32Builder),
    Bool(BooleanBuilder),
    Byte(Int8Builder),
    Short(Int16Builder),
    Bytes(ListBuilder<Int8Builder>),
    Shorts(ListBuilder<Int16Builder>),
    FixedBytes(FixedSizeListBuilder<Int8Builder>),
    FixedShorts(FixedSizeListBuilder<Int16Builder>),
}

/// The same for a builder of any type.
macro_rules! each_type {
    ($values:expr, $builder:ident => $result:expr) => {
        match $values {
            Values::Text($builder) => $result,
            Values::Int($builder) => $result,
            Values::Float($builder) => $result,
            Values::Date($builder) => $result,
            Values::Bool($builder) => $result,
            Values::Byte($builder) => $result,
            Values::Short($builder) => $result,
            Values::Bytes($builder) => $result,
            Values::Shorts($builder) => $result,
            Values::FixedBytes($builder) => $result,
            Values::FixedShorts($builder) => $result,
        }
    };
}

impl Building {
    fn new(cell_type: CellType) -> Self {
        let values = match cell_type {
            CellType::TEXT => Values::Text(StringBuilder::new()),
            CellType::FLOAT => Values::Float(Float64Builder::new()),
            CellType::Cell(ColumnType::Date) => Values::Date(Date32Builder::new()),
            CellType::INT => Values::Int(Int64Builder::new()),
            CellType::BOOL => Values::Bool(BooleanBuilder::new()),
            CellType::Byte => Values::Byte(Int8Builder::new()),
            CellType::Short => Values::Short(Int16Builder::new()),
            CellType::Bytes => Values::Bytes(ListBuilder::new(Int8Builder::new())),
            CellType::Shorts => Values::Shorts(ListBuilder::new(Int16Builder::new())),
            CellType::FixedBytes(len) => Values::FixedBytes(FixedSizeListBuilder::new(Int8Builder::new(), len as i32)),
            CellType::FixedShorts(len) => {
                Values::FixedShorts(FixedSizeListBuilder::new(Int16Builder::new(), len as i32))
            }
        };
        Self { values, len: 0 }
    }

    /// The cell of the row with this number, from 0.
    #[inline]
    fn set(&mut self, row: usize, cell: Cell<'_>) {
        if self.len < row {
            self.fill(row);
        }
        match (&mut self.values, cell) {
            (Values::Text(values), Cell::Text(text)) => values.append_value(text),
            (Values::Int(values), Cell::Int(number)) => values.append_value(number),
            (Values::Float(values), Cell::Float(number)) => values.append_value(number),
            (Values::Float(values), Cell::Int(number)) => values.append_value(number as f64),
            (Values::Date(values), Cell::Date(date)) => values.append_value(days(date)),
            (Values::Bool(values), Cell::Bool(value)) => values.append_value(value),
            (Values::Byte(values), Cell::Int(number)) => values.append_option(number.try_into().ok()),
            (Values::Short(values), Cell::Int(number)) => values.append_option(number.try_into().ok()),
            _ => return,
        }
        self.len += 1;
    }

    /// Likewise, with a list of small numbers.
    fn set_bytes(&mut self, row: usize, list: &[i8]) {
        self.fill(row);
        match &mut self.values {
            Values::Bytes(values) => {
                values.values().append_slice(list);
                values.append(true);
            }
            Values::FixedBytes(values) => {
                values.values().append_slice(list);
                values.append(true);
            }
            _ => return,
        }
        self.len += 1;
    }

    /// Likewise, with a list of numbers.
    fn set_shorts(&mut self, row: usize, list: &[i16]) {
        self.fill(row);
        match &mut self.values {
            Values::Shorts(values) => {
                values.values().append_slice(list);
                values.append(true);
            }
            Values::FixedShorts(values) => {
                values.values().append_slice(list);
                values.append(true);
            }
            _ => return,
        }
        self.len += 1;
    }

    /// Adds what rows lack.
    #[inline(never)]
    fn fill(&mut self, rows: usize) {
        let nulls = rows - self.len;
        match &mut self.values {
            Values::FixedBytes(values) => {
                let cells = nulls * values.value_length() as usize;
                values.values().append_nulls(cells);
                (0..nulls).for_each(|_| values.append(false));
            }
            Values::FixedShorts(values) => {
                let cells = nulls * values.value_length() as usize;
                values.values().append_nulls(cells);
                (0..nulls).for_each(|_| values.append(false));
            }
            Values::Bytes(values) => (0..nulls).for_each(|_| values.append_null()),
            Values::Shorts(values) => (0..nulls).for_each(|_| values.append_null()),
            Values::Text(values) => values.append_nulls(nulls),
            Values::Int(values) => values.append_nulls(nulls),
            Values::Float(values) => values.append_nulls(nulls),
            Values::Date(values) => values.append_nulls(nulls),
            Values::Bool(values) => values.append_nulls(nulls),
            Values::Byte(values) => values.append_nulls(nulls),
            Values::Short(values) => values.append_nulls(nulls),
        }
        self.len = rows;
    }

    /// Adds the cells of `more`; neither lacks any.
    fn append(&mut self, more: Self) {
        match (&mut self.values, more.values) {
            (Values::Text(values), Values::Text(mut more)) => {
                more.finish().iter().for_each(|text| values.append_option(text));
            }
            (Values::Int(values), Values::Int(mut more)) => values.extend(more.finish().iter()),
            (Values::Float(values), Values::Float(mut more)) => values.extend(more.finish().iter()),
            (Values::Date(values), Values::Date(mut more)) => values.extend(more.finish().iter()),
            (Values::Bool(values), Values::Bool(mut more)) => values.extend(more.finish().iter()),
            (Values::Byte(values), Values::Byte(mut more)) => values.extend(more.finish().iter()),
            (Values::Short(values), Values::Short(mut more)) => values.extend(more.finish().iter()),
            (Values::FixedBytes(values), Values::FixedBytes(mut more)) => {
                // No table has a cell of these types without a value.
                let more = more.finish();
                values.values().append_slice(more.values().as_primitive::<Int8Type>().values());
                (0..more.len()).for_each(|_| values.append(true));
            }
            (Values::FixedShorts(values), Values::FixedShorts(mut more)) => {
                let more = more.finish();
                values.values().append_slice(more.values().as_primitive::<Int16Type>().values());
                (0..more.len()).for_each(|_| values.append(true));
            }
            _ => unreachable!("rows of one table have the same columns"),
        }
        self.len += more.len;
    }

    fn finish(self) -> ArrayRef {
        each_type!(self.values, values => {
            let mut values = values;
            Arc::new(values.finish())
        })
    }
}

impl TableRows {
    /// No rows yet.
    pub(super) fn new(table: &Table) -> Self {
        Self {
            schema: Arc::clone(&table.schema),
            columns: table.types.iter().map(|&cell_type| Building::new(cell_type)).collect(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Adds a row: a cell for each column.
    pub(super) fn push<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) {
        self.push_with(|row| cells.into_iter().enumerate().for_each(|(column, cell)| row.set(column, cell)));
    }

    /// Adds a row, with the cells that `fill` sets.
    #[inline]
    pub(super) fn push_with(&mut self, fill: impl FnOnce(&mut NewRow<'_>)) {
        self.bytes += 9 * self.columns.len();
        fill(&mut NewRow { columns: &mut self.columns, row: self.rows, bytes: &mut self.bytes });
        self.rows += 1;
    }

    /// Adds the rows of `other`, of the same table.
    pub(super) fn append(&mut self, mut other: Self) {
        self.fill();
        other.fill();
        self.rows += other.rows;
        self.bytes += other.bytes;
        self.columns.iter_mut().zip(other.columns).for_each(|(column, more)| column.append(more));
    }

    fn fill(&mut self) {
        self.columns.iter_mut().for_each(|column| column.fill(self.rows));
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// True if there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// About how many bytes of memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The rows as a batch.
    pub(super) fn finish(mut self) -> RecordBatch {
        self.fill();
        let columns = self.columns.into_iter().map(Building::finish).collect();
        RecordBatch::try_new(self.schema, columns).expect("columns of the schema, of one length")
    }
}

/// A row that is being added.
pub(super) struct NewRow<'r> {
    columns: &'r mut [Building],
    row: usize,
    bytes: &'r mut usize,
}

impl NewRow<'_> {
    /// Sets the cell of a column, by its place in the table. Only once.
    #[inline]
    pub(super) fn set(&mut self, column: usize, cell: Cell<'_>) {
        if let Cell::Text(text) = cell {
            *self.bytes += text.len();
        }
        self.columns[column].set(self.row, cell);
    }

    /// Sets the cell of a column of lists.
    pub(super) fn set_bytes(&mut self, column: usize, list: &[i8]) {
        *self.bytes += list.len();
        self.columns[column].set_bytes(self.row, list);
    }

    /// Likewise.
    pub(super) fn set_shorts(&mut self, column: usize, list: &[i16]) {
        *self.bytes += 2 * list.len();
        self.columns[column].set_shorts(self.row, list);
    }
}
