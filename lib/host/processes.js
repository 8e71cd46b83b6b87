'use strict';

const { HostFileError } = require('./snapshot');
const { statusOf, kbToBytes } = require('./process-files');

/**
 * @typedef {import('./snapshot').Look} Look
 * @typedef {{ pid: number, name: string, residentBytes: number }} Process
 */

// A database host has a few hundred; beyond this many we look at no more. Ours.
const PROCESSES_MAX = 4000;

/**
 * @param {Look} look
 * @returns {Promise<Process[]>} the largest first; kernel threads have no memory and are left out
 */
async function processesIn(look) {
  const pids = (await look.list('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .slice(0, PROCESSES_MAX)
    .map(Number);
  const found = await Promise.all(pids.map((pid) => processIn(look, pid)));
  return found.flat().sort((a, b) => b.residentBytes - a.residentBytes);
}

/**
 * @param {Look} look
 * @param {number} pid
 * @returns {Promise<Process[]>} none when it has ended meanwhile or may not be seen
 */
async function processIn(look, pid) {
  try {
    const status = statusOf(`/proc/${pid}/status`, await look.passing(`/proc/${pid}/status`));
    const residentBytes = kbToBytes(status.VmRSS);
    return residentBytes === undefined ? [] : [{ pid, name: status.Name, residentBytes }];
  } catch (error) {
    if (error instanceof HostFileError) return [];
    throw error;
  }
}

module.exports = { processesIn };
