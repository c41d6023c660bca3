// The functions of `core.wasm`.

export { charset } from './answers.js';
export { Batch, events } from './events.js';
export { SgfError } from './module.js';
export { parse } from './parse.js';
export { serialize } from './serialize.js';
export { parseCompressedVertices, parseDates, parseVertex, stringifyDates, stringifyVertex } from './values.js';
