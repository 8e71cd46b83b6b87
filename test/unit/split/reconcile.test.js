'use strict';

const assert = require('node:assert/strict');
const { reconcile } = require('../../../lib/split/reconcile');
const { BSON } = require('mongodb');
const {
  idBytes,
  valueOf,
  valuesIn,
  workOf,
  DIRECTION,
  failed,
  listed,
  cursorOf,
} = require('./kit');

/**
 * @param {(ids: any[], deleted: any[]) => void} merge throws
 * @param {any[]} [found] the document whose _id is null
 */
function of(merge, found = []) {
  const did = {
    merged: /** @type {any[]} */ ([]),
    deleted: /** @type {any[]} */ ([]),
    updates: /** @type {any[]} */ ([]),
  };
  const job = workOf({
    command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
      if (spec.listCollections) return listed({});
      if (spec.delete) did.deleted.push(...valuesIn(spec.deletes[0].q));
      if (spec.update)
        did.updates.push(
          BSON.deserialize(BSON.serialize(spec.updates[0].u[0].$replaceWith.$literal)),
        );
      if (spec.aggregate) {
        merge(valuesIn(spec.pipeline[0].$match), did.deleted);
        did.merged.push(...valuesIn(spec.pipeline[0].$match));
      }
      return { ok: 1 };
    },
    aggregate: () => cursorOf(found.map((one) => Buffer.from(BSON.serialize(one)))),
  });
  return {
    did,
    run: async (/** @type {any[]} */ ids, /** @type {any[]} */ gone = []) =>
      (
        await reconcile(job, /** @type {any} */ (DIRECTION), {
          ids: ids.map(idBytes),
          gone: gone.map(idBytes),
          time: null,
        })
      ).map(valueOf),
  };
}

describe('split: making documents the same', () => {
  for (const code of [11000, 66])
    it(`in conflict (${code}) they are taken out and brought over again`, async () => {
      const { did, run } = of((ids, deleted) => {
        if (deleted.length === 0) throw failed(code);
      });
      assert.deepEqual([await run([1, 2]), did.deleted, did.merged], [[], [1, 2], [1, 2]]);
    });
  it('what stays in conflict waits, and only that', async () => {
    const { did, run } = of((ids) => {
      if (ids.includes(3)) throw failed(11000);
    });
    assert.deepEqual([await run([1, 2, 3, 4, 5]), did.merged], [[3], [1, 2, 4, 5]]);
  });
  it('too much for one call is made two; one document that takes too long is an error', async () => {
    const { did, run } = of((ids) => {
      if (ids.length > 1) throw failed(50);
    });
    assert.deepEqual([await run([1, 2, 3]), did.merged, did.deleted], [[], [1, 2, 3], []]);
    await assert.rejects(
      of(() => {
        throw failed(50);
      }).run([1]),
      { code: 50 },
    );
    await assert.rejects(
      of(() => {
        throw failed(13);
      }).run([1, 2]),
      { code: 13 },
    );
  });
  it('a source that is cut off just then is read under its other name', async () => {
    let refused = 1;
    const { did, run } = of(() => {
      if (refused > 0) {
        refused -= 1;
        throw failed(241);
      }
    });
    assert.deepEqual([await run([1]), did.merged], [[], [1]]);
  });
  it('those that were deleted go first; a null goes by itself, there or not', async () => {
    const there = of(() => {}, [{ _id: null, a: 1 }]);
    assert.deepEqual(
      [await there.run([null, 1], [1]), there.did.deleted, there.did.updates, there.did.merged],
      [[], [1], [{ _id: null, a: 1 }], [1]],
    );
    const gone = of(() => {});
    assert.deepEqual([await gone.run([null]), gone.did.deleted, gone.did.merged], [[], [null], []]);
  });
});
