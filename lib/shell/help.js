'use strict';

const { inspect } = require('node:util');
const { allCommands } = require('./table');

const API_TYPE = Symbol.for('@@mongosh.shellApiType');
// mongosh's formatter pads names to this many characters and crashes on longer ones.
const NAME_COLUMNS = 43;

/** @typedef {import('../../snippets/tune').Entry} Entry */
/** @typedef {{ name?: string, description: string }} Line */
/** @typedef {{ help: string, attr: Line[] }} HelpValue drawn by mongosh in the layout of its own help */

/**
 * The help of all commands. @param {Readonly<Record<string, Entry>>} table
 */
const overallHelp = (table) => helpValue('tune, a doctor for the WiredTiger storage engine', [
  ...allCommands(table).map(([, { usage, help }]) => ({ name: usage, description: help })),
  { name: 'tune.last', description: 'What the last command answered' },
  { description: '\n  tune.advise.help() explains one command. `tune advise --seconds 10` is short for tune.advise({ seconds: 10 }).' },
]);

/**
 * The help of one command. @param {Entry} entry
 */
const commandHelp = ({ usage, help, more, options, examples }) => helpValue(usage, [
  { description: `${[help, ...(more ? [more] : [])].join('.\n  ')}.${options.length > 0 ? '\n' : ''}` },
  ...options.map(({ name, description }) => ({ name, description })),
  { description: ['\n  Examples:', ...examples].join('\n    ') },
]);

/** @param {string} help @param {Line[]} attr */
function helpValue(help, attr) {
  const value = { help, attr };
  Object.defineProperty(value, API_TYPE, { value: 'Help' });
  Object.defineProperty(value, inspect.custom, { value: () => plainHelp(value) });
  // Both `tune.help` and `tune.help()` print it, as with mongosh's own.
  return Object.setPrototypeOf(() => value, value);
}

/** The same layout where mongosh is not there to draw it. @param {HelpValue} value */
function plainHelp({ help, attr }) {
  const lines = attr.map(({ name, description }) => (name ? `    ${name.padEnd(NAME_COLUMNS)}${description}` : `  ${description}`));
  return [`\n  ${help}:\n`, ...lines, ''].join('\n');
}

module.exports = { overallHelp, commandHelp, NAME_COLUMNS };
