'use strict';

const assert = require('node:assert/strict');
const { judgeTrial } = require('../../../lib/trial/pure/judge');
const { compare, pairsOf, decide, moreBlocks } = require('../../../lib/trial/pure/compare');
const { TRIAL_METRIC_NAMES, TRIAL_METRICS } = require('../../../lib/trial/pure/figures');
const { makeSchedule } = require('../../../lib/trial/pure/schedule');
const { seeded, normal } = require('../../support/chance');

/**
 * @import { Block } from '../../../lib/trial/pure/figures'
 */

const NOTHING = /** @type {any} */ (
  Object.fromEntries(TRIAL_METRIC_NAMES.map((metric) => [metric, null]))
);
/**
 * @param {number[]} ops of the blocks in order
 * @param {string} [order] of their settings
 * @returns {Block[]}
 */
const blocksOf = (ops, order = 'ABBAABBA') =>
  ops.map((opsPerSec, i) => ({
    ...NOTHING,
    number: i + 1,
    pair: Math.floor(i / 2) + 1,
    setting: /** @type {'A' | 'B'} */ (order[i]),
    at: new Date(0),
    seconds: 30,
    washOutSeconds: 0,
    opsPerSec,
    writeLatencyMs: 1e6 / opsPerSec,
  }));
/** @param {number} a @param {number} ratio @param {string} [order] */
const flat = (a, ratio, order = 'ABBAABBA') =>
  blocksOf(
    [...order].map((setting, i) => (setting === 'A' ? a : a * ratio) * (1 + 0.004 * ((i % 3) - 1))),
    order,
  );

describe('the comparison of pairs', () => {
  it("is Student's interval of the logarithms, as tables have it", () => {
    // Logarithms 0.1, 0.2, 0.3, 0.4: mean 0.25, standard deviation 0.129099; t of 3 degrees is
    // 3.182446.
    const compared = compare(
      [0.1, 0.2, 0.3, 0.4].map((log) => ({ a: 100, b: 100 * Math.exp(log) })),
    );
    assert.ok(Math.abs(Math.log(Number(compared?.ratio)) - 0.25) < 1e-9);
    assert.ok(Math.abs(Math.log(Number(compared?.low)) - 0.044574) < 1e-5);
    assert.ok(Math.abs(Math.log(Number(compared?.high)) - 0.455426) < 1e-5);
  });
  it('has none of fewer than two pairs', () => {
    assert.equal(compare([{ a: 1, b: 2 }]), null);
    assert.equal(moreBlocks(null), null);
  });
  it('leaves out a pair of which a half is missing or unknown', () => {
    const blocks = blocksOf([100, 200, 300, 100, 100], 'ABABA');
    Object.assign(blocks[2], { opsPerSec: null });
    assert.deepEqual(pairsOf(blocks, 'opsPerSec'), [{ a: 100, b: 200 }]);
    assert.deepEqual(pairsOf(blocks, 'readLatencyMs'), []);
  });
  it('takes none in a block for one in a block, so that the worst does not fall out', () => {
    assert.deepEqual(pairsOf(blocksOf([100, 0], 'AB'), 'opsPerSec'), [{ a: 100, b: 1 / 30 }]);
    assert.equal(
      judgeTrial(blocksOf([100, 0, 0, 100, 100, 0, 0, 101]), 'opsPerSec').verdict,
      'worse',
    );
  });
});

