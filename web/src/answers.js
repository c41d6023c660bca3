// Functions that read a whole input and return one result.

import { Question, ask, bytesOf, howOf, optionsOf, typeError } from './module.js';
import { serialize } from './serialize.js';

function answer(question, input, options, args = {}) {
  return ask(question, { ...args, ...howOf(input, options) }, bytesOf(input));
}

/** Codes of findings as the module reads them. */
function codesOf(name, codes = []) {
  if (Array.isArray(codes) && codes.every((code) => typeof code === 'string')) return codes.join();
  throw typeError('invalid-option', `expected a list of codes as ${name}, found ${codes === null ? 'null' : typeof codes}`);
}

export function charset(input, options) {
  return JSON.parse(answer(Question.charset, input, options).json);
}

export function check(input, options) {
  const { level, allow, legality } = optionsOf(options);
  return JSON.parse(answer(Question.check, input, options, { level, allow: codesOf('allow', allow), legality }).json);
}

export function fix(input, options) {
  const { level, allow, only, guess, comments } = optionsOf(options);
  const args = { level, allow: codesOf('allow', allow), only: codesOf('only', only), guess, comments };
  const { json, bytes } = answer(Question.fix, input, options, args);
  return { bytes, ...JSON.parse(json) };
}

export function board(input, path, options) {
  const { game, coords, numbers, title, inline } = optionsOf(options);
  const isTree = typeof input === 'object' && input !== null && 'data' in input && 'children' in input;
  const bytes = isTree || Array.isArray(input) ? serialize(isTree ? [input] : input) : input;
  const where = typeof path === 'number' ? { move: path } : { node: path };
  const args = { ...where, game, coords, numbers: numbers === true ? 1 : numbers, title, inline };
  const shown = JSON.parse(answer(Question.board, bytes, options, args).json);
  return { ...shown, cells: Int8Array.from(shown.cells) };
}
