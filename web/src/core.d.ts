/** Options for reading bytes. A string is UTF-8, whatever its `CA` declares. */
export interface ReadOptions {
  /**
   * The charset of every game: a name such as `GBK`, `auto` (no guess), or `detect` (also an uncertain guess).
   * Default: `CA`, or a likely guess if the game has no `CA` or its texts do not fit it.
   */
  charset?: string;
  /** Decides where values end: `auto`, bytes (`value`) or whole characters (`whole`). Default: `auto` */
  framing?: 'auto' | 'value' | 'whole';
}

/** Progress of reading an input. */
export interface Progress {
  /** Number of bytes read so far. */
  bytes: number;
  /** Number of bytes of the whole input; `null` for a stream of unknown length. */
  total: number | null;
  /** Fraction from 0 to 1; `null` without a total. */
  progress: number | null;
}

/** Option for reporting progress. */
export interface ProgressOptions {
  /** Called after each MiB and at the end. If it throws, reading ends. */
  onProgress?: (progress: Progress) => void;
}

/**
 * Codes of errors.
 *
 * - `not-loaded`: no module was loaded, or it could not be fetched
 * - `wrong-module`: `core.wasm` does not have the function; import `sgfstream/full`
 * - `out-of-memory`: the input does not fit into the memory of a module
 * - `too-large`: a value of the input exceeds a limit of the reader
 * - `invalid-input`: an argument is neither bytes nor a string (a `TypeError`)
 * - `invalid-option`: an option has an unknown value
 * - `invalid-tree`: an argument is not a tree (a `TypeError`), or an identifier is invalid
 * - `unencodable`: the charset of the game cannot encode a character, or is unknown
 * - `no-game`, `no-node`, `no-board`: `board` has nothing to show
 */
export type ErrorCode =
  | 'not-loaded' | 'wrong-module' | 'out-of-memory' | 'too-large' | 'invalid-input' | 'invalid-option' | 'invalid-tree'
  | 'unencodable' | 'no-game' | 'no-node' | 'no-board';

/** Error of this package. A `TypeError` of this package also has a `code`. */
export class SgfError extends Error {
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown });
  readonly code: ErrorCode;
}

/** Input as bytes or a string. */
export type Input = string | ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** Stream of bytes, such as the body of `fetch`, a file or a decoder. */
export type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Blob;

/** Options of `events`. */
export interface EventOptions extends ReadOptions, ProgressOptions {
  /** Return values as written, one character per byte, instead of decoded texts. Default: `false` */
  raw?: boolean;
  /** Also return span, depth, game and charset of each event. Default: `false` */
  places?: boolean;
  /** Also return the bytes between events. Default: `false` */
  gaps?: boolean;
}

/** Place of an event; only with `places`. */
export interface Place {
  /** Offsets of its first byte and after its last byte; missing if the reader inserted the event. */
  span?: [start: number, end: number];
  /** Number of open variations: 1 in the main line of a game. */
  depth?: number;
  /** Number of its game, counted from 1; 0 before the first game. */
  game?: number;
  /** Charset of its game as known so far; `auto` if the bytes decide. */
  charset?: string;
}

/** Start or end of a node or variation. */
export interface Token extends Place {
  kind: 'variation_start' | 'node_start' | 'variation_end';
  /** Whether the reader inserted it because the file lacks it. */
  supplied: boolean;
}

/** Property with all its values. */
export interface Property extends Place {
  kind: 'property';
  /** Identifier without lowercase letters. */
  id: string;
  /** Identifier as written. */
  written: string;
  /** Decoded texts; with `raw`, the values as written, one character per byte. */
  values: string[];
}

/** Chunk of a property value, for properties longer than 1 MiB. */
export interface PropertyPart extends Place {
  kind: 'property_part';
  id: string;
  written: string;
  /** Number of the value, counted from 0. */
  value: number;
  /** Whether this is the first chunk of its value. */
  first: boolean;
  /** Whether this is the last chunk of its value. */
  last: boolean;
  content: string;
}

/** Problem that the reader reports. */
export interface Problem extends Place {
  kind: 'problem';
  code: string;
  severity: Severity;
  /** The number of SGFC's message. */
  sgfc: number | null;
  message: string;
}

