//! `sgfq completions`: scripts that complete commands and options in a shell.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::commands::help;
use crate::io::output::Output;
use crate::report::exit::Exit;

/// Print a script that completes commands and options in a shell.
///
/// Load the script where the shell looks for completions, such as
/// `~/.local/share/bash-completion/completions/sgfq`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq completions bash > sgfq.bash\n\
\x20 sgfq completions zsh > _sgfq")]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The generated function completes a word; this one the part after the last comma of a list, such
/// as columns.
const LISTS: &str = r#"
_sgfq_lists() {
    _sgfq "$@"
    local each word="${COMP_WORDS[COMP_CWORD]}" values=()
    if [[ ${#COMPREPLY[@]} -eq 0 && "$word" == *,* ]]; then
        COMP_WORDS[COMP_CWORD]="${word##*,}"
        _sgfq "$1" "${word##*,}" "$3"
        for each in "${COMPREPLY[@]}"; do [[ "$each" == -* ]] || values+=("${word%,*},$each"); done
        COMPREPLY=("${values[@]}")
    fi
}
complete -F _sgfq_lists -o nosort -o bashdefault -o default sgfq 2>/dev/null ||
    complete -F _sgfq_lists -o bashdefault -o default sgfq
"#;

impl Completions {
    pub(crate) fn run<C: CommandFactory>(self, out: &mut Output) -> anyhow::Result<Exit> {
        // The generator panics on write errors, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut help::command_line::<C>(),
            "sgfq",
            &mut script,
        );
        out.write_all(&script)?;
        if self.shell == Shell::Bash {
            out.write_all(LISTS.as_bytes())?;
        }
        Ok(Exit::Done)
    }
}
