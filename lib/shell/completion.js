'use strict';

const { findCommand } = require('./table');

/**
 * @import { Entry } from '../../snippets/tune'
 * @import { Table } from './table'
 */

// Where mongosh keeps what its completer knows. Nothing promises it, so without it there is simply
// no completion.
const SIGNATURES = '@@@mdb.signatures@@@';

/** TAB behind the word `tune`. @param {Table} table */
function registerCompletion(table) {
  const attributes = /** @type {any} */ (globalThis)[SIGNATURES]?.ShellApi?.attributes;
  if (!attributes) return;
  const completer = async (/** @type {unknown} */ _context, /** @type {string[]} */ words) =>
    complete(table, words);
  attributes.tune = {
    type: 'function',
    returnsPromise: true,
    isDirectShellCommand: true,
    acceptsRawInput: true,
    shellCommandCompleter: completer,
    newShellCommandCompleter: completer,
  };
}

/**
 * @param {Table} table
 * @param {string[]} words of the line, the last one unfinished; mongosh leaves out a blank behind
 *   it
 * @returns {string[]} what may stand in place of the last word
 */
function complete(table, [, ...words]) {
  const [name = '', ...rest] = words;
  if (name === 'help')
    return rest.length === 0
      ? Object.keys(table).map((one) => `help ${one}`)
      : startingWith(Object.keys(table), rest);
  const found = findCommand(
    table,
    words.slice(0, -1).map((text) => ({ text })),
  );
  if (found) return startingWith(offersOf(found.entry), rest);
  const offers = Object.hasOwn(table, name) ? offersOf(table[name]) : [];
  return rest.length > 0
    ? []
    : [
        ...startingWith([...Object.keys(table), 'help'], [name]),
        ...offers.map((offer) => `${name} ${offer}`),
      ];
}

/** @param {Entry} entry */
function offersOf({ takes, options, words, commands = {} }) {
  const settings = takes.includes('change') ? require('../config/setting-table').SETTING_NAMES : [];
  return [
    ...Object.keys(commands),
    ...(words?.() ?? []),
    ...[...settings, ...options.map(({ name }) => name)].map((name) => `--${name}`),
  ];
}

/** @param {readonly string[]} names @param {string[]} words */
const startingWith = (names, words) =>
  names.filter((name) => name.startsWith(/** @type {string} */ (words.at(-1))));

module.exports = { registerCompletion, complete };
