// The package in browsers and Deno: the module is fetched from beside it.

import { loadFirst } from './module.js';

await loadFirst(new URL('../dist/core.wasm', import.meta.url));

export * from './core.js';
