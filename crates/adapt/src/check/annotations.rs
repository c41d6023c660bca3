//! Checks the annotations of a node: some exclude each other, and some need a move (FF\[4\]
//! properties, spec A-08).

use sgfstream::{Code, Span};

use sgfstream_game::internal::Key;

use super::Remedy;
use super::report::Reporter;

/// Annotations seen in the node.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    /// KO, BM, DO, IT and TE, which need a move in their node.
    of_move: [Option<(&'static str, Span)>; 5],
    /// The first of BM, DO, IT and TE.
    judgement: Option<&'static str>,
    /// The first of DM, UC, GB and GW, which judge the position and exclude each other.
    position: Option<&'static str>,
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
            Key::KO => self.of_move(report, 0, "KO", span),
            Key::BM => self.of_move(report, 1, "BM", span),
            Key::DO => self.of_move(report, 2, "DO", span),
            Key::IT => self.of_move(report, 3, "IT", span),
            Key::TE => self.of_move(report, 4, "TE", span),
            Key::DM => self.of_position(report, "DM", span),
            Key::UC => self.of_position(report, "UC", span),
            Key::GB => self.of_position(report, "GB", span),
            Key::GW => self.of_position(report, "GW", span),
            _ => {}
        }
    }

    fn of_move(&mut self, report: &mut Reporter<'_>, index: usize, name: &'static str, span: Span) {
        self.touched = true;
        if self.of_move[index].is_none() {
            self.exclude(report, index, name, span);
            self.of_move[index] = Some((name, span));
            if index > 0 {
                self.judgement.get_or_insert(name);
            }
        }
    }

    fn of_position(&mut self, report: &mut Reporter<'_>, name: &'static str, span: Span) {
        self.touched = true;
        match self.position {
            None => self.position = Some(name),
            Some(first) if first != name => contradicts(report, first, name, span),
            Some(_) => {}
        }
    }

    /// Reports two of BM, DO, IT and TE in one node, because they exclude each other. KO excludes
    /// nothing.
    fn exclude(&self, report: &mut Reporter<'_>, index: usize, name: &'static str, span: Span) {
        let Some(first) = self.judgement else { return };
        match (index, first) {
            (0, _) => {}
            (_, first @ ("BM" | "TE")) if matches!(name, "BM" | "TE") => {
                let joined = if first == "TE" { "IT" } else { "DO" };
                let message = format!(
                    "the node has `{name}` after `{first}`; FF[4] writes `{joined}` instead"
                );
                report.add(Code::GoodAndBadMove, span, message, Remedy::Join);
            }
            (_, first) => contradicts(report, first, name, span),
        }
    }

    /// Reports the annotations that lack a move, at the end of the node.
    #[inline]
    pub(super) fn end_node(&mut self, report: &mut Reporter<'_>, has_move: bool) {
        if self.touched && !has_move {
            for (name, span) in self.of_move.iter().flatten() {
                let message = format!("`{name}` annotates a move, and its node has no move");
                report.add(
                    Code::AnnotationWithoutMove,
                    *span,
                    message,
                    Remedy::DropProperty,
                );
            }
        }
    }
}

#[cold]
fn contradicts(report: &mut Reporter<'_>, first: &str, name: &str, span: Span) {
    let message = format!("`{name}` contradicts `{first}` in the same node");
    report.add(
        Code::ContradictingAnnotation,
        span,
        message,
        Remedy::DropProperty,
    );
}
