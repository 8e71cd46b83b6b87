'use strict';

/**
 * A disk as slow as a test wants it: a file system on a loop device, whose rate a control group
 * limits. It needs root and a kernel that limits; elsewhere `whyNoSlowDisk` says what is missing.
 * Reads and writes have limits of their own, unlike those of a real disk.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { endWithProcess } = require('./cleanup');
const { findThrottle } = require('./throttle');

/**
 * @import { Limits, Throttle } from './throttle'
 */

/**
 * @typedef {object} SlowDisk
 * @property {string} path where it is mounted
 * @property {(limits: Limits, pid: number) => void} limit what it was limited to before is
 *   forgotten; `pid`: who writes
 * @property {() => void} release as fast as the disk below
 * @property {() => void} remove everything, may be called twice
 */

/** @typedef {'ext4' | 'xfs'} FileSystem */

const SIZE_MB = 2048;
/**
 * What the file systems refuse to be smaller than, roughly.
 * @satisfies {Record<FileSystem, number>}
 */
const MIN_MB = { ext4: 16, xfs: 320 };
// Not the name of a temporary folder of the tests: those are removed with all that is in them,
// which a mounted disk refuses.
const NAME = /mongosh-tune-disk-(\d+)-/;

/** @param {string} command @param {string[]} args */
const run = (command, ...args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** @param {() => void} act */
function tryTo(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** @param {FileSystem} [fileSystem] @returns {string | null} why this machine has none */
function whyNoSlowDisk(fileSystem = 'ext4') {
  if (process.platform !== 'linux') return 'a disk can be limited on Linux only';
  if (process.getuid?.() !== 0) return 'only root may limit a disk';
  const missing = ['losetup', `mkfs.${fileSystem}`, 'mount'].find(
    (command) => !tryTo(() => run('which', command)),
  );
  if (missing !== undefined) return `${missing} is missing`;
  if (findThrottle() === null)
    return 'no control group here limits a disk (blkio.throttle of version 1, io.max of version 2)';
  try {
    slowDisk({ sizeMB: MIN_MB[fileSystem], fileSystem }).remove();
    return null;
  } catch (error) {
    return `no loop device can be mounted here: ${`${error.stderr || error.message}`.trim()}`;
  }
}

/**
 * @param {{ sizeMB?: number, fileSystem?: FileSystem }} [options] `sizeMB`: taken from the
 *   temporary directory as it fills
 * @returns {SlowDisk}
 */
function slowDisk({ sizeMB = SIZE_MB, fileSystem = 'ext4' } = {}) {
  removeLeftovers();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-disk-${process.pid}-`));
  const forget = endWithProcess(() => clear(folder));
  try {
    const device = mounted(folder, sizeMB, fileSystem);
    const throttle = /** @type {Throttle} */ (findThrottle());
    const release = () => throttle.release(device);
    return {
      path: path.join(folder, 'mount'),
      release,
      limit: (limits, pid) => throttle.limit(device, limits, pid),
      remove: () => {
        clear(folder);
        forget();
      },
    };
  } catch (error) {
    clear(folder);
    forget();
    throw error;
  }
}

/**
 * @param {string} folder
 * @param {number} sizeMB
 * @param {FileSystem} fileSystem
 * @returns {string} numbers of the device, such as 7:0
 */
function mounted(folder, sizeMB, fileSystem) {
  const [image, mount] = [path.join(folder, 'image'), path.join(folder, 'mount')];
  fs.mkdirSync(mount);
  fs.writeFileSync(image, '');
  fs.truncateSync(image, sizeMB * 2 ** 20);
  run(`mkfs.${fileSystem}`, '-q', image);
  const loop = run('losetup', '--find', '--show', image);
  run('mount', loop, mount);
  return numbersOf(path.basename(loop));
}

/** @param {string} name such as loop0 */
const numbersOf = (name) => fs.readFileSync(`/sys/block/${name}/dev`, 'utf8').trim();

/** @returns {{ name: string, file: string }[]} loop devices in use */
function loops() {
  return fs
    .readdirSync('/sys/block')
    .filter((name) => name.startsWith('loop'))
    .flatMap((name) => {
      const reported = `/sys/block/${name}/loop/backing_file`;
      return fs.existsSync(reported)
        ? [{ name, file: fs.readFileSync(reported, 'utf8').trim() }]
        : [];
    });
}

/**
 * Whatever there is of it, in the order that lets a server which still writes end.
 * @param {string} folder
 */
function clear(folder) {
  const own = loops().filter(({ file }) => file.startsWith(`${folder}/`));
  for (const { name } of own) tryTo(() => findThrottle()?.release(numbersOf(name)));
  const mount = path.join(folder, 'mount');
  const isMounted = () => fs.readFileSync('/proc/mounts', 'utf8').includes(` ${mount} `);
  // Where a server was killed a moment ago it still holds the disk: then the kernel unmounts as
  // soon as it is gone.
  if (isMounted() && !tryTo(() => run('umount', mount))) run('umount', '--lazy', mount);
  for (const { name } of own) tryTo(() => run('losetup', '--detach', `/dev/${name}`));
  fs.rmSync(folder, { recursive: true, force: true });
}

/** Disks of processes that were killed before they could clear up. */
function removeLeftovers() {
  const folders = fs.readdirSync(os.tmpdir()).map((name) => path.join(os.tmpdir(), name));
  const devices = loops().map(({ file }) => path.dirname(file));
  for (const folder of new Set([...folders, ...devices])) {
    const pid = Number(NAME.exec(folder)?.[1] ?? 0);
    if (pid !== 0 && !fs.existsSync(`/proc/${pid}`)) clear(folder);
  }
}

module.exports = { slowDisk, whyNoSlowDisk, removeLeftovers };
