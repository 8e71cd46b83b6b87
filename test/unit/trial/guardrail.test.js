'use strict';

const assert = require('node:assert/strict');
const {
  learnFromA,
  checkGuardrail,
  GUARDRAIL_METRIC_NAMES,
} = require('../../../lib/trial/pure/guardrail');
const { judgeTripped } = require('../../../lib/trial/pure/judge');
const { figuresOf, TRIAL_METRIC_NAMES } = require('../../../lib/trial/pure/figures');

/**
 * @import { Sample } from '../../../lib/server/pure/sample'
 */

const MICROS = 1000;
/**
 * Looks twice a second of a server whose figures are the same all the time.
 * @param {number} seconds
 * @param {{
 *   readMs?: number, writeMs?: number, waiting?: number, errors?: number, ops?: number,
 *   fromMs?: number
 * }} [load]
 * @returns {Sample[]}
 */
const observed = (
  seconds,
  { readMs = 1, writeMs = 2, waiting = 0, errors = 0, ops = 100, fromMs = 0 } = {},
) =>
  Array.from({ length: seconds * 2 + 1 }, (_, i) => ({
    atMs: fromMs + i * 500,
    uptimeMs: 60_000 + fromMs + i * 500,
    counters: {
      'ops.queries': (ops * i) / 4,
      'ops.updates': (ops * i) / 4,
      'latency.readOps': (ops * i) / 4,
      'latency.writeOps': (ops * i) / 4,
      'latency.readMicros': (ops * i * readMs * MICROS) / 4,
      'latency.writeMicros': (ops * i * writeMs * MICROS) / 4,
      'eviction.waitMicros': waiting * i * 500 * MICROS,
      'errors.user': (errors * i) / 2,
      'checkpoint.count': i > 2 ? 1 : 0,
      'checkpoint.lastMs': 800,
      'cache.maxBytes': 100,
      'cache.usedBytes': 50,
    },
  }));
/** @param {any} given @param {any} all */
const limitsOf = (given, all) => learnFromA(given, all).limits;
const NO_LIMITS = Object.freeze({
  readLatencyMs: null,
  writeLatencyMs: null,
  appWaitRatio: null,
  errors: null,
});

describe('the limits of the guardrail', () => {
  it('are twice the worst seconds of A, and never so low that chance reaches them', () => {
    assert.deepEqual(limitsOf({}, [observed(10)]), {
      readLatencyMs: 5,
      writeLatencyMs: 5,
      appWaitRatio: 0.25,
      errors: 2,
    });
    const worse = limitsOf({}, [
      observed(10),
      observed(4, { readMs: 20, writeMs: 30, waiting: 1.2, errors: 9 }),
    ]);
    // 25 reads of 20 ms and as many writes of 30 ms each half second: 2.5 clients at work, 1.2 of
    // them waiting.
    assert.deepEqual(
      Object.values(worse).map((limit) => Number(Number(limit).toFixed(2))),
      [40, 60, 0.96, 18],
    );
  });
  it('those that the user gives count instead, and null is none', () => {
    assert.deepEqual(limitsOf({ readLatencyMs: 7, errors: null }, [observed(10)]), {
      readLatencyMs: 7,
      writeLatencyMs: 5,
      appWaitRatio: 0.25,
      errors: null,
    });
  });
  it('a server that tells nothing, or has hardly any operation of a kind, has those that people feel', () => {
    assert.deepEqual(learnFromA({}, [[{ atMs: 0, uptimeMs: null, counters: {} }]]), {
      limits: { readLatencyMs: 1000, writeLatencyMs: 1000, appWaitRatio: 0.25, errors: 2 },
      flow: { operation: null, read: null, write: null },
    });
    assert.equal(limitsOf({}, [observed(10, { ops: 4 })]).readLatencyMs, 5);
    assert.equal(limitsOf({}, [observed(10, { ops: 3 })]).readLatencyMs, 1000);
    assert.equal(
      limitsOf({}, [observed(10), observed(4, { ops: 3, readMs: 700 })]).readLatencyMs,
      1400,
    );
  });
});

