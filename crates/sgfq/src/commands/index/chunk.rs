//! A column of a Parquet row group whose values are few different ones, as
//! indices into a dictionary. What the crate `parquet` does for each value,
//! this does for many at once: keys come in runs, small numbers are their own
//! indices, and texts of one or two bytes are looked up in an array. Values that
//! are too many or too large are written plain, and so is what is true or false.
//! The bytes depend on the rows
//! alone, and not on how they came together.

use std::collections::HashMap;

use anyhow::Context;
use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, StringArray};
use arrow_schema::{DataType, Field};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

/// How hard Zstandard tries to pack a page.
pub(super) const PAGE_LEVEL: i32 = 1;

/// How pages are packed.
pub(super) fn compression() -> parquet::errors::Result<Compression> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(PAGE_LEVEL)?))
}

/// Rows of a page.
const PAGE_ROWS: usize = 20_000;

/// Bytes of a page of plain values: it ends with the value that reaches them.
const PAGE_BYTES: usize = 256 << 10;

/// Bytes of the texts of a dictionary, with their lengths.
const DICTIONARY_BYTES: usize = 256 << 10;

/// Entries of a dictionary: an index has two bytes.
const ENTRIES: usize = 1 << 16;

/// A column of a row group that is being written.
pub(super) struct Chunk {
    descriptor: ColumnDescPtr,
    dictionary: Dictionary,
    /// The dictionary is full: values are written plain.
    is_plain: bool,
    /// Of the page: its rows, which of them have a value if some have none, and their values.
    rows: usize,
    valid: BooleanBufferBuilder,
    indices: Vec<u16>,
    plain: Vec<u8>,
    bits: BooleanBufferBuilder,
    /// The pages that are whole, their rows, and where they are.
    pages: TrackedWrite<Vec<u8>>,
    specs: Vec<(usize, PageWriteSpec)>,
    encodings: Vec<Encoding>,
    total_rows: usize,
    nulls: u64,
    /// The least and the greatest number, where they are asked for.
    bounds: Option<(i64, i64)>,
    has_bounds: bool,
}

/// The different values of a column.
enum Dictionary {
    /// Numbers that are the same in many rows one after another.
    Runs(Vec<i64>),
    /// The numbers up to the greatest, each at its own place.
    Small {
        greatest: u16,
    },
    Texts(Box<Texts>),
    /// What is true or false has none.
    None,
}

struct Texts {
    /// The entries as Parquet writes them, and how many they are.
    page: Vec<u8>,
    len: usize,
    /// One more than the index of each text of one byte, and of two.
    one: [u32; 1 << 8],
    two: Vec<u32>,
    others: HashMap<Box<str>, u16>,
}

impl Texts {
    fn new() -> Self {
        Self { page: Vec::new(), len: 0, one: [0; 1 << 8], two: vec![0; 1 << 16], others: HashMap::new() }
    }

    /// The index of a text; none if there is no space for it.
    #[inline]
    fn index(&mut self, text: &str) -> Option<u16> {
        let known = match *text.as_bytes() {
            [a] => self.one[usize::from(a)],
            [a, b] => self.two[usize::from(u16::from_le_bytes([a, b]))],
            _ => return self.index_of_other(text),
        };
        if known > 0 { Some((known - 1) as u16) } else { self.add(text) }
    }

    #[inline(never)]
    fn index_of_other(&mut self, text: &str) -> Option<u16> {
        self.others.get(text).copied().or_else(|| self.add(text))
    }

    #[cold]
    fn add(&mut self, text: &str) -> Option<u16> {
        if self.len == ENTRIES || self.page.len() + 4 + text.len() > DICTIONARY_BYTES {
            return None;
        }
        put_text(&mut self.page, text);
        let index = self.len as u16;
        self.len += 1;
        match *text.as_bytes() {
            [a] => self.one[usize::from(a)] = u32::from(index) + 1,
            [a, b] => self.two[usize::from(u16::from_le_bytes([a, b]))] = u32::from(index) + 1,
            _ => _ = self.others.insert(text.into(), index),
        }
        Some(index)
    }
}

