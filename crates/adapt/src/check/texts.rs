//! Checks texts against the charset of their game, and reports zero bytes.

use sgfstream::{Charset, CharsetSource, Code, Ident, RawValue, Span};
use sgfstream_game::value::Repair;
use sgfstream_game::{Dialect, Facts};

use super::Remedy;
use super::finding::{found, shown};
use super::report::Reporter;
use super::values::Defect;

/// Charset of a game, and which findings about its texts were reported.
#[derive(Debug)]
pub(super) struct Texts {
    charset: Charset,
    /// How the charset was determined.
    source: CharsetSource,
    assumed: bool,
    /// The game must be UTF-8 even without `CA`, and no other text has been reported yet.
    expects_utf8: bool,
}

/// Returns a value as UTF-8, if its charset is known, is not UTF-8, and can decode the bytes beyond
/// ASCII.
#[inline]
pub(crate) fn as_utf8(charset: Charset, raw: &[u8]) -> Option<Vec<u8>> {
    let charset = charset.for_value(raw);
    if raw.is_ascii() || matches!(charset, Charset::AUTO | Charset::UTF_8) {
        return None;
    }
    let (text, is_faulty) = charset.decode(raw);
    (!is_faulty).then(|| text.into_owned().into_bytes())
}

/// Encodes a UTF-8 value in this charset. Returns `None` if the charset lacks a character.
pub(crate) fn in_charset(charset: Charset, value: Vec<u8>) -> Option<Vec<u8>> {
    if value.is_ascii() {
        Some(value)
    } else {
        charset.encode(std::str::from_utf8(&value).ok()?)
    }
}

/// Finds a `\` that escapes the closing bracket of a text by mistake: a node with a move follows,
/// up to the end of the value. A text that quotes a node deliberately escapes the bracket of the
/// move as well, so it does not match.
///
/// ```text
/// C[C:\games\];W[ee]
///           ^
/// ```
#[inline]
fn swallowing_backslash(dialect: &Dialect, raw: &[u8]) -> Option<usize> {
    let open = memchr::memrchr(b'[', raw)?;
    let before = trim_blanks_end(&raw[..open]);
    let letters = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (before, ident) = before.split_at(before.len() - letters);
    let before =
        trim_blanks_end(trim_blanks_end(before).strip_suffix(b";")?).strip_suffix(b"\\]")?;
    let is_escaped = before
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count()
        % 2
        == 1;
    let is_move = dialect
        .game()
        .move_ids()
        .plays(Ident::new(ident), &raw[open + 1..])
        .is_some();
    (!is_escaped && is_move && dialect.parse_move(&raw[open + 1..]).is_ok()).then_some(before.len())
}

/// Returns the bytes without the blanks at their end. NUL is read as a blank.
fn trim_blanks_end(bytes: &[u8]) -> &[u8] {
    let blanks = bytes
        .iter()
        .rev()
        .take_while(|&&byte| byte == 0 || byte.is_ascii_whitespace())
        .count();
    &bytes[..bytes.len() - blanks]
}

/// Returns a finding if a text contains the node after it. Its repair, escaping the backslash, is a
/// guess.
#[inline]
pub(super) fn swallowed_node(dialect: &Dialect, raw: &[u8]) -> Option<Defect> {
    let at = swallowing_backslash(dialect, raw)?;
    let (before, rest) = raw.split_at(at);
    let message = format!(
        "an escaped bracket does not end the text before a node: `{}`",
        shown(rest)
    );
    // After a byte beyond ASCII, the backslash may be half of a character.
    let is_backslash =
        before.last().is_none_or(u8::is_ascii) || std::str::from_utf8(before).is_ok();
    let value = [before, b"\\", rest].concat();
    let remedy = is_backslash.then_some(Remedy::Rewrite {
        repair: Repair::Backslash,
        value,
        is_guess: true,
    });
    Some(Defect::new(Code::SwallowedNode, message, remedy))
}

impl Texts {
    pub(super) fn of(facts: &Facts<'_>) -> Self {
        Self {
            charset: facts.charset(),
            source: facts.charset_source(),
            assumed: false,
            expects_utf8: facts.game.variant().is_some(),
        }
    }

    /// Checks a value of Text or SimpleText, or a piece of one.
    #[inline]
    pub(super) fn check(&mut self, report: &mut Reporter<'_>, value: RawValue<'_>, span: Span) {
        let bytes = value.as_bytes();
        if !bytes.is_ascii() {
            self.check_beyond_ascii(report, value, span);
        }
        if let Some(at) = memchr::memchr(0, bytes) {
            let at = span.start + at as u64;
            let message = "expected text, found a NUL byte; read as a space";
            report.add(
                Code::NulByte,
                Span::new(at, at + 1),
                message,
                Remedy::AsRead,
            );
        }
    }

