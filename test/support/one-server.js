'use strict';

const { temporaryFolder } = require('./cleanup');
const { contextOf } = require('./context');
const { setExternally } = require('./engine');
const { startServer } = require('./server');

/**
 * @import { Context } from '../../lib/base/context'
 * @import { Server } from './server'
 */

/** A benchmark of seconds. */
const QUICK = Object.freeze({
  workload: 'ycsb-b',
  records: 1000,
  seconds: 1,
  warmSeconds: 0.2,
  threads: 4,
  processes: 1,
  force: true,
  confirm: true,
});

/**
 * A server for the tests of a `describe`, and for each of them a new folder for the journal.
 * @param {{ config?: string }} [options] `config`: what the engine is set to before each test
 */
function useServer({ config } = {}) {
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());
  beforeEach(async () => {
    home = temporaryFolder('home');
    if (config !== undefined) await setExternally(server, config);
  });
  afterEach(() => home?.remove());
  return {
    get server() {
      return server;
    },
    get home() {
      return home;
    },
    /** @param {Record<string, unknown>} [more] @returns {Context} */
    context: (more = {}) => contextOf(server.client, { home: home.path, ...more }),
  };
}

/** A sequence of steps, that takes each step at once. */
const QUICK_STEPS = Object.freeze({ ...QUICK, rechecks: 9 });

module.exports = { useServer, QUICK, QUICK_STEPS };
