//! Joins the columns of batches. Tables have five types of columns, so few kernels are needed.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, RecordBatch, StringArray,
    new_null_array,
};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::DataType;

/// Returns the rows of all batches in a column. `batches` has at least one batch.
pub(super) fn join(batches: &[RecordBatch], column: usize) -> ArrayRef {
    let arrays: Vec<&dyn Array> = batches
        .iter()
        .map(|batch| &**batch.column(column))
        .collect();
    if arrays.len() == 1 {
        return Arc::clone(batches[0].column(column));
    }
    // Most columns are empty in most games.
    if arrays.iter().all(|array| array.null_count() == array.len()) {
        return new_null_array(arrays[0].data_type(), len(&arrays));
    }
    match arrays[0].data_type() {
        DataType::Utf8 => Arc::new(texts(&arrays)),
        DataType::Int64 => Arc::new(numbers::<Int64Type>(&arrays)),
        DataType::Float64 => Arc::new(numbers::<Float64Type>(&arrays)),
        DataType::Date32 => Arc::new(numbers::<Date32Type>(&arrays)),
        DataType::Boolean => Arc::new(booleans(&arrays)),
        other => unreachable!("no table has a column of {other}"),
    }
}

fn len(arrays: &[&dyn Array]) -> usize {
    arrays.iter().map(|array| array.len()).sum()
}

fn valid(arrays: &[&dyn Array]) -> Option<NullBuffer> {
    let mut valid = NullBufferBuilder::new(len(arrays));
    for array in arrays {
        match array.nulls() {
            Some(nulls) => valid.append_buffer(nulls),
            None => valid.append_n_non_nulls(array.len()),
        }
    }
    valid.finish()
}

fn numbers<T: ArrowPrimitiveType>(arrays: &[&dyn Array]) -> PrimitiveArray<T> {
    let mut numbers = Vec::with_capacity(len(arrays));
    for array in arrays {
        numbers.extend_from_slice(array.as_primitive::<T>().values());
    }
    PrimitiveArray::new(numbers.into(), valid(arrays))
}

fn booleans(arrays: &[&dyn Array]) -> BooleanArray {
    let mut bits = BooleanBufferBuilder::new(len(arrays));
    for array in arrays {
        bits.append_buffer(array.as_boolean().values());
    }
    BooleanArray::new(bits.finish(), valid(arrays))
}

fn texts(arrays: &[&dyn Array]) -> StringArray {
    let mut ends = Vec::with_capacity(len(arrays) + 1);
    ends.push(0);
    let mut bytes = Vec::new();
    for array in arrays {
        let texts = array.as_string::<i32>();
        let offsets = texts.value_offsets();
        let (start, end) = (offsets[0], offsets[texts.len()]);
        let moved = bytes.len() as i32 - start;
        ends.extend(offsets[1..].iter().map(|end| end + moved));
        bytes.extend_from_slice(&texts.value_data()[start as usize..end as usize]);
    }
    StringArray::new(OffsetBuffer::new(ends.into()), bytes.into(), valid(arrays))
}
