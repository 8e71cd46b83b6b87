'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { BSON } = require('mongodb');
const { reconcile } = require('../../../lib/split/reconcile');
const { copyOut } = require('../../../lib/split/copy');
const { copyRanges } = require('../../../lib/split/copy-ranges');
const { compare } = require('../../../lib/split/verify');
const { document, element } = require('../../support/raw-bson');
const { cursorOf, idBytes, listed, workOf, DIRECTION, NONE } = require('./kit');

const ODD = document(element(3, '_id', document(element(6, 'u'))));

/** @param {(doIt: () => Promise<any>) => Promise<any>} write of the work */
function of(write) {
  const inside = new AsyncLocalStorage();
  const sent = /** @type {any[]} */ ([]);
  const job = workOf(
    {
      command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
        if (spec.writeConcern)
          sent.push({ name: Object.keys(spec)[0], filter: inside.getStore() ?? [] });
        if (spec.listCollections) return listed({});
        if (spec.hello) return { operationTime: 'now', localTime: new Date() };
        return spec.aggregate === 1 ? NONE : { ok: 1 };
      },
      aggregate: (
        /** @type {string} */ _db,
        /** @type {string} */ _name,
        /** @type {any[]} */ pipeline,
      ) => {
        if (pipeline.some(({ $skip }) => $skip)) return cursorOf([]);
        if (pipeline[0].$match?._id === null)
          return cursorOf([Buffer.from(BSON.serialize({ _id: null, a: 1 }))]);
        // Never the same at two reads: there is always something to apply.
        return cursorOf([
          pipeline.some(({ $project }) => $project)
            ? idBytes(1)
            : Buffer.from(BSON.serialize({ _id: 1, a: Math.random() })),
        ]);
      },
    },
    {
      again: (/** @type {() => Promise<any>} */ doIt) =>
        inside.run([...(inside.getStore() ?? []), 'again'], doIt),
      write: (/** @type {() => Promise<any>} */ doIt) =>
        inside.run([...(inside.getStore() ?? []), 'write'], () => write(doIt)),
    },
  );
  Object.assign(job.split, { phase: 'created', mode: 'offline', history: [{ at: new Date() }] });
  return { job, sent };
}

/** @type {Record<string, (job: any) => Promise<any>>} */
const FLOWS = {
  'documents that changed': (job) =>
    reconcile(job, /** @type {any} */ (DIRECTION), {
      ids: [1, null].map(idBytes).concat(ODD),
      gone: [idBytes(2)],
      time: null,
    }),
  'a copy in one command': (job) => copyOut(job),
  'a copy in ranges': (job) => copyRanges(job, async () => {}),
  'a comparison': (job) => compare(job, /** @type {any} */ (DIRECTION), null),
};

describe('split: a write of which nobody knows whether the server goes on with it', () => {
  const lost = Object.assign(new Error('in doubt'), { code: 'IN_DOUBT' });
  for (const [name, flow] of Object.entries(FLOWS)) {
    it(`ends what was under way: ${name}`, async () => {
      const { job, sent } = of(async () => {
        throw lost;
      });
      job.noted = { ids: [], gone: [], time: null, token: null };
      await assert.rejects(flow(job), lost);
      assert.deepEqual(sent, []);
      if (name === 'a copy in one command') assert.equal(job.noted, null);
    });
    it(`is not sent again by itself: ${name}`, async () => {
      const { job, sent } = of((doIt) => doIt());
      await flow(job);
      assert.ok(sent.length > 0);
      assert.deepEqual(
        sent.filter(({ filter }) => filter.join() !== 'write'),
        [],
      );
    });
  }
});
