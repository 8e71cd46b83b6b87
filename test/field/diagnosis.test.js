'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { fieldPath, absent } = require('../support/field');
const { skipIf } = require('../support/skip');
const { diagnose } = require('../../lib/diagnose/diagnose');
const { cacheEffect } = require('../../lib/sizing/cache-effect');
const { loadRules } = require('../../lib/rules/registry');
const { NO_FACTS } = require('../../lib/server/pure/facts');
const { readSample } = require('../../lib/server/pure/sample');
const { makeWindow } = require('../../lib/server/pure/window');
const { metricsOf } = require('../../lib/server/pure/metrics');

/**
 * @import { Sample } from '../../lib/server/pure/sample'
 */

const MiB = 2 ** 20;
const labelled = fieldPath('field', 'labelled', 'cases.json');
const folder = fieldPath('field', 'serverstatus');

/** @param {string} name @returns {Sample[]} */
const samplesOf = (name) =>
  zlib
    .gunzipSync(fs.readFileSync(String(fieldPath('field', 'labelled', name))))
    .toString()
    .trim()
    .split('\n')
    .map((line) => readSample(JSON.parse(line)));
/** What is known of the machine that the recordings were made on. */
const MACHINE = {
  ...NO_FACTS,
  memoryBytes: 24105 * MiB,
  memLimitBytes: 24105 * MiB,
  cores: 2,
  dataBytes: 1164 * MiB,
};
const TROUBLE = new Set(['warning', 'critical']);
/** The captures' machines are not ours. */
const OF_THE_MACHINE = new Set(['cache-memory']);
/** @param {readonly Sample[]} samples @param {any} [facts] */
const judged = (samples, facts = MACHINE) =>
  diagnose({ window: makeWindow(samples), facts }, { engine: loadRules() });

