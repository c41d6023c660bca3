//! Which part of a value is seen.

/// Which piece of a value an edit sees. Nearly always all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The value begins here.
    pub first: bool,
    /// It ends here.
    pub last: bool,
}

impl Piece {
    /// True if it is the whole value.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.first && self.last
    }
}
