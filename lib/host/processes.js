'use strict';

const { HostFileError } = require('./snapshot');
const { statusOf, kbToBytes } = require('./process-files');

/**
 * @import { Gathered } from './snapshot'
 */

/**
 * @typedef {{ pid: number, name: string, residentBytes: number }} Process
 */

// A database host has a few hundred; beyond this many we look at no more. Ours.
const PROCESSES_MAX = 4000;

/**
 * @param {Gathered} snapshot
 * @returns {Promise<Process[]>} the largest first; kernel threads have no memory and are left out
 */
async function processesIn(snapshot) {
  const pids = (await snapshot.list('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .slice(0, PROCESSES_MAX)
    .map(Number);
  const found = await Promise.all(pids.map((pid) => processIn(snapshot, pid)));
  return found.flat().sort((a, b) => b.residentBytes - a.residentBytes);
}

/**
 * @param {Gathered} snapshot
 * @param {number} pid
 * @returns {Promise<Process[]>} none when it has ended meanwhile or may not be seen
 */
async function processIn(snapshot, pid) {
  try {
    const status = statusOf(`/proc/${pid}/status`, await snapshot.passing(`/proc/${pid}/status`));
    const residentBytes = kbToBytes(status.VmRSS);
    return residentBytes === undefined ? [] : [{ pid, name: status.Name, residentBytes }];
  } catch (error) {
    if (error instanceof HostFileError) return [];
    throw error;
  }
}

module.exports = { processesIn };
