//! Text from files on its way to a person. A file may hold anything, and a
//! terminal obeys some of it; so it is cleaned first.

use std::io::{self, Write};

use sgfstream_draw::Diagram;

pub(crate) use sgfstream_explore::safe::{clean, is_unsafe};

/// Writes a board, then what does not fit on it, each on a line.
pub(crate) fn write_diagram(diagram: &Diagram, out: &mut dyn Write) -> io::Result<()> {
    for line in diagram.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    for note in diagram.notes() {
        writeln!(out, "{}", clean(&note))?;
    }
    Ok(())
}

/// Writes a line to stderr. Errors writing to stderr are ignored.
pub(crate) fn say(line: &str) {
    let lines: Vec<_> = line.lines().map(clean).collect();
    _ = writeln!(std::io::stderr(), "{}", lines.join("\n"));
}

/// stderr, for a buffer of whole lines. It is locked until all that is given at once is written: a signal can end a write
/// in the middle of a line, and another thread has something to say then.
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
