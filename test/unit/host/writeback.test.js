'use strict';

const assert = require('node:assert/strict');
const { makeSnapshot, collectPart } = require('../../../lib/host/snapshot');
const { recordedSnapshots } = require('../../../lib/host/host-file');
const area = require('../../../lib/host/areas/writeback');

const files = (dirtyBytes, dirtyKb) => ({
  '/proc/meminfo':
    `MemTotal:       24105000 kB\nMemFree:  100 kB\nMemAvailable:   10000000 kB\nCached: 900 ` +
    `kB\nDirty:   ${dirtyKb} kB\n`,
  '/proc/sys/vm/dirty_bytes': `${dirtyBytes}\n`,
  '/proc/sys/vm/dirty_background_bytes': '0\n',
  '/proc/sys/vm/dirty_ratio': '20\n',
  '/proc/sys/vm/dirty_background_ratio': '10\n',
  '/proc/sys/vm/dirty_expire_centisecs': '3000\n',
  '/proc/sys/vm/dirty_writeback_centisecs': '500\n',
});
const snapshots = (...all) =>
  recordedSnapshots({
    format: 'mongosh-tune host',
    version: 1,
    pid: null,
    dbPath: null,
    port: null,
    links: {},
    commands: {},
    failed: { '/proc/x': 'not readable by this user' },
    snapshots: all.map((one, i) => ({ atMs: i * 1000, files: one })),
  });
const subject = { pid: null, dbPath: null, port: null, interface: null };

describe('host/areas/writeback', () => {
  it('a ratio is of what is available', async () => {
    const { values, unknown } = await collectPart(
      area.values(snapshots(files(0, 100), files(0, 40)), subject),
    );
    assert.equal(values['writeback.limitBytes'], 0.2 * 10000000 * 1024);
    assert.equal(values['writeback.backgroundBytes'], 0.1 * 10000000 * 1024);
    assert.equal(values['writeback.isByBytes'], false);
    assert.deepEqual(
      [values['writeback.dirtyPageBytes'], values['writeback.dirtyPageBytesMax']],
      [40 * 1024, 100 * 1024],
    );
    assert.deepEqual([values['writeback.expireMs'], values['writeback.wakeMs']], [30000, 5000]);
    assert.deepEqual(unknown, {});
  });

  it('bytes win over a ratio', async () => {
    const { values } = await collectPart(area.values(snapshots(files(512 * 2 ** 20, 1)), subject));
    assert.equal(values['writeback.limitBytes'], 512 * 2 ** 20);
    assert.equal(values['writeback.isByBytes'], true);
  });

  it('what is missing, unreadable or garbage is unknown, with the reason', async () => {
    const some = files('garbage', 1);
    delete some['/proc/sys/vm/dirty_ratio'];
    const { values, unknown } = await collectPart(area.values(snapshots(some), subject));
    assert.match(
      String(unknown['writeback.dirtyBytes']),
      /dirty_bytes contains no number: "garbage"/,
    );
    assert.match(String(unknown['writeback.dirtyRatioPercent']), /dirty_ratio is not in the file/);
    assert.equal(values['writeback.limitBytes'], undefined);
  });

  it('a sample reads each file once', async () => {
    let reads = 0;
    const snapshot = makeSnapshot(
      {
        ...snapshots({})[0],
        text: async () => {
          reads++;
          return '1';
        },
      },
      0,
    );
    await Promise.all([snapshot.text('/a'), snapshot.text('/a'), snapshot.text('/a')]);
    assert.equal(reads, 1);
  });
});
