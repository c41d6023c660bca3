import type { Board } from './full.js';

/**
 * The element `<sgf-board>`: a board with its moves, variations and comment. Without `src`, the text inside it is the game.
 * Importing this module defines the element. It dispatches `change` after it shows another node or an error.
 */
export class SgfBoard extends HTMLElement {
  /** Address of an SGF file, relative to the page. */
  src: string | null;
  /** Number of a move of the main line, `end`, or path of a node such as `1.0/3`. Default: `0` */
  get move(): string | null;
  set move(value: string | number | null);
  /** Number of the game in the file, counted from 1. Default: `1` */
  get game(): string | null;
  set game(value: string | number | null);
  /** Spelling of points, `gtp` or `sgf`, or `none` for a board without coordinates. Default: `gtp` */
  coords: string | null;
  /** The board that the element shows; `null` before the game is loaded and after an error. */
  readonly board: Board | null;
  /** Shows the node with this path, the position after this number of moves, or the end of the main line. */
  go(node?: number | string): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'sgf-board': SgfBoard;
  }
}
