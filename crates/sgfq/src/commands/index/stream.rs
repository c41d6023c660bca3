//! Tables that are written while the games are read: lines of text, and Arrow on stdout.

use std::io::Write;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::args::destination::{WholeFile, is_gzip};
use crate::io::output::Stdout;
use crate::report::csv::CsvCells;

use super::format::{Format, Lines, TableFile};
use super::table_out::TableOut;

/// Rows of a batch on stdout, at most: its reader waits for them, and they are in memory until it is written.
const STREAMED: u64 = 8192;

/// A table that is being written.
pub(super) enum Streamed {
    Arrow(Box<TableFile<Stdout>>),
    Lines(Lines, Target),
}

/// Output of lines.
pub(super) enum Target {
    Stdout(Stdout),
    File(WholeFile),
    Packed(Box<GzEncoder<WholeFile>>),
}

impl Streamed {
    /// A table that is written to its path, or to stdout where that is `-`.
    pub(super) fn new(out: &TableOut<Format>) -> anyhow::Result<Self> {
        let TableOut { path, table, .. } = out;
        let lines = match out.format {
            Format::Table(format) => {
                let out = TableOut { group_rows: out.group_rows.min(STREAMED), ..out.clone().with_format(format) };
                let file = TableFile::new(Stdout::new(), &out, 1)?;
                return Ok(Self::Arrow(Box::new(file)));
            }
            Format::Lines(lines) => lines,
        };
        let mut target = match path {
            path if path == Path::new("-") => Target::Stdout(Stdout::new()),
            path if is_gzip(path) => {
                Target::Packed(Box::new(GzEncoder::new(WholeFile::create(path)?, Compression::default())))
            }
            path => Target::File(WholeFile::create(path)?),
        };
        if let Some(csv) = lines.cells(table.schema().fields().len()) {
            let names = table.schema().fields().iter().map(|field| field.name().as_str());
            target.out().write_all(&line_of(&csv, names))?;
        }
        Ok(Self::Lines(lines, target))
    }

    pub(super) fn write(&mut self, rows: &RecordBatch) -> anyhow::Result<()> {
        let (lines, target) = match self {
            Self::Arrow(file) => return file.write(rows),
            Self::Lines(lines, target) => (lines, target),
        };
        let mut text = Vec::new();
        for row in 0..rows.num_rows() {
            match lines.cells(rows.num_columns()) {
                Some(csv) => {
                    let cells: Vec<String> = rows.columns().iter().map(|column| text_of(cell(column, row))).collect();
                    text.extend(line_of(&csv, cells.iter().map(String::as_str)));
                }
                None => {
                    let schema = rows.schema();
                    let cells = schema.fields().iter().zip(rows.columns());
                    let cells = cells.map(|(field, column)| (field.name().clone(), cell(column, row)));
                    // What is not known is left out.
                    let object: serde_json::Map<_, _> = cells.filter(|(_, value)| !value.is_null()).collect();
                    serde_json::to_writer(&mut text, &object)?;
                    text.push(b'\n');
                }
            }
        }
        Ok(target.out().write_all(&text)?)
    }

    /// Writes the rest; a file gets its name.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Arrow(file) => Ok(file.finish()?.1.flush()?),
            Self::Lines(_, Target::Stdout(mut out)) => Ok(out.flush()?),
            Self::Lines(_, Target::File(file)) => file.finish(),
            Self::Lines(_, Target::Packed(packed)) => packed.finish()?.finish(),
        }
    }
}

impl Target {
    fn out(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(out) => out,
            Self::File(file) => file,
            Self::Packed(packed) => packed,
        }
    }
}

impl Lines {
    /// How cells are written; none for JSON.
    fn cells(self, columns: usize) -> Option<CsvCells> {
        let separator = match self {
            Self::Csv => ',',
            Self::Tsv => '\t',
            Self::Jsonl => return None,
        };
        Some(CsvCells { is_terminal: false, separator, are_alone: columns == 1 })
    }
}

fn line_of<'c>(csv: &CsvCells, cells: impl Iterator<Item = &'c str>) -> Vec<u8> {
    let mut line = Vec::new();
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            line.push(csv.separator as u8);
        }
        csv.push(cell, &mut line);
    }
    line.push(b'\n');
    line
}

fn text_of(cell: Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn cell(column: &dyn Array, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into(),
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::Date32 => {
            let day = column.as_primitive::<Date32Type>().value_as_date(row);
            day.map_or(Value::Null, |day| day.to_string().into())
        }
        _ => Value::Null,
    }
}
