'use strict';

const { TuneError } = require('../errors');
const { awaited } = require('./bind');

/** @typedef {Readonly<Record<string, import('../../snippets/tune').Entry>>} Table */

/**
 * Lets a line that begins with the word `tune` be a command: `tune status --seconds 5`.
 * @param {import('./state').State} state @param {import('./tune').Tune} tune @param {Table} table
 */
function registerWords(state, tune, table) {
  const run = (/** @type {string} */ line = '') => awaited(runWords(tune, table, line));
  state.shellApi.tune = Object.assign(run, { isDirectShellCommand: true, acceptsRawInput: true, returnsPromise: true });
}

/** @param {import('./tune').Tune} tune @param {Table} table @param {string} line without the word `tune` */
async function runWords(tune, table, line) {
  const { splitWords, argumentsOf } = require('./words');
  const [first, ...words] = splitWords(line);
  if (first === undefined) return tune;
  if (first.text === 'help' || first.text === '--help') return helpOn(tune, table, words[0]?.text);
  const entry = entryOf(table, first.text);
  if (words.some(({ text }) => text === '--help')) return tune[first.text].help;
  return tune[first.text](...argumentsOf(first.text, entry, words));
}

/** @param {import('./tune').Tune} tune @param {Table} table @param {string | undefined} name */
function helpOn(tune, table, name) {
  if (name === undefined) return tune.help;
  entryOf(table, name);
  return tune[name].help;
}

/** @param {Table} table @param {string} name */
function entryOf(table, name) {
  if (Object.hasOwn(table, name)) return table[name];
  const names = Object.keys(table);
  const meant = require('../model/nearest').nearest(name, names);
  throw new TuneError('TUNE-10005', `There is no command "${name}".${meant ? ` Did you mean "tune ${meant}"?` : ''}`, { value: name, allowed: names });
}

module.exports = { registerWords };
