// What `full.wasm` can do.

export * from './core.js';
export { board, check, fix } from './answers.js';
