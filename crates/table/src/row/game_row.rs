//! The row of a game, and the table of its columns, one a line. A Parquet index has the same
//! columns with the same names.

use sgfstream_game::facts::Info;
use sgfstream_game::value::{Date, Rank};

use super::{Cell, Column, ColumnType};

/// When the value of a column is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AvailableAt {
    /// At the first byte of the game.
    Start,
    /// At the end of the root node. If it lacks game information: at the end of the node with the
    /// first move.
    Root,
    /// At the end of the game, even if its nodes were skipped.
    End,
    /// At the end of the game, if its nodes were read.
    Nodes,
    /// At the end of the game, if its moves were replayed.
    Board,
}

/// Seats of a game, as the column `winner` names them.
pub const SEATS: [&str; 6] = ["B", "W", "1", "2", "3", "4"];

impl GameRow {
    /// Returns the name of the person in each of the [`SEATS`]. A rank at the end of a name is not
    /// part of it.
    pub fn persons(&self) -> [Option<&str>; 6] {
        let names = [&self.pb, &self.pw, &self.p1, &self.p2, &self.p3, &self.p4];
        names.map(|name| Some(Rank::split_name(name.as_deref()?).0).filter(|name| !name.is_empty()))
    }
}

trait RowField {
    fn cell(&self) -> Cell<'_>;

    /// Sets the field to `None`.
    fn reset(&mut self, spare: &mut Vec<String>);
}

/// Maximum capacity of a string for reuse. Longer ones are freed, because their memory would add
/// up.
const SPARE: usize = 4096;

/// Maximum number of strings for reuse; more than a row has.
const SPARES: usize = 64;

impl RowField for Option<String> {
    fn cell(&self) -> Cell<'_> {
        self.as_deref().map_or(Cell::Null, Cell::Text)
    }

    // Inlined, because most of the thirty texts of a row are empty.
    #[inline(always)]
    fn reset(&mut self, spare: &mut Vec<String>) {
        if let Some(text) = self.take()
            && text.capacity() <= SPARE
            && spare.len() < SPARES
        {
            spare.push(text);
        }
    }
}

macro_rules! plain_field {
    ($($type:ty: $cell:ident)*) => {
        $(impl RowField for Option<$type> {
            fn cell(&self) -> Cell<'_> {
                self.map_or(Cell::Null, Cell::$cell)
            }

            fn reset(&mut self, _: &mut Vec<String>) {
                *self = None;
            }
        })*
    };
}

plain_field! { i64: Int  f64: Float  Date: Date }

macro_rules! rust_type {
    (Text) => {
        String
    };
    (Int) => {
        i64
    };
    (Float) => {
        f64
    };
    (Date) => {
        Date
    };
}

/// Property whose text a column has, and access to the field.
pub(super) type TextOf = (Info, fn(&mut GameRow) -> &mut Option<String>);

macro_rules! text_of {
    (_ $name:ident) => {
        None
    };
    ($info:ident $name:ident) => {
        Some((Info::$info, |row| &mut row.$name))
    };
}

