'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { skipIf } = require('../support/skip');
const { startLoad } = require('../support/load');
const { READ_ROLE } = require('../../lib/server/pure/commands');
const { run: advise } = require('../../lib/commands/advise');
const { run: status } = require('../../lib/commands/status');

/**
 * @import { Server } from '../support/server'
 */

/** Linux tells the machine; elsewhere there is none of it. */
const NAMES = ['device-latency', 'cpu-load', 'cpu-steal', 'swap-ins', 'available-memory'];
/** @typedef {Awaited<ReturnType<typeof advise>>} Advice */
/** @param {Advice} advice */
const reported = ({ findings }) =>
  findings
    .filter(({ rule, status: how }) => NAMES.includes(rule) && how !== 'unknown')
    .map(({ rule }) => rule);

/**
 * @param {Server} server
 * @param {string[]} asked every command's name goes here
 */
const listening = (server, asked) => {
  const ctx = contextOf(server.client);
  const { adminCommand } = ctx.port;
  return {
    ...ctx,
    port: {
      ...ctx.port,
      adminCommand: (/** @type {any} */ command) => {
        asked.push(Object.keys(command)[0]);
        return adminCommand.call(ctx.port, command);
      },
    },
  };
};

describe('advise: what the server tells of its machine', function () {
  /** @type {Server} */ let server;
  /** @type {{ stop(): Promise<void> }} */ let load;
  before(async function () {
    skipIf(
      this,
      process.platform === 'linux' ? null : 'only on Linux does mongod tell of its machine',
    );
    server = await startServer({ auth: true });
    load = startLoad(async (loop) => {
      await server
        .db('test')
        .collection('c')
        .updateOne(
          { _id: loop },
          { $inc: { n: 1 } },
          { upsert: true, writeConcern: { w: 1, j: true } },
        );
      await new Promise((go) => setTimeout(go, 20));
    });
  });
  after(async () => {
    await load?.stop();
    await server?.stop();
  });

  it('is among the findings, with the disk by its name', async () => {
    const advice = await advise(contextOf(server.client), { seconds: 4 });
    assert.deepEqual(reported(advice).sort(), [...NAMES].sort(), `${advice}`);
    const of = (/** @type {string} */ name) =>
      advice.findings.find(({ rule }) => rule === name)?.evidence ?? {};
    assert.match(String(of('device-latency')['disk.name']), /^[a-z]/);
    const { 'cpu.busyRatio': all } = of('cpu-load');
    assert.ok(Number(all) > 0 && Number(all) <= 1, `${all}`);
    assert.ok(Number(of('available-memory')['memory.totalBytes']) > 2 ** 28);
    assert.match(String(advice.all()), /Disk \S+( \(.*\))?: busy \d[\d.]*% of the time/);
  });

  it('comes once with each sample, and not at all with host: false, or for status', async () => {
    const asked = /** @type {string[]} */ ([]);
    const number = () => asked.splice(0).filter((name) => name === 'getDiagnosticData').length;
    const { window } = await advise(listening(server, asked), { seconds: 3 });
    assert.deepEqual([number(), window.samples], [4, 4]);
    assert.deepEqual(
      [
        reported(await advise(listening(server, asked), { seconds: 3, includeHost: false })),
        number(),
      ],
      [[], 0],
    );
    await status(listening(server, asked));
    assert.equal(number(), 0);
  });

  it('the smallest role of the documentation may ask for it', async () => {
    await server.addRole('tuneRead', READ_ROLE.privileges);
    const client = await server.connect(await server.addUser('smallest', ['tuneRead']));
    assert.equal(reported(await advise(contextOf(client), { seconds: 3 })).length, NAMES.length);
  });

  it('who may not ask gets the advice without it', async () => {
    await server.addRole('tuneStatus', [
      { resource: { cluster: true }, actions: ['serverStatus'] },
    ]);
    const client = await server.connect(await server.addUser('modest', ['tuneStatus']));
    const advice = await advise(contextOf(client), { seconds: 3 });
    assert.deepEqual(reported(advice), []);
    assert.ok(!['idle', 'unknown'].includes(advice.bottleneck), `${advice}`);
    assert.doesNotMatch(`${advice}`, /undefined|NaN/);
  });

  it('switched off: its last sample is not taken for now, and no rate is 0', async () => {
    await server.adminCommand({ setParameter: 1, diagnosticDataCollectionEnabled: false });
    try {
      // The last sample grows old: it may count as a gauge for five seconds, but gives no rate.
      const soon = await advise(contextOf(server.client), { seconds: 3 });
      assert.ok(
        !reported(soon).includes('cpu-load') &&
          !reported(soon).includes('device-latency') &&
          !reported(soon).includes('swap-ins'),
        `${reported(soon)}`,
      );
      await new Promise((go) => setTimeout(go, 3000));
      assert.deepEqual(reported(await advise(contextOf(server.client), { seconds: 3 })), []);
    } finally {
      await server.adminCommand({ setParameter: 1, diagnosticDataCollectionEnabled: true });
    }
  });
});
