// The package without a module: the caller passes its URL or its bytes to `init`.

export { load as init } from './module.js';
export * from './full.js';
