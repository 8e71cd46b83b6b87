'use strict';

const assert = require('node:assert/strict');
const { copyRanges, nextSize, FIRST } = require('../../../lib/split/copy-ranges');
const { idBytes, workOf, failed, listed, cursorOf, UUID } = require('./kit');

const ALL = 5000;

/**
 * Of 5,000 documents, whose ids are their numbers.
 * @param {number} max in one call
 * @param {'online' | 'offline'} mode
 * @param {(to: number) => Record<string, any>} [status] of the server, by what is copied
 */
function of(max, mode, status = () => ({})) {
  const copied = /** @type {number[]} */ ([]);
  let at = 0;
  const bounds = (/** @type {any} */ match) =>
    (match.$expr?.$and ?? (match.$expr ? [match.$expr] : [])).reduce(
      (/** @type {any} */ all, /** @type {any} */ one) => ({
        ...all,
        ...(one.$gte && { from: Number(one.$gte[1].$literal) }),
        ...(one.$lt && { to: Number(one.$lt[1].$literal) }),
      }),
      { from: 0, to: ALL },
    );
  const job = workOf({
    command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
      if (spec.listCollections) return listed({});
      if (spec.serverStatus) return status(at);
      if (spec.replSetGetStatus) return { members: [] };
      if (spec.hello) return { operationTime: 'now' };
      if (spec.aggregate) {
        const { from, to } = bounds(spec.pipeline[0].$match.$and[1]);
        if (to - from > max) throw failed(50);
        copied.push(to - from);
        at = to;
      }
      return { ok: 1 };
    },
    aggregate: (
      /** @type {string} */ _db,
      /** @type {string} */ _name,
      /** @type {any[]} */ pipeline,
    ) => {
      const skip = pipeline.find(({ $skip }) => $skip)?.$skip;
      const edge = bounds(pipeline[0].$match?.$and?.[0] ?? {}).from + skip;
      return cursorOf(skip && edge < ALL ? [idBytes(edge)] : []);
    },
  });
  Object.assign(job.split, { phase: 'created', mode, documents: ALL });
  return { job, copied };
}
const sum = (/** @type {number[]} */ all) => all.reduce((a, b) => a + b, 0);

describe('split: copying in ranges', function () {
  this.timeout(20_000);
  it(
    'each in one call, larger while they are quick; how far it is, and of which collection, is ' +
      'written down',
    async () => {
      const { job, copied } = of(ALL, 'online');
      await copyRanges(job, async () => {});
      assert.deepEqual(
        [copied, job.split.copied, job.split.startAt, job.split.stagingUuid],
        [[500, 1000, 2000, 1500], 3500, 'now', UUID],
      );
    },
  );
  it(
    'what happened between is brought over every few seconds; offline there is nothing to ' +
      'bring over',
    async () => {
      const { now } = Date;
      let ms = now();
      Date.now = () => {
        ms += 700;
        return ms;
      };
      try {
        let caught = 0;
        await copyRanges(of(ALL, 'online').job, async () => {
          caught += 1;
        });
        assert.ok(caught > 0);
        await copyRanges(of(ALL, 'offline').job, async () => assert.fail('nothing moves'));
      } finally {
        Date.now = now;
      }
    },
  );
  it('each is read as of a time behind all that was brought over, by whatever primary', async () => {
    const { job } = of(ALL, 'online');
    const { command } = job.port;
    let time = 1;
    /** @type {[number, number][]} */ const read = [];
    Object.assign(job.port, {
      adminCommand: async (/** @type {any} */ spec) =>
        spec.hello ? { operationTime: time } : command('admin', spec),
      command: async (/** @type {string} */ db, /** @type {any} */ spec) => {
        if (spec.aggregate) read.push([spec.readConcern.afterClusterTime, time]);
        time += 1;
        return command(db, spec);
      },
    });
    await copyRanges(job, async () => {});
    assert.ok(
      read.length > 1 && read.every(([asked, now]) => now - asked <= 2),
      JSON.stringify(read),
    );
  });
  it('where one takes too long they get smaller', async () => {
    const { job, copied } = of(200, 'offline');
    await copyRanges(job, async () => {});
    assert.deepEqual(
      [copied[0], sum(copied), job.split.startAt, copied.every((one) => one <= 200)],
      [125, ALL, null, true],
    );
  });
  it('documents that take too long one by one are an error', async () =>
    assert.rejects(
      copyRanges(of(0, 'offline').job, async () => {}),
      { code: 'TUNE-20008' },
    ));
  it('while the server has no room it rests, says why, and goes on in smaller steps', async () => {
    const dirty = (/** @type {number} */ at) => ({
      wiredTiger: {
        cache: {
          'tracked dirty bytes in the cache': at === 500 ? 15 : 5,
          'maximum bytes configured': 100,
        },
      },
    });
    const { job, copied } = of(ALL, 'offline', dirty);
    await copyRanges(job, async () => {});
    assert.deepEqual(copied.slice(0, 2), [500, 250]);
    assert.match(
      job.said.find((/** @type {string} */ one) => one.includes('throttled')),
      /^copying 10%, \d.* left, throttled: 15% of the cache is dirty \(5% before\)$/,
    );
    assert.ok(job.split.throttledMs > 0);
  });
});

describe('split: how large a range is', () => {
  for (const [
    what,
    size,
    last,
    next,
  ] of /** @type {[string, number, { ms: number, isThrottled: boolean }, number][]} */ ([
    ['a quick one doubles', 500, { ms: 249, isThrottled: false }, 1000],
    ['one that takes its time stays', 500, { ms: 250, isThrottled: false }, 500],
    ['as long as it does not take too much', 500, { ms: 1000, isThrottled: false }, 500],
    ['a slow one halves', 501, { ms: 1001, isThrottled: false }, 251],
    ['it does not grow without an end', 16_000, { ms: 1, isThrottled: false }, 16_000],
    ['a slow document stays alone', 1, { ms: 9000, isThrottled: false }, 1],
    ['while clients are spared it halves, however quick', 4000, { ms: 1, isThrottled: true }, 2000],
    ['not to nothing', 300, { ms: 1, isThrottled: true }, 250],
    ['and a small one stays', 7, { ms: 1, isThrottled: true }, 7],
  ]))
    it(what, () => assert.equal(nextSize(size, last), next));
  it('it begins small: documents may be of 16 MB', () => assert.ok(FIRST <= 500));
});
