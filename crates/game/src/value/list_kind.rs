//! Number of values that a property may have: one, a list, or an elist (FF\[4\] basics, spec V-08, I-09).

use super::{ValueError, ValueErrorKind};

/// Number of values that a property may have.
///
/// ```
/// use sgfstream_game::value::{ListKind, Number};
///
/// let number = |raw: &[u8]| Number::parse(raw);
/// let values = [&b"1"[..], b"2"];
/// assert_eq!(ListKind::List.read(values, number).expect("two").len(), 2);
/// assert!(ListKind::Single.read(values, number).is_err());
/// assert!(ListKind::List.read([&b""[..]], number).is_err()); // `AB[]`
/// assert!(ListKind::Elist.read([&b""[..]], number).expect("the empty list").is_empty()); // `DD[]`
/// ```
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

impl ListKind {
    /// Parses each value with `parse`. Returns the empty list if it is written as `[]`. `parse` decides whether other
    /// values may be empty, as text and None may.
    ///
    /// # Errors
    ///
    /// [`Count`](ValueErrorKind::Count) if there are no values, if a `Single` has several, or if an `Elist` has an
    /// empty value among others. Errors of `parse`.
    pub fn read<'a, T>(
        self,
        values: impl IntoIterator<Item = &'a [u8]>,
        mut parse: impl FnMut(&'a [u8]) -> Result<T, ValueError>,
    ) -> Result<Vec<T>, ValueError> {
        let mut values = values.into_iter();
        let count_error = |expected, raw| Err(ValueError::new(ValueErrorKind::Count, expected, raw));
        let Some(first) = values.next() else {
            return count_error("at least one value", b"");
        };
        let mut rest = values.peekable();
        if self == Self::Elist && first.is_empty() {
            return match rest.peek() {
                None => Ok(Vec::new()),
                Some(other) => count_error("no values beside the empty one", other),
            };
        }
        if self == Self::Single
            && let Some(second) = rest.peek()
        {
            return count_error("one value", second);
        }
        let mut read = vec![parse(first)?];
        for value in rest {
            if self == Self::Elist && value.is_empty() {
                return count_error("no empty value beside others", value);
            }
            read.push(parse(value)?);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Point;

    #[test]
    fn counts() {
        use ListKind::{Elist, List, Single, Unknown};
        for (kind, values, count) in [
            (Single, &["aa"][..], Some(1)),
            (Single, &[""], None),
            (Single, &["aa", "bb"], None),
            (Single, &[], None),
            (List, &["aa", "bb"], Some(2)),
            (List, &[""], None),
            (List, &["aa", ""], None),
            (Elist, &[""], Some(0)),
            (Elist, &["aa"], Some(1)),
            (Elist, &["", "aa"], None),
            (Elist, &["aa", ""], None),
            (Elist, &["", ""], None),
            (Unknown, &["aa", "bb"], Some(2)),
        ] {
            let read = kind.read(values.iter().map(|value| value.as_bytes()), Point::parse);
            assert_eq!(read.ok().map(|list| list.len()), count, "{kind:?} {values:?}");
        }
    }
}
