//! `sgfq explain`: explains a code of `sgfq check` with an example and advice.

use std::io::Write;

use clap::Args;

use sgfstream::Code;
use sgfstream_adapt::check::Explanation;

use crate::args::listed_values::codes;
use crate::commands::check::parse_code;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::terminal::clean;

/// Maximum bytes of an example shown.
const EXAMPLE: usize = 200;

/// Explain a finding of `sgfq check`: its meaning, an example, and what to do.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq explain malformed-value\n\
\x20 sgfq explain 39\n\
\x20 sgfq explain --list")]
#[group(required = true, multiple = true)]
pub(crate) struct Explain {
    /// The codes, as `sgfq check` prints them, or numbers of SGFC.
    #[arg(value_name = "CODE", value_parser = codes(parse_codes), hide_possible_values = true)]
    codes: Vec<Codes>,

    /// List all codes with severity, SGFC number and message.
    #[arg(long)]
    list: bool,
}

/// Codes that a name or an SGFC number means.
#[derive(Clone, Debug)]
struct Codes(Vec<Code>);

/// Parses `malformed-value`, `39`, `SGFC 39` or `SGFC-39`.
fn parse_codes(name: &str) -> Result<Codes, String> {
    let lower = name.to_ascii_lowercase();
    let digits = lower.strip_prefix("sgfc").map_or(&*lower, |rest| {
        rest.trim_start_matches(['-', ' ', ':', '#'])
    });
    let Ok(number) = digits.parse::<u64>() else {
        return parse_code(name).map(|code| Codes(vec![code]));
    };
    let is_of = |code: &Code| code.sgfc().is_some_and(|sgfc| u64::from(sgfc) == number);
    let codes: Vec<Code> = Code::ALL.iter().copied().filter(is_of).collect();
    if codes.is_empty() {
        Err(format!(
            "no finding has the SGFC number {number}; `sgfq explain --list` lists them"
        ))
    } else {
        Ok(Codes(codes))
    }
}

impl Explain {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        if self.list {
            for &code in Code::ALL {
                let sgfc = code
                    .sgfc()
                    .map_or_else(|| "-".to_owned(), |number| number.to_string());
                writeln!(
                    out,
                    "{code}\t{}\t{sgfc}\t{}",
                    code.severity(),
                    code.message()
                )?;
            }
        }
        for (index, &code) in self.codes.iter().flat_map(|codes| &codes.0).enumerate() {
            if index > 0 || self.list {
                writeln!(out)?;
            }
            explain(out, &Explanation::of(code))?;
        }
        Ok(Exit::Done)
    }
}

fn explain(out: &mut Output, explanation: &Explanation) -> anyhow::Result<()> {
    let code = explanation.code;
    let sgfc = code
        .sgfc()
        .map(|number| format!(", SGFC {number}"))
        .unwrap_or_default();
    writeln!(
        out,
        "{code} ({}{sgfc})\n  {}\n\n{}\n",
        code.severity(),
        code.message(),
        explanation.meaning
    )?;
    let legality = if explanation.needs_legality {
        " (with --legality)"
    } else {
        ""
    };
    writeln!(out, "Example{legality}:")?;
    write_example(out, &explanation.example())?;
    if let Some(fixed) = explanation.fixed() {
        writeln!(out, "\nAfter `sgfq fix --guess --only {code}`:")?;
        write_example(out, &fixed)?;
    }
    Ok(writeln!(out, "\nWhat to do: {}", explanation.advice)?)
}

/// Writes the start of an example. Bytes that are no text are escaped.
fn write_example(out: &mut Output, example: &[u8]) -> anyhow::Result<()> {
    let start = &example[..example.len().min(EXAMPLE)];
    let text = match std::str::from_utf8(start) {
        Ok(text) if !text.contains(['\0', '\u{feff}']) => text.to_owned(),
        _ => start.escape_ascii().to_string(),
    };
    for line in text.lines() {
        writeln!(out, "  {}", clean(line))?;
    }
    if example.len() > EXAMPLE {
        writeln!(out, "  … ({} bytes)", example.len())?;
    }
    Ok(())
}
