//! Columns of a row, as data.

use super::game_row::{AvailableAt, COLUMNS, TextOf};
use super::{Cell, ColumnType, GameRow};

/// Column of [`GameRow`]: its name, type and description.
///
/// ```
/// use sgfstream_table::row::{Cell, Column, ColumnType, GameRow};
///
/// let column = Column::find("komi").expect("a column");
/// assert_eq!((column.column_type, column.unit), (ColumnType::Float, ", points"));
/// let mut row = GameRow::default();
/// row.komi = Some(6.5);
/// assert_eq!(column.get(&row), Cell::Float(6.5));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Column {
    /// Name: lowercase ASCII letters, digits and `_`.
    pub name: &'static str,
    /// Type of the values.
    pub column_type: ColumnType,
    /// Unit, after a comma; an empty string for values without a unit.
    pub unit: &'static str,
    /// Description as a noun phrase.
    pub description: &'static str,
    pub(super) known: AvailableAt,
    pub(super) place: usize,
    pub(super) text_of: Option<TextOf>,
    pub(super) get: for<'r> fn(&'r GameRow) -> Cell<'r>,
}

/// A [`ColumnSet`](super::ColumnSet) has 128 bits.
const _: () = assert!(COLUMNS.len() <= 128);

/// Former names of columns, each with the current name.
const OLD_NAMES: [(&str, &str); 3] = [
    ("offset", "byte_offset"),
    ("columns", "board_width"),
    ("rows", "board_height"),
];

/// Identifiers of properties whose columns have longer names, here and in other tables. An output
/// column has the name by which it was requested.
const IDENTIFIERS: [(&str, &str); 3] = [("km", "komi"), ("ha", "handicap"), ("ru", "rules")];

impl Column {
    /// Returns all columns, in the order of the table.
    #[must_use]
    pub fn all() -> &'static [Self] {
        COLUMNS
    }

    /// Returns the default columns of an output: all except those that replay moves on a board,
    /// because that takes longer than everything else.
    #[must_use]
    pub fn without_boards() -> &'static [Self] {
        let end = COLUMNS
            .iter()
            .position(|column| column.known == AvailableAt::Board)
            .unwrap_or(COLUMNS.len());
        &COLUMNS[..end]
    }

    /// Returns the column of this name, regardless of case. It also accepts the former names
    /// `offset`, `columns` and `rows`, until the next version, and the identifiers `km`, `ha` and
    /// `ru` for `komi`, `handicap` and `rules`. The former names need quotes in SQL.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let old = OLD_NAMES
            .iter()
            .chain(&IDENTIFIERS)
            .find(|(old, _)| old.eq_ignore_ascii_case(name));
        let name = old.map_or(name, |(_, name)| name);
        COLUMNS
            .iter()
            .find(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// Returns the name of an output column that was requested as `name`.
    pub(crate) fn name_as(&self, name: &str) -> &'static str {
        IDENTIFIERS
            .iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map_or(self.name, |(other, _)| other)
    }

    /// Returns the value in `row`.
    #[must_use]
    pub fn get<'r>(&self, row: &'r GameRow) -> Cell<'r> {
        (self.get)(row)
    }

    /// Returns the index in the table, from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.place
    }

    /// Returns whether the value is known at the end of the root. If the root lacks game
    /// information, "the end of the root" is the end of the node with the first move (spec A-07).
    /// If no player is named until then, it is the end of the first node of the main line with game
    /// information.
    #[must_use]
    pub fn is_in_root(&self) -> bool {
        matches!(self.known, AvailableAt::Start | AvailableAt::Root)
    }

    /// Returns whether the value needs the nodes after the root.
    #[must_use]
    pub(crate) fn is_in_nodes(&self) -> bool {
        matches!(self.known, AvailableAt::Nodes | AvailableAt::Board)
    }

    /// Returns whether the value depends on texts, and so on the charset of the game.
    #[must_use]
    pub(crate) fn is_of_texts(&self) -> bool {
        self.known == AvailableAt::Root
            && !["gm", "ff", "board_width", "board_height"].contains(&self.name)
    }

    /// Returns whether the value depends on which game it is.
    pub(super) fn is_of_game(&self) -> bool {
        match self.known {
            AvailableAt::Start | AvailableAt::End => false,
            AvailableAt::Root => [
                "gm",
                "variant",
                "board_width",
                "board_height",
                "winner",
                "win_by",
                "margin",
            ]
            .contains(&self.name),
            AvailableAt::Nodes => {
                let counts = [
                    "moves",
                    "nodes",
                    "variations",
                    "depth",
                    "comment_bytes",
                    "errors",
                    "warnings",
                ];
                !counts.contains(&self.name)
            }
            AvailableAt::Board => true,
        }
    }

    /// Returns whether the value depends on earlier games of the entry.
    pub(crate) fn counts_in_entry(&self) -> bool {
        matches!(self.name, "game" | "reference" | "errors" | "warnings")
    }

    /// Returns whether the value is known at the end of the game, even if its nodes were skipped.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.known == AvailableAt::End
    }
}

