// Trees of nodes, in the shape of @sabaki/sgf.

import { batchesOf } from './events.js';
import { bytesOf, howOf, optionsOf } from './module.js';
import {
  MOVE, NODE_START, OTHER_COUNT, OTHER_NAME, PART, PROPERTY, VARIATION_END, VARIATION_START, pair, shortValue,
} from './words.js';

/** The input of each root that `parse` returned, as `{ source, game }` with the root's index `game`, and of each list of roots. */
export const sources = new WeakMap();

/** Builds trees from words. It uses a stack and no recursion, so a line may have a million nodes. */
class Builder {
  roots = [];
  #current = null;
  #open = [];
  #id = 0;

  take({ words, at, len, text, names }) {
    const end = at + len;
    let current = this.#current;
    let id = this.#id;
    const valueOf = (word) => (word >>> 31 === 1 ? shortValue(word) : text.slice(word, word + words[at++]));
    const nameOf = (number) => {
      if (number !== OTHER_NAME) return names[number];
      const name = valueOf(words[at++]);
      valueOf(words[at++]);
      return name;
    };
    while (at < end) {
      const word = words[at++];
      switch (word & 7) {
        case MOVE:
        case NODE_START: {
          let data;
          if ((word & 7) === NODE_START) data = {};
          else if ((word & 8) === 0) data = { B: [pair((word >>> 8) & 0x3fff)] };
          else data = { W: [pair((word >>> 8) & 0x3fff)] };
          const parentId = current === null ? null : current.id;
          // Create the list only when its length is known: nearly all have one child or none.
          const node = { id: id++, data, parentId, children: null };
          if (current === null) this.roots.push(node);
          else if (current.children === null) current.children = [node];
          else current.children.push(node);
          current = node;
          break;
        }
        case PROPERTY: {
          const name = nameOf((word >>> 3) & 0xffff);
          let count = word >>> 19;
          if (count === OTHER_COUNT) count = words[at++];
          let values = current.data[name];
          if (values === undefined) {
            const first = valueOf(words[at++]);
            count--;
            values = current.data[name] = [first];
          }
          for (; count > 0; count--) values.push(valueOf(words[at++]));
          break;
        }
        case PART: {
          const name = nameOf((word >>> 3) & 0xffff);
          at++;
          const values = (current.data[name] ??= []);
          const content = valueOf(words[at++]);
          if ((word >>> 19) & 1) values.push(content);
          else values[values.length - 1] += content;
          break;
        }
        case VARIATION_START:
          this.#open.push(current);
          break;
        case VARIATION_END:
          if (current !== null && current.children === null) current.children = [];
          current = this.#open.pop() ?? null;
          break;
        default:
      }
    }
    this.#current = current;
    this.#id = id;
  }
}

/** The trees of the games in `bytes`. */
export function treesOf(bytes, how, onProgress) {
  const builder = new Builder();
  for (const reader of batchesOf(bytes, how, onProgress)) builder.take(reader);
  return builder.roots;
}

export function parse(input, given) {
  const options = optionsOf(given);
  // Copy: the caller may change the bytes.
  const bytes = typeof input === 'string' ? bytesOf(input) : bytesOf(input).slice();
  const how = howOf(input, options);
  const roots = treesOf(bytes, how, options.onProgress);
  const source = { bytes, how };
  sources.set(roots, { source });
  roots.forEach((root, game) => sources.set(root, { source, game }));
  return roots;
}
