'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { fill } = require('../../support/incident-load');
const { check, connect, useStaged } = require('../../support/staged-incident');

// Work that is too much at once: the first cause must be the one that was staged, and what follows it
// must be in its order.

/** However quick the machine is, the load is there for some seconds. */
const LOAD_MS = 6000;
/** Scans of one collection read its pages together; of many, each reads its own. */
const ARCHIVES = 16;

describe('incidents of load, staged on a real server', function () {
  this.timeout(300_000);
  const { start, loaded, finish } = useStaged();

  it('a storm of connections', async () => {
    const server = await start();
    await loaded(server);
    const clients = await Promise.all(Array.from({ length: 300 }, () => connect(server)));
    const orders = clients.map((client) => client.db('shop').collection('orders'));
    const endMs = Date.now() + LOAD_MS;
    while (Date.now() < endMs)
      await Promise.all(orders.map((one) => one.find({ part: { $lt: 0.001 } }).toArray()));
    await sleep(5000);
    await Promise.all(clients.map((client) => client.close()));
    check(await finish(), { first: ['connections-up'] });
  });

  it('a dump that reads every collection at once', async () => {
    const server = await start();
    const archives = Array.from({ length: ARCHIVES }, (_, i) => `archive${i}`);
    for (const collection of archives)
      await fill(server.client(), { collection, documents: 10_000, bytes: 8000 });
    await loaded(server);
    const dump = await connect(server, { appName: 'mongodump' });
    const endMs = Date.now() + LOAD_MS;
    const scan = async (/** @type {string} */ name) => {
      const collection = dump.db('shop').collection(name);
      // Read on the server, as much as a dump reads; hardly anything is sent to this process.
      while (Date.now() < endMs) await collection.find({ payload: 'none' }).toArray();
    };
    await Promise.all(archives.map(scan));
    await dump.close();
    check(await finish(), { first: ['dump-client'], then: ['clients-blocked'] });
  });
});
