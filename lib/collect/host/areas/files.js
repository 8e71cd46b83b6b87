'use strict';

const { HostFileError } = require('../look');
const { latest } = require('../part');
const { dbPathMount } = require('../mounts');
const { blockedThreads, readThreads } = require('../threads');

const KIB = 1024;
// POSIX: file system, blocks of 1024 bytes, used, available, share, mount point.
const DF_LINE = /^(.+?) +(\d+) +(\d+) +(\d+) +\S+ +(\/.*)$/gm;

/** The file system of dbPath, and the threads of the server that wait in the kernel. @type {import('../part').Area} */
const AREA = {
  snap: (look, subject) => readThreads(look, subject),
  values(looks, subject) {
    const look = latest(looks);
    const found = () => dbPathMount(look, subject);
    return {
      'files.path': async () => (await found()).path,
      'files.type': async () => (await found()).mount.type,
      'files.device': async () => (await found()).mount.source,
      'files.mountPoint': async () => (await found()).mount.point,
      'files.options': async () => (await found()).mount.options,
      'files.totalBytes': async () => (await space(look, (await found()).mount)).totalBytes,
      'files.freeBytes': async () => (await space(look, (await found()).mount)).freeBytes,
      'files.blocked': () => blockedThreads(looks, subject),
    };
  },
};

/**
 * @param {import('../look').Look} look @param {import('../mounts').Mount} mount
 * @returns {Promise<{ totalBytes: number, freeBytes: number }>} `freeBytes`: for who is not root, as mongod should be
 */
async function space(look, { point, source }) {
  const rows = [...(await look.command('df')).matchAll(DF_LINE)];
  // df shows each device once: a bind mount of it goes by another mount point.
  const row = rows.find((one) => one[5] === point) ?? rows.find(([, device]) => source.includes('/') && device === source);
  if (row === undefined) throw new HostFileError(`df has no line for ${point}`);
  return { totalBytes: Number(row[2]) * KIB, freeBytes: Number(row[4]) * KIB };
}

module.exports = AREA;
