//! Judges the moves of a problem by its marks, by words in its comments, or by its main line.

use sgfstream::record::Outline;

/// Maximum number of nodes of a problem. Problems of real collections are smaller.
const NODES: usize = 20_000;

/// Words in capital letters at the end of a right or wrong line of a problem.
const RIGHT: [&str; 2] = ["RIGHT", "CORRECT"];
const WRONG: [&str; 3] = ["WRONG", "INCORRECT", "FAILURE"];

/// Words at the start of a comment, ignoring case.
const RIGHT_START: [&str; 2] = ["correct", "right"];
const WRONG_START: [&str; 4] = ["wrong", "incorrect", "failure", "fail"];

/// Words of languages without spaces. The wrong ones are tested first, because some contain a right
/// one.
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

/// Judges the children of a node of a problem, in their order: right, wrong, or `None` without
/// evidence. Returns `None` if the game is no problem, that is, if it begins without stones, or has
/// one line and no judging word or mark.
pub(super) fn of_children(outline: &Outline<'_>, node: usize) -> Option<Vec<Option<bool>>> {
    let has = |node, ident| outline.property(node, ident).is_some();
    let is_set_up = outline
        .line(0)
        .take(2)
        .any(|node| has(node, "AB") || has(node, "AW"));
    let has_handicap = outline
        .property(0, "HA")
        .is_some_and(|value| value.text().trim() != "0");
    if !is_set_up || has_handicap || outline.len() > NODES {
        return None;
    }
    let said: Vec<Option<bool>> = outline
        .below(0)
        .map(|node| said_of(outline, node))
        .collect();
    let basis = if said.iter().any(Option::is_some) {
        Basis::Said
    } else {
        Basis::MainLine
    };
    let children = outline.children(node);
    if basis == Basis::MainLine {
        // A node that is not the first child of its parent begins a variation.
        if !outline
            .below(0)
            .skip(1)
            .any(|node| outline.parent(node) != Some(node - 1))
        {
            return None;
        }
        // Judge no moves off the main line, because they follow a wrong move.
        let is_on_main_line = outline.line(0).any(|other| other == node);
        let judge = |at: usize| if is_on_main_line { Some(at == 0) } else { None };
        return Some((0..children.count()).map(judge).collect());
    }
    let has_right = said.contains(&Some(true));
    let judge = |child: usize| {
        mark_of(outline, child).or_else(|| {
            let below = &said[outline.below(child)];
            if below.contains(&Some(true)) {
                return Some(true);
            }
            // If right lines are marked, all other lines are wrong.
            (has_right || below.contains(&Some(false))).then_some(false)
        })
    };
    Some(children.map(judge).collect())
}

/// Returns the judgment of a node's move by `TE` or `BM`.
pub(super) fn mark_of(outline: &Outline<'_>, node: usize) -> Option<bool> {
    if outline.property(node, "BM").is_some() {
        return Some(false);
    }
    outline.property(node, "TE").map(|_| true)
}

/// Returns the judgment of a node by its marks and its comment.
fn said_of(outline: &Outline<'_>, node: usize) -> Option<bool> {
    mark_of(outline, node).or_else(|| {
        outline
            .property(node, "C")
            .and_then(|comment| word_of(&comment.text()))
    })
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
    let (first, after) = start.split_at(
        start
            .find(|char: char| !char.is_alphanumeric())
            .unwrap_or(start.len()),
    );
    let first = first.to_lowercase();
    // `Right.` is a judgment, but `Right side` is a place.
    let ends = after.is_empty() || after.starts_with(['.', '!', ',', ':', ';', '\n']);
    if ends && WRONG_START.contains(&&*first) || words().any(|word| WRONG.contains(&word)) {
        return Some(false);
    }
    let is_right =
        ends && RIGHT_START.contains(&&*first) || words().any(|word| RIGHT.contains(&word));
    is_right.then_some(true)
}

#[cfg(test)]
mod tests {
    use sgfstream::SliceReader;
    use sgfstream::record::GameReader;

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
            (
                "(;AB[aa](;B[bb])(;B[cc]))",
                Some(vec![Some(true), Some(false)]),
            ),
            (
                "(;AB[aa](;B[bb];W[cc])(;B[cc];W[dd](;B[ee]C[RIGHT])(;B[ff])))",
                Some(vec![Some(false), Some(true)]),
            ),
            (
                "(;AB[aa](;B[bb]BM[1])(;B[cc])(;B[dd]TE[1]))",
                Some(vec![Some(false), Some(false), Some(true)]),
            ),
            (
                "(;AB[aa](;B[bb]C[Wrong.])(;B[cc]))",
                Some(vec![Some(false), None]),
            ),
        ] {
            let mut games = GameReader::new(SliceReader::new(game.as_bytes()));
            let read = games
                .next_game()
                .expect("a slice")
                .expect("a game")
                .expect("a short game");
            assert_eq!(of_children(&Outline::of(read), 0), expected, "{game}");
        }
    }
}
