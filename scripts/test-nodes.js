'use strict';

const { findMongod, withMongod } = require('./mongod/find');
const { installNode } = require('./matrix/node');
const { runMatrix } = require('./matrix/run');

runMatrix({
  what: 'Node.js',
  usage:
    'npm run test:nodes -- [version …], such as 20.19.0 24; without a version, 20.19.0, 22 and 24',
  /** The oldest of `engines`, and the newest of each line that Node.js keeps up. */
  versions: ['20.19.0', '22', '24'],
  pattern: /^\d+(\.\d+\.\d+)?$/,
  /**
   * All that runs without a server, the library on a real one, and the same answers beside a real
   * mongosh.
   */
  core: [
    'test/unit',
    'test/server/status.test.js',
    'test/server/apply.test.js',
    'test/shell/node.test.js',
  ],
  limitMs: 30 * 60_000,
  prepare: async (env) => withMongod(env, await findMongod({ progress: console.log })),
  obtain: async (wanted, means) => {
    const node = await installNode(wanted, means);
    return 'why' in node ? node : { name: node.version, env: means.env, node: node.program };
  },
});
