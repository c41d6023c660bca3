//! `sgfq events`: prints each event as a line of JSON.

use clap::Args;
use serde_json::{Map, Value, json};

use sgfstream::{Event, EventReader, Place, RawValue, Span};

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::Pool;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::json;

/// Print each event of the reader as a line of JSON.
///
/// Every line has `kind`, `span` (start and end byte) and `depth`. A property has `id` (canonical), `written` if that
/// differs, and `values` (the raw bytes between the brackets). Bytes that are not UTF-8 become `{"latin1": "…"}`, one
/// character per byte, so you can restore them.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq events game.sgf | head -n 20\n\
\x20 sgfq events --gaps game.sgf | grep gap")]
pub(crate) struct Events {
    /// Also print the bytes between events.
    #[arg(long)]
    gaps: bool,

    #[command(flatten)]
    io: Io<Pool>,
}

impl Events {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let mut options = self.io.inputs.how.options();
        options.gaps = self.gaps;
        let chooser = self.io.choice.parse()?;
        self.io.write_entries(out, &chooser, options, |part, mut out| {
            let name = shown_name(&part);
            chooser.read(part, |mut reader| {
                while reader.advance()? {
                    json::write(&mut out, &line(&name, &reader.event(), reader.place()))?;
                    out.write_all(b"\n")?;
                }
                Ok(reader.finish()?)
            })
        })
    }
}

/// Returns an event as a JSON object.
fn line(file: &str, event: &Event<'_>, place: Place) -> Value {
    let mut rest = Map::new();
    let kind = match *event {
        Event::VariationStart(variation) => token("variation_start", variation.supplied, &mut rest),
        Event::NodeStart { supplied } => token("node_start", supplied, &mut rest),
        Event::VariationEnd(variation) => token("variation_end", variation.supplied, &mut rest),
        Event::Property(property) => {
            insert_ident(&mut rest, property.ident());
            rest.insert("values".into(), property.values().map(shown).collect());
            "property"
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
        // The library may have events that this command does not know.
        _ => event.pieces().next().map_or("other", |piece| {
            insert_ident(&mut rest, piece.ident());
            rest.insert("value".into(), piece.value_index().into());
            rest.insert("first".into(), piece.is_value_start().into());
            rest.insert("last".into(), piece.is_value_end().into());
            rest.insert("content".into(), shown(piece.content()));
            "property_part"
        }),
    };
    let Span { start, end } = place.span;
    let mut object = Map::new();
    object.insert("schema".into(), json::SCHEMA.into());
    object.insert("file".into(), file.into());
    object.insert("kind".into(), kind.into());
    object.insert("span".into(), json!([start, end]));
    object.insert("depth".into(), place.depth.into());
    object.insert("game".into(), place.game.into());
    object.extend(rest);
    Value::Object(object)
}

/// Returns the kind of a token. A supplied token, which the file lacks, is marked.
fn token(kind: &'static str, is_supplied: bool, rest: &mut Map<String, Value>) -> &'static str {
    if is_supplied {
        rest.insert("supplied".into(), true.into());
    }
    kind
}

fn insert_ident(object: &mut Map<String, Value>, ident: sgfstream::Ident<'_>) {
    let canonical = ident.canonical();
    object.insert("id".into(), String::from_utf8_lossy(&canonical).into());
    if *canonical != *ident.as_bytes() {
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
