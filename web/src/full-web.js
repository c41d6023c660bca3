// The package in browsers and Deno: `fetch` loads the module from the folder of this file.

import { load } from './module.js';

await load(new URL('../dist/full.wasm', import.meta.url));

export * from './full.js';
