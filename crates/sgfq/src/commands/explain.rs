//! `sgfq explain`: the meaning of a code of `sgfq check`, an example, and advice.

use std::io::Write;

use clap::Args;

use sgfstream::adapt::check::Explanation;
use sgfstream::base::Code;

use crate::commands::check::parse_code;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::terminal::clean;

/// The bytes of an example that are shown.
const EXAMPLE: usize = 200;

/// Explain a finding of `sgfq check`: its meaning, an example, and what to do.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq explain malformed-value\n\
\x20 sgfq explain --list")]
#[group(required = true, multiple = true)]
pub(crate) struct Explain {
    /// The codes, as `sgfq check` prints them.
    #[arg(value_name = "CODE", value_parser = parse_code)]
    codes: Vec<Code>,

    /// List all codes with severity, SGFC number and message.
    #[arg(long)]
    list: bool,
}

impl Explain {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        if self.list {
            for &code in Code::ALL {
                let sgfc = code.sgfc().map_or_else(|| "-".to_owned(), |number| number.to_string());
                writeln!(out, "{code}\t{}\t{sgfc}\t{}", code.severity(), code.message())?;
            }
        }
        for (index, &code) in self.codes.iter().enumerate() {
            if index > 0 || self.list {
                writeln!(out)?;
            }
            explain(out, Explanation::of(code))?;
        }
        Ok(Exit::Done)
    }
}

fn explain(out: &mut Output, explanation: &Explanation) -> anyhow::Result<()> {
    let code = explanation.code();
    let sgfc = code.sgfc().map(|number| format!(", SGFC {number}")).unwrap_or_default();
    writeln!(out, "{code} ({}{sgfc})\n  {}\n\n{}\n", code.severity(), code.message(), explanation.meaning())?;
    let legality = if explanation.needs_legality() { " (with --legality)" } else { "" };
    writeln!(out, "Example{legality}:")?;
    let example = explanation.example();
    let start = String::from_utf8_lossy(&example[..example.len().min(EXAMPLE)]);
    for line in start.lines() {
        writeln!(out, "  {}", clean(line))?;
    }
    if example.len() > EXAMPLE {
        writeln!(out, "  … ({} bytes)", example.len())?;
    }
    Ok(writeln!(out, "\nWhat to do: {}", explanation.advice())?)
}
