//! `sgfq index --positions`: the hash of every position, in the order of the hashes, so that one is found without
//! reading the whole.

use std::collections::HashMap;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use arrow_array::builder::{Int8Builder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use sgfstream_engine::Cut;
use sgfstream_table::arrow::{Table, Tabulation};

use crate::args::destination::{WholeFile, directory_of};
use crate::args::input::Inputs;
use crate::args::threads::{self, Pool};
use crate::io::positions::RUN;
use crate::io::sorter::Sorter;
use crate::io::sums::{Summed, WRITER};
use crate::report::exit::Exit;

/// Rows of a row group. Each has its least and greatest hash, and a filter of them.
const GROUP: usize = 1 << 17;

/// Rows of a page, for which there are the least and the greatest hash as well.
const PAGE: usize = 1 << 13;

/// Boards that the file lists.
pub(crate) const BOARDS: usize = 1000;

/// Writes the positions of the games that `job` chooses to `path`; the table of the games is `games`, of the run
/// with this key.
pub(super) fn write(
    path: &Path,
    (games, run): (&Path, String),
    job: &Tabulation,
    cut: Cut,
    pool: &Pool,
    inputs: &Inputs,
) -> anyhow::Result<Exit> {
    let mut file = WholeFile::create(path)?;
    let mut rows = Rows::default();
    let exit = threads::sum(cut, pool, inputs, job, |out| {
        // They were said when the games were read.
        out.problems.clear();
        let Some(tabulated) = out.output.take() else { return Ok(()) };
        for (_, batch) in tabulated.into_batches() {
            rows.push(&batch).context("temporary file")?;
        }
        Ok(())
    })?;
    if exit == Exit::Interrupted {
        return Ok(exit);
    }
    let is_beside = directory_of(path) == directory_of(games);
    let games = match games.file_name() {
        Some(name) if is_beside => name.to_string_lossy().into_owned(),
        _ => std::path::absolute(games)?.to_string_lossy().into_owned(),
    };
    rows.write(&mut file, games, run).with_context(|| path.display().to_string())?;
    file.finish()?;
    Ok(exit)
}

/// The rows, as byte strings that sort by hash, then by game and move.
#[derive(Default)]
struct Rows {
    sorter: Sorter,
    /// The names of boards, by their number.
    boards: Vec<String>,
    numbers: HashMap<String, u32>,
}

/// A number of a row that is nothing.
const NOTHING: u8 = u8::MAX;

/// So that the order of bytes is that of the numbers.
const SIGN: u64 = 1 << 63;

impl Rows {
    fn push(&mut self, batch: &RecordBatch) -> std::io::Result<()> {
        let number = |column: &str| batch[column].as_primitive::<Int64Type>();
        let small = |column: &str| batch[column].as_primitive::<Int8Type>();
        let text = |column: &str| batch[column].as_string::<i32>();
        let (hashes, keys, plies) = (number("hash"), number("key"), number("ply"));
        let (colors, winners) = (small("color"), small("winner"));
        let (nexts, boards) = (text("next"), text("board"));
        let mut record = Vec::new();
        for row in 0..batch.num_rows() {
            record.clear();
            for number in [hashes.value(row), keys.value(row)] {
                record.extend_from_slice(&(number as u64 ^ SIGN).to_be_bytes());
            }
            record.extend_from_slice(&(plies.value(row) as u64).to_be_bytes());
            for numbers in [colors, winners] {
                record.push(if numbers.is_null(row) { NOTHING } else { numbers.value(row) as u8 });
            }
            let board = boards.value(row);
            let number = match self.numbers.get(board) {
                Some(number) => *number,
                None => {
                    self.boards.push(board.to_owned());
                    let number = self.numbers.len() as u32;
                    self.numbers.insert(board.to_owned(), number);
                    number
                }
            };
            record.extend_from_slice(&number.to_be_bytes());
            record.push(u8::from(nexts.is_valid(row)));
            record.extend_from_slice(nexts.value(row).as_bytes());
            self.sorter.push(&record)?;
        }
        Ok(())
    }

    /// Writes them in order.
    fn write(mut self, file: &mut WholeFile, games: String, run: String) -> anyhow::Result<()> {
        let table = Table::boards();
        let schema = Arc::clone(table.schema());
        let mut pairs = vec![KeyValue::new("games".to_owned(), games), KeyValue::new(RUN.to_owned(), run)];
        if self.boards.len() <= BOARDS {
            pairs.push(KeyValue::new("boards".to_owned(), self.boards.join("\n")));
        }
        let properties = properties(pairs);
        let mut writer = ArrowWriter::try_new(
            Summed::new(BufWriter::with_capacity(1 << 20, file)),
            Arc::clone(&schema),
            Some(properties),
        )?;
        let mut sorted = self.sorter.sorted()?;
        let mut record = Vec::new();
        loop {
            let mut numbers = [const { Vec::<i64>::new() }; 3];
            let (mut colors, mut winners) = (Int8Builder::new(), Int8Builder::new());
            let (mut nexts, mut boards) = (StringBuilder::new(), StringBuilder::new());
            while numbers[0].len() < PAGE && sorted.next(&mut record)? {
                let number = |at: usize| u64::from_be_bytes(record[at..at + 8].try_into().expect("eight bytes"));
                numbers[0].push((number(0) ^ SIGN) as i64);
                numbers[1].push((number(8) ^ SIGN) as i64);
                numbers[2].push(number(16) as i64);
                for (builder, at) in [(&mut colors, 24), (&mut winners, 25)] {
                    builder.append_option((record[at] != NOTHING).then_some(record[at] as i8));
                }
                let board = u32::from_be_bytes(record[26..30].try_into().expect("four bytes"));
                boards.append_value(&self.boards[board as usize]);
                nexts.append_option((record[30] == 1).then(|| String::from_utf8_lossy(&record[31..])));
            }
            if numbers[0].is_empty() {
                break;
            }
            let [hashes, keys, plies] = numbers.map(|numbers| {
                let mut builder = Int64Builder::with_capacity(numbers.len());
                builder.append_slice(&numbers);
                Arc::new(builder.finish()) as ArrayRef
            });
            let columns: Vec<ArrayRef> = vec![
                hashes,
                keys,
                plies,
                Arc::new(colors.finish()),
                Arc::new(nexts.finish()),
                Arc::new(winners.finish()),
                Arc::new(boards.finish()),
            ];
            writer.write(&RecordBatch::try_new(Arc::clone(&schema), columns)?)?;
        }
        writer.flush()?;
        writer.sync()?;
        writer.append_key_value_metadata(writer.inner().pair());
        writer.into_inner()?.into_inner().into_inner().map_err(std::io::IntoInnerError::into_error)?;
        Ok(())
    }
}

fn properties(pairs: Vec<KeyValue>) -> WriterProperties {
    let hash = ColumnPath::from("hash");
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).expect("a level that there is")))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_statistics_enabled(hash.clone(), EnabledStatistics::Page)
        .set_column_bloom_filter_enabled(hash.clone(), true)
        .set_column_bloom_filter_max_ndv(hash, GROUP as u64)
        .set_data_page_row_count_limit(PAGE)
        .set_write_batch_size(PAGE)
        .set_max_row_group_row_count(Some(GROUP))
        .set_sorting_columns(Some(vec![SortingColumn { column_idx: 0, descending: false, nulls_first: false }]))
        .set_created_by(WRITER.to_owned())
        .set_key_value_metadata(Some(pairs));
    for (column, encoding) in
        [("hash", Encoding::PLAIN), ("key", Encoding::PLAIN), ("ply", Encoding::DELTA_BINARY_PACKED)]
    {
        let path = ColumnPath::from(column);
        builder = builder.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path, encoding);
    }
    builder.build()
}
