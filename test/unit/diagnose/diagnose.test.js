'use strict';

const assert = require('node:assert/strict');
const { diagnose } = require('../../../lib/diagnose/diagnose');
const { loadHostRules, loadMemberRules, loadRules } = require('../../../lib/rules/registry');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { STATUSES } = require('../../../lib/base/pure/finding');
const { makeWindow } = require('../../../lib/server/pure/window');
const { windowOf } = require('../../support/samples');

const GiB = 2 ** 30;
const FACTS = {
  ...NO_FACTS,
  cores: 4,
  memoryBytes: 16 * GiB,
  memLimitBytes: 16 * GiB,
  dataBytes: 1.1 * GiB,
};
const grow = (/** @type {number} */ perSecond) =>
  Array.from({ length: 31 }, (_, i) => i * perSecond);

const HEALTHY = {
  'cache.maxBytes': GiB,
  'cache.usedBytes': 0.8 * GiB,
  'cache.dirtyBytes': 0.01 * GiB,
  'cache.updatesBytes': 0,
  'ops.queries': grow(500),
  'eviction.appReadMicros': grow(20_000),
  'eviction.appReadPages': grow(100),
  'cache.pagesRead': grow(100),
  'eviction.cleanPages': grow(100),
  'eviction.modifiedPages': grow(0),
  'eviction.appMicros': grow(0),
  'eviction.waitMicros': grow(0),
  'latency.readMicros': grow(500_000),
  'latency.readOps': grow(500),
  'latency.writeMicros': grow(0),
  'latency.writeOps': grow(0),
  'eviction.threadsActive': 4,
  'queue.readers': 0,
  'queue.writers': 0,
  'eviction.aggressiveScore': 0,
  'checkpoint.lastMs': 200,
};
const READ_BOUND = {
  ...HEALTHY,
  'cache.maxBytes': GiB / 4,
  'cache.usedBytes': GiB / 5,
  'eviction.appReadMicros': grow(7e6),
  'eviction.appReadPages': grow(600),
  'latency.readMicros': grow(7.5e6),
};

/** @param {any} series @param {any} [facts] */
const judged = (series, facts = FACTS) =>
  diagnose({ window: windowOf(series), facts }, { engine: loadRules() });

describe('diagnose/diagnose', () => {
  it('a healthy server: nothing to change, and every rule has its say', () => {
    const { bottleneck, change, findings, evidence, explain } = judged(HEALTHY);
    assert.deepEqual([bottleneck, change, explain], ['none', null, []]);
    assert.equal(findings.length, loadRules().length);
    assert.ok(findings.every((finding) => finding.change === null));
    assert.equal(evidence.length, 3);
  });

  it(
    'never takes the sort of Array, in whose place mongosh puts one with a generator for each ' +
      'comparison',
    () => {
      const { sort } = Array.prototype;
      const seen = [];
      Array.prototype.sort = function noted(...args) {
        seen.push(new Error('sort').stack);
        return sort.apply(this, args);
      };
      try {
        judged(READ_BOUND);
        judged(HEALTHY);
      } finally {
        Array.prototype.sort = sort;
      }
      assert.deepEqual(seen, []);
    },
  );

  it('a sick one: the change, and only the findings about the bottleneck carry it', () => {
    const { bottleneck, change, findings, because, runnerUp } = judged(READ_BOUND);
    assert.equal(bottleneck, 'cache-read', because);
    assert.deepEqual(change, { cacheSizeGB: 1.75 });
    assert.ok(runnerUp === null || runnerUp.because);
    const carrying = findings.filter((finding) => finding.change !== null);
    assert.deepEqual(
      carrying.map(({ rule, change: own }) => [rule, own]),
      [['page-reads', change]],
    );
    assert.match(String(carrying[0].advice), /Type: tune\.apply\(\{ cacheSizeGB: 1\.75 \}\)$/);
  });

  it('the worst findings come first', () => {
    const order = judged(READ_BOUND).findings.map(({ status }) => STATUSES.indexOf(status));
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
  });

  it("a container's limit counts, not the host's memory", () => {
    const { bottleneck, change } = judged(READ_BOUND, { ...FACTS, memLimitBytes: 0.7 * GiB });
    assert.deepEqual([bottleneck, change], ['disk', null]);
  });

  it('a window of one sample is unknown, not an error', () => {
    const [only] = windowOf(READ_BOUND).samples;
    const { bottleneck, change, findings } = diagnose(
      { window: makeWindow([only]), facts: NO_FACTS },
      { engine: loadRules() },
    );
    assert.deepEqual([bottleneck, change], ['unknown', null]);
    assert.ok(findings.every(({ status }) => status !== 'error'));
  });

  it('a window after a restart is judged by what came since', () => {
    const { samples } = windowOf(READ_BOUND);
    const window = makeWindow([...samples, { ...samples[0], uptimeMs: 10 }]);
    assert.equal(diagnose({ window, facts: FACTS }, { engine: loadRules() }).bottleneck, 'unknown');
  });

  describe('what was observed besides', () => {
    const rules = { engine: loadRules(), host: loadHostRules(), members: loadMemberRules() };
    const machine = {
      values: { 'disk.name': 'sda', 'disk.busyRatio': 0.97, 'disk.readsPerSec': 900 },
      unknown: {},
    };
    const small = { ...FACTS, memLimitBytes: 0.7 * GiB };

    it('the machine: the verdict names its disk', () => {
      const { because } = diagnose({ window: windowOf(READ_BOUND), facts: small, machine }, rules);
      assert.match(because, / dbPath is on sda: busy 97\.0% of the time; 900 reads\/s/);
    });
    it('a machine that has nothing to do with the verdict changes nothing', () => {
      const window = windowOf(READ_BOUND);
      assert.deepEqual(
        diagnose({ window, facts: FACTS, machine }, rules),
        diagnose({ window, facts: FACTS }, rules),
      );
    });
    it('an unfinished move comes first, whatever the engine shows', () => {
      const { findings } = diagnose(
        {
          window: windowOf(READ_BOUND),
          facts: FACTS,
          blockedMoves: [{ id: 'm1', from: 'a.c', into: 'b.c', phase: 'cut' }],
        },
        rules,
      );
      assert.deepEqual(
        [findings[0].key, findings[0].status, findings[0].change],
        ['split-blocked:m1', 'critical', null],
      );
    });
    it('what is no mongod with WiredTiger is unknown, whatever its counters say', () => {
      const { bottleneck, because, change } = diagnose(
        { window: windowOf(READ_BOUND), facts: { ...FACTS, role: 'mongos' } },
        rules,
      );
      assert.deepEqual([bottleneck, change], ['unknown', null]);
      assert.match(because, /mongos/);
    });
  });
});
