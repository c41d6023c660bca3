//! LIKE, ILIKE and `~`, all as regular expressions with linear time.

use regex::{Regex, RegexBuilder};

/// Maximum size of a compiled pattern, in bytes.
const SIZE: usize = 1 << 20;

/// Pattern to match texts with.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Regex);

impl Pattern {
    /// Compiles a pattern of LIKE: `%` matches any text, `_` any character, and `\` makes the next
    /// character literal.
    pub(super) fn like(pattern: &str, ignore_case: bool) -> Result<Self, String> {
        let mut regex = String::from("^");
        let mut chars = pattern.chars();
        while let Some(char) = chars.next() {
            match char {
                '\\' => match chars.next() {
                    Some(char) => regex.push_str(&regex::escape(char.encode_utf8(&mut [0; 4]))),
                    None => {
                        return Err(
                            "expected a character after `\\`, found the end of the pattern"
                                .to_owned(),
                        );
                    }
                },
                '%' => regex.push_str(".*"),
                '_' => regex.push('.'),
                char => regex.push_str(&regex::escape(char.encode_utf8(&mut [0; 4]))),
            }
        }
        regex.push('$');
        Self::build(&regex, ignore_case, true)
    }

    /// Compiles a regular expression, which may match anywhere in the text.
    pub(super) fn regex(pattern: &str, ignore_case: bool) -> Result<Self, String> {
        Self::build(pattern, ignore_case, false)
    }

    fn build(pattern: &str, ignore_case: bool, dot_is_any: bool) -> Result<Self, String> {
        let mut builder = RegexBuilder::new(pattern);
        builder
            .case_insensitive(ignore_case)
            .dot_matches_new_line(dot_is_any);
        builder.size_limit(SIZE).dfa_size_limit(SIZE);
        builder.build().map(Self).map_err(|err| match err {
            regex::Error::CompiledTooBig(_) => {
                "the pattern is too large when compiled; shorten it".to_owned()
            }
            err => {
                // The last line has the message; the other lines draw the place.
                let message = err.to_string();
                let reason = message
                    .lines()
                    .last()
                    .unwrap_or_default()
                    .trim_start_matches("error: ");
                format!("invalid regular expression `{pattern}`: {reason}")
            }
        })
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn like() {
        for (pattern, text, matches) in [
            ("Go%", "Go Seigen", true),
            ("Go%", "go Seigen", false),
            ("%Seigen", "Go Seigen", true),
            ("_o", "Go", true),
            ("_o", "Goo", false),
            ("%", "", true),
            ("a.c", "abc", false),
            ("100\\%", "100%", true),
            ("100\\%", "1000", false),
            ("%b%", "a\nb\nc", true),
            ("黒_", "黒白", true),
        ] {
            let like = Pattern::like(pattern, false).expect("a pattern");
            assert_eq!(like.matches(text), matches, "{pattern} {text}");
        }
        assert!(Pattern::like("GO%", true).expect("a pattern").matches("go"));
        assert!(Pattern::like("x\\", false).is_err());
    }

    #[test]
    fn faults_of_patterns() {
        assert_eq!(
            Pattern::regex("(", false).expect_err("open"),
            "invalid regular expression `(`: unclosed group"
        );
        assert!(
            Pattern::regex("((a{1000}){1000}){1000}", false)
                .expect_err("large")
                .contains("too large")
        );
    }
}
