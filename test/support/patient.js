'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { startServer, startReplicaSet } = require('./server');
const { contextOf } = require('./context');
const { skipIf } = require('./skip');
const { startMix } = require('./mixed-load');
const { startWorkload } = require('./workload');
const { run: advise } = require('../../lib/commands/advise');
const { run: apply } = require('../../lib/commands/apply');
const { run: status } = require('../../lib/commands/status');

/**
 * @import { Bottleneck } from '../../lib/base/pure/finding'
 * @import { MixName } from './mixed-load'
 * @import { KindName } from './workload'
 * @import { Document } from 'mongodb'
 */

/**
 * A server that is made ill, looked at, and cured.
 * @typedef {Awaited<ReturnType<typeof advise>>} Advice
 */

// A window in which a verdict is given; the shorter, the more often one can look.
const SECONDS = 4;
// A load takes some seconds until it is what it will be, a cure until it is felt; on a busy machine
// more.
const ATTEMPTS = 6;
// All looks and the filling, on a machine that does many other things.
const LIMIT_MS = 150_000;
// Well above what a verdict asks for (0.25).
const HELD_UP_THREADS = 0.4;
/**
 * Pages come from the device and not out of the page cache: what a page read or write costs is then
 * the same on every machine with room.
 */
const DIRECT = Object.freeze([
  '--wiredTigerEngineConfigString',
  'direct_io=[data],buffer_alignment=4K',
]);

/**
 * @param {Advice} advice
 * @param {string} rule
 * @returns {boolean} its finding is a warning, or worse
 */
const warns = ({ findings }, rule) =>
  ['warning', 'critical'].includes(
    String(findings.find((finding) => finding.rule === rule)?.status),
  );

/**
 * One server for the tests of a `describe`; its loads end with each test.
 * @param {{ args?: readonly string[], members?: Document[] }} [options]
 *   `members`: those of a replica set
 */
function usePatient({ args = [], members } = {}) {
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {ReturnType<typeof contextOf>} */ let ctx;
  /** @type {{ stop(): Promise<void> }[]} */ const loads = [];
  before(async function () {
    this.timeout(LIMIT_MS);
    if (args === DIRECT) skipIf(this, whyNotDirect());
    server = /** @type {typeof server} */ (
      await (members ? startReplicaSet({ members }) : startServer({ args: [...args] }))
    );
    ctx = contextOf(server.client);
  });
  beforeEach(function () {
    this.currentTest?.timeout(LIMIT_MS);
  });
  afterEach(() => Promise.all(loads.splice(0).map((load) => load.stop())));
  after(() => server?.stop());
  return {
    get server() {
      return server;
    },
    get ctx() {
      return ctx;
    },
    load: async (/** @type {KindName} */ kind) => {
      loads.push(await startWorkload(server.uri, kind));
    },
    mix: async (/** @type {MixName} */ name) => {
      loads.push(await startMix(server.uri, name));
    },
    set: (/** @type {string} */ config) =>
      server.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: config }),
    named: (/** @type {Bottleneck} */ bottleneck) => named(ctx, bottleneck),
    rid: (/** @type {Bottleneck} */ bottleneck, /** @type {string} */ rule) =>
      rid(ctx, bottleneck, rule),
    waiting: () => waiting(ctx),
    take: async (/** @type {Advice} */ advice) =>
      assert.equal((await apply(ctx, advice, { confirm: true })).verified, true),
  };
}

/**
 * Until it is named, no other change may be proposed: no answer is better than a wrong one.
 * @param {ReturnType<typeof contextOf>} ctx @param {Bottleneck} bottleneck
 */
async function named(ctx, bottleneck) {
  for (let attempts = 1; ; attempts += 1) {
    const advice = await advise(ctx, { seconds: SECONDS });
    if (advice.bottleneck === bottleneck) return advice;
    assert.ok(attempts < ATTEMPTS, `${bottleneck} is not found: ${advice}`);
    assert.equal(
      advice.change,
      null,
      `${bottleneck} is not found, and something else is to be changed: ${advice}`,
    );
  }
}

/**
 * The verdict goes, the finding of the rule as well, and nothing else is to be changed in its
 * place.
 * @param {ReturnType<typeof contextOf>} ctx
 * @param {Bottleneck} bottleneck
 * @param {string} rule
 */
async function rid(ctx, bottleneck, rule) {
  for (let attempts = 1; ; attempts += 1) {
    const advice = await advise(ctx, { seconds: SECONDS });
    if (advice.bottleneck !== bottleneck && advice.change === null && !warns(advice, rule))
      return advice;
    assert.ok(attempts < ATTEMPTS, `${bottleneck} does not go: ${advice}`);
  }
}

/**
 * Until a new load is held up.
 * @param {ReturnType<typeof contextOf>} ctx
 * @returns {Promise<number>} application threads that wait for the cache
 */
async function waiting(ctx) {
  for (let attempts = 1; ; attempts += 1) {
    const { clients } = await status(ctx, { seconds: 2 });
    const threads = Number(clients.waitingThreads);
    if (threads >= HELD_UP_THREADS || attempts >= 2 * ATTEMPTS) return threads;
  }
}

/** @returns {string | null} why files cannot be read past the page cache here */
function whyNotDirect() {
  const file = path.join(os.tmpdir(), `mongosh-tune-${process.pid}-direct`);
  try {
    fs.closeSync(
      fs.openSync(file, fs.constants.O_DIRECT | fs.constants.O_CREAT | fs.constants.O_RDWR),
    );
    return null;
  } catch (error) {
    return `no direct I/O in ${os.tmpdir()}: ${/** @type {Error} */ (error).message}`;
  } finally {
    fs.rmSync(file, { force: true });
  }
}

module.exports = { usePatient, warns, DIRECT };
