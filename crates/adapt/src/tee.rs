//! Two sinks, fed by one pass.

use sgfstream::{Event, Flow, Place, Sink};

/// Gives every event to two sinks, so that one reading serves both.
///
/// The wider wish wins: what one of them wants to see is read, and the other,
/// if it asked for a skip, does not get it. Only what neither wants is skipped,
/// and reading stops when both have stopped. Three sinks are a tee in a tee.
///
/// ```
/// use sgfstream_adapt::{Count, Tee};
/// use sgfstream::{Event, EventReader, Flow, SliceReader};
///
/// let mut first_moves = 0;
/// let only_first = |event: &Event<'_>, _: &_| match event {
///     Event::Property(property) if property.ident().is(b"B") => {
///         first_moves += 1;
///         Flow::SkipGame
///     }
///     _ => Flow::Go,
/// };
/// let mut tee = Tee::new(Count::default(), only_first);
/// SliceReader::new(b"(;GM[1];B[aa];W[bb];B[cc])(;B[dd])").drive(&mut tee)?;
/// let (count, _) = tee.into_inner();
/// assert_eq!((count.nodes, first_moves), (5, 2));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tee<A, B> {
    first: Side<A>,
    second: Side<B>,
}

#[derive(Clone, Debug)]
struct Side<S> {
    sink: S,
    wish: Wish,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    All,
    /// Nothing before the end of the variation of this depth.
    EndOf(u64),
    Nothing,
}

impl<A, B> Tee<A, B> {
    /// A tee of two sinks; the first gets each event first.
    #[must_use]
    pub const fn new(first: A, second: B) -> Self {
        Self { first: Side { sink: first, wish: Wish::All }, second: Side { sink: second, wish: Wish::All } }
    }

    /// The first sink.
    pub const fn first_mut(&mut self) -> &mut A {
        &mut self.first.sink
    }

    /// Both sinks, with what they have by now.
    pub fn into_inner(self) -> (A, B) {
        (self.first.sink, self.second.sink)
    }
}

impl<S: Sink> Side<S> {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) {
        let is_end = matches!(event, Event::VariationEnd { .. });
        match self.wish {
            Wish::All => {}
            Wish::EndOf(depth) if is_end && place.depth == depth => {}
            Wish::EndOf(_) | Wish::Nothing => return,
        }
        // Where a variation ends there is nothing of it to skip, and outside of games there is none.
        self.wish = match self.sink.event(event, place) {
            Flow::Stop => Wish::Nothing,
            Flow::SkipVariation if place.depth > 0 && !is_end => Wish::EndOf(place.depth),
            Flow::SkipGame if place.depth > 1 || (place.depth == 1 && !is_end) => Wish::EndOf(1),
            Flow::Go | Flow::SkipVariation | Flow::SkipGame => Wish::All,
        };
    }
}

impl<A: Sink, B: Sink> Sink for Tee<A, B> {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self.first.event(event, place);
        self.second.event(event, place);
        match (self.first.wish, self.second.wish) {
            (Wish::All, _) | (_, Wish::All) => Flow::Go,
            (Wish::Nothing, Wish::Nothing) => Flow::Stop,
            (Wish::EndOf(depth), Wish::Nothing) | (Wish::Nothing, Wish::EndOf(depth)) => skip(depth),
            (Wish::EndOf(one), Wish::EndOf(other)) => skip(one.max(other)),
        }
    }
}

