'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { runNode } = require('./process');

/**
 * @import { Ended } from './process'
 * @import { Counts } from './reporter'
 */

/**
 * @typedef {{
 *   name: string, passed: number, failed: number, skipped: number, ms: number, notes: string[]
 * }} Result
 * @typedef {{ name: string, folders: string[], except?: string[], tries?: number }} Suite
 *   `except`: folders or files inside them that another suite runs; `tries`: how often a test may
 *   be tried that stands on what a machine does under load
 *   `folders`: or single files
 * @typedef {{
 *   root: string, env: NodeJS.ProcessEnv, limitMs: number, lingerMs?: number, node?: string
 * }} Setting
 */

const MOCHA = path.join(path.dirname(require.resolve('mocha/package.json')), 'bin/mocha.js');
const REPORTER = path.join(__dirname, 'reporter.js');
// A mocha whose tests are over ends by itself, unless a test left a server, a client or a timer
// behind.
const LINGER_MS = 15_000;

/**
 * Runs the mocha tests of some folders.
 * @param {Suite} suite
 * @param {Setting} setting
 * @returns {Promise<Result>}
 */
async function runSuite(
  { name, folders, except = [], tries = 1 },
  { root, env, limitMs, lingerMs = LINGER_MS, node },
) {
  const started = Date.now();
  const files = filesOf({ folders, except }, root);
  if (files.length === 0)
    return { name, passed: 0, failed: 0, skipped: 0, ms: 0, notes: ['no test files yet'] };
  const counting = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-counts-`));
  const file = path.join(counting, 'counts.json');
  const args = [
    MOCHA,
    '--reporter',
    REPORTER,
    '--reporter-option',
    `counts=${file}`,
    '--retries',
    `${tries - 1}`,
    ...files,
  ];
  const ended = await runNode(args, {
    cwd: root,
    env,
    limitMs,
    node,
    onTick: lingering(file, lingerMs),
  });
  const counts = readCounts(file);
  fs.rmSync(counting, { recursive: true, force: true });
  const wrong = whatWentWrong(ended, counts);
  return {
    name,
    passed: counts.passed,
    skipped: counts.skipped,
    ms: Date.now() - started,
    failed: counts.failed + (wrong === null ? 0 : 1),
    notes: [
      ended.output,
      wrong ?? '',
      counts.again > 0 ? `${counts.again} tried again` : '',
      slowest(counts),
    ].filter(Boolean),
  };
}

/**
 * What the counts do not report.
 * @param {Ended} ended
 * @param {Counts} counts
 */
function whatWentWrong(ended, counts) {
  if (ended.killed !== null) return `the suite was ended: ${ended.killed}`;
  if (!counts.finished) return `mocha ended before its tests did (exit code ${ended.code})`;
  if (counts.failed === 0 && ended.code !== 0)
    return `mocha ended with exit code ${ended.code}, though no test failed`;
  if (counts.passed + counts.failed === 0) return 'no test was run';
  return null;
}

/** @param {string} file @param {number} lingerMs */
function lingering(file, lingerMs) {
  /** @type {number | null} */
  let finishedAt = null;
  return () => {
    if (finishedAt === null && readCounts(file).finished) finishedAt = Date.now();
    return finishedAt !== null && Date.now() - finishedAt > lingerMs
      ? 'its tests were over, but something they started was not'
      : null;
  };
}

/** @param {string} file @returns {Counts} */
function readCounts(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (_error) {
    return { passed: 0, failed: 0, skipped: 0, again: 0, finished: false, slowest: [] };
  }
}

/** @param {Counts} counts */
function slowest(counts) {
  const worth = counts.slowest.filter(({ ms }) => ms >= 5000);
  return worth.length === 0
    ? ''
    : `slowest: ${worth.map(({ title, ms }) => `${(ms / 1000).toFixed(1)} s ${title}`).join('; ')}`;
}

/** @param {Pick<Suite, 'folders' | 'except'>} suite @param {string} root */
function filesOf({ folders, except = [] }, root) {
  const left = except.map((folder) => path.join(root, folder));
  return folders
    .flatMap((folder) => testFiles(path.join(root, folder)))
    .filter(
      (file) =>
        !left.some((place) => file === place || file.startsWith(path.join(place, path.sep))),
    );
}

/** @param {string} folder or one file @returns {string[]} */
function testFiles(folder) {
  if (!fs.existsSync(folder)) return [];
  if (folder.endsWith('.test.js')) return [folder];
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => path.join(folder, name));
}

module.exports = { filesOf, runSuite };
