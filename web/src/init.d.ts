export * from './full.js';

/**
 * Loads `core.wasm` or `full.wasm` from a URL, a response, bytes or a compiled module. Call it before all other functions. With
 * `core.wasm`, the functions that only `sgfstream/full` has throw.
 */
export function init(source: string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module): Promise<void>;
