'use strict';

const assert = require('node:assert/strict');
const { buildIndexes } = require('../../../lib/split/indexes');
const { workOf, UUID, failed } = require('./kit');

const NAMES = ['a', 'b', 'c', 'd'];
const indexOf = (/** @type {string} */ name) => ({ name, key: { [name]: 1 } });

/**
 * A server of so many CPUs and so much memory, whose clients do so much; each command that
 * builds is answered by `build`.
 * @param {any} of
 */
function on({
  indexes = 3,
  cores = 2,
  memoryMB = 24_000,
  perLook = 0,
  build = async () => ({ ok: 1 }),
  host = { system: { numCores: cores, memLimitMB: memoryMB } },
  now = () => NAMES.slice(0, indexes).map(indexOf),
  copy = [],
} = {}) {
  const built = /** @type {string[]} */ ([]);
  const dropped = /** @type {string[]} */ ([]);
  const saved = /** @type {any[]} */ ([]);
  let ops = 0;
  const job = workOf({
    command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
      if (spec.hostInfo) return host ?? Promise.reject(failed(13));
      if (spec.serverStatus) {
        ops += perLook;
        return {
          opLatencies: Number.isNaN(perLook) ? undefined : { reads: { ops }, writes: { ops: 0 } },
        };
      }
      if (spec.listCollections)
        return { cursor: { firstBatch: [{ type: 'collection', info: { uuid: UUID } }] } };
      if (spec.listIndexes)
        return { cursor: { firstBatch: spec.listIndexes === 'c' ? now() : copy } };
      if (spec.dropIndexes) {
        dropped.push(...spec.index);
        copy = [];
        return { ok: 1 };
      }
      built.push(spec.indexes.map((/** @type {any} */ one) => one.name).join(''));
      return build(spec, built.length);
    },
  });
  Object.assign(job.split, { indexes: NAMES.slice(0, indexes).map(indexOf), stagingUuid: UUID });
  const { save } = job;
  job.save = async (/** @type {any} */ changes) => {
    saved.push(changes);
    await save(changes);
  };
  return { job, built, dropped, saved };
}

describe('split: the indexes', () => {
  const builds = async (/** @type {any} */ of) => {
    const { job, built } = on(of);
    await buildIndexes(job, async () => {});
    return built;
  };
  it(
    'where nobody uses the server as many commands at once as it has CPUs, three at ' +
      'most, and what a tenth of its memory holds',
    async () => {
      assert.deepEqual(
        await Promise.all([
          builds({}),
          builds({ cores: 8 }),
          builds({ cores: 8, indexes: 4 }),
          builds({ cores: 1 }),
        ]),
        [['ac', 'b'], ['a', 'b', 'c'], ['ad', 'b', 'c'], ['abc']],
      );
      assert.deepEqual(
        await Promise.all([builds({ memoryMB: 3_999 }), builds({ memoryMB: 4_000 })]),
        [['abc'], ['ac', 'b']],
      );
      assert.deepEqual(await Promise.all([builds({ indexes: 1 }), builds({ indexes: 0 })]), [
        ['a'],
        [],
      ]);
    },
  );
  it('in one where clients do something, and where that is not known', async () => {
    assert.deepEqual(
      await Promise.all([
        builds({ perLook: 9 }),
        builds({ perLook: 10 }),
        builds({ perLook: -1 }),
        builds({ perLook: NaN }),
        builds({ host: null }),
        builds({ host: {} }),
      ]),
      [['ac', 'b'], ['abc'], ['abc'], ['abc'], ['abc'], ['abc']],
    );
  });
  it(
    'two documents with one value for a moment: all commands have ended, what happened is ' +
      'brought over, and it is tried again',
    async () => {
      const { job, built } = on({
        build: async (/** @type {any} */ _spec, /** @type {number} */ n) => {
          if (n === 1) throw Object.assign(failed(11000), { keyValue: { a: 1 } });
          return { ok: 1 };
        },
      });
      const brought = /** @type {number[]} */ ([]);
      await buildIndexes(job, async () => {
        brought.push(built.length);
      });
      assert.deepEqual([built, brought], [['ac', 'b', 'ac', 'b'], [2]]);
    },
  );
  it('those that the source has now, before each try; what it has no more is dropped in the copy', async () => {
    let now = ['a', 'b'];
    const unique = { ...indexOf('d'), unique: true };
    const { job, built, dropped, saved } = on({
      cores: 1,
      now: () => [{ name: '_id_', key: { _id: 1 } }, ...now.map(indexOf)],
      copy: [unique, indexOf('b')],
      build: async (/** @type {any} */ _spec, /** @type {number} */ n) => {
        if (n === 1) throw failed(11000);
        return { ok: 1 };
      },
    });
    await buildIndexes(job, async () => {
      now = ['b'];
    });
    assert.deepEqual(
      [built, dropped, saved],
      [['ab', 'b'], ['d'], [{ indexes: ['a', 'b'].map(indexOf) }, { indexes: ['b'].map(indexOf) }]],
    );
    now = [];
    await buildIndexes(job, async () => {});
    assert.deepEqual([built.length, job.split.indexes], [2, []]);
  });
  it('none whose fields JavaScript would put in another order', async () => {
    const key = { b: 1, 1: 1 };
    const { job, built } = on({ now: () => [{ name: 'x', key }] });
    await assert.rejects(
      buildIndexes(job, async () => {}),
      { code: 'TUNE-35009', message: /the index x has several fields in one document/ },
    );
    assert.deepEqual(built, []);
  });
  it('a copy that is gone is missed, though it has no index to build', async () => {
    const { job } = on({ indexes: 0 });
    job.split.stagingUuid = 'bbbbbbbb-0000-4000-8000-000000000000';
    await assert.rejects(
      buildIndexes(job, async () => {}),
      { code: 'TUNE-35005' },
    );
  });
  it('not for ever, and no other fault', async () => {
    const full = on({
      cores: 1,
      build: async () => {
        throw failed(11000);
      },
    });
    await assert.rejects(
      buildIndexes(full.job, async () => {}),
      { code: 'TUNE-35008' },
    );
    assert.equal(full.built.length, 20);
    await assert.rejects(
      buildIndexes(
        on({
          build: async () => {
            throw failed(67);
          },
        }).job,
        async () => {},
      ),
      { code: 67 },
    );
  });
});
