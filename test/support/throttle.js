'use strict';

/** Limits of a block device, by the control groups of either version. */
const fs = require('node:fs');
const path = require('node:path');

/**
 * @typedef {{ readOps?: number, writeOps?: number, readBytes?: number, writeBytes?: number }}
 *   Limits a second; what is not named is not limited
 */
/**
 * @typedef {{
 *   limit(device: string, limits: Limits, pid: number): void, release(device: string): void
 * }} Throttle `device`: such as 7:0
 */

const ROOT = '/sys/fs/cgroup';
/** Version 1: files of the group `blkio`. @type {[keyof Limits, string][]} */
const FILES = [
  ['readOps', 'read_iops'],
  ['writeOps', 'write_iops'],
  ['readBytes', 'read_bps'],
  ['writeBytes', 'write_bps'],
];
/** Version 2: words of `io.max`. @type {[keyof Limits, string][]} */
const WORDS = [
  ['readOps', 'riops'],
  ['writeOps', 'wiops'],
  ['readBytes', 'rbps'],
  ['writeBytes', 'wbps'],
];
const GROUP = 'mongosh-tune-disk';

/** @param {string} [root] @returns {Throttle | null} null where no group here limits a disk */
function findThrottle(root = ROOT) {
  const blkio = path.join(root, 'blkio');
  if (FILES.every(([, name]) => fs.existsSync(fileOf(blkio, name)))) return firstVersion(blkio);
  const controllers = path.join(root, 'cgroup.controllers');
  return fs.existsSync(controllers) &&
    fs.readFileSync(controllers, 'utf8').trim().split(' ').includes('io')
    ? secondVersion(root)
    : null;
}

/** @param {string} blkio @param {string} name */
const fileOf = (blkio, name) => path.join(blkio, `blkio.throttle.${name}_device`);

/**
 * In the root group, so that the kernel's own writing back counts too; 0 is no limit.
 * @param {string} blkio
 * @returns {Throttle}
 */
function firstVersion(blkio) {
  const limit = (/** @type {string} */ device, /** @type {Limits} */ limits) =>
    FILES.forEach(([key, name]) =>
      fs.writeFileSync(fileOf(blkio, name), `${device} ${limits[key] ?? 0}`),
    );
  return { limit, release: (device) => limit(device, {}) };
}

/**
 * The root group has no limits: the server moves into a group of its own, with its memory, so that
 * what the kernel writes back for it counts.
 * @param {string} root
 * @returns {Throttle}
 */
function secondVersion(root) {
  const group = path.join(root, GROUP);
  const set = (/** @type {string} */ device, /** @type {Limits} */ limits) =>
    fs.writeFileSync(
      path.join(group, 'io.max'),
      `${device} ${WORDS.map(([key, word]) => `${word}=${limits[key] ?? 'max'}`).join(' ')}`,
    );
  return {
    limit(device, limits, pid) {
      fs.writeFileSync(path.join(root, 'cgroup.subtree_control'), '+io +memory');
      fs.mkdirSync(group, { recursive: true });
      fs.writeFileSync(path.join(group, 'cgroup.procs'), `${pid}`);
      set(device, limits);
    },
    release(device) {
      if (!fs.existsSync(group)) return;
      set(device, {});
      try {
        fs.rmdirSync(group);
      } catch {
        /* a server is still in it */
      }
    },
  };
}

module.exports = { findThrottle };
