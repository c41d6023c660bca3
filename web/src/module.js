// Loads the WebAssembly module, passes bytes to it and reads its results. This code runs in browsers, Node and Deno.

const encoder = new TextEncoder();
// The decoder keeps a byte order mark. The module never returns invalid UTF-8.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Slots, in words, of the table in the module's memory: see `wasm/src/border.rs`. */
const WORDS = 0;
const WORDS_LEN = 1;
const TEXT = 2;
const TEXT_LEN = 3;
const BASE_LOW = 4;
const BASE_HIGH = 5;
const NAMES = 6;
const CHARSETS = 7;

const NONE = new Uint8Array(0);

/** Numbers that the module returns as results. */
export const Question = { codes: 0, check: 1, fix: 2, charset: 3, board: 4, encode: 5, scannable: 6, complete: 7 };

/** An error with a stable code, by which programs tell errors apart. */
export class SgfError extends Error {
  name = 'SgfError';

  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }
}

/** A `TypeError` with a code, for arguments of a wrong type. */
export function typeError(code, message) {
  return Object.assign(new TypeError(message), { code });
}

/** A running instance of the module. */
class Instance {
  constructor(module) {
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.head = this.exports.head() >>> 2;
    this.bytes = new Uint8Array(0);
    this.words = new Uint32Array(0);
    /** Identifiers by their numbers, without lowercase letters and as written. */
    this.names = [];
    this.written = [];
    this.renew();
  }

  /** Makes new views of the memory if it has grown. */
  renew() {
    const { buffer } = this.exports.memory;
    if (this.words.buffer !== buffer) {
      this.bytes = new Uint8Array(buffer);
      this.words = new Uint32Array(buffer);
    }
  }

  /** Copies bytes to the input buffer of the module. */
  put(bytes) {
    const at = this.exports.reserve(bytes.length) >>> 0;
    this.renew();
    this.bytes.set(bytes, at);
  }

  /** Stores the names that first occur in the last batch. It restores the slots of the batch, which a result overwrites. */
  learn(count) {
    const slots = this.words.slice(this.head, this.head + CHARSETS + 1);
    while (this.names.length < count) {
      this.exports.name(this.names.length);
      this.renew();
      const [name, written] = this.text().split(' ');
      this.names.push(name);
      this.written.push(written);
    }
    this.words.set(slots, this.head);
  }

  slot(slot) {
    return this.words[this.head + slot];
  }

  /** The text of the last result. */
  text() {
    const at = this.slot(TEXT);
    const len = this.slot(TEXT_LEN);
    return len === 0 ? '' : decoder.decode(this.bytes.subarray(at, at + len));
  }
}

let compiled = null;
let running = null;

/** The running instance. After a failure, a new instance replaces it. */
function instance() {
  if (running === null) {
    if (compiled === null) {
      throw new SgfError('not-loaded', 'the module is not loaded; first await init() from "sgfstream/init"');
    }
    running = new Instance(compiled);
  }
  return running;
}

/** An instance with more memory than this is not used again, since its memory never shrinks. */
const LARGE = 1 << 28;

function leave(of) {
  if (of.bytes.length > LARGE && running === of) running = null;
}

/** Calls the module. A call fails only if memory is exhausted; then this instance is not used again. */
function guarded(of, call) {
  try {
    return call();
  } catch (cause) {
    if (!(cause instanceof WebAssembly.RuntimeError) && !(cause instanceof RangeError)) throw cause;
    if (running === of) running = null;
    throw new SgfError('out-of-memory', `not enough memory for this input (${cause.message})`, { cause });
  }
}

/** Instantiates a compiled module. */
export function use(module) {
  running = new Instance(module);
  compiled = module;
}

/** True if a module is loaded. `core.wasm` replaces no loaded module, since that may be `full.wasm`. */
export function isLoaded() {
  return compiled !== null;
}

/** Loads a module from its URL, a response or its bytes. */
export async function load(source) {
  use(await compiledOf(source));
}

/** Like `load`, but keeps another module that was loaded meanwhile. */
export async function loadFirst(source) {
  if (isLoaded()) return;
  const module = await compiledOf(source);
  if (!isLoaded()) use(module);
}

async function compiledOf(source) {
  source = await source;
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) source = await fetch(source);
  if (typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw new SgfError('not-loaded', `no module at ${source.url}: status ${source.status}`);
    // Compile the bytes and not the stream, since some servers do not send the type `application/wasm`.
    source = await source.arrayBuffer();
  }
  return WebAssembly.compile(source);
}