impl Chunk {
    /// For a column of the table of moves; none for one that is not made for this.
    pub(super) fn of(field: &Field, descriptor: &ColumnDescPtr, has_bounds: bool) -> Option<Self> {
        let dictionary = match (field.name().as_str(), field.data_type()) {
            ("key", DataType::Int64) => Dictionary::Runs(Vec::new()),
            ("ply" | "step" | "x" | "y" | "captures", DataType::Int64) => Dictionary::Small { greatest: 0 },
            ("kind" | "color" | "move", DataType::Utf8) => Dictionary::Texts(Box::new(Texts::new())),
            ("is_pass" | "is_legal", DataType::Boolean) => Dictionary::None,
            _ => return None,
        };
        Some(Self {
            descriptor: descriptor.clone(),
            is_plain: matches!(dictionary, Dictionary::None),
            dictionary,
            rows: 0,
            valid: BooleanBufferBuilder::new(0),
            indices: Vec::new(),
            plain: Vec::new(),
            bits: BooleanBufferBuilder::new(0),
            pages: TrackedWrite::new(Vec::new()),
            specs: Vec::new(),
            encodings: vec![Encoding::PLAIN, Encoding::RLE],
            total_rows: 0,
            nulls: 0,
            bounds: None,
            has_bounds,
        })
    }

    /// Adds the values of more rows.
    pub(super) fn write(&mut self, column: &ArrayRef, compressor: &mut Compressor<'_>) -> anyhow::Result<()> {
        let mut at = 0;
        while at < column.len() {
            let len = (PAGE_ROWS - self.rows).min(column.len() - at);
            at += self.add(&column.slice(at, len), compressor)?;
            if self.rows == PAGE_ROWS || self.plain.len() >= PAGE_BYTES {
                self.end_page(compressor)?;
            }
        }
        Ok(())
    }

    /// Adds rows to the page, at least one. Says how many.
    fn add(&mut self, column: &ArrayRef, compressor: &mut Compressor<'_>) -> anyhow::Result<usize> {
        if let Some(column) = column.as_boolean_opt() {
            self.add_bits(column);
            self.add_levels(column, 0, column.len());
            return Ok(column.len());
        }
        // The first row that has not been added.
        let mut from = 0;
        if !self.is_plain {
            from = match column.data_type() {
                DataType::Int64 => self.index_numbers(column.as_primitive::<Int64Type>()),
                _ => self.index_texts(column.as_string::<i32>()),
            };
            self.add_levels(column, 0, from);
            if from == column.len() {
                return Ok(from);
            }
            if self.rows > 0 {
                self.end_page(compressor)?;
            }
            self.is_plain = true;
        }
        let mut at = from;
        while at < column.len() && self.plain.len() < PAGE_BYTES {
            if column.is_valid(at) {
                match column.data_type() {
                    DataType::Int64 => {
                        let number = column.as_primitive::<Int64Type>().value(at);
                        self.plain.extend_from_slice(&number.to_le_bytes());
                        self.see(number);
                    }
                    _ => put_text(&mut self.plain, column.as_string::<i32>().value(at)),
                }
            }
            at += 1;
        }
        self.add_levels(column, from, at);
        Ok(at)
    }

    /// Which of the rows have a value.
    fn add_levels(&mut self, column: &dyn Array, from: usize, to: usize) {
        let len = to - from;
        let nulls = column.nulls().map(|nulls| nulls.slice(from, len)).filter(|nulls| nulls.null_count() > 0);
        if let Some(nulls) = &nulls {
            self.nulls += nulls.null_count() as u64;
            // Those before had one each.
            self.valid.append_n(self.rows - self.valid.len(), true);
            self.valid.append_buffer(nulls.inner());
        } else if !self.valid.is_empty() {
            self.valid.append_n(len, true);
        }
        self.rows += len;
    }

    fn add_bits(&mut self, column: &BooleanArray) {
        if column.null_count() == 0 {
            self.bits.append_buffer(column.values());
        } else {
            column.iter().flatten().for_each(|bit| self.bits.append(bit));
        }
        let (set, all) = (column.true_count(), column.len() - column.null_count());
        if set < all {
            self.see(0);
        }
        if set > 0 {
            self.see(1);
        }
    }

    /// Keeps the least and the greatest number.
    fn see(&mut self, number: i64) {
        if self.has_bounds {
            let (least, greatest) = self.bounds.unwrap_or((number, number));
            self.bounds = Some((least.min(number), greatest.max(number)));
        }
    }

