//! A rewriting with no edits gives every byte back; any edit ends, and done
//! twice it does not panic either.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgfstream::adapt::rewrite::{EDITS, Rewriter, edit};

const ARGUMENTS: [&str; 9] = ["", "comments,markup", "B,W", "EV=x", "3", "lf", "rotate-90", "C", "AB=aa"];

fuzz_target!(|data: &[u8]| {
    let mut same = Rewriter::new(Vec::new(), Vec::new());
    same.slice(data);
    let (bytes, _) = same.finish().expect("a Vec takes all");
    assert!(bytes == data, "no edits changed something");

    let knob = data.last().copied().unwrap_or(0);
    let entry = &EDITS[usize::from(knob) % EDITS.len()];
    for argument in ARGUMENTS {
        let Ok(made) = edit(entry.name, argument) else { continue };
        let mut rewriter = Rewriter::new(Vec::new(), vec![made]);
        rewriter.slice(data);
        let (once, _) = rewriter.finish().expect("a Vec takes all");
        let again = edit(entry.name, argument).expect("made before");
        let mut rewriter = Rewriter::new(Vec::new(), vec![again]);
        rewriter.slice(&once);
        rewriter.finish().expect("a Vec takes all");
    }
});
