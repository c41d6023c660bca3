//! Events of a file with the charset of their game.

use sgfstream::{CharsetSource, Event, EventReader, OwnedEvent, Place};
use sgfstream_engine::PartReader;

/// Maximum bytes of buffered events of a root: CA may follow the texts that it applies to (spec CA-02).
const HELD: usize = 4 << 20;

/// Bytes of memory that an event takes in addition to its own.
const OVERHEAD: usize = size_of::<(OwnedEvent, Place)>() + 32;

/// Passes the events to `take`. From the first non-ASCII text of a root on, the events are buffered until the charset of the
/// root is known.
pub(super) fn each_event(
    reader: &mut PartReader<'_>,
    mut take: impl FnMut(&Event<'_>, &Place, &PartReader<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut held: Vec<(OwnedEvent, Place)> = Vec::new();
    let (mut held_bytes, mut nodes) = (0, 0u64);
    let result = loop {
        match reader.advance() {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(err) => break Err(err.into()),
        }
        let place = reader.place();
        let event = reader.event();
        let (is_in_node, is_ascii) = match &event {
            Event::VariationStart { .. } => {
                nodes = if place.depth == 1 { 0 } else { nodes };
                (false, true)
            }
            Event::NodeStart { .. } => {
                nodes += 1;
                (true, true)
            }
            Event::Problem(_) => (true, true),
            event if event.ident().is_some() => (true, event.as_bytes().is_ascii()),
            _ => (false, true),
        };
        let waits = nodes == 1 && is_in_node && (!is_ascii || !held.is_empty());
        if waits && place.charset_source < CharsetSource::Declared && held_bytes < HELD {
            held_bytes += place.span.len() as usize + OVERHEAD;
            held.push((event.into_owned(), place));
            continue;
        }
        for (event, mut at) in held.drain(..) {
            (at.charset, at.charset_source) = (place.charset, place.charset_source);
            take(&event.as_event(), &at, reader)?;
        }
        held_bytes = 0;
        take(&event, &place, reader)?;
    };
    // Events before a read error are passed, too.
    held.iter().try_for_each(|(event, at)| take(&event.as_event(), at, reader))?;
    result
}