    /// Adds the indices of these numbers. Says how many rows these are: fewer if one has no place in the dictionary.
    fn index_numbers(&mut self, column: &Int64Array) -> usize {
        match &mut self.dictionary {
            Dictionary::Runs(entries) => {
                let values = column.values();
                // No key is missing.
                let end = column
                    .nulls()
                    .map_or(values.len(), |nulls| (0..values.len()).take_while(|&row| nulls.is_valid(row)).count());
                let mut at = 0;
                while at < end {
                    let number = values[at];
                    if entries.last() != Some(&number) {
                        if entries.len() == ENTRIES {
                            return at;
                        }
                        entries.push(number);
                        let (least, greatest) = self.bounds.unwrap_or((number, number));
                        self.bounds = Some((least.min(number), greatest.max(number)));
                    }
                    let run = values[at..end].iter().take_while(|&&other| other == number).count();
                    self.indices.resize(self.indices.len() + run, (entries.len() - 1) as u16);
                    at += run;
                }
                at
            }
            Dictionary::Small { greatest } => {
                let before = self.indices.len();
                let mut all = 0;
                if column.null_count() == 0 {
                    all = column.values().iter().fold(0, |all, number| all | number);
                    self.indices.extend(column.values().iter().map(|&number| number as u16));
                } else {
                    self.indices.extend(column.iter().flatten().map(|number| {
                        all |= number;
                        number as u16
                    }));
                }
                let is_small = |number: i64| (0..ENTRIES as i64).contains(&number);
                if !is_small(all) {
                    self.indices.truncate(before);
                    let large = column.iter().position(|number| number.is_some_and(|number| !is_small(number)));
                    return self.index_numbers(&column.slice(0, large.unwrap_or(0)));
                }
                let new = &self.indices[before..];
                let largest = new.iter().fold(0, |largest, &index| largest.max(index));
                *greatest = largest.max(*greatest);
                if self.has_bounds && !new.is_empty() {
                    let least = new.iter().fold(u16::MAX, |least, &index| least.min(index));
                    self.see(i64::from(least));
                    self.see(i64::from(largest));
                }
                column.len()
            }
            Dictionary::Texts(_) | Dictionary::None => unreachable!("a column of numbers"),
        }
    }

    /// Likewise, of texts.
    fn index_texts(&mut self, column: &StringArray) -> usize {
        let Dictionary::Texts(texts) = &mut self.dictionary else { unreachable!("a column of texts") };
        let before = self.indices.len();
        if let Some(text) = same_text(column) {
            let Some(index) = texts.index(text) else { return 0 };
            self.indices.resize(before + column.len(), index);
            return column.len();
        }
        self.indices.reserve(column.len());
        for row in 0..column.len() {
            if column.is_valid(row) {
                let Some(index) = texts.index(column.value(row)) else { return row };
                self.indices.push(index);
            }
        }
        column.len()
    }

    /// Writes the rows that wait as a page.
    fn end_page(&mut self, compressor: &mut Compressor<'_>) -> anyhow::Result<()> {
        let mut page = Vec::with_capacity(64 + self.rows / 4 + self.plain.len() + 2 * self.indices.len());
        if self.descriptor.max_def_level() > 0 {
            put_levels(&mut page, self.rows, self.valid.as_slice());
        }
        let encoding = if self.is_plain { Encoding::PLAIN } else { Encoding::RLE_DICTIONARY };
        match self.is_plain {
            true => page.extend_from_slice(if self.plain.is_empty() { self.bits.as_slice() } else { &self.plain }),
            false => put_indices(&mut page, &self.indices),
        }
        self.total_rows += self.rows;
        let spec = write_page(&mut self.pages, compressor, &page, |buf| Page::DataPage {
            buf,
            num_values: self.rows as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        })?;
        self.specs.push((self.rows, spec));
        if !self.encodings.contains(&encoding) {
            self.encodings.push(encoding);
        }
        self.rows = 0;
        self.valid.truncate(0);
        self.bits.truncate(0);
        self.indices.clear();
        self.plain.clear();
        Ok(())
    }

    /// The bytes of the column, and what a row group says of them.
    pub(super) fn close(mut self, compressor: &mut Compressor<'_>) -> anyhow::Result<(Bytes, ColumnCloseResult)> {
        if self.rows > 0 {
            self.end_page(compressor)?;
        }
        let mut bytes = Vec::new();
        let mut uncompressed: usize = self.specs.iter().map(|(_, spec)| spec.uncompressed_size).sum();
        let has_dictionary = self.encodings.contains(&Encoding::RLE_DICTIONARY);
        if has_dictionary {
            let (entries, len) = self.dictionary.entries();
            let mut out = TrackedWrite::new(Vec::new());
            let spec = write_page(&mut out, compressor, &entries, |buf| Page::DictionaryPage {
                buf,
                num_values: len as u32,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            })?;
            uncompressed += spec.uncompressed_size;
            bytes = out.into_inner()?;
        }
        let first = bytes.len() as i64;
        bytes.extend_from_slice(&self.pages.into_inner()?);
        let mut offsets = OffsetIndexBuilder::new();
        for (rows, spec) in &self.specs {
            offsets.append_row_count(*rows as i64);
            offsets.append_offset_and_size(first + spec.offset as i64, spec.compressed_size as i32);
        }
        let mut metadata = ColumnChunkMetaData::builder(self.descriptor)
            .set_compression(compression()?)
            .set_encodings(self.encodings)
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(uncompressed as i64)
            .set_num_values(self.total_rows as i64)
            .set_data_page_offset(first)
            .set_dictionary_page_offset(has_dictionary.then_some(0));
        if self.has_bounds {
            let ((least, greatest), nulls) = (self.bounds.unzip(), Some(self.nulls));
            metadata = metadata.set_statistics(match self.dictionary {
                Dictionary::None => {
                    let [least, greatest] = [least, greatest].map(|bound| bound.map(|bound| bound > 0));
                    Statistics::new(least, greatest, None, nulls, false)
                }
                _ => Statistics::new(least, greatest, None, nulls, false),
            });
        }
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: self.total_rows as u64,
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(offsets.build()),
        };
        Ok((bytes.into(), close))
    }
}

