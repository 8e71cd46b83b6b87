'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { fill } = require('../../support/incident-load');
const { check, connect, useStaged } = require('../../support/staged-incident');

// Work that is too much at once: the first cause must be the one that was staged, and what follows it
// must be in its order.

describe('incidents of load, staged on a real server', function () {
  this.timeout(300_000);
  const { start, loaded, finish } = useStaged();

  it('a storm of connections', async () => {
    const server = await start();
    await loaded(server);
    const clients = await Promise.all(Array.from({ length: 300 }, () => connect(server)));
    const orders = clients.map((client) => client.db('shop').collection('orders'));
    for (let i = 0; i < 3; i++)
      await Promise.all(orders.map((one) => one.find({ part: { $lt: 0.001 } }).toArray()));
    await sleep(5000);
    await Promise.all(clients.map((client) => client.close()));
    check(await finish(), { first: ['connections-up'] });
  });

  it('a dump that reads every collection at once', async () => {
    const server = await start();
    await fill(server.client(), { documents: 60_000, bytes: 8000 });
    await loaded(server);
    const dump = await connect(server, { appName: 'mongodump' });
    const collection = dump.db('shop').collection('orders');
    const scan = async () => {
      // Read on the server, as much as a dump reads; hardly anything is sent to this process.
      for (let i = 0; i < 3; i++) await collection.find({ payload: 'none' }).toArray();
    };
    await Promise.all(Array.from({ length: 16 }, scan));
    await dump.close();
    check(await finish(), { first: ['dump-client'], then: ['clients-blocked'] });
  });
});
