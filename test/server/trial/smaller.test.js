'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress } = require('../../support/trial');
const { askedStrings, cacheOf, onFullCache, setExternally } = require('../../support/engine');
const { run: undo } = require('../../../lib/commands/undo');
const { run: apply } = require('../../../lib/commands/apply');
const { run: trial } = require('../../../lib/commands/trial');
const { run: history } = require('../../../lib/commands/history');

const LARGER = Object.freeze({ cacheSizeGB: 1 });
const IN_B = /^block \d of \d+, B: \d+ of/;
const MB = 2 ** 20;
/** From 1 GB to 256 MB by steps of which none is more than a sixth. */
const FEWEST_STEPS = 5;

/** @param {string[]} sent strings of the cache's size */
const sizes = (sent) => sent.map((text) => Number(/^cache_size=(\d+)M$/.exec(text)?.[1]));

/**
 * @param {number[]} sent
 * @param {number} larger
 * @returns {number[][]} the ways down, each from the larger size on
 */
function waysDown(sent, larger) {
  return sent
    .join()
    .split(`${larger}`)
    .slice(1)
    .map((way) => way.split(',').filter(Boolean).map(Number));
}

/** @param {number[]} way @param {number} from @param {number} to */
function assertInSteps(way, from, to) {
  assert.ok(way.length >= FEWEST_STEPS && way.at(-1) === to, `${from} to ${way.join()}`);
  assert.ok(
    way.every((size, i) => size < (way[i - 1] ?? from) && size > (way[i - 1] ?? from) * 0.8),
    `${from} to ${way.join()}`,
  );
}

