//! Converts old markup to FF\[4\] (spec E-05).

use sgfstream::RawValue;

/// Returns a function that turns the values of an old `L` into the values of an `LB`, one after
/// another: letters A, B, C … in the order of the list, then AA, AB …
pub(super) fn labels() -> impl FnMut(RawValue<'_>) -> Option<Vec<u8>> {
    let mut letters = 0;
    move |value| {
        let point = value.as_bytes();
        if point.contains(&b':') {
            return None;
        }
        let label = letter(letters);
        letters += 1;
        Some([point, b":", label.as_bytes()].concat())
    }
}

/// Returns the label of a number: A, B … Z, AA, AB …
pub(crate) fn letter(mut number: u32) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(b'A' + (number % 26) as u8);
        number /= 26;
        if number == 0 {
            break;
        }
        number -= 1;
    }
    letters.reverse();
    letters.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn letters() {
        let shown: Vec<String> = [0, 1, 25, 26, 27, 701, 702]
            .into_iter()
            .map(super::letter)
            .collect();
        assert_eq!(shown, ["A", "B", "Z", "AA", "AB", "ZZ", "AAA"]);
    }
}
