'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { median, timed, show } = require('./kit');

/** What loading the snippet adds to a start of mongosh, against a snippet that does nothing. */
const PAIRS = 15;
const BAR_MS = 30;
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
  const ours = path.join(ROOT, 'index.js');
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
  fs.rmSync(home, { recursive: true, force: true });
  return [
    show({
      name: 'loading the snippet',
      value: median(more),
      bar: BAR_MS,
      unit: 'ms',
      how:
        `more than an empty one, median of ${PAIRS} pairs; the empty one takes ` +
        `${Math.round(median(base))} ms`,
    }),
  ];
}

module.exports = { run };
