'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { allCommands } = require('./table');

/**
 * @import { Entry } from '../../snippets/tune'
 */

/** The way through tune, in the order a person goes it. */
const STEPS = Object.freeze(['status', 'advise', 'apply', 'undo']);
const GAP = 2;

/**
 * What `tune` alone shows.
 * @param {Readonly<Record<string, Entry>>} table
 */
function overview(table) {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
  const steps = STEPS.filter((name) => table[name]).map((name) => [
    `tune.${name}(${table[name].takes[0] === 'change' ? 'change' : ''})`,
    table[name].help,
  ]);
  const lines = [
    ...steps,
    ['tune.help()', `All ${allCommands(table).length} commands; tune.advise.help() explains one`],
  ];
  const width = Math.max(...lines.map(([usage]) => usage.length)) + GAP;
  return [
    `tune ${version}: finds what holds WiredTiger back, and changes nothing unasked.`,
    '',
    ...lines.map(([usage, help]) => `  ${usage.padEnd(width)}${help}`),
  ].join('\n');
}

module.exports = { overview };
