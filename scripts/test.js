'use strict';
// npm test: the core. npm run test:all: the rest. npm run test:long: both, and what takes minutes.
// With --list, only the files are told.

const fs = require('node:fs');
const path = require('node:path');
const { findMongod, withMongod } = require('./mongod/find');
const { runCheck } = require('./testing/checks');
const { checkCoverage, coverageFolder, keepCore, takeCore } = require('./testing/coverage');
const { runLanes, seconds, total } = require('./testing/lanes');
const { SUITES, partOf } = require('./testing/parts');
const { endWithChildren } = require('./testing/process');
const { providePromtool } = require('./testing/promtool');
const { filesOf, runSuite } = require('./testing/suites');

/**
 * @typedef {import('./testing/lanes').Task} Task
 * @typedef {import('./testing/parts').Part} Part
 * @typedef {import('./testing/suites').Result} Result
 * @typedef {import('./testing/suites').Setting} Setting
 */

const ROOT = path.join(__dirname, '..');
const LIMIT_MS = 50 * 60_000;
const LONG_LIMIT_MS = 8 * 3600_000;

/**
 * Lanes of about the same length. In the core two for two cores: what measures a server under load
 * has beside it checks and unit tests. In the rest three, as shells and splits mostly wait: two left
 * the cores idle for 30% of the time.
 * @type {Readonly<Record<Part, string[][]>>}
 */
const LANES = {
  core: [
    ['types', 'types of pages', 'server', 'splits', 'trials', 'shell'],
    [
      'lint',
      'format',
      'docs',
      'schemas',
      'unit',
      'browser',
      'several servers',
      'bottlenecks',
      'shell, for runbooks',
    ],
  ],
  rest: [
    ['splits'],
    ['trials', 'shell', 'bottlenecks', 'changes'],
    ['tools', 'server', 'several servers', 'shell, for runbooks'],
  ],
};

const args = process.argv.slice(2);
const parts = partsOf(args);
if (args.includes('--list')) list();
else
  main().then(
    (failed) => {
      process.exitCode = failed > 0 ? 1 : 0;
    },
    (error) => {
      console.error(error);
      process.exitCode = 1;
    },
  );

/** @param {string[]} args @returns {Part[]} */
function partsOf(args) {
  if (args.includes('--long')) return ['core', 'rest'];
  return args.includes('--rest') ? ['rest'] : ['core'];
}

/** @returns {Promise<number>} how many failed */
async function main() {
  endWithChildren();
  const started = Date.now();
  const long = args.includes('--long');
  const setting = {
    root: ROOT,
    env: await makeEnv(long),
    limitMs: long ? LONG_LIMIT_MS : LIMIT_MS,
  };
  const results = [];
  for (const part of parts) results.push(...(await runLanes(lanesOf(part, setting))));
  if (parts.includes('rest')) results.push(...(await runLanes([[coverage()]])));
  else keepCore(ROOT);
  const { failed, line } = total(results);
  console.log(`${seconds(Date.now() - started)} in all`);
  console.log(line);
  return failed;
}

/**
 * What a part has to run, in its lanes.
 * @param {Part} part
 * @param {Setting} setting
 * @returns {Task[][]}
 */
function lanesOf(part, setting) {
  const env = { ...setting.env, NODE_V8_COVERAGE: coverageFolder(ROOT) };
  return LANES[part].map((names) =>
    names
      .filter((name) => !(name in SUITES) || partOf(name, part).folders.length > 0)
      .map((name) => ({
        name,
        run: () =>
          name in SUITES
            ? runSuite(partOf(name, part), { ...setting, env })
            : runCheck(name, setting),
      })),
  );
}

/**
 * The floors are those of all tests, and no test is run twice for them: `npm test` leaves behind
 * which lines it ran, and this looks at both parts.
 * @returns {Task}
 */
function coverage() {
  return {
    name: 'coverage',
    run: async () => checkCoverage({ root: ROOT, whole: parts.includes('core') || takeCore(ROOT) }),
  };
}

function list() {
  for (const part of parts)
    for (const name of LANES[part].flat().filter((one) => one in SUITES))
      for (const file of filesOf(partOf(name, part), ROOT))
        console.log(`${part}  ${name.padEnd(20)}  ${path.relative(ROOT, file)}`);
}

/** The tests that need promtool skip themselves where there is none, and are counted. */
async function promtoolEnv() {
  const found = await providePromtool({ progress: console.log });
  console.log('file' in found ? `promtool ${found.file}` : found.why);
  return 'file' in found ? { TUNE_PROMTOOL: found.file } : {};
}

/** @param {boolean} long @returns {Promise<NodeJS.ProcessEnv>} */
async function makeEnv(long) {
  fs.mkdirSync(coverageFolder(ROOT), { recursive: true });
  process.on('exit', () => fs.rmSync(coverageFolder(ROOT), { recursive: true, force: true }));
  const env = {
    ...process.env,
    ...(long && { TUNE_LONG: '1' }),
    ...(parts.includes('rest') && (await promtoolEnv())),
  };
  try {
    const mongod = await findMongod({ progress: console.log });
    console.log(`mongod ${mongod.version} (${mongod.from})`);
    return withMongod(env, mongod);
  } catch (error) {
    // The tests that need one will fail and say so; the others shall still be run.
    console.log(error instanceof Error ? error.message : error);
    return env;
  }
}
