'use strict';

const assert = require('node:assert/strict');
const net = require('node:net');
const events = require('node:events');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { startMix } = require('../support/mixed-load');
const { DIRECT } = require('../support/patient');
const { run: auto } = require('../../lib/commands/auto');
const { run: advise } = require('../../lib/commands/advise');

/**
 * @import { MixName } from '../support/mixed-load'
 * @import { Server } from '../support/server'
 */

/** A verdict takes a few seconds; a busy machine some attempts. */
const SECONDS = 6;
const ATTEMPTS = 6;
const LIMIT_MS = 180_000;
const CAUSED = /** @type {const} */ ({
  scan: 'scans',
  count: 'scans',
  updateMany: 'scans',
  targeting: 'scans',
  sort: 'large-sorts',
  export: 'full-reads',
  dump: 'full-reads',
  indexBuild: 'index-build',
  ttl: 'ttl',
  conflicts: 'write-conflicts',
});
const HEALTHY = /** @type {const} */ (['healthy', 'smallScan', 'smallTtl']);

const pause = (/** @type {number} */ ms) => new Promise((go) => setTimeout(go, ms));

describe('the cause of what a real server waits for', function () {
  this.timeout(LIMIT_MS);
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer({ args: [...DIRECT, '--setParameter', 'ttlMonitorSleepSecs=1'] });
  });
  after(() => server?.stop());

  const once = () => advise(contextOf(server.client), { seconds: SECONDS, includeHost: false });
  /** @param {string} kind @returns {Promise<Awaited<ReturnType<typeof advise>>>} */
  async function named(kind) {
    let advice = await once();
    for (let i = 1; i < ATTEMPTS && advice.cause?.kind !== kind; i += 1) advice = await once();
    assert.equal(advice.cause?.kind, kind, `${advice}`);
    return advice;
  }

  for (const [mix, kind] of Object.entries(CAUSED))
    it(`${mix}: ${kind}; without it, gone`, async () => {
      const load = await startMix(server.uri, /** @type {MixName} */ (mix));
      try {
        const { change, remedy } = await named(kind);
        assert.ok(remedy);
        if (['scans', 'full-reads', 'large-sorts'].includes(kind)) assert.equal(change, null);
      } finally {
        await load.stop();
      }
      assert.equal((await once()).cause, null);
    });

  for (const mix of HEALTHY)
    it(`${mix}: none`, async () => {
      const load = await startMix(server.uri, mix);
      try {
        const advice = await once();
        assert.equal(advice.cause, null, `${advice}`);
      } finally {
        await load.stop();
      }
    });

  it('an index cures the scans', async () => {
    const load = await startMix(server.uri, 'scan');
    const collection = server.db('shop').collection('events');
    try {
      await named('scans');
      const searched = await auto(contextOf(server.client), { seconds: SECONDS });
      assert.deepEqual(
        [searched.cause?.kind, searched.ended, searched.dimensions],
        ['scans', 'refused', []],
        'no larger cache is tested before the index',
      );
      await collection.createIndex({ customer: 1, secret: 1 });
      await pause(5000);
      assert.notEqual((await once()).cause?.kind, 'scans');
    } finally {
      await load.stop();
      await collection.dropIndexes();
    }
  });

  it('an index cures the sorts', async () => {
    const load = await startMix(server.uri, 'sort');
    const collection = server.db('shop').collection('events');
    try {
      await named('large-sorts');
      await collection.createIndex({ kind: 1, n: 1, customer: -1 });
      await pause(5000);
      await gone('large-sorts');
    } finally {
      await load.stop();
      await collection.dropIndexes();
    }
  });

  /** What was seen of it may be in the first window after the cure. @param {string} kind */
  async function gone(kind) {
    let advice = await once();
    for (let i = 1; i < ATTEMPTS && advice.cause?.kind === kind; i += 1) advice = await once();
    assert.notEqual(advice.cause?.kind, kind, `${advice}`);
  }

  it('checkpoints that are forced; without them, gone; a single one: none', async () => {
    const mix = await startMix(server.uri, 'healthy');
    const forcing = startLoad(
      async () => {
        await server.adminCommand({ fsync: 1 });
        await pause(300);
      },
      { loops: 1 },
    );
    try {
      await named('forced-checkpoints');
      await forcing.stop();
      await gone('forced-checkpoints');
      const asked = once();
      await pause(1000);
      await server.adminCommand({ fsync: 1 });
      assert.equal((await asked).cause, null);
    } finally {
      await forcing.stop();
      await mix.stop();
    }
  });

  it('clients that connect for each request; without them, gone', async () => {
    const mix = await startMix(server.uri, 'healthy');
    const connecting = startLoad(
      async () => {
        const socket = net.connect(server.port, '127.0.0.1');
        await events.once(socket, 'connect');
        await pause(50); // open for a while, as a request is
        socket.destroy();
      },
      { loops: 30 },
    );
    try {
      await named('connection-storm');
      await connecting.stop();
      await gone('connection-storm');
    } finally {
      await connecting.stop();
      await mix.stop();
    }
  });

  it('many connections that stay open: none', async () => {
    const mix = await startMix(server.uri, 'healthy');
    const sockets = Array.from({ length: 300 }, () => net.connect(server.port, '127.0.0.1'));
    try {
      await Promise.all(sockets.map((socket) => events.once(socket, 'connect')));
      await pause(1000);
      assert.equal((await once()).cause, null);
    } finally {
      for (const socket of sockets) socket.destroy();
      await mix.stop();
    }
  });
});
