'use strict';

const { defaultOf } = require('../../lib/base/pure/command');
const { allCommands } = require('../../lib/shell/registry');
const { privilegesOf } = require('./privileges');

/**
 * @import { Command } from '../../lib/base/pure/command'
 * @import { Listed, Table } from '../../lib/shell/registry'
 */

const MADE = '<!-- Made by `npm run docs` from lib/commands; edit the command, not this page. -->';

/**
 * The page of a command and of those below it.
 * @param {Listed} listed
 * @returns {string}
 */
function commandPage({ name, load, commands }) {
  return `${[
    `# tune.${name}`,
    MADE,
    ...parts(name, load()),
    ...allCommands(commands).flatMap(([below, one]) => [`## tune.${below}`, ...parts(below, one)]),
    `\`tune.${name}.help()\` shows the same in the shell. [All commands](README.md), ` +
      '[privileges](../privileges.md).',
  ].join('\n\n')}\n`;
}

/** @param {string} name @param {Command} command @returns {string[]} */
function parts(name, { usage, summary, details, risks = [], options, examples, changes }) {
  return [
    fence(usage),
    `${summary}.${details ? ` ${details}.` : ''}`,
    ...(risks.length > 0
      ? ['**Risks**', risks.map((risk) => `- ${cell(risk)}`).join('\n'), MORE]
      : []),
    ...(Object.keys(options).length > 0 ? [optionTable(options)] : ['It has no options.']),
    `${doesWhat(changes, options)} Privileges: ${privilegesOf(name, changes !== 'nothing')}.`,
    fence(examples.join('\n')),
  ];
}

const MORE =
  'Before you change a server in production: ' +
  '[checklist](../safety.md#before-you-apply-in-production).';

/** @param {Command['changes']} changes @param {Command['options']} options */
function doesWhat(changes, options) {
  if (changes === 'nothing') return 'It changes nothing.';
  return Object.hasOwn(options, 'confirm')
    ? 'It changes something with `{ confirm: true }` only; without, it shows what it would do.'
    : 'It writes its progress on the server.';
}

/** @param {Command['options']} options */
function optionTable(options) {
  const rows = Object.entries(options).map(
    ([name, option]) =>
      `| \`${name}\` | ${cell(option.description)} | ${cell(defaultOf(option))} |`,
  );
  return ['| option | what it is | without it |', '|---|---|---|', ...rows].join('\n');
}

/** @param {Table} table @returns {string} the page that lists them */
function commandsIndex(table) {
  const rows = allCommands(table).map(
    ([name, { summary, changes }]) =>
      `| [tune.${name}](${fileOf(name)}) | ${cell(summary)} | ${changes === 'nothing' ? '' : 'can'} |`,
  );
  return `${[
    '# Commands',
    MADE,
    'Every command, as `tune.help()` lists them. What it answers is data and prints as text. Most ' +
      'also work as words: `tune advise --seconds 10`. Those that take an answer or a plan, such as ' +
      '`tune.split.run(plan)` and `tune.split.script(plan)`, need the call.',
    ['| command | what it does | changes something |', '|---|---|---|', ...rows].join('\n'),
  ].join('\n\n')}\n`;
}

/** @param {string} name `host.collect` stands on the page of host, under a heading of its own */
function fileOf(name) {
  const [page] = name.split('.');
  return name === page ? `${page}.md` : `${page}.md#tune${name.replaceAll('.', '').toLowerCase()}`;
}

/** @param {string} code */
const fence = (code) => `\`\`\`js\n${code}\n\`\`\``;
/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|');

module.exports = { commandPage, commandsIndex };
