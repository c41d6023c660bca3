//! Order of parts: parts are begun ahead of their turn, and their results are handed out in order.
//! This module has no locks and no threads.

use std::collections::{BTreeMap, VecDeque};
use std::task::Poll;

/// Ordered results of parts `0..`. A free worker begins a part, and finishes it with a result and
/// the number of the next part. Parts before that number are skipped, and their results are
/// dropped.
#[derive(Debug)]
pub(crate) struct Order<T> {
    /// Number of parts that exist so far.
    offered: u64,
    closed: bool,
    /// Next part to begin.
    next: u64,
    /// Part whose result is the next in order.
    head: u64,
    finished: BTreeMap<u64, (T, u64)>,
    /// Early results of parts ahead of their turn.
    ahead: BTreeMap<u64, Vec<T>>,
    ready: VecDeque<T>,
    window: u64,
}

impl<T> Order<T> {
    /// Returns an order without parts. At most `window` parts are begun ahead of the one whose turn
    /// it is, and at most `window` results are kept.
    pub(crate) fn new(window: u64) -> Self {
        Self::starting_at(0, window)
    }

    /// Returns an order whose first part is `first`.
    pub(crate) fn starting_at(first: u64, window: u64) -> Self {
        Self {
            offered: first,
            closed: false,
            next: first,
            head: first,
            finished: BTreeMap::new(),
            ahead: BTreeMap::new(),
            ready: VecDeque::new(),
            window: window.max(1),
        }
    }

    /// Raises the number of parts to `parts`.
    pub(crate) fn offer(&mut self, parts: u64) {
        self.offered = self.offered.max(parts);
    }

    /// Declares that no more parts will be offered.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    /// Returns a part to begin, if there is space for its result. The part whose turn it is has
    /// space as soon as the results before it are taken, so that a worker that waits for it does
    /// not wait forever.
    pub(crate) fn take(&mut self) -> Poll<Option<u64>> {
        self.next = self.next.max(self.head);
        if self.closed && self.next >= self.offered {
            return Poll::Ready(None);
        }
        let held = (self.ready.len() + self.finished.len()) as u64;
        let is_near = self.next < self.head + self.window && held < self.window;
        if self.next >= self.offered || !is_near {
            return Poll::Pending;
        }
        self.next += 1;
        Poll::Ready(Some(self.next - 1))
    }

    /// Returns ready if everything before `part` has been read, with `None` if the part was
    /// skipped.
    pub(crate) fn turn(&self, part: u64) -> Poll<Option<()>> {
        match part.cmp(&self.head) {
            std::cmp::Ordering::Less => Poll::Ready(None),
            std::cmp::Ordering::Equal => Poll::Ready(Some(())),
            std::cmp::Ordering::Greater => Poll::Pending,
        }
    }

    /// Stores the result of `part`. `next`, a later part, continues after it; `u64::MAX` means that
    /// no part continues.
    pub(crate) fn finish(&mut self, part: u64, out: T, next: u64) {
        if part > self.head {
            self.finished.insert(part, (out, next.max(part + 1)));
        } else if part == self.head {
            self.ready.push_back(out);
            self.move_head(next.max(part + 1));
            while let Some((out, next)) = self.finished.remove(&self.head) {
                self.ready.push_back(out);
                self.move_head(next);
            }
            self.closed |= self.head == u64::MAX;
            // Drop the results of skipped parts.
            self.finished = self.finished.split_off(&self.head);
            self.ahead = self.ahead.split_off(&self.head);
        }
    }

    fn move_head(&mut self, head: u64) {
        self.head = head;
        self.ready
            .extend(self.ahead.remove(&head).unwrap_or_default());
    }

    /// Returns the next result.
    pub(crate) fn pop(&mut self) -> Poll<Option<T>> {
        match self.ready.pop_front() {
            Some(out) => Poll::Ready(Some(out)),
            None if self.closed && self.head >= self.offered => Poll::Ready(None),
            None => Poll::Pending,
        }
    }

