'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { once } = require('node:events');
const path = require('node:path');
const { skipIf } = require('../../support/skip');
const { slowDisk, whyNoSlowDisk, removeLeftovers } = require('../../support/slow-disk');

/**
 * @import { Readable } from 'node:stream'
 */

const SUPPORT = path.join(__dirname, '../../support/slow-disk.js');
const MEGABYTES = 4;

/** @param {string} folder @returns {number} ms until 4 MB are on the disk */
function writeMs(folder) {
  const began = performance.now();
  const file = fs.openSync(path.join(folder, 'file'), 'w');
  fs.writeSync(file, Buffer.alloc(MEGABYTES * 2 ** 20, 1));
  fs.fsyncSync(file);
  fs.closeSync(file);
  return performance.now() - began;
}

/** @param {string} folder */
const isMounted = (folder) => fs.readFileSync('/proc/mounts', 'utf8').includes(folder);

/**
 * @param {NodeJS.Signals} signal
 * @returns {Promise<string>} where the disk of a process was mounted that this signal ended
 */
async function diskOfEnded(signal) {
  const child = spawn(
    process.execPath,
    [
      '-e',
      `const disk = require(${JSON.stringify(SUPPORT)}).slowDisk(); disk.limit({ writeOps: 1 ` +
        '}, process.pid); console.log(disk.path); setInterval(() => {}, 1000)',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [mount] = `${(await once(/** @type {Readable} */ (child.stdout), 'data'))[0]}`.split('\n');
  const ended = once(child, 'exit');
  assert.ok(isMounted(mount));
  child.kill(signal);
  await ended;
  return mount;
}

for (const fileSystem of /** @type {const} */ (['ext4', 'xfs'])) {
  describe(`a slow disk, ${fileSystem}`, () => {
    before(function () {
      skipIf(this, whyNoSlowDisk(fileSystem));
    });

    it('writes as fast as it may, and is gone afterwards', () => {
      const disk = slowDisk({ sizeMB: 512, fileSystem });
      try {
        disk.limit({ writeBytes: MEGABYTES * 2 ** 20 }, process.pid);
        const slow = writeMs(disk.path);
        assert.ok(slow > 500, `${MEGABYTES} MB at ${MEGABYTES} MB/s took ${slow} ms`);
        disk.release();
        const fast = writeMs(disk.path);
        assert.ok(fast < slow / 2, `${fast} ms without a limit`);
      } finally {
        disk.remove();
      }
      assert.equal(isMounted(disk.path), false);
      assert.equal(fs.existsSync(path.dirname(disk.path)), false);
      disk.remove();
    });
  });
}

describe('a slow disk whose process ends', () => {
  before(function () {
    skipIf(this, whyNoSlowDisk());
  });
  it('by a signal goes with it', async () => {
    const mount = await diskOfEnded('SIGINT');
    assert.equal(isMounted(mount), false);
    assert.equal(fs.existsSync(path.dirname(mount)), false);
  });
  it('by SIGKILL is cleared away by the next', async () => {
    const mount = await diskOfEnded('SIGKILL');
    assert.ok(isMounted(mount));
    removeLeftovers();
    assert.equal(isMounted(mount), false);
    assert.equal(fs.existsSync(path.dirname(mount)), false);
  });
});
