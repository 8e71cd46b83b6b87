'use strict';

const fs = require('node:fs/promises');
const sync = require('node:fs');
const path = require('node:path');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { KiB } = require('../base/pure/units');
const { unreadable, HostFileError } = require('./snapshot');

/**
 * @import { Files } from './snapshot'
 */

/**
 * Not the readFile of fs/promises: up to Node.js 20.11.1 at least, it takes the first short read of
 * a file in /proc for its end (4,050 bytes of net/tcp). The programs of mongosh 2.0 and 2.1 contain
 * such a Node.js.
 */
const readWhole = promisify(sync.readFile);

const COMMAND_LIMIT_MS = 2000;
// A folder that represents a host has the output of its commands here.
const COMMAND_FOLDER = '.commands';
const HEAD_BYTES = 512;
/** The stat or status of a process is shorter than this. */
const PASSING = Buffer.alloc(16 * KiB);

/**
 * @typedef {Record<string, readonly string[]>} Commands name → program and arguments; they only
 *   read
 */

/**
 * Reads the files of this machine, or of the folders that represent one: a file that the first
 * folder does not have is read from the next.
 * @param {readonly string[]} roots ['/'], or folders with `proc`, `sys`, … in them
 * @param {Commands} commands run here for `/` only; for a folder their output is a file in
 *   `.commands`
 * @returns {Files}
 */
function filesUnder(roots, commands) {
  const isLive = roots.includes('/');
  /**
   * @template T
   * @param {string} file
   * @param {(at: string) => Promise<T>} read
   * @returns {Promise<T[]>}
   */
  const all = async (file, read) => {
    const tried = await Promise.allSettled(roots.map((root) => read(path.join(root, file))));
    const found = tried.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (found.length === 0)
      throw unreadable(file, /** @type {PromiseRejectedResult} */ (tried[0]).reason);
    return found;
  };
  /**
   * @template T
   * @param {string} file
   * @param {(at: string) => Promise<T>} read
   * @returns {Promise<T>}
   */
  const first = async (file, read) => (await all(file, read))[0];
  return {
    text: (file) => first(file, readText),
    // The kernel writes these files at once, from memory: a read without a promise costs a tenth of
    // one with a promise.
    passing: (file) => first(file, async (at) => readNow(at)),
    // An overlay adds its own names to those of the folder below.
    list: async (folder) => [...new Set((await all(folder, (at) => fs.readdir(at))).flat())].sort(),
    link: (file) => first(file, (at) => fs.readlink(at)),
    command: (name) =>
      isLive
        ? run(name, commands[name])
        : first(path.join('/', COMMAND_FOLDER, name), (at) => readWhole(at, 'utf8')),
  };
}

/** @param {string} at @returns {string} */
function readNow(at) {
  const file = sync.openSync(at, 'r');
  try {
    return PASSING.toString('utf8', 0, sync.readSync(file, PASSING, 0, PASSING.length, 0));
  } finally {
    sync.closeSync(file);
  }
}

/**
 * Reads a text file.
 * @param {string} at
 * @returns {Promise<string>}
 */
async function readText(at) {
  if (!at.endsWith('/numa_maps')) return readWhole(at, 'utf8');
  // The kernel walks the pages of a mapping to write its line, and holds a lock of the process: of
  // a large process only the first lines are read.
  const file = await fs.open(at);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Runs one of COMMANDS.
 * @param {string} name
 * @param {readonly string[] | undefined} command
 */
async function run(name, command) {
  if (command === undefined) throw new HostFileError(`${name} was not run`);
  const [program, ...args] = command;
  try {
    return (
      await promisify(execFile)(program, args, {
        timeout: COMMAND_LIMIT_MS,
        env: { ...process.env, LC_ALL: 'C' },
      })
    ).stdout;
  } catch (error) {
    const { code } = /** @type {{ code?: string | number }} */ (error);
    throw new HostFileError(
      code === 'ENOENT' ? `${program} is not installed here` : `${program} failed`,
    );
  }
}

/**
 * Commands that show what no file of the kernel does: they only read, need no root, and end at
 * once. The collecting script runs the same ones.
 * @satisfies {Commands}
 */
const COMMANDS = Object.freeze({
  // Linux has /proc/sys/kernel/arch since 6.1.
  uname: ['uname', '-m'],
  df: ['df', '-Pk'],
  zfs: [
    'zfs',
    'get',
    '-Hp',
    '-t',
    'filesystem',
    '-o',
    'name,property,value',
    'recordsize,compression,atime,primarycache,logbias,sync',
  ],
  zpool: ['zpool', 'get', '-Hp', '-o', 'name,property,value', 'ashift'],
});

module.exports = { filesUnder, COMMANDS };
