//! Selection of output columns: columns of the row, and other expressions.

use crate::row::{Cell, Column, ColumnSet, ColumnType, FilledRow};

use super::compile::{ListItem, RequiredInputs, compile_list};
use super::evaluate::Subject;
use super::expression::Expression;
use super::{Filter, FilterError};

/// Columns of an output: columns of a game's row by name, and any other expression that a
/// [`Filter`] can use.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::{filter::Selection, row::RowReader};
///
/// let selection = Selection::parse("pb, prop('KM'), year(date_min)", None).expect("columns");
/// let game = b"(;PB[Go Seigen]KM[6.5]DT[1933-10-16])";
/// let mut filled = selection.row();
/// let mut rows = RowReader::new(SliceReader::new(game), &mut filled);
/// rows.next_root()?;
/// let filled = rows.finish_row()?.expect("it is short");
/// let cells =
///     selection.columns().iter().map(|column| column.cell(filled, |cell| cell.to_string()));
/// assert_eq!(cells.collect::<Vec<_>>(), ["Go Seigen", "6.5", "1933"]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Selection {
    columns: Vec<SelectedColumn>,
    wanted: RequiredInputs,
}

/// Column of an output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SelectedColumn {
    /// Name of the column: the one after `AS`, the name of the row's column, or the expression as
    /// written.
    pub name: String,
    /// Type of the values.
    pub column_type: ColumnType,
    /// The column of the row, if the expression is just that.
    pub column: Option<&'static Column>,
    expression: Expression,
}

impl Selection {
    /// Parses column expressions separated by commas, each optionally with `AS` and a name, or
    /// `all`. The selection also includes the inputs of `filter`.
    ///
    /// # Errors
    ///
    /// Same as [`Filter::parse`].
    pub fn parse(text: &str, filter: Option<&Filter>) -> Result<Self, FilterError> {
        if text.trim().eq_ignore_ascii_case("all") {
            return Ok(Self::of(Column::all(), filter));
        }
        Self::of(&[], filter).followed_by(text)
    }

    /// Returns this selection with more columns at its end, parsed as by [`parse`](Self::parse) but
    /// without `all`.
    ///
    /// # Errors
    ///
    /// Same as [`Filter::parse`].
    pub fn followed_by(self, text: &str) -> Result<Self, FilterError> {
        let mut columns = self.columns;
        let (values, mut wanted) = compile_list(text, self.wanted)?;
        columns.extend(values.into_iter().map(
            |ListItem {
                 expression,
                 column_type,
                 span,
                 columns,
                 alias,
             }| {
                let column = match &expression {
                    // Treat a renamed column as an expression, because its original name no longer
                    // finds it.
                    Expression::Column(column) if alias.is_none() => Some(*column),
                    _ => None,
                };
                // Read whole entries for an expression of the number of a game: the caller corrects
                // the number later, but not values computed from it.
                wanted.needs_whole_entries |=
                    column.is_none() && columns.any(Column::counts_in_entry);
                let name = alias.unwrap_or_else(|| {
                    column
                        .map_or(&text[span.clone()], |column| column.name_as(&text[span]))
                        .to_owned()
                });
                SelectedColumn {
                    name,
                    column_type,
                    column,
                    expression,
                }
            },
        ));
        Ok(Self { columns, wanted })
    }

    /// Selects these columns of the row. The selection also includes the inputs of `filter`.
    #[must_use]
    pub fn of(columns: &'static [Column], filter: Option<&Filter>) -> Self {
        let mut wanted = filter
            .map(|filter| filter.wanted.clone())
            .unwrap_or_default();
        wanted.columns.extend(ColumnSet::of(columns));
        let selected = |column: &'static Column| SelectedColumn {
            name: column.name.to_owned(),
            column_type: column.column_type,
            column: Some(column),
            expression: Expression::Column(column),
        };
        Self {
            columns: columns.iter().map(selected).collect(),
            wanted,
        }
    }

    /// Returns this selection with further columns of the row, which are filled in but not in the
    /// output.
    #[must_use]
    pub(crate) fn with_facts(mut self, names: &[&str]) -> Self {
        self.wanted.columns.extend(ColumnSet::of(
            names.iter().filter_map(|name| Column::find(name)),
        ));
        self
    }

    /// Returns this selection without the column `key` in the output, for a caller that writes it
    /// first.
    #[must_use]
    pub(crate) fn without_key(mut self) -> Self {
        self.columns.retain(|selected| !selected.is_key());
        self
    }

    /// Returns this selection without the computation of the column `illegal_moves`, which is null
    /// unless the caller fills it in. A row still computes it if `filter` or an expression uses it.
    #[must_use]
    pub fn without_boards(mut self, filter: Option<&Filter>) -> Self {
        let column = Column::find("illegal_moves").expect("a column");
        let is_asked = filter.is_some_and(|filter| filter.wanted.columns.contains(column));
        if !is_asked
            && self
                .columns
                .iter()
                .all(|selected| selected.column.is_some())
        {
            self.wanted.columns.remove(column);
        }
        self
    }

    /// Returns the columns, in the order of the expressions.
    #[must_use]
    pub fn columns(&self) -> &[SelectedColumn] {
        &self.columns
    }

    /// Returns whether the filter or a column uses texts, so that the charset of a game matters.
    #[must_use]
    pub fn asks_text(&self) -> bool {
        self.wanted.ask_text()
    }

    /// Returns an empty row with the inputs of the columns and of the filter.
    #[must_use]
    pub fn row(&self) -> FilledRow {
        self.wanted.row(ColumnSet::default())
    }
}

