'use strict';

const { SERVERS, obtainServer } = require('./mongod/servers');
const { runMatrix } = require('./matrix/run');

/**
 * What differs from server to server: counters, settings and how they are read back, logs, members,
 * moved collections. Not how a load behaves: that is of one version.
 */
const CORE = [
  'advise',
  'apply',
  'check',
  'checkpoints',
  'collections',
  'commands-sent',
  'conf',
  'drift',
  'host',
  'lint',
  'members',
  'record',
  'settings',
  'status',
  'ttl',
  'undo',
  'watch',
  'split/offline',
  'split/plan',
  'split/privileges',
  'split/ways-back',
];

runMatrix({
  what: 'mongod',
  usage:
    'npm run test:servers -- [--all] [version …], such as 4.4.2 6.0.27; without a version, ' +
    'all of them; --all: the whole server suite, not its core',
  versions: SERVERS.map((server) => server.version),
  pattern: /^\d+\.\d+\.\d+$/,
  core: CORE.map((name) => `test/server/${name}.test.js`),
  all: ['test/server'],
  limitMs: 90 * 60_000,
  obtain: async (version, means) => {
    const server = await obtainServer(version, means);
    return 'why' in server
      ? server
      : {
          name: version,
          env: {
            ...means.env,
            MONGOMS_SYSTEM_BINARY: server.path,
            TUNE_MONGOD_LIBRARY_PATH: server.libraryPath,
          },
        };
  },
});
