//! Places where texts lack a `\`.

use std::collections::VecDeque;
use std::ops::Range;

use sgfstream::record::{GameReader, Node};
use sgfstream::{Code, EventReader, Problem, Result};
use sgfstream_game::Facts;

use super::text_lookahead::{NodeText, Notation, TextLookahead};

/// Nodes before a stray text in which to look for its property.
const NODES: usize = 8;

/// Where values of a text lack a `\`.
#[derive(Debug, Default)]
pub(crate) struct Borders {
    /// Places of the `]` to escape, in order.
    pub(crate) brackets: Vec<usize>,
    /// The texts that go on, each from where the reader ended it to its own end.
    pub(crate) texts: Vec<Range<usize>>,
}

impl Borders {
    /// Finds the brackets to escape in `input`, which `reader` reads from offset `base`.
    pub(crate) fn of<R: EventReader>(input: &[u8], reader: R, base: u64) -> Result<Self> {
        let mut search = BorderSearch::default();
        let mut games = GameReader::new(reader);
        while let Some(game) = games.next_game()? {
            let Ok(game) = game else {
                search = BorderSearch {
                    borders: search.borders,
                    ..BorderSearch::default()
                };
                continue;
            };
            let place = |offset: u64| offset.saturating_sub(base) as usize;
            let (before, inside) = game.problems().split_at(game.problems_before().len());
            search.gap(input, before, place);
            search.game(input, &Facts::of(game, 0), inside, place);
        }
        search.gap(input, games.trailing_problems(), |offset| {
            offset.saturating_sub(base) as usize
        });
        Ok(search.borders)
    }

    /// Finds the brackets to escape in a game, as places in its bytes. A text that goes on behind
    /// the game ends with it.
    pub(crate) fn of_game(facts: &Facts<'_>) -> Self {
        let game = facts.record();
        let inside = &game.problems()[game.problems_before().len()..];
        let mut search = BorderSearch::default();
        if inside.iter().any(|problem| is_stray(problem.code)) {
            let place = |offset: u64| offset.saturating_sub(game.span().start) as usize;
            search.game(game.as_bytes(), facts, inside, place);
        }
        search.borders
    }

    /// If a place is in the rest of a text, behind the `]` where the reader ended it, returns the
    /// last bracket to escape before the place, and the bracket that ends the text.
    pub(crate) fn text_at(&self, place: usize) -> Option<(usize, usize)> {
        let text = &self.texts[self
            .texts
            .partition_point(|text| text.start <= place)
            .checked_sub(1)?];
        let bracket = self.brackets[self
            .brackets
            .partition_point(|&at| at <= place)
            .checked_sub(1)?];
        (place < text.end).then_some((bracket, text.end - 1))
    }

    /// Returns `input` with a `\` before each of the brackets.
    pub(crate) fn write(&self, input: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(input.len() + self.brackets.len());
        let mut from = 0;
        for &at in &self.brackets {
            out.extend_from_slice(&input[from..at]);
            out.push(b'\\');
            from = at;
        }
        out.extend_from_slice(&input[from..]);
        out
    }
}

fn keep_last<'t>(nodes: &mut VecDeque<Node<'t>>, node: Node<'t>) {
    if nodes.len() == NODES {
        nodes.pop_front();
    }
    nodes.push_back(node);
}

/// Returns whether a `]` without `\` may cause a problem of this code.
pub(crate) const fn is_stray(code: Code) -> bool {
    matches!(
        code,
        Code::StrayBracket
            | Code::UnexpectedText
            | Code::IdentifierWithoutValue
            | Code::UnclosedIdentifier
            | Code::IdentifierWithoutCapital
            | Code::IdentifierTooLong
            | Code::ValueWithoutIdentifier
            | Code::TextAfterGame
            | Code::StrayParenthesis
            | Code::VariationWithoutNode
            | Code::DigitInIdentifier
    )
}

