// The package in browsers and Deno: `fetch` loads the module from the folder of this file.

import { loadFirst } from './module.js';

await loadFirst(new URL('../dist/core.wasm', import.meta.url));

export * from './core.js';
