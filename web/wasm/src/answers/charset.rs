//! Charset of each game: the fields of `sgfq charset -f jsonl`.

use sgfstream::internal::GameCharset;
use sgfstream::{Event, EventReader, SliceReader};

use crate::input::whole;
use crate::json::Json;

use super::{Answer, Args, Refusal};

/// Maximum bytes of a game that are examined.
const LOOKED_AT: usize = 2 << 20;

pub(crate) fn charset(args: &Args<'_>, bytes: &[u8]) -> Result<Answer, Refusal> {
    let (bytes, options) = whole(bytes, args.options()?);
    let mut reader = SliceReader::with_options(&bytes, options);
    let mut json = Json::default();
    json.open('[');
    while let Some(Ok(event)) = reader.events().next() {
        if !matches!(event, Event::VariationStart { .. }) || reader.depth() != 1 {
            continue;
        }
        let (start, game) = (reader.span().start as usize, reader.game());
        reader.skip_game();
        while matches!(reader.next_event(), Ok(Some(event)) if !matches!(event, Event::VariationEnd { .. }))
        {
        }
        let end = (reader.offset() as usize).min(start + LOOKED_AT);
        let found = GameCharset::of(&bytes[start..end.max(start)]);
        json.open('{');
        json.name("game").number(game);
        json.name("declared").optional(
            found
                .declared
                .as_deref()
                .map(String::from_utf8_lossy)
                .as_deref(),
        );
        json.name("valid").text(found.valid);
        json.name("detected")
            .optional(found.guess.map(|guess| guess.charset.name()));
        json.name("confidence")
            .optional(found.guess.map(|guess| guess.confidence.as_str()));
        json.name("framing").text(found.framing);
        json.close('}');
    }
    json.close(']');
    Ok(Answer {
        json: json.out,
        ..Answer::default()
    })
}
