//! `sgfq events`: prints each event as a line of JSON.

use clap::Args;
use serde::Serialize;

use sgfstream::{Event, EventReader, Ident, Place, Span, Values};
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::Pool;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::json::{self, RawBytes, raw_values};

/// Print each event of the reader as a line of JSON.
///
/// Every line has `kind`, `span` (start and end byte) and `depth`. A property has `id` (canonical),
/// `written` if that differs, and `values` (the raw bytes between the brackets). Bytes that are not
/// UTF-8 become `{"latin1": "…"}`, one character per byte, so you can restore them.
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
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.has_gaps = self.gaps;
        let chooser = self.io.choice.parse()?;
        self.io.write_entries(out, &chooser, |part, out| {
            let (mut head, mut line) = (Vec::new(), Vec::new());
            json::begin_object(&mut head, &shown_name(&part))?;
            let mut print = |event: &Event<'_>, place: &Place| {
                line.clear();
                line.extend_from_slice(&head);
                json::write_fields(&mut line, &EventFields::of(event, place))?;
                line.extend_from_slice(b"}\n");
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
                        let bytes = &game.as_bytes()
                            [(gap.start - start) as usize..(gap.end - start) as usize];
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
            Ok(rows.end()?)
        })
    }
}

#[derive(Serialize)]
struct EventFields<'e> {
    kind: &'static str,
    span: [u64; 2],
    depth: u64,
    game: u64,
    #[serde(flatten)]
    details: Details<'e>,
}

/// Fields of an event that depend on its kind.
#[derive(Serialize)]
#[serde(untagged)]
enum Details<'e> {
    None {},
    /// A token that the file lacks.
    Supplied {
        supplied: bool,
    },
    Property {
        #[serde(flatten)]
        ident: IdentFields,
        #[serde(serialize_with = "raw_values")]
        values: Values<'e>,
    },
    Problem {
        code: &'static str,
        severity: &'static str,
        sgfc: Option<u8>,
        message: &'static str,
    },
    Gap {
        bytes: RawBytes<'e>,
    },
    Part {
        #[serde(flatten)]
        ident: IdentFields,
        value: u64,
        first: bool,
        last: bool,
        content: RawBytes<'e>,
    },
}

/// Canonical identifier, and the identifier as written, if that differs.
#[derive(Serialize)]
struct IdentFields {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
}

impl IdentFields {
    fn of(ident: Ident<'_>) -> Self {
        let canonical = ident.canonical();
        let written = (*canonical != *ident.as_bytes()).then(|| ident.to_string());
        Self {
            id: String::from_utf8_lossy(&canonical).into_owned(),
            written,
        }
    }
}

impl<'e> Details<'e> {
    /// Returns the kind of an event, and its fields.
    fn of(event: &Event<'e>) -> (&'static str, Self) {
        let supplied = |supplied| {
            if supplied {
                Self::Supplied { supplied }
            } else {
                Self::None {}
            }
        };
        match *event {
            Event::VariationStart(variation) => ("variation_start", supplied(variation.supplied)),
            Event::NodeStart {
                supplied: is_supplied,
            } => ("node_start", supplied(is_supplied)),
            Event::VariationEnd(variation) => ("variation_end", supplied(variation.supplied)),
            Event::Property(property) => {
                let ident = IdentFields::of(property.ident());
                (
                    "property",
                    Self::Property {
                        ident,
                        values: property.values(),
                    },
                )
            }
            Event::Problem(problem) => {
                let (code, severity) = (problem.code, problem.severity().as_str());
                let (sgfc, message) = (code.sgfc(), code.message());
                (
                    "problem",
                    Self::Problem {
                        code: code.as_str(),
                        severity,
                        sgfc,
                        message,
                    },
                )
            }
            Event::Gap(bytes) => (
                "gap",
                Self::Gap {
                    bytes: RawBytes(bytes),
                },
            ),
            // The library may have events that this command does not know.
            _ => match event.pieces().next() {
                None => ("other", Self::None {}),
                Some(piece) => {
                    let part = Self::Part {
                        ident: IdentFields::of(piece.ident()),
                        value: piece.value_index(),
                        first: piece.is_value_start(),
                        last: piece.is_value_end(),
                        content: RawBytes(piece.content().as_bytes()),
                    };
                    ("property_part", part)
                }
            },
        }
    }
}

impl<'e> EventFields<'e> {
    fn of(event: &Event<'e>, place: &Place) -> Self {
        let Span { start, end } = place.span;
        let (kind, details) = Details::of(event);
        Self {
            kind,
            span: [start, end],
            depth: place.depth,
            game: place.game,
            details,
        }
    }
}