describe('recordings with a known answer', () => {
  it('are at hand', function () {
    skipIf(this, absent(labelled));
  });
  if (labelled === null) return;

  describe('a cache too small for readers, memory free', () => {
    const samples = samplesOf('c01-read-bound-cache-too-small.jsonl.gz');
    it('is found, and the cache holds the data afterwards', () => {
      const { bottleneck, change, evidence, findings } = judged(samples);
      assert.equal(bottleneck, 'cache-read');
      assert.deepEqual(Object.keys(change ?? {}), ['cacheSizeGB']);
      assert.ok(
        (change?.cacheSizeGB ?? 0) >= 1.5 && (change?.cacheSizeGB ?? 9) <= 2.5,
        JSON.stringify(change),
      );
      assert.equal(evidence[0].metric, 'clients.readingThreads');
      assert.deepEqual(
        findings.filter(({ status }) => status === 'critical').map(({ rule }) => rule),
        ['page-reads'],
      );
    });
    it('in a container of 700 MB it is the disk, and nothing is changed', () => {
      const { bottleneck, change } = judged(samples, { ...MACHINE, memLimitBytes: 700 * MiB });
      assert.deepEqual([bottleneck, change], ['disk', null]);
    });
    it('without facts no size is named', () =>
      assert.equal(judged(samples, NO_FACTS).change, null));
    // Measured: 533 and 525 operations a second with 256 MB; 632 and 707; 1389 and 1424; 4728 and
    // 4411.
    for (const [mib, min, max] of [
      [512, 632 / 533, 707 / 525],
      [1024, 1389 / 533, 1424 / 525],
      [1536, 4411 / 533, 4728 / 525],
    ]) {
      it(`what a cache of ${mib} MB would gain is computed to 20%`, () => {
        const metrics = metricsOf(makeWindow(samples), MACHINE);
        const { speedup = 0 } = cacheEffect(metrics, mib * MiB) ?? {};
        assert.ok(
          Number(speedup) >= min * 0.8 && Number(speedup) <= max * 1.2,
          `${speedup} for ${min} to ${max}`,
        );
      });
    }
    it('and said with the advice', () =>
      assert.match(
        judged(samples).explain.join('\n'),
        /Estimated page reads \(now 599\/s with 256 MiB\): .*512 MiB: 4\d\d\/s/,
      ));
  });

  describe('writes that outrun a slow disk', () => {
    const samples = samplesOf('c03-write-dirty-pressure.jsonl.gz');
    it('is found; the cache or the trigger goes up, the disk is named, threads are not', () => {
      const { bottleneck, change, because, findings } = judged(samples);
      assert.equal(bottleneck, 'cache-dirty');
      assert.ok(
        (change?.cacheSizeGB ?? 0.25) > 0.25 || (change?.evictionDirtyTrigger ?? 20) > 20,
        JSON.stringify(change),
      );
      assert.equal(change?.evictionThreadsMax, undefined);
      assert.match(because, /write rate of the disk is the underlying limit/);
      assert.equal(findings.find(({ rule }) => rule === 'eviction-threads-busy')?.status, 'info');
    });
    it('without facts the trigger goes up, never down', () =>
      assert.deepEqual(judged(samples, NO_FACTS).change, {
        evictionDirtyTarget: 10,
        evictionDirtyTrigger: 40,
      }));
  });

  describe('a healthy server under light load', () => {
    const samples = samplesOf('c08-healthy-light.jsonl.gz');
    for (const [title, facts] of /** @type {[string, any][]} */ ([
      ['with facts', MACHINE],
      ['without', NO_FACTS],
      ['in a small container', { ...MACHINE, memLimitBytes: 700 * MiB }],
    ])) {
      it(`${title}: none, and nothing to change`, () => {
        const { bottleneck, change, findings } = judged(samples, facts);
        assert.deepEqual([bottleneck, change], ['none', null]);
        assert.ok(
          findings.every(
            (finding) =>
              finding.change === null &&
              (finding.rule === 'cache-memory' ||
                !['warning', 'critical'].includes(finding.status)),
          ),
        );
      });
    }
  });

  it('the answer does not hang on where a window of 20 s begins', () => {
    for (const [name, wanted] of /** @type {[string, string][]} */ ([
      ['c01-read-bound-cache-too-small', 'cache-read'],
      ['c03-write-dirty-pressure', 'cache-dirty'],
      ['c08-healthy-light', 'none'],
    ])) {
      const samples = samplesOf(`${name}.jsonl.gz`);
      for (let from = 0; from + 21 <= samples.length; from++)
        assert.equal(
          judged(samples.slice(from, from + 21)).bottleneck,
          wanted,
          `${name} from ${from} on`,
        );
    }
  });
});

describe("captures of strangers' servers", () => {
  it('are at hand', function () {
    skipIf(this, absent(folder));
  });
  const names = folder === null ? [] : fs.readdirSync(folder);

  for (const name of names) {
    it(`${name.slice(0, 40)}: nothing is made up of one capture`, () => {
      const { serverStatus } = JSON.parse(fs.readFileSync(path.join(String(folder), name), 'utf8'));
      const sample = readSample(serverStatus);
      const later = {
        ...sample,
        atMs: sample.atMs + 30_000,
        uptimeMs: sample.uptimeMs === null ? null : sample.uptimeMs + 30_000,
      };
      for (const samples of [[sample], [sample, sample], [sample, later]]) {
        const { bottleneck, change, findings } = judged(samples);
        assert.ok(['idle', 'unknown'].includes(bottleneck), bottleneck);
        assert.equal(change, null);
        assert.deepEqual(
          findings.filter(({ status }) => status === 'error'),
          [],
        );
        assert.deepEqual(
          findings
            .filter(({ status, rule }) => TROUBLE.has(status) && !OF_THE_MACHINE.has(rule))
            .map(({ rule, message }) => `${rule}: ${message}`),
          [],
        );
        assert.doesNotMatch(
          JSON.stringify(findings.map(({ message, advice }) => [message, advice])),
          /NaN|undefined|Infinity/,
        );
      }
    });
  }
});
