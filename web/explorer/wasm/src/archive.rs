//! The games, while they come and after.

use std::io;

use serde_json::{Value, json};

use sgfstream::Options;
use sgfstream_answers::{EntryReader, Explorer, Export, Failed, OneCore, Reply};
use sgfstream_charset::likely_charset;
use sgfstream_explore::MemoryStore;

/// What an answer is: the number that JavaScript is given.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Json,
    /// A file, or the next games of an export.
    File,
    /// An export, whose games [`Archive::part`] gives.
    Games,
    /// Nothing: a message says how the question is to be put right.
    Refused,
    /// Nothing: a message says what failed.
    Failed,
    /// The end of an export.
    End,
}

/// An archive, in one of its two states.
#[derive(Default)]
pub(crate) enum Archive {
    #[default]
    None,
    Reading(Box<EntryReader>),
    Read(Box<Explorer<MemoryStore, OneCore>>, Option<Export>),
}

type Answered = (Kind, Vec<u8>);

fn failed(message: &str) -> Answered {
    (Kind::Failed, message.as_bytes().to_vec())
}

/// The end of a step of reading, which has no answer but a failure.
fn done(result: io::Result<()>) -> Answered {
    result.map_or_else(|err| failed(&err.to_string()), |()| (Kind::Json, Vec::new()))
}

impl Archive {
    fn reading(&mut self) -> &mut EntryReader {
        if !matches!(self, Self::Reading(_)) {
            let options = Options::default().with_detection(Some(likely_charset));
            *self = Self::Reading(Box::new(EntryReader::new(options)));
        }
        match self {
            Self::Reading(reading) => reading,
            _ => unreachable!("it was made above"),
        }
    }

    pub(crate) fn begin(&mut self, name: &[u8]) {
        self.reading().begin(&String::from_utf8_lossy(name));
    }

    pub(crate) fn feed(&mut self, chunk: Vec<u8>) -> Answered {
        done(self.reading().feed(chunk))
    }

    pub(crate) fn end(&mut self) -> Answered {
        done(self.reading().end())
    }

    pub(crate) fn fault(&mut self, what: &[u8]) {
        self.reading().fault(&String::from_utf8_lossy(what));
    }

    pub(crate) fn games(&self) -> u32 {
        match self {
            Self::None => 0,
            Self::Reading(reading) => reading.games(),
            Self::Read(explorer, _) => explorer.index().len(),
        }
    }

    /// Ends the reading. `inputs` are names, with a zero after each.
    pub(crate) fn finish(&mut self, inputs: &[u8]) -> Answered {
        let Self::Reading(reading) = std::mem::take(self) else { return failed("expected entries, found none") };
        let faults = json!({ "games": reading.games(), "faults": reading.faults() });
        if reading.games() == 0 {
            return (Kind::Json, faults.to_string().into_bytes());
        }
        let names = inputs.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        let names = names.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        match reading.finish(names) {
            Ok(explorer) => {
                *self = Self::Read(Box::new(explorer), None);
                (Kind::Json, faults.to_string().into_bytes())
            }
            Err(err) => failed(&err.to_string()),
        }
    }

    /// Answers the question of this name.
    pub(crate) fn ask(&mut self, name: &[u8], asked: &[u8]) -> Answered {
        let Self::Read(explorer, export) = self else { return failed("the games are still read") };
        let Ok(asked) = serde_json::from_slice::<Value>(asked) else {
            return (Kind::Refused, b"expected an object of JSON".to_vec());
        };
        match explorer.answer(&String::from_utf8_lossy(name), &asked) {
            Ok(Reply::Json(value)) => (Kind::Json, value.to_string().into_bytes()),
            Ok(Reply::File(_, bytes)) => (Kind::File, bytes),
            Ok(Reply::Games(games)) => {
                *export = Some(games);
                (Kind::Games, Vec::new())
            }
            Err(Failed::Refused(message)) => (Kind::Refused, message.into_bytes()),
            Err(Failed::Internal(message)) => failed(&message),
        }
    }

    /// The next games of the export that was asked for last.
    pub(crate) fn part(&mut self) -> Answered {
        let Self::Read(explorer, Some(export)) = self else { return (Kind::End, Vec::new()) };
        match explorer.part(export) {
            Ok(Some(bytes)) => (Kind::File, bytes),
            Ok(None) => (Kind::End, Vec::new()),
            Err(err) => failed(&err.to_string()),
        }
    }
}
