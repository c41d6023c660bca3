//! Which moves of a problem are right: as marks, words in comments, or the main line say.

use sgfstream_adapt::tree::{GameTree, NodeId};

/// Nodes of a problem that are read; no collection has problems as large.
const NODES: usize = 20_000;

/// Words in capital letters that end a right or a wrong line of a problem.
const RIGHT: [&str; 2] = ["RIGHT", "CORRECT"];
const WRONG: [&str; 3] = ["WRONG", "INCORRECT", "FAILURE"];

/// The same at the start of a comment, in any case.
const RIGHT_START: [&str; 2] = ["correct", "right"];
const WRONG_START: [&str; 4] = ["wrong", "incorrect", "failure", "fail"];

/// The same in languages without blanks between words. Wrong ones first: some contain a right one.
const WRONG_CJK: [&str; 7] = ["不正解", "失敗", "失败", "不正确", "错误", "오답", "실패"];
const RIGHT_CJK: [&str; 4] = ["正解", "正确", "正確", "정답"];

/// Evidence by which the moves of a problem are judged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basis {
    /// Marks or words, somewhere in the game.
    Said,
    /// Nothing: the main line is right.
    MainLine,
}

/// Judges the moves after a node of a problem, in their order: right or wrong; none where the game does not say. `None` if the game is no
/// problem: it begins without stones, or has one line and no word.
pub(super) fn of_children(tree: &GameTree, node: NodeId) -> Option<Vec<Option<bool>>> {
    let is_set_up =
        tree.main_line().take(2).any(|node| ["AB", "AW"].iter().any(|ident| tree.property(node, ident).is_some()));
    let has_moves = |ident: &str| tree.property(tree.root(), ident).is_some_and(|value| value.text().trim() != "0");
    if !is_set_up || has_moves("HA") || tree.node_count() > NODES {
        return None;
    }
    let is_said = tree.preorder().any(|node| said_of(tree, node).is_some());
    let has_variations = tree.preorder().any(|node| tree.next_sibling(node).is_some());
    let basis = if is_said { Basis::Said } else { Basis::MainLine };
    if basis == Basis::MainLine && !has_variations {
        return None;
    }
    let children: Vec<NodeId> = tree.children(node).collect();
    if basis == Basis::MainLine {
        // Beyond a wrong move, no answer is right.
        let is_on_main_line = tree.main_line().any(|other| other == node);
        let judge = |at: usize| if is_on_main_line { Some(at == 0) } else { None };
        return Some((0..children.len()).map(judge).collect());
    }
    let has_right = tree.preorder().any(|node| said_of(tree, node) == Some(true));
    let judge = |&child: &NodeId| {
        mark_of(tree, child).or_else(|| {
            let mut said = tree.subtree(child).filter_map(|node| said_of(tree, node)).peekable();
            let is_any = said.peek().is_some();
            if said.any(|is_right| is_right) {
                return Some(true);
            }
            // Where right lines are marked, the others are wrong.
            (has_right || is_any).then_some(false)
        })
    };
    Some(children.iter().map(judge).collect())
}

/// What `TE` or `BM` says of the move of a node.
pub(super) fn mark_of(tree: &GameTree, node: NodeId) -> Option<bool> {
    if tree.property(node, "BM").is_some() {
        return Some(false);
    }
    tree.property(node, "TE").map(|_| true)
}

/// What the marks and the comment of a node say.
fn said_of(tree: &GameTree, node: NodeId) -> Option<bool> {
    mark_of(tree, node).or_else(|| tree.property(node, "C").and_then(|comment| word_of(&comment.text())))
}

/// What the words of a comment say.
fn word_of(comment: &str) -> Option<bool> {
    let contains = |words: &[&str]| words.iter().any(|word| comment.contains(word));
    if contains(&WRONG_CJK) {
        return Some(false);
    }
    if contains(&RIGHT_CJK) {
        return Some(true);
    }
    let words = || comment.split(|char: char| !char.is_alphanumeric());
    let start = comment.trim_start_matches(|char: char| !char.is_alphanumeric());
    let (first, after) = start.split_at(start.find(|char: char| !char.is_alphanumeric()).unwrap_or(start.len()));
    let first = first.to_lowercase();
    // `Right.` is a judgment, `Right side` is a place.
    let ends = after.is_empty() || after.starts_with(['.', '!', ',', ':', ';', '\n']);
    if ends && WRONG_START.contains(&&*first) || words().any(|word| WRONG.contains(&word)) {
        return Some(false);
    }
    let is_right = ends && RIGHT_START.contains(&&*first) || words().any(|word| RIGHT.contains(&word));
    is_right.then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_collections() {
        for (comment, expected) in [
            ("RIGHT", Some(true)),
            ("Black lives. RIGHT", Some(true)),
            ("Correct!", Some(true)),
            ("Correct", Some(true)),
            ("Right side first", None),
            ("White is right to cut.", None),
            ("Wrong.", Some(false)),
            ("Incorrect: ko", Some(false)),
            ("正解図", Some(true)),
            ("「Correct」", None),
            ("*Correct!*", Some(true)),
            ("不正解", Some(false)),
            ("失敗図", Some(false)),
            ("", None),
        ] {
            assert_eq!(word_of(comment), expected, "{comment}");
        }
    }

    #[test]
    fn moves_of_a_problem() {
        for (game, expected) in [
            ("(;AB[aa];B[bb])", None),
            ("(;SZ[9](;B[bb])(;B[cc]))", None),
            ("(;AB[aa](;B[bb])(;B[cc]))", Some(vec![Some(true), Some(false)])),
            ("(;AB[aa](;B[bb];W[cc])(;B[cc];W[dd](;B[ee]C[RIGHT])(;B[ff])))", Some(vec![Some(false), Some(true)])),
            ("(;AB[aa](;B[bb]BM[1])(;B[cc])(;B[dd]TE[1]))", Some(vec![Some(false), Some(false), Some(true)])),
            ("(;AB[aa](;B[bb]C[Wrong.])(;B[cc]))", Some(vec![Some(false), None])),
        ] {
            let tree = GameTree::parse(game.as_bytes()).expect("a game");
            assert_eq!(of_children(&tree, tree.root()), expected, "{game}");
        }
    }
}
