//! Repairs text outside of properties.

use std::borrow::Cow;

use sgfstream::{Charset, Code, Problem};

use super::FixFilter;
use crate::edit::Gap;

/// Result of repairing the stray texts of a node, a parenthesis or the bytes between games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StrayRepair {
    All,
    /// Only parentheses and NUL bytes were repaired.
    Parentheses,
    Nothing,
}

/// A byte of stray text, with the code of the problem that the reader reported for it.
type CodedByte = (u8, Option<Code>);

/// What the repair of stray text needs to know.
pub(super) struct StrayTexts<'f> {
    pub(super) choice: &'f FixFilter,
    /// Problems of the reader, by place.
    pub(super) problems: &'f [Problem],
    /// Offset of the input whose places the gaps have.
    pub(super) base: u64,
    /// Whether the text is inside of a game.
    pub(super) in_game: bool,
    /// Whether a game precedes.
    pub(super) had_game: bool,
}

impl StrayTexts<'_> {
    /// Returns the bytes of the gaps that have problems or more than blanks.
    fn coded(&self, gaps: &[&mut Gap<'_>]) -> Vec<(usize, Vec<CodedByte>)> {
        let mut texts = Vec::new();
        let mut problem = 0;
        for (number, gap) in gaps.iter().enumerate() {
            if gap.bytes.is_empty() || (self.problems.is_empty() && !gap.is_stray_text()) {
                continue;
            }
            let mut bytes = Vec::with_capacity(gap.bytes.len());
            for (place, &byte) in (self.base + gap.span.start as u64..).zip(gap.bytes.iter()) {
                while self
                    .problems
                    .get(problem)
                    .is_some_and(|problem| problem.span.end <= place)
                {
                    problem += 1;
                }
                let code = self
                    .problems
                    .get(problem)
                    .filter(|problem| problem.span.start <= place);
                bytes.push((byte, code.map(|problem| problem.code)));
            }
            texts.push((number, bytes));
        }
        texts
    }

    /// Repairs stray text between games: drops it. It leaves text that would become a game at the
    /// start of a line (`);B[aa])`), and text with a byte order mark, which decides how to read the
    /// next game.
    pub(super) fn repair_between(&self, gap: &mut Gap<'_>) -> StrayRepair {
        let gaps = [gap];
        let texts = self.coded(&gaps);
        if texts.iter().any(|(_, text)| self.is_to_be_left(text)) {
            return StrayRepair::Nothing;
        }
        let [gap] = gaps;
        for (_, text) in texts {
            replace(gap, &text, |each| self.without_noise(each));
        }
        StrayRepair::All
    }

    /// Repairs stray text of a game: drops unmatched parentheses and brackets, and returns the
    /// words, which must go elsewhere. It leaves text that may belong to a text or a move, and
    /// words if `has_place` is false.
    pub(super) fn repair_in_game(
        &self,
        gaps: &mut [&mut Gap<'_>],
        charset: Charset,
        has_place: bool,
    ) -> (StrayRepair, Vec<u8>) {
        let texts = self.coded(gaps);
        let mut words = Vec::new();
        let is_clear = texts
            .iter()
            .all(|(_, text)| self.collect_words(text, &mut words));
        let words = words.trim_ascii();
        let is_blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
        // A program that wrote `\n` in place of a line break wrote no word. The reader takes its
        // `n` for a part of an identifier that follows.
        let text = charset
            .decode(words)
            .0
            .replace("\\r", "")
            .replace("\\n", "")
            .replace('\\', "");
        let words = if text.chars().all(is_blank) {
            b""
        } else {
            words
        };
        if !is_clear || !(words.is_empty() || has_place) {
            for (number, text) in &texts {
                replace(gaps[*number], text, |each| {
                    if matches!(each.0, b'(' | b')' | 0) {
                        self.without_noise(each)
                    } else {
                        Some(each.0)
                    }
                });
            }
            return (StrayRepair::Parentheses, Vec::new());
        }
        for (number, text) in &texts {
            replace(gaps[*number], text, |each| self.without_noise(each));
        }
        (StrayRepair::All, words.to_vec())
    }

    /// Adds the words of a stray text to `words`. Returns false if the text must be left, because
    /// it may belong to a text or a move.
    fn collect_words(&self, text: &[CodedByte], words: &mut Vec<u8>) -> bool {
        let last = text
            .iter()
            .rposition(|&(_, code)| code == Some(Code::StrayBracket))
            .unwrap_or(0);
        if text[..last]
            .iter()
            .any(|&(byte, _)| !is_blank_or_mark(byte) && byte != b']')
        {
            return false;
        }
        for each in text {
            let byte = each.0;
            match self.without_noise(each) {
                // It may belong to a move, as in `b[cd]`.
                _ if byte == b'[' => return false,
                None if !matches!(byte, b'(' | b')' | b']' | 0) => words.push(byte),
                Some(byte) if !is_blank_or_mark(byte) => {}
                _ if words.last().is_some_and(|&last| last != b' ') => words.push(b' '),
                _ => {}
            }
        }
        words.extend(
            words
                .last()
                .is_some_and(|&last| last != b' ')
                .then_some(b' '),
        );
        true
    }

    /// Returns whether text outside of games must be left, because dropping parts of it would
    /// change how the input is read.
    fn is_to_be_left(&self, text: &[CodedByte]) -> bool {
        let is_dropped = |each: &CodedByte| self.without_noise(each).is_none();
        // At the start of an input, two bytes may be a byte order mark of UTF-16.
        if !self.had_game
            && text.iter().any(is_dropped)
            && text.iter().any(|each| each.0 >= 0x80 && !is_dropped(each))
        {
            return true;
        }
        let mut last_dropped = [0; 3];
        // Text after a game begins in the middle of a line.
        let (mut is_line_start, mut is_cut) = (!self.had_game, false);
        for each in text {
            match self.without_noise(each) {
                Some(b'\r' | b'\n') => (is_line_start, is_cut) = (true, false),
                Some(byte) if is_blank_or_mark(byte) || each.1 == Some(Code::WideEncoding) => {}
                Some(left) => {
                    if left == b';' && is_line_start && is_cut {
                        return true;
                    }
                    is_line_start = false;
                }
                None => {
                    is_cut = true;
                    last_dropped = [last_dropped[1], last_dropped[2], each.0];
                    if last_dropped == *b"\xEF\xBB\xBF" {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Returns the replacement of a byte of stray text, or `None` to drop it.
    fn without_noise(&self, &(byte, problem): &CodedByte) -> Option<u8> {
        match problem {
            Some(code) if !self.choice.wants_as_read(code) => Some(byte),
            Some(Code::NulByte) => Some(b' '),
            Some(_) => None,
            None if byte == b')' => {
                (!self.choice.wants_as_read(Code::VariationWithoutNode)).then_some(byte)
            }
            None if is_blank_or_mark(byte) => Some(byte),
            // For long text, the problem of the reader is elsewhere in it.
            None => {
                let code = match (self.in_game, self.had_game) {
                    (true, _) => Code::UnexpectedText,
                    (false, false) => Code::TextBeforeGame,
                    (false, true) => Code::TextAfterGame,
                };
                (!self.choice.wants_as_read(code)).then_some(byte)
            }
        }
    }
}

fn replace(gap: &mut Gap<'_>, text: &[CodedByte], edit: impl FnMut(&CodedByte) -> Option<u8>) {
    let bytes: Vec<u8> = text.iter().filter_map(edit).collect();
    if bytes != *gap.bytes {
        gap.bytes = Cow::Owned(bytes);
    }
}

/// Returns whether a byte is a blank, as the reader treats all controls, or part of a byte order
/// mark, which is not text.
const fn is_blank_or_mark(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, 0xEF | 0xBB | 0xBF)
}
