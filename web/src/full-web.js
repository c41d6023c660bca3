// The package in browsers and Deno: the module is fetched from beside it.

import { load } from './module.js';

await load(new URL('../dist/full.wasm', import.meta.url));

export * from './full.js';
