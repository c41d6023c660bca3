//! Loops that pass common events to a sink. They keep their state in registers, which an iterator
//! cannot do.

use super::{Cursor, Mode, ToSink};
use crate::base::Span;
use crate::event::{Event, Flow, Place, Property, Sink, Variation};
use crate::scan::{NodeShape, cold_path, is_about_game, look_at_move, may_be_about_game, word_at};

impl Cursor {
    /// Implements [`EventSource::drive_common`](super::reader::EventSource::drive_common).
    #[inline(always)]
    pub(in crate::read) fn drive_common(
        &mut self,
        window: &[u8],
        sink: &mut impl Sink,
    ) -> Option<Flow> {
        loop {
            if self.tokens.next < self.tokens.count {
                match self.drive_tokens(window, sink) {
                    Flow::Go => {}
                    flow => return Some(flow),
                }
                if self.tokens.next < self.tokens.count {
                    return None;
                }
            } else if self.tokens.count == 0
                && matches!(self.mode, Mode::Node | Mode::Open | Mode::Root)
            {
                match self.drive_moves(window, sink) {
                    Flow::Go => {}
                    flow => return Some(flow),
                }
            }
            let flow = self.fast_step(window, ToSink { window, sink })?;
            if flow != Flow::Go {
                return Some(flow);
            }
        }
    }

    /// Returns the place of an event at these bytes of the window.
    #[inline(always)]
    fn place_at(&self, start: usize, end: usize, depth: u64) -> Place {
        let base = self.parser.machine.base();
        Place {
            span: Span::new(
                base.wrapping_add(start as u64),
                base.wrapping_add(end as u64),
            ),
            depth,
            game: self.parser.machine.game(),
            charset: self.charset,
            charset_source: self.parser.charset_source(),
        }
    }

    /// Passes the tokens of the list to a sink, up to one that starts a game or may contain facts
    /// about its game. The loop's whole state is the mark, the open variations and the mode, so
    /// that it stays in registers.
    #[inline(always)]
    fn drive_tokens<S: Sink>(&mut self, window: &[u8], sink: &mut S) -> Flow {
        if self.mode == Mode::OpenGame && self.parser.detects {
            return Flow::Go;
        }
        let count = self.tokens.count;
        let first = self.tokens.next;
        let (mut next, mut open, mut mode) = (first, self.open, self.mode);
        let (framing, charset) = (self.framing, self.charset);
        let tokens = &self.tokens;
        let mut flow = Flow::Go;
        while next < count {
            let at = tokens.place(next);
            let byte = tokens.kind(next);
            if byte == b';' {
                mode = if mode == Mode::OpenGame {
                    Mode::Root
                } else {
                    Mode::Node
                };
                next += 1;
                flow = sink.node(&self.place_at(at, at + 1, open));
            } else if byte > b')' {
                if mode == Mode::Root {
                    cold_path();
                    if may_be_about_game(byte)
                        && is_about_game(&window[at..window.len().min(at + 3)])
                    {
                        break;
                    }
                }
                let (values, after) = tokens.property(at, next);
                let Some(raw) = window.get(at..values.end) else {
                    break;
                };
                next = after;
                let property = Property::new(raw, values.ident_len as u32, framing, false)
                    .with_count(values.count)
                    .with_charset(charset);
                let place = self.place_at(at, values.end, open);
                flow = match *raw {
                    [letter @ (b'B' | b'W'), b'[', column, row, b']']
                        if sink.plays() && values.count == 1 =>
                    {
                        sink.play(letter, [column, row], &property, &place)
                    }
                    _ => sink.event(&Event::Property(property), &place),
                };
            } else if byte == b'(' {
                if open == 0 {
                    break;
                }
                next += 1;
                mode = Mode::Open;
                open += 1;
                flow = sink.event(
                    &Event::VariationStart(Variation {
                        supplied: false,
                        depth: open,
                    }),
                    &self.place_at(at, at + 1, open),
                );
            } else if byte == b')' {
                next += 1;
                flow = sink.event(
                    &Event::VariationEnd(Variation {
                        supplied: false,
                        depth: open,
                    }),
                    &self.place_at(at, at + 1, open),
                );
                open -= 1;
                mode = if open == 0 {
                    Mode::Outside
                } else {
                    Mode::Child
                };
            } else {
                next += 1;
                let end = tokens.place(next);
                flow = sink.event(&Event::Gap(&window[at..end]), &self.place_at(at, end, open));
            }
            if flow != Flow::Go {
                break;
            }
        }
        (self.tokens.next, self.open, self.mode) = (next, open, mode);
        if next > first {
            self.place_by_tokens();
        }
        flow
    }

    /// Passes nodes with a single move, and the line feeds after them, to a sink.
    #[inline(always)]
    fn drive_moves<S: Sink>(&mut self, window: &[u8], sink: &mut S) -> Flow {
        let (framing, charset, skips_blanks) = (self.framing, self.charset, self.skips_blanks);
        // Only the span changes from event to event.
        let mut place = self.place_at(0, 0, self.depth);
        let base = place.span.start;
        let span = |start: usize, end: usize| {
            Span::new(
                base.wrapping_add(start as u64),
                base.wrapping_add(end as u64),
            )
        };
        let (mut at, mut mode, mut last, mut flow) = (self.at, self.mode, 0..0, Flow::Go);
        while let Some(word) = word_at(window, at) {
            let shape = look_at_move(word);
            if shape == NodeShape::Other {
                break;
            }
            last = at..at + 1;
            at += 1;
            place.span = span(at - 1, at);
            flow = sink.node(&place);
            if flow != Flow::Go {
                mode = if shape == NodeShape::Move {
                    Mode::Move
                } else {
                    Mode::MoveAndBlank
                };
                break;
            }
            let property =
                Property::new(&window[at..at + 5], 1, framing, true).with_charset(charset);
            last = at..at + 5;
            at += 5;
            place.span = span(at - 5, at);
            let letter = (word >> 8) as u8;
            // A comment of two letters has the same shape as a move.
            flow = if sink.plays() && matches!(letter, b'B' | b'W') {
                sink.play(
                    letter,
                    [(word >> 24) as u8, (word >> 32) as u8],
                    &property,
                    &place,
                )
            } else {
                sink.event(&Event::Property(property), &place)
            };
            mode = Mode::Node;
            if shape == NodeShape::MoveAndBlank {
                if skips_blanks {
                    at += 1;
                } else if flow == Flow::Go {
                    last = at..at + 1;
                    at += 1;
                    place.span = span(at - 1, at);
                    flow = sink.event(&Event::Gap(&window[last.clone()]), &place);
                } else {
                    mode = Mode::Blank;
                }
            }
            if flow != Flow::Go {
                break;
            }
        }
        if at != self.at {
            (self.mode, self.at) = (mode, at);
            self.take(last.start, last.end);
        }
        flow
    }

    /// Sets the span and the depth of the last event of the token list.
    #[inline(never)]
    pub(super) fn place_by_tokens(&mut self) {
        let tokens = &self.tokens;
        let mut mark = tokens.next - 1;
        let last = tokens.kind(mark);
        let end = if last <= b' ' {
            tokens.place(tokens.next)
        } else {
            tokens.place(mark) + 1
        };
        while matches!(tokens.kind(mark), b'[' | b']') {
            mark -= 1;
        }
        let start = tokens.place(mark);
        self.depth = self.open + u64::from(last == b')');
        self.take(start, end);
    }
}
