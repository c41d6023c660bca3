//! The functions that JavaScript calls. Arguments and results are numbers. Bytes go in by the buffer that [`reserve`] makes, and are found by the
//! addresses in the table of [`head`].

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::answers::{self, Answer, Args, Refusal};
use crate::events::{Batches, Next};
use crate::words::Wanted;

/// Addresses and lengths of the last answer.
#[derive(Clone, Copy)]
enum Slot {
    /// Words and text of a batch, or JSON as the text and bytes as the words of another answer; lengths in bytes, of words in words.
    Words,
    WordsLen,
    Text,
    TextLen,
    /// The byte that places of the batch count from.
    BaseLow,
    BaseHigh,
    /// How many names and charsets there are.
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

/// Keeps an answer until the next one. The result is 1 for an error: its code and its message are two lines in place of
/// the JSON.
fn keep(result: Result<Answer, Refusal>) -> u32 {
    let is_error = result.is_err();
    let answer = result
        .unwrap_or_else(|Refusal { code, message }| Answer { json: format!("{code}\n{message}"), ..Answer::default() });
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer;
        set_text(&kept.json);
        set(Slot::Words, kept.bytes.as_ptr() as usize);
        set(Slot::WordsLen, kept.bytes.len());
    });
    u32::from(is_error)
}

/// The address of the table, which never changes.
#[unsafe(no_mangle)]
pub extern "C" fn head() -> *const AtomicU32 {
    HEAD.as_ptr()
}

/// The address of so many bytes, to be written before the next call.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; len];
        input.as_mut_ptr()
    })
}

/// Gives back the memory of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn release() {
    ANSWER.with_borrow_mut(|kept| *kept = Answer::default());
}

/// Answers question `which` about the buffer, which begins with arguments of `args` bytes.
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
        7 => answers::mend(&args, bytes),
        _ => {
            let message = "`core.wasm` lacks this function; import \"sgfstream/full\" to load `full.wasm`";
            Err(Refusal::new("wrong-module", message))
        }
    })
}

/// Opens a reader with the arguments in the buffer; its number is the result, or `u32::MAX` for an error.
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
    let wanted = Wanted { raw: args.is_set("raw"), places: args.is_set("places") };
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

/// Goes on to the next batch of a reader: 0, one more may follow; 1, the next chunk is needed; 2, it was the last.
#[unsafe(no_mangle)]
pub extern "C" fn next(reader: u32) -> u32 {
    let next = with_reader(reader, |batches| {
        let next = batches.next();
        let words = &batches.words;
        // What waits for the charset of its game is handed out later.
        let len = if words.is_settled() { words.words.len() } else { 0 };
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

/// Writes a name: the identifier without lowercase letters, a blank, and as it is written.
#[unsafe(no_mangle)]
pub extern "C" fn name(number: u32) {
    keep(Ok(Answer { json: crate::names::name_of(number as usize), ..Answer::default() }));
}

/// Writes the name of a charset of a reader.
#[unsafe(no_mangle)]
pub extern "C" fn charset(reader: u32, number: u32) {
    let name = with_reader(reader, |batches| batches.words.charset_of(number as usize));
    keep(Ok(Answer { json: name.unwrap_or_default(), ..Answer::default() }));
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
