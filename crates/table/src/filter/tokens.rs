//! Splits an expression into words, signs, numbers and quoted texts.

use std::ops::Range;

use super::FilterError;

/// Maximum number of words and signs in an expression. Numbers, texts and commas do not count,
/// because they cannot add depth.
const MAX_SIGNS: usize = 1000;

/// Maximum length of an expression, in bytes.
const MAX_LEN: usize = 1 << 20;

/// Signs of more than one character. If one is the beginning of another, the longer one comes
/// first.
const SIGNS: [&str; 10] = ["!~*", "!~", "~*", "<>", "<=", ">=", "!=", "||", "==", "&&"];

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'t> {
    /// A keyword, a function or a column.
    Word(&'t str),
    /// A name between double quotes.
    Name(String),
    Number(&'t str),
    /// A text between single quotes.
    Text(String),
    Sign(&'t str),
    End,
}

impl Token<'_> {
    pub(super) fn is(&self, word_or_sign: &str) -> bool {
        match self {
            Self::Word(word) => word.eq_ignore_ascii_case(word_or_sign),
            Self::Sign(sign) => *sign == word_or_sign,
            _ => false,
        }
    }

    fn is_counted(&self) -> bool {
        !matches!(self, Self::Number(_) | Self::Text(_) | Self::Sign(","))
    }
}

/// Returns the tokens of `text`, each with its span. The last token is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Range<usize>)>, FilterError> {
    if text.len() > MAX_LEN {
        return Err(FilterError::nowhere("the expression is longer than 1 MiB"));
    }
    let mut tokens = Vec::new();
    let mut counted = 0;
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let token = match first {
            '\'' | '"' => {
                let (content, len) = quoted(&rest[1..], first).ok_or_else(|| {
                    let message = format!(
                        "expected `{first}` at the end of the text, found the end of the expression"
                    );
                    FilterError::new(message, text, start..start + 1)
                })?;
                at += 1 + len;
                if first == '\'' {
                    Token::Text(content)
                } else {
                    Token::Name(content)
                }
            }
            _ if first.is_ascii_digit()
                || (first == '.' && rest[1..].starts_with(|next: char| next.is_ascii_digit())) =>
            {
                at += number_len(rest);
                Token::Number(&text[start..at])
            }
            _ if first.is_alphabetic() || first == '_' => {
                at += rest
                    .find(|char: char| !char.is_alphanumeric() && !"_$".contains(char))
                    .unwrap_or(rest.len());
                Token::Word(&text[start..at])
            }
            _ => {
                at += SIGNS
                    .iter()
                    .find(|sign| rest.starts_with(**sign))
                    .map_or(first.len_utf8(), |sign| sign.len());
                Token::Sign(&text[start..at])
            }
        };
        counted += usize::from(token.is_counted());
        if counted > MAX_SIGNS {
            let message = format!("the expression has more than {MAX_SIGNS} words and signs");
            return Err(FilterError::new(message, text, start..at));
        }
        tokens.push((token, start..at));
    }
    if tokens.is_empty() {
        return Err(FilterError::nowhere("the expression is empty"));
    }
    let end = text.trim_end().len();
    tokens.push((Token::End, end..end));
    Ok(tokens)
}

/// Returns the content of a quoted text, in which two quotes stand for one, and its length
/// including the closing quote.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        if char == quote && chars.next_if(|next| next.1 == quote).is_none() {
            return Some((content, at + 1));
        }
        content.push(char);
    }
    None
}

/// Returns the length of a number: digits with an optional point and exponent.
fn number_len(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut len = digits(0);
    if text[len..].starts_with('.') {
        len += 1 + digits(len + 1);
    }
    if text[len..].starts_with(['e', 'E']) {
        let sign = usize::from(text[len + 1..].starts_with(['+', '-']));
        let exponent = digits(len + 1 + sign);
        len += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    len
}

#[cfg(test)]
mod tests {
    use super::{Token, tokens};

    #[test]
    fn texts_words_and_signs() {
        for (text, expected) in [
            ("a'b'", vec![Token::Word("a"), Token::Text("b".into())]),
            ("'it''s'", vec![Token::Text("it's".into())]),
            ("''", vec![Token::Text(String::new())]),
            (r"'a\n'", vec![Token::Text(r"a\n".into())]),
            ("\"a \"\"b\"", vec![Token::Name("a \"b".into())]),
            (
                "1.5e-3.5",
                vec![Token::Number("1.5e-3"), Token::Number(".5")],
            ),
            ("2e", vec![Token::Number("2"), Token::Word("e")]),
            (
                "a!~*b",
                vec![Token::Word("a"), Token::Sign("!~*"), Token::Word("b")],
            ),
            (
                "a>=-1",
                vec![
                    Token::Word("a"),
                    Token::Sign(">="),
                    Token::Sign("-"),
                    Token::Number("1"),
                ],
            ),
            ("a \n黒", vec![Token::Word("a"), Token::Word("黒")]),
        ] {
            let mut found: Vec<Token<'_>> = tokens(text)
                .expect(text)
                .into_iter()
                .map(|token| token.0)
                .collect();
            assert_eq!(found.pop(), Some(Token::End));
            assert_eq!(found, expected, "{text}");
        }
        for text in ["'a", "\"a", "", "  "] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }
}
