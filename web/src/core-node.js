// The package in Node: it reads the module from the folder of this file.

import { readFileSync } from 'node:fs';

import { isLoaded, use } from './module.js';

if (!isLoaded()) use(new WebAssembly.Module(readFileSync(new URL('../dist/core.wasm', import.meta.url))));

export * from './core.js';
