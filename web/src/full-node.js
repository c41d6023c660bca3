// The package in Node: it reads the module from the folder of this file.

import { readFileSync } from 'node:fs';

import { use } from './module.js';

use(new WebAssembly.Module(readFileSync(new URL('../dist/full.wasm', import.meta.url))));

export * from './full.js';
