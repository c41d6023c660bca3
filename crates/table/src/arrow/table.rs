//! A table: its columns as data.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::filter::Selection;
use crate::row::ColumnType;

use super::columns::{
    AnyColumn, Bool, Byte, Bytes, Column, Columns, Date, Float, Int, Row, Short, Shorts, Text, Values,
};
use super::position_options::PositionOptions;

/// The version of names, types and meanings of all columns.
pub const SCHEMA: &str = "4";

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
}

impl TableKind {
    /// The name: `games`, `moves` and so on.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Moves => "moves",
            Self::Comments => "comments",
            Self::Lines => "lines",
            Self::Positions => "positions",
        }
    }
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct Table {
    schema: SchemaRef,
}

/// Tables of which all columns are known: a struct for a row, a struct for the columns, and the fields of the schema.
macro_rules! tables {
    ($($Row:ident $Columns:ident { $($name:ident $type:ident $about:expr;)* })*) => {
        $(
            #[derive(Clone, Copy, Default)]
            pub(super) struct $Row<'r> {
                $(pub(super) $name: Option<<$type as Values>::Cell<'r>>,)*
            }

            #[derive(Debug, Default)]
            pub(super) struct $Columns {
                $(pub(super) $name: Column<$type>,)*
            }

            impl $Columns {
                fn fields() -> Vec<Field> {
                    vec![$(field(stringify!($name), <$type as Values>::data_type(), $about),)*]
                }
            }

            impl Columns for $Columns {
                fn each(&mut self, visit: &mut dyn FnMut(Option<&str>, &mut dyn AnyColumn)) {
                    $(visit(Some(stringify!($name).trim_start_matches("r#")), &mut self.$name);)*
                }
            }

            impl Row for $Row<'_> {
                type Columns = $Columns;
                const BYTES: usize = 9 * [$(stringify!($name)),*].len();

                #[inline(always)]
                fn set(self, columns: &mut $Columns, row: usize) -> usize {
                    let mut bytes = 0;
                    $(if let Some(cell) = self.$name {
                        bytes += columns.$name.set(row, cell);
                    })*
                    bytes
                }
            }
        )*
    };
}

const KEY: &str = "Key of the game: the first 64 bits of XXH3 of `source!member@offset`";
const WINNER: &str = "1 for Black, 2 for White, 0 for a draw; nothing where it is not sure";
const MARGIN: &str = "By how many points the game was won";

tables! {
    MoveRow MoveColumns {
        key Int KEY;
        ply Int "Number of the move in the main line, from 1; of a setup, that of the move before it";
        step Int "Number of the row in its game, from 1";
        kind Text "`move`, or the identifier of a setup: `AB`, `AW`, `AE`, `PL` and others; `start` where a game begins with stones";
        color Text "`B`, `W`, or a colour's number, `3` or `4`";
        r#move Text "The move or the value of the setup as written; empty for a pass";
        x Int "Column of the field that the move or setup is about, from 0, from the left";
        y Int "Row of the field, from 0, from the top";
        is_pass Bool "The move is a pass; nothing for a setup";
        is_legal Bool "The move is legal; nothing where no board is known, or for a setup";
        time_left Float "BL or WL of the mover in the same node, in seconds";
        overtime_moves Int "OB or OW of the mover in the same node: moves, or periods, that are left in overtime; nothing in main time";
        winrate Float "Chance that Black wins, from 0 to 1, as an analysis program wrote it into the node: see the page of analysis";
        score_lead Float "Points by which Black leads, from the same source";
        visits Int "Visits of the search, from the same source";
        captures Int "What the move took from the opponent; nothing where no board is known";
        changes Text "What the board has after the row and x, y and color do not say: `x,y,stone` with a blank between, `-` for empty";
    }
    CommentRow CommentColumns {
        key Int KEY;
        node Int "Number of the node in the game, in the order of the file, from 0";
        ply Int "Moves of the main line up to the node; nothing in a variation";
        property Text "`C`, `GC` or `N`";
        text Text "The text, decoded; at most 1 MiB of it";
    }
    LineRow LineColumns {
        key Int KEY;
        board_width Short "Columns of the board";
        board_height Short "Rows of the board";
        black Shorts "Points of Black's stones before the first move; nothing where they cannot be told";
        white Shorts "Points of White's stones before the first move";
        to_play Byte "Who plays first: 1 for Black, 2 for White";
        moves Shorts "Each move as y * board_width + x, -1 for a pass, -2 for another move; nothing for more than 1,048,576 moves";
        colors Bytes "Who played each move: 1 for Black, 2 for White";
        winner Byte WINNER;
        margin Float MARGIN;
        komi Float "KM";
        handicap Int "HA";
        rules Text "RU";
        is_legal Bool "Every move is legal; nothing where moves were not played on a board";
        has_later_setup Bool "Stones are set up after the first move";
    }
    PositionRow PositionColumns {
        key Int KEY;
        ply Int "Number of the move that is played next, from 1";
        color Byte "Who plays it: 1 for Black, 2 for White";
        r#move Short "The move as row * size + column, -1 for a pass, -2 for another move, such as one off the board, after which the game has no more rows";
        stones Bytes "The board before it, row by row: 0, 1 or 2";
        liberties Bytes "If asked for, the liberties of the group of each stone of `stones`, at most 127; 0 for an empty point";
        ko Short "The point that the ko forbids to the one who plays; -1 for none";
        superko Bytes "If asked for, 1 for each empty point where a move would bring back a position of the game, so that the superko forbids it; else 0";
        black_prisoners Int "Stones of White that Black has taken";
        white_prisoners Int "Stones of Black that White has taken";
        winner Byte WINNER;
        margin Float MARGIN;
        komi Float "KM";
        handicap Int "HA";
        rules Text "RU";
        br_level Int "BR as a number (kyu n is -n, dan n is n, professional n is 20 + n)";
        wr_level Int "WR as a number (kyu n is -n, dan n is n, professional n is 20 + n)";
        last Shorts "The moves before it, the last one first; -2 for none";
    }
    ProblemRow ProblemColumns {
        source Text "The file that could not be read, or not to its end";
        member Text "The member of the archive, `outer!inner` where archives nest";
        code Text "A stable name of the kind of problem";
        expected Text "What should have been there";
        found Text "What was there";
    }
}

