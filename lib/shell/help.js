'use strict';

const { inspect } = require('node:util');
const { allCommands } = require('./table');
const { codeLines, wrap } = require('../text/wrap');

/**
 * @import { Entry } from '../../snippets/tune'
 */

const API_TYPE = Symbol.for('@@mongosh.shellApiType');
/**
 * mongosh draws a help so far from the left, and a line with a name far wider than a terminal: so
 * there are only lines, which fit.
 */
const MARGIN = 2;
const GAP = 2;
/** mongosh leaves out what is empty. */
const BLANK = ' ';

/**
 * @typedef {{ help: string, attr: { description: string }[] }} HelpValue drawn by mongosh in the
 *   layout of its own help
 */

/**
 * The help of all commands. @param {Readonly<Record<string, Entry>>} table
 */
const overallHelp = (table) =>
  helpValue('tune, a doctor for the WiredTiger storage engine', [
    ...rows([
      ...allCommands(table).map(
        ([name, { help }]) => /** @type {[string, string]} */ ([`tune.${name}`, help]),
      ),
      ['tune.last', 'What the last command answered'],
    ]),
    BLANK,
    ...text('tune.advise.help() explains one command, tune.advise({ seconds: 10 }) runs it,'),
    ...text('and tune advise --seconds 10 is short for that.'),
  ]);

/**
 * The help of one command. @param {Entry} entry
 */
const commandHelp = ({ usage, help, more, options, examples, commands = {} }) =>
  helpValue(usage, [
    ...text(`${help}.`),
    ...(more ? text(`${more}.`) : []),
    ...(options.length > 0
      ? [BLANK, ...rows(options.map(({ name, description }) => [name, description]))]
      : []),
    ...(Object.keys(commands).length > 0
      ? [
          BLANK,
          ...rows(
            Object.entries(commands).map(
              ([name, below]) =>
                /** @type {[string, string]} */ ([
                  `${usage.replace(/\(.*/, '')}.${name}`,
                  below.help,
                ]),
            ),
          ),
        ]
      : []),
    BLANK,
    'Examples:',
    ...examples.flatMap((example) => drawn(codeLines(example, ' '.repeat(MARGIN)))),
  ]);

/** @param {string} words @returns {string[]} */
const text = (words) => drawn(wrap(words, ' '.repeat(MARGIN)));

/**
 * @param {readonly (readonly [string, string])[]} all names and what they mean
 * @returns {string[]}
 */
function rows(all) {
  const width = 2 * MARGIN + Math.max(...all.map(([name]) => name.length)) + GAP;
  return all.flatMap(([name, words]) =>
    drawn(wrap(words, ' '.repeat(width), `${' '.repeat(2 * MARGIN)}${name}`.padEnd(width))),
  );
}

/** @param {readonly string[]} lines */
const drawn = (lines) => lines.map((line) => line.slice(MARGIN));

/** @param {string} help @param {readonly string[]} lines */
function helpValue(help, lines) {
  const value = { help, attr: lines.map((description) => ({ description })) };
  Object.defineProperty(value, API_TYPE, { value: 'Help' });
  Object.defineProperty(value, inspect.custom, { value: () => plainHelp(value) });
  // Both `tune.help` and `tune.help()` print it, as with mongosh's own.
  return Object.setPrototypeOf(() => value, value);
}

/** The same layout where mongosh is not there to draw it. @param {HelpValue} value */
function plainHelp({ help, attr }) {
  return [
    `\n${' '.repeat(MARGIN)}${help}:\n`,
    ...attr.map(({ description }) => `${' '.repeat(MARGIN)}${description}`.trimEnd()),
    '',
  ].join('\n');
}

module.exports = { overallHelp, commandHelp };