impl Dictionary {
    /// The entries as a page has them, and how many they are.
    fn entries(&self) -> (Vec<u8>, usize) {
        match self {
            Self::Runs(entries) => (entries.iter().flat_map(|entry| entry.to_le_bytes()).collect(), entries.len()),
            Self::Small { greatest } => {
                ((0..=i64::from(*greatest)).flat_map(i64::to_le_bytes).collect(), usize::from(*greatest) + 1)
            }
            Self::Texts(texts) => (texts.page.clone(), texts.len),
            Self::None => (Vec::new(), 0),
        }
    }
}

/// The text that is in every row, if there is one.
fn same_text(column: &StringArray) -> Option<&str> {
    if column.is_empty() || column.null_count() > 0 {
        return None;
    }
    let offsets = column.value_offsets();
    let len = offsets[1] - offsets[0];
    let (from, to) = (offsets[0] as usize, offsets[column.len()] as usize);
    let texts = &column.value_data()[from..to];
    let shift = len as usize;
    let is_same = texts.len() == shift * column.len()
        && texts[shift..] == texts[..texts.len() - shift]
        && offsets.windows(2).all(|pair| pair[1] - pair[0] == len);
    is_same.then(|| column.value(0))
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// A number of seven bits a byte, the lowest first.
fn put_varint(out: &mut Vec<u8>, mut number: usize) {
    while number > 0x7F {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Definition levels: whether each row has a value, as bits; `valid` is empty if each has.
fn put_levels(out: &mut Vec<u8>, rows: usize, valid: &[u8]) {
    let mut levels = Vec::new();
    if valid.is_empty() {
        put_varint(&mut levels, rows << 1);
        levels.push(1);
    } else {
        put_varint(&mut levels, valid.len() << 1 | 1);
        levels.extend_from_slice(valid);
    }
    out.extend_from_slice(&(levels.len() as u32).to_le_bytes());
    out.extend_from_slice(&levels);
}

/// Indices of a page: one run if they are the same, else one or two whole bytes each. Fewer bits would be more work here
/// and more bytes in the end, since Zstandard then finds no repetitions.
fn put_indices(out: &mut Vec<u8>, indices: &[u16]) {
    let Some(&first) = indices.first() else { return out.push(0) };
    let (differing, all) =
        indices.iter().fold((0, 0), |(differing, all), &index| (differing | index ^ first, all | index));
    let width = if all < 1 << 8 { 1 } else { 2 };
    out.push(8 * width);
    if differing == 0 {
        put_varint(out, indices.len() << 1);
        out.extend_from_slice(&first.to_le_bytes()[..usize::from(width)]);
        return;
    }
    let groups = indices.len().div_ceil(8);
    put_varint(out, groups << 1 | 1);
    let end = out.len() + groups * 8 * usize::from(width);
    match width {
        1 => out.extend(indices.iter().map(|&index| index as u8)),
        _ => {
            let start = out.len();
            out.resize(end, 0);
            let places = out[start..].chunks_exact_mut(2);
            places.zip(indices).for_each(|(place, index)| place.copy_from_slice(&index.to_le_bytes()));
        }
    }
    out.resize(end, 0);
}

/// Packs the bytes of a page, and writes the page that `page` makes of them.
fn write_page(
    out: &mut TrackedWrite<Vec<u8>>,
    compressor: &mut Compressor<'_>,
    bytes: &[u8],
    page: impl FnOnce(Bytes) -> Page,
) -> anyhow::Result<PageWriteSpec> {
    let packed = compressor.compress(bytes).context("compressing a page")?;
    let page = CompressedPage::new(page(packed.into()), bytes.len());
    let spec = SerializedPageWriter::new(out).write_page(page)?;
    Ok(spec)
}
