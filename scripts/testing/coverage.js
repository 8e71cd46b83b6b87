'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { isPure } = require('../lint/rooms');
const { runNode } = require('./process');

/**
 * @import { Result } from './suites'
 */

/**
 * @typedef {{ name: string, ratio: number, missing: number[], lines: number }} FileCoverage
 */

const C8 = path.join(path.dirname(require.resolve('c8/package.json')), 'bin/c8.js');
const MEASURED = ['lib/**/*.js'];
/** Runs in a browser, where test/browser uses it. */
const ELSEWHERE = 'lib/report/page/**';
/** What lines are run depends on these. */
const SOURCES = ['lib', 'snippets', 'test'];
const REPORT_LIMIT_MS = 2 * 60_000;
const SHOWN_LINES = 12;

/**
 * Arithmetic has no excuse for a line that no test runs; the rest has lines that only a broken
 * machine reaches.
 */
const FLOORS = [
  { name: 'coverage, what is pure', ratio: 1, holds: isPure },
  { name: 'coverage, the rest', ratio: 0.9, holds: (/** @type {string} */ file) => !isPure(file) },
];

/**
 * Where the suites of this run leave what they ran: another run may be under way.
 * @param {string} root
 */
function coverageFolder(root) {
  return path.join(root, 'coverage', `raw-${process.pid}`);
}

/**
 * Holds every line of lib against its floor, also of files that no test loads.
 * @param {{ root: string, whole?: boolean }} setting `whole`: all tests were run, none fewer; the
 *   floors say nothing of a part of them
 * @returns {Promise<Result[]>}
 */
async function checkCoverage({ root, whole = true }) {
  const started = Date.now();
  if (!whole)
    return FLOORS.map(({ name }) => ({
      name,
      passed: 0,
      failed: 0,
      skipped: 1,
      ms: 0,
      notes: ['not checked: npm test was not run before, with this very code'],
    }));
  const include = MEASURED.flatMap((glob) => ['--include', glob]);
  const args = [
    C8,
    'report',
    '--all',
    ...include,
    '--exclude',
    ELSEWHERE,
    '--temp-directory',
    coverageFolder(root),
    '--reports-dir',
    path.join(root, 'coverage'),
    '--reporter',
    'json',
    '--reporter',
    'json-summary',
  ];
  const { code, output, killed } = await runNode(args, { cwd: root, limitMs: REPORT_LIMIT_MS });
  const ms = Date.now() - started;
  if (code !== 0 || killed !== null)
    return FLOORS.map(({ name }) => ({
      name,
      passed: 0,
      failed: 1,
      skipped: 0,
      ms,
      notes: [output, killed ?? ''],
    }));
  const files = readFiles(root);
  return FLOORS.map(({ name, ratio, holds }) =>
    judge(
      name,
      ratio,
      files.filter((file) => holds(file.name)),
      ms,
    ),
  );
}

/** @param {string} root @returns {FileCoverage[]} */
function readFiles(root) {
  const summary = JSON.parse(
    fs.readFileSync(path.join(root, 'coverage', 'coverage-summary.json'), 'utf8'),
  );
  const details = JSON.parse(
    fs.readFileSync(path.join(root, 'coverage', 'coverage-final.json'), 'utf8'),
  );
  return Object.keys(summary)
    .filter((key) => key !== 'total')
    .map((key) => ({
      name: path.relative(root, key).replaceAll(path.sep, '/'),
      lines: summary[key].lines.total,
      ratio:
        summary[key].lines.total === 0 ? 1 : summary[key].lines.covered / summary[key].lines.total,
      missing: Object.entries(details[key].s)
        .filter(([, count]) => count === 0)
        .map(([id]) => details[key].statementMap[id].start.line),
    }));
}

/**
 * @param {string} name
 * @param {number} floor
 * @param {FileCoverage[]} files
 * @param {number} ms
 * @returns {Result}
 */
function judge(name, floor, files, ms) {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const missed = files.reduce((sum, file) => sum + file.missing.length, 0);
  const good = lines === 0 || (lines - missed) / lines >= floor;
  const below = files.filter((file) => file.ratio < floor).sort((a, b) => a.ratio - b.ratio);
  const total =
    lines === 0
      ? 'no files yet'
      : `${percent((lines - missed) / lines)} of ${lines} lines in ${files.length} files, ` +
        `floor ${percent(floor)}`;
  const notes = [
    total,
    ...below.map(
      (file) => `  ${percent(file.ratio).padStart(7)}  ${file.name}  ${ranges(file.missing)}`,
    ),
  ];
  return { name, passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0, ms, notes };
}

/** Rounded down: 99.96% is not 100. @param {number} ratio */
function percent(ratio) {
  return `${(Math.floor(ratio * 1000) / 10).toFixed(1)}%`;
}

/** Line numbers as a person writes them: 3-7, 12. @param {number[]} lines */
function ranges(lines) {
  /** @type {[number, number][]} */
  const spans = [];
  for (const line of lines) {
    const last = spans.at(-1);
    if (last && last[1] + 1 === line) last[1] = line;
    else spans.push([line, line]);
  }
  const words = spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return words.length > SHOWN_LINES
    ? `${words.slice(0, SHOWN_LINES).join(', ')} …`
    : words.join(', ');
}

/** @param {string} root @returns {{ folder: string, digest: string }} */
function places(root) {
  const coverage = path.join(root, 'coverage');
  return { folder: path.join(coverage, 'core'), digest: path.join(coverage, 'core.sha256') };
}

/**
 * Keeps what the core has run for the rest, which comes in a process of its own.
 * @param {string} root
 */
function keepCore(root) {
  const { folder, digest } = places(root);
  fs.rmSync(digest, { force: true });
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(coverageFolder(root), folder);
  fs.writeFileSync(digest, digestOf(root));
}

/**
 * Adds what the core has run to what this process has.
 * @param {string} root
 * @returns {boolean} whether there is some, of the very same code
 */
function takeCore(root) {
  const { folder, digest } = places(root);
  if (!fs.existsSync(digest) || fs.readFileSync(digest, 'utf8') !== digestOf(root)) return false;
  // Links: it is several hundred megabytes, and may be wanted again.
  for (const name of fs.readdirSync(folder))
    fs.linkSync(path.join(folder, name), path.join(coverageFolder(root), `core-${name}`));
  return true;
}

/** @param {string} root */
function digestOf(root) {
  const hash = crypto.createHash('sha256');
  for (const source of SOURCES.map((name) => path.join(root, name)).filter(fs.existsSync))
    for (const name of fs.readdirSync(source, { recursive: true, encoding: 'utf8' }).sort())
      if (name.endsWith('.js'))
        hash.update(`${name}\0`).update(fs.readFileSync(path.join(source, name)));
  return hash.digest('hex');
}

module.exports = { checkCoverage, coverageFolder, keepCore, takeCore };
