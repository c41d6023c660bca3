import type { Input, Node, ReadOptions, Severity } from './core.js';

export * from './core.js';

export interface Repair {
  /** Stable name. */
  name: string;
  /** What takes the place of the bytes at fault. */
  text: string | null;
  /** A sentence. */
  message: string;
}

/** Something that is wrong with a game: the fields of `sgfq check -f jsonl`. */
export interface Finding {
  /** The number of the game, from 1; 0 before the first. */
  game: number;
  /** The node: `/12`, or `1.0/3` in a variation; empty outside of games. */
  path: string;
  /** The first of the bytes at fault, and one past the last. */
  byte: number;
  end: number;
  /** The line and the column in bytes, from 1. */
  line: number;
  column: number;
  /** A stable name. */
  code: string;
  severity: Severity;
  /** The number of SGFC's message. */
  sgfc: number | null;
  message: string;
  /** The bytes at fault, at most 60 of them. */
  found: string | null;
  /** What `fix` would do. */
  repair: Repair | null;
}

export interface CheckOptions extends ReadOptions {
  /** The least severity that is told. Usual: `warning`. */
  level?: Severity;
  /** Codes that are not told. */
  allow?: string[];
  /** Also play the moves by the rules of the game. */
  legality?: boolean;
}

/** What is wrong with the games of an input. */
export function check(input: Input, options?: CheckOptions): Finding[];

export interface FixOptions extends ReadOptions {
  /** The least severity that is repaired. Usual: `error`. */
  level?: Severity;
  /** Codes that are not repaired. */
  allow?: string[];
  /** The only codes that are repaired, whatever their severity. */
  only?: string[];
  /** Also make repairs that are guesses. */
  guess?: boolean;
  /** Keep values without a place in C and GC instead of the property XK. */
  comments?: boolean;
}

/** A finding, and what became of it. After the first pass, its place is not known. */
export interface Fixed extends Omit<Finding, 'byte' | 'end' | 'line' | 'column' | 'sgfc' | 'found'> {
  byte: number | null;
  end: number | null;
  line: number | null;
  column: number | null;
  /** The pass over the game, from 1. */
  pass: number;
  done: 'repaired' | 'guessed' | 'left';
}

/** Repairs what has a repair; every other byte is kept. No move is ever dropped. */
export function fix(input: Input, options?: FixOptions): {
  bytes: Uint8Array;
  findings: Fixed[];
  /** Findings that are left and not listed, because they are too many. */
  untold: number;
};

export interface BoardOptions extends ReadOptions {
  /** The number of the game, from 1. */
  game?: number;
  /** How points are named: `Q16` or `pd`. Usual: `gtp`. */
  coords?: 'gtp' | 'sgf';
  /** Number the moves, from the first or from this one. */
  numbers?: boolean | number;
  /** The title of the picture. */
  title?: string;
}

/** The board at a node: the fields of `sgfq board -f jsonl`, its stones as numbers, and a picture. */
export interface Board {
  /** The path of the node: `/12`, or `1.0/3` in a variation. */
  node: string;
  nodeName: string | null;
  /** Moves up to it. */
  move: number;
  /** The last of them in this node. */
  played: string | null;
  /** Name of the game that is played. */
  game: string;
  size: [columns: number, rows: number];
  /** The rows as the board shows them, a character for each point. */
  rows: string[];
  /** A number for each point, row by row from the upper left: 0 for an empty one, 1 for Black, 2 for White. */
  cells: Int8Array;
  /** The stones that each side has taken; Go only. */
  captures: { B: number; W: number } | null;
  /** The points of the last move. */
  last: string[];
  /** Points that are marked, by the name of the mark: `triangle`, `black territory`. */
  marks: Record<string, string[]>;
  labels: Record<string, string>;
  comment: string | null;
  /** The nodes that follow. */
  next: { node: string; played: string | null }[];
  /** Those that are not listed. */
  nextMore: number;
  /** Values of moves, setup and marks that the board could not take. */
  unread: number;
  /** A picture of it, which is a file of its own. */
  svg: string;
}

/**
 * The board of a game: after move `path` of its main line, at the node of that path, or at the end of the main line. Throws if there is
 * no such node, or no board for the game.
 */
export function board(game: Input | Node | Node[], path?: number | string, options?: BoardOptions): Board;
