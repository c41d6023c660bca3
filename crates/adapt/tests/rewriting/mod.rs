//! Tests of rewriting: each edit, and the laws that hold for every file.

mod cases;
mod laws;

use sgfstream_adapt::edit::{Report, Rewriter, edit};

/// Applies the edits `name=argument` to `input`.
fn rewrite(edits: &[(&str, &str)], input: &[u8]) -> (Vec<u8>, Report) {
    let edits = edits
        .iter()
        .map(|(name, argument)| edit(name, argument).expect("an edit"))
        .collect();
    let mut rewriter = Rewriter::new(edits);
    let output = rewriter.slice(input);
    (output, rewriter.report())
}
