'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { execFileSync } = require('node:child_process');
const { Binary } = require('mongodb');
const { skipIf } = require('../support/skip');
const { slowDisk, whyNoSlowDisk } = require('../support/slow-disk');
const { startServer } = require('../support/server');
const { startLoad } = require('../support/load');
const { takeSnapshots, readAreas } = require('../../lib/host/examine-host');
const { filesUnder, COMMANDS } = require('../../lib/host/root-files');

/**
 * @import { Server } from '../support/server'
 * @import { SlowDisk } from '../support/slow-disk'
 */

const MiB = 2 ** 20;
const LIMIT_BYTES = 8 * MiB;
/** What goes to disk is counted when it is done, and other writers may have brought it there. */
const SLACK = 1.5;
/** Incompressible, so that what is written is what was sent. */
const BODY_BYTES = 64 * 1024;
const say = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
  execFileSync(command, args, { encoding: 'utf8' }).trim();

for (const fileSystem of /** @type {const} */ (['ext4', 'xfs'])) {
  describe(`dbPath on ${fileSystem} of a loop device`, () => {
    before(function () {
      skipIf(this, whyNoSlowDisk(fileSystem));
    });
    /** @type {SlowDisk | undefined} */ let disk;
    /** @type {Server} */ let server;
    before(async () => {
      disk = slowDisk({ fileSystem });
      server = await startServer({ withTimeout: disk.path });
    });
    after(async () => {
      disk?.release();
      await server?.stop();
      disk?.remove();
    });

    /** @param {number} seconds */
    async function snapshot(seconds) {
      const subject = {
        pid: server.pid,
        dbPath: server.dbPath,
        port: server.port,
        interface: null,
      };
      return readAreas(
        await takeSnapshots(filesUnder(['/'], COMMANDS), subject, {
          seconds,
          signal: new AbortController().signal,
        }),
        subject,
      );
    }
    const findmnt = (/** @type {string} */ column) =>
      say('findmnt', '--noheadings', '--output', column, '--target', server.dbPath);

    it('is what findmnt, df and the block device say', async () => {
      const { values } = await snapshot(0);
      assert.deepEqual(
        [values['files.type'], values['files.mountPoint'], values['files.device']],
        [findmnt('FSTYPE'), findmnt('TARGET'), findmnt('SOURCE')],
      );
      assert.deepEqual(
        new Set(values['files.options']),
        new Set(`${findmnt('VFS-OPTIONS')},${findmnt('FS-OPTIONS')}`.split(',')),
      );
      const [, total] = say('df', '-Pk', server.dbPath).split('\n')[1].split(/\s+/);
      assert.equal(values['files.totalBytes'], Number(total) * 1024);
      assert.ok(
        Math.abs(
          (values['files.freeBytes'] ?? 0) -
            1024 * Number(say('df', '-Pk', server.dbPath).split('\n')[1].split(/\s+/)[3]),
        ) <
          64 * MiB,
      );
      assert.equal(`/dev/${values['disk.name']}`, findmnt('SOURCE'));
      assert.equal(
        values['disk.readAheadBytes'],
        512 * Number(say('blockdev', '--getra', findmnt('SOURCE'))),
      );
      assert.equal(
        values['disk.isRotational'],
        say('lsblk', '--noheadings', '--nodeps', '--output', 'ROTA', findmnt('SOURCE')) === '1',
      );
    });

    it('limited: its rate is the limit, and threads of mongod wait where the kernel says', async () => {
      disk?.limit({ writeBytes: LIMIT_BYTES }, server.pid);
      const collection = server.db('shop').collection('orders');
      const load = startLoad(
        () =>
          collection
            .insertOne(
              { body: new Binary(crypto.randomBytes(BODY_BYTES)) },
              { writeConcern: { w: 1, j: true } },
            )
            .then(() => undefined),
        { loops: 8 },
      );
      try {
        const { values, unknown } = await snapshot(6);
        const written = values['disk.writtenBytesPerSec'] ?? 0;
        assert.ok(
          written > LIMIT_BYTES / 10 && written < LIMIT_BYTES * SLACK,
          `${written / MiB} MiB/s`,
        );
        assert.equal(values['disk.seconds']?.length, 6);
        assert.ok((values['disk.writeMs'] ?? 0) > 0, JSON.stringify(unknown));
        const blocked = values['files.blocked'] ?? [];
        assert.ok(
          blocked.length > 0 && blocked.some(({ wchan }) => wchan !== null),
          JSON.stringify(blocked),
        );
      } finally {
        disk?.release();
        await load.stop();
      }
    });
  });
}
