//! `sgfq charset`: what each game says of its charset, and what it looks like.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use serde_json::json;

use sgfstream::base::{Charset, Code, Severity};
use sgfstream::event::Event;
use sgfstream::read::{FramingPolicy, Options, SliceReader};
use sgfstream_engine::{CharsetGuess, guess_charset};
use sgfstream_table::row::ColumnSet;

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::where_games::Where;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::json;
use crate::report::terminal::clean;

/// The bytes of a game that are examined.
const LOOKED_AT: usize = 2 << 20;

/// The bytes of text that a guess is based on.
const TEXT: usize = 64 << 10;

/// Print the charset of each game: declared, valid or not, and detected.
///
/// `declared` is CA as written. `valid` is `yes`, `no`, or `ascii` if all texts are ASCII. `detected` is a guess,
/// and `confidence` says how good it is: `high`, `medium` or `low`. `framing` says which way of finding the end
/// of a value leaves the game whole: `value` (by bytes), `whole` (by characters), `either` or `neither`.
/// See also `sgfq help charset`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq charset archive.zip\n\
\x20 sgfq charset -f jsonl games/")]
pub(crate) struct Charsets {
    /// Output format.
    #[arg(short = 'f', long, value_parser = ["text", "jsonl"], default_value = "text")]
    format: String,

    #[command(flatten)]
    choice: Where,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

/// The result for one game.
struct Finding {
    declared: Option<Vec<u8>>,
    valid: &'static str,
    guess: Option<CharsetGuess>,
    framing: &'static str,
}

impl Charsets {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let chooser = self.choice.parse()?;
        let mut games = 0u64;
        let exit = self.destination.with(&self.inputs, out, |out| {
            if self.format == "text" {
                writeln!(out, "game\tdeclared\tvalid\tdetected\tconfidence\tframing")?;
            }
            let builder = chooser.builder(ColumnSet::default());
            let mut bytes = Vec::new();
            self.inputs.games(self.inputs.how.options(), builder, |game| {
                if !chooser.chooses(game)? {
                    return Ok(ControlFlow::Continue(()));
                }
                bytes.clear();
                game.write(&mut Capped(&mut bytes))?;
                let row = game.row();
                let number = row.game.unwrap_or(0);
                let mut name = row.source.clone().unwrap_or_default();
                if let Some(member) = &row.member {
                    name = format!("{name}!{member}");
                }
                self.print(&look(&bytes), &name, number, out)?;
                games += 1;
                Ok(ControlFlow::Continue(()))
            })
        })?;
        Ok(self.inputs.or_none(exit, games > 0))
    }

    fn print(&self, found: &Finding, name: &str, number: i64, mut out: &mut dyn Write) -> anyhow::Result<()> {
        let declared = found.declared.as_deref().map(|raw| String::from_utf8_lossy(raw).into_owned());
        let detected = found.guess.map(|guess| guess.charset.name());
        let confidence = found.guess.map(|guess| guess.confidence.as_str());
        if self.format == "jsonl" {
            let line = json!({
                "file": name, "game": number, "declared": declared, "valid": found.valid, "detected": detected,
                "confidence": confidence, "framing": found.framing,
            });
            json::write(&mut out, &line)?;
            return Ok(writeln!(out)?);
        }
        writeln!(
            out,
            "{}#{number}\t{}\t{}\t{}\t{}\t{}",
            clean(name),
            clean(declared.as_deref().unwrap_or("-")),
            found.valid,
            detected.unwrap_or("-"),
            confidence.unwrap_or("-"),
            found.framing
        )?;
        Ok(())
    }
}

/// Keeps what fits and drops the rest.
struct Capped<'c>(&'c mut Vec<u8>);

impl Write for Capped<'_> {
    fn write(&mut self, buf: &[u8]) -> std::io::Result<usize> {
        let free = LOOKED_AT.saturating_sub(self.0.len());
        self.0.extend_from_slice(&buf[..buf.len().min(free)]);
        Ok(buf.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn look(game: &[u8]) -> Finding {
    let mut declared = None;
    let mut text = Vec::new();
    let mut charset = None;
    for event in SliceReader::new(game) {
        let Event::Property(property) = event else { continue };
        if property.ident().is(b"CA") && declared.is_none() {
            let raw = property.first().as_bytes();
            charset = Charset::for_label(raw.trim_ascii());
            declared = Some(raw[..raw.len().min(100)].to_vec());
        } else if !property.as_bytes().is_ascii() && text.len() < TEXT {
            for value in property.values().filter(|value| !value.as_bytes().is_ascii()) {
                text.extend_from_slice(value.as_bytes());
                text.push(b'\n');
            }
        }
    }
    text.truncate(TEXT);
    let guess = guess_charset(&text);
    let faults = |charset: Charset, framing| faults(game, charset, framing);
    let valid = match (charset, guess) {
        (_, None) => "ascii",
        (Some(charset), _) => {
            let (_, bytes) = faults(charset, FramingPolicy::Auto);
            if bytes == 0 { "yes" } else { "no" }
        }
        (None, Some(_)) if declared.is_some() => "no",
        (None, Some(_)) => "-",
    };
    let assumed = charset.or(guess.map(|guess| guess.charset)).unwrap_or(Charset::AUTO);
    let framing = if guess.is_some() && assumed.has_structural_trail_bytes() {
        match (faults(assumed, FramingPolicy::Value).0, faults(assumed, FramingPolicy::Whole).0) {
            (0, 0) => "either",
            (0, _) => "value",
            (_, 0) => "whole",
            _ => "neither",
        }
    } else {
        "either"
    };
    Finding { declared, valid, guess, framing }
}

/// How many faults of structure a game has when it is read this way, and how
/// many values are no text.
fn faults(game: &[u8], charset: Charset, framing: FramingPolicy) -> (u64, u64) {
    let options = Options::default().with_charset(Some(charset)).with_framing(framing);
    let (mut structure, mut bytes) = (0, 0);
    for event in SliceReader::with_options(game, options) {
        match event {
            Event::Problem(problem) => {
                let is_text = matches!(problem.code, Code::InvalidBytes | Code::UnknownCharset);
                structure += u64::from(!is_text && problem.severity() == Severity::Error);
            }
            Event::Property(property) if !property.as_bytes().is_ascii() => {
                bytes += property.values().filter(|value| value.with_charset(charset).try_text().1).count() as u64;
            }
            _ => {}
        }
    }
    (structure, bytes)
}

#[cfg(test)]
mod tests {
    use super::look;

    #[test]
    fn framings() {
        // 表 is 0x95 0x5C, ゾ 0x83 0x5D: bare, escaped, and neither.
        assert_eq!(look(b"(;CA[Shift_JIS]C[\x95\x5c\x83\x5d])").framing, "whole");
        assert_eq!(look(b"(;CA[Shift_JIS]C[\x95\x5c\x5c\x83\x5c\x5d])").framing, "value");
        assert_eq!(look(b"(;CA[Shift_JIS]C[\x8d\x95])").framing, "either");
        assert_eq!(look(b"(;CA[UTF-8]C[\xe9])").valid, "no");
        assert_eq!(look(b"(;CA[UTF-8]C[\xc3\xa9])").valid, "yes");
        assert_eq!(look(b"(;CA[UTF-8]C[x])").valid, "ascii");
    }
}
