//! Dropped and inserted parentheses that are still open. A counter suffices for the depth, but
//! these need memory, which has a limit.

/// Stack of open repairs, the innermost on top.
#[derive(Clone, Debug)]
pub(crate) struct Repairs {
    open: Vec<Repair>,
    limit: usize,
}

#[derive(Clone, Copy, Debug)]
struct Repair {
    /// For a dropped `(`: the depth where it was. For an inserted `(`: the depth that it opened.
    depth: u64,
    /// Number of `(` dropped there; 0 for an inserted one.
    dropped: u64,
}

impl Repairs {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            open: Vec::new(),
            limit,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Records that a `(` at `depth` was dropped, so that its `)` will be dropped as well.
    pub(crate) fn drop(&mut self, depth: u64) {
        match self.open.last_mut() {
            Some(top) if top.depth == depth && top.dropped > 0 => top.dropped += 1,
            _ => self.push(Repair { depth, dropped: 1 }),
        }
    }

    /// Records that a variation of `depth` was inserted. It ends with its parent.
    pub(crate) fn supply(&mut self, depth: u64) {
        self.push(Repair { depth, dropped: 0 });
    }

    /// Adds a repair. At the limit, it forgets the outermost ones, because the innermost close
    /// first.
    fn push(&mut self, repair: Repair) {
        if self.limit == 0 {
            return;
        }
        if self.open.len() == self.limit {
            // It forgets half at once, so that a file of nothing but repairs takes linear time.
            self.open.drain(..self.limit.div_ceil(2));
        }
        self.open.push(repair);
    }

    /// Returns whether a `)` at `depth` belongs to a dropped `(`.
    pub(crate) fn is_dropped(&self, depth: u64) -> bool {
        self.open
            .last()
            .is_some_and(|top| top.depth == depth && top.dropped > 0)
    }

    pub(crate) fn close_dropped(&mut self) {
        if let Some(top) = self.open.last_mut() {
            top.dropped -= 1;
            if top.dropped == 0 {
                self.open.pop();
            }
        }
    }

    /// Closes the variation of `depth` if it was inserted, and returns whether it was.
    pub(crate) fn close_supplied(&mut self, depth: u64) -> bool {
        let supplied = self
            .open
            .last()
            .is_some_and(|top| top.depth == depth && top.dropped == 0);
        if supplied {
            self.open.pop();
        }
        supplied
    }

    /// Forgets the repairs deeper than `depth`, because the game closes.
    pub(crate) fn forget_below(&mut self, depth: u64) {
        while self.open.last().is_some_and(|top| top.depth > depth) {
            self.open.pop();
        }
    }
}
