// The WebAssembly module of the explorer: files are read, questions are answered. Nothing here depends on where it runs.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Kinds of an answer: see `wasm/src/archive.rs`. */
const GAMES = 2;
const REFUSED = 3;
const FAILED = 4;
const END = 5;

/** A question that is not right: its message says how to put it right. */
export class Refused extends Error {}

/** In place of how many bytes there were, where they cannot be read. */
const UNREADABLE = 0xffffffff;

/** The games of an archive: files are opened one after another, then questions are answered. */
export class Engine {
  #exports;
  #head;
  #volumes = [];
  #heard;

  /** `module` is a compiled one. */
  constructor(module) {
    const read = (volume, at, len) => this.#read(volume >>> 0, at, len >>> 0);
    this.#exports = new WebAssembly.Instance(module, { page: { read } }).exports;
    this.#head = this.#exports.head();
  }

  #put(bytes) {
    const at = this.#exports.reserve(bytes.length) >>> 0;
    new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
  }

  /** Bytes that the module asks for while it reads a file. No error may leave this: the module could not go on. */
  #read(volume, at, len) {
    try {
      this.#heard();
      const bytes = this.#volumes[volume].read(at, len);
      this.#put(bytes);
      return bytes.length;
    } catch {
      return UNREADABLE;
    }
  }

  #answer(kind) {
    const { buffer } = this.#exports.memory;
    const [at, len] = new Uint32Array(buffer, this.#head, 2);
    const bytes = new Uint8Array(buffer, at, len).slice();
    if (kind === REFUSED) throw new Refused(decoder.decode(bytes));
    if (kind === FAILED) throw new Error(decoder.decode(bytes));
    return bytes;
  }

  /** Reads the games of a file, of which `volumes` are the parts in order: each has its `size`, and `read(at, len)` gives its bytes. `isNamed`: it
      is read whatever it looks like. `heard` is told while it is read. Returns how many members were skipped, since they are no records. */
  open(name, volumes, isNamed, heard = () => {}) {
    this.#volumes = volumes;
    this.#heard = heard;
    const title = encoder.encode(name);
    const bytes = new Uint8Array(volumes.length * 8 + title.length);
    volumes.forEach(({ size }, at) => new DataView(bytes.buffer).setBigUint64(at * 8, BigInt(size), true));
    bytes.set(title, volumes.length * 8);
    this.#put(bytes);
    try {
      return JSON.parse(decoder.decode(this.#answer(this.#exports.open(volumes.length, Number(isNamed))))).passed;
    } finally {
      this.#volumes = [];
    }
  }

  /** How many games came so far. */
  games() {
    return new Uint32Array(this.#exports.memory.buffer, this.#head, 3)[2];
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
