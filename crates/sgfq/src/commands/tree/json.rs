//! Writes the trees of a file as JSON, one game at a time.

use std::io::{self, Write};

use sgfstream::Property;
use sgfstream::record::{GameItem, GameRecord};
use sgfstream_engine::{Part, PartEnd};
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::where_games::Chooser;
use crate::report::json;

/// Last part of the game that was written. It determines which JSON separators come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    VariationStart,
    Node,
    Property,
    VariationEnd,
}

/// Writes the object of the file `name`. If reading fails, the object has the games read so far.
pub(super) fn write(
    out: &mut dyn Write,
    name: &str,
    part: Part<'_>,
    chooser: &Chooser,
) -> anyhow::Result<PartEnd> {
    let mut head = Vec::new();
    json::begin_object(&mut head, name)?;
    head.extend_from_slice(b",\"tree\":[");
    out.write_all(&head)?;
    let end = write_games(out, part, chooser);
    out.write_all(b"]}\n")?;
    end
}

fn write_games(out: &mut dyn Write, part: Part<'_>, chooser: &Chooser) -> anyhow::Result<PartEnd> {
    let mut filled = chooser.row(ColumnSet::default());
    let mut rows = RowReader::of_part(part, &mut filled)?;
    let mut separator: &[u8] = b"";
    loop {
        match chooser.next_game(&mut rows) {
            Ok(Some(game)) => {
                out.write_all(separator)?;
                write_game(out, &game)?;
                separator = b",";
            }
            Ok(None) => return Ok(rows.end()?),
            Err(err) => {
                if let Some(game) = chooser.partial_game(&rows) {
                    out.write_all(separator)?;
                    write_game(out, &game)?;
                }
                return Err(err);
            }
        }
    }
}

/// Writes a game as an object. Closes the variations of a game that was not read to its end.
fn write_game(out: &mut dyn Write, game: &GameRecord<'_>) -> io::Result<()> {
    let (mut last, mut depth) = (Last::VariationEnd, 0);
    for item in game.items(game.tokens()) {
        last = match item {
            GameItem::VariationStart => {
                // A variation follows another variation, or the nodes of its parent.
                let before: &[u8] = match last {
                    Last::VariationEnd if depth == 0 => b"",
                    Last::VariationEnd => b",",
                    _ => b"]],\"children\":[",
                };
                out.write_all(before)?;
                out.write_all(b"{\"nodes\":[")?;
                depth += 1;
                Last::VariationStart
            }
            GameItem::Node => {
                out.write_all(if last == Last::VariationStart {
                    b"["
                } else {
                    b"],["
                })?;
                Last::Node
            }
            GameItem::Property(_, property) => {
                out.write_all(if last == Last::Node { b"" } else { b"," })?;
                write_property(out, &property)?;
                Last::Property
            }
            GameItem::VariationEnd => {
                end_variation(out, last)?;
                depth -= 1;
                Last::VariationEnd
            }
            _ => continue,
        };
    }
    for _ in 0..depth {
        end_variation(out, last)?;
        last = Last::VariationEnd;
    }
    Ok(())
}

/// Writes a property as a list of its identifier and its decoded values.
fn write_property(out: &mut dyn Write, property: &Property<'_>) -> io::Result<()> {
    out.write_all(b"[\"")?;
    out.write_all(&property.ident().canonical())?;
    out.write_all(b"\",")?;
    let mut text = b"[".to_vec();
    for value in property.values() {
        json::write(&mut text, &value.text())?;
        out.write_all(&text)?;
        text.clear();
        text.push(b',');
    }
    out.write_all(b"]]")
}

fn end_variation(out: &mut dyn Write, last: Last) -> io::Result<()> {
    out.write_all(match last {
        Last::VariationEnd => b"]}",
        Last::VariationStart => b"],\"children\":[]}",
        Last::Node | Last::Property => b"]],\"children\":[]}",
    })
}
