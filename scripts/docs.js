'use strict';

// Writes docs/rules and docs/monitoring from the rules, and docs/commands from the
// commands. With --check it writes nothing and fails where a page differs.
const path = require('node:path');
const { loadAllRules, loadRules } = require('../lib/rules/registry');
const { rulePage, rulesIndex } = require('../lib/rules/rule-text');
const { listCommands } = require('../lib/shell/registry');
const { alertsFile } = require('./documents/alerts');
const { commandPage, commandsIndex } = require('./documents/command-page');
const { dashboardFile } = require('./documents/dashboard');
const { differing, write } = require('./documents/folder');

const DOCS = path.join(__dirname, '..', 'docs');

/** @returns {Record<string, Map<string, string>>} folder → file name → text */
function books() {
  const rules = loadAllRules();
  const commands = listCommands();
  return {
    rules: new Map([
      ['README.md', rulesIndex(rules)],
      ...rules.map((rule) => /** @type {[string, string]} */ ([`${rule.id}.md`, rulePage(rule)])),
    ]),
    commands: new Map([
      ['README.md', commandsIndex(commands)],
      ...Object.entries(commands).map(
        ([name, listed]) => /** @type {[string, string]} */ ([`${name}.md`, commandPage(listed)]),
      ),
    ]),
    monitoring: new Map([
      ['alerts.yml', alertsFile(loadRules())],
      ['dashboard.json', dashboardFile(loadRules())],
    ]),
  };
}

/**
 * @param {string[]} args
 * @param {{ docs?: string, out?: Pick<Console, 'log' | 'error'> }} [options]
 * @returns {number} exit code
 */
function main(args, { docs = DOCS, out = console } = {}) {
  const wrong = Object.entries(books())
    .map(([book, wanted]) => ({
      book,
      wanted,
      folder: path.join(docs, book),
      names: differing(path.join(docs, book), wanted),
    }))
    .filter(({ names }) => names.length > 0);
  if (args.includes('--check')) {
    const pages = wrong.flatMap(({ book, names }) => names.map((name) => `  docs/${book}/${name}`));
    if (pages.length > 0)
      out.error(
        `These pages differ from the rules and commands; run npm run docs:\n${pages.join('\n')}`,
      );
    return pages.length > 0 ? 1 : 0;
  }
  for (const { folder, wanted, names } of wrong) write(folder, wanted, names);
  out.log(
    wrong.length === 0
      ? 'docs: nothing to do'
      : wrong.map(({ book, names }) => `docs/${book}: wrote ${names.join(', ')}`).join('\n'),
  );
  return 0;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));

module.exports = { main };
