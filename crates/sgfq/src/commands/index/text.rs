//! Rows as lines of CSV, TSV or JSON.

use std::io::{self, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};
use serde_json::Value;

/// Names of the columns.
pub(super) fn write_csv_head(out: &mut impl Write, schema: &Schema, delimiter: u8) -> io::Result<()> {
    let mut line = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
    line.write_record(schema.fields().iter().map(|field| field.name()))?;
    line.flush()
}

/// The rows, with cells between delimiters.
pub(super) fn write_csv(out: &mut impl Write, rows: &RecordBatch, delimiter: u8) -> io::Result<()> {
    let mut lines = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
    for row in 0..rows.num_rows() {
        for column in rows.columns() {
            match cell(column, row) {
                Value::Null => lines.write_field("")?,
                Value::String(text) => lines.write_field(text)?,
                other => lines.write_field(other.to_string())?,
            }
        }
        lines.write_record(None::<&[u8]>)?;
    }
    lines.flush()
}

/// The rows. What is not known is left out.
pub(super) fn write_jsonl(out: &mut impl Write, rows: &RecordBatch) -> io::Result<()> {
    let schema = rows.schema();
    for row in 0..rows.num_rows() {
        let cells = schema.fields().iter().zip(rows.columns());
        let cells = cells.map(|(field, column)| (field.name().clone(), cell(column, row)));
        let object: serde_json::Map<_, _> = cells.filter(|(_, value)| !value.is_null()).collect();
        serde_json::to_writer(&mut *out, &object)?;
        out.write_all(b"\n")?;
    }
    Ok(())
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