describe('the verdict of a trial', () => {
  const of = (
    /** @type {number} */ ratio,
    /** @type {number} */ low,
    /** @type {number} */ high,
  ) => ({ ratio, low, high, pairs: 4, spread: 0.1 });
  it('better and worse need an interval without 1 and a difference that matters', () => {
    assert.equal(decide(of(1.3, 1.1, 1.5), 'opsPerSec'), 'better');
    assert.equal(decide(of(1.3, 0.99, 1.7), 'opsPerSec'), 'inconclusive');
    assert.equal(decide(of(1.02, 1.01, 1.03), 'opsPerSec'), 'same');
    assert.equal(decide(of(1.04, 1.02, 1.06), 'opsPerSec'), 'better');
    assert.equal(decide(of(0.8, 0.7, 0.9), 'opsPerSec'), 'worse');
    assert.equal(decide(of(0.98, 0.97, 0.99), 'opsPerSec'), 'same');
    assert.equal(decide(of(1, 0.95, 1.05), 'opsPerSec'), 'same');
    assert.equal(decide(of(1, 0.85, 1.15), 'opsPerSec'), 'inconclusive');
  });
  it('a latency is turned round', () => {
    for (const metric of TRIAL_METRIC_NAMES.filter((name) => /Ms$/.test(name))) {
      assert.equal(TRIAL_METRICS[metric].higherIsBetter, false);
      assert.equal(decide(of(1.3, 1.1, 1.5), metric), 'worse');
      assert.equal(decide(of(0.5, 0.4, 0.6), metric), 'better');
    }
  });
  it('the ratio says what the figure did, the word what that means', () => {
    const faster = judgeTrial(flat(1000, 2), 'opsPerSec');
    assert.deepEqual(
      [faster.verdict, faster.pairs, faster.moreBlocks, faster.notes],
      ['better', 4, null, []],
    );
    assert.ok(
      Math.abs(Number(faster.ratio) - 2) < 0.02 &&
        Number(faster.low) < 2 &&
        Number(faster.high) > 1.98,
    );
    assert.match(faster.because, /^B has (1\.9\d|2\.0\d) times the throughput of A\.$/);
    const latency = judgeTrial(flat(1000, 2), 'writeLatencyMs');
    assert.equal(latency.verdict, 'better');
    assert.ok(Math.abs(Number(latency.ratio) - 0.5) < 0.01);
    assert.match(latency.because, /^B has 0\.(49|50) times the mean write latency of A\.$/);
    assert.deepEqual(Object.keys(latency.effects), ['opsPerSec', 'writeLatencyMs']);
    assert.match(
      judgeTrial(flat(1000, 0.5), 'writeLatencyMs').because,
      /^B has (1\.9\d|2\.0\d) times the mean write latency of A\.$/,
    );
    assert.match(
      judgeTrial(flat(1000, 0.5), 'opsPerSec').because,
      /^B has 0\.(49|50) times the throughput of A\.$/,
    );
    assert.match(
      judgeTrial(flat(1000, 1), 'opsPerSec').because,
      /differs by no more than 10\.0% from A/,
    );
  });
  it('says how many more blocks would decide, or that none would', () => {
    const wide = judgeTrial(blocksOf([1000, 1300, 1080, 1000, 1000, 980, 1150, 1020]), 'opsPerSec');
    assert.equal(wide.verdict, 'inconclusive');
    assert.match(wide.because, /too wide for a verdict/);
    assert.ok(Number(wide.moreBlocks) >= 2 && Number(wide.moreBlocks) % 2 === 0);
    assert.equal(moreBlocks({ ratio: 1.01, low: 0.1, high: 10, pairs: 4, spread: 3 }), null);
  });
  it('of one pair there is a ratio and no more, of none nothing', () => {
    const one = judgeTrial(flat(1000, 2).slice(0, 2), 'opsPerSec');
    assert.deepEqual(
      [one.verdict, one.low, one.high, one.moreBlocks],
      ['inconclusive', null, null, null],
    );
    assert.ok(Number(one.ratio) > 1.9);
    assert.match(one.because, /Too few pairs/);
    const none = judgeTrial([], 'opsPerSec');
    assert.deepEqual(
      [none.verdict, none.ratio, none.pairs, none.effects],
      ['inconclusive', null, 0, {}],
    );
  });
  it('a latency that is known of one setting only concludes nothing: what did not end has none', () => {
    const blocks = flat(1000, 1);
    for (const i of [1, 2]) blocks[i].writeLatencyMs = null;
    const { verdict, because, pairs } = judgeTrial(blocks, 'writeLatencyMs');
    assert.deepEqual(
      [verdict, pairs, because],
      [
        'inconclusive',
        2,
        'In 2 of 4 pairs mean write latency is known for one setting only: no such ' +
          'operation ended under B.',
      ],
    );
    blocks[4].writeLatencyMs = null;
    assert.match(judgeTrial(blocks, 'writeLatencyMs').because, /^In 3 of 4 .* under the other\.$/);
  });
  it('a cache that was still on its way is said', () => {
    const blocks = flat(1000, 1.2).map((block, i) => ({ ...block, settled: i > 2 }));
    const { verdict, notes } = judgeTrial(blocks, 'opsPerSec');
    assert.equal(verdict, 'better');
    assert.match(
      notes.join(),
      /^In 3 of 8 blocks the cache size had not settled .* use longer blocks\.$/,
    );
  });
  it('what other figures say is said beside it', () => {
    const slower = flat(1000, 1.2).map((block) => ({
      ...block,
      writeLatencyMs: block.setting === 'B' ? 30 + block.number / 10 : 10,
      readP99Ms: 7 + block.number / 100,
    }));
    const { verdict, notes } = judgeTrial(slower, 'opsPerSec');
    assert.equal(verdict, 'better');
    assert.deepEqual(
      notes.map((note) => note.replace(/×[\d.]+/g, '×')),
      [
        'Side effect: mean write latency is higher, between × and ×: worse. One of several ' +
          'metrics can differ by chance; to be sure, run a trial with metric: "writeLatencyMs".',
      ],
    );
    assert.match(
      judgeTrial(
        slower.map((block) => ({ ...block, opsPerSec: 100 })),
        'opsPerSec',
      ).notes.join(),
      /^Side effect: mean write latency is higher/,
    );
    assert.deepEqual(judgeTrial(slower, 'opsPerSec', 'It ended.').notes, []);
    assert.match(
      judgeTrial(
        slower.map((block) => ({
          ...block,
          opsPerSec: 100,
          writeLatencyMs: 1 / Number(block.writeLatencyMs),
        })),
        'opsPerSec',
      ).notes.join(),
      /^Side effect: mean write latency is lower, .*: better\./,
    );
    const unknown = slower.map((block) => ({
      ...block,
      opsPerSec: null,
      readLatencyMs: 3 + block.number / 100,
    }));
    assert.equal(judgeTrial(unknown, 'readLatencyMs').verdict, 'same');
    // What says the same as the figure that decides is in the table.
    assert.deepEqual(judgeTrial(flat(1000, 2), 'opsPerSec').notes, []);
  });
  it('what ended before its time concludes nothing', () => {
    const ended = judgeTrial(flat(1000, 2), 'opsPerSec', 'The server was restarted.');
    assert.deepEqual(
      [ended.verdict, ended.because, ended.moreBlocks],
      ['inconclusive', 'The server was restarted.', null],
    );
    assert.ok(Number(ended.ratio) > 1.9);
  });
});

