//! Checks the annotations of a node: some exclude each other, and some need a move (FF\[4\]
//! properties, spec A-08).

use sgfstream::{Code, Span};

use sgfstream_game::internal::Key;

use super::Remedy;
use super::report::Reporter;

/// Annotations that need a move in their node.
const OF_MOVE: [Key; 5] = [Key::KO, Key::BM, Key::DO, Key::IT, Key::TE];

/// Annotations seen in the node.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    /// Where each of [`OF_MOVE`] is.
    of_move: [Option<Span>; OF_MOVE.len()],
    /// The first of BM, DO, IT and TE.
    judgement: Option<Key>,
    /// The first of DM, UC, GB and GW, which judge the position and exclude each other.
    position: Option<Key>,
    touched: bool,
}

impl Annotations {
    #[inline(always)]
    pub(super) fn start_node(&mut self) {
        if self.touched {
            *self = Self::default();
        }
    }

    /// Checks a property against the annotations before it.
    #[inline]
    pub(super) fn check(&mut self, report: &mut Reporter<'_>, key: Key, span: Span) {
        match key {
            Key::KO | Key::BM | Key::DO | Key::IT | Key::TE => self.of_move(report, key, span),
            Key::DM | Key::UC | Key::GB | Key::GW => self.of_position(report, key, span),
            _ => {}
        }
    }

    fn of_move(&mut self, report: &mut Reporter<'_>, key: Key, span: Span) {
        self.touched = true;
        let place = OF_MOVE.iter().position(|known| *known == key);
        let Some(place) = place.filter(|&place| self.of_move[place].is_none()) else {
            return;
        };
        self.of_move[place] = Some(span);
        // KO excludes nothing. The others exclude each other.
        if key == Key::KO {
            return;
        }
        match *self.judgement.get_or_insert(key) {
            first if first == key => {}
            first @ (Key::BM | Key::TE) if matches!(key, Key::BM | Key::TE) => {
                let joined = if first == Key::TE { "IT" } else { "DO" };
                let message = format!(
                    "the node has `{key}` after `{first}`; FF[4] writes `{joined}` instead"
                );
                report.add(Code::GoodAndBadMove, span, message, Remedy::Join);
            }
            first => contradicts(report, first, key, span),
        }
    }

    fn of_position(&mut self, report: &mut Reporter<'_>, key: Key, span: Span) {
        self.touched = true;
        match self.position {
            None => self.position = Some(key),
            Some(first) if first != key => contradicts(report, first, key, span),
            Some(_) => {}
        }
    }

    /// Reports the annotations that lack a move, at the end of the node.
    #[inline]
    pub(super) fn end_node(&mut self, report: &mut Reporter<'_>, has_move: bool) {
        if self.touched && !has_move {
            for (key, span) in OF_MOVE.iter().zip(self.of_move) {
                let Some(span) = span else { continue };
                let message = format!("`{key}` annotates a move, and its node has no move");
                report.add(
                    Code::AnnotationWithoutMove,
                    span,
                    message,
                    Remedy::DropProperty,
                );
            }
        }
    }
}

#[cold]
fn contradicts(report: &mut Reporter<'_>, first: Key, key: Key, span: Span) {
    let message = format!("`{key}` contradicts `{first}` in the same node");
    report.add(
        Code::ContradictingAnnotation,
        span,
        message,
        Remedy::DropProperty,
    );
}
