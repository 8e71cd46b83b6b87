'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { run: advise } = require('../../lib/commands/advise');

/** A verdict takes a few seconds; a busy machine some attempts. */
const SECONDS = 4;
const ATTEMPTS = 5;
const LIMIT_MS = 180_000;
const READERS = 16;

describe('a cause: reads that a primary mirrors', function () {
  this.timeout(LIMIT_MS);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {import('mongodb').ObjectId[]} */ let ids;
  before(async () => {
    // Only members that can be elected are sent reads.
    server = await startReplicaSet({ members: 2 });
    const { insertedIds } = await server
      .db('app')
      .collection('orders')
      .insertMany(
        Array.from({ length: READERS }, (_, n) => ({ n })),
        { writeConcern: { w: 2 } },
      );
    ids = Object.values(insertedIds);
  });
  after(() => server?.stop());

  const once = () => advise(contextOf(server.client), { seconds: SECONDS });
  /** @param {(kind: string | undefined) => boolean} isWanted */
  async function until(isWanted) {
    let advice = await once();
    for (let i = 1; i < ATTEMPTS && !isWanted(advice.cause?.kind); i += 1) advice = await once();
    assert.ok(isWanted(advice.cause?.kind), `${advice.all()}`);
    return advice;
  }
  // CPU time of the server, hardly any of the client; what is examined is returned.
  const BUSY = 'let n = 0; for (let i = 0; i < 3e3; i++) n += i; return n > 0';
  const reading = () =>
    startLoad(
      async (n) => {
        await server.db('app').collection('orders').find({ _id: ids[n], $where: BUSY }).toArray();
      },
      { loops: READERS },
    );

  it('of the default, one in a hundred: none; each one: named; the default again: gone', async () => {
    const load = reading();
    try {
      const { bottleneck, cause } = await once();
      assert.notEqual(cause?.kind, 'mirrored-reads', bottleneck);
      await server.adminCommand({ setParameter: 1, mirrorReads: { samplingRate: 1 } });
      const { remedy } = await until((kind) => kind === 'mirrored-reads');
      const command = /adminCommand\((\{.*\})\)/.exec(String(remedy));
      assert.match(String(command?.[1]), /mirrorReads: \{ samplingRate: 0\.01 \}/);
      await server.adminCommand({ setParameter: 1, mirrorReads: { samplingRate: 0.01 } });
      await until((kind) => kind !== 'mirrored-reads');
    } finally {
      await load.stop();
    }
  });
});
