'use strict';

const { GROUPS } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { modulesIn } = require('../base/own-files');

/**
 * @import { Command } from '../base/pure/command'
 */

/**
 * The folder lib/commands is the registry: split-plan.js is tune.split.plan(). The start of a shell
 * only reads the names; a command is loaded when it is called, or when its help is needed.
 * @typedef {{ name: string, load(): Command, commands: Table }} Listed `name`: `split.plan`;
 *   `commands`: the commands below it
 * @typedef {{ [name: string]: Listed }} Table
 */

/**
 * Lists every command by its name, without loading it.
 * @param {ReturnType<typeof modulesIn>} [modules] in the order of names, so a command comes before
 *   those below it
 * @returns {Table}
 */
function listCommands(modules = modulesIn('lib/commands')) {
  /** @type {Table} */
  const table = {};
  for (const { name: file, load } of modules) {
    const parts = file.split('-');
    const own = /** @type {string} */ (parts.pop());
    const above = parts.reduce((commands, part) => commands[part].commands, table);
    const name = [...parts, own].join('.');
    above[own] = { name, load: () => loadCommand(name, load), commands: {} };
  }
  return table;
}

/**
 * Loads one command.
 * @param {string} name
 * @param {() => Command} load
 * @returns {Command}
 * @throws {TuneError} TUNE-90001
 */
function loadCommand(name, load) {
  try {
    return load();
  } catch (cause) {
    // Node.js adds the whole chain of requires in further lines.
    const [why] = /** @type {Error} */ (cause).message.split('\n');
    throw new TuneError(
      'TUNE-90001',
      `tune.${name} cannot be loaded: ${why}. If the installation is not complete, install ` +
        'tune again.',
      { cause },
    );
  }
}

/** Sorts the commands of one level in the order of the help. @param {Table} table */
const inOrder = (table) =>
  Object.values(table)
    .map((listed) => ({ listed, place: placeOf(listed) }))
    .sort((a, b) => a.place - b.place);

/**
 * Lists every command with those below it, in the order of the help.
 * @param {Table} table
 * @returns {Listed[]}
 */
const listAll = (table) =>
  inOrder(table).flatMap(({ listed }) => [listed, ...listAll(listed.commands)]);

/**
 * Groups the commands under the headings of the help; those below another stand under its heading.
 * @param {Table} table
 * @returns {{ title: string, commands: Listed[] }[]}
 */
function listGroups(table) {
  /** @type {Map<string, Listed[]>} in the order of the headings */
  const groups = new Map();
  for (const { listed, place } of inOrder(table)) {
    const title = GROUPS[Math.floor(place)] ?? UNKNOWN_GROUP;
    groups.set(title, [...(groups.get(title) ?? []), listed, ...listAll(listed.commands)]);
  }
  return [...groups].map(([title, commands]) => ({ title, commands }));
}

/** The heading of commands that cannot be loaded. */
const UNKNOWN_GROUP = 'Cannot be loaded';

/** A command that cannot be loaded comes last. @param {Listed} listed */
function placeOf(listed) {
  try {
    const { group, order } = listed.load();
    return GROUPS.indexOf(group) + order / 100;
  } catch (_broken) {
    return Infinity;
  }
}

/**
 * Lists every command by its full name, `host` and `host.collect`, in the order of the help.
 * @param {Table} table
 * @returns {[string, Command][]}
 */
const allCommands = (table) => listAll(table).map((listed) => [listed.name, listed.load()]);

/**
 * Finds the command that a line of words names, as deep as the words lead: `host collect --json` →
 * `host.collect` and the rest.
 * @template {{ text: string }} Word
 * @param {Table} table
 * @param {readonly Word[]} words
 * @returns {{ listed: Listed, rest: readonly Word[] } | null}
 */
function findCommand(table, [first, ...rest]) {
  if (first === undefined || !Object.hasOwn(table, first.text)) return null;
  const listed = table[first.text];
  return findCommand(listed.commands, rest) ?? { listed, rest };
}

module.exports = { listCommands, listAll, listGroups, allCommands, findCommand };
