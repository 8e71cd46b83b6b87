'use strict';

const assert = require('node:assert/strict');
const { Timestamp } = require('mongodb');
const { Follower } = require('../../../lib/split/follow');
const { readAhead } = require('../../../lib/split/read-ahead');
const { idBytes, valueOf, valuesIn, workOf, DIRECTION, UUID, listed } = require('./kit');

/** Of a set in which most members have all. */
const NEWEST = Object.freeze({ ts: new Timestamp({ t: 1, i: 0 }) });
const COMMITTED = Object.freeze({ opTime: NEWEST, majorityOpTime: NEWEST });

/**
 * A stream that never ends, of events that are as old as they come; and a server whose clock is
 * another.
 * @param {{ aheadMs: number, oldMs: number[], everyMs?: number, together?: number, more?: any }} of
 *   `everyMs`: between two of them; `together`: so many in a transaction
 */
function on({ aheadMs, oldMs, everyMs = 0, together = 1, more = {} }) {
  const merged = /** @type {any[]} */ ([]);
  const batches = /** @type {number[]} */ ([]);
  let at = 0;
  const event = () => {
    const old = oldMs[Math.min(at, oldMs.length - 1)];
    at += 1;
    return {
      operationType: 'update',
      isDocument: true,
      rawKey: [idBytes(at)],
      clusterTime: new Timestamp({ t: Math.ceil(at / together), i: 0 }),
      wallTime: new Date(Date.now() + aheadMs - old),
    };
  };
  const job = workOf({
    command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
      if (spec.hello) return { localTime: new Date(Date.now() + aheadMs), lastWrite: COMMITTED };
      if (spec.aggregate) batches.push(merged.push(...valuesIn(spec.pipeline[0].$match)));
      return spec.listCollections ? listed({}) : { ok: 1 };
    },
    watch: () => ({
      tryNext: async () => {
        if (everyMs > 0)
          await new Promise((go) => {
            setTimeout(go, everyMs);
          });
        return event();
      },
      close: async () => {},
      get resumeToken() {
        return at;
      },
    }),
  });
  Object.assign(job.split, {
    token: null,
    pendingConflicts: [],
    reconciled: 0,
    stagingUuid: UUID,
    ...more,
  });
  return { job, merged, batches };
}

describe('split: following', () => {
  for (const [what, aheadMs] of /** @type {[string, number][]} */ ([
    ['the same', 0],
    ['ten minutes ahead', 600_000],
    ['ten minutes behind', -600_000],
  ])) {
    it(`the server's clock is ${what}: it is close behind when the events are new, and not before`, async () => {
      const { job, merged } = on({
        aheadMs,
        oldMs: [...Array.from({ length: 2500 }, () => 60_000), 10],
      });
      const follower = new Follower(job, /** @type {any} */ (DIRECTION));
      const { lagMs, idle } = await follower.until(
        (applyNext) => applyNext.lagMs < 1000,
        'following',
      );
      assert.ok(lagMs < 1000 && !idle);
      assert.ok(merged.length > 2500, String(merged.length));
      assert.deepEqual([job.split.reconciled, job.split.token], [merged.length, merged.length]);
      assert.match(job.said[0], /^following: [\d,]+ changes applied, lag (59|6\d)\.\d s$/);
    });
  }
  it('where changes come one by one it does not wait for a full batch of them', async () => {
    const { job, merged } = on({ aheadMs: 0, oldMs: [10], everyMs: 20 });
    await new Follower(job, /** @type {any} */ (DIRECTION)).until(
      (applyNext) => applyNext.lagMs < 1000,
      'following',
    );
    assert.ok(merged.length > 0 && merged.length < 100, String(merged.length));
  });
  it('a batch has the whole of a transaction or nothing of it', async () => {
    const { job, merged, batches } = on({
      aheadMs: 0,
      oldMs: [...Array.from({ length: 40 }, () => 60_000), 10],
      everyMs: 20,
      together: 3,
    });
    await new Follower(job, /** @type {any} */ (DIRECTION)).until(
      (applyNext) => applyNext.lagMs < 1000,
      'following',
    );
    assert.ok(batches.length > 1, String(batches));
    assert.deepEqual(
      batches.filter((end) => end % 3 !== 0),
      [],
      String(batches),
    );
    assert.deepEqual(
      merged,
      merged.map((_, i) => i + 1),
    );
    assert.equal(job.split.token, merged.length);
  });
  it('the newest ids are remembered, each once, and the oldest are not', async () => {
    const { job, merged } = on({
      aheadMs: 0,
      oldMs: [...Array.from({ length: 1500 }, () => 60_000), 10],
    });
    await new Follower(job, /** @type {any} */ (DIRECTION)).until(
      (applyNext) => applyNext.lagMs < 1000,
      'following',
    );
    assert.deepEqual([...job.recent.values()].map(valueOf), merged.slice(-1000));
  });
  it('what was noted beside the copy comes first, and the stream goes on behind it', async () => {
    const { job, merged } = on({ aheadMs: 0, oldMs: [10] });
    job.noted = { ids: ['x', 'y'].map(idBytes), gone: [], time: 5, token: 7 };
    await new Follower(job, /** @type {any} */ (DIRECTION)).applyNext();
    assert.deepEqual(
      [merged.slice(0, 2), job.noted, job.split.reconciled > 2],
      [['x', 'y'], null, true],
    );
  });
});