/** Bytes between two events. */
export interface Gap extends Place {
  kind: 'gap';
  bytes: Uint8Array;
}

/** Event of the reader. */
export type Event = Token | Property | PropertyPart | Problem | Gap;
/** Severity of a problem or finding. */
export type Severity = 'note' | 'warning' | 'error';

/** Batch of events. Batches make iteration fast: one call per event would cost far more than reading. */
export class Batch implements Iterable<Event> {
  private constructor();
  [Symbol.iterator](): IterableIterator<Event>;
  /** Events as numbers, for fast counting. `web/wasm/src/words.rs` in the repository defines the format, which may change in each version. */
  readonly words: Uint32Array;
  /** Text that `words` refers to. */
  readonly text: string;
  /** Returns the identifier for a number in a word. */
  name(number: number): string;
}

/** Returns the events of bytes or of a stream. The events do not depend on how the stream is split. */
export function events(input: Input, options?: EventOptions): IterableIterator<Batch>;
export function events(input: Stream, options?: EventOptions): AsyncIterableIterator<Batch>;

/** Node with the fields of @sabaki/sgf. To write a new game, make such nodes and pass the root to `serialize`. */
export interface Node {
  /** Number of the node in the input, counted from 0. `serialize` ignores it in a new node. */
  id: number;
  /** Texts of the properties, by identifier without lowercase letters. */
  data: Record<string, string[]>;
  /** Number of the parent; `null` for a root. `serialize` ignores it in a new node. */
  parentId: number | null;
  children: Node[];
}

/** Returns the trees of an input: one root per game. */
export function parse(input: Input, options?: ReadOptions & ProgressOptions): Node[];

/** Options of `serialize`. */
export interface SerializeOptions {
  /** Trees that were copied to make these trees, in the same order. Unchanged nodes keep the bytes of their properties. */
  like?: Node[];
  /** Charset to write. Default: the charset of each game; for new games `CA`, or UTF-8. */
  charset?: string;
}

/**
 * Returns the bytes of trees. If you changed no tree, you get the input back with all its problems. After a
 * change, unchanged nodes keep the bytes of their properties, and `serialize` leaves out unparseable bytes inside games. Throws if the
 * charset of a game cannot encode a character or is unknown, or if an argument is not a tree.
 */
export function serialize(trees: Node | Node[], options?: SerializeOptions): Uint8Array;

/** Declared and detected charset of a game. */
export interface GameCharset {
  /** Number of the game, counted from 1. */
  game: number;
  /** `CA` as written; `null` if it is missing. */
  declared: string | null;
  /** Whether all texts are valid in the declared charset. */
  valid: 'yes' | 'no' | 'ascii' | '-';
  detected: string | null;
  confidence: 'low' | 'medium' | 'high' | null;
  /** The `framing` that reads the game without errors. */
  framing: 'value' | 'whole' | 'either' | 'neither';
}

/** Returns the charset of each game. */
export function charset(input: Input, options?: ReadOptions): GameCharset[];

/** Point as column and row, counted from 0 at the upper left corner; `[-1, -1]` for no point. */
export type Vertex = [x: number, y: number];

/** Returns the point that two letters name: `dp` is `[3, 15]`, `A` follows `z`. Returns `[-1, -1]` for all other texts, such as a pass. */
export function parseVertex(text: string): Vertex;

/** Returns the letters of a point; an empty string if it is not a point. */
export function stringifyVertex(vertex: readonly number[]): string;

/** Returns the points of a list value: one point, or all points of a rectangle (`aa:cb`), column by column. */
export function parseCompressedVertices(text: string): Vertex[];

/** Date: a day, a month or a year. */
export type SgfDate = [year: number] | [year: number, month: number] | [year: number, month: number, day: number];

/** Returns the dates of a `DT` value: `1996-12-27,28,1997-01-03` are three days. Returns `null` if the text is not a list of dates as FF[4] defines it. */
export function parseDates(text: string): SgfDate[] | null;

/** Returns the shortest `DT` value for dates in this order. */
export function stringifyDates(dates: readonly (readonly number[])[]): string;
