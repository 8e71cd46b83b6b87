'use strict';

const { HostFileError } = require('./snapshot');

/**
 * @import { Gathered, Subject } from './snapshot'
 */

/**
 * A file of mongod's process.
 * @param {Subject} subject
 * @param {string} name
 * @returns {string} below the folder of mongod's process
 */
function serverFile({ pid }, name) {
  if (pid === null) throw new HostFileError('the mongod process is not visible here');
  return `/proc/${pid}/${name}`;
}

/**
 * Turns a missing file into null.
 * @template T
 * @param {Promise<T>} reading
 * @returns {Promise<T | null>} null where there is no such file; one that is there and cannot be
 *   read stays an error
 */
async function ifThere(reading) {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof HostFileError && /is not (there|in the file)$/.test(error.message))
      return null;
    throw error;
  }
}

/**
 * Reads a status file of a process.
 * @param {Gathered} snapshot
 * @param {string} path of a `status` file
 * @returns {Promise<Record<string, string>>} proc(5)
 */
async function statusIn(snapshot, path) {
  return statusOf(path, await snapshot.text(path));
}

/**
 * Parses a status file of a process.
 * @param {string} path
 * @param {string} text
 * @returns {Record<string, string>}
 */
function statusOf(path, text) {
  const lines = [...text.matchAll(/^(\w+):[ \t]*(.*?)[ \t]*$/gm)];
  if (lines.length === 0) throw new HostFileError(`${path} has an unexpected format`);
  return Object.fromEntries(lines.map(([, name, value]) => [name, value]));
}

const BYTES_PER_KB = 1024;

/** @param {string | undefined} value `4242 kB` @returns {number | undefined} */
const kbToBytes = (value) =>
  value === undefined || !/^\d+ kB$/.test(value)
    ? undefined
    : Number.parseInt(value, 10) * BYTES_PER_KB;

const KIB = 1024;
const PATH = '/proc/meminfo';

/**
 * Reads the memory of the machine.
 * @param {Gathered} snapshot
 * @returns {Promise<Record<string, number>>} bytes; what the kernel does not report is absent
 *   (MemAvailable before 3.14)
 */
async function meminfo(snapshot) {
  const lines = [...(await snapshot.text(PATH)).matchAll(/^(\S+):\s+(\d+) kB$/gm)];
  if (lines.length === 0) throw new HostFileError(`${PATH} has an unexpected format`);
  return Object.fromEntries(lines.map(([, name, kib]) => [name, Number(kib) * KIB]));
}

module.exports = { serverFile, ifThere, statusIn, statusOf, kbToBytes, meminfo };
