//! `sgfq events`: a JSON line for each event.

use std::io::Write;

use clap::Args;
use serde_json::{Map, Value, json};

use sgfstream::{Event, EventReader, Place, RawValue, Span};

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::where_games::Where;
use crate::io::chosen::Others;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::json;

/// Print each event of the reader as a line of JSON.
///
/// Every line has `kind`, `span` (start and end byte) and `depth`; a property has `id` (canonical), `written` if
/// that differs, and `values` (the raw bytes between the brackets). Bytes that are not UTF-8 are written as
/// `{"latin1": "…"}`, one character per byte, so that they can be restored.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq events game.sgf | head -n 20\n\
\x20 sgfq events --gaps game.sgf | grep gap")]
pub(crate) struct Events {
    /// Also print the bytes between events.
    #[arg(long)]
    gaps: bool,

    #[command(flatten)]
    choice: Where,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

impl Events {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let mut options = self.inputs.how.options();
        options.gaps = self.gaps;
        let chooser = self.choice.parse()?;
        let each = |out: &mut dyn Write| {
            let exit = self.inputs.each_chosen(options, &chooser, Others::Blanked, |name, reader, reading| {
                while let Some(event) = reader.next_event()? {
                    let line = EventLine { event, file: name };
                    let (head, value) = line.parts();
                    // The event borrows the reader until its parts are made.
                    let mut place = reader.place();
                    let Some(number) = reading.number(place.game) else { continue };
                    place.game = number;
                    write_line(out, head, place, value)?;
                }
                Ok(())
            })?;
            Ok(chooser.or_none(&self.inputs, exit))
        };
        self.destination.with(&self.inputs, out, each)
    }
}

struct EventLine<'a> {
    event: Event<'a>,
    file: &'a str,
}

/// The kind of an event and what it has beside its place.
type Parts = (Map<String, Value>, Map<String, Value>);

impl EventLine<'_> {
    fn parts(&self) -> Parts {
        let mut head = Map::new();
        head.insert("schema".into(), json::SCHEMA.into());
        head.insert("file".into(), self.file.into());
        let mut rest = Map::new();
        let mut supplied = |supplied: bool| {
            if supplied {
                rest.insert("supplied".into(), true.into());
            }
        };
        let kind = match self.event {
            Event::VariationStart { supplied: is } => {
                supplied(is);
                "variation_start"
            }
            Event::NodeStart { supplied: is } => {
                supplied(is);
                "node_start"
            }
            Event::VariationEnd { supplied: is } => {
                supplied(is);
                "variation_end"
            }
            Event::Property(property) => {
                insert_ident(&mut rest, property.ident());
                rest.insert("values".into(), property.values().map(shown).collect());
                "property"
            }
            Event::PropertyPart(part) => {
                insert_ident(&mut rest, part.ident());
                rest.insert("value".into(), part.value_index().into());
                rest.insert("first".into(), part.is_value_start().into());
                rest.insert("last".into(), part.is_value_end().into());
                rest.insert("content".into(), shown(part.content()));
                "property_part"
            }
            Event::Problem(problem) => {
                rest.insert("code".into(), problem.code.as_str().into());
                rest.insert("severity".into(), problem.severity().as_str().into());
                rest.insert("sgfc".into(), problem.code.sgfc().into());
                rest.insert("message".into(), problem.code.message().into());
                "problem"
            }
            Event::Gap(bytes) => {
                rest.insert("bytes".into(), shown_bytes(bytes));
                "gap"
            }
            // A library that knows more events than this command.
            _ => "other",
        };
        head.insert("kind".into(), kind.into());
        (head, rest)
    }
}

fn insert_ident(object: &mut Map<String, Value>, ident: sgfstream::Ident<'_>) {
    let canonical = ident.canonical();
    object.insert("id".into(), String::from_utf8_lossy(&canonical).into());
    if ident.has_lowercase() {
        object.insert("written".into(), ident.to_string().into());
    }
}

fn shown(value: RawValue<'_>) -> Value {
    shown_bytes(value.as_bytes())
}

fn shown_bytes(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => json!({ "latin1": sgfstream::Charset::LATIN1.decode(bytes).0 }),
    }
}

fn write_line(
    mut out: &mut dyn Write,
    mut head: Map<String, Value>,
    place: Place,
    rest: Map<String, Value>,
) -> anyhow::Result<()> {
    let Span { start, end } = place.span;
    head.insert("span".into(), json!([start, end]));
    head.insert("depth".into(), place.depth.into());
    head.insert("game".into(), place.game.into());
    head.extend(rest);
    json::write(&mut out, &Value::Object(head))?;
    Ok(out.write_all(b"\n")?)
}
