//! `sgfq charset`: what each game says of its charset, and what it looks like.

use std::io::Write;

use clap::Args;
use serde_json::json;

use sgfstream::{Charset, Code, Event, FramingPolicy, Options, Severity, SliceReader};
use sgfstream_engine::{CharsetGuess, Out, guess_charset};
use sgfstream_table::games::Kept;
use sgfstream_table::row::ColumnSet;

use crate::args::io::Io;
use crate::args::threads::{self, Pool};
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::json;
use crate::report::lines::Lines;
use crate::report::terminal::clean;

/// The bytes of a game that are examined.
const LOOKED_AT: u64 = 2 << 20;

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
    io: Io<Pool>,
}

/// The result for one game.
struct Finding {
    declared: Option<Vec<u8>>,
    valid: &'static str,
    guess: Option<CharsetGuess>,
    framing: &'static str,
}

impl Finding {
    /// Writes a line. `number` is that of the game in its part.
    fn write(&self, is_jsonl: bool, name: &str, number: i64, lines: &mut Lines) -> std::io::Result<()> {
        let declared = self.declared.as_deref().map(String::from_utf8_lossy);
        let detected = self.guess.map(|guess| guess.charset.name());
        let confidence = self.guess.map(|guess| guess.confidence.as_str());
        if is_jsonl {
            write!(lines.text, "{{\"schema\":{},\"file\":", json::SCHEMA)?;
            json::write_text(&mut lines.text, name)?;
            lines.text.extend_from_slice(b",\"game\":");
            lines.push_late(number, |before| before.games);
            let rest = json!({
                "declared": declared, "valid": self.valid, "detected": detected,
                "confidence": confidence, "framing": self.framing,
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
            self.valid,
            detected.unwrap_or("-"),
            confidence.unwrap_or("-"),
            self.framing
        )
    }
}

impl Charsets {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let (chooser, is_jsonl) = (self.io.parse_without_text()?, self.format == "jsonl");
        let head = if is_jsonl { "" } else { "game\tdeclared\tvalid\tdetected\tconfidence\tframing\n" };
        let builder = || chooser.builder(ColumnSet::default());
        let job = threads::each_game(&chooser, builder, Kept::Games, |game, part, lines: &mut Out<'_, Lines>| {
            let (span, mut bytes) = (game.extent()?.span, Vec::new());
            game.copy(span.start..span.end.min(span.start + LOOKED_AT), &mut bytes)?;
            look(&bytes).write(is_jsonl, &part.name.to_string(), game.row().game.unwrap_or(0), lines)?;
            Ok(())
        });
        self.io.write_lines(out, &chooser, head, &job)
    }
}

fn look(game: &[u8]) -> Finding {
    let mut declared = None;
    let mut text = Vec::new();
    let mut charset = None;
    // Only CA is looked for then.
    let is_ascii = game.is_ascii();
    let looked_at = if is_ascii && !may_have_ca(game) { &[][..] } else { game };
    for event in SliceReader::new(looked_at) {
        if is_ascii && declared.is_some() {
            break;
        }
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

/// False if no property can be CA, however it is spelled: a `C` is followed by a bracket before an `A`. Moves of most
/// games have no `C`.
fn may_have_ca(game: &[u8]) -> bool {
    let mut rest = game;
    while let Some(at) = memchr::memchr(b'C', rest) {
        rest = &rest[at + 1..];
        match memchr::memchr2(b'A', b'[', rest) {
            Some(end) if rest[end] == b'[' => rest = &rest[end..],
            Some(_) => return true,
            None => return false,
        }
    }
    false
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
    use sgfstream::{Event, SliceReader};

    use super::{look, may_have_ca};

    #[test]
    fn no_ca_is_overlooked() {
        let pieces = ["C", "A", "[x]", "a", ";", " ", "B[", "]", "(", "1", "\\", "CA[GBK]"];
        // All games of five pieces.
        for number in 0..pieces.len().pow(5) {
            let game: String = (0..5).map(|at| pieces[number / pieces.len().pow(at) % pieces.len()]).collect();
            let game = format!("(;{game}");
            let is_ca = |event: &Event<'_>| matches!(event, Event::Property(property) if property.ident().is(b"CA"));
            let has_ca = SliceReader::new(game.as_bytes()).any(|event| is_ca(&event));
            assert!(!has_ca || may_have_ca(game.as_bytes()), "{game}");
        }
        for game in ["(;B[aC];W[AC])", "(;PC[A];C[A])", "(;FF[4]C", ""] {
            assert!(!may_have_ca(game.as_bytes()), "{game}");
        }
    }

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
