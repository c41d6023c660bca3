// The package without a module: it is loaded from where the caller says.

export { load as init } from './module.js';
export * from './full.js';
