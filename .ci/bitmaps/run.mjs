// Runs the tests of a crate that was built for wasm32-unknown-unknown. They print nothing there; one that fails stops the module.
import { readFileSync } from 'node:fs';

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const status = instance.exports.main(0, 0);
console.log(status === 0 ? 'test result: ok' : `test result: FAILED, status ${status}`);
process.exit(status);