describe('split: reading ahead', () => {
  /** @param {any} job @param {() => boolean} enough */
  const read = async (job, enough) => {
    const ahead = readAhead(job, /** @type {any} */ (DIRECTION));
    for (const until = Date.now() + 5000; !enough() && Date.now() < until;)
      await new Promise((go) => {
        setTimeout(go, 5);
      });
    await ahead.stop();
    return job.noted;
  };
  it('notes each id once, and brings nothing over', async () => {
    const { job, merged } = on({ aheadMs: 0, oldMs: [10], everyMs: 1 });
    let seen = 0;
    const { watch } = job.port;
    job.port.watch = () => {
      const stream = watch();
      return {
        tryNext: async () => {
          const event = await stream.tryNext();
          seen += 1;
          const id = seen % 5;
          event.rawKey = [idBytes(id)];
          if (id === 3) event.operationType = 'delete';
          return event;
        },
        close: stream.close,
        get resumeToken() {
          return stream.resumeToken;
        },
      };
    };
    const noted = await read(job, () => seen > 50);
    assert.deepEqual(
      [
        noted.ids.map(valueOf).sort(),
        noted.gone.map(valueOf),
        noted.token > 0 && noted.time?.getHighBits() === noted.token,
        merged,
        job.split.token,
      ],
      [[0, 1, 2, 3, 4], [3], true, [], null],
    );
  });
  it('no more than can be brought over at once', async () => {
    const { job } = on({ aheadMs: 0, oldMs: [10] });
    let [asked, last] = [0, -1];
    const { watch } = job.port;
    job.port.watch = () => {
      const stream = watch();
      return {
        tryNext: () => {
          asked += 1;
          return stream.tryNext();
        },
        close: stream.close,
        get resumeToken() {
          return stream.resumeToken;
        },
      };
    };
    // It stalls between two samples.
    const noted = await read(job, () => {
      const same = asked > 0 && asked === last;
      last = asked;
      return same;
    });
    assert.ok(noted.ids.length >= 20_000 && noted.ids.length < 22_000, String(noted.ids.length));
    assert.equal(noted.token, noted.ids.length);
  });
  it('a stream that fails is left to the one who follows', async () => {
    const { job } = on({ aheadMs: 0, oldMs: [10] });
    let asked = 0;
    job.port.watch = () => ({
      tryNext: async () => {
        asked += 1;
        throw Object.assign(new Error('gone'), { code: 286 });
      },
      close: async () => {},
      resumeToken: null,
    });
    assert.deepEqual(await read(job, () => asked > 0), {
      ids: [],
      gone: [],
      time: null,
      token: null,
    });
  });
  it('without a beginning none is opened: the server would begin now', async () => {
    const { job } = on({ aheadMs: 0, oldMs: [10], more: { startAt: null } });
    let opened = 0;
    job.port.watch = () => {
      opened += 1;
    };
    const follower = new Follower(job, /** @type {any} */ (DIRECTION));
    await assert.rejects(follower.applyNext(), /has no beginning/);
    assert.equal(opened, 0);
  });
  it('the cut is not for this one to see', async () => {
    const { job } = on({ aheadMs: 0, oldMs: [10] });
    let asked = 0;
    job.port.watch = () => ({
      tryNext: async () => {
        asked += 1;
        return {
          operationType: 'rename',
          to: { coll: DIRECTION.from.renamedTo },
          clusterTime: 1,
          wallTime: new Date(),
        };
      },
      close: async () => {},
      resumeToken: 4,
    });
    assert.deepEqual(await read(job, () => asked > 0), {
      ids: [],
      gone: [],
      time: null,
      token: null,
    });
  });
});

describe('split: ids that wait for a value of a unique index', () => {
  /** @param {number} count @param {number} length of each id */
  const saving = (count, length) => {
    const { job } = on({ aheadMs: 0, oldMs: [10] });
    job.split.pendingConflicts = Array.from({ length: count }, (_, i) =>
      idBytes(`${i}`.padStart(length, '0')),
    );
    return new Follower(job, DIRECTION);
  };

  for (const [count, length] of [
    [140_000, 60],
    [13_000, 1000],
  ])
    it(`${count} of ${length} bytes fit into the state, which is one document`, async () => {
      await saving(count, length).save();
    });

  it('more bytes than the state can hold end the split with a way on, however few they are', async () => {
    await assert.rejects(saving(15_000, 1000).save(), (/** @type {any} */ error) => {
      assert.equal(error.code, 'TUNE-35008');
      assert.match(error.message, /tune\.split\.resume\(.*restart: true, confirm: true/);
      return true;
    });
  });
});
