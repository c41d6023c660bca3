//! Errors of requests.

use sgfstream_table::filter::FilterError;

/// Error of a request to the explorer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// The request is invalid or names something that does not exist. The text is a sentence for
    /// the user.
    Refused(String),
    /// An internal operation failed.
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
