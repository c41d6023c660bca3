// The package in Node: the module is a file beside it.

import { readFileSync } from 'node:fs';

import { isLoaded, use } from './module.js';

if (!isLoaded()) use(new WebAssembly.Module(readFileSync(new URL('../dist/core.wasm', import.meta.url))));

export * from './core.js';
