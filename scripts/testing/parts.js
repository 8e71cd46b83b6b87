'use strict';

/**
 * @import { Suite } from './suites'
 */

/**
 * Which tests there are, and which of them are the core: `npm test` runs the core, `npm run
 * test:all` all others, so a new file is one of the others until it stands here. A test holds that
 * no file is run twice and none is forgotten.
 * @typedef {'core' | 'rest'} Part
 * @typedef {Suite & { core: 'all' | Readonly<Record<string, number>> }} PartedSuite
 *   `core`: files below the first of `folders`, each with the seconds that it takes on two quiet
 *   cores. They are chosen by what they are worth per second: each command once, on a real server
 *   and in a real shell; what repeats it under load, faults or odd settings is left to the rest
 */

// What another program takes from a small machine for a moment can hide a fault from a test; every
// second try is told of. A write that is lost is lost: no second try for splits.
const UNDER_LOAD = { tries: 2 };

// What changes a server, and what others do to it meanwhile.
const CHANGES = ['test/server/change', 'test/server/live'];
// Several servers at once, and commands about them.
const SEVERAL = testsIn('test/server', ['check', 'drift', 'fleet', 'members', 'mongos', 'secrets']);
const SHELL_SCRIPTS = testsIn('test/shell', ['check', 'fleet', 'members', 'secrets']);

/** @type {Readonly<Record<string, PartedSuite>>} */
const SUITES = Object.freeze({
  unit: {
    name: 'unit',
    folders: ['test/unit', 'test/field'],
    except: ['test/unit/scripts'],
    core: 'all',
  },
  // Of what finds servers, runs tests and makes releases: no user of the snippet meets them.
  tools: { name: 'tools', folders: ['test/unit/scripts'], core: {} },
  server: {
    name: 'server',
    folders: ['test/server'],
    except: [
      'test/server/bottlenecks',
      'test/server/split',
      'test/server/trial',
      ...CHANGES,
      ...SEVERAL,
    ],
    core: {
      status: 12,
      advise: 50,
      apply: 20,
      undo: 18,
      settings: 9,
      lint: 15,
      record: 28,
      mongodConf: 7,
      'commands-sent': 6,
    },
    ...UNDER_LOAD,
  },
  changes: { name: 'changes', folders: CHANGES, core: {}, ...UNDER_LOAD },
  'several servers': {
    name: 'several servers',
    folders: SEVERAL,
    core: { check: 10, drift: 5 },
    ...UNDER_LOAD,
  },
  bottlenecks: {
    name: 'bottlenecks',
    folders: ['test/server/bottlenecks'],
    core: {},
    ...UNDER_LOAD,
  },
  splits: {
    name: 'splits',
    folders: ['test/server/split', 'test/nemesis'],
    core: { 'ways-back': 40 },
  },
  trials: { name: 'trials', folders: ['test/server/trial'], core: { auto: 60 }, ...UNDER_LOAD },
  shell: {
    name: 'shell',
    folders: ['test/shell'],
    except: SHELL_SCRIPTS,
    core: { 'snippet-install': 60, terminal: 15, interrupt: 30, node: 15 },
    ...UNDER_LOAD,
  },
  'shell, for runbooks': {
    name: 'shell, for runbooks',
    folders: SHELL_SCRIPTS,
    core: { check: 30 },
    ...UNDER_LOAD,
  },
  browser: { name: 'browser', folders: ['test/browser'], core: 'all' },
});

/** @param {string} folder @param {readonly string[]} names */
function testsIn(folder, names) {
  return names.map((name) => `${folder}/${name}.test.js`);
}

/**
 * The files of the core, with the seconds each takes; of a suite that is in it as a whole, none.
 * @param {PartedSuite} suite
 * @returns {Record<string, number>}
 */
function coreFiles({ folders: [folder], core }) {
  if (core === 'all') return {};
  const place = folder.endsWith('.test.js') ? folder.slice(0, folder.lastIndexOf('/')) : folder;
  return Object.fromEntries(
    Object.entries(core).map(([name, seconds]) => [`${place}/${name}.test.js`, seconds]),
  );
}

/**
 * @param {string} name of a suite
 * @param {Part} part
 * @returns {Suite} without folders where that part has none
 */
function partOf(name, part) {
  const { core, ...suite } = SUITES[name];
  const files = Object.keys(coreFiles(SUITES[name]));
  if (core === 'all') return part === 'core' ? suite : { ...suite, folders: [] };
  return part === 'core'
    ? { ...suite, folders: files, except: [] }
    : { ...suite, except: [...(suite.except ?? []), ...files] };
}

module.exports = { SUITES, coreFiles, partOf };
