'use strict';

const assert = require('node:assert/strict');
const { waitForCalm } = require('../../../lib/split/guard');
const { workOf } = require('./kit');

const cache = (/** @type {number} */ dirty) => ({ wiredTiger: { cache: { 'tracked dirty bytes in the cache': dirty, 'maximum bytes configured': 1000 } } });
const writes = (/** @type {number} */ ops, /** @type {number} */ meanMs) => ({ opLatencies: { writes: { ops, latency: ops * meanMs * 1000 } } });
const members = (/** @type {number} */ behindMs) => ({ members: [{ stateStr: 'PRIMARY', optimeDate: new Date(60_000) }, { stateStr: 'SECONDARY', optimeDate: new Date(60_000 - behindMs) }, { stateStr: 'ARBITER' }] });

/** @param {any[]} statuses one after the other; the last stays @param {any[]} sets @param {any} [more] */
function of(statuses, sets, more) {
  const next = (/** @type {any[]} */ list) => (list.length > 1 ? list.shift() : list[0]);
  const work = workOf({ command: async (/** @type {string} */ _db, /** @type {any} */ { serverStatus }) => (serverStatus ? next(statuses) : next(sets)) });
  Object.assign(work.split, more);
  return work;
}

describe('split: room for the clients', () => {
  for (const [what, statuses, sets, said] of /** @type {[string, any[], any[], string[]][]} */ ([
    ['nothing is known to be in the way', [{}], [members(0)], []],
    ['a tenth of the cache is dirty', [cache(100)], [members(0)], []],
    ['more is', [cache(101), cache(100)], [members(0)], ['waiting: 10 % of the cache is dirty']],
    ['a member is 5 s behind', [cache(0)], [members(5000)], []],
    ['more than that', [cache(0)], [members(5001), members(0)], ['waiting: a member is 5 s behind']],
  ])) it(`${what}: ${said.length > 0 ? 'it waits, and says so' : 'it goes on'}`, async () => {
    const work = of(statuses, sets);
    await waitForCalm(work);
    assert.deepEqual(work.said, said);
  });
  it('writes that take more than twice what they took of old, and none in between', async () => {
    const work = of([writes(1000, 10), { opLatencies: { writes: { ops: 1010, latency: 1000 * 10_000 + 10 * 21_000 } } }, { opLatencies: { writes: { ops: 1010, latency: 1000 * 10_000 + 10 * 21_000 } } }], [members(0)]);
    await waitForCalm(work);
    await waitForCalm(work);
    assert.deepEqual(work.said, ['waiting: writes take 21.0 ms']);
  });
  it('offline there are no members to wait for', async () => {
    const work = of([cache(0)], [members(60_000)], { mode: 'offline' });
    await waitForCalm(work);
    assert.deepEqual(work.said, []);
  });
  it('a server that is always busy does not hold it up for ever', async () => {
    const { now } = Date;
    const work = of([cache(900)], [members(0)]);
    let ms = now();
    Date.now = () => { ms += 20_000; return ms; };
    try {
      await waitForCalm(work);
    } finally {
      Date.now = now;
    }
    assert.deepEqual(work.said, ['waiting: 90 % of the cache is dirty']);
  });
});
