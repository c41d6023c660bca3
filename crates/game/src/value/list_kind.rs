//! Number of values that a property may have: one, a list, or an elist (FF\[4\] basics, spec V-08,
//! I-09).

/// Number of values that a property may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ListKind {
    /// Exactly one value.
    #[default]
    Single,
    /// One value or more; never the empty list.
    List,
    /// One value or more; a single empty value is the empty list.
    Elist,
    /// Any number of values, because the property is unknown.
    Unknown,
}
