'use strict';

/** @typedef {import('./command-words').Table} Table */

// Where mongosh keeps what its completer knows. Nothing promises it, so without it there is simply no completion.
const SIGNATURES = '@@@mdb.signatures@@@';

/** TAB behind the word `tune`. @param {Table} table */
function registerCompletion(table) {
  const attributes = /** @type {any} */ (globalThis)[SIGNATURES]?.ShellApi?.attributes;
  if (!attributes) return;
  const completer = async (/** @type {unknown} */ _context, /** @type {string[]} */ words) => complete(table, words);
  attributes.tune = {
    type: 'function', returnsPromise: true, isDirectShellCommand: true, acceptsRawInput: true,
    shellCommandCompleter: completer, newShellCommandCompleter: completer,
  };
}

/**
 * @param {Table} table @param {string[]} words of the line, the last one unfinished; mongosh leaves out a blank behind it
 * @returns {string[]} what may stand in place of the last word
 */
function complete(table, [, name = '', ...rest]) {
  const names = [...Object.keys(table), 'help'];
  if (name === 'help') return rest.length === 0 ? Object.keys(table).map((one) => `help ${one}`) : startingWith(Object.keys(table), rest);
  const offers = Object.hasOwn(table, name) ? offersOf(table[name]) : [];
  if (rest.length > 0) return startingWith(offers, rest);
  return [...startingWith(names, [name]), ...offers.map((offer) => `${name} ${offer}`)];
}

/** @param {import('../../snippets/tune').Entry} entry */
function offersOf({ takes, options, words }) {
  const knobs = takes.includes('change') ? require('../model/knobs').KNOB_NAMES : [];
  return [...(words?.() ?? []), ...[...knobs, ...options.map(({ name }) => name)].map((name) => `--${name}`)];
}

/** @param {readonly string[]} names @param {string[]} words */
const startingWith = (names, words) => names.filter((name) => name.startsWith(/** @type {string} */ (words.at(-1))));

module.exports = { registerCompletion, complete };
