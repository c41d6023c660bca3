// Runs the WebAssembly module of the explorer, which reads files and answers requests. This code runs in browsers and in Node.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Kinds of a response: see `wasm/src/archive.rs`. */
const GAMES = 2;
const REFUSED = 3;
const FAILED = 4;
const END = 5;

/** An invalid request. Its message says how to correct it. */
export class Refused extends Error {}

/** The result of a read that failed, in place of the number of bytes. */
const UNREADABLE = 0xffffffff;

/** The games of an archive. The caller opens the files one after another and then sends requests. */
export class Engine {
  #exports;
  #head;
  #volumes = [];
  #heard;
  #send = () => {};

  /** `module` is a compiled WebAssembly module. */
  constructor(module) {
    const read = (volume, at, len) => this.#read(volume >>> 0, at, len >>> 0);
    const send = (at, len) => this.#send(new Uint8Array(this.#exports.memory.buffer, at >>> 0, len >>> 0).slice());
    this.#exports = new WebAssembly.Instance(module, { page: { read, send } }).exports;
    this.#head = this.#exports.head();
  }

  #put(bytes) {
    const at = this.#exports.reserve(bytes.length) >>> 0;
    new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
  }

  /** Gives the module the bytes that it asks for while it reads a file. It must not throw, since the module could not continue. */
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

  /** Reads the games of a file. `volumes` are its parts in order; each has a `size`, and `read(at, len)` returns its bytes. `isNamed`: reads the file
      even if no game record has such a name. Calls `heard` for progress. Returns the number of skipped members that are not game records. */
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

  /** The number of games so far. */
  games() {
    return new Uint32Array(this.#exports.memory.buffer, this.#head, 3)[2];
  }

  /** Gives the games that `open` reads to `send` in batches, instead of indexing them. */
  split(send) {
    this.#send = send;
    this.#exports.split();
  }

  /** Indexes a batch of games that another engine has read. */
  append(batch) {
    this.#put(batch);
    this.#answer(this.#exports.append());
  }

  /** Ends the reading of inputs with these names. Returns the number of games, and messages about unreadable parts. `isPartial`: another engine lost some. */
  finish(inputs, isPartial = false) {
    this.#put(encoder.encode(inputs.map((name) => `${name}\0`).join('')));
    return JSON.parse(decoder.decode(this.#answer(this.#exports.finish(Number(isPartial)))));
  }

  /** Answers a request. Returns the parts of the response as bytes. */
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
