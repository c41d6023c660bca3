// The WebAssembly module of the explorer: entries go in, answers come out. Nothing here depends on where it runs.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Kinds of an answer: see `wasm/src/archive.rs`. */
const GAMES = 2;
const REFUSED = 3;
const FAILED = 4;
const END = 5;

/** A question that is not right: its message says how to put it right. */
export class Refused extends Error {}

/** The games of an archive: entries are given one after another, then questions are answered. */
export class Engine {
  #exports;
  #head;

  /** `module` is a compiled one. */
  constructor(module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports;
    this.#head = this.#exports.head();
  }

  #put(bytes) {
    const at = this.#exports.reserve(bytes.length) >>> 0;
    new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
  }

  #answer(kind) {
    const { buffer } = this.#exports.memory;
    const [at, len] = new Uint32Array(buffer, this.#head, 2);
    const bytes = new Uint8Array(buffer, at, len).slice();
    if (kind === REFUSED) throw new Refused(decoder.decode(bytes));
    if (kind === FAILED) throw new Error(decoder.decode(bytes));
    return bytes;
  }

  /** Begins an entry, `archive.zip!games.sgf`. */
  begin(name) {
    this.#put(encoder.encode(name));
    this.#exports.begin();
  }

  /** Adds bytes to the entry. */
  feed(bytes) {
    this.#put(bytes);
    this.#answer(this.#exports.feed());
  }

  /** Ends the entry. */
  end() {
    this.#answer(this.#exports.end());
  }

  /** Notes a loss of the entry. */
  fault(what) {
    this.#put(encoder.encode(what));
    this.#exports.fault();
  }

  /** How many games came so far. */
  games() {
    return this.#exports.games() >>> 0;
  }

  /** Ends the reading of inputs with these names: the number of games, and sentences about what was lost. */
  finish(inputs) {
    this.#put(encoder.encode(inputs.map((name) => `${name}\0`).join('')));
    return JSON.parse(decoder.decode(this.#answer(this.#exports.finish())));
  }

  /** Answers a question: its answer as bytes in parts. */
  ask(name, body) {
    const [head, rest] = [encoder.encode(name), encoder.encode(JSON.stringify(body ?? {}))];
    const bytes = new Uint8Array(head.length + rest.length);
    bytes.set(head);
    bytes.set(rest, head.length);
    this.#put(bytes);
    const kind = this.#exports.ask(head.length);
    const answer = this.#answer(kind);
    if (kind !== GAMES) return [answer];
    const parts = [];
    for (;;) {
      const next = this.#exports.part();
      const part = this.#answer(next);
      if (next === END) return parts;
      parts.push(part);
    }
  }
}
