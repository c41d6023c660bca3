//! `sgfq charset`: the declared and the detected charset of each game.

use std::io::Write;
use std::ops::Range;

use clap::Args;
use serde_json::json;

use sgfstream_engine::Out;
use sgfstream_open::GameCharset;
use sgfstream_table::games::Retention;
use sgfstream_table::row::ColumnSet;

use crate::args::io::Io;
use crate::args::threads::Lines;
use crate::args::threads::{self, Pool};
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::json;
use crate::report::terminal::clean;

/// Maximum bytes of a game that are examined.
const LOOKED_AT: u64 = 2 << 20;

/// Print the charset of each game: declared, valid or not, and detected.
///
/// `declared` is CA as written. `valid` is `yes`, `no`, or `ascii` if all texts are ASCII. `detected` is a guess, and
/// `confidence` says how good it is: `high`, `medium` or `low`. `framing` is the `--framing` that reads the game
/// without errors: `value` (bytes), `whole` (characters), `either` or `neither`. See also `sgfq help charset`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq charset archive.zip\n\
\x20 sgfq charset -f jsonl games/")]
pub(crate) struct Charsets {
    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    #[command(flatten)]
    io: Io<Pool>,
}

const FORMATS: &[Format] = &[Format::Text, Format::Jsonl];

/// Writes a line. `number` is the number of the game in its part.
fn write(found: &GameCharset, is_jsonl: bool, name: &str, number: i64, lines: &mut Lines) -> std::io::Result<()> {
    let declared = found.declared.as_deref().map(String::from_utf8_lossy);
    let detected = found.guess.map(|guess| guess.charset.name());
    let confidence = found.guess.map(|guess| guess.confidence.as_str());
    if is_jsonl {
        write!(lines.text, "{{\"schema\":{},\"file\":", json::SCHEMA)?;
        json::write_text(&mut lines.text, name)?;
        lines.text.extend_from_slice(b",\"game\":");
        lines.push_late(number, |before| before.games);
        let rest = json!({
            "declared": declared, "valid": found.valid, "detected": detected,
            "confidence": confidence, "framing": found.framing,
        });
        let start = lines.text.len();
        json::write(&mut lines.text, &rest)?;
        lines.text[start] = b',';
        return writeln!(lines.text);
    }
    write!(lines.text, "{}#", clean(name))?;
    lines.push_late(number, |before| before.games);
    writeln!(
        lines.text,
        "\t{}\t{}\t{}\t{}\t{}",
        clean(declared.as_deref().unwrap_or("-")),
        found.valid,
        detected.unwrap_or("-"),
        confidence.unwrap_or("-"),
        found.framing
    )
}

impl Charsets {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let format = self.io.destination.format(self.format, FORMATS)?;
        let (chooser, is_jsonl) = (self.io.parse_without_text()?, format == Format::Jsonl);
        let head = if is_jsonl { "" } else { "game\tdeclared\tvalid\tdetected\tconfidence\tframing\n" };
        let builder = || chooser.builder(ColumnSet::default());
        let job = threads::each_game(&chooser, builder, Retention::Games, |game, part, lines: &mut Out<'_, Lines>| {
            let Range { start, end } = game.skip_rest()?;
            let bytes = game.bytes(start..end.min(start + LOOKED_AT))?;
            write(&GameCharset::of(&bytes), is_jsonl, &part.name.to_string(), game.row().game.unwrap_or(0), lines)?;
            Ok(())
        });
        let engine = self.io.inputs.how.engine().with_cut(chooser.cut(threads::ANSWER));
        self.io.write_lines(out, &chooser, engine, head, &job)
    }
}
