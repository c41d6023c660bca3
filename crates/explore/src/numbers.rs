//! Formatting of numbers for people.

/// Returns a number with commas: `12,345`.
pub(crate) fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a number with its noun: `12 games`, `1 game`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    let what = if count == 1 {
        what.strip_suffix('s').unwrap_or(what)
    } else {
        what
    };
    format!("{} {what}", number(count))
}

/// Joins the first five items for the description of a picture.
pub(crate) fn first_five(items: impl Iterator<Item = String>) -> String {
    items.take(5).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(number(count), text);
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(
            (counted(1, "games"), counted(0, "games")),
            ("1 game".to_owned(), "0 games".to_owned())
        );
    }
}