describe('a load that changes by itself', () => {
  it('that stops is no effect', () => {
    const blocks = flat(1000, 1.2);
    for (const block of blocks.slice(5)) block.opsPerSec = 0.2;
    const { verdict, because } = judgeTrial(blocks, 'opsPerSec');
    assert.deepEqual(
      [verdict, because],
      ['inconclusive', 'The load stopped: in block 6 there were 0.2 operations a second.'],
    );
    const last = flat(1000, 1.2, 'ABBAABAB');
    last[7].opsPerSec = 3;
    assert.equal(judgeTrial(last, 'opsPerSec').verdict, 'inconclusive');
  });
  it("but what stops under every B, and under no A, is B's doing", () => {
    const blocks = flat(1000, 0.001);
    assert.equal(judgeTrial(blocks, 'opsPerSec').verdict, 'worse');
  });
  it('a jump inside a pair spoils the comparison, unless B did more', () => {
    const order = 'ABABABAB';
    const jump = (
      /** @type {number} */ ratio,
      /** @type {number} */ from,
      /** @type {number} */ by,
    ) =>
      blocksOf(
        [...order].map(
          (setting, i) =>
            1000 * (setting === 'B' ? ratio : 1) * (i >= from ? by : 1) * (1 + 0.01 * (i % 2)),
        ),
        order,
      );
    const inside = judgeTrial(jump(1, 3, 2), 'opsPerSec');
    assert.equal(inside.verdict, 'inconclusive');
    assert.match(
      inside.because,
      /^The load jumped between blocks 3 and 4: throughput by a factor of 2 in addition to the effect of B\.$/,
    );
    const outside = judgeTrial(jump(1.3, 4, 2), 'opsPerSec');
    assert.equal(outside.verdict, 'better');
    assert.match(outside.notes.join(), /between blocks 4 and 5.*the pairs correct for that/);
    assert.notEqual(judgeTrial(jump(6, 3, 2), 'opsPerSec').verdict, 'same');
  });
  it('one block out of line in its pair is a jump, too', () => {
    for (const setting of [3, 4]) {
      const blocks = flat(1000, 1);
      blocks[setting].opsPerSec = 3000;
      const { verdict, because } = judgeTrial(blocks, 'opsPerSec');
      assert.equal(verdict, 'inconclusive');
      assert.match(because, /jumped|too wide/);
    }
  });
  it('an even drift is taken out by the pairs, and said', () => {
    const drifting = (/** @type {number} */ ratio, /** @type {number} */ factor) =>
      blocksOf(
        [...'ABBAABBA'].map(
          (setting, i) =>
            1000 * (setting === 'B' ? ratio : 1) * factor ** i * (1 + 0.003 * (i % 2)),
        ),
      );
    const with3 = judgeTrial(drifting(1.4, 1.04), 'opsPerSec');
    assert.equal(with3.verdict, 'better');
    assert.ok(Number(with3.low) < 1.4 && Number(with3.high) > 1.4);
    assert.match(
      with3.notes.join(),
      /throughput rose by a factor of 1\.\d+ from the first block to the last, in addition to the effect of B \(the pairs correct for that\)\./,
    );
    const same = judgeTrial(drifting(1, 1.04), 'opsPerSec');
    assert.equal(same.verdict, 'same');
    assert.match(same.notes.join(), /The load drifted/);
    const more = judgeTrial(drifting(1.02, 0.9), 'opsPerSec');
    assert.equal(more.verdict, 'inconclusive');
    assert.match(
      more.because,
      /^The load drifted: throughput fell by a factor of 2\.\d+ .* \(more per block than the effect of B\)\.$/,
    );
  });
});

