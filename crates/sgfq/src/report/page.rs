//! An HTML page that needs nothing else, no network, no script.

use std::io::{self, Write};

/// Writes what comes before the content of a page. `title` is escaped already.
pub(crate) fn head(out: &mut dyn Write, title: &str) -> io::Result<()> {
    out.write_all(b"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")?;
    out.write_all(b"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")?;
    // Not even a mistake in this page could load or run anything.
    out.write_all(
        b"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    )?;
    let (style, boards) = (sgfstream_explore::stats::page::STYLE, sgfstream_draw::STYLE);
    writeln!(out, "<title>{title}</title>\n<style>\n{style}{boards}</style>\n</head>\n<body>")
}

/// Writes the end of a page.
pub(crate) fn foot(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"</body>\n</html>\n")
}
