import type { Input, Node, ReadOptions, Severity } from './core.js';

export * from './core.js';

/** Repair of a finding. */
export interface Repair {
  /** Stable name of the repair. */
  name: string;
  /** Text that replaces the bytes of the finding. */
  text: string | null;
  /** Description of the repair. */
  message: string;
}

/** Finding of `check`, with the fields of `sgfq check -f jsonl`. */
export interface Finding {
  /** Number of the game, counted from 1; 0 before the first game. */
  game: number;
  /** Path of the node: `/12`, or `1.0/3` in a variation; empty outside of games. */
  path: string;
  /** Offset of the first byte; `end` is the offset after the last byte. */
  byte: number;
  end: number;
  /** Line, counted from 1; `column` counts bytes from 1. */
  line: number;
  column: number;
  /** Stable name of the kind of finding. */
  code: string;
  severity: Severity;
  /** Number of SGFC's message; `null` if SGFC has none. */
  sgfc: number | null;
  message: string;
  /** The bytes of the finding, at most 60. */
  found: string | null;
  /** The repair that `fix` makes; `null` if there is none. */
  repair: Repair | null;
}

/** Options of `check`. */
export interface CheckOptions extends ReadOptions {
  /** Minimum severity to report. Default: `warning` */
  level?: Severity;
  /** Codes to ignore. */
  allow?: string[];
  /** Also replay the moves by the rules of the game. Default: `false` */
  legality?: boolean;
}

/** Returns the findings of an input. */
export function check(input: Input, options?: CheckOptions): Finding[];

/** Options of `fix`. */
export interface FixOptions extends ReadOptions {
  /** Minimum severity to repair. Default: `error` */
  level?: Severity;
  /** Codes not to repair. */
  allow?: string[];
  /** Repair only these codes, whatever their severity. */
  only?: string[];
  /** Also make repairs that are guesses. Default: `false` */
  guess?: boolean;
  /** Move values without a place into C and GC instead of XK. Default: `false` */
  comments?: boolean;
}

/** Finding with its outcome. After the first pass, its place is unknown. */
export interface Fixed extends Omit<Finding, 'byte' | 'end' | 'line' | 'column' | 'sgfc' | 'found'> {
  byte: number | null;
  end: number | null;
  line: number | null;
  column: number | null;
  /** Number of the pass over the game, counted from 1. */
  pass: number;
  done: 'repaired' | 'guessed' | 'left';
  /** Whether the repair was not made because stray text near it may belong to a property. */
  blocked: boolean;
}

/**
 * Makes the repairs that the options select and keeps all other bytes. Drops no move, except moves that turn out to be words of a comment
 * whose `]` lacks its `\`.
 */
export function fix(input: Input, options?: FixOptions): {
  bytes: Uint8Array;
  findings: Fixed[];
  /** Number of unrepaired findings that are not listed because there are too many. */
  unlisted: number;
};

/** Options of `board`. */
export interface BoardOptions extends ReadOptions {
  /** Number of the game, counted from 1. Default: 1 */
  game?: number;
  /** Spelling of points: `gtp` for `Q16`, `sgf` for `pd`. Default: `gtp` */
  coords?: 'gtp' | 'sgf';
  /** Number the moves: all of them, or those from this move on. Default: `false` */
  numbers?: boolean | number;
  /** Title of the picture. */
  title?: string;
  /** Draw the picture for a page with the style sheet `sgfstream/board.css`: it has no style of its own. Default: `false` */
  inline?: boolean;
}

/** Board at a node: its stones as text and as numbers, its marks and texts, the next nodes, and a picture. */
export interface Board {
  /** Path of the node: `/12`, or `1.0/3` in a variation. */
  node: string;
  nodeName: string | null;
  /** Number of moves up to the node. */
  move: number;
  /** The last move of this node; `null` if it has none. */
  played: string | null;
  /** The player to move; `null` if the game is over or the file does not say. */
  toPlay: 'B' | 'W' | '1' | '2' | '3' | '4' | null;
  /** Name of the game that is played. */
  game: string;
  size: [columns: number, rows: number];
  /** The rows as the board shows them, a character for each point. */
  rows: string[];
  /** A number for each point, row by row from the upper left: 0 empty, 1 Black, 2 White, or the number of the color. */
  cells: Int8Array;
  /** The number of stones that each side has captured; `null` if the game is not Go. */
  captures: { B: number; W: number } | null;
  /** The points of the last move. */
  last: string[];
  /** Marked points, by the name of the mark, such as `triangle` or `black territory`. */
  marks: Record<string, string[]>;
  /** Labels by point: the text of `LB`. */
  labels: Record<string, string>;
  /** Comment of the node; `null` without one. */
  comment: string | null;
  /** The next nodes. */
  next: { node: string; played: string | null }[];
  /** Number of next nodes that are not listed. */
  nextMore: number;
  /** Path of the node before this one; `null` at the root. */
  previous: string | null;
  /** Path of the last node of the line that continues with the first next node, and so on. */
  lineEnd: string;
  /** Number of moves, setup values and marks that the board could not use. */
  unread: number;
  /** SVG picture: a complete file, unless it is `inline`. */
  svg: string;
}

/**
 * Returns the board of a game. `path` is a number of moves of the main line, or the path of a node such as `1.0/3`. Default: the end of
 * the main line. Throws if the node does not exist or the game has no board.
 */
export function board(game: Input | Node | Node[], path?: number | string, options?: BoardOptions): Board;
