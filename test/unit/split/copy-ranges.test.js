'use strict';

const assert = require('node:assert/strict');
const { copyRanges } = require('../../../lib/split/copy-ranges');
const { workOf, failed, listed, cursorOf } = require('./kit');

/** Of 5,000 documents, whose ids are their numbers. @param {number} most in one call @param {'online' | 'offline'} mode */
function of(most, mode) {
  const copied = /** @type {number[]} */ ([]);
  const bounds = (/** @type {any} */ match) => (match.$expr?.$and ?? (match.$expr ? [match.$expr] : [])).reduce((/** @type {any} */ all, /** @type {any} */ one) => ({ ...all, ...(one.$gte && { from: one.$gte[1].$literal }), ...(one.$lt && { to: one.$lt[1].$literal }) }), { from: 0, to: 5000 });
  const work = workOf({
    command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
      if (spec.listCollections) return listed({});
      if (spec.serverStatus || spec.replSetGetStatus) return { members: [] };
      if (spec.hello) return { operationTime: 'now' };
      if (spec.aggregate) {
        const { from, to } = bounds(spec.pipeline[0].$match.$and[1]);
        if (to - from > most) throw failed(50);
        copied.push(to - from);
      }
      return { ok: 1 };
    },
    aggregate: (/** @type {string} */ _db, /** @type {string} */ _name, /** @type {any[]} */ pipeline) => {
      const skip = pipeline.find(({ $skip }) => $skip)?.$skip;
      const edge = bounds(pipeline[0].$match ?? {}).from + skip;
      return cursorOf(skip && edge < 5000 ? [{ _id: edge }] : []);
    },
  });
  Object.assign(work.split, { phase: 'created', mode });
  return { work, copied };
}
const sum = (/** @type {number[]} */ all) => all.reduce((a, b) => a + b, 0);

describe('split: copying in ranges', () => {
  it('each in one call, and what happened between is brought over', async () => {
    const { work, copied } = of(2000, 'online');
    let caught = 0;
    await copyRanges(work, async () => { caught += 1; });
    assert.deepEqual([copied, caught, work.split.copied, work.split.startAt], [[2000, 2000, 1000], 2, 4000, 'now']);
  });
  it('where one takes too long they get smaller; offline there is nothing to bring over', async () => {
    const { work, copied } = of(700, 'offline');
    await copyRanges(work, async () => assert.fail('nothing moves'));
    assert.deepEqual([copied[0], sum(copied), work.split.startAt], [500, 5000, null]);
  });
  it('one document that takes too long is an error', async () => assert.rejects(copyRanges(of(0, 'offline').work, async () => {}), { code: 50 }));
});
