'use strict';

const { inspect } = require('node:util');
const { ownVersion } = require('../base/own-files');
const { describe } = require('../base/pure/command');
const { codeLines, wrap } = require('../text/wrap');
const { listAll, listGroups } = require('./registry');

/**
 * @import { Command } from '../base/pure/command'
 * @import { Listed, Table } from './registry'
 * @import { Tune } from './tune'
 */

const API_TYPE = Symbol.for('@@mongosh.shellApiType');
/**
 * mongosh indents a help that far, and makes a line with a name far wider than a terminal: so a
 * help has only lines, which fit.
 */
const MARGIN = 2;
const GAP = 2;
/** A blank, because mongosh leaves out an empty line. */
const BLANK = ' ';

/**
 * @typedef {{ help: string, attr: { description: string }[] }} HelpValue mongosh prints it in the
 *   layout of its own help
 */

/** The help of `tune.last`; it is no command, and stands with those that only show. */
const LAST = Object.freeze(/** @type {const} */ (['tune.last', 'The answer of the last command']));

/**
 * Makes the help of all commands, under the heading of each group. It is a list to search through,
 * so all of it is printed, longer than one screen.
 * @param {Table} table
 */
function overallHelp(table) {
  const groups = listGroups(table).map(({ title, commands }) => ({
    title,
    lines: commands.map(
      (listed) => /** @type {[string, string]} */ ([`tune.${listed.name}`, summaryOf(listed)]),
    ),
  }));
  const width = columnWidth([LAST, ...groups.flatMap(({ lines }) => lines)]);
  return helpValue('tune diagnoses and tunes the WiredTiger storage engine', [
    ...groups.flatMap(({ title, lines }, i) => [
      `${title}:`,
      ...rows(i === 0 ? [...lines, LAST] : lines, width),
    ]),
    BLANK,
    ...text('Nothing on a server changes without { confirm: true }.'),
    ...text('tune.advise.help() explains one command, tune.advise({ seconds: 10 }) runs it,'),
    ...text('and tune advise --seconds 10 is short for that.'),
    ...text('tune.explain("TUNE-20005") explains the code of an error.'),
  ]);
}

/** One broken file of an installation must not hide the others. @param {Listed} listed */
function summaryOf(listed) {
  try {
    return listed.load().summary;
  } catch (_broken) {
    return 'cannot be loaded; install tune again';
  }
}

/**
 * Makes the help of one command.
 * @param {Command} command
 * @param {Table} commands the commands below it
 */
const commandHelp = ({ usage, summary, details, risks = [], options, examples }, commands) =>
  helpValue(usage, [
    ...text(`${summary}.`),
    ...(details ? text(`${details}.`) : []),
    ...(risks.length > 0 ? [BLANK, 'Risks:', ...risks.flatMap(bullet)] : []),
    ...(Object.keys(options).length > 0
      ? [BLANK, ...rows(Object.entries(options).map(([name, option]) => [name, describe(option)]))]
      : []),
    ...(Object.keys(commands).length > 0
      ? [
          BLANK,
          ...rows(listAll(commands).map((listed) => [`tune.${listed.name}`, summaryOf(listed)])),
        ]
      : []),
    BLANK,
    'Examples:',
    ...examples.flatMap((example) => drawn(codeLines(example, ' '.repeat(MARGIN)))),
  ]);

/** @param {string} words @returns {string[]} */
const text = (words) => drawn(wrap(words, ' '.repeat(MARGIN)));

/** @param {string} words @returns {string[]} */
const bullet = (words) =>
  drawn(wrap(words, ' '.repeat(2 * MARGIN + 2), `${' '.repeat(2 * MARGIN)}- `));

/** Computes where the second column begins. @param {readonly (readonly [string, string])[]} all */
const columnWidth = (all) => 2 * MARGIN + Math.max(...all.map(([name]) => name.length)) + GAP;

/**
 * Prints names and their meanings in two columns.
 * @param {readonly (readonly [string, string])[]} all names and what they mean
 * @param {number} [width]
 * @returns {string[]}
 */
function rows(all, width = columnWidth(all)) {
  return all.flatMap(([name, words]) =>
    drawn(wrap(words, ' '.repeat(width), `${' '.repeat(2 * MARGIN)}${name}`.padEnd(width))),
  );
}

/** @param {readonly string[]} lines */
const drawn = (lines) => lines.map((line) => line.slice(MARGIN));

/**
 * Makes a value that mongosh prints as a help, also without parentheses.
 * @param {string} help
 * @param {readonly string[]} lines
 */
function helpValue(help, lines) {
  const value = { help, attr: lines.map((description) => ({ description })) };
  Object.defineProperty(value, API_TYPE, { value: 'Help' });
  Object.defineProperty(value, inspect.custom, { value: () => plainHelp(value) });
  // Both `tune.help` and `tune.help()` print it, as mongosh's own help does.
  return Object.setPrototypeOf(() => value, value);
}

/** Prints a help in the same layout where there is no mongosh to do it. @param {HelpValue} value */
function plainHelp({ help, attr }) {
  return [
    `\n${' '.repeat(MARGIN)}${help}:\n`,
    ...attr.map(({ description }) => `${' '.repeat(MARGIN)}${description}`.trimEnd()),
    '',
  ].join('\n');
}

/** The commands in the order in which a person needs them; the last one needs no server. */
const STEPS = Object.freeze(['status', 'advise', 'apply', 'undo', 'demo']);

/**
 * Makes the text that `tune` alone prints.
 * @param {Table} table
 */
function overview(table) {
  const steps = STEPS.filter((name) => table[name]).map((name) => [
    `tune.${name}(${name === 'apply' ? 'change' : ''})`,
    summaryOf(table[name]),
  ]);
  const lines = [
    ...steps,
    ['tune.help()', `All ${count(table)} commands; tune.advise.help() explains one`],
  ];
  const width = Math.max(...lines.map(([usage]) => usage.length)) + GAP;
  return [
    `tune ${ownVersion()}: finds what holds WiredTiger back, and changes nothing unasked.`,
    '',
    ...lines.map(([usage, help]) => `  ${usage.padEnd(width)}${help}`),
  ].join('\n');
}

/** Counts commands, with those below others. @param {Table} table @returns {number} */
const count = (table) =>
  Object.values(table).reduce((sum, { commands }) => sum + 1 + count(commands), 0);

/** Marks tune's help function in mongosh, in case the snippet is loaded twice. */
const OWN_HELP = Symbol.for('mongosh-tune.help');

/**
 * Makes `help(tune)` and `help(tune.status)` work: mongosh's own help ignores its argument and
 * shows the general help.
 * @param {any} shell
 * @param {Tune} tune
 */
function extendHelp(shell, tune) {
  const original = shell.help?.[OWN_HELP] ?? shell.help;
  if (typeof original !== 'function') return;
  shell.help = new Proxy(original, {
    apply: (target, self, args) => helpOf(tune, args[0]) ?? Reflect.apply(target, self, args),
    get: (target, name) => (name === OWN_HELP ? original : Reflect.get(target, name)),
  });
}

/** Finds the help of the argument of `help()`. @param {Tune} tune @param {unknown} about */
function helpOf(tune, about) {
  if (about === tune) return tune.help();
  return commandsIn(tune)
    .find((one) => one === about)
    ?.help();
}

/** Lists every command, with those below others. @param {Tune} tune @returns {any[]} */
const commandsIn = (tune) =>
  Object.values(tune).flatMap((command) => [command, ...commandsIn(command)]);

module.exports = { overallHelp, commandHelp, overview, extendHelp };
