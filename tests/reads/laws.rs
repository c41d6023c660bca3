//! Laws for the events of any reader and any input: they follow the grammar,
//! their places are in order, and no byte is dropped without a problem.

use crate::twin::{Kind, Step};

/// Panics if `steps`, the events of `input`, break a law of
/// `docs/spec/reader.md`.
pub fn assert_hold(input: &[u8], steps: &[Step]) {
    assert_grammar(steps);
    assert_places(steps);
    assert_nothing_lost(input, steps);
}

/// ```text
/// game       = VariationStart node+ variation* VariationEnd
/// variation  = VariationStart node+ variation* VariationEnd
/// node       = NodeStart Property*
/// ```
fn assert_grammar(steps: &[Step]) {
    // For each open variation: whether it has a node, and whether it has a closed variation.
    let mut open: Vec<(bool, bool)> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let what = || format!("event {index}, `{step}`");
        match step.kind {
            Kind::VariationStart { .. } => {
                assert!(
                    open.last().is_none_or(|(node, _)| *node),
                    "a variation without node before {}",
                    what()
                );
                open.push((false, false));
            }
            Kind::NodeStart { .. } => {
                let last = open
                    .last_mut()
                    .unwrap_or_else(|| panic!("outside a game: {}", what()));
                assert!(!last.1, "after a variation: {}", what());
                last.0 = true;
            }
            Kind::Property { .. } | Kind::Part { .. } => {
                assert!(
                    open.last().is_some_and(|last| *last == (true, false)),
                    "outside a node: {}",
                    what()
                );
            }
            Kind::VariationEnd { .. } => {
                let last = open
                    .pop()
                    .unwrap_or_else(|| panic!("outside a game: {}", what()));
                assert!(last.0, "no node in the variation that ends with {}", what());
                if let Some(parent) = open.last_mut() {
                    parent.1 = true;
                }
            }
            Kind::Problem(_) => {}
        }
    }
    assert!(open.is_empty(), "{} variations stay open", open.len());
}

/// Checks that the places of events are in order, and that a supplied event has no bytes.
fn assert_places(steps: &[Step]) {
    let mut at = 0;
    for step in steps {
        assert!(
            step.span.start <= step.span.end,
            "`{step}` ends before it starts"
        );
        let supplied = match step.kind {
            Kind::VariationStart { supplied, .. }
            | Kind::NodeStart { supplied }
            | Kind::VariationEnd { supplied, .. } => supplied,
            Kind::Property { .. } | Kind::Part { .. } => false,
            Kind::Problem(_) => continue,
        };
        assert_eq!(
            step.span.is_empty(),
            supplied,
            "`{step}` at {:?}",
            step.span
        );
        assert!(
            at <= step.span.start,
            "`{step}` at {:?} comes before {at}",
            step.span
        );
        at = step.span.end;
    }
}

/// Checks that each byte is in the span of an event or problem, is a blank or
/// part of a byte order mark, or is the `)` of a `(` that was reported.
fn assert_nothing_lost(input: &[u8], steps: &[Step]) {
    let mut covered = vec![false; input.len()];
    for step in steps {
        covered[step.span.start as usize..step.span.end as usize].fill(true);
        if let Kind::Part {
            ident,
            first: true,
            value: 0,
            ..
        } = &step.kind
        {
            // The identifier of a long property may be far before its `[`.
            let before = &input[..step.span.start as usize];
            let end = before.len()
                - before
                    .iter()
                    .rev()
                    .take_while(|&&byte| byte <= b' ')
                    .count();
            if before[..end].ends_with(ident) {
                covered[end - ident.len()..end].fill(true);
            }
        }
    }
    let dropped = steps
        .iter()
        .filter(|step| step.kind == Kind::Problem("variation-without-node"))
        .count();
    let mut closed = 0;
    let mut at = 0;
    while at < input.len() {
        match input[at] {
            _ if covered[at] => {}
            0..=b' ' => {}
            b')' => closed += 1,
            _ if input[at..].starts_with(b"\xEF\xBB\xBF") => at += 2,
            byte => panic!(
                "byte {at}, {:?}, is in no event and no problem",
                char::from(byte)
            ),
        }
        at += 1;
    }
    assert!(
        closed <= dropped,
        "{closed} `)` skipped in silence for {dropped} dropped `(`"
    );
}
