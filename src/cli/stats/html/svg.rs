//! Charts as SVG: sizes in pixels, colours by class, so that the page's style
//! has them in light and dark. Every text goes through [`escape`].

use std::fmt::Write;

/// `text` as text of HTML and of attributes: nothing of it is markup. What
/// no document may hold is shown as U+FFFD.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(' '),
            char if char.is_control() || matches!(char, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            // Marks that turn the direction of what stands around them.
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
                out.push('\u{FFFD}');
            }
            char => out.push(char),
        }
    }
    out
}

/// At most `len` characters of `text`, escaped.
pub(super) fn short(text: &str, len: usize) -> String {
    if text.chars().count() <= len {
        return escape(text);
    }
    let head: String = text.chars().take(len.saturating_sub(1)).collect();
    escape(&head) + "…"
}

/// A number as people read it: `12 345`.
pub(super) fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202F}');
        }
        out.push(digit);
    }
    out
}

fn share(count: u64, most: u64, of: f64) -> f64 {
    if most == 0 { 0.0 } else { count as f64 / most as f64 * of }
}

/// Bars from the left, a row each, with name and number.
pub(super) fn bars(rows: &[(String, u64)]) -> String {
    const ROW: usize = 22;
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0);
    let mut svg = format!("<svg class=\"chart\" viewBox=\"0 0 640 {}\" role=\"img\">", rows.len() * ROW + 4);
    for (at, (name, count)) in rows.iter().enumerate() {
        let y = at * ROW;
        let width = share(*count, most, 330.0).max(1.0);
        _ = write!(
            svg,
            "<g><title>{}: {}</title><text x=\"206\" y=\"{}\" class=\"end\">{}</text>\
             <rect x=\"214\" y=\"{}\" width=\"{width:.1}\" height=\"16\" rx=\"2\" class=\"bar\"/>\
             <text x=\"{:.1}\" y=\"{}\" class=\"dim\">{}</text></g>",
            escape(name),
            number(*count),
            y + 15,
            short(name, 30),
            y + 3,
            220.0 + width,
            y + 15,
            number(*count)
        );
    }
    svg + "</svg>"
}

/// Columns over an axis; every so often one is named.
pub(super) fn columns(rows: &[(String, u64)]) -> String {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0);
    let step = 600.0 / rows.len().max(1) as f64;
    let every = rows.len().div_ceil(12).max(1);
    let mut svg = "<svg class=\"chart\" viewBox=\"0 0 640 220\" role=\"img\">".to_owned();
    _ = write!(svg, "<text x=\"20\" y=\"12\" class=\"dim\">{}</text>", number(most));
    for (at, (name, count)) in rows.iter().enumerate() {
        let height = share(*count, most, 170.0).max(if *count > 0 { 1.0 } else { 0.0 });
        let (x, y) = (20.0 + at as f64 * step, 190.0 - height);
        let width = (step - 1.0).max(step * 0.7);
        _ = write!(
            svg,
            "<g><title>{}: {}</title>\
             <rect x=\"{x:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{height:.1}\" class=\"bar\"/>",
            escape(name),
            number(*count)
        );
        if at % every == 0 {
            _ = write!(svg, "<text x=\"{:.1}\" y=\"206\" class=\"mid dim\">{}</text>", x + width / 2.0, short(name, 9));
        }
        svg.push_str("</g>");
    }
    svg + "<line x1=\"20\" y1=\"190.5\" x2=\"620\" y2=\"190.5\" class=\"axis\"/></svg>"
}

/// A row of shares for each name: Black, White, nobody, not known.
pub(super) fn shares(rows: &[(String, [u64; 4])]) -> String {
    const ROW: usize = 26;
    let mut svg = format!("<svg class=\"chart\" viewBox=\"0 0 640 {}\" role=\"img\">", rows.len() * ROW + 4);
    for (at, (name, counts)) in rows.iter().enumerate() {
        let y = at * ROW;
        let total: u64 = counts.iter().sum();
        _ = write!(svg, "<text x=\"126\" y=\"{}\" class=\"end\">{}</text>", y + 16, short(name, 18));
        let mut x = 134.0;
        for (class, count) in ["black", "white", "draw", "unknown"].into_iter().zip(counts) {
            let width = share(*count, total, 400.0);
            if width > 0.0 {
                _ = write!(
                    svg,
                    "<g><title>{}: {class} {}</title>\
                     <rect x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"18\" class=\"{class}\"/></g>",
                    escape(name),
                    number(*count),
                    y + 3
                );
            }
            x += width;
        }
        _ = write!(svg, "<text x=\"542\" y=\"{}\" class=\"dim\">{}</text>", y + 16, number(total));
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        let text = escape("<script>alert('x')</script> & \"a\"\u{1b}\u{202e}");
        assert_eq!(text, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;a&quot;\u{FFFD}\u{FFFD}");
        assert_eq!(short("<<<<<", 3), "&lt;&lt;…");
        assert!(bars(&[("</svg><b>".to_owned(), 3)]).contains("&lt;/svg&gt;&lt;b&gt;"));
        assert_eq!(number(1_234_567), "1\u{202F}234\u{202F}567");
    }
}
