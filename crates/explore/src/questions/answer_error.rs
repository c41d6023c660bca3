//! Reasons why a question has no answer.

use sgfstream_table::filter::FilterError;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// The page asked for something that is not there, or not rightly: a sentence for the person who asked.
    Refused(String),
    /// Something failed here.
    Internal(String),
    /// The caller stopped the search.
    Stopped,
}

impl From<FilterError> for AnswerError {
    fn from(err: FilterError) -> Self {
        Self::Refused(err.to_string())
    }
}

impl From<std::io::Error> for AnswerError {
    fn from(err: std::io::Error) -> Self {
        if err.kind() == std::io::ErrorKind::Interrupted {
            return Self::Stopped;
        }
        Self::Internal(err.to_string())
    }
}

impl From<sgfstream::Error> for AnswerError {
    fn from(err: sgfstream::Error) -> Self {
        Self::Internal(err.to_string())
    }
}
