export * from './full.js';

/**
 * Loads `core.wasm` or `full.wasm`: from its address, from a response, from its bytes, or compiled. All other functions need it. With
 * `core.wasm`, those of `sgfstream/full` alone throw.
 */
export function init(source: string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module): Promise<void>;
