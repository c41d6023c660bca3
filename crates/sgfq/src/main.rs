//! The executable `sgfq`.

use std::process::ExitCode;

/// Runs the command line of this process.
fn main() -> ExitCode {
    sgfq::run(std::env::args_os()).into()
}
