'use strict';

const { HostFileError } = require('./snapshot');

/**
 * @import { Gathered } from './snapshot'
 */

const KIB = 1024;
const PATH = '/proc/meminfo';

/**
 * @param {Gathered} snapshot
 * @returns {Promise<Record<string, number>>} bytes; what the kernel does not tell is absent
 *   (MemAvailable before 3.14)
 */
async function meminfo(snapshot) {
  const lines = [...(await snapshot.text(PATH)).matchAll(/^(\S+):\s+(\d+) kB$/gm)];
  if (lines.length === 0) throw new HostFileError(`${PATH} is not as it should be`);
  return Object.fromEntries(lines.map(([, name, kib]) => [name, Number(kib) * KIB]));
}

module.exports = { meminfo };
