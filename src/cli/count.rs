//! `sgfq count`: games, nodes, moves and bytes, as fast as the reader.

use std::io::Write;

use clap::Args;

use super::exit::Exit;
use super::input::Inputs;
use super::output::Output;

/// Count games, nodes, moves and bytes.
#[derive(Debug, Args)]
pub(super) struct Count {
    #[command(flatten)]
    inputs: Inputs,

    /// One JSON object instead of lines.
    #[arg(short = 'f', long, value_parser = ["text", "json"], default_value = "text")]
    format: String,
}

impl Count {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let mut total = crate::adapt::Count::default();
        let mut files = 0u64;
        let mut bytes = 0u64;
        let exit = self.inputs.each(self.inputs.how.options(), |_, mut reader| {
            files += 1;
            let result = reader.drive(&mut total);
            bytes += reader.offset();
            Ok(result?)
        })?;
        let rows = [
            ("files", files),
            ("games", total.games),
            ("nodes", total.nodes),
            ("moves", total.moves()),
            ("bytes", bytes),
        ];
        if self.format == "json" {
            let object: serde_json::Map<_, _> =
                rows.iter().map(|&(name, count)| (name.to_owned(), count.into())).collect();
            writeln!(out, "{}", serde_json::Value::Object(object))?;
        } else {
            for (name, count) in rows {
                writeln!(out, "{name}\t{count}")?;
            }
        }
        Ok(exit)
    }
}