    /// Returns a value as UTF-8; see the function [`as_utf8`].
    #[inline]
    pub(super) fn as_utf8(&self, raw: &[u8]) -> Option<Vec<u8>> {
        as_utf8(self.charset, raw)
    }

    /// Encodes the replacement of a finding about a value that [`as_utf8`] decoded. If the charset
    /// is a guess, the replacement becomes a guess as well.
    #[cold]
    pub(super) fn encoded(&self, mut defect: Defect) -> Defect {
        let (charset, source) = (self.charset, self.source);
        defect.remedy = match defect.remedy {
            Some(Remedy::Rewrite {
                repair,
                value,
                is_guess,
            }) => in_charset(charset, value).map(|value| Remedy::Rewrite {
                repair,
                value,
                is_guess: is_guess || source <= CharsetSource::Guessed,
            }),
            other => other,
        };
        defect
    }

    /// Reports a `CA` that contradicts the byte order mark: the text was transcoded, and `CA` was
    /// not updated.
    #[cold]
    pub(super) fn check_declared(
        &mut self,
        report: &mut Reporter<'_>,
        value: RawValue<'_>,
        span: Span,
    ) {
        let declared = Charset::for_label(value.unescaped().trim_ascii());
        // sgfq transcodes UTF-16 and ISO-2022-JP while it reads, so a `CA` that names one of them
        // is not stale.
        let is_own = |charset: Charset| {
            charset == self.charset
                || charset.name().starts_with("UTF-16")
                || charset.name() == "ISO-2022-JP"
        };
        if self.source == CharsetSource::Overruled
            && let Some(declared) = declared
        {
            self.assumed = true;
            let read = self.charset.name();
            let message = format!(
                "in `CA`: the text does not fit {}; read as {read}",
                declared.name()
            );
            report.add(Code::InvalidBytes, span, message, Remedy::StateCharset);
        }
        let is_stale =
            self.source == CharsetSource::Bom && declared.is_some_and(|charset| !is_own(charset));
        if is_stale {
            let message = format!(
                "in `CA`: the text was transcoded, so expected `UTF-8`, found {}",
                found(value.as_bytes())
            );
            report.add(Code::StaleCharset, span, message, Remedy::StateCharset);
        }
    }

    #[cold]
    fn check_beyond_ascii(&mut self, report: &mut Reporter<'_>, value: RawValue<'_>, span: Span) {
        let (charset, source) = (self.charset, self.source);
        let bytes = value.as_bytes();
        if source <= CharsetSource::Guessed && !self.assumed {
            self.assumed = true;
            let read = match charset {
                Charset::AUTO if std::str::from_utf8(bytes).is_ok() => "UTF-8",
                Charset::AUTO if value.with_charset(charset).try_text().1 => "UTF-8",
                Charset::AUTO if bytes.iter().any(|byte| matches!(byte, 0x80..0xA0)) => {
                    "windows-1252"
                }
                Charset::AUTO => "ISO-8859-1",
                guessed => guessed.name(),
            };
            let text = value.with_charset(charset).text();
            let message = format!(
                "the game has text beyond ASCII and no `CA`; `{}` read as {read}",
                shown(text.as_bytes())
            );
            report.add(Code::AssumedCharset, span, message, Remedy::StateCharset);
        }
        let is_utf8 = std::str::from_utf8(bytes).is_ok();
        if is_utf8 && charset == Charset::UTF_8 {
            return;
        }
        let is_guess = source <= CharsetSource::Detected && charset != Charset::UTF_8;
        if !is_utf8 && is_guess && std::mem::take(&mut self.expects_utf8) {
            let message = format!("a Pentobi game must be UTF-8, found `{}`", shown(bytes));
            report.add(Code::CharsetNotAllowed, span, message, Remedy::StateCharset);
        }
        // Pentobi's default is UTF-8 (spec P-06); the default of its older document was Latin-1
        // (PO-02). Allow both: only damaged UTF-8 is invalid.
        if value.with_charset(charset).try_text().1 {
            let name = if charset == Charset::AUTO {
                "UTF-8"
            } else {
                charset.name()
            };
            let message = format!("some bytes are invalid in {name}: `{}`", shown(bytes));
            report.add(Code::InvalidBytes, span, message, Remedy::StateCharset);
        } else if charset.for_value(bytes) != charset {
            let message = format!(
                "a value in UTF-8, in a game of {}: `{}`",
                charset.name(),
                shown(bytes)
            );
            report.add(Code::InvalidBytes, span, message, Remedy::StateCharset);
        }
    }
}
