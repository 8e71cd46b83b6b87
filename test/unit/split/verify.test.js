'use strict';

const assert = require('node:assert/strict');
const { BSON } = require('mongodb');
const { compare, compareInstead, compareTail } = require('../../../lib/split/verify');
const { idBytes, valuesIn, workOf, DIRECTION, listed, cursorOf } = require('./kit');

/**
 * @param {(reading: number) => Record<string, string>} source text by id
 * @param {Record<string, string>} target
 * @param {(target: Record<string, string>) => void} [merge]
 */
function of(source, target, merge = () => {}) {
  let metrics = 0;
  const wanted = (/** @type {any} */ match) => (/** @type {string} */ id) =>
    !match._id || valuesIn(match).includes(id);
  return workOf({
    command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
      if (spec.aggregate) merge(target);
      return spec.listCollections ? listed({}) : { ok: 1 };
    },
    aggregate: (
      /** @type {string} */ db,
      /** @type {string} */ _name,
      /** @type {any[]} */ pipeline,
    ) => {
      if (pipeline.some(({ $skip }) => $skip)) return cursorOf([]);
      const raw = !pipeline.some(({ $project }) => $project);
      const all = db === 'app' ? source(raw ? metrics++ : metrics) : target;
      return cursorOf(
        Object.keys(all)
          .filter(wanted(pipeline[0].$match))
          .sort()
          .map((id) =>
            raw ? Buffer.from(BSON.serialize({ _id: id, value: all[id] })) : idBytes(id),
          ),
      );
    },
  });
}

describe('split: comparing', () => {
  it('equal collections have no differences', async () =>
    assert.deepEqual(
      await compare(
        of(() => ({ a: '1', b: '2' }), { a: '1', b: '2' }),
        /** @type {any} */ (DIRECTION),
        null,
      ),
      { documents: 2, ranges: 1, differences: [], repaired: 0, moving: 0, pending: 0 },
    ));
  it('what is right after it was brought over again is repaired', async () => {
    const { repaired, differences } = await compare(
      of(
        () => ({ a: '1', b: '2' }),
        { a: '1', b: '3' },
        (target) => {
          target.b = '2';
        },
      ),
      /** @type {any} */ (DIRECTION),
      async () => {},
    );
    assert.deepEqual([repaired, differences], [1, []]);
  });
  for (const [where, source, target] of /** @type {[string, any, any][]} */ ([
    ['both', { a: '1' }, { a: '2' }],
    ['source', { a: '1' }, {}],
    ['target', {}, { a: '1' }],
  ])) {
    it(`what goes on to differ is a difference: ${where}`, async () =>
      assert.deepEqual(
        (
          await compare(
            of(() => source, target),
            /** @type {any} */ (DIRECTION),
            null,
          )
        ).differences,
        [{ id: 'a', where }],
      ));
  }
  it('what is another at each sample is moving', async () => {
    const { moving, differences } = await compare(
      of((reading) => ({ a: String(reading) }), { a: 'x' }),
      /** @type {any} */ (DIRECTION),
      async () => {},
    );
    assert.deepEqual([moving, differences], [1, []]);
  });
  it('many that differ in a range are brought over at once', async () => {
    let merges = 0;
    const { repaired } = await compare(
      of(
        () => ({ a: '1', b: '2', c: '3' }),
        { a: '2', b: '1' },
        (target) => {
          merges += 1;
          Object.assign(target, { a: '1', b: '2', c: '3' });
        },
      ),
      /** @type {any} */ (DIRECTION),
      null,
    );
    assert.deepEqual([repaired, merges], [3, 1]);
  });
  it('those that are written meanwhile are brought over together again, and only then one by one', async () => {
    let [merges, caught] = [0, 0];
    const right = { a: '1', b: '2', c: '3' };
    const { repaired, differences } = await compare(
      of(
        () => right,
        {},
        (target) => {
          merges += 1;
          // The first round brings one, the second another.
          Object.assign(target, [{ a: '1' }, { a: '1', b: '2' }][merges - 1] ?? right);
        },
      ),
      /** @type {any} */ (DIRECTION),
      async () => {
        caught += 1;
      },
    );
    assert.deepEqual([repaired, differences, merges, caught], [3, [], 3, 2]);
  });
  it(
    'many that are written all the time wait for one another: neither the stream is read nor a ' +
      'name asked for each',
    async () => {
      const ids = Array.from({ length: 40 }, (_, i) => `d${i}`);
      let [caught, named] = [0, 0];
      const job = of((reading) => Object.fromEntries(ids.map((id) => [id, String(reading)])), {});
      const { command } = job.port;
      job.port.command = async (/** @type {string} */ db, /** @type {any} */ spec) => {
        named += Number(Boolean(spec.listCollections));
        return command(db, spec);
      };
      const { moving, differences } = await compare(
        job,
        /** @type {any} */ (DIRECTION),
        async () => {
          caught += 1;
        },
      );
      assert.deepEqual([moving, differences], [40, []]);
      assert.ok(caught < 10 && named < 40, `${caught} ${named}`);
    },
  );
  it('in place of a stream that is lost: what is still not the same is an error', async () => {
    await compareInstead(
      of(
        () => ({ a: '1' }),
        { a: '2' },
        (target) => {
          target.a = '1';
        },
      ),
      /** @type {any} */ (DIRECTION),
    );
    await assert.rejects(
      compareInstead(
        of(() => ({ a: '1' }), { a: '2' }),
        /** @type {any} */ (DIRECTION),
      ),
      (error) =>
        error.code === 'TUNE-35015' &&
        /1 documents? of app\.c .*differ.*"a"/.test(error.message) &&
        error.value.length === 1,
    );
  });
});

describe('split: the tail', () => {
  /**
   * @param {Record<string, string>} target
   * @param {string[]} ids
   * @param {(target: Record<string, string>) => void} [merge]
   */
  const tail = async (target, ids, merge) => {
    const job = of(() => ({ a: '1', b: '2', c: '3' }), target, merge);
    for (const id of ids) job.recent.set(id, idBytes(id));
    await compareTail(job, /** @type {any} */ (DIRECTION));
  };
  it('what was written last is the same, or is made so', async () => {
    await tail({ a: '1', b: '2', c: 'x' }, ['a', 'b']);
    await tail({ a: '1', b: '2', c: 'x' }, ['a', 'c'], (target) => {
      target.c = '3';
    });
  });
  it('nothing was written lately: nothing is read', async () => tail({}, []));
  it('what goes on to differ keeps the new place shut', async () =>
    assert.rejects(tail({ a: '1', b: '2', c: 'x' }, ['a', 'c']), { code: 'TUNE-35015' }));
});
