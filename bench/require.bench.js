'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { median, show } = require('./kit');

/** Requiring every file of the library at once, in a new process each time; commands load lazily, so a user never pays all of it. */
const RUNS = 15;
const BAR_MS = 60;
const LIB = path.join(__dirname, '..', 'lib');

/** @param {string} dir @returns {string[]} */
const walk = (dir) => fs.readdirSync(dir, { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? walk(path.join(dir, entry.name)) : entry.name.endsWith('.js') ? [path.join(dir, entry.name)] : []));

async function run() {
  const script = `const t = performance.now(); for (const file of ${JSON.stringify(walk(LIB))}) require(file); process.stdout.write(String(performance.now() - t));`;
  const times = Array.from({ length: RUNS }, () => Number(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout));
  return [show({ name: 'requiring the whole library', value: median(times), bar: BAR_MS, unit: 'ms', how: `median of ${RUNS} processes, ${walk(LIB).length} files` })];
}

module.exports = { run };