#[derive(Default)]
struct BorderSearch {
    borders: Borders,
    notation: Option<Notation>,
    /// The node of the current place, and those before it.
    nodes: Vec<NodeText>,
    /// Place up to which texts were examined.
    done: usize,
    /// End of the property, or start of the node, before the last stray text. Texts before it were
    /// examined.
    examined: Option<usize>,
}

impl BorderSearch {
    /// Examines a game, of whose problems `inside` is about places in it.
    fn game(
        &mut self,
        input: &[u8],
        facts: &Facts<'_>,
        inside: &[Problem],
        place: impl Fn(u64) -> usize,
    ) {
        let game = facts.record();
        let start = place(game.span().start);
        self.notation = Some(Notation::of(facts));
        // Whether the node of the current place is not the last of `self.nodes`.
        let mut is_stale = true;
        let mut nodes: VecDeque<Node<'_>> = VecDeque::new();
        let mut rest = game.nodes().peekable();
        for problem in inside.iter().filter(|problem| is_stray(problem.code)) {
            let at = place(problem.span.start);
            while let Some(node) = rest.next_if(|node| start + node.start() <= at) {
                keep_last(&mut nodes, node);
                is_stale = true;
            }
            if at >= self.done {
                if std::mem::take(&mut is_stale) {
                    self.nodes = nodes.iter().map(|node| NodeText::of(node, start)).collect();
                }
                self.stray(input, at);
            }
        }
        rest.for_each(|node| keep_last(&mut nodes, node));
        self.nodes = nodes.iter().map(|node| NodeText::of(node, start)).collect();
    }

    /// Examines the bytes between two games.
    fn gap(&mut self, input: &[u8], problems: &[Problem], place: impl Fn(u64) -> usize) {
        for problem in problems.iter().filter(|problem| is_stray(problem.code)) {
            self.stray(input, place(problem.span.start));
        }
    }

