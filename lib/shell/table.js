'use strict';

/**
 * @import { Entry } from '../../snippets/tune'
 */

/**
 * @typedef {Readonly<Record<string, Entry>>} Table
 */

/**
 * Every command with those below it, by their full names: `host`, `host.collect`.
 * @param {Table} table @param {string} [above]
 * @returns {[string, Entry][]}
 */
const allCommands = (table, above = '') =>
  Object.entries(table).flatMap(([name, entry]) => [
    /** @type {[string, Entry]} */ ([above + name, entry]),
    ...allCommands(entry.commands ?? {}, `${above}${name}.`),
  ]);

/**
 * The command that a line of words means, as deep as they lead: `host collect --json` →
 * `host.collect` and the rest.
 * @template {{ text: string }} Word
 * @param {Table} table
 * @param {readonly Word[]} words
 * @returns {{ name: string, entry: Entry, rest: readonly Word[] } | null}
 */
function findCommand(table, [first, ...rest]) {
  if (first === undefined || !Object.hasOwn(table, first.text)) return null;
  const entry = table[first.text];
  const below = entry.commands && findCommand(entry.commands, rest);
  return below
    ? { ...below, name: `${first.text}.${below.name}` }
    : { name: first.text, entry, rest };
}

module.exports = { allCommands, findCommand };
