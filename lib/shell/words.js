'use strict';

const { TuneError } = require('../base/pure/errors');
const { splitWords, argumentsOf, flagsOf } = require('./parse-words');
const { findCommand } = require('./registry');
const { awaited } = require('./tune');

/**
 * @import { Word } from './parse-words'
 * @import { Listed, Table } from './registry'
 * @import { Tune } from './tune'
 * @import { State } from './types'
 */

/**
 * Lets a line that begins with the word `tune` be a command: `tune status --seconds 5`.
 * @param {State} state
 * @param {Tune} tune
 * @param {Table} table
 * @param {() => Promise<void> | undefined} [greet] runs before `tune` alone is answered
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
 * Answers the word `tune` alone.
 * @param {Tune} tune
 * @param {(() => Promise<void> | undefined) | undefined} greet
 */
async function greeted(tune, greet) {
  await greet?.();
  return tune;
}

/**
 * Runs a line of words, or returns the help that it asks for.
 * @param {Tune} tune
 * @param {Table} table
 * @param {string} line the line without the word `tune`
 */
async function runWords(tune, table, line) {
  const words = splitWords(line);
  if (words[0].text === 'help' || words[0].text === '--help')
    return helpOn(tune, table, words.slice(1));
  const { listed, rest } = commandOf(table, words);
  const command = at(tune, listed.name);
  return rest.some(({ text }) => text === '--help')
    ? command.help
    : command(...argumentsOf(listed.load(), rest));
}

/**
 * Finds the help of everything, or of the command behind the word `help`.
 * @param {Tune} tune
 * @param {Table} table
 * @param {readonly Word[]} words the words behind `help`
 */
const helpOn = (tune, table, words) =>
  (words.length === 0 ? tune : at(tune, commandOf(table, words).listed.name)).help;

/**
 * Finds the function of a command.
 * @param {Tune} tune
 * @param {string} name `host.collect`
 * @returns {any}
 */
const at = (tune, name) =>
  name.split('.').reduce((/** @type {any} */ command, part) => command[part], tune);

/**
 * Finds the command that words name.
 * @param {Table} table
 * @param {readonly Word[]} words
 * @throws {TuneError} TUNE-10005
 */
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

/**
 * mongosh keeps the data of its completer under this name; nothing promises it, so it may be
 * missing.
 */
const SIGNATURES = '@@@mdb.signatures@@@';

/** Lets TAB complete what follows the word `tune`. @param {Table} table */
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
 * Completes the last word.
 * @param {Table} table
 * @param {string[]} words the words of the line, the last one unfinished; mongosh leaves out a
 *   blank behind it
 * @returns {string[]} words that can replace the last one
 */
function complete(table, [, ...words]) {
  const [name = '', ...rest] = words;
  if (name === 'help')
    return rest.length === 0
      ? Object.keys(table).map((listed) => `help ${listed}`)
      : startingWith(Object.keys(table), rest);
  const found = findCommand(
    table,
    words.slice(0, -1).map((text) => ({ text })),
  );
  if (found) return startingWith(offersOf(found.listed), rest);
  const offers = Object.hasOwn(table, name) ? offersOf(table[name]) : [];
  return rest.length > 0
    ? []
    : [
        ...startingWith([...Object.keys(table), 'help'], [name]),
        ...offers.map((offer) => `${name} ${offer}`),
      ];
}

/** Lists what may follow the name of a command. @param {Listed} listed */
function offersOf({ load, commands }) {
  const command = load();
  return [
    ...Object.keys(commands),
    ...(command.words?.() ?? []),
    ...flagsOf(command).map((name) => `--${name}`),
  ];
}

/**
 * Selects names that the last word begins.
 * @param {readonly string[]} names
 * @param {string[]} words
 */
const startingWith = (names, words) =>
  names.filter((name) => name.startsWith(/** @type {string} */ (words.at(-1))));

module.exports = { registerWords, registerCompletion, complete };
