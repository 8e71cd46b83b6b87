'use strict';

const { TuneError } = require('../base/pure/errors');
const { awaited } = require('./bind');
const { findCommand } = require('./table');

/**
 * @import { Word } from './parse-words'
 * @import { State } from './state'
 * @import { Table } from './table'
 * @import { Tune } from './tune'
 */

/**
 * Lets a line that begins with the word `tune` be a command: `tune status --seconds 5`.
 * @param {State} state
 * @param {Tune} tune
 * @param {Table} table
 * @param {() => Promise<void> | undefined} [greet] for the word `tune` alone: whoever types it is
 *   told what was left behind
 */
function registerWords(state, tune, table, greet) {
  const run = (/** @type {string} */ line = '') =>
    awaited(line.trim() === '' ? greeted(tune, greet) : runWords(tune, table, line));
  state.shellApi.tune = Object.assign(run, {
    isDirectShellCommand: true,
    acceptsRawInput: true,
    returnsPromise: true,
  });
}

/**
 * @param {Tune} tune
 * @param {(() => Promise<void> | undefined) | undefined} greet
 */
async function greeted(tune, greet) {
  await greet?.();
  return tune;
}

/**
 * @param {Tune} tune
 * @param {Table} table
 * @param {string} line without the word `tune`
 */
async function runWords(tune, table, line) {
  const { splitWords, argumentsOf } = require('./parse-words');
  const words = splitWords(line);
  if (words[0].text === 'help' || words[0].text === '--help')
    return helpOn(tune, table, words.slice(1));
  const { name, entry, rest } = commandOf(table, words);
  const command = at(tune, name);
  return rest.some(({ text }) => text === '--help')
    ? command.help
    : command(...argumentsOf(name.replaceAll('.', ' '), entry, rest));
}

/**
 * @param {Tune} tune
 * @param {Table} table
 * @param {readonly Word[]} words behind `help`
 */
const helpOn = (tune, table, words) =>
  (words.length === 0 ? tune : at(tune, commandOf(table, words).name)).help;

/** @param {Tune} tune @param {string} name `host.collect` @returns {any} */
const at = (tune, name) =>
  name.split('.').reduce((/** @type {any} */ one, part) => one[part], tune);

/** @param {Table} table @param {readonly Word[]} words */
function commandOf(table, words) {
  const found = findCommand(table, words);
  if (found) return found;
  const [{ text: name }] = words;
  const names = Object.keys(table);
  const meant = require('../base/pure/nearest').nearest(name, names);
  throw new TuneError(
    'TUNE-10005',
    `There is no command "${name}".${meant ? ` Did you mean "tune ${meant}"?` : ''}`,
    { value: name, allowed: names },
  );
}

module.exports = { registerWords };
