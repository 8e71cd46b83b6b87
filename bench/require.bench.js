'use strict';

const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { median, show } = require('./kit');
const { sourceFiles } = require('../test/support/source-files');

/**
 * What loading costs, each in a new process: the package itself, and with every command and every
 * rule, as if all had been used.
 */
const RUNS = 15;
const BAR_MS = 60;
const ROOT = path.join(__dirname, '..');

const PACKAGE = `require(${JSON.stringify(ROOT)})`;
const EVERYTHING =
  `${PACKAGE}; const { allCommands, listCommands } = ` +
  `require(${JSON.stringify(`${ROOT}/lib/shell/registry`)}); allCommands(listCommands()); ` +
  `require(${JSON.stringify(`${ROOT}/lib/rules/registry`)}).loadRules()`;

/** @param {string} code @returns {number} ms */
function cost(code) {
  const script = `const t = performance.now(); ${code}; process.stdout.write(String(performance.now() - t));`;
  return median(
    Array.from({ length: RUNS }, () =>
      Number(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout),
    ),
  );
}

async function run() {
  const files = sourceFiles(path.join(ROOT, 'lib'));
  const everyFile = cost(`for (const file of ${JSON.stringify(files)}) require(file)`);
  return [
    show({
      name: "require('mongosh-tune')",
      value: cost(PACKAGE),
      bar: BAR_MS,
      unit: 'ms',
      how: `median of ${RUNS} processes`,
    }),
    show({
      name: '… and every command and rule',
      value: cost(EVERYTHING),
      bar: BAR_MS,
      unit: 'ms',
      how:
        `the same; all ${files.length} files one by one, which no use does: ` +
        `${Math.round(everyFile)} ms`,
    }),
  ];
}

module.exports = { run };
