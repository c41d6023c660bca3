//! Parentheses that were dropped or supplied and are still open. Depth itself
//! is a counter; only these need a memory, and it has a limit.

/// A stack of open repairs, the innermost on top.
#[derive(Clone, Debug)]
pub(crate) struct Repairs {
    open: Vec<Repair>,
    limit: usize,
}

#[derive(Clone, Copy, Debug)]
struct Repair {
    /// Dropped: the depth of the `(`. Supplied: the depth it opened.
    depth: u64,
    /// How many were dropped there; 0 for one that was supplied.
    dropped: u64,
}

impl Repairs {
    pub(crate) fn new(limit: usize) -> Self {
        Self { open: Vec::new(), limit }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// A `(` at `depth` was dropped: so will be its `)`.
    pub(crate) fn drop(&mut self, depth: u64) {
        match self.open.last_mut() {
            Some(top) if top.depth == depth && top.dropped > 0 => top.dropped += 1,
            _ => self.push(Repair { depth, dropped: 1 }),
        }
    }

    /// A variation of `depth` was supplied: it ends with its parent.
    pub(crate) fn supply(&mut self, depth: u64) {
        self.push(Repair { depth, dropped: 0 });
    }

    /// Past the limit the outermost is forgotten: the innermost close first.
    fn push(&mut self, repair: Repair) {
        if self.limit == 0 {
            return;
        }
        if self.open.len() == self.limit {
            // Half at once, so that a file of nothing but repairs stays linear.
            self.open.drain(..self.limit.div_ceil(2));
        }
        self.open.push(repair);
    }

    /// Does a `)` at `depth` belong to a `(` that was dropped?
    pub(crate) fn is_dropped(&self, depth: u64) -> bool {
        self.open.last().is_some_and(|top| top.depth == depth && top.dropped > 0)
    }

    pub(crate) fn close_dropped(&mut self) {
        if let Some(top) = self.open.last_mut() {
            top.dropped -= 1;
            if top.dropped == 0 {
                self.open.pop();
            }
        }
    }

    /// Was the variation of `depth` supplied? Then it is closed now.
    pub(crate) fn close_supplied(&mut self, depth: u64) -> bool {
        let supplied = self.open.last().is_some_and(|top| top.depth == depth && top.dropped == 0);
        if supplied {
            self.open.pop();
        }
        supplied
    }

    /// The game closes: nothing deeper than `depth` is open any more.
    pub(crate) fn forget_below(&mut self, depth: u64) {
        while self.open.last().is_some_and(|top| top.depth > depth) {
            self.open.pop();
        }
    }
}
