//! Events in the form that tests compare, and the log of events in tests.

use std::fmt;
use std::ops::Range;

/// Event with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub kind: Kind,
    pub span: Range<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    VariationStart {
        depth: u64,
        supplied: bool,
    },
    NodeStart {
        supplied: bool,
    },
    Property {
        ident: Vec<u8>,
        values: Vec<Vec<u8>>,
    },
    Part {
        ident: Vec<u8>,
        value: u64,
        content: Vec<u8>,
        first: bool,
        last: bool,
    },
    VariationEnd {
        depth: u64,
        supplied: bool,
    },
    Problem(&'static str),
}

/// Prints the log of the tests: `( ; AB<aa><bb> !stray-bracket@9..10 )`. An
/// inserted event has a `+`; a part is `C{one~`, `C~two~` or `C~three}`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plus = |supplied: bool| if supplied { "+" } else { "" };
        match &self.kind {
            Kind::VariationStart { supplied, .. } => write!(f, "{}(", plus(*supplied)),
            Kind::NodeStart { supplied } => write!(f, "{};", plus(*supplied)),
            Kind::VariationEnd { supplied, .. } => write!(f, "{})", plus(*supplied)),
            Kind::Problem(code) => write!(f, "!{code}@{}..{}", self.span.start, self.span.end),
            Kind::Property { ident, values } => {
                write!(f, "{}", shown(ident))?;
                values
                    .iter()
                    .try_for_each(|value| write!(f, "<{}>", shown(value)))
            }
            Kind::Part {
                ident,
                content,
                first,
                last,
                ..
            } => {
                let (open, close) = (
                    if *first { "{" } else { "~" },
                    if *last { "}" } else { "~" },
                );
                write!(f, "{}{open}{}{close}", shown(ident), shown(content))
            }
        }
    }
}

/// Returns bytes for the log, with `\n`, `\r`, `\t` or `\xNN` for all but printable ASCII.
fn shown(bytes: &[u8]) -> String {
    let show = |&byte: &u8| match byte {
        b'\\' | b'"' | b'\'' => char::from(byte).to_string(),
        byte => byte.escape_ascii().to_string(),
    };
    bytes.iter().map(show).collect()
}

/// Returns the log of a whole input.
pub fn log(steps: &[Step]) -> String {
    steps
        .iter()
        .map(Step::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
