// The package in Node: the module is a file beside it.

import { readFileSync } from 'node:fs';

import { use } from './module.js';

use(new WebAssembly.Module(readFileSync(new URL('../dist/core.wasm', import.meta.url))));

export * from './core.js';
