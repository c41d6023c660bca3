// Writes trees as bytes. An unchanged node keeps its bytes; a changed one is written in the charset of its game.

import { Layout } from './layout.js';
import { Question, ask, optionsOf, typeError } from './module.js';
import { sources, treesOf } from './parse.js';

const encoder = new TextEncoder();
/** Matches texts that have the same bytes in every charset and need no escape. */
const PLAIN = /^[\x20-\x5b\x5e-\x7e]*$/;

/** A growing buffer of bytes. */
class Output {
  #bytes = new Uint8Array(1024);
  length = 0;

  push(bytes, start = 0, end = bytes.length) {
    const length = this.length + end - start;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
    }
    this.#bytes.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.length);
    this.length = length;
  }

  text(text) {
    this.push(encoder.encode(text));
  }

  get last() {
    return this.length === 0 ? undefined : this.#bytes[this.length - 1];
  }

  finish() {
    return this.#bytes.slice(0, this.length);
  }
}

function isUtf8(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function sameValues(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

function sameData(one, other) {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && sameValues(one[name], other[name]));
}

/** True if two trees have the same nodes with the same data and numbers. */
function sameTree(one, other) {
  const todo = [one, other];
  while (todo.length > 0) {
    const right = todo.pop();
    const left = todo.pop();
    if (left.id !== right.id || left.children.length !== right.children.length) return false;
    if (!sameData(left.data, right.data)) return false;
    for (let at = 0; at < left.children.length; at++) todo.push(left.children[at], right.children[at]);
  }
  return true;
}

/** The input of some trees, read again: its trees, nodes and byte ranges. */
class Original {
  #layout = null;
  nodes = [];

  constructor(source) {
    this.source = source;
    this.roots = treesOf(source.bytes, source.how);
    const todo = [...this.roots];
    while (todo.length > 0) {
      const node = todo.pop();
      this.nodes[node.id] = node;
      for (const child of node.children) todo.push(child);
    }
  }

  get layout() {
    return (this.#layout ??= new Layout(this.source));
  }
}

/** Checks the types in a caller's trees. The error names the faulty node. */
function checked(node) {
  const place = node?.id === undefined ? 'a node without a number' : `the node ${JSON.stringify(node.id)}`;
  const fault = (expected) => typeError('invalid-tree', `expected ${expected} in ${place}`);
  if (node === null || typeof node !== 'object') throw fault('an object');
  if (!Array.isArray(node.children)) throw fault('a list of children');
  if (node.data === null || typeof node.data !== 'object') throw fault('data');
  for (const [id, values] of Object.entries(node.data)) {
    if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) throw fault(`a list of texts as ${id}`);
  }
}

/** The nodes above the current one. A node below itself would be written forever. */
class Ancestors {
  #path = [];
  #nodes = new Set();

  /** Goes to a node at this depth, counted from 1. */
  enter(node, depth) {
    while (this.#path.length >= depth) this.#nodes.delete(this.#path.pop());
    if (this.#nodes.has(node)) throw typeError('invalid-tree', 'expected a tree, found a node that contains itself');
    this.#path.push(node);
    this.#nodes.add(node);
  }
}

/** Writes a game node by node. */
class GameWriter {
  #out;
  #original;
  #game;
  #place;
  #how;
  #isUnknown = false;

  constructor(out, root, original, place, charset) {
    this.#out = out;
    this.#original = original;
    this.#place = place;
    this.#game = original?.layout.games[place] ?? null;
    const first = this.#game === null ? null : original.nodes[this.#game.first];
    // If `CA` was changed, write the game in the new charset.
    const isRenamed = first !== null && !sameValues(first.data.CA ?? [], root.data.CA ?? []);
    this.#how = { charset: charset ?? root.data.CA?.[0]?.trim() ?? 'auto', framing: 0 };
    if (first !== null && !isRenamed && charset === undefined) {
      const { charset, framing, start, end } = this.#game;
      // No charset fits both the texts of the game and a new text in UTF-8.
      this.#isUnknown = charset === 'auto' && !isUtf8(original.layout.bytes.subarray(start, end));
      this.#how = { charset, framing };
    }
    if (original?.layout.isTurned) this.#how = { charset: 'UTF-8', framing: 0 };
    this.isRecoded = isRenamed || (first !== null && charset !== undefined);
  }

  write(root) {
    const out = this.#out;
    const game = this.#game;
    if (game !== null) {
      // The bytes before the game.
      const [start] = this.#original.layout.open.get(game.first);
      out.push(this.#original.layout.bytes, game.start, start);
    } else if (out.length > 0 && out.last !== 0x0a) {
      out.text('\n');
    }
    // Each entry is a node to write, or a node whose variation ends here.
    const todo = [{ node: root, isStart: true, isEnd: false, depth: 1 }];
    const above = new Ancestors();
    while (todo.length > 0) {
      const { node, isStart, isEnd, depth } = todo.pop();
      if (isEnd) {
        this.#close(node);
        continue;
      }
      checked(node);
      above.enter(node, depth);
      if (isStart) {
        this.#open(node, depth);
        todo.push({ node, isStart, isEnd: true, depth });
      }
      this.#node(node, isStart, depth);
      const { children } = node;
      for (let at = children.length - 1; at >= 0; at--) {
        const starts = children.length > 1 || (this.#placeOf(children[at]) >= 0 && this.#began(children[at], node));
        todo.push({ node: children[at], isStart: starts, isEnd: false, depth: depth + 1 });
      }
    }
    if (game === null) {
      out.text('\n');
      return;
    }
    const { layout } = this.#original;
    // The bytes after the last game.
    if (this.#place === layout.games.length - 1) out.push(layout.bytes, layout.close.get(game.first)[1], game.end);
  }

  /** The number of a node in the input, or -1 if the node is new or of another game. */
  #placeOf({ id }) {
    return this.#game !== null && this.#original.layout.gameOf[id] === this.#place ? id : -1;
  }

  /** True if the node has its own `(` and `)` in the input below the same parent, where they may be superfluous. */
  #began({ id }, parent) {
    return this.#original.layout.open.has(id) && this.#original.nodes[id].parentId === parent.id;
  }

  /** The bytes of the node's `(` or `)` in the input, if they can be copied. */
  #part(parts, node) {
    const place = this.#placeOf(node);
    return place >= 0 && this.#game.isSound ? parts.get(place) : undefined;
  }

  #open(node, depth) {
    const part = this.#part(this.#original?.layout.open ?? new Map(), node);
    if (part !== undefined) this.#out.push(this.#original.layout.bytes, ...part);
    else this.#out.text(depth > 1 && this.#game === null ? '\n(' : '(');
  }

  #close(node) {
    const part = this.#part(this.#original?.layout.close ?? new Map(), node);
    if (part !== undefined) this.#out.push(this.#original.layout.bytes, ...part);
    else this.#out.text(')');
  }

  #node(node, isStart, depth) {
    const out = this.#out;
    const place = this.#placeOf(node);
    const began = place >= 0 && this.#original.layout.open.has(place);
    if (place < 0) {
      out.text(this.#game === null && !isStart ? '\n;' : ';');
      Object.entries(node.data).forEach(([id, values], at) => this.#encode(id, values, isStart && depth > 1 && at === 0));
      return;
    }
    const { layout, nodes } = this.#original;
    const { bytes } = layout;
    const [start, propertiesEnd, end] = [layout.start[place], layout.propertiesEnd[place], layout.end[place]];
    const known = nodes[place].data;
    const isFree = this.#game.isSound && (!isStart || began || depth === 1) && this.#keeps(start, end);
    if (isFree && sameData(node.data, known)) {
      out.push(bytes, start, end);
      return;
    }
    out.text(';');
    Object.entries(node.data).forEach(([id, values], at) => {
      const mayJoin = isStart && depth > 1 && at === 0;
      const isSame = Object.hasOwn(known, id) && sameValues(values, known[id]);
      const written = layout.properties[place].filter(([name]) => name === id);
      if (!isSame || !written.every(([, from, to]) => this.#keeps(from, to))) {
        this.#encode(id, values, mayJoin);
        return;
      }
      written.forEach(([, from, to], nth) => {
        const apart = mayJoin && !began && nth === 0;
        if (this.#game.isSound && !apart) out.push(bytes, from, to);
        else out.push(ask(Question.complete, { framing: this.#game.framing, apart }, bytes.subarray(from, to)).bytes);
      });
    });
    // Line breaks and blanks after the node. In a faulty game, other bytes may be among them.
    if (this.#game.isSound) out.push(bytes, propertiesEnd, end);
    else out.push(bytes.subarray(propertiesEnd, end).filter((byte) => byte <= 0x20));
  }

  /** False for bytes that have another meaning in the charset of the output. */
  #keeps(start, end) {
    if (!this.isRecoded) return true;
    const { bytes } = this.#original.layout;
    for (let at = start; at < end; at++) if (bytes[at] >= 0x80) return false;
    return true;
  }

  #encode(id, values, mayJoin) {
    // Readers would take a variation that begins with a root property for another game.
    if (!mayJoin && /^[A-Z][A-Z0-9]*$/.test(id) && values.every((value) => PLAIN.test(value))) {
      this.#out.text(`${id}[${values.join('][')}]`);
      return;
    }
    if (this.#isUnknown && values.some((value) => /[^\0-\x7f]/.test(value))) {
      const reason = 'the game declares no known charset and has text that is not UTF-8; set `CA` first, or name its charset';
      throw Object.assign(new Error(`in ${id}: ${reason}`), { code: 'unencodable' });
    }
    const texts = (values.length === 0 ? [''] : values).map((value) => encoder.encode(value));
    const lengths = texts.map((text) => text.length).join();
    const all = new Output();
    texts.forEach((text) => all.push(text));
    const args = { id, lengths, apart: mayJoin, ...this.#how };
    this.#out.push(ask(Question.encode, args, all.finish()).bytes);
  }
}

export function serialize(trees, given) {
  const options = optionsOf(given);
  const roots = Array.isArray(trees) ? trees : [trees];
  // An input without games.
  if (roots.length === 0) return sources.get(roots)?.source.bytes.slice() ?? new Uint8Array(0);
  const originals = new Map();
  const found = roots.map((root, at) => {
    checked(root);
    const from = sources.get(root) ?? (options.like === undefined ? undefined : sources.get(options.like[at]));
    if (from === undefined) return undefined;
    if (!originals.has(from.source)) originals.set(from.source, new Original(from.source));
    return { original: originals.get(from.source), place: from.game };
  });
  const isSame = (at) => found[at] !== undefined && sameTree(roots[at], found[at].original.roots[found[at].place]);
  const same = roots.map((_, at) => options.charset === undefined && isSame(at));
  // All games of an input.
  const [first] = found;
  const isWhole = first !== undefined && roots.length === first.original.roots.length && same.every(Boolean);
  if (isWhole && found.every(({ original, place }, at) => original === first.original && place === at)) {
    return first.original.source.bytes.slice();
  }
  const out = new Output();
  roots.forEach((root, at) => {
    const { original, place } = found[at] ?? {};
    const game = original?.layout.games[place];
    if (same[at] && game.isSound) out.push(original.layout.bytes, game.start, game.end);
    else new GameWriter(out, root, original, place, options.charset).write(root);
  });
  return out.finish();
}
