'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('./server');
const { contextOf } = require('./context');
const { startWorkload } = require('./workload');
const { temporaryFolder } = require('./cleanup');
const { setExternally } = require('./engine');
const { run: trial } = require('../../lib/commands/trial');

/**
 * @import { TrialOptions } from '../../lib/commands/trial'
 * @import { Server } from './server'
 * @import { KindName } from './workload'
 */

const LIMIT_MS = 240_000;
const DEFAULTS =
  'cache_size=256M,eviction=(threads_min=4,threads_max=4),eviction_target=80,' +
  'eviction_trigger=95,eviction_dirty_target=5,eviction_dirty_trigger=20';

/** Minutes are for `npm run test:long`. */
const whyNotLong = () =>
  process.env.TUNE_LONG ? null : 'it takes minutes; npm run test:long has it';

/**
 * A server with a load, for the trials of a `describe`.
 * @param {KindName} kind
 */
function useTrialServer(kind) {
  /** @type {Server} */ let server;
  /** @type {Awaited<ReturnType<typeof startWorkload>> | null} */ let load = null;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async function () {
    this.timeout(LIMIT_MS);
    server = await startServer();
    load = await startWorkload(server.uri, kind);
  });
  beforeEach(function () {
    this.currentTest?.timeout(LIMIT_MS);
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    home.remove();
    await setExternally(server, DEFAULTS);
  });
  after(async () => {
    await load?.stop();
    await server?.stop();
  });
  const stopLoad = async () => {
    await load?.stop();
    load = null;
  };
  const context = (more = {}) => contextOf(server.client, { home: home.path, ...more });
  return {
    get server() {
      return server;
    },
    context,
    stopLoad,
    startLoad: async () => {
      load ??= await startWorkload(server.uri, kind);
    },
    /**
     * @param {unknown} change
     * @param {TrialOptions} options
     * @param {ReturnType<typeof contextOf>} [ctx]
     */
    run: (change, options, ctx = context()) =>
      trial(ctx, change, { confirm: true, blocks: 6, blockSeconds: 2, ...options }),
  };
}

/**
 * @param {ReturnType<typeof contextOf>} ctx
 * @param {RegExp} when what the progress line says
 * @param {() => void} act once
 */
function onProgress(ctx, when, act) {
  const notify = ctx.progress;
  let done = false;
  ctx.progress = (text) => {
    notify(text);
    if (done || !when.test(text ?? '')) return;
    done = true;
    act();
  };
  return ctx;
}

/** @param {{ blocks: { pair: number, setting: string }[] }} report every pair has one of each */
function assertPaired({ blocks }) {
  for (let i = 0; i + 1 < blocks.length; i += 2)
    assert.deepEqual([blocks[i].setting, blocks[i + 1].setting].sort(), ['A', 'B']);
}

module.exports = { useTrialServer, onProgress, assertPaired, whyNotLong };
