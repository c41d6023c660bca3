//! Rewriting: what each edit does, and the laws that hold on every file.

mod cases;
mod laws;

use sgfstream_adapt::rewrite::{Report, Rewriter, edit};

/// The edits `name=argument`, with blanks between, done to `input`.
fn rewrite(edits: &[(&str, &str)], input: &[u8]) -> (Vec<u8>, Report) {
    let edits = edits.iter().map(|(name, argument)| edit(name, argument).expect("an edit")).collect();
    let mut rewriter = Rewriter::new(Vec::new(), edits);
    rewriter.slice(input);
    rewriter.finish().expect("writing to memory")
}
