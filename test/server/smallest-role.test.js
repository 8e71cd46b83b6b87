'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { tuneOf } = require('../support/policy-tune');
const { READ_ROLE } = require('../../lib/server/pure/commands');

/**
 * @import { Server } from '../support/server'
 */

describe('the smallest role for reading', function () {
  this.timeout(60_000);
  /** @type {Server} */ let server;
  /** @type {any} */ let tune;
  before(async () => {
    server = await startServer({ auth: true });
    await server.db('shop').collection('orders').insertOne({ n: 1 });
    await server.addRole('tuneRead', READ_ROLE.privileges);
    const client = await server.connect(await server.addUser('reader', ['tuneRead']));
    tune = tuneOf(client).tune;
  });
  after(() => server?.stop());

  it('reads', async () => {
    const { bottleneck } = await tune.advise({ seconds: 1 });
    assert.equal(typeof bottleneck, 'string');
  });

  const CHANGES = /** @type {[string, () => Promise<unknown>][]} */ ([
    ['apply', () => tune.apply({ evictionThreadsMax: 6 }, { confirm: true })],
    ['trial', () => tune.trial({ evictionThreadsMax: 6 }, { seconds: 30, confirm: true })],
    ['bench', () => tune.bench({ workload: 'ycsb-b', records: 100, seconds: 1, confirm: true })],
    [
      'split.run',
      async () => {
        const plan = await tune.split.plan({ source: 'shop', target: 'shop2', offline: true });
        return tune.split.run(plan, { confirm: true });
      },
    ],
  ]);
  for (const [name, change] of CHANGES)
    it(`changes nothing, whatever is typed: ${name}`, async () => {
      await assert.rejects(change());
      const { wiredTiger } = await server.adminCommand({ serverStatus: 1 });
      assert.ok(wiredTiger.cache['maximum bytes configured'] > 0);
      const { databases } = await server.adminCommand({ listDatabases: 1 });
      const names = databases.map((/** @type {any} */ one) => one.name);
      assert.ok(!names.includes('tune_bench') && !names.includes('tune'), names.join());
      assert.equal(await server.db('shop').collection('orders').countDocuments(), 1);
      const { wiredTigerEngineRuntimeConfig } = await server.adminCommand({
        getParameter: 1,
        wiredTigerEngineRuntimeConfig: 1,
      });
      assert.equal(wiredTigerEngineRuntimeConfig, '');
    });
});
