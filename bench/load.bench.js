'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { writeBundle } = require('../scripts/bundle/bundle');
const { median, timed, show } = require('./kit');

/** What loading tune adds to a start of mongosh, against a file that does nothing. */
const PAIRS = 15;
const BAR_MS = 30;
/** The bundle is one file of two megabytes, which Node.js reads and scans whole. */
const BUNDLE_BAR_MS = 60;
const ROOT = path.join(__dirname, '..');

async function run() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'mongosh-tune-bench-'));
  fs.mkdirSync(path.join(home, '.mongodb', 'mongosh'), { recursive: true });
  fs.writeFileSync(
    path.join(home, '.mongodb', 'mongosh', 'config'),
    '{"enableTelemetry":false,"snippetIndexSourceURLs":""}',
  );
  const empty = path.join(home, 'empty.js');
  fs.writeFileSync(
    empty,
    '(() => { try { globalThis.nothing = {}; } catch (error) { print(error); } })();\n',
  );
  const start = (/** @type {string} */ file) =>
    timed(async () => {
      const args = [
        require.resolve(path.join(ROOT, 'node_modules/.bin/mongosh')),
        '--nodb',
        '--quiet',
        '--eval',
        `load(${JSON.stringify(file)})`,
      ];
      const { status } = spawnSync(process.execPath, args, {
        env: { ...process.env, HOME: home },
        stdio: 'ignore',
      });
      if (status !== 0) throw new Error(`mongosh ended with ${status}`);
    });
  const [twoFiles] = await writeBundle(path.join(home, 'two-files'));
  const results = [];
  for (const [name, ours, bar] of /** @type {const} */ ([
    ['loading the snippet', path.join(ROOT, 'index.js'), BAR_MS],
    ['loading the two files', twoFiles, BUNDLE_BAR_MS],
  ]))
    results.push(await compared(name, bar, [empty, ours], start));
  fs.rmSync(home, { recursive: true, force: true });
  return results;
}

/**
 * @param {string} name
 * @param {number} bar
 * @param {readonly [string, string]} files the empty one first
 * @param {(file: string) => Promise<number>} start
 */
async function compared(name, bar, [empty, ours], start) {
  await start(empty);
  await start(ours);
  const more = [];
  const base = [];
  for (let i = 0; i < PAIRS; i++) {
    const [first, second] = i % 2 === 0 ? [empty, ours] : [ours, empty];
    const a = await start(first);
    const b = await start(second);
    more.push(i % 2 === 0 ? b - a : a - b);
    base.push(i % 2 === 0 ? a : b);
  }
  const empties = median(base);
  const ratio = (empties + median(more)) / empties;
  return show({
    name,
    value: median(more),
    bar,
    unit: 'ms',
    how:
      `more than an empty one, median of ${PAIRS} pairs: ${ratio.toFixed(3)} times the ` +
      `${Math.round(empties)} ms of the empty one`,
  });
}

module.exports = { run };