    /// Examines a stray text.
    fn stray(&mut self, input: &[u8], place: usize) {
        let Some(notation) = self.notation.filter(|_| place >= self.done) else {
            return;
        };
        let before = self.nodes.last().map(|node| node.end_before(place));
        if std::mem::replace(&mut self.examined, before) == before {
            return;
        }
        let look = TextLookahead { input, notation };
        let Some(owner) = look
            .owner(&self.nodes, place)
            .filter(|owner| owner.span.end > self.done)
        else {
            return;
        };
        let (start, end) = (owner.span.start, owner.span.end);
        // Accept an end only behind the stray bytes, because they must be a part of the text.
        let text_end = look.text_end(&owner, true);
        let Some(at) = text_end.filter(|&at| place <= at && look.has_sure_brackets(start..at + 1))
        else {
            return;
        };
        let inner = &input[end..at];
        if inner
            .iter()
            .any(|&byte| byte > b' ' && !matches!(byte, b']' | b')' | b'('))
            || look.open_brackets(start..end) > 0
        {
            self.borders
                .brackets
                .extend(look.bare_brackets(end - 1..at));
            self.borders.texts.push(end - 1..at + 1);
            self.done = at + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sgfstream::SliceReader;

    use super::super::InsertedEscapes;
    use super::*;

    fn borders(input: &[u8]) -> Borders {
        Borders::of(input, SliceReader::new(input), 0).expect("a slice can be read")
    }

    fn escaped(input: &str) -> String {
        String::from_utf8(borders(input.as_bytes()).write(input.as_bytes()))
            .expect("it inserts ASCII")
    }

    #[test]
    fn a_text_ends_before_structure() {
        for (input, expected) in [
            (
                "C[see [1] and Diagram[2] for White];W[gg]",
                r"C[see [1\] and Diagram[2\] for White];W[gg]",
            ),
            (
                "C[Bob [5k]: hi ; ok\nAl [3d]: yes];W[gg]",
                r"C[Bob [5k\]: hi ; ok\nAl [3d\]: yes];W[gg]",
            ),
            ("US[player[3k]]PB[Ann]", r"US[player[3k\]]PB[Ann]"),
            ("LB[aa:[1]][bb:2]", r"LB[aa:[1\]][bb:2]"),
            ("C[list [1] [2] [3]]", r"C[list [1\] [2\] [3\]]"),
            ("C[a :) [1] ok :)];W[gg]", r"C[a :) [1\] ok :)];W[gg]"),
            (
                "C[see [1]. Better]PW[[A] Lee]LB[aa:x] y]",
                r"C[see [1\]. Better]PW[[A\] Lee]LB[aa:x\] y]",
            ),
            (
                "C[see [1] or more] x;B[d d]KM[6,5]",
                r"C[see [1\] or more] x;B[d d]KM[6,5]",
            ),
            (
                "C[see [1] for more];W[bb] and",
                r"C[see [1\] for more];W[bb] and",
            ),
            (
                "C[see [1] and [2] too] x ;B[aa]",
                r"C[see [1\] and [2\] too] x ;B[aa]",
            ),
            (r"C[a\] b] c];B[aa]", r"C[a\] b\] c];B[aa]"),
        ] {
            let expected = expected.replace(r"\nAl", "\nAl");
            assert_eq!(
                escaped(&format!("(;FF[4]GM[1]{input})")),
                format!("(;FF[4]GM[1]{expected})")
            );
        }
    }

    #[test]
    fn the_reader_ended_a_value_right() {
        for input in [
            "C[a]]",
            "C[a] ;b[cd];r[fg]",
            "SZ[9] words]",
            "B[aa] words] ;W[bb]",
            "C[bad [1];W[gg]",
            "C[Al [3k]: hi [x] yes ;B[dd]",
            "C[a] and",
            "C[a] b[c];B[aa]",
            "PB[x]\u{3000}PW[y]\u{a0};B[aa]",
            "GM[1] x];B[aa]",
            r"C[B[aa\]]B[aa]]FF[0]",
            "C[a]XK[b] c]",
        ] {
            let input = format!("(;FF[4]GM[1]{input})");
            assert_eq!(escaped(&input), input);
        }
    }

    #[test]
    fn a_bracket_in_a_character_is_not_sure() {
        let found = borders(b"(;FF[4]GM[1]C[[1] \xba\x5d\xda] x];B[aa])");
        assert!(found.brackets.is_empty());
    }

    #[test]
    fn places_are_those_before_the_insertion() {
        let input = b"(;FF[4]GM[1]C[a [1] b]\nN[c [2] d];B[aa])";
        let found = borders(input);
        let output = found.write(input);
        let mut inserted = InsertedEscapes::default();
        inserted.add(&found, 100);
        let place = |bytes: &[u8]| bytes.windows(2).position(|pair| pair == b"d]").unwrap() as u64;
        let at = place(&output);
        assert_eq!(inserted.original(100 + at), 100 + place(input));
    }

    proptest! {
        /// Without the inserted `\`, the output is the input.
        #[test]
        fn only_escapes_are_inserted(
            input in "\\(;FF\\[4\\]GM\\[1\\](\\(;|\\)|;|C\\[|N\\[|LB\\[aa:|PW\\[|B\\[cc\\]|[a-z]{2}|[A-Z]{1,2}|\\]| |\\[|\\\\|1|\\.|\n|é){0,40}",
        ) {
            let found = borders(input.as_bytes());
            let output = found.write(input.as_bytes());
            prop_assert!(found.brackets.windows(2).all(|pair| pair[0] < pair[1]), "{}", input);
            let mut rest = output;
            for (number, &at) in found.brackets.iter().enumerate().rev() {
                prop_assert_eq!(&rest[at + number..at + number + 2], &b"\\]"[..]);
                rest.remove(at + number);
            }
            prop_assert_eq!(String::from_utf8_lossy(&rest), input);
        }
    }
}
