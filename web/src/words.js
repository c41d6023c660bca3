// The encoding of events as words: see `wasm/src/words.rs`.

export const VARIATION_START = 0;
export const NODE_START = 1;
export const VARIATION_END = 2;
export const PROPERTY = 3;
export const PROBLEM = 4;
export const PART = 5;
export const MOVE = 6;
export const GAP = 7;

/** Marks a name or a count that does not fit into its word and follows it. */
export const OTHER_NAME = 0xffff;
export const OTHER_COUNT = 0x1fff;

const PAIRS = new Array(1 << 14).fill('');
const CHARACTERS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** The text of a word that contains its value. */
export function shortValue(word) {
  const kind = (word >>> 29) & 3;
  return kind === 0 ? pair(word & 0x3fff) : kind === 1 ? CHARACTERS[word & 0x7f] : '';
}

/** Two characters of seven bits each. */
export function pair(bits) {
  const known = PAIRS[bits];
  return known !== '' ? known : (PAIRS[bits] = String.fromCharCode(bits & 0x7f, bits >>> 7));
}
