'use strict';

/** Sets of CPUs as the kernel writes them: `0-3,8`. */

// Kernels are built for 8192 at most; a larger number is no list of a kernel.
const MAX_CPUS = 65_536;

/** @param {string} list @returns {number[] | null} null: it is no such list */
function parseCpuList(list) {
  const text = list.trim();
  if (text === '') return [];
  const cpus = [];
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) >= MAX_CPUS) return null;
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.push(cpu);
  }
  return cpus;
}

module.exports = { parseCpuList };
