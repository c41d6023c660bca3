//! Finds a probable start of a game in a block, from the block alone.

use crate::scan::is_blank;

/// Returns the first `(` of `block` that probably starts a game. The boolean is true if it
/// certainly does, unless the block is inside a value.
///
/// `block` may begin anywhere, even inside a value, so the search begins after the first unescaped
/// `]`. From there, it adds up the depth. If two games meet in the block, they meet at the lowest
/// depth. An `FF` or `GM` makes the start certain, because root properties occur nowhere else (spec
/// If a program wrote them into variations, the previous part reads on over this border.
pub(super) fn border(block: &[u8]) -> Option<(usize, bool)> {
    let mut at = synchronise(block)?;
    let mut depth = 0i64;
    let mut lowest = 0i64;
    let mut found = None;
    // Whether only text has followed the last `)`.
    let mut is_behind_end = false;
    while let Some(step) = memchr::memchr3(b'[', b'(', b')', &block[at..]) {
        at += step + 1;
        match block[at - 1] {
            b'[' => {
                is_behind_end = false;
                let Some(end) = value_end(block, at) else {
                    break;
                };
                at = end;
            }
            b')' => {
                depth -= 1;
                is_behind_end = true;
                if depth < lowest {
                    lowest = depth;
                    found = None;
                }
            }
            _ => {
                if let Some(node) = after_blanks(block, at).strip_prefix(b";") {
                    let node = after_blanks(node, 0);
                    if node.starts_with(b"FF[") || node.starts_with(b"GM[") {
                        return Some((at - 1, true));
                    }
                    if is_behind_end && depth == lowest {
                        found = found.or(Some((at - 1, false)));
                    }
                }
                is_behind_end = false;
                depth += 1;
            }
        }
    }
    found
}

/// Returns the offset after the first `]` without a `\` before it.
fn synchronise(block: &[u8]) -> Option<usize> {
    let is_end = |&at: &usize| at > 0 && block[at - 1] != b'\\';
    memchr::memchr_iter(b']', block)
        .find(is_end)
        .map(|at| at + 1)
}

/// Returns the offset after the `]` that ends the value whose content starts at `at`.
fn value_end(block: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b']', b'\\', block.get(at..)?)?;
        if block[at] == b']' {
            return Some(at + 1);
        }
        at += 2;
    }
}

fn after_blanks(bytes: &[u8], at: usize) -> &[u8] {
    let rest = &bytes[at..];
    &rest[rest.iter().take_while(|&&byte| is_blank(byte)).count()..]
}

#[cfg(test)]
mod tests {
    use super::border;

    #[test]
    fn games_meet_where_depth_is_lowest() {
        assert_eq!(
            border(b"xt] C[(;FF[4]];B[aa](;W[bb])(;W[cc])) (;W[dd](;"),
            Some((38, false))
        );
        assert_eq!(border(b"aa];B[bb])(;FF[4]GM[1]"), Some((10, true)));
        assert_eq!(border(b"one long text without any end"), None);
    }
}