/// To the end of this depth, or of what is in it.
fn skip(depth: u64) -> Flow {
    if depth == 1 { Flow::SkipGame } else { Flow::SkipVariation }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use sgfstream::{EventReader, SliceReader};

    /// Keeps what it sees, and skips as it is told: `X` the variation, `Y` the
    /// game, `Z` all.
    struct Log<'l>(&'l RefCell<String>);

    impl Sink for Log<'_> {
        fn event(&mut self, event: &Event<'_>, _: &Place) -> Flow {
            let mut log = self.0.borrow_mut();
            match event {
                Event::VariationStart { .. } => log.push('('),
                Event::VariationEnd { .. } => log.push(')'),
                Event::Property(property) => {
                    log.push_str(&String::from_utf8_lossy(property.ident().as_bytes()));
                    return match property.first().as_bytes() {
                        b"x" => Flow::SkipVariation,
                        b"y" => Flow::SkipGame,
                        b"z" => Flow::Stop,
                        _ => Flow::Go,
                    };
                }
                _ => {}
            }
            Flow::Go
        }
    }

    /// Logs of two sinks, each blind to one letter, for which it asks nothing.
    fn logs(input: &[u8], own: [u8; 2]) -> [String; 2] {
        let logs = [RefCell::default(), RefCell::default()];
        let side = |number: usize| {
            let mut log = Log(&logs[number]);
            move |event: &Event<'_>, place: &Place| {
                let flow = log.event(event, place);
                match event {
                    Event::Property(property) if property.ident().as_bytes()[0] == own[number] => flow,
                    _ => Flow::Go,
                }
            }
        };
        SliceReader::new(input).drive(&mut Tee::new(side(0), side(1))).expect("no limit is set");
        logs.map(RefCell::into_inner)
    }

    /// Log of one sink on its own.
    fn alone(input: &[u8], own: u8) -> String {
        let log = RefCell::default();
        let mut sink = Log(&log);
        SliceReader::new(input)
            .drive(&mut |event: &Event<'_>, place: &Place| {
                let flow = sink.event(event, place);
                match event {
                    Event::Property(property) if property.ident().as_bytes()[0] == own => flow,
                    _ => Flow::Go,
                }
            })
            .expect("no limit is set");
        log.into_inner()
    }

    #[test]
    fn each_sees_what_it_would_see_alone() {
        for input in [
            &b"(;C[a](;A[x]C[b](;C[c]))(;B[x]C[d]))(;C[e])"[..],
            b"(;C[a](;A[y]C[b](;C[c]))(;B[x]C[d]))(;C[e])",
            b"(;A[x]B[y];C[a](;C[b]))(;C[c])",
            b"(;A[z]C[a](;B[x]C[b](;C[c])(;C[d]))(;C[e])(;B[z]C[f]))(;C[g])",
            b"(;C[a](;A[x]C[b](;B[x]C[c](;C[d])(;C[e]))(;C[f]))(;C[g]))(;C[h])",
            b"(;C[a](;B[y]C[b](;A[x]C[c])(;C[d]))(;A[y]))(;A[z])(;B[z])",
        ] {
            let [first, second] = logs(input, [b'A', b'B']);
            assert_eq!(first, alone(input, b'A'), "{}", String::from_utf8_lossy(input));
            assert_eq!(second, alone(input, b'B'), "{}", String::from_utf8_lossy(input));
        }
    }

    #[test]
    fn what_neither_wants_is_skipped() {
        let flow = |input: &[u8]| {
            let mut tee = Tee::new(
                |event: &Event<'_>, _: &Place| {
                    if let Event::Property(_) = event { Flow::SkipVariation } else { Flow::Go }
                },
                |event: &Event<'_>, _: &Place| if let Event::Property(_) = event { Flow::Stop } else { Flow::Go },
            );
            let mut flows = Vec::new();
            SliceReader::new(input)
                .drive(&mut |event: &Event<'_>, place: &Place| {
                    let flow = tee.event(event, place);
                    flows.push(flow);
                    flow
                })
                .expect("no limit is set");
            flows
        };
        assert_eq!(flow(b"(;A[a];B[b];C[c])"), [Flow::Go, Flow::Go, Flow::SkipGame, Flow::Go]);
        assert_eq!(flow(b"(;(;A[a];B[b](;C[c])))").len(), 7);
    }
}
