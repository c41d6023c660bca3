//! The command `sgfq`. All it does stands in `sgfstream::cli`.

fn main() -> std::process::ExitCode {
    sgfstream::cli::main()
}
