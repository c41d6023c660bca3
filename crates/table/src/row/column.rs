//! A column, as data.

use super::game_row::{COLUMNS, Known, TextOf};
use super::{Cell, ColumnType, GameRow};

/// A column of [`GameRow`]: its name, its type, what it says.
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
    /// Its name: lowercase ASCII letters, digits and `_`.
    pub name: &'static str,
    /// Type of its values.
    pub column_type: ColumnType,
    /// The unit, after a comma; empty if there is none.
    pub unit: &'static str,
    /// Description as a sentence.
    pub description: &'static str,
    pub(super) known: Known,
    pub(super) place: usize,
    pub(super) text_of: Option<TextOf>,
    pub(super) get: for<'r> fn(&'r GameRow) -> Cell<'r>,
}

/// A [`ColumnSet`](super::ColumnSet) is 128 bits.
const _: () = assert!(COLUMNS.len() <= 128);

/// Names that columns had, and have.
const OLD_NAMES: [(&str, &str); 3] = [("offset", "byte_offset"), ("columns", "board_width"), ("rows", "board_height")];

/// Identifiers of properties whose columns have a word for a name, here and in the other tables. An output is called as it
/// was asked for.
const IDENTIFIERS: [(&str, &str); 3] = [("km", "komi"), ("ha", "handicap"), ("ru", "rules")];

impl Column {
    /// Every column, in the order of the table.
    #[must_use]
    pub fn all() -> &'static [Self] {
        COLUMNS
    }

    /// The columns of an output that names none: all but those for which moves are played on a board,
    /// which takes longer than all else.
    #[must_use]
    pub fn without_boards() -> &'static [Self] {
        let end = COLUMNS.iter().position(|column| column.known == Known::Board).unwrap_or(COLUMNS.len());
        &COLUMNS[..end]
    }

    /// The column of this name; case does not matter. Names of the version before, which SQL wants quoted, are known
    /// until the next one: `offset`, `columns` and `rows`. So are the identifiers `km`, `ha` and `ru`, of `komi`, `handicap`
    /// and `rules`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let old = OLD_NAMES.iter().chain(&IDENTIFIERS).find(|(old, _)| old.eq_ignore_ascii_case(name));
        let name = old.map_or(name, |(_, name)| name);
        COLUMNS.iter().find(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// How an output of this column is called that was asked for by `name`.
    pub(crate) fn name_as(&self, name: &str) -> &'static str {
        IDENTIFIERS.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map_or(self.name, |(other, _)| other)
    }

    /// The name that a misspelt one may mean.
    #[must_use]
    pub fn nearest(name: &str) -> Option<&'static str> {
        nearest(name, COLUMNS.iter().map(|column| column.name))
    }

    /// Its value in `row`.
    #[must_use]
    pub fn get<'r>(&self, row: &'r GameRow) -> Cell<'r> {
        (self.get)(row)
    }

    /// Its place in the table, from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.place
    }

    /// True if it is known at the end of the root node, or, where that lacks game information, of that of the first move
    /// (spec A-07), or, where no player is named until then, of the first node of the main line with some.
    #[must_use]
    pub fn is_in_root(&self) -> bool {
        matches!(self.known, Known::Start | Known::Root)
    }

    /// True if the nodes after the root must be read for it.
    #[must_use]
    pub(crate) fn is_in_nodes(&self) -> bool {
        matches!(self.known, Known::Nodes | Known::Board)
    }

    /// True if it is made of texts, which depend on the charset of the game.
    #[must_use]
    pub(crate) fn is_of_texts(&self) -> bool {
        self.known == Known::Root && !["gm", "ff", "board_width", "board_height"].contains(&self.name)
    }

    /// True if it is known at the end of the game, whether its nodes were read
    /// or skipped.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.known == Known::End
    }
}

/// The name among `names` that differs from `name` in a third of its letters
/// at most: the one that a misspelt name means.
///
/// ```
/// use sgfstream_table::row::nearest;
///
/// assert_eq!(nearest("winer", ["winner", "moves"]), Some("winner"));
/// assert_eq!(nearest("x", ["winner", "moves"]), None);
/// ```
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    let distances = names.into_iter().map(|near| (strsim::damerau_levenshtein(near, &name), near));
    let (distance, near) = distances.min()?;
    (distance * 3 <= near.len().max(name.len())).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::{Column, IDENTIFIERS, OLD_NAMES};
    use crate::arrow::Table;

    /// Words that DuckDB, PostgreSQL or SQL itself do not take for a name without quotes, or take for something else.
    const RESERVED: &str = "all and any array as asc at between both by case cast check collate column columns constraint \
        create cross current_date default deferrable desc distinct do else end except exists false fetch for foreign from \
        grant group having in initially inner intersect into is join lateral leading left like limit natural not null \
        offset on only or order outer over partition placing primary qualify range references returning right row rows \
        select some symmetric table then to trailing true union unique user using value values when where window with";

    #[test]
    fn no_name_needs_quotes_in_sql() {
        let names = Column::all().iter().map(|column| column.name);
        let tables = [Table::moves(), Table::comments(), Table::lines()];
        let others = tables.iter().flat_map(|table| table.schema().fields()).map(|field| &**field.name());
        for name in names.chain(others) {
            assert!(RESERVED.split_whitespace().all(|word| word != name), "{name}");
        }
    }

    #[test]
    fn names_are_words_and_unique() {
        let mut names: Vec<_> = Column::all().iter().map(|column| column.name).collect();
        assert!(names.iter().all(|name| name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))));
        for (at, column) in Column::all().iter().enumerate() {
            assert_eq!(column.index(), at);
            assert_eq!(Column::find(&column.name.to_uppercase()).map(Column::index), Some(at));
            assert!(!column.description.ends_with('.'), "{}", column.name);
        }
        assert!(Column::all().is_sorted_by_key(|column| column.known == super::Known::Board));
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
