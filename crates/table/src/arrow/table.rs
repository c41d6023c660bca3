//! Tables and their columns, as Arrow schemas.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::filter::Selection;
use crate::row::ColumnType;

use super::columns::{
    AnyColumn, Bool, Byte, Bytes, Column, Columns, Date, Float, Int, Row, Short, Shorts, Text,
    Values,
};
use super::position_options::PositionOptions;

/// Version of the names, types and meanings of all columns.
pub const SCHEMA: &str = "4";

/// Kind of a table, with the options of its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TableKind {
    /// A row for each game.
    Games,
    /// A row for each move of a main line.
    Moves,
    /// A row for each comment.
    Comments,
    /// A row for each game, with its main line as lists of numbers.
    Lines {
        /// Whether moves are replayed to check whether they are legal.
        legality: bool,
    },
    /// A row for each position of a main line.
    Positions(PositionOptions),
}

/// Defines the columns of a table, and their fields in the schema.
macro_rules! columns {
    ($Columns:ident { $($name:ident $type:ident $about:expr;)* }) => {
        #[derive(Debug, Default)]
        pub(super) struct $Columns {
            $(pub(super) $name: Column<$type>,)*
        }

        impl $Columns {
            /// Approximate memory of a row in bytes, without its texts and lists.
            pub(super) const BYTES: usize = 9 * [$(stringify!($name)),*].len();

            fn fields() -> Vec<Field> {
                vec![$(field(stringify!($name), <$type as Values>::data_type(), $about),)*]
            }
        }

        impl Columns for $Columns {
            fn each(&mut self, visit: &mut dyn FnMut(Option<&str>, &mut dyn AnyColumn)) {
                $(visit(Some(stringify!($name).trim_start_matches("r#")), &mut self.$name);)*
            }
        }
    };
}

