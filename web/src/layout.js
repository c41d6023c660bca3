// The byte ranges of the games and nodes of an input.

import { Batch, batchesOf } from './events.js';
import { Question, ask } from './module.js';

const BRACKET = 0x5d; // ]

function isBlank(bytes, start, end) {
  for (let at = start; at < end; at++) if (bytes[at] > 0x20) return false;
  return true;
}

/** The byte ranges of a game and of its nodes, which are numbered in order. */
class Game {
  /** True if the structure of the game has no error. Only then can its parts be written in another order. */
  isSound = true;
  charset = 'auto';
  framing = 0;
  /** The number of the game's first node. */
  first;
  start;
  end;

  constructor(start, first) {
    this.start = start;
    this.first = first;
  }
}

/** The byte ranges of all games and nodes. A part is the bytes from one event to the next, with the blanks between them. */
export class Layout {
  games = [];
  /** For each node: its game, its start, the end of its last property, and the start of the next event. */
  gameOf = [];
  start = [];
  propertiesEnd = [];
  end = [];
  /** For each node: its properties, as `[id, start, end]`. */
  properties = [];
  /** For each node that begins a variation: the ranges `[start, end]` of its `(` and `)`, with the blanks after them. */
  open = new Map();
  close = new Map();

  constructor(source) {
    const turned = ask(Question.scannable, source.how, source.bytes).bytes;
    /** The bytes, transcoded if brackets are not ASCII bytes in their charset. */
    this.bytes = turned.length > 0 ? turned : source.bytes;
    this.isTurned = turned.length > 0;
    const args = { raw: true, places: true, gaps: true, ...source.how };
    const walk = new Walk(this);
    for (const reader of batchesOf(source.bytes, args)) {
      for (const event of new Batch(reader, true)) walk.event(event);
    }
    walk.finish();
  }
}

class Walk {
  #layout;
  /** Sets the end of the open part. */
  #endPart = () => {};
  #game = null;
  #node = -1;
  /** For each open variation: its first node, or the part of its `(` before a node comes. */
  #open = [];

  constructor(layout) {
    this.#layout = layout;
  }

  event(event) {
    const { span: [start, end], depth } = event;
    const layout = this.#layout;
    switch (event.kind) {
      case 'variation_start': {
        if (depth === 1) this.#begin();
        this.#part(start);
        this.#supplied(event);
        const part = [start, end];
        this.#endPart = (at) => (part[1] = at);
        this.#open.push({ part, node: -1 });
        break;
      }
      case 'node_start': {
        this.#part(start);
        this.#supplied(event);
        const node = (this.#node = layout.start.length);
        layout.gameOf.push(layout.games.length - 1);
        layout.start.push(start);
        layout.propertiesEnd.push(end);
        layout.end.push(end);
        layout.properties.push([]);
        this.#endPart = (at) => (layout.end[node] = at);
        const open = this.#open.at(-1);
        if (open !== undefined && open.node < 0) {
          open.node = node;
          layout.open.set(node, open.part);
        }
        break;
      }
      case 'variation_end': {
        this.#part(start);
        this.#supplied(event);
        const part = [start, end];
        const open = this.#open.pop();
        if (open === undefined || open.node < 0) this.#game.isSound = false;
        else layout.close.set(open.node, part);
        // Bytes between games belong to the next game.
        if (depth === 1) this.#game.end = end;
        else this.#endPart = (at) => (part[1] = at);
        Object.assign(this.#game, { charset: event.charset });
        break;
      }
      case 'property':
        this.#property(event, start, end, true);
        break;
      case 'property_part':
        this.#property(event, start, end, event.first && event.value === 0);
        break;
      case 'gap':
        if (depth > 0 && !isBlank(layout.bytes, start, end)) this.#game.isSound = false;
        break;
      default:
    }
  }

  #property(event, start, end, isStart) {
    const layout = this.#layout;
    const properties = layout.properties[this.#node];
    this.#game.framing = event.framing;
    if (isStart) properties.push([event.id, start, end]);
    else properties.at(-1)[2] = end;
    layout.propertiesEnd[this.#node] = end;
    layout.end[this.#node] = end;
    // Only the last piece of a property ends after a value.
    const isOver = event.kind === 'property' || event.last;
    if (isOver && layout.bytes[end - 1] !== BRACKET) this.#game.isSound = false;
  }

  /** Starts a game at the end of the last one, with the blanks between them. */
  #begin() {
    const { games, start } = this.#layout;
    this.#game = new Game(games.at(-1)?.end ?? 0, start.length);
    games.push(this.#game);
    this.#open = [];
  }

  #part(start) {
    this.#endPart(start);
    this.#endPart = () => {};
  }

  #supplied(event) {
    if (event.supplied) this.#game.isSound = false;
  }

  finish() {
    const { games, bytes } = this.#layout;
    this.#part(bytes.length);
    if (games.length > 0) games.at(-1).end = bytes.length;
  }
}
