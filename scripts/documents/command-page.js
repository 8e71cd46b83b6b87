'use strict';

const { allCommands } = require('../../lib/shell/table');
const { privilegesOf } = require('./privileges');

/**
 * @import { Entry } from '../../snippets/tune'
 */

/**
 * @typedef {Readonly<Record<string, Entry>>} Table
 */

const MADE = '<!-- Made by `npm run docs` from snippets/table; edit the table, not this page. -->';
/** What is at the end of a description in brackets is what holds without the option. */
const DEFAULT = /^(.*?) ?\(([^()]*)\)$/;

/**
 * The page of a command and of those below it.
 * @param {string} name @param {Entry} entry
 * @returns {string}
 */
function commandPage(name, entry) {
  return `${[
    `# tune.${name}`,
    MADE,
    ...parts(name, entry),
    ...allCommands(entry.commands ?? {}, `${name}.`).flatMap(([below, one]) => [
      `## tune.${below}`,
      ...parts(below, one),
    ]),
    `\`tune.${name}.help()\` shows the same in the shell. [All commands](README.md), ` +
      '[privileges](../privileges.md).',
  ].join('\n\n')}\n`;
}

/** @param {string} name @param {Entry} entry @returns {string[]} */
function parts(name, { usage, help, more, options, examples, changes }) {
  return [
    fence(usage),
    `${help}.${more ? ` ${more}.` : ''}`,
    ...(options.length > 0 ? [optionTable(options)] : ['It has no options.']),
    `${doesWhat(changes, options)} Privileges: ${privilegesOf(name, changes)}.`,
    fence(examples.join('\n')),
  ];
}

/** @param {boolean} changes @param {readonly { name: string }[]} options */
function doesWhat(changes, options) {
  if (!changes) return 'It changes nothing.';
  return options.some(({ name }) => name === 'confirm')
    ? 'It changes something with `{ confirm: true }` only; without, it shows what it would do.'
    : 'It writes down on the server how far it is.';
}

/** @param {readonly { name: string, description: string }[]} options */
function optionTable(options) {
  const rows = options.map(({ name, description }) => {
    const [, what, without] = DEFAULT.exec(description) ?? [null, description, ''];
    return `| \`${name}\` | ${cell(what)} | ${cell(without)} |`;
  });
  return ['| option | what it is | without it |', '|---|---|---|', ...rows].join('\n');
}

/** @param {Table} table @returns {string} the page that lists them */
function commandsIndex(table) {
  const rows = allCommands(table).map(
    ([name, { help, changes }]) =>
      `| [tune.${name}](${fileOf(name)}) | ${cell(help)} | ${changes ? 'can' : ''} |`,
  );
  return `${[
    '# Commands',
    MADE,
    'Every command, as `tune.help()` lists them. Each also works as words: `tune advise ' +
      '--seconds 10`; what it answers is data and prints as text.',
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
