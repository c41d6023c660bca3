/** How bytes are read. A text is UTF-8, whatever its `CA` says. */
export interface ReadOptions {
  /**
   * The charset of every game: a name such as `GBK`; `auto`, so that `CA` alone decides; `detect`, so that any guess is taken.
   * Usual: `CA`, and where a game has none, a guess that is likely.
   */
  charset?: string;
  /** Where values end: `auto`, by bytes (`value`), or by whole characters (`whole`). */
  framing?: 'auto' | 'value' | 'whole';
}

/** How far a reading has come. */
export interface Progress {
  /** Bytes that were read. */
  bytes: number;
  /** Bytes of the whole input; `null` for a stream that does not say it. */
  total: number | null;
  /** From 0 to 1; `null` without a total. */
  progress: number | null;
}

export interface ProgressOptions {
  /** Is called after each MiB, and at the end. What it throws ends the reading. */
  onProgress?: (progress: Progress) => void;
}

/**
 * Codes of errors.
 *
 * - `not-loaded`: no module was loaded, or it could not be fetched
 * - `wrong-module`: `core.wasm` does not have the function; import `sgfstream/full`
 * - `out-of-memory`: the input does not fit into the memory of a module
 * - `too-large`: a value of the input is past a limit of the reader
 * - `invalid-input`: an argument that is no bytes and no text (a `TypeError`)
 * - `invalid-option`: an option with a value that is not known
 * - `invalid-tree`: a tree that is no tree (a `TypeError`), or an identifier that cannot be written
 * - `unencodable`: a character that the charset of the game does not have
 * - `no-game`, `no-node`, `no-board`: `board` has nothing to show
 */
export type ErrorCode =
  | 'not-loaded' | 'wrong-module' | 'out-of-memory' | 'too-large' | 'invalid-input' | 'invalid-option' | 'invalid-tree'
  | 'unencodable' | 'no-game' | 'no-node' | 'no-board';

/** An error of this package. A `TypeError` of it has a `code`, too. */
export class SgfError extends Error {
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown });
  readonly code: ErrorCode;
}

/** Bytes, or a text. */
export type Input = string | ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** Bytes that come one after another: of `fetch`, a file, a decoder. */
export type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Blob;

export interface EventOptions extends ReadOptions, ProgressOptions {
  /** Values as they are written, a character for each byte, instead of their texts. */
  raw?: boolean;
  /** Also the bytes, the depth, the game and its charset of each event. */
  places?: boolean;
  /** Also the bytes between events. */
  gaps?: boolean;
}

/** Where an event is; only with `places`. */
export interface Place {
  /** Its first byte, and one past its last. An event that was supplied has none. */
  span?: [start: number, end: number];
  /** Open variations: 1 in the main line of a game. */
  depth?: number;
  /** The number of its game, from 1; 0 before the first. */
  game?: number;
  /** The charset of its game, as far as it is known; `auto` if bytes decide. */
  charset?: string;
}

export interface Token extends Place {
  kind: 'variation_start' | 'node_start' | 'variation_end';
  /** The file lacks it. */
  supplied: boolean;
}

export interface Property extends Place {
  kind: 'property';
  /** The identifier without lowercase letters. */
  id: string;
  /** The identifier as it is written. */
  written: string;
  values: string[];
}

/** A piece of a value of a property that is longer than 1 MiB. */
export interface PropertyPart extends Place {
  kind: 'property_part';
  id: string;
  written: string;
  /** The number of the value, from 0. */
  value: number;
  /** It is the first piece of its value. */
  first: boolean;
  /** It is the last piece of its value. */
  last: boolean;
  content: string;
}

export interface Problem extends Place {
  kind: 'problem';
  code: string;
  severity: Severity;
  /** The number of SGFC's message. */
  sgfc: number | null;
  message: string;
}

export interface Gap extends Place {
  kind: 'gap';
  bytes: Uint8Array;
}

export type Event = Token | Property | PropertyPart | Problem | Gap;
export type Severity = 'note' | 'warning' | 'error';

/** Events that come together: an event at a time costs far more than the reading. */
export class Batch implements Iterable<Event> {
  private constructor();
  [Symbol.iterator](): IterableIterator<Event>;
  /** Events as numbers, for those who count: `web/wasm/src/words.rs` of the repository has the format. It may change with each version. */
  readonly words: Uint32Array;
  /** The text that words point into. */
  readonly text: string;
  /** The identifier of a number in a word. */
  name(number: number): string;
}

/** The events of bytes, or of a stream. The events do not depend on how the bytes come. */
export function events(input: Input, options?: EventOptions): IterableIterator<Batch>;
export function events(input: Stream, options?: EventOptions): AsyncIterableIterator<Batch>;

/** A node, as @sabaki/sgf has it. */
export interface Node {
  /** Its number in the input, from 0. */
  id: number;
  /** Texts of properties, by their identifiers without lowercase letters. */
  data: Record<string, string[]>;
  parentId: number | null;
  children: Node[];
}

/** The trees of an input: a root for each game. */
export function parse(input: Input, options?: ReadOptions & ProgressOptions): Node[];

export interface SerializeOptions {
  /** The trees that these are copies of, in the same order: what they share keeps its bytes. */
  like?: Node[];
  /** The charset to write. Usual: that of each game; for new games `CA`, or UTF-8. */
  charset?: string;
}

/**
 * The bytes of trees. A node of `parse` that was not changed keeps its bytes; an input whose trees were not changed comes back as it was,
 * with all its faults. Throws if the charset of a game lacks a character, or a tree is no tree.
 */
export function serialize(trees: Node | Node[], options?: SerializeOptions): Uint8Array;

/** What a game says of its charset, and what it looks like. */
export interface GameCharset {
  /** The number of the game, from 1. */
  game: number;
  /** `CA` as it is written. */
  declared: string | null;
  /** Whether all texts decode so. */
  valid: 'yes' | 'no' | 'ascii' | '-';
  detected: string | null;
  confidence: 'low' | 'medium' | 'high' | null;
  /** Which way of finding the end of a value leaves the game whole. */
  framing: 'value' | 'whole' | 'either' | 'neither';
}

/** The charset of each game. */
export function charset(input: Input, options?: ReadOptions): GameCharset[];

/** A point as column and row, from 0, from the upper left corner; `[-1, -1]` where there is none. */
export type Vertex = [x: number, y: number];

/** The point that two letters name: `dp` is `[3, 15]`, `A` follows `z`. `[-1, -1]` for all other texts, such as a pass. */
export function parseVertex(text: string): Vertex;

/** The letters of a point; empty for a point that is none. */
export function stringifyVertex(vertex: readonly number[]): string;

/** The points of a value of a list: one point, or all of a rectangle (`aa:cb`), column by column. */
export function parseCompressedVertices(text: string): Vertex[];

/** A day, a month or a year. */
export type SgfDate = [year: number] | [year: number, month: number] | [year: number, month: number, day: number];

/** The dates of a value of `DT`: `1996-12-27,28,1997-01-03` are three days. `null` for a text that FF[4] does not know. */
export function parseDates(text: string): SgfDate[] | null;

/** The shortest value of `DT` for dates in this order. */
export function stringifyDates(dates: readonly (readonly number[])[]): string;
