'use strict';
// npm run quick -- NAME …: what concerns a rule, a command or a file, and what everything owes.
// Without a name: what is not committed.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { runCheck } = require('./testing/checks');
const { REGISTRY, concernedBy, namesNear } = require('./testing/concerned');
const { runLanes, seconds, total } = require('./testing/lanes');
const { endWithChildren } = require('./testing/process');
const { runSuite } = require('./testing/suites');

/** @typedef {import('./testing/concerned').Concerned} Concerned */

const ROOT = path.join(__dirname, '..');
const LIMIT_MS = 5 * 60_000;
// Types are checked as a whole, and remembered: the second time takes a fraction of the first.
const TYPES_REMEMBERED = 'node_modules/.cache/mongosh-tune/types.tsbuildinfo';

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);

/** @param {string[]} words @returns {Promise<number>} exit code: 2 for a name that nothing has */
async function main(words) {
  endWithChildren();
  const started = Date.now();
  const changed = changedFiles();
  const asked = words.length > 0 ? words : changed;
  const found = asked.map((word) => ({ word, what: concernedBy(word, ROOT) }));
  const unknown = found.filter(({ what }) => what === null).map(({ word }) => word);
  unknown.forEach(sayUnknown);
  if (unknown.length > 0) return 2;
  const what = together(found.map((one) => /** @type {Concerned} */ (one.what)));
  say(what, changed);
  const results = await runLanes(lanesFor(what, changed));
  const { failed, line } = total(results);
  console.log(`${seconds(Date.now() - started)} in all`);
  console.log(line);
  return failed > 0 ? 1 : 0;
}

/** What is not committed, and was not deleted. @returns {string[]} */
function changedFiles() {
  const git = (/** @type {string[]} */ ...args) =>
    spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout ?? '';
  return [
    ...git('diff', '--name-only', '--relative', 'HEAD').split('\n'),
    ...git('ls-files', '--others', '--exclude-standard').split('\n'),
  ].filter((name) => name !== '' && fs.existsSync(path.join(ROOT, name)));
}

/** @param {string} word */
function sayUnknown(word) {
  const near = namesNear(word, ROOT);
  console.error(
    `"${word}" is no file or folder here, and nothing in lib, snippets, scripts, bench or test ` +
      `is called so.${near.length > 0 ? ` Near: ${near.join(', ')}.` : ''}`,
  );
}

/** @param {Concerned[]} all @returns {Concerned} */
function together(all) {
  const tests = new Set(all.flatMap((one) => one.tests));
  return {
    sources: [...new Set(all.flatMap((one) => one.sources))],
    tests: [...tests].filter((file) => !REGISTRY.includes(file)),
    slow: [...new Set(all.flatMap((one) => one.slow))].filter((file) => !tests.has(file)),
  };
}

/** @param {Concerned} what @param {string[]} changed */
function say({ tests, slow, sources }, changed) {
  const none = slow.length > 0 ? 'none that is quick, see below' : 'none';
  console.log(`own tests: ${tests.join(' ') || none}`);
  console.log(`over everything: ${REGISTRY.map(shortName).join(' ')}`);
  console.log(`lint: ${toLint(sources, tests, changed).join(' ') || 'nothing'}`);
  if (slow.length > 0) console.log(`not run, they take longer: npx mocha ${slow.join(' ')}`);
}

/** @param {string} file */
function shortName(file) {
  return file.replace(/^test\/unit\/|\.test\.js$/g, '');
}

/** @param {string[]} sources @param {string[]} tests @param {string[]} changed */
function toLint(sources, tests, changed) {
  return [...new Set([...sources, ...tests, ...changed])].filter((file) => file.endsWith('.js'));
}

/**
 * @param {Concerned} what
 * @param {string[]} changed
 * @returns {import('./testing/lanes').Task[][]}
 */
function lanesFor({ tests, sources }, changed) {
  const setting = { root: ROOT, env: process.env, limitMs: LIMIT_MS };
  const files = toLint(sources, tests, changed);
  /** @param {string} name @param {string[]} folders */
  const suite = (name, folders) =>
    folders.length === 0 ? [] : [{ name, run: () => runSuite({ name, folders }, setting) }];
  /** @param {string} name @param {string[]} args */
  const check = (name, args) => ({ name, run: () => runCheck(name, setting, args) });
  const lint = files.length > 0 ? [check('lint', files)] : [];
  const types = check('types', ['-p', '.', '--incremental', '--tsBuildInfoFile', TYPES_REMEMBERED]);
  return [
    [...suite('own tests', tests), ...lint],
    [...suite('over everything', REGISTRY), types],
  ];
}
