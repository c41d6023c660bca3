// Reads events in batches.

import { Next, Reader, bytesOf, codeOf, howOf, optionsOf } from './module.js';
import {
  GAP, MOVE, NODE_START, OTHER_COUNT, OTHER_NAME, PART, PROBLEM, PROPERTY, VARIATION_END, VARIATION_START, pair, shortValue,
} from './words.js';

/** Bytes that one call passes to the module. */
const CHUNK = 1 << 20;

const TOKENS = ['variation_start', 'node_start', 'variation_end'];
const PLAIN = TOKENS.map((kind) => Object.freeze({ kind, supplied: false }));
const SUPPLIED = TOKENS.map((kind) => Object.freeze({ kind, supplied: true }));

/** A batch of events. */
export class Batch {
  /** The words and the text that `wasm/src/words.rs` describes. */
  words;
  text;
  #names;
  #written;
  #places;

  constructor(reader, places) {
    this.text = reader.text;
    this.#places = places ? { base: reader.base(), charsets: reader.charsets() } : null;
    // Copy: the next call of the module may move its memory.
    this.words = reader.words.slice(reader.at, reader.at + reader.len);
    this.#names = reader.names;
    this.#written = reader.written;
  }

  /** The identifier that has this number, without lowercase letters. */
  name(number) {
    return this.#names[number];
  }

  [Symbol.iterator]() {
    return new Events(this.words, this.text, this.#names, this.#written, this.#places);
  }
}

/** The events of a batch. */
class Events {
  #words;
  #text;
  #names;
  #written;
  #places;
  #at = 0;
  /** The move in the word after the word of its node. */
  #move = null;

  constructor(words, text, names, written, places) {
    this.#words = words;
    this.#text = text;
    this.#names = names;
    this.#written = written;
    this.#places = places;
  }

  [Symbol.iterator]() {
    return this;
  }

  next() {
    if (this.#move !== null) {
      const value = this.#move;
      this.#move = null;
      return { done: false, value };
    }
    if (this.#at >= this.#words.length) return { done: true, value: undefined };
    const value = this.#event();
    return { done: false, value: this.#places === null ? value : this.#placed(value) };
  }

  #event() {
    const word = this.#words[this.#at++];
    switch (word & 7) {
      case MOVE: {
        const id = word & 8 ? 'W' : 'B';
        this.#move = { kind: 'property', id, written: id, values: [pair((word >>> 8) & 0x3fff)] };
        return PLAIN[NODE_START];
      }
      case PROPERTY: {
        const { id, written } = this.#name((word >>> 3) & 0xffff);
        let count = word >>> 19;
        if (count === OTHER_COUNT) count = this.#words[this.#at++];
        const values = [];
        for (; count > 0; count--) values.push(this.#value());
        return { kind: 'property', id, written, values };
      }
      case PROBLEM:
        return { kind: 'problem', ...codeOf(word >>> 3) };
      case PART: {
        const { id, written } = this.#name((word >>> 3) & 0xffff);
        const value = this.#words[this.#at++];
        const first = ((word >>> 19) & 1) === 1;
        const last = ((word >>> 20) & 1) === 1;
        return { kind: 'property_part', id, written, value, first, last, content: this.#value() };
      }
      case GAP:
        return { kind: 'gap', bytes: Uint8Array.from(this.#value(), (char) => char.charCodeAt(0)) };
      default:
        return (word & 8 ? SUPPLIED : PLAIN)[word & 7];
    }
  }

  #value() {
    const word = this.#words[this.#at++];
    if (word >>> 31 === 1) return shortValue(word);
    return this.#text.slice(word, word + this.#words[this.#at++]);
  }

  #name(number) {
    if (number !== OTHER_NAME) return { id: this.#names[number], written: this.#written[number] };
    return { id: this.#value(), written: this.#value() };
  }

  #placed(event) {
    const { base, charsets } = this.#places;
    const words = this.#words;
    const at = this.#at;
    this.#at += 5;
    // A problem may lie before the first byte of the batch that reports it.
    const span = [base + (words[at] | 0), base + (words[at + 1] | 0)];
    const how = words[at + 4];
    const place = { span, depth: words[at + 2], game: words[at + 3], charset: charsets[how & 0xffff], framing: how >>> 16 };
    return Object.assign(place, event);
  }
}

/** Reports the number of bytes read, and the total if it is known. */
export function report(onProgress, bytes, total) {
  onProgress?.({ bytes, total, progress: total === null ? null : total === 0 ? 1 : Math.min(bytes / total, 1) });
}

/** The batches of events that the bytes contain. */
export function* batchesOf(bytes, args, onProgress) {
  const reader = new Reader(args);
  try {
    let at = 0;
    let next;
    do {
      const end = Math.min(at + CHUNK, bytes.length);
      reader.feed(bytes.subarray(at, end), end === bytes.length);
      at = end;
      do {
        next = reader.next();
        if (reader.len > 0) yield reader;
      } while (next === Next.batch);
      report(onProgress, at, bytes.length);
    } while (next !== Next.end);
  } finally {
    reader.close();
  }
}

function argsOf(input, { raw, places, gaps, ...options }) {
  return { raw, places, gaps, ...howOf(input, options) };
}

function* syncEvents(input, options) {
  for (const reader of batchesOf(bytesOf(input), argsOf(input, options), options.onProgress)) yield new Batch(reader, options.places);
}

async function* asyncEvents(input, options) {
  const stream = typeof input.stream === 'function' ? input.stream() : input;
  const total = typeof input.size === 'number' ? input.size : null;
  const reader = new Reader(argsOf(input, options));
  let length = 0;
  try {
    for await (const chunk of chunksOf(stream)) {
      const bytes = bytesOf(chunk);
      for (let at = 0; at < bytes.length; at += CHUNK) {
        reader.feed(bytes.subarray(at, at + CHUNK), false);
        yield* taken(reader, options.places);
        length += Math.min(CHUNK, bytes.length - at);
        if (length < total || total === null) report(options.onProgress, length, total);
      }
    }
    reader.feed(new Uint8Array(0), true);
    yield* taken(reader, options.places);
    // At the end, the bytes read are the total.
    report(options.onProgress, length, length);
  } finally {
    reader.close();
  }
}

function* taken(reader, places) {
  let next;
  do {
    next = reader.next();
    if (reader.len > 0) yield new Batch(reader, places);
  } while (next === Next.batch);
}

/** The chunks of a stream, for browsers whose streams have no async iterator. */
async function* chunksOf(stream) {
  if (typeof stream[Symbol.asyncIterator] === 'function' || typeof stream[Symbol.iterator] === 'function') {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isOver = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isOver) await reader.cancel();
    reader.releaseLock();
  }
}

function isStream(input) {
  if (input === null || typeof input !== 'object') return false;
  const asks = [Symbol.asyncIterator, 'getReader', 'stream'];
  return asks.some((name) => typeof input[name] === 'function');
}

export function events(input, given) {
  const options = optionsOf(given);
  return isStream(input) ? asyncEvents(input, options) : syncEvents(input, options);
}
