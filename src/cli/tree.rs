//! `sgfq tree`: the game trees of each file.

use clap::Args;

use super::exit::Exit;
use super::input::Inputs;
use super::output::Output;

/// Show the game trees of each file: drawn, or as JSON.
#[derive(Debug, Args)]
pub(super) struct Tree {
    #[command(flatten)]
    inputs: Inputs,
}

impl Tree {
    pub(super) fn run(self, _: &mut Output) -> anyhow::Result<Exit> {
        self.inputs.each(self.inputs.how.options(), |_, _| Ok(()))
    }
}
