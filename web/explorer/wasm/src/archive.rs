//! The archive of the page: games while they are read, and the explorer of them afterwards.

use std::ops::ControlFlow;

use serde_json::json;

use sgfstream::{Detection, Options};
use sgfstream_archive::{EntryName, ReadOptions, visit_volumes};
use sgfstream_explore::{
    AnswerError, ArchiveReader, Explorer, ExplorerResponse, Export, MemoryStore, OneCore, StopFlag,
};
use sgfstream_open::is_record;

use crate::host;
use crate::volume::Volume;

/// Bytes of memory in place of a temporary file, for a 7z inside an archive.
const SPOOL: u64 = 512 << 20;

/// Kind of an answer, as the number that JavaScript gets.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Json,
    /// A file, or the next games of an export.
    File,
    /// An export; [`Archive::part`] returns its games.
    Games,
    /// The request is invalid; the message says how to correct it.
    Refused,
    /// The request failed; the message says why.
    AnswerError,
    /// The end of an export.
    End,
}

/// Archive that is being read, or that answers questions.
#[derive(Default)]
pub(crate) enum Archive {
    #[default]
    None,
    Reading(Box<ArchiveReader>),
    Read(Box<Explorer<MemoryStore, OneCore>>, Option<Export>),
}

type Answered = (Kind, Vec<u8>);

fn failed(message: &str) -> Answered {
    (Kind::AnswerError, message.as_bytes().to_vec())
}

fn new_reader() -> ArchiveReader {
    ArchiveReader::new(Options::default().with_detection(Detection::LIKELY)).with_variations()
}

impl Archive {
    fn reading(&mut self) -> &mut ArchiveReader {
        if !matches!(self, Self::Reading(_)) {
            *self = Self::Reading(Box::new(new_reader()));
        }
        match self {
            Self::Reading(reading) => reading,
            _ => unreachable!("it was made above"),
        }
    }

    /// Reads the games of a file. The answer contains the number of members that were skipped,
    /// because they are not records.
    pub(crate) fn open(
        &mut self,
        name: &[u8],
        volumes: Vec<(Volume, u64)>,
        is_named: bool,
    ) -> Answered {
        let reading = self.reading();
        let mut options = ReadOptions::default();
        options.is_record = Some(is_record);
        options.caps.spool = SPOOL;
        let name = EntryName::file(&*String::from_utf8_lossy(name));
        let size: u64 = volumes.iter().map(|(_, len)| len).sum();
        let before = (reading.games(), reading.faults().len());
        let (mut result, mut is_packed) = (Ok(()), false);
        let summary = visit_volumes(&name, volumes, is_named, &options, |item| {
            match item {
                Ok(entry) => {
                    is_packed = entry.name.members().len() > 0;
                    result = reading.read(&entry.name.to_string(), entry.read, host::show_games);
                }
                Err(problem) => {
                    reading.fault(&problem.at.to_string(), &problem.message);
                }
            }
            if result.is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        // As the command does: a member of an archive or a file of a directory may be anything.
        let is_wanted = is_named && !is_packed && size > 0;
        if is_wanted && (reading.games(), reading.faults().len()) == before {
            reading.fault(&name.to_string(), &format!("no game in {size} bytes"));
        }
        match result {
            Ok(()) => (
                Kind::Json,
                json!({ "passed": summary.skipped })
                    .to_string()
                    .into_bytes(),
            ),
            Err(err) => failed(&err.to_string()),
        }
    }

    /// Starts a reading whose games another module indexes.
    pub(crate) fn split(&mut self) {
        *self = Self::Reading(Box::new(new_reader().with_batches(host::send_batch)));
    }

    /// Indexes a batch of games that another module has read.
    pub(crate) fn append(&mut self, batch: &[u8]) -> Answered {
        let reading = self.reading();
        let appended = reading.append(batch);
        host::show_games(reading.games());
        match appended {
            Ok(()) => (Kind::Json, b"{}".to_vec()),
            Err(err) => failed(&err.to_string()),
        }
    }

    /// Ends the reading. `inputs` are the names of the inputs, each followed by a zero.
    /// `is_partial` says that another module could not read an input.
    pub(crate) fn finish(&mut self, inputs: &[u8], is_partial: bool) -> Answered {
        let Self::Reading(mut reading) = std::mem::take(self) else {
            return failed("finish was called before open");
        };
        let has_batches = reading.finish_batches();
        let faults = json!({ "games": reading.games(), "faults": reading.faults() });
        if reading.games() == 0 || has_batches {
            return (Kind::Json, faults.to_string().into_bytes());
        }
        if is_partial {
            reading.set_partial();
        }
        let names = inputs
            .split(|&byte| byte == 0)
            .filter(|name| !name.is_empty());
        let names = names
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect();
        match reading.finish(names) {
            Ok(explorer) => {
                *self = Self::Read(Box::new(explorer), None);
                (Kind::Json, faults.to_string().into_bytes())
            }
            Err(err) => failed(&err.to_string()),
        }
    }

    /// Answers the question called `name`.
    pub(crate) fn ask(&mut self, name: &[u8], asked: &[u8]) -> Answered {
        let Self::Read(explorer, export) = self else {
            return failed("the games are still read");
        };
        let name = String::from_utf8_lossy(name);
        // A worker answers one question at a time, so nothing can stop this one.
        match explorer.answer(&name, asked, &StopFlag::default()) {
            Ok(ExplorerResponse::Json(json)) => (Kind::Json, json),
            Ok(ExplorerResponse::File(_, bytes)) => (Kind::File, bytes),
            Ok(ExplorerResponse::Games(games)) => {
                *export = Some(games);
                (Kind::Games, Vec::new())
            }
            Err(AnswerError::Refused(message)) => (Kind::Refused, message.into_bytes()),
            Err(AnswerError::Internal(message)) => failed(&message),
            Err(AnswerError::Stopped) => failed("the search was stopped"),
        }
    }

    /// Returns the next games of the last export.
    pub(crate) fn part(&mut self) -> Answered {
        let Self::Read(explorer, Some(export)) = self else {
            return (Kind::End, Vec::new());
        };
        match explorer.part(export) {
            Ok(Some(bytes)) => (Kind::File, bytes),
            Ok(None) => (Kind::End, Vec::new()),
            Err(err) => failed(&err.to_string()),
        }
    }
}
