//! `sgfq events`: prints each event as a line of JSON.

use std::io;

use clap::Args;

use sgfstream::{Event, EventReader, Ident, Place, Span};
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::games::end;
use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::Pool;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::json::{self, JsonField};

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
    /// Also print the bytes between events; with --where, those inside the selected games.
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
        self.io.write_entries(out, &chooser, options, |part, out| {
            let (name, mut line) = (shown_name(&part), Vec::new());
            let mut print = |event: &Event<'_>, place: &Place| {
                line.clear();
                write(&mut line, &name, event, place)?;
                line.push(b'\n');
                out.write_all(&line)
            };
            if chooser.chooses_all() {
                let mut reader = part.reader();
                while reader.advance()? {
                    print(&reader.event(), &reader.place())?;
                }
                return Ok(reader.finish()?);
            }
            let mut filled = chooser.row(ColumnSet::default());
            let mut rows = RowReader::of_part(part, &mut filled)?;
            while let Some(game) = chooser.next_game(&mut rows)? {
                let mut end = game.span().start;
                game.each_event(|event, place| {
                    let gap = Span::new(end, place.span.start.max(end));
                    if self.gaps && !gap.is_empty() && !matches!(event, Event::Problem(_)) {
                        let start = game.span().start;
                        let bytes = &game.as_bytes()[(gap.start - start) as usize..(gap.end - start) as usize];
                        let mut place = *place;
                        place.span = gap;
                        print(&Event::Gap(bytes), &place)?;
                    }
                    end = end.max(place.span.end);
                    print(event, place)
                })?;
            }
            let mut place = rows.games().reader().place();
            place.depth = 0;
            for problem in rows.games().trailing_problems() {
                place.span = problem.span;
                print(&Event::Problem(*problem), &place)?;
            }
            end(rows)
        })
    }
}

/// Writes an event as a JSON object.
fn write(out: &mut Vec<u8>, file: &str, event: &Event<'_>, place: &Place) -> io::Result<()> {
    use JsonField::{Absent, Bool, Bytes, Number, Text, Values};
    let Span { start, end } = place.span;
    let mut object = |kind, more: &[(&str, JsonField<'_>)]| {
        let fields = [
            ("schema", Number(json::SCHEMA)),
            ("file", Text(file)),
            ("kind", Text(kind)),
            ("span", JsonField::Span([start, end])),
            ("depth", Number(place.depth)),
            ("game", Number(place.game)),
        ];
        json::write_object(out, &fields, more)
    };
    // A supplied token, which the file lacks, is marked.
    let supplied = |is_supplied| [("supplied", if is_supplied { Bool(true) } else { Absent })];
    match *event {
        Event::VariationStart(variation) => object("variation_start", &supplied(variation.supplied)),
        Event::NodeStart { supplied: is_supplied } => object("node_start", &supplied(is_supplied)),
        Event::VariationEnd(variation) => object("variation_end", &supplied(variation.supplied)),
        Event::Property(property) => with_ident(property.ident(), |id, written| {
            object("property", &[id, written, ("values", Values(property.values()))])
        }),
        Event::Problem(problem) => object(
            "problem",
            &[
                ("code", Text(problem.code.as_str())),
                ("severity", Text(problem.severity().as_str())),
                ("sgfc", problem.code.sgfc().map_or(JsonField::Null, |number| Number(number.into()))),
                ("message", Text(problem.code.message())),
            ],
        ),
        Event::Gap(bytes) => object("gap", &[("bytes", Bytes(bytes))]),
        // The library may have events that this command does not know.
        _ => match event.pieces().next() {
            None => object("other", &[]),
            Some(piece) => with_ident(piece.ident(), |id, written| {
                let fields = [
                    id,
                    written,
                    ("value", Number(piece.value_index())),
                    ("first", Bool(piece.is_value_start())),
                    ("last", Bool(piece.is_value_end())),
                    ("content", Bytes(piece.content().as_bytes())),
                ];
                object("property_part", &fields)
            }),
        },
    }
}

/// Calls `write` with the canonical identifier and the identifier as written, if that differs.
fn with_ident<T>(
    ident: Ident<'_>,
    write: impl FnOnce((&'static str, JsonField<'_>), (&'static str, JsonField<'_>)) -> T,
) -> T {
    let canonical = ident.canonical();
    let written = (*canonical != *ident.as_bytes()).then(|| ident.to_string());
    let id = String::from_utf8_lossy(&canonical);
    write(("id", JsonField::Text(&id)), ("written", written.as_deref().map_or(JsonField::Absent, JsonField::Text)))
}