describe('the guardrail under B', () => {
  const referenceA = learnFromA({}, [observed(10)]);
  const { limits } = referenceA;
  /** @param {number | null} operation */
  const flowing = (operation) => ({ limits, flow: { operation, read: null, write: null } });
  it('lets pass what keeps the limits, and says how near it is', () => {
    const { now, broken } = checkGuardrail(observed(5), referenceA);
    assert.equal(broken, null);
    assert.deepEqual(
      [now.readLatencyMs, now.writeLatencyMs, now.appWaitRatio, now.errors],
      [1, 2, 0, 0],
    );
    assert.deepEqual(Object.keys(now), [...GUARDRAIL_METRIC_NAMES]);
  });
  for (const [what, load, value] of /** @type {const} */ ([
    ['readLatencyMs', { readMs: 11 }, 11],
    ['writeLatencyMs', { writeMs: 12 }, 12],
    ['appWaitRatio', { waiting: 0.1 }, 0.1 / 0.15],
    ['errors', { errors: 5 }, 5],
  ])) {
    it(`is broken by ${what}`, () => {
      const { broken } = checkGuardrail(observed(5, load), referenceA);
      assert.equal(broken?.what, what);
      assert.ok(Math.abs(Number(broken?.value) - value) < 1e-9 && broken?.limit === limits[what]);
      assert.equal(
        checkGuardrail(observed(5, load), { ...referenceA, limits: { ...limits, [what]: null } })
          .broken,
        null,
      );
    });
  }
  it('looks at the last seconds only', () => {
    const [bad, good] = [observed(5, { readMs: 50 }), observed(5, { fromMs: 6000 })];
    assert.equal(checkGuardrail([...bad, ...good], referenceA).broken, null);
  });
  it('one sample is too few', () => {
    assert.deepEqual(checkGuardrail(observed(0), referenceA), { now: NO_LIMITS, broken: null });
    assert.equal(checkGuardrail([], referenceA).broken, null);
  });
  it('a stall has no latency, and breaks it all the same', () => {
    assert.deepEqual(checkGuardrail(observed(4, { ops: 0 }), referenceA).broken, {
      what: 'stall',
      value: 0,
      limit: null,
      kind: 'operation',
    });
    assert.equal(checkGuardrail(observed(2, { ops: 0 }), referenceA).broken, null);
    assert.equal(checkGuardrail(observed(4, { ops: 0 }), flowing(0.5)).broken, null);
    assert.equal(checkGuardrail(observed(4, { ops: 0 }), flowing(null)).broken, null);
  });
  it('unreported operations are no stall', () => {
    const silent = observed(4).map((sample) => ({ ...sample, counters: {} }));
    assert.equal(checkGuardrail(silent, referenceA).broken, null);
    assert.deepEqual(learnFromA({}, [silent]).flow, { operation: null, read: null, write: null });
    assert.equal(checkGuardrail(observed(4, { ops: 0 }), flowing(null)).broken, null);
  });
  it('so does one of writes alone, while reads go on, where A had some all the time', () => {
    /** @param {readonly any[]} samples @param {string[]} names */
    const without = (samples, ...names) =>
      samples.map((sample) => ({
        ...sample,
        counters: { ...sample.counters, ...Object.fromEntries(names.map((name) => [name, 7])) },
      }));
    const [noWrites, noReads] = [
      without(observed(4), 'latency.writeOps', 'latency.writeMicros', 'ops.updates'),
      without(observed(4), 'latency.readOps', 'latency.readMicros', 'ops.queries'),
    ];
    assert.deepEqual(checkGuardrail(noWrites, referenceA).broken, {
      what: 'stall',
      value: 0,
      limit: null,
      kind: 'write',
    });
    assert.deepEqual(checkGuardrail(noReads, referenceA).broken, {
      what: 'stall',
      value: 0,
      limit: null,
      kind: 'read',
    });
    assert.equal(checkGuardrail(noWrites, learnFromA({}, [observed(10), noWrites])).broken, null);
    assert.equal(checkGuardrail(noWrites, learnFromA({}, [observed(10, { ops: 3 })])).broken, null);
    assert.equal(checkGuardrail(without(observed(2), 'latency.writeOps'), referenceA).broken, null);
  });
});

