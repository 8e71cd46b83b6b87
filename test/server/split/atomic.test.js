'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { startRegister, until } = require('../../support/split');
const { cutOver } = require('../../../lib/split/cutover');
const { replaceView } = require('../../../lib/split/replace-view');
const { preparePermits } = require('../../../lib/split/permit');
const { findCollection } = require('../../../lib/split/server');
const { SplitJob } = require('../../../lib/split/split-job');

const LONG = Boolean(process.env.TUNE_LONG);
const ROUNDS = LONG ? 40 : 3;
const WRITERS = 16;

/** Three members who know each other by a key file, and a user who may do no more than it takes. */
describe('a cut under load, with authentication', function () {
  this.timeout(LONG ? 3_600_000 : 300_000);
  let server;
  let port;
  before(async () => {
    server = await startReplicaSet({ members: 3, auth: true });
    await server.addRole(
      'cutter',
      [
        {
          resource: { cluster: true },
          actions: [
            server.version.startsWith('4.') ? 'serverStatus' : 'applyOps',
            'useUUID',
            'inprog',
          ],
        },
      ],
      ['app', 'app2', 'tune'].flatMap((db) => [
        { role: 'readWrite', db },
        { role: 'dbAdmin', db },
      ]),
    );
    port = contextOf(await server.connect(await server.addUser('cutter', ['cutter']))).port;
    await preparePermits(port);
    await server.client.db('tune').collection('splits').insertOne({});
  });
  after(() => server?.stop());

  /** The longest that one write to another database took, until it is stopped. */
  function watchElsewhere() {
    const seen = { longestMs: 0 };
    let on = true;
    const done = (async () => {
      for (let i = 0; on; i += 1) {
        const began = Date.now();
        await server.client
          .db('elsewhere')
          .collection('c')
          .updateOne({ _id: 1 }, { $set: { i } }, { upsert: true });
        seen.longestMs = Math.max(seen.longestMs, Date.now() - began);
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
      }
    })();
    return {
      seen,
      stop: async () => {
        on = false;
        await done;
      },
    };
  }

  it(
    `${ROUNDS} rounds of ${WRITERS} writers: what was acknowledged is aside, and nothing else; ` +
      'then the way back',
    async () => {
      const totals = { acknowledged: 0, refused: 0, longestMs: 0, beforeMs: 0 };
      for (let round = 1; round <= ROUNDS; round += 1) {
        const name = `c${round}`;
        await server.client.db('app').createCollection(name);
        const from = {
          db: 'app',
          name,
          renamedTo: `${name}__aside_x`,
          uuid: (await findCollection(port, 'app', name)).info.uuid,
        };
        const job = /** @type {any} */ ({
          __proto__: SplitJob.prototype,
          port,
          signal: new AbortController().signal,
          used: null,
          again: (doIt) => doIt(),
          save: async (changes) => {
            Object.assign(job.split, changes);
          },
          freshAtMs: Date.now(),
          unusedName: from.renamedTo,
          split: {
            _id: `x:${name}`,
            planId: 'x',
            mode: 'online',
            permit: null,
            renamed: 0,
            sourceUuid: from.uuid,
            from: { db: 'app', name, renamedTo: from.renamedTo },
            into: { db: 'app2', name, stagingName: `${name}__tune_x` },
            ttl: { forward: [], back: [] },
          },
        });
        const register = startRegister(server.client, { db: 'app', name, writers: WRITERS });
        const before = watchElsewhere();
        await until(() => register.counts.acknowledged > 200);
        await before.stop();
        const elsewhere = watchElsewhere();
        await cutOver(job, {
          way: 'forward',
          from,
          to: { db: 'app2', name, stagingName: `${name}__tune_x`, uuid: null },
          reads: 'refused',
        });
        await until(() => register.counts.refused >= WRITERS);
        await elsewhere.stop();
        await register.stop();
        assert.equal((await findCollection(port, 'app', name)).type, 'view');
        // Each try that may have been done has a name of its own.
        const { renamedTo } = job.split.from;
        assert.deepEqual(await register.differences('app', renamedTo), []);
        await replaceView(job, { db: 'app', name, stagingName: renamedTo, uuid: from.uuid });
        assert.deepEqual(
          (
            await server.client
              .db('app')
              .listCollections({ name: { $regex: `^${name}(_|$)` } })
              .toArray()
          ).map((one) => [one.name, one.type]),
          [[name, 'collection']],
        );
        totals.acknowledged += register.counts.acknowledged;
        totals.refused += register.counts.refused;
        totals.longestMs = Math.max(totals.longestMs, elsewhere.seen.longestMs);
        totals.beforeMs = Math.max(totals.beforeMs, before.seen.longestMs);
      }
      assert.ok(totals.refused >= ROUNDS * WRITERS);
      if (LONG)
        process.stdout.write(
          `      ${totals.acknowledged} acknowledged, ${totals.refused} refused; the longest ` +
            `write elsewhere took ${totals.longestMs} ms, before the cut ${totals.beforeMs} ms\n`,
        );
    },
  );
});
