//! Text from files for the terminal. A file may contain escape sequences, which a terminal would
//! execute, so text is cleaned first.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use sgfstream_explore::safe::{clean, diagram_text, is_unsafe, quoted};

/// Whether to print no notes. It is static, because every part of a command may print a note.
pub(crate) static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Writes a note to stderr, unless the user passed `--quiet`.
pub(crate) fn print_note(note: &str) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        print_line(note);
    }
}

/// Writes a line to stderr. Ignores errors of stderr.
pub(crate) fn print_line(line: &str) {
    let lines: Vec<_> = line.lines().map(clean).collect();
    _ = writeln!(std::io::stderr(), "{}", lines.join("\n"));
}

/// Unbuffered stderr that writes whole lines. It stays locked for each write, because a signal may
/// interrupt a write in the middle of a line while another thread also writes a message.
#[derive(Debug)]
pub(crate) struct WholeLines;

impl Write for WholeLines {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        std::io::stderr().lock().write_all(lines)?;
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        std::io::stderr().flush()
    }
}
