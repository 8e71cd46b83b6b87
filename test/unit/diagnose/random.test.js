'use strict';

const assert = require('node:assert/strict');
const { findBottleneck } = require('../../../lib/diagnose/bottleneck');
const { recommendationFor } = require('../../../lib/diagnose/recommendation');
const { judge } = require('../../../lib/rules/runner');
const { loadRules } = require('../../../lib/rules/registry');
const { METRICS } = require('../../../lib/server/pure/metrics');
const { BOTTLENECKS } = require('../../../lib/base/pure/finding');
const { HEALTHY, READ_BOUND, WRITE_BOUND, GiB } = require('../../support/readings');

/**
 * @import { Change } from '../../../lib/base/types'
 * @import { Metrics } from '../../../lib/server/pure/metrics'
 */

const IDLE = { ...HEALTHY, 'ops.perSec': 0.5, 'clients.busyThreads': 0, 'process.cpuCores': 0.02 };
const ROUNDS = 3000;
const CURABLE = ['cache-read', 'cache-dirty', 'eviction-threads'];

/** The same numbers on every machine (mulberry32). @param {number} seed */
function randomFrom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Some server, distorted: a tenth of its readings are lost, a fifth are anything.
 * @param {() => number} random
 * @returns {Metrics}
 */
function anyReadings(random) {
  const base = /** @type {Record<string, number>} */ (
    [HEALTHY, READ_BOUND, WRITE_BOUND, IDLE, {}][Math.floor(random() * 5)]
  );
  return Object.fromEntries(
    Object.keys(METRICS).flatMap((name) => {
      const lot = random();
      if (lot < 0.1) return [];
      if (lot > 0.3) return base[name] === undefined ? [] : [[name, base[name]]];
      return [[name, anyValue(name, random)]];
    }),
  );
}

/**
 * Any value of a reading, of a size that fits its unit.
 * @param {string} name
 * @param {() => number} random
 * @returns {number}
 */
function anyValue(name, random) {
  if (/Ratio|[sS]hare/.test(name)) return random() * 1.2;
  if (/bytes/i.test(name)) return random() * 200 * GiB;
  return random() < 0.2 ? 0 : random() ** 4 * 100_000;
}

describe('diagnose, on servers that cannot be', () => {
  const random = randomFrom(20_150_302);
  const seen = new Set();
  for (let block = 0; block < 10; block++) {
    it(`answers soberly (${block + 1} of 10)`, () => {
      for (let i = 0; i < ROUNDS / 10; i++) {
        const metrics = anyReadings(random);
        const what = JSON.stringify(metrics);
        const verdict = findBottleneck(metrics);
        const { change, explain } = recommendationFor(verdict.bottleneck, metrics);
        seen.add(verdict.bottleneck);
        assert.ok(BOTTLENECKS.includes(verdict.bottleneck), what);
        assert.doesNotMatch(
          JSON.stringify([verdict.because, verdict.evidence, verdict.runnerUp, explain]),
          /NaN|undefined|Infinity/,
          what,
        );
        assert.ok(verdict.evidence.length <= 3, what);
        if (change !== null) checkChange(change, verdict.bottleneck, metrics, what);
        for (const finding of judge(loadRules(), metrics)) {
          assert.notEqual(finding.status, 'error', `${finding.message} ${what}`);
          assert.doesNotMatch(finding.message, /NaN|undefined|Infinity/, what);
        }
      }
    });
  }
  it('has met every answer', () =>
    assert.deepEqual(
      BOTTLENECKS.filter((name) => !seen.has(name)),
      [],
    ));
});

/**
 * @param {Change} change
 * @param {string} bottleneck
 * @param {Metrics} metrics
 * @param {string} what
 */
function checkChange(change, bottleneck, metrics, what) {
  assert.ok(CURABLE.includes(bottleneck), what);
  const { cacheSizeGB: gb, evictionDirtyTrigger: trigger, evictionThreadsMax: threads } = change;
  if (gb !== undefined) {
    assert.ok(
      gb * GiB > Number(metrics['cache.maxBytes']) &&
        gb * GiB <= 0.8 * Number(metrics['host.memoryBytes']),
      what,
    );
    assert.ok(Number.isInteger(gb * 1024) && gb >= 0.25, what);
    assert.deepEqual(Object.keys(change), ['cacheSizeGB']);
  }
  if (trigger !== undefined)
    assert.ok(
      trigger >= 20 && trigger > Number(metrics['config.dirtyTriggerRatio'] ?? 0) * 100,
      what,
    );
  if (threads !== undefined)
    assert.ok(
      threads <= 20 &&
        threads <= Math.max(4, metrics['host.cores'] ?? 0) &&
        change.evictionThreadsMin === threads,
      what,
    );
}