fn field(name: &str, data_type: DataType, about: &str) -> Field {
    let about = HashMap::from([("description".to_owned(), about.to_owned())]);
    Field::new(name.trim_start_matches("r#"), data_type, true).with_metadata(about)
}

impl Table {
    /// Games: their key, then these columns.
    #[must_use]
    pub fn games(selection: &Selection) -> Self {
        let data_type = |column_type| match column_type {
            ColumnType::Text => Text::data_type(),
            ColumnType::Int => Int::data_type(),
            ColumnType::Float => Float::data_type(),
            ColumnType::Date => Date::data_type(),
            ColumnType::Bool => Bool::data_type(),
        };
        let mut fields = vec![field("key", Int::data_type(), KEY)];
        let columns = selection.columns().iter();
        fields.extend(columns.map(|column| field(&column.name, data_type(column.column_type), &column.description())));
        Self::new(TableKind::Games.as_str(), fields)
    }

    /// The moves of main lines.
    #[must_use]
    pub fn moves() -> Self {
        Self::new(TableKind::Moves.as_str(), MoveColumns::fields())
    }

    /// Comments.
    #[must_use]
    pub fn comments() -> Self {
        Self::new(TableKind::Comments.as_str(), CommentColumns::fields())
    }

    /// Main lines as lists of numbers.
    #[must_use]
    pub fn lines() -> Self {
        Self::new(TableKind::Lines.as_str(), LineColumns::fields())
    }

    /// Positions of main lines.
    #[must_use]
    pub fn positions(options: &PositionOptions) -> Self {
        let of_length = |field: Field, len: usize| match field.data_type() {
            DataType::List(item) => {
                let data_type = DataType::FixedSizeList(Arc::clone(item), len as i32);
                field.with_data_type(data_type)
            }
            _ => field,
        };
        let fields = PositionColumns::fields().into_iter().filter_map(|field| match field.name().as_str() {
            "stones" => Some(of_length(field, options.points())),
            "superko" => options.superko.then(|| of_length(field, options.points())),
            "liberties" => options.liberties.then(|| of_length(field, options.points())),
            // A list of no numbers is a type that few programs know.
            "last" => (options.history > 0).then(|| of_length(field, options.history.into())),
            _ => Some(field),
        });
        Self::new(TableKind::Positions.as_str(), fields.collect())
    }

    /// Files and members that could not be read.
    #[must_use]
    pub fn problems() -> Self {
        Self::new("problems", ProblemColumns::fields())
    }

    fn new(name: &str, fields: Vec<Field>) -> Self {
        let metadata = [("sgfq.table", name), ("sgfq.schema", SCHEMA), ("sgfq.version", env!("CARGO_PKG_VERSION"))];
        let metadata: HashMap<_, _> =
            metadata.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { schema: Arc::new(Schema::new_with_metadata(fields, metadata)) }
    }

    /// The schema of its batches.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}
