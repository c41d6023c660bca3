//! Building blocks of pictures: escaped texts and SVG elements.

use std::fmt::Write;

/// Width of a picture in units. On a page with three columns and on a phone, a unit is about a
/// pixel, so the texts have the same size as other texts.
pub const WIDTH: f64 = 420.0;

/// Escapes text for HTML and attributes, so that it is never markup. Characters that documents must
/// not contain become U+FFFD.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(' '),
            // Noncharacters, and marks that change the direction of the surrounding text.
            '\u{FDD0}'..='\u{FDEF}' => out.push('\u{FFFD}'),
            '\u{061C}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}' => {
                out.push('\u{FFFD}');
            }
            char if char.is_control() || u32::from(char) & 0xFFFE == 0xFFFE => out.push('\u{FFFD}'),
            char => out.push(char),
        }
    }
    out
}

/// Returns the start of `text` that fits in `width`, escaped.
pub fn short(text: &str, width: f64) -> String {
    if width_of(text) <= width {
        return escape(text);
    }
    let mut rest = width - width_of("…");
    let fits = |char: &char| {
        rest -= width_of_char(*char);
        rest >= 0.0
    };
    let head: String = text.chars().take_while(fits).collect();
    escape(head.trim_end()) + "…"
}

/// Estimates the width of a text of 12 pixels. It rather overestimates, because a text that is too
/// wide overlaps others.
pub fn width_of(text: &str) -> f64 {
    text.chars().map(width_of_char).sum()
}

/// Returns the width of the widest text.
pub fn widest<'t>(texts: impl Iterator<Item = &'t str>) -> f64 {
    texts.map(width_of).fold(0.0, f64::max)
}

fn width_of_char(char: char) -> f64 {
    match char {
        'i' | 'j' | 'l' | 'I' | 'f' | 't' | 'r' | ' ' | '.' | ',' | ':' | '\'' | '(' | ')'
        | '|' | '\u{202F}' => 4.6,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 11.4,
        'A'..='Z' | '…' => 8.6,
        // East Asian scripts and emoji.
        '\u{1100}'.. if !matches!(char, '\u{2000}'..='\u{206F}') => 12.4,
        _ => 7.4,
    }
}

/// Formats a coordinate with at most one decimal.
pub fn px(at: f64) -> String {
    let text = format!("{at:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// SVG picture under construction. Its methods expect escaped text.
pub struct Svg(String);

impl Svg {
    /// Starts a picture. Screen readers read its name and description.
    pub fn new(class: &str, height: f64, name: &str, description: &str) -> Self {
        let (name, description) = (escape(name), escape(description));
        Self(format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\"><title>{name}</title><desc>{description}</desc>",
            px(height)
        ))
    }

    /// Starts a picture that is a standalone file with its own style sheet.
    pub fn alone(class: &str, height: f64, name: &str, description: &str, style: &str) -> Self {
        let Self(inside) = Self::new(class, height, name, description);
        let inside = inside.strip_prefix("<svg").expect("written above");
        let (width, height) = (px(WIDTH), px(height));
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\"{inside}<style>\n\
             text {{ font: 12px system-ui, sans-serif; fill: #22252b; }} .mid {{ text-anchor: middle; }} .end {{ text-anchor: end; }}\n\
             text.dim {{ fill: #5f646c; }} .paper {{ fill: #f6f4ee; }}\n\
             @media (prefers-color-scheme: dark) {{ text {{ fill: #e6e4df; }} text.dim {{ fill: #a5a9b0; }} .paper {{ fill: #15161a; }} }}\n\
             {style}</style><rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"
        ))
    }

    /// Adds markup.
    pub fn push(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Adds a text.
    pub fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let (x, y) = (px(x), px(y));
        let class = if class.is_empty() {
            String::new()
        } else {
            format!(" class=\"{class}\"")
        };
        _ = write!(self.0, "<text x=\"{x}\" y=\"{y}\"{class}>{text}</text>");
    }

    /// Adds a text of another size.
    pub fn sized_text(&mut self, (x, y): (f64, f64), size: f64, class: &str, text: &str) {
        let (x, y, size) = (px(x), px(y), px(size));
        _ = write!(
            self.0,
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\" style=\"font-size:{size}px\">{text}</text>"
        );
    }

    /// Adds a rectangle: left, top, width and height. The title appears when the pointer rests on
    /// it.
    pub fn rect(&mut self, area: [f64; 4], class: &str, title: Option<&str>) {
        let [x, y, width, height] = area.map(px);
        _ = write!(
            self.0,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" class=\"{class}\""
        );
        match title {
            Some(title) => _ = write!(self.0, "><title>{title}</title></rect>"),
            None => self.push("/>"),
        }
    }

    /// Returns the whole picture.
    #[must_use]
    pub fn finish(self) -> String {
        self.0 + "</svg>"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        let text = escape("<script>alert('x')</script> & \"a\"\u{1b}\u{202e}\u{FDD0}");
        assert_eq!(
            text,
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;a&quot;\u{FFFD}\u{FFFD}\u{FFFD}"
        );
        assert_eq!(short("<<<<<", 26.0), "&lt;&lt;…");
    }

    #[test]
    fn wide_letters_take_more_width() {
        assert_eq!(short("本因坊秀策", 62.0), "本因坊秀策");
        assert_eq!(short("本因坊秀策", 48.0), "本因坊…");
        assert_eq!(short("Honinbo Shusaku", 200.0), "Honinbo Shusaku");
    }

    #[test]
    fn coordinates() {
        assert_eq!([px(1.0), px(-0.04), px(12.34)], ["1", "0", "12.3"]);
    }
}