/// Defines tables that grow by one row at a time: a struct for a row, and the columns.
macro_rules! tables {
    ($($Row:ident $Columns:ident { $($name:ident $type:ident $about:expr;)* })*) => {
        $(
            columns! { $Columns { $($name $type $about;)* } }

            #[derive(Clone, Copy, Default)]
            pub(super) struct $Row<'r> {
                $(pub(super) $name: Option<<$type as Values>::Cell<'r>>,)*
            }

            impl Row for $Row<'_> {
                type Columns = $Columns;
                const BYTES: usize = $Columns::BYTES;

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

const KEY: &str = "Key of the game: 64 bits of the XXH3 hash of `source!member@offset`";
const WINNER: &str =
    "1 for Black, 2 for White, or the number of the player; 0 for a draw; null if uncertain";
const MARGIN: &str = "Margin of the win (float, points)";

columns! {
    MoveColumns {
        key Int KEY;
        ply Int "Number of the move in the main line, from 1; setup has the number of the move before it";
        step Int "Number of the row in its game, from 1";
        kind Text "`move`, a setup identifier such as `AB`, or `start` for the stones with which a game begins";
        color Text "`B` or `W`, or `1` to `4` in games of three or four colors";
        r#move Text "Move or setup value as written; empty for a pass";
        x Int "Column of the point, from 0 at the left";
        y Int "Row of the point, from 0 at the top";
        is_pass Bool "Whether the move is a pass";
        is_legal Bool "Whether the move is legal by the rules of the game";
        time_left Float "BL or WL of the player in the same node (float, seconds)";
        overtime_moves Int "OB or OW of the player in the same node: moves or periods left; null in main time";
        winrate Float "Black's chance to win, as an analysis program wrote it (float, from 0 to 1)";
        score_lead Float "Lead of Black, from the same program (float, points)";
        visits Int "Visits of the search, from the same program";
        captures Int "Captured stones (int, stones)";
        changes Text "Other changes of the board by this row: `x,y,stone`, separated by spaces; stone `-` is an empty point";
    }
}

tables! {
    CommentRow CommentColumns {
        key Int KEY;
        node Int "Number of the node in the game, from 0, in file order";
        ply Int "Moves of the main line up to the node; null in a variation";
        property Text "`C`, `GC` or `N`";
        text Text "The decoded text, at most 1 MiB";
    }
    LineRow LineColumns {
        key Int KEY;
        board_width Short "Columns of the board (int, points)";
        board_height Short "Rows of the board (int, points)";
        black Shorts "Black's stones before the first move; null if unknown";
        white Shorts "White's stones before the first move";
        to_play Byte "The color that plays first: 1 for Black, 2 for White, or the number of the color";
        moves Shorts "Each move as y * board_width + x; -1 is a pass, -2 any other move; null beyond 1,048,576 moves";
        colors Bytes "Color of each move: 1 for Black, 2 for White, or its number";
        winner Byte WINNER;
        margin Float MARGIN;
        komi Float "KM: komi (float, points)";
        handicap Int "HA: handicap (int, stones)";
        rules Text "RU: rules (text)";
        is_legal Bool "Whether every move is legal by the rules of the game";
        has_later_setup Bool "Whether stones are set up after the first move";
    }
    PositionRow PositionColumns {
        key Int KEY;
        ply Int "Number of the next move, from 1";
        color Byte "Player of the next move: 1 for Black, 2 for White";
        r#move Short "The next move as row * size + column; -1 is a pass, -2 any other move, which ends the rows of the game";
        stones Bytes "The board, row by row: 0 empty, 1 Black, 2 White";
        liberties Bytes "On request: liberties of the group at each point, at most 127; 0 for an empty point";
        ko Short "The point that ko forbids, or -1";
        superko Bytes "On request: 1 for each point that superko forbids, otherwise 0";
        black_prisoners Int "White stones that Black captured";
        white_prisoners Int "Black stones that White captured";
        winner Byte WINNER;
        margin Float MARGIN;
        komi Float "KM: komi (float, points)";
        handicap Int "HA: handicap (int, stones)";
        rules Text "RU: rules (text)";
        br_level Int "BR as a number (int, kyu n is -n, dan n is n, professional n is 20 + n)";
        wr_level Int "WR as a number (int, counted as `br_level`)";
        winrate Float "On request: Black's chance to win in this position, as an analysis program wrote it (float, from 0 to 1)";
        score_lead Float "On request: lead of Black, from the same program (float, points)";
        visits Int "On request: visits of the search, from the same program";
        ownership Bytes "On request: owner of each point at the end of the game: 1 Black, 2 White, 0 neutral, -1 unknown";
        last Shorts "The moves before this position, newest first; -2 before the first move";
    }
    ProblemRow ProblemColumns {
        source Text "The file that was not read to its end";
        member Text "Member of the archive, `outer!inner` for nested archives";
        code Text "A stable name of the kind of problem";
        message Text "The reason, and what to try";
    }
}

fn field(name: &str, data_type: DataType, about: &str) -> Field {
    let about = HashMap::from([("description".to_owned(), about.to_owned())]);
    Field::new(name.trim_start_matches("r#"), data_type, true).with_metadata(about)
}

impl TableKind {
    /// Returns the schema of the table. The table of games has the key, then the columns of
    /// `selection`.
    #[must_use]
    pub fn schema(&self, selection: &Selection) -> SchemaRef {
        match self {
            Self::Games => schema_of("games", game_fields(selection)),
            Self::Moves => schema_of("moves", MoveColumns::fields()),
            Self::Comments => schema_of("comments", CommentColumns::fields()),
            Self::Lines { .. } => schema_of("lines", LineColumns::fields()),
            Self::Positions(options) => schema_of("positions", position_fields(options)),
        }
    }
}

/// Returns the schema of the table of files and members that could not be read.
pub(super) fn problem_schema() -> SchemaRef {
    schema_of("problems", ProblemColumns::fields())
}

fn game_fields(selection: &Selection) -> Vec<Field> {
    let data_type = |column_type| match column_type {
        ColumnType::Text => Text::data_type(),
        ColumnType::Int => Int::data_type(),
        ColumnType::Float => Float::data_type(),
        ColumnType::Date => Date::data_type(),
        ColumnType::Bool => Bool::data_type(),
    };
    let mut fields = vec![field("key", Int::data_type(), KEY)];
    let columns = selection
        .columns()
        .iter()
        .filter(|selected| !selected.is_key());
    fields.extend(columns.map(|column| {
        field(
            &column.name,
            data_type(column.column_type),
            &column.description(),
        )
    }));
    fields
}

fn position_fields(options: &PositionOptions) -> Vec<Field> {
    let of_length = |field: Field, len: usize| match field.data_type() {
        DataType::List(item) => {
            let data_type = DataType::FixedSizeList(Arc::clone(item), len as i32);
            field.with_data_type(data_type)
        }
        _ => field,
    };
    let points = options.points();
    let fields = PositionColumns::fields();
    let wanted = fields
        .into_iter()
        .filter_map(|field| match field.name().as_str() {
            "stones" => Some(of_length(field, points)),
            "ownership" => options.ownership.then(|| of_length(field, points)),
            "winrate" | "score_lead" | "visits" => options.analysis.then_some(field),
            "superko" => options.superko.then(|| of_length(field, points)),
            "liberties" => options.liberties.then(|| of_length(field, points)),
            // Omit the column if its lists would be empty, because few programs support lists of
            // length 0.
            "last" => (options.history > 0).then(|| of_length(field, options.history.into())),
            _ => Some(field),
        });
    wanted.collect()
}

fn schema_of(name: &str, fields: Vec<Field>) -> SchemaRef {
    let metadata = [
        ("sgfq.table", name),
        ("sgfq.schema", SCHEMA),
        ("sgfq.version", env!("CARGO_PKG_VERSION")),
    ];
    let metadata = metadata.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Arc::new(Schema::new_with_metadata(fields, HashMap::from(metadata)))
}
