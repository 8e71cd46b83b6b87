'use strict';

// Writes docs/rules and docs/monitoring from the rules, docs/commands from the commands, and the
// pages of docs that list all of something: counters.md, errors.md, reference-card.md, sources.md; and from
// test/samples the samples of the pages and the recording of tune.demo(). With --check it writes nothing and fails
// where a page differs.
const fs = require('node:fs');
const path = require('node:path');
const { loadAllRules, loadRules } = require('../lib/rules/registry');
const { rulePage, rulesIndex } = require('../lib/rules/rule-text');
const { SYMPTOMS } = require('../lib/commands/pure/symptoms');
const { symptomsPage } = require('../lib/commands/pure/symptom-text');
const { listCommands } = require('../lib/shell/registry');
const { alertsFile } = require('./documents/alerts');
const { commandPage, commandsIndex } = require('./documents/command-page');
const { countersPage } = require('./documents/counters-page');
const { dashboardFile } = require('./documents/dashboard');
const { demoRecording } = require('./documents/demo-recording');
const { differing, write } = require('./documents/folder');
const { defectsPage } = require('./documents/defects-page');
const { errorPage } = require('./documents/error-page');
const { referenceCard } = require('./documents/reference-card');
const { reviewPage } = require('./documents/review-page');
const { serverCommandsPage } = require('./documents/server-commands');
const { sourcesPage } = require('./documents/sources-page');
const { renderSample } = require('./samples/list');
const { differingPages, writePages } = require('./samples/pages');

const DOCS = path.join(__dirname, '..', 'docs');
/** Pages that are made, among those that people write. */
const AMONG_OTHERS = '.';
/** The recording of tune.demo(), among files of the program. */
const RECORDING = path.join('..', 'lib', 'recording', 'pure');
/** What draws the charts of a report. */
const PLOT = path.join('..', 'vendor', 'uplot');

/** The package uplot, unchanged: a user need not install all of it. @returns {[string, string][]} */
const plotFiles = () =>
  ['dist/uPlot.iife.min.js', 'dist/uPlot.min.css', 'LICENSE'].map((file) => [
    path.basename(file),
    fs.readFileSync(path.join(__dirname, '..', 'node_modules', 'uplot', file), 'utf8'),
  ]);

/** @returns {Record<string, Map<string, string>>} folder → file name → text */
function books() {
  const rules = loadAllRules();
  const commands = listCommands();
  return {
    [AMONG_OTHERS]: new Map([
      ['counters.md', countersPage()],
      ['defects.md', defectsPage()],
      ['errors.md', errorPage()],
      ['reference-card.md', referenceCard(commands)],
      ['server-commands.md', serverCommandsPage()],
      ['sources.md', sourcesPage(rules)],
      ['symptoms.md', symptomsPage(SYMPTOMS)],
    ]),
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
    dev: new Map([['security-review.md', reviewPage()]]),
    [RECORDING]: new Map([['demo-recording.json', demoRecording()]]),
    [PLOT]: new Map(plotFiles()),
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
      names: differing(
        path.join(docs, book),
        wanted,
        [AMONG_OTHERS, 'dev', RECORDING].includes(book),
      ),
    }))
    .filter(({ names }) => names.length > 0);
  if (args.includes('--check')) {
    const pages = wrong.flatMap(({ book, names }) =>
      names.map((name) => `  ${path.join('docs', book, name)}`),
    );
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
      : wrong
          .map(({ book, names }) => `${path.join('docs', book)}: wrote ${names.join(', ')}`)
          .join('\n'),
  );
  return 0;
}

/**
 * The samples between their markers in README.md and docs/*.md.
 * @param {string[]} args
 * @returns {number} exit code
 */
function samples(args) {
  if (!args.includes('--check')) {
    for (const page of writePages(renderSample)) console.log(`${page}: wrote its samples`);
    return 0;
  }
  const pages = differingPages(renderSample).map(({ page }) => page);
  if (pages.length > 0)
    console.error(`Samples print otherwise today; run npm run docs:\n  ${pages.join('\n  ')}`);
  return pages.length > 0 ? 1 : 0;
}

if (require.main === module) {
  const args = process.argv.slice(2);
  process.exitCode = Math.max(main(args), samples(args));
}

module.exports = { main };
