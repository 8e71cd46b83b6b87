'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { findMongod, withMongod } = require('./mongod/find');
const { runCheck } = require('./testing/checks');
const { checkCoverage, coverageFolder } = require('./testing/coverage');
const { endWithChildren } = require('./testing/process');
const { runSuite } = require('./testing/suites');
const { total } = require('./testing/total');

/**
 * @typedef {import('./testing/suites').Result} Result
 * @typedef {import('./testing/suites').Setting} Setting
 */

const ROOT = path.join(__dirname, '..');
const LIMIT_MS = 40 * 60_000;
const LONG_LIMIT_MS = 3 * 3600_000;
// Silence for longer looks like a hang.
const HEARTBEAT_MS = 20_000;

// What another program takes from a small machine for a moment can hide a fault from a test; every
// second try is told of. A write that is lost is lost: no second try for splits.
const UNDER_LOAD = { tries: 2 };

// Several servers at once, and commands about them.
const SEVERAL = ['check', 'drift', 'fleet', 'members', 'mongos', 'secrets'].map(
  (name) => `test/server/${name}.test.js`,
);
const SHELL_SCRIPTS = ['check', 'fleet', 'members', 'secrets'].map(
  (name) => `test/shell/${name}.test.js`,
);

const SUITES = {
  unit: { name: 'unit', folders: ['test/unit', 'test/field'] },
  server: {
    name: 'server',
    folders: ['test/server'],
    except: ['test/server/bottlenecks', 'test/server/split', 'test/server/trial', ...SEVERAL],
    ...UNDER_LOAD,
  },
  'several servers': { name: 'several servers', folders: SEVERAL, ...UNDER_LOAD },
  bottlenecks: { name: 'bottlenecks', folders: ['test/server/bottlenecks'], ...UNDER_LOAD },
  splits: { name: 'splits', folders: ['test/server/split', 'test/nemesis'] },
  trials: { name: 'trials', folders: ['test/server/trial'], ...UNDER_LOAD },
  shell: { name: 'shell', folders: ['test/shell'], except: SHELL_SCRIPTS, ...UNDER_LOAD },
  'shell, for runbooks': { name: 'shell, for runbooks', folders: SHELL_SCRIPTS, ...UNDER_LOAD },
  browser: { name: 'browser', folders: ['test/browser'] },
};

main(process.argv.slice(2)).then(
  (failed) => {
    process.exitCode = failed > 0 ? 1 : 0;
  },
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);

/** @param {string[]} args @returns {Promise<number>} how many failed */
async function main(args) {
  endWithChildren();
  const started = Date.now();
  const setting = {
    root: ROOT,
    env: await makeEnv(args.includes('--long')),
    limitMs: args.includes('--long') ? LONG_LIMIT_MS : LIMIT_MS,
  };
  const results = await runStages(stages(setting));
  const { failed, line } = total(results);
  console.log(`${seconds(Date.now() - started)} in all`);
  console.log(line);
  return failed;
}

/**
 * What runs after what; the members of one stage run at the same time. The server tests measure
 * what a server does under load, so only the other half of them runs beside them; the shell tests
 * and the trials mostly wait, for a terminal or for a server.
 * @param {Setting} setting
 * @returns {Record<string, () => Promise<Result | Result[]>>[]}
 */
function stages(setting) {
  /** @param {keyof typeof SUITES} name */
  const suite = (name) => () =>
    runSuite(SUITES[name], {
      ...setting,
      env: { ...setting.env, NODE_V8_COVERAGE: coverageFolder(ROOT) },
    });
  /** @param {(keyof typeof SUITES)[]} names */
  const inTurn =
    (...names) =>
    async () => {
      const results = [];
      for (const name of names) results.push(await suite(name)());
      return results;
    };
  /** @param {string} name */
  const check = (name) => () => runCheck(name, setting);
  return [
    { lint: check('lint'), types: check('types'), 'types of pages': check('types of pages') },
    {
      server: suite('server'),
      'bottlenecks, splits, several servers': inTurn('bottlenecks', 'splits', 'several servers'),
      docs: check('docs'),
    },
    {
      shell: suite('shell'),
      'trials, shell for runbooks': inTurn('trials', 'shell, for runbooks'),
      unit: suite('unit'),
    },
    { browser: suite('browser') },
    { coverage: () => checkCoverage(setting) },
  ];
}

/** @param {Record<string, () => Promise<Result | Result[]>>[]} all @returns {Promise<Result[]>} */
async function runStages(all) {
  const results = [];
  for (const stage of all) {
    const waiting = new Set(Object.keys(stage));
    const started = Date.now();
    const heartbeat = setInterval(
      () => console.log(`… ${[...waiting].join(', ')} (${seconds(Date.now() - started)})`),
      HEARTBEAT_MS,
    );
    const done = await Promise.all(
      Object.entries(stage).map(async ([name, run]) => {
        const some = [await run()].flat();
        waiting.delete(name);
        some.forEach(print);
        return some;
      }),
    );
    clearInterval(heartbeat);
    results.push(...done.flat());
  }
  return results;
}

/** @param {Result} result */
function print({ name, passed, failed, skipped, ms, notes }) {
  const counts =
    [passed && `${passed} passed`, failed && `${failed} FAILED`, skipped && `${skipped} skipped`]
      .filter(Boolean)
      .join(', ') || 'nothing to do';
  console.log(`${name.padEnd(22)} ${seconds(ms).padStart(8)}  ${counts}`);
  for (const note of notes) console.log(note.replace(/^/gm, '    '));
}

/** @param {boolean} long @returns {Promise<NodeJS.ProcessEnv>} */
async function makeEnv(long) {
  fs.mkdirSync(coverageFolder(ROOT), { recursive: true });
  process.on('exit', () => fs.rmSync(coverageFolder(ROOT), { recursive: true, force: true }));
  const env = { ...process.env, ...(long && { TUNE_LONG: '1' }) };
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

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
