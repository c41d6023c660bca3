//! Reasons why a question has no answer.

use sgfstream_table::filter::FilterError;

use super::archive::Refused;

/// Why there is no answer.
pub(super) enum Failed {
    /// The page asked for something that is not there, or not rightly.
    Refused(String),
    /// The games are still read.
    NotYet,
    /// Something failed here.
    Internal(String),
}

impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused.0)
    }
}

impl From<FilterError> for Failed {
    fn from(err: FilterError) -> Self {
        Self::Refused(err.to_string())
    }
}

impl From<anyhow::Error> for Failed {
    fn from(err: anyhow::Error) -> Self {
        Self::Internal(format!("{err:#}"))
    }
}

impl From<std::io::Error> for Failed {
    fn from(err: std::io::Error) -> Self {
        Self::Internal(err.to_string())
    }
}