/** Arguments as the lines that the module reads. */
function lines(args) {
  let text = '';
  for (const name in args) {
    const value = args[name];
    if (value !== undefined && value !== null && value !== false) text += `${name}=${String(value).replace(/[\r\n]+/g, ' ')}\n`;
  }
  return text;
}

/** The bytes of an input in memory. A string becomes UTF-8. */
export function bytesOf(input) {
  if (typeof input === 'string') return encoder.encode(input);
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer || Object.prototype.toString.call(input) === '[object SharedArrayBuffer]') {
    return new Uint8Array(input);
  }
  throw typeError('invalid-input', `expected bytes or a text, found ${input === null ? 'null' : typeof input}`);
}

/** The caller's options. Options of another type are an error. */
export function optionsOf(options = {}) {
  if (options !== null && typeof options === 'object') return options;
  throw typeError('invalid-option', `expected options in an object, found ${options === null ? 'null' : typeof options}`);
}

/** The charset option for an input: a string is read as UTF-8 and its `CA` is ignored. */
export function howOf(input, options) {
  const { charset, framing } = optionsOf(options);
  return { charset: typeof input === 'string' ? 'UTF-8' : charset, framing };
}

/** The error in a result of the module: its code, and a message on the next line. */
function errorOf(answer) {
  const [, code, message] = /^(.*)\n([^]*)$/.exec(answer);
  return new SgfError(code, message);
}

/** Calls a function of the module on bytes, and returns `{ json, bytes }`. */
export function ask(question, args, bytes) {
  const of = instance();
  return guarded(of, () => {
    const head = encoder.encode(lines(args));
    const at = of.exports.reserve(head.length + bytes.length) >>> 0;
    of.renew();
    of.bytes.set(head, at);
    of.bytes.set(bytes, at + head.length);
    const isError = of.exports.answer(question, head.length) !== 0;
    of.renew();
    const json = of.text();
    const from = of.slot(WORDS);
    const answer = { json, bytes: of.bytes.slice(from, from + of.slot(WORDS_LEN)) };
    of.exports.release();
    leave(of);
    if (isError) throw errorOf(json);
    return answer;
  });
}

let codes = null;

/** Description of each finding code, by its number. */
export function codeOf(number) {
  codes ??= JSON.parse(ask(Question.codes, {}, new Uint8Array(0)).json);
  return codes[number];
}

/** Results of `next` of a reader. */
export const Next = { batch: 0, chunk: 1, end: 2 };

/** A reader of chunks. `words`, `at`, `len` and `text` are its batch until the next call of the module. */
export class Reader {
  #of;
  #reader;
  #charsets = [];

  constructor(args) {
    this.#of = instance();
    guarded(this.#of, () => {
      const text = lines(args);
      this.#of.put(text === '' ? NONE : encoder.encode(text));
      this.#reader = this.#of.exports.open() >>> 0;
      this.#of.renew();
    });
    if (this.#reader === 0xffffffff) throw errorOf(this.#of.text());
    this.names = this.#of.names;
    this.written = this.#of.written;
    this.words = this.#of.words;
    this.at = 0;
    this.len = 0;
    this.text = '';
  }

  feed(chunk, isLast) {
    const of = this.#of;
    guarded(of, () => {
      of.put(chunk);
      of.exports.feed(this.#reader, isLast ? 1 : 0);
    });
  }

  next() {
    const of = this.#of;
    return guarded(of, () => {
      const next = of.exports.next(this.#reader);
      of.renew();
      const { head, words } = of;
      this.at = words[head + WORDS] >>> 2;
      this.len = words[head + WORDS_LEN];
      this.text = this.len === 0 ? '' : of.text();
      if (of.names.length < words[head + NAMES]) of.learn(words[head + NAMES]);
      this.words = of.words;
      return next;
    });
  }

  /** The offset to which positions in the batch are relative. Call it right after `next`. */
  base() {
    return this.#of.slot(BASE_LOW) + this.#of.slot(BASE_HIGH) * 2 ** 32;
  }

  /** The names of the charsets so far. Call it right after `next`. */
  charsets() {
    const of = this.#of;
    const count = of.slot(CHARSETS);
    while (this.#charsets.length < count) {
      of.exports.charset(this.#reader, this.#charsets.length);
      of.renew();
      this.#charsets.push(of.text());
    }
    this.words = of.words;
    return this.#charsets;
  }

  close() {
    this.#of.exports.close(this.#reader);
    leave(this.#of);
  }
}
