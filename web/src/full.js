// The functions of `full.wasm`.

export * from './core.js';
export { board, check, fix } from './answers.js';
