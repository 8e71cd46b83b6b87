'use strict';

const { HostFileError } = require('./snapshot');

/**
 * @import { Gathered } from './snapshot'
 */

/**
 * /proc/interrupts and /proc/softirqs: one column a processor.
 * @typedef {{ cpus: number[], rows: Map<string, { counts: number[], name: string }> }}
 *   InterruptTable
 */

/** @param {Gathered} snapshot @param {string} path @returns {Promise<InterruptTable>} */
async function interruptTable(snapshot, path) {
  const [head, ...lines] = (await snapshot.text(path)).split('\n');
  const cpus = [...head.matchAll(/CPU(\d+)/g)].map(([, number]) => Number(number));
  if (cpus.length === 0) throw new HostFileError(`${path} is not as it should be`);
  return { cpus, rows: new Map(lines.flatMap((line) => rowOf(line, cpus.length))) };
}

/**
 * @param {string} line
 * @param {number} columns
 * @returns {[string, { counts: number[], name: string }][]} a row with fewer counts (ERR, MIS) is
 *   none of a device
 */
function rowOf(line, columns) {
  const colon = line.indexOf(':');
  const [id, words] = [
    line.slice(0, Math.max(0, colon)).trim(),
    line
      .slice(colon + 1)
      .trim()
      .split(/\s+/),
  ];
  if (id === '' || id.includes(' ')) return [];
  const counts = words.slice(0, columns).map(Number);
  if (counts.length < columns || counts.some(Number.isNaN)) return [];
  return [[id, { counts, name: words.slice(columns).join(' ') }]];
}

module.exports = { interruptTable };
