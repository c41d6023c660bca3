//! Parsers that list known values in completions and manual pages, and accept other values, too.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

use sgfstream::Code;
use sgfstream_table::row::Column;

/// Parser that accepts the values of `parser` and lists `names`.
#[derive(Clone)]
struct ListedValues<P> {
    parser: P,
    names: fn() -> Vec<&'static str>,
}

impl<P: TypedValueParser> TypedValueParser for ListedValues<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// Returns a parser of columns and expressions that lists the columns.
pub(crate) fn columns() -> impl TypedValueParser<Value = String> {
    ListedValues {
        parser: StringValueParser::new(),
        names: || Column::all().iter().map(|column| column.name).collect(),
    }
}

/// Adds the list of finding codes to `parser`.
pub(crate) fn codes<P: TypedValueParser>(parser: P) -> impl TypedValueParser<Value = P::Value> {
    ListedValues {
        parser,
        names: || Code::ALL.iter().map(|code| code.as_str()).collect(),
    }
}
