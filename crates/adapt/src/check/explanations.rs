//! Explanations of codes: meaning, an input that produces the code, and advice. They are the
//! sections of `findings.md`.

use sgfstream::Code;

/// The page with a section for each code, in the order of [`Code::ALL`].
const PAGE: &str = include_str!("findings.md");

/// Explanation of a code: its meaning, an example and advice.
///
/// ```
/// use sgfstream::Code;
/// use sgfstream_adapt::check::Explanation;
///
/// let explanation = Explanation::of(Code::MalformedGameInfo);
/// assert_eq!(explanation.example(), b"(;FF[4]GM[1]KM[6,5])");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// The code that this explains.
    pub code: Code,
    /// The code's meaning, and what the format says about it.
    pub meaning: &'static str,
    /// The example as the page writes it, with escapes.
    input: &'static str,
    /// Whether only a replay of the moves finds it.
    pub needs_legality: bool,
    /// The example after `sgfq fix --guess --only CODE`, as the page writes it, if a repair changes
    /// it.
    fixed: Option<&'static str>,
    /// The advice for the user.
    pub advice: &'static str,
}

impl Explanation {
    /// Returns the explanation of a code.
    ///
    /// # Panics
    ///
    /// Never, because a test checks that each code has its section.
    #[must_use]
    pub fn of(code: Code) -> Self {
        let sections = PAGE
            .split("\n## ")
            .skip(1)
            .filter_map(|section| section.split_once('\n'));
        let (_, section) = sections
            .into_iter()
            .find(|(name, _)| *name == code.as_str())
            .expect("each code has a section");
        let mut paragraphs = section.trim().split("\n\n").skip(1);
        let meaning = paragraphs.next().expect("a meaning");
        let items = paragraphs.next().expect("a list");
        let item = |name| {
            items.lines().find_map(|line| {
                line.strip_prefix("- ")?
                    .strip_prefix(name)?
                    .strip_prefix(": ")
            })
        };
        let replayed = item("Input (with `--legality`)");
        let input = replayed.or_else(|| item("Input")).expect("an input");
        Self {
            code,
            meaning,
            input: input.trim_matches('`'),
            needs_legality: replayed.is_some(),
            fixed: item("Fixed").map(|fixed| fixed.trim_matches('`')),
            advice: item("What to do").expect("advice"),
        }
    }

    /// Returns the example after its repair. Returns `None` if no repair changes it.
    #[must_use]
    pub fn fixed(&self) -> Option<Vec<u8>> {
        self.fixed.map(bytes)
    }

    /// Returns an input that produces the code.
    #[must_use]
    pub fn example(&self) -> Vec<u8> {
        let Some((before, (repeated, after))) = self
            .input
            .split_once('{')
            .and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        else {
            return bytes(self.input);
        };
        let (text, times) = repeated.split_once('*').expect("a text and how often");
        [
            before.to_owned(),
            text.repeat(times.parse().expect("a number")),
            after.to_owned(),
        ]
        .concat()
        .into_bytes()
    }
}

/// Replaces the page's escapes `\n`, `\0`, `\\` and `\xff` with the bytes they stand for.
fn bytes(written: &str) -> Vec<u8> {
    let mut found = Vec::new();
    let mut rest = written.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        found.push(match (byte, after) {
            (b'\\', [b'x', ..]) => {
                rest = &after[3..];
                u8::from_str_radix(&written[written.len() - rest.len() - 2..][..2], 16)
                    .expect("two digits")
            }
            (b'\\', [escaped, ..]) => {
                rest = &after[1..];
                match escaped {
                    b'n' => b'\n',
                    b'0' => 0,
                    other => *other,
                }
            }
            _ => *byte,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, Finding, InputChecker};
    use sgfstream::{Options, Reader, Transcoder};

    /// Checks that each section begins with the code, its severity, number and message, in the
    /// order of the codes.
    #[test]
    fn each_code_once_in_order() {
        let heads: Vec<_> = PAGE
            .split("\n## ")
            .skip(1)
            .map(|section| section.lines().take(3).collect::<Vec<_>>())
            .collect();
        let expected: Vec<_> = Code::ALL
            .iter()
            .map(|code| {
                let number = code
                    .sgfc()
                    .map(|number| format!(", SGFC {number}"))
                    .unwrap_or_default();
                format!(
                    "{code}\n\n*{}{number}*: {}",
                    code.severity(),
                    code.message()
                )
            })
            .collect();
        assert_eq!(
            heads.iter().map(|head| head.join("\n")).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn every_example_produces_its_code() {
        for &code in Code::ALL {
            let explanation = Explanation::of(code);
            let example = explanation.example();
            let mut codes = Vec::new();
            let options = CheckOptions::default().with_legality(explanation.needs_legality);
            let (checker, mut add) = (InputChecker::new(options), |finding: Finding| {
                codes.push(finding.code)
            });
            if code == Code::WideEncoding {
                checker
                    .check_all(Reader::new(&*example), &mut add)
                    .expect("no limit is set");
            } else {
                let mut input = Transcoder::new(&*example);
                let options = input.options(Options::default());
                checker
                    .check_all(Reader::with_options(input, options), &mut add)
                    .expect("no limit is set");
            }
            assert!(codes.contains(&code), "{code}: {codes:?}");
        }
    }

    #[test]
    fn texts_are_sentences() {
        for &code in Code::ALL {
            let explanation = Explanation::of(code);
            for text in [explanation.meaning, explanation.advice] {
                let begins = text.starts_with(|c: char| c.is_ascii_uppercase() || c == '`');
                assert!(
                    text.ends_with('.') && begins && !text.contains('\n'),
                    "{code}"
                );
            }
        }
    }

    #[test]
    fn escapes_of_the_page() {
        assert_eq!(bytes(r"a\n\0\\]\xffz"), b"a\n\0\\]\xffz");
    }
}
