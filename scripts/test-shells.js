'use strict';

const path = require('node:path');
const { findMongod, withMongod } = require('./mongod/find');
const { installRelease } = require('./matrix/install');
const { installNode } = require('./matrix/node');
const { runMatrix } = require('./matrix/run');

/**
 * The oldest we support, the last of some lines between, the newest; each with the Node.js that its
 * program has inside, as .evergreen.yml of its tag in mongodb-js/mongosh says, but 2.2.15 and
 * 2.3.9: with what npm gives them today they need 20.19, and no longer start on their own.
 * @type {Readonly<Record<string, string>>}
 */
const SHELLS = {
  '2.0.2': '20.8.1',
  '2.1.5': '20.11.1',
  '2.2.15': '20.19.0',
  '2.3.9': '20.19.0',
  '2.5.10': '20.19.6',
  latest: '24',
};
/**
 * What differs from shell to shell: loading, installing, printing, awaiting, words, completion,
 * Ctrl-C, scripts, /proc, and every example of the help.
 */
const CORE = [
  'broken',
  'check',
  'commands',
  'host',
  'interrupt',
  'node',
  'snippet-install',
  'terminal',
];

runMatrix({
  what: 'mongosh',
  usage:
    'npm run test:shells -- [--all] [version …], such as 2.0.2 latest; without a version, ' +
    'all of the matrix; --all: the whole shell suite, not its core',
  versions: Object.keys(SHELLS),
  pattern: /^(latest|\d+\.\d+\.\d+)$/,
  core: CORE.map((name) => `test/shell/${name}.test.js`),
  all: ['test/shell'],
  limitMs: 60 * 60_000,
  prepare: async (env) => withMongod(env, await findMongod({ progress: console.log })),
  obtain: async (wanted, means) => {
    const shell = await installRelease('mongosh', wanted, means);
    if ('why' in shell) return shell;
    const own = Object.hasOwn(SHELLS, wanted)
      ? await installNode(SHELLS[wanted], means)
      : { program: process.execPath, version: process.versions.node };
    if ('why' in own) return own;
    const env = {
      ...means.env,
      TUNE_MONGOSH: path.join(shell.folder, 'bin', 'mongosh.js'),
      TUNE_MONGOSH_NODE: own.program,
    };
    return { name: `${shell.version} on Node.js ${own.version}`, env };
  },
});