describe('a trial that the guardrail ended', () => {
  /** @param {number[]} ops */
  const blocks = (ops) =>
    ops.map(
      (opsPerSec, i) =>
        /** @type {any} */ ({
          ...Object.fromEntries(TRIAL_METRIC_NAMES.map((name) => [name, null])),
          number: i + 1,
          pair: Math.floor(i / 2) + 1,
          setting: i % 2 === 0 ? 'A' : 'B',
          opsPerSec,
        }),
    );
  const broken = /** @type {const} */ ({
    what: 'writeLatencyMs',
    value: 40.2,
    limit: 10,
    backMs: 420,
  });
  it('is no proof by itself, whether the limits are kept again or not', () => {
    const of = (/** @type {any} */ more, /** @type {number[]} */ ops = []) => {
      const { verdict, because, moreBlocks } = judgeTripped(blocks(ops), 'opsPerSec', {
        ...broken,
        ...more,
      });
      assert.equal(moreBlocks, null);
      return `${verdict}: ${because}`;
    };
    assert.equal(
      of({ recovered: true }, [100]),
      'inconclusive: The guardrail ended the trial: under B mean write latency was 40 ms, above 10 ms. ' +
        'A was active again after 0.42 s. A is within the limits again, which points to B; ' +
        'one event is no proof.',
    );
    assert.match(
      of({ recovered: true, settling: true }),
      /^inconclusive: .*the cause may be B, the switch, or chance\.$/,
    );
    assert.match(
      of({ recovered: false }),
      /^inconclusive: .* B is not the only cause, or the load stopped\.$/,
    );
    assert.match(
      of({ recovered: null, backMs: undefined }),
      /^inconclusive: .*above 10 ms\. It is unknown whether A stays within the limits\.$/,
    );
    assert.match(of({}), /^inconclusive/);
    assert.match(of({ recovered: true }, [100, 200, 100, 201, 100, 199]), /^inconclusive/);
  });
  it('with pairs before it that say so as well, it is worse', () => {
    const { verdict, because } = judgeTripped(blocks([200, 100, 200, 101, 200, 99]), 'opsPerSec', {
      ...broken,
      recovered: true,
    });
    assert.equal(verdict, 'worse');
    assert.match(
      because,
      /A was active again after 0\.42 s\. B has 0\.50 times the throughput of A\./,
    );
  });
  it('each limit has its words', () => {
    const of = (/** @type {any} */ tripped) =>
      judgeTripped([], 'opsPerSec', { recovered: true, ...tripped }).because;
    assert.match(
      of({ what: 'stall', value: 0, limit: null }),
      /: under B no operation completed for seconds\./,
    );
    assert.match(
      of({ what: 'stall', value: 0, limit: null, kind: 'write' }),
      /: under B no write completed for seconds\./,
    );
    assert.match(
      of({ what: 'appWaitRatio', value: 0.7, limit: 0.25 }),
      /waited for the cache for 70\.0% of their time, more than 25\.0%\./,
    );
    assert.match(of({ what: 'errors', value: 12, limit: 2 }), /12 errors a second, more than 2\./);
    assert.match(
      of({ what: 'readLatencyMs', value: 0.0431, limit: 0.001 }),
      /mean read latency was 0\.043 ms, above 0\.001 ms\./,
    );
  });
});

describe('the figures of a block', () => {
  it('are means of the whole block, and percentiles of its own operations', () => {
    const [before, after] = [
      { reads: new Map([[64, 5]]), writes: null },
      {
        reads: new Map([
          [64, 5],
          [1024, 100],
        ]),
        writes: null,
      },
    ];
    const figures = figuresOf(observed(4, { waiting: 0.5 }), before, after);
    assert.deepEqual(figures, {
      opsPerSec: 100,
      readsPerSec: 50,
      writesPerSec: 50,
      readLatencyMs: 1,
      readP50Ms: 1.536,
      readP95Ms: 1.9968,
      readP99Ms: 2.03776,
      writeLatencyMs: 2,
      writeP50Ms: null,
      writeP95Ms: null,
      writeP99Ms: null,
      evictingMsPerSec: null,
      waitingMsPerSec: 500,
      checkpointRatio: null,
      checkpointMs: 800,
      usedRatio: 0.5,
      dirtyRatio: null,
      errorsPerSec: 0,
    });
    assert.equal(figuresOf(observed(1), before, before).checkpointMs, null);
  });
});