/**
 * Blocks of 30 s as a server gives them: noise of seconds that depends on the second before it (lag
 * 1: 0.8), and a slow wave of the load.
 * @param {() => number} random
 * @param {{ ratio: number, noise: number, wave: number, drift?: number }} load
 */
function simulated(random, { ratio, noise, wave, drift = 0 }) {
  const gauss = normal(random);
  const phase = random() * 2 * Math.PI;
  let state = gauss() * noise;
  return makeSchedule(8, random).map((slot) => {
    let sum = 0;
    for (let second = 0; second < 30; second += 1) {
      state = 0.8 * state + Math.sqrt(1 - 0.8 ** 2) * noise * gauss();
      const t = slot.number * 30 + second;
      sum +=
        Math.exp(state + wave * Math.sin(phase + (2 * Math.PI * t) / 400) + drift * slot.number) *
        (slot.setting === 'B' ? ratio : 1) *
        1000;
    }
    return {
      ...NOTHING,
      ...slot,
      at: new Date(0),
      seconds: 30,
      washOutSeconds: 0,
      opsPerSec: sum / 30,
    };
  });
}

describe('trials of a thousand simulated servers', () => {
  const RUNS = 1000;
  /** @param {Parameters<typeof simulated>[1]} load */
  function many(load) {
    const random = seeded(11);
    const all = Array.from({ length: RUNS }, () =>
      judgeTrial(simulated(random, load), 'opsPerSec'),
    );
    const share = (/** @type {(one: typeof all[0]) => boolean} */ test) =>
      all.filter(test).length / RUNS;
    return {
      of: (/** @type {string} */ verdict) => share((one) => one.verdict === verdict),
      inside: share(({ low, high }) => Number(low) <= load.ratio && Number(high) >= load.ratio),
    };
  }

  it('A against A: the same in 19 of 20 or more, better or worse in next to none', () => {
    const { of } = many({ ratio: 1, noise: 0.03, wave: 0.01 });
    assert.ok(of('same') >= 0.95, `same ${of('same')}`);
    assert.ok(of('better') + of('worse') <= 0.01, `better ${of('better')}, worse ${of('worse')}`);
  });
  it('A against A on a noisy server: more often nothing, but no more often wrong than one in twenty', () => {
    const { of } = many({ ratio: 1, noise: 0.3, wave: 0.1 });
    assert.ok(of('inconclusive') > 0.5, `inconclusive ${of('inconclusive')}`);
    assert.ok(of('better') + of('worse') <= 0.05, `better ${of('better')}, worse ${of('worse')}`);
  });
  it('A against A under an even drift: no more often wrong', () => {
    const { of } = many({ ratio: 1, noise: 0.03, wave: 0.01, drift: 0.05 });
    assert.ok(of('better') + of('worse') <= 0.02, `better ${of('better')}, worse ${of('worse')}`);
  });
  for (const ratio of [0.7, 0.95, 1, 1.1, 1.5]) {
    it(`a true ratio of ${ratio} lies inside the interval in 95 of 100`, () => {
      const { inside } = many({ ratio, noise: 0.1, wave: 0.05 });
      assert.ok(inside >= 0.93 && inside <= 0.98, `${inside}`);
    });
  }
  it('half as much again is found; nobody calls it worse', () => {
    const { of } = many({ ratio: 1.5, noise: 0.15, wave: 0.05 });
    assert.ok(of('better') >= 0.95, `better ${of('better')}`);
    assert.equal(of('worse'), 0);
    assert.ok(many({ ratio: 1 / 1.5, noise: 0.15, wave: 0.05 }).of('worse') >= 0.95);
  });
});
