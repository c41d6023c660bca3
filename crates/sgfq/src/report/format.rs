//! Output formats, with the names that `-f` and the extensions of output files have in every
//! command.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Output format of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Lines for people.
    Text,
    /// Aligned columns.
    Table,
    /// Values separated by commas, with a header.
    Csv,
    /// Values separated by tabs, with a header.
    Tsv,
    /// One JSON object per line.
    #[value(alias = "ndjson")]
    Jsonl,
    /// One JSON object, on one line.
    Json,
    Parquet,
    #[value(aliases = ["ipc", "feather"])]
    Arrow,
    /// Games.
    Sgf,
    /// A picture of a board.
    Svg,
    /// A page with charts.
    Html,
    /// One line per finding: `file:line:column: severity[code]: message`. Editors read it.
    Short,
    /// SARIF 2.1.0, which services that show findings read.
    Sarif,
}

impl Format {
    /// Formats that write rows.
    pub(crate) const ROWS: &[Self] = &[Self::Table, Self::Csv, Self::Tsv, Self::Jsonl];

    /// Returns the name that `-f` takes.
    pub(crate) fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns whether the format writes rows.
    pub(crate) fn is_rows(self) -> bool {
        Self::ROWS.contains(&self)
    }

    /// Parses the value of an option that takes these formats.
    pub(crate) fn one_of(formats: &'static [Self]) -> impl TypedValueParser<Value = Self> {
        let values = formats.iter().filter_map(ValueEnum::to_possible_value);
        PossibleValuesParser::new(values)
            .map(|name| Self::from_str(&name, true).expect("a possible value"))
    }
}