macro_rules! columns {
    ($($name:ident $kind:ident $known:ident $info:tt $unit:literal $description:literal)*) => {
        /// Row of one game. A column is `None` if it was not requested, if the game has no value
        /// for it, or if the value could not be read.
        ///
        /// Game information is read from the root node. If the root lacks some of it, it may come
        /// from later nodes; see [`Column::is_in_root`]. Texts are decoded; numbers, dates and
        /// results are read leniently.
        ///
        /// ```
        /// use sgfstream::SliceReader;
        /// use sgfstream_table::row::{ColumnSet, FilledRow, RowReader};
        ///
        /// let game = b"(;GM[1]SZ[19]PB[Shusaku]RE[B+2]DT[1846-09-11];B[qd];W[dc])";
        /// let mut filled = FilledRow::new(ColumnSet::all());
        /// let mut rows = RowReader::new(SliceReader::new(game), &mut filled);
        /// let row = rows.next_row()?.expect("a game");
        /// assert_eq!(row.pb.as_deref(), Some("Shusaku"));
        /// assert_eq!((row.winner.as_deref(), row.margin, row.moves), (Some("B"), Some(2.0), Some(2)));
        /// # Ok::<(), sgfstream::Error>(())
        /// ```
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct GameRow {
            $(#[doc = concat!($description, ". (", stringify!($kind), $unit, ")")] pub $name: Option<rust_type!($kind)>,)*
        }

        impl GameRow {
            /// Clears all fields except source and member. Texts go to `spare`.
            pub(super) fn reset(&mut self, spare: &mut Vec<String>) {
                let (source, member) = (self.source.take(), self.member.take());
                $(self.$name.reset(spare);)*
                (self.source, self.member) = (source, member);
            }
        }

        /// The columns, by index.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy)]
        enum Place { $($name,)* }

        /// Indexes of the columns.
        #[allow(non_upper_case_globals, dead_code)]
        pub(super) mod at {
            use super::Place;
            $(pub(in super::super) const $name: usize = Place::$name as usize;)*
        }

        pub(super) static COLUMNS: &[Column] = &[
            $(Column {
                name: stringify!($name),
                column_type: ColumnType::$kind,
                unit: $unit,
                description: $description,
                known: AvailableAt::$known,
                place: Place::$name as usize,
                text_of: text_of!($info $name),
                get: |row| row.$name.cell(),
            },)*
        ];
    };
}

columns! {
    // name         type  known at, from
    key             Int   Start _  ""              "Key of the game: 64 bits of the XXH3 hash of `source!member@offset`"
    source          Text  Start _  ""              "File, archive or stream, as you named it"
    member          Text  Start _  ""              "Member of the archive, `outer!inner` for nested archives"
    game            Int   Start _  ", from 1"      "Number of the game in its member or file"
    reference       Text  Start _  ""              "`source!member#game`, an input of every command"
    byte_offset     Int   Start _  ", bytes"       "Start of the game in the unpacked member or file"
    length          Int   End   _  ", bytes"       "Length from the game's `(` to its `)`"
    gm              Int   Root  _  ""              "GM as a number; 1 without GM; null for a game without a number"
    variant         Text  Root  _  ""              "Name of the game: `Go`, `Hex`, `Blokus Duo`; GM as written if unknown"
    ff              Int   Root  _  ""              "FF: 1 to 4; 1 without FF, null if invalid"
    board_width     Int   Root  _  ", points"      "Columns of the board: SZ, or the default of the game; null if SZ is invalid"
    board_height    Int   Root  _  ", points"      "Rows of the board"
    charset         Text  Root  _  ""              "Charset of the texts"
    charset_source  Text  Root  _  ""              "`default` (UTF-8 for each valid value, otherwise windows-1252), `overruled`, `guessed`, `detected`, `bom`, `declared` or `forced`"
    app             Text  Root  AP ""              "AP: program that wrote the game, `name:version`"
    pb              Text  Root  PB ""              "PB: name of Black"
    pw              Text  Root  PW ""              "PW: name of White"
    p1              Text  Root  P1 ""              "P1: name of player 1 in games of more than two"
    p2              Text  Root  P2 ""              "P2: name of player 2"
    p3              Text  Root  P3 ""              "P3: name of player 3"
    p4              Text  Root  P4 ""              "P4: name of player 4"
    br              Text  Root  BR ""              "BR: rank of Black, as written"
    wr              Text  Root  WR ""              "WR: rank of White, as written"
    br_level        Int   Root  _  ", kyu n is -n, dan n is n, professional n is 20 + n" "BR as a number"
    wr_level        Int   Root  _  ", counted as `br_level`" "WR as a number"
    bt              Text  Root  BT ""              "BT: team of Black"
    wt              Text  Root  WT ""              "WT: team of White"
    dt              Text  Root  DT ""              "DT: dates, as written"
    date_min        Date  Root  _  ""              "First day in DT"
    date_max        Date  Root  _  ""              "Last day in DT"
    ev              Text  Root  EV ""              "EV: event"
    ro              Text  Root  RO ""              "RO: round"
    pc              Text  Root  PC ""              "PC: place"
    so              Text  Root  SO ""              "SO: source"
    us              Text  Root  US ""              "US: person who entered the game"
    an              Text  Root  AN ""              "AN: person who annotated the game"
    gn              Text  Root  GN ""              "GN: name of the game"
    rules           Text  Root  RU ""              "RU: rules"
    re              Text  Root  RE ""              "RE: result, as written"
    winner          Text  Root  _  ""              "The player who won, `B` or `W`, or `1` to `4` in games of three or four players; `draw`, `void`, or `unknown` for RE[?]"
    win_by          Text  Root  _  ""              "How the winner won: `score`, `resign`, `time` or `forfeit`; null without a winner or reason"
    margin          Float Root  _  ", points"      "Margin of the win"
    komi            Float Root  _  ", points"      "KM: komi"
    handicap        Int   Root  _  ", stones"      "HA: handicap"
    tm              Float Root  _  ", seconds"     "TM: main time of a player"
    ot              Text  Root  OT ""              "OT: overtime"
    ot_system       Text  Root  _  ""              "System in OT, in TC and TT of Foxwq, or in LC and LT of Sina: `byo-yomi`, `canadian` or `fischer`; null for other texts"
    ot_periods      Int   Root  _  ""              "Periods of byo-yomi, or moves of Canadian overtime"
    ot_time         Float Root  _  ", seconds"     "Time of a byo-yomi period, of all Canadian moves, or for each Fischer move"
    moves           Int   Nodes _  ""              "Moves of the main line"
    nodes           Int   Nodes _  ""              "Nodes of the whole tree"
    variations      Int   Nodes _  ""              "Variations: each `(` inside the game"
    depth           Int   Nodes _  ", variations"  "Nesting depth; 1 for a main line alone"
    comment_bytes   Int   Nodes _  ", bytes"       "Length of all C and GC values, as written"
    to_play         Text  Nodes _  ""              "The color that plays first, from `PL`, the first move, or the rules and HA: `B` or `W`, or `1` to `4` in games of three or four colors"
    handicap_form   Text  Nodes _  ""              "`stones` (AB before the first move), `moves` (Black moves first) or `none`; null for a handicap below 2"
    first_moves     Text  Nodes _  ""              "First eight moves of the main line, separated by spaces; `pass` for a pass"
    hash            Text  Nodes _  ", 32 hexadecimal digits" "Hash of the main line: equal for equal game type, board, setup and moves; null without moves and setup"
    canonical_hash  Text  Nodes _  ", 32 hexadecimal digits" "The same, also equal for rotated and mirrored games"
    dyer            Text  Nodes _  ""              "Dyer's signature: the points of moves 20, 40, 60, 31, 51 and 71; `??` is a missing move; null without two-letter points"
    dyer_canonical  Text  Nodes _  ""              "Alphabetically first of the signatures of all rotations and reflections"
    errors          Int   Nodes _  ""              "Reader problems of severity error"
    warnings        Int   Nodes _  ""              "Reader problems of severity warning"
    // Columns that need a board come last, because they cost more than all others together.
    illegal_moves   Int   Board _  ""              "Illegal or invalid moves of the main line; null without a known board"
}
