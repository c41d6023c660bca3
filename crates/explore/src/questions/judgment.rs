//! Judges the moves of a problem by its marks, by words in its comments, or by its main line.

use sgfstream_adapt::tree::{GameTree, NodeId};

/// Maximum number of nodes of a problem. Problems of real collections are smaller.
const NODES: usize = 20_000;

/// Words in capital letters at the end of a right or wrong line of a problem.
const RIGHT: [&str; 2] = ["RIGHT", "CORRECT"];
const WRONG: [&str; 3] = ["WRONG", "INCORRECT", "FAILURE"];

/// Words at the start of a comment, ignoring case.
const RIGHT_START: [&str; 2] = ["correct", "right"];
const WRONG_START: [&str; 4] = ["wrong", "incorrect", "failure", "fail"];

/// Words of languages without spaces. The wrong ones are tested first, because some contain a right one.
const WRONG_CJK: [&str; 7] = ["不正解", "失敗", "失败", "不正确", "错误", "오답", "실패"];
const RIGHT_CJK: [&str; 4] = ["正解", "正确", "正確", "정답"];

/// Evidence for judging the moves of a problem.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basis {
    /// Marks or words somewhere in the game.
    Said,
    /// No marks and no words, so the main line is right.
    MainLine,
}

/// Judges the children of a node of a problem, in their order: right, wrong, or `None` without evidence. Returns `None` if
/// the game is no problem, that is, if it begins without stones, or has one line and no judging word or mark.
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
        // After a wrong move, the moves are not judged.
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
            // If right lines are marked, all other lines are wrong.
            (has_right || is_any).then_some(false)
        })
    };
    Some(children.iter().map(judge).collect())
}

/// Returns the judgment of a node's move by `TE` or `BM`.
pub(super) fn mark_of(tree: &GameTree, node: NodeId) -> Option<bool> {
    if tree.property(node, "BM").is_some() {
        return Some(false);
    }
    tree.property(node, "TE").map(|_| true)
}

/// Returns the judgment of a node by its marks and its comment.
fn said_of(tree: &GameTree, node: NodeId) -> Option<bool> {
    mark_of(tree, node).or_else(|| tree.property(node, "C").and_then(|comment| word_of(&comment.text())))
}

/// Returns the judgment of a comment by its words.
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
    // `Right.` is a judgment, but `Right side` is a place.
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
