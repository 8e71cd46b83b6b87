'use strict';

const assert = require('node:assert/strict');
const { usePatient, warns, DIRECT } = require('../../support/patient');
const { run: status } = require('../../../lib/commands/status');

const GiB = 2 ** 30;

describe('bottleneck: readers of more data than the cache holds, on a device', () => {
  const patient = usePatient({ args: DIRECT });

  it('cache-read; with the size proposed the data fits, and nobody waits for pages any more', async () => {
    await patient.load('read');
    const advice = await patient.named('cache-read');
    assert.ok(warns(advice, 'page-reads'), `${advice}`);
    assert.match(advice.because, /reading pages into cache/);
    const { change } = advice;
    assert.deepEqual(Object.keys(change ?? {}), ['cacheSizeGB']);
    const { stats, host } = {
      stats: await patient.server.db('load').stats(),
      host: await patient.server.adminCommand({ hostInfo: 1 }),
    };
    assert.ok(
      Number(change?.cacheSizeGB) * GiB > stats.dataSize,
      `${JSON.stringify(change)} holds the ${stats.dataSize} bytes`,
    );
    assert.ok(
      Number(change?.cacheSizeGB) * GiB < 0.8 * host.system.memLimitMB * 2 ** 20,
      `${JSON.stringify(change)} fits into memory`,
    );

    const before = await status(patient.ctx, { seconds: 2 });
    await patient.take(advice);
    await patient.rid('cache-read', 'page-reads');
    const after = await status(patient.ctx, { seconds: 2 });
    assert.ok(
      Number(after.cache.readBytesPerSec) < Number(before.cache.readBytesPerSec) / 2,
      `${before.cache.readBytesPerSec} → ${after.cache.readBytesPerSec} bytes a second are read`,
    );
  });
});
