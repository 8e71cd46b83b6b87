'use strict';

const assert = require('node:assert/strict');
const { MongoClient } = require('mongodb');
const { senderOf } = require('../../lib/shell/port');
const { isInDoubt, isPassing } = require('../../lib/split/retry');
const { startReplicaSet } = require('../support/server');

describe('a command whose answer is taken as bytes, at a member that is no primary', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {MongoClient} */ let client;
  before(async () => {
    server = await startReplicaSet({ members: [{}, { priority: 0 }] });
    client = await new MongoClient(server.uriOf(server.hosts[1])).connect();
  });
  after(async () => {
    await client?.close();
    await server?.stop();
  });

  it('fails as what passes, also where the driver stumbles over the bytes of another error', async () => {
    const send = senderOf(client);
    const insert = () => send('app', { insert: 'c', documents: [{ _id: 1 }] }, { raw: true });
    const errors = await Promise.all(
      Array.from({ length: 20 }, () => insert().catch((error) => error)),
    );
    for (const error of errors) assert.ok(isPassing(error), `${error.stack}`);
    // Where a later driver mends it, each has the server's own error.
    for (const error of errors.filter(({ code }) => code === undefined)) {
      assert.ok(isInDoubt(error));
      assert.match(error.message, /^The driver could not read the error of the server/);
    }
  });
});