    /// Adds an early result of `part`. It is returned after all earlier results.
    pub(crate) fn hand_out(&mut self, part: u64, out: T) {
        if part > self.head {
            self.ahead.entry(part).or_default().push(out);
        } else if part == self.head {
            self.ready.push_back(out);
        }
    }

    /// Returns whether the queue of ready results has capacity.
    pub(crate) fn has_capacity(&self) -> bool {
        (self.ready.len() as u64) < self.window
    }

    /// Returns the number of ready results, and of early results ahead of their turn.
    pub(crate) fn waiting(&self) -> usize {
        self.ready.len() + self.ahead.values().map(Vec::len).sum::<usize>()
    }

    /// Returns the first part that was neither begun nor skipped.
    pub(crate) fn begun(&self) -> u64 {
        self.next
    }

    /// Returns the number of parts that exist so far.
    pub(crate) fn offered(&self) -> u64 {
        self.offered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_void_ones_never() {
        let mut order = Order::new(4);
        order.offer(3);
        order.close();
        assert_eq!(
            (order.take(), order.take(), order.take()),
            (
                Poll::Ready(Some(0)),
                Poll::Ready(Some(1)),
                Poll::Ready(Some(2))
            )
        );
        order.finish(2, "last", 3);
        order.finish(1, "void", 2);
        assert_eq!(
            (order.turn(0), order.turn(1), order.pop()),
            (Poll::Ready(Some(())), Poll::Pending, Poll::Pending)
        );
        order.finish(0, "first two", 2);
        assert_eq!(order.turn(1), Poll::Ready(None));
        assert_eq!(
            (order.pop(), order.pop(), order.pop()),
            (
                Poll::Ready(Some("first two")),
                Poll::Ready(Some("last")),
                Poll::Ready(None)
            )
        );
    }

    #[test]
    fn results_ahead_come_in_their_turn_and_void_ones_never() {
        let mut order = Order::new(4);
        order.offer(4);
        order.close();
        assert_eq!(
            [order.take(), order.take(), order.take(), order.take()],
            [0, 1, 2, 3].map(|part| Poll::Ready(Some(part)))
        );
        order.hand_out(3, "three, begun");
        order.hand_out(2, "void");
        order.hand_out(1, "one, begun");
        order.hand_out(0, "zero, begun");
        order.finish(1, "one", 3);
        assert_eq!(
            (order.waiting(), order.pop(), order.pop()),
            (4, Poll::Ready(Some("zero, begun")), Poll::Pending)
        );
        order.finish(0, "zero", 1);
        assert_eq!(
            (order.turn(2), order.turn(3)),
            (Poll::Ready(None), Poll::Ready(Some(())))
        );
        // The part was skipped.
        order.hand_out(2, "void");
        order.finish(3, "three", 4);
        let rest: Vec<_> = std::iter::from_fn(|| match order.pop() {
            Poll::Ready(Some(out)) => Some(out),
            _ => None,
        })
        .collect();
        assert_eq!(rest, ["zero", "one, begun", "one", "three, begun", "three"]);
        assert_eq!((order.waiting(), order.pop()), (0, Poll::Ready(None)));
    }

    #[test]
    fn no_more_are_begun_than_may_wait() {
        let mut order = Order::new(2);
        order.offer(10);
        assert_eq!(
            (order.take(), order.take(), order.take()),
            (Poll::Ready(Some(0)), Poll::Ready(Some(1)), Poll::Pending)
        );
        order.finish(1, (), 2);
        assert_eq!(order.take(), Poll::Pending);
        order.finish(0, (), 1);
        assert_eq!((order.take(), order.has_capacity()), (Poll::Pending, false));
        assert_eq!(
            (order.pop(), order.take()),
            (Poll::Ready(Some(())), Poll::Ready(Some(2)))
        );
    }
}