describe('a trial of a larger cache goes back to the smaller one in steps', () => {
  const place = useTrialServer('paced');
  const cacheMB = async () => (await cacheOf(place.server)).maxBytes / MB;
  /** @template T @param {() => Promise<T>} changeRun @returns {Promise<{ done: T, sent: number[] }>} */
  async function sentBy(changeRun) {
    const asked = (await askedStrings(place.server)).length;
    const done = await changeRun();
    return { done, sent: sizes((await askedStrings(place.server)).slice(asked)) };
  }
  const full = (more = {}) => onFullCache(place.context(more));
  beforeEach(() => place.startLoad());

  it('at every switch, and at its end', async () => {
    const { done, sent } = await sentBy(() =>
      place.run(LARGER, { blocks: 4, blockSeconds: 1, keep: 'never' }, full()),
    );
    const ways = waysDown(sent, 1024);
    assert.ok(ways.length >= 1, `${sent}`);
    for (const way of ways) assertInSteps(way, 1024, 256);
    assert.deepEqual(
      [done.ended, done.effective, done.verified, await cacheMB()],
      ['complete', 'A', true, 256],
      `${done}`,
    );

    const down = done.switchCost.switches.filter(({ isDown }) => isDown);
    assert.deepEqual(
      down.map(({ to, calls }) => [to, calls]),
      ways.map((way) => ['A', way.length]),
    );
    assert.ok(
      down.every(({ seconds }) => Number(seconds) > 1),
      JSON.stringify(down),
    );
    assert.deepEqual(
      done.switchCost.switches
        .filter(({ to }) => to === 'B')
        .map(({ isDown, calls }) => [isDown, calls]),
      ways.map(() => [false, 1]),
    );
    for (const cost of [...done.switchCost.switches, done.switchCost.measured]) {
      assert.ok(
        Number(cost?.worstSecondOpsPerSec) > 0 &&
          Number(cost?.slowestMs) > 0 &&
          Number(cost?.writeP99Ms) > 0,
        JSON.stringify(cost),
      );
      assert.ok(
        Number(cost?.worstSecondBlockedThreads) >= 0 && Number(cost?.longestStallSeconds) >= 0,
        JSON.stringify(cost),
      );
    }
    assert.match(
      String(done),
      /\d switches, \d down in steps, at most \S+ s each\. Worst while switching:\s+\S+\s+application\s+threads blocked/,
    );
    assert.ok(
      done.blocks.every(({ seconds }) => seconds < 2),
      'the way down is not measured',
    );
  });

  it('after Ctrl-C', async () => {
    const stop = new AbortController();
    const ctx = onProgress(full({ signal: stop.signal }), IN_B, () => stop.abort());
    const { done, sent } = await sentBy(() => place.run(LARGER, {}, ctx));
    assertInSteps(/** @type {number[]} */ (waysDown(sent, 1024).at(-1)), 1024, 256);
    assert.deepEqual([done.ended, done.effective, await cacheMB()], ['interrupted', 'A', 256]);
  });

  it('after Ctrl-C on the way down: it goes on from where it is', async () => {
    const stop = new AbortController();
    const ctx = onProgress(
      full({ signal: stop.signal }),
      /lowering in steps, now cache_size=[5-7]\d\dM/,
      () => stop.abort(),
    );
    const { done, sent } = await sentBy(() => place.run(LARGER, { keep: 'never' }, ctx));
    assertInSteps(/** @type {number[]} */ (waysDown(sent, 1024).at(-1)), 1024, 256);
    assert.deepEqual([done.ended, done.effective, await cacheMB()], ['interrupted', 'A', 256]);
    assert.equal(
      done.switchCost.switches.filter(({ isDown }) => isDown).length,
      1,
      JSON.stringify(done.switchCost),
    );
  });

  it('when the guardrail ends it', async () => {
    const { done, sent } = await sentBy(() =>
      place.run(LARGER, { guardrail: { writeLatencyMs: 0.001 } }, full()),
    );
    assertInSteps(/** @type {number[]} */ (waysDown(sent, 1024).at(-1)), 1024, 256);
    assert.deepEqual([done.ended, done.effective, await cacheMB()], ['guardrail', 'A', 256]);
  });

  it('when its shell is gone, by undo', async () => {
    const ctx = full();
    onProgress(ctx, IN_B, () => {
      ctx.port.adminCommand = async () => {
        throw Object.assign(new Error('gone'), { name: 'MongoNetworkError' });
      };
    });
    await assert.rejects(place.run(LARGER, {}, ctx), { code: 'TUNE-30010' });
    assert.equal(await cacheMB(), 1024);
    const { done, sent } = await sentBy(() => undo(full(), { confirm: true }));
    assertInSteps(sent, 1024, 256);
    assert.deepEqual(
      [done.verified, await cacheMB(), (await history(place.context()))[0].outcome],
      [true, 256, 'undone'],
    );
  });

  it('and so does apply', async () => {
    await setExternally(place.server, 'cache_size=1024M');
    const { sent } = await sentBy(() => apply(full(), { cacheSizeGB: 0.25 }, { confirm: true }));
    assertInSteps(sent, 1024, 256);
  });

  it('where the level does not fall in time it ends, and A is in effect all the same', async () => {
    const real = performance.now;
    let offsetMs = 0;
    const ctx = full();
    const notify = ctx.progress;
    // A minute passes at every sample on the way down.
    ctx.progress = (text) => {
      notify(text);
      if (/^lowering in steps/.test(text ?? '')) offsetMs += 60_000;
    };
    performance.now = () => real.call(performance) + offsetMs;
    try {
      const { done, sent } = await sentBy(() =>
        place.run(LARGER, { blockSeconds: 1, keep: 'never' }, ctx),
      );
      assert.deepEqual(
        [done.ended, done.verdict, done.effective, await cacheMB()],
        ['level', 'inconclusive', 'A', 256],
        `${done}`,
      );
      assert.match(
        String(done.because),
        /^The switch to A was not made\. \[TUNE-30003\] After \d+ s there are still \S+ MiB in the cache, to be under 231 MiB/,
      );
      assert.ok(sent.length < 2 + 2 * FEWEST_STEPS, `${sent}`);
    } finally {
      performance.now = real;
    }
  });

  it('says so before it is confirmed, with what would have to leave the cache', async () => {
    const shown = await trial(place.context(), LARGER);
    const [way] = shown.rampEstimate;
    assert.deepEqual(
      [shown.rampEstimate.length, way.to, way.basis, way.maxSeconds],
      [1, 'A', 'max', 60],
    );
    // 95% of 1 GB less 95% of what 95% of 256 MB are; dirty 20%, in updates 10%.
    assert.deepEqual(
      [way.usedBytes, way.dirtyBytes, way.updatesBytes].map((over) =>
        Math.round(Number(over) / MB),
      ),
      [742, 156, 78],
    );
    assert.match(
      shown.warnings[0],
      /^Each switch to A sets a smaller cache in steps \(3 s to 60 s\) and may block clients\. It evicts what is above the limits of A first, at most 742 MiB in the cache, 156 MiB dirty, 78\.1 MiB in updates\.$/,
    );
    assert.deepEqual(shown.switchCost, { switches: [], measured: null, say: null });
    const none = await trial(place.context(), { evictionThreadsMax: 6 });
    assert.deepEqual(
      [none.rampEstimate, none.warnings.filter((say) => /smaller|lower/.test(say))],
      [[], []],
    );
  });
});
