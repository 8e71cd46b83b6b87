'use strict';

const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { QUIET_MS, admin, connect, told, useStaged } = require('../../support/staged-incident');

/** @import { Staged } from '../../support/staged-server' */

/** What happens every night, and is no incident. @type {[string, (server: Staged) => Promise<unknown>][]} */
const ROUTINE = [
  ['an even load', async () => {}],
  [
    'a small index build, and a change of the log level',
    async (server) => {
      await server.client().db('shop').collection('orders').createIndex({ part: 1 });
      await admin(server).command({ setParameter: 1, logLevel: 0 });
    },
  ],
  ['a log that is rotated', (server) => admin(server).command({ logRotate: 1 })],
  [
    'a few more clients',
    async (server) => {
      const clients = await Promise.all(Array.from({ length: 10 }, () => connect(server)));
      await Promise.all(clients.map((client) => client.db('shop').command({ ping: 1 })));
      await Promise.all(clients.map((client) => client.close()));
    },
  ],
  [
    'a setting that changes nothing for this load',
    (server) =>
      admin(server).command({
        setParameter: 1,
        wiredTigerEngineRuntimeConfig: 'eviction_dirty_trigger=25',
      }),
  ],
];

describe('quiet nights on a real server', function () {
  this.timeout(300_000);
  const staged = useStaged();
  for (const [title, act] of ROUTINE)
    it(`${title}: nothing unusual`, async () => {
      const server = await staged.start();
      await staged.loaded(server);
      await act(server);
      await sleep(QUIET_MS);
      await staged.stopLoad();
      await server.stop();
      const answer = await told([server]);
      assert.equal(answer.verdict, 'nothing-unusual', String(answer.all()));
      assert.ok(String(answer).split('\n').length <= 24);
    });
});
