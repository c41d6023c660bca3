//! `sgfq completions`: scripts that complete commands and options in a shell.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::commands::help;
use crate::io::output::Output;
use crate::report::exit::Exit;

/// Print a script that completes commands and options in a shell.
///
/// Load the script where the shell looks for completions, such as `~/.local/share/bash-completion/completions/sgfq`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq completions bash > sgfq.bash\n\
\x20 sgfq completions zsh > _sgfq")]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run<C: CommandFactory>(self, out: &mut Output) -> anyhow::Result<Exit> {
        // The generator panics on write errors, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut help::command_line::<C>(), "sgfq", &mut script);
        out.write_all(&script)?;
        Ok(Exit::Done)
    }
}
