'use strict';

const assert = require('node:assert/strict');
const { NewerServer, realStatus, RELEASES } = require('../../support/newer-server');
const { throughHands } = require('../../support/beside');
const { ALONE } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { skipIf } = require('../../support/skip');
const { useSet } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });
/** Sections of this very server, which a split relies on. */
const LIVE = Object.freeze(['repl', 'oplog', 'opLatencies', 'localTime', 'pid', 'uptimeMillis']);

/**
 * Real: the data, the oplog, names and steps, on the server that runs here; the sections and names of
 * serverStatus of the newer release. Made: that the two are one server. What a newer release does with
 * a step is seen on none here; the rehearsal before the copy asks the server itself.
 */
describe('a split on the shapes of newer releases', function () {
  this.timeout(180_000);
  /** @type {any} */ let client;
  useSet((set) => {
    ({ client } = set);
  });

  /** @param {string} version @param {any} status */
  function contextAs(version, status) {
    const newer = new NewerServer({ version, status });
    return throughHands(contextOf(client), async (send, spec) => {
      const answer = await send();
      if (spec.buildInfo) return { ...answer, version };
      if (spec.getParameter && answer.featureCompatibilityVersion)
        return {
          ...answer,
          featureCompatibilityVersion: { version: version.split('.').slice(0, 2).join('.') },
        };
      if (!spec.serverStatus) return answer;
      const live = LIVE.flatMap((name) => (name in answer ? [[name, answer[name]]] : []));
      return { ...newer.serverStatus(spec), ...Object.fromEntries(live), version };
    });
  }

  for (const version of RELEASES)
    it(`${version}: planned, copied, switched, switched back and moved for good`, async function () {
      const status = realStatus(version);
      skipIf(this, status === null ? 'the answer of a real one is not beside this checkout' : null);
      const source = `from${version.replace(/\D/g, '')}`;
      const [from, into] = [source, `${source}2`].map((db) => client.db(db).collection('orders'));
      await from.insertMany(Array.from({ length: 500 }, (_, i) => ({ _id: i, a: i % 7 })));
      await from.createIndex({ a: 1 }, { expireAfterSeconds: 1e6 });
      const ctx = contextAs(version, status);

      const plan = await splitPlan(ctx, { source, collections: ['orders'], seconds: 0.5 });
      assert.deepEqual([plan.version, plan.blockers], [version, []]);
      await splitRun(ctx, plan, DO);
      await from.insertOne({ _id: 'while copied' });
      const [verified] = (await splitVerify(ctx, plan.id, {})).splits;
      assert.deepEqual([verified.verified.documents, verified.verified.differences], [501, 0]);
      await splitCutover(ctx, plan.id, ALONE);
      await into.insertOne({ _id: 'while there' });
      await splitRollback(ctx, plan.id, ALONE);
      assert.equal(await from.countDocuments(), 502);
      await from.insertOne({ _id: 'while back' });
      await splitFinish(ctx, plan.id, DO);
      assert.equal((await splitStatus(ctx, plan.id)).splits[0].phase, 'finished');

      const again = await splitPlan(ctx, { source, collections: ['orders'], seconds: 0.5 });
      await splitRun(ctx, again, DO);
      await splitAbort(ctx, again.id, DO);
      const last = await splitPlan(ctx, { source, collections: ['orders'], seconds: 0.5 });
      await splitRun(ctx, last, DO);
      await splitCutover(ctx, last.id, ALONE);
      await splitFinish(ctx, last.id, DO);
      assert.equal(await into.countDocuments(), 503);
      const [, ttl] = await into.indexes();
      assert.equal(ttl.expireAfterSeconds, 1e6);
    });
});