impl SelectedColumn {
    /// Returns whether this is the column `key`.
    pub(crate) fn is_key(&self) -> bool {
        self.column.is_some_and(|column| column.name == "key")
    }

    /// Passes the cell of a game to `take`.
    #[inline]
    pub fn cell<T>(&self, filled: &FilledRow, take: impl FnOnce(Cell<'_>) -> T) -> T {
        match self.column {
            Some(column) => take(column.get(filled.row())),
            None => {
                let subject = Subject::game(filled, true);
                take(self.expression.evaluate(subject).cell())
            }
        }
    }

    /// Returns the description, with type and unit.
    #[must_use]
    pub fn description(&self) -> String {
        match self.column {
            Some(column) => {
                format!(
                    "{} ({}{})",
                    column.description, column.column_type, column.unit
                )
            }
            None => format!("{} ({})", self.name, self.column_type),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::RowReader;
    use sgfstream::SliceReader;

    #[test]
    fn whatever_selects_can_be_a_column() {
        let filter = Filter::parse("prop('PB') = 'x' OR has('C')").expect("a condition");
        let text = "PW, has('C'), prop('N'), move(1), moves * 2, length(pw), re || '!', prop('PB')";
        let selection = Selection::parse(text, Some(&filter)).expect("columns");
        let game = b"(;PB[a]PW[b]RE[B+R];B[aa](;C[x])(;N[y]))";
        let mut filled = selection.row();
        let mut rows = RowReader::new(SliceReader::new(game), &mut filled);
        assert!(rows.next_chosen(Some(&filter)).expect("no I/O"));
        let filled = rows.finish_row().expect("no I/O").expect("short");
        let text = |column: &SelectedColumn| column.cell(filled, |cell| cell.to_string());
        let cells: Vec<String> = selection.columns().iter().map(text).collect();
        assert_eq!(cells, ["b", "true", "y", "aa", "2", "1", "B+R!", "a"]);
        let types: Vec<&str> = selection
            .columns()
            .iter()
            .map(|column| column.column_type.as_str())
            .collect();
        assert_eq!(
            types,
            ["text", "bool", "text", "text", "int", "int", "text", "text"]
        );
        assert_eq!(
            (&*selection.columns()[0].name, &*selection.columns()[4].name),
            ("pw", "moves * 2")
        );
        let named =
            Selection::parse("pb AS black, moves * 2 as \"twice as many\"", None).expect("columns");
        let names: Vec<&str> = named.columns().iter().map(|column| &*column.name).collect();
        assert_eq!(names, ["black", "twice as many"]);
        let other = Selection::parse("Komi, km, handicap", None).expect("columns");
        let names: Vec<&str> = other.columns().iter().map(|column| &*column.name).collect();
        assert_eq!(names, ["komi", "km", "handicap"]);
        assert_eq!(
            Selection::parse("all", None)
                .expect("columns")
                .columns()
                .len(),
            Column::all().len()
        );
        for (text, message) in [
            ("pb,winer", "unknown column `winer`; did you mean `winner`?"),
            ("pb,,pw", "expected an expression, found `,`"),
            ("pb AS 1", "expected a name after AS, found `1`"),
            (
                "pb pw",
                "expected a comma or the end of the columns, found `pw`",
            ),
            ("any('C')", "any('C') must be compared with a constant"),
        ] {
            assert_eq!(
                Selection::parse(text, None).expect_err(text).message(),
                message
            );
        }
    }
}
