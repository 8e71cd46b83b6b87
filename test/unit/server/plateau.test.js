'use strict';

const assert = require('node:assert/strict');
const { plateauOf } = require('../../../lib/server/pure/plateau');
const { metricsOf } = require('../../../lib/server/pure/metrics');
const { NO_FACTS } = require('../../../lib/server/pure/facts');

// Reads a second, as they were measured: limited to 150 and to 1,000, and without a limit.
const AT_150 = [161.1, 149.4, 149.1, 149, 149.3, 149.4, 148.6, 148.4, 149.6, 149.4, 149.4, 148.7];
const AT_1000 = [995, 1006, 992.1, 1014.9, 997.1, 1035.8, 998, 996, 995, 978, 999, 1009];
const AT_150_ON_BUSY_CPUS = [152, 150, 146, 138, 160, 149, 149, 150, 152, 145, 155, 150];
const FREE = [457, 315, 1231, 1330, 662, 872, 753, 430, 1074, 1181, 1115, 1053];

describe('a rate that stays the same', () => {
  it('is found in what limited disks did', () => {
    for (const [all, perSec] of /** @type {[number[], number][]} */ ([
      [AT_150, 149],
      [AT_1000, 1000],
      [AT_150_ON_BUSY_CPUS, 150],
    ])) {
      const { seconds, fallRatio, ...found } = plateauOf(all) ?? {};
      assert.deepEqual(
        [Math.round(Number(found.perSec) / 5) * 5, seconds, fallRatio],
        [Math.round(perSec / 5) * 5, 12, undefined],
      );
    }
  });

  it('is not found where there is none, in a short time, or where nothing is done', () => {
    for (const all of [FREE, AT_150.slice(0, 7), new Array(12).fill(0), []])
      assert.equal(plateauOf(all), undefined);
  });

  it('may begin within the window: then what was before counts', () => {
    const found = plateauOf([...FREE.slice(0, 5), ...AT_150.slice(1), ...AT_150.slice(7)]);
    assert.equal(found?.seconds, 16);
    assert.ok(Math.abs(Number(found?.fallRatio) - 662 / 149) < 0.1, String(found?.fallRatio));
  });

  /** @param {(i: number) => Record<string, number>} counters */
  const metrics = (counters) => {
    const samples = Array.from({ length: 10 }, (_, i) => ({
      atMs: i * 1000,
      uptimeMs: i * 1000,
      counters: counters(i),
    }));
    const [from, to] = [new Date(0), new Date(9000)];
    const window = /** @type {any} */ ({ from, to, seconds: 9, samples, restarts: 0 });
    return metricsOf(window, /** @type {any} */ ({ ...NO_FACTS, disks: ['sdb'] }));
  };

  it('is asked of the disk: reads and writes share a limit', () => {
    const found = metrics((i) => ({
      'diagnostics.atMs': i * 1000,
      'disk.busyMs@sdb': i,
      'disk.reads@sdb': i * 100 + (i % 2) * 50,
      'disk.writes@sdb': i * 100 - (i % 2) * 50,
    }));
    assert.deepEqual(
      [found['disk.flatRequestsPerSec'], found['disk.flatSeconds'], found['disk.flatBytesPerSec']],
      [200, 9, undefined],
    );
  });

  it('and of the engine where the disk is not reported', () => {
    const found = metrics((i) => ({ 'cache.pagesRead': i * 150 }));
    assert.deepEqual([found['disk.flatRequestsPerSec'], found['disk.flatSeconds']], [150, 9]);
  });
});
