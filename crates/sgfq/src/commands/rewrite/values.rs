//! `--set-expr`, and the values that edits refuse.

use sgfstream::{Code, EventReader, SliceReader, escape_text};
use sgfstream_adapt::check::{CheckOptions, Checker, Finding};
use sgfstream_adapt::rewrite::{Context, Edit, Next, Unit, edit};
use sgfstream_table::filter::{Selected, Selection};
use sgfstream_table::row::{Cell, RowBuilder};

/// The edit that is made here: name, argument, what it does.
pub(super) const EDIT: (&str, &str, &str) = (
    "set-expr",
    "ID=EXPR",
    "As --set, with the value that an expression has for the game as it is read; where it is null, nothing is changed",
);

/// A property, the nodes that get it, and the expression that has its value.
#[derive(Clone, Debug)]
pub(super) struct Computed {
    /// `ID` or `ID@NODES`.
    place: String,
    pub(super) expression: String,
}

impl Computed {
    /// Reads `ID=EXPR` and `ID@NODES=EXPR`.
    pub(super) fn parse(argument: &str) -> anyhow::Result<Self> {
        let Some((place, expression)) = argument.split_once('=') else {
            anyhow::bail!("expected ID=EXPR, such as PB=lower(pb), found `{argument}`");
        };
        edit("set", &format!("{place}="))?;
        Ok(Self { place: place.to_owned(), expression: expression.to_owned() })
    }

    pub(super) fn ident(&self) -> &str {
        self.place.split('@').next().unwrap_or_default()
    }

    /// The edit of a game for which the expression has this value. `force`: whatever it is.
    pub(super) fn edit(&self, value: &str, force: bool) -> anyhow::Result<Box<dyn Edit>> {
        match force || fault_of(self.ident(), &format!("[{}]", escape_text(value)))?.is_none() {
            true => Ok(edit("set", &format!("{}={value}", self.place))?),
            false => Ok(Box::new(Refused)),
        }
    }
}

/// The identifier and the values, with their brackets, of an argument of `--set` or `--add` that can be read.
pub(super) fn given(argument: &str) -> Option<(&str, String)> {
    let ident = &argument[..argument.find(['=', '[', '@'])?];
    let value = &argument[argument.find(['=', '['])?..];
    let raw = value.strip_prefix('=').map_or_else(|| value.to_owned(), |text| format!("[{}]", escape_text(text)));
    Some((ident, raw))
}

/// A value that is none of its property.
struct Refused;

impl Edit for Refused {
    fn name(&self) -> &'static str {
        EDIT.0
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if at.in_root && unit.begins_node() {
            next.note_cut("values that are none of their property were not written; see --force");
        }
        next.push(unit);
    }
}

/// Fault that the checker finds in a property, whatever the game is. `raw` has its values with their brackets.
pub(super) fn fault_of(ident: &str, raw: &str) -> anyhow::Result<Option<String>> {
    // CA and FF of the argument come instead of those.
    let head = match ident {
        "CA" | "FF" => "(;",
        "GM" => "(;CA[UTF-8]FF[4]",
        _ => "(;CA[UTF-8]FF[4]GM[1]",
    };
    let mut fault = None;
    let mut checker = Checker::new(CheckOptions::default(), |finding: &Finding| {
        if matches!(finding.code, Code::UnreadableValue | Code::BadRootValue | Code::MalformedGameInfo) {
            fault.get_or_insert_with(|| finding.message.to_string());
        }
    });
    SliceReader::new(format!("{head}{ident}{raw})").as_bytes()).drive(&mut checker)?;
    drop(checker);
    Ok(fault)
}

/// The expressions of edits, which are read with what `--where` needs.
#[derive(Clone, Debug)]
pub(super) struct Expressions(Selection);

impl Expressions {
    pub(super) fn new(selection: Selection) -> Self {
        Self(selection)
    }

    pub(super) fn builder(&self) -> RowBuilder {
        self.0.builder()
    }

    pub(super) fn needs_whole_entries(&self) -> bool {
        self.0.needs_whole_entries()
    }

    /// The values for a game, in the order of the expressions.
    pub(super) fn values(&self, row: &RowBuilder) -> Vec<Option<String>> {
        let value = |column: &Selected| {
            column.cell(row, |cell| match cell {
                Cell::Null => None,
                cell => Some(cell.to_string()),
            })
        };
        self.0.columns().iter().map(value).collect()
    }
}
