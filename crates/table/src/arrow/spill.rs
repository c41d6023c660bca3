//! Stores rows of a game on disk until the filter decides about the game.

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek};

use anyhow::Context;
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;

/// Batches of rows in an anonymous file.
pub(super) struct Spill(StreamWriter<BufWriter<File>>);

impl Spill {
    /// Creates a file that begins with `batch`.
    pub(super) fn of(batch: &RecordBatch) -> anyhow::Result<Self> {
        let file = tempfile::tempfile().context("a temporary file")?;
        let mut spill = Self(StreamWriter::try_new(BufWriter::new(file), &batch.schema())?);
        spill.push(batch)?;
        Ok(spill)
    }

    pub(super) fn push(&mut self, batch: &RecordBatch) -> anyhow::Result<()> {
        self.0.write(batch).context("a temporary file")
    }

    /// Returns all batches, in order.
    pub(super) fn batches(self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<RecordBatch>>> {
        let mut file = self.0.into_inner()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.rewind()?;
        let batches = StreamReader::try_new(BufReader::new(file), None)?;
        Ok(batches.map(|batch| batch.context("a temporary file")))
    }
}