/// Returns the name in `names` that a misspelled name probably means: the nearest one, if at most a
/// third of its letters differ.
///
/// ```
/// use sgfstream_table::row::nearest;
///
/// assert_eq!(nearest("winer", ["winner", "moves"]), Some("winner"));
/// assert_eq!(nearest("x", ["winner", "moves"]), None);
/// ```
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    let distances = names
        .into_iter()
        .map(|near| (strsim::damerau_levenshtein(near, &name), near));
    let (distance, near) = distances.min()?;
    (distance * 3 <= near.len().max(name.len())).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::{Column, IDENTIFIERS, OLD_NAMES};
    use crate::arrow::TableKind;
    use crate::filter::Selection;

    /// Words that DuckDB, PostgreSQL or standard SQL do not accept as names without quotes, or give
    /// another meaning.
    const RESERVED: &str = "all and any array as asc at between both by case cast check collate column columns constraint \
        create cross current_date default deferrable desc distinct do else end except exists false fetch for foreign from \
        grant group having in initially inner intersect into is join lateral leading left like limit natural not null \
        offset on only or order outer over partition placing primary qualify range references returning right row rows \
        select some symmetric table then to trailing true union unique user using value values when where window with";

    #[test]
    fn no_name_needs_quotes_in_sql() {
        let names = Column::all().iter().map(|column| column.name);
        let tables = [
            TableKind::Moves,
            TableKind::Comments,
            TableKind::Lines { legality: false },
        ]
        .map(|kind| kind.schema(&Selection::of(&[], None)));
        let others = tables
            .iter()
            .flat_map(|schema| schema.fields())
            .map(|field| &**field.name());
        for name in names.chain(others) {
            assert!(
                RESERVED.split_whitespace().all(|word| word != name),
                "{name}"
            );
        }
    }

    #[test]
    fn names_are_words_and_unique() {
        let mut names: Vec<_> = Column::all().iter().map(|column| column.name).collect();
        assert!(names.iter().all(|name| {
            name.bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        }));
        for (at, column) in Column::all().iter().enumerate() {
            assert_eq!(column.index(), at);
            assert_eq!(
                Column::find(&column.name.to_uppercase()).map(Column::index),
                Some(at)
            );
            assert!(!column.description.ends_with('.'), "{}", column.name);
        }
        assert!(Column::all().is_sorted_by_key(|column| column.known == super::AvailableAt::Board));
        assert_eq!(Column::all().len(), Column::without_boards().len() + 1);
        for (old, name) in OLD_NAMES.into_iter().chain(IDENTIFIERS) {
            assert!(!names.contains(&old));
            assert_eq!(Column::find(old).map(|column| column.name), Some(name));
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Column::all().len());
    }
}
