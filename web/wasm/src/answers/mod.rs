//! Results about a whole input, as JSON or as bytes.

#[cfg(feature = "full")]
mod board;
mod charset;
#[cfg(feature = "full")]
mod check;
mod encode;
#[cfg(feature = "full")]
mod fix;

#[cfg(feature = "full")]
use sgfstream::Severity;
use sgfstream::{Code, Options};
use sgfstream_open::options_by_name;

use crate::json::Json;

#[cfg(feature = "full")]
pub(crate) use board::board;
pub(crate) use charset::charset;
#[cfg(feature = "full")]
pub(crate) use check::check;
pub(crate) use encode::{FRAMINGS, complete, encode};
#[cfg(feature = "full")]
pub(crate) use fix::fix;

/// Result of one request: JSON and bytes.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) json: String,
    pub(crate) bytes: Vec<u8>,
}

/// Error of a request: a stable code for programs and a sentence for people.
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// Most errors with only a sentence are about options.
impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::new("invalid-option", message)
    }
}

/// Arguments of a request. Each is a line `name=value`.
pub(crate) struct Args<'a>(&'a str);

impl<'a> Args<'a> {
    pub(crate) fn parse(bytes: &'a [u8]) -> Self {
        Self(std::str::from_utf8(bytes).unwrap_or_default())
    }

    /// Returns the value of an argument, or an empty string if it is missing.
    pub(crate) fn get(&self, name: &str) -> &'a str {
        let value = |line: &'a str| line.strip_prefix(name)?.strip_prefix('=');
        self.0.lines().find_map(value).unwrap_or_default()
    }

    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, String> {
        match self.get(name) {
            "" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|_| format!("{name}: expected a number from 0, found {text:?}")),
        }
    }

    pub(crate) fn options(&self) -> Result<Options, String> {
        let named = |name| Some(self.get(name)).filter(|value| !value.is_empty());
        options_by_name(named("charset"), named("framing").unwrap_or("auto"))
    }

    #[cfg(feature = "full")]
    fn codes(&self, name: &str) -> Result<Vec<Code>, String> {
        let code = |text: &str| {
            text.parse().map_err(|_| {
                format!("{name}: unknown code {text:?}; a code is such as \"malformed-value\"")
            })
        };
        self.get(name)
            .split(',')
            .filter(|text| !text.is_empty())
            .map(code)
            .collect()
    }

    #[cfg(feature = "full")]
    fn level(&self, usual: Severity) -> Result<Severity, String> {
        let name = self.get("level");
        let found = [Severity::Note, Severity::Warning, Severity::Error]
            .into_iter()
            .find(|each| each.as_str() == name);
        let found = found.or(name.is_empty().then_some(usual));
        found.ok_or_else(|| {
            format!("level: expected \"note\", \"warning\" or \"error\", found {name:?}")
        })
    }
}

/// Returns all codes in the order of their numbers.
pub(crate) fn codes() -> Answer {
    let mut json = Json::default();
    json.open('[');
    for code in Code::ALL {
        json.open('{');
        json.name("code").text(code.as_str());
        json.name("severity").text(code.severity().as_str());
        json.name("sgfc").number_or_null(code.sgfc());
        json.name("message").text(code.message());
        json.close('}');
    }
    json.close(']');
    Answer {
        json: json.out,
        ..Answer::default()
    }
}

/// Transcodes an input so that a reader can scan it. Returns no bytes if it needs no transcoding.
pub(crate) fn scannable(args: &Args<'_>, bytes: &[u8]) -> Result<Answer, Refusal> {
    let mut options = args.options()?;
    let turned = crate::input::Input::new()
        .add(bytes.to_vec(), true, &mut options)
        .unwrap_or_default();
    Ok(Answer {
        bytes: if options.is_transcoded {
            turned
        } else {
            Vec::new()
        },
        ..Answer::default()
    })
}
