//! Functions that JavaScript calls. They take and return numbers. JavaScript writes input bytes to
//! the buffer of [`reserve`], and finds results by the addresses in the table of [`head`].

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::answers::{self, Answer, Args, Refusal};
use crate::events::{Batches, Next};
use crate::words::EventParts;

/// Slots of the table with addresses and lengths of the last result.
#[derive(Clone, Copy)]
enum Slot {
    /// Words and text of a batch. For other results, JSON is the text and bytes are the words.
    /// Lengths are in bytes, except that words are counted in words.
    Words,
    WordsLen,
    Text,
    TextLen,
    /// Offset in the input that is subtracted from the places of the batch.
    BaseLow,
    BaseHigh,
    /// Number of names and of charsets.
    Names,
    Charsets,
}

const SLOTS: usize = 8;

static HEAD: [AtomicU32; SLOTS] = [const { AtomicU32::new(0) }; SLOTS];

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Answer> = const { RefCell::new(Answer { json: String::new(), bytes: Vec::new() }) };
    static READERS: RefCell<Vec<Option<Batches>>> = const { RefCell::new(Vec::new()) };
}

fn set(slot: Slot, number: usize) {
    HEAD[slot as usize].store(number as u32, Relaxed);
}

fn set_text(text: &str) {
    set(Slot::Text, text.as_ptr() as usize);
    set(Slot::TextLen, text.len());
}

/// Stores a result until the next call. Returns 1 for an error, whose code and message are two
/// lines in place of the JSON.
fn keep(result: Result<Answer, Refusal>) -> u32 {
    let is_error = result.is_err();
    let answer = result.unwrap_or_else(|Refusal { code, message }| Answer {
        json: format!("{code}\n{message}"),
        ..Answer::default()
    });
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer;
        set_text(&kept.json);
        set(Slot::Words, kept.bytes.as_ptr() as usize);
        set(Slot::WordsLen, kept.bytes.len());
    });
    u32::from(is_error)
}

/// Returns the address of the table, which never changes.
#[unsafe(no_mangle)]
pub extern "C" fn head() -> *const AtomicU32 {
    HEAD.as_ptr()
}

/// Returns the address of an input buffer of `len` bytes. JavaScript must write it before the next
/// call.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; len];
        input.as_mut_ptr()
    })
}

/// Frees the memory of the last result.
#[unsafe(no_mangle)]
pub extern "C" fn release() {
    ANSWER.with_borrow_mut(|kept| *kept = Answer::default());
}

/// Answers request `which` about the buffer, which begins with `args` bytes of arguments.
#[unsafe(no_mangle)]
pub extern "C" fn answer(which: u32, args: usize) -> u32 {
    let input = INPUT.take();
    let (args, bytes) = input.split_at(args.min(input.len()));
    let args = Args::parse(args);
    keep(match which {
        0 => Ok(answers::codes()),
        #[cfg(feature = "full")]
        1 => answers::check(&args, bytes),
        #[cfg(feature = "full")]
        2 => answers::fix(&args, bytes),
        3 => answers::charset(&args, bytes),
        #[cfg(feature = "full")]
        4 => answers::board(&args, bytes),
        5 => answers::encode(&args, bytes),
        6 => answers::scannable(&args, bytes),
        7 => answers::complete(&args, bytes),
        _ => {
            let message =
                "`core.wasm` lacks this function; import \"sgfstream/full\" to load `full.wasm`";
            Err(Refusal::new("wrong-module", message))
        }
    })
}

/// Opens a reader with the arguments in the buffer. Returns its number, or `u32::MAX` for an error.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    let input = INPUT.take();
    let args = Args::parse(&input);
    let options = match args.options() {
        Ok(options) => options.with_gaps(args.is_set("gaps")),
        Err(message) => {
            keep(Err(message.into()));
            return u32::MAX;
        }
    };
    let wanted = EventParts {
        raw: args.is_set("raw"),
        places: args.is_set("places"),
    };
    let reader = Batches::new(options, wanted);
    READERS.with_borrow_mut(|readers| {
        let at = readers.iter().position(Option::is_none).unwrap_or_else(|| {
            readers.push(None);
            readers.len() - 1
        });
        readers[at] = Some(reader);
        at as u32
    })
}

fn with_reader<T>(reader: u32, work: impl FnOnce(&mut Batches) -> T) -> Option<T> {
    READERS.with_borrow_mut(|readers| readers.get_mut(reader as usize)?.as_mut().map(work))
}

/// Adds the buffer to the input of a reader.
#[unsafe(no_mangle)]
pub extern "C" fn feed(reader: u32, is_last: u32) {
    with_reader(reader, |batches| batches.feed(INPUT.take(), is_last != 0));
}

/// Reads the next batch. Returns 0 if more batches may follow, 1 if the next chunk is needed, and 2
/// for the last batch.
#[unsafe(no_mangle)]
pub extern "C" fn next(reader: u32) -> u32 {
    let next = with_reader(reader, |batches| {
        let next = batches.next();
        let words = &batches.words;
        // Words that wait for the charset of their game are emitted later.
        let len = if words.is_settled() {
            words.words.len()
        } else {
            0
        };
        set(Slot::Words, words.words.as_ptr() as usize);
        set(Slot::WordsLen, len);
        set_text(&words.text);
        set(Slot::BaseLow, words.base as usize);
        set(Slot::BaseHigh, (words.base >> 32) as usize);
        set(Slot::Names, crate::names::count());
        set(Slot::Charsets, words.charsets.len());
        next
    });
    next.unwrap_or(Next::End) as u32
}

/// Stores a name: the identifier without lowercase letters, a space, and the identifier as written.
#[unsafe(no_mangle)]
pub extern "C" fn name(number: u32) {
    keep(Ok(Answer {
        json: crate::names::name_of(number as usize),
        ..Answer::default()
    }));
}

/// Stores the name of a charset of a reader.
#[unsafe(no_mangle)]
pub extern "C" fn charset(reader: u32, number: u32) {
    let name = with_reader(reader, |batches| batches.words.charset_of(number as usize));
    keep(Ok(Answer {
        json: name.unwrap_or_default(),
        ..Answer::default()
    }));
}

/// Closes a reader.
#[unsafe(no_mangle)]
pub extern "C" fn close(reader: u32) {
    READERS.with_borrow_mut(|readers| {
        if let Some(reader) = readers.get_mut(reader as usize) {
            *reader = None;
        }
    });
}
