'use strict';

/** Sets of processors as the kernel writes them: lists (`0-3,8`) and masks (`00000001,0000000f`). */

const BITS_PER_WORD = 32;
const BITS_PER_DIGIT = 4;

/** @param {string} list @returns {number[] | null} null: it is no such list */
function parseCpuList(list) {
  const text = list.trim();
  if (text === '') return [];
  const cpus = [];
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined) return null;
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.push(cpu);
  }
  return cpus;
}

/** @param {readonly number[]} cpus @returns {string} words of 32 processors, the highest first */
function cpuMask(cpus) {
  const words = Array.from({ length: Math.floor(Math.max(0, ...cpus) / BITS_PER_WORD) + 1 }, () => 0n);
  for (const cpu of cpus) words[Math.floor(cpu / BITS_PER_WORD)] |= 1n << BigInt(cpu % BITS_PER_WORD);
  const [top, ...rest] = words.reverse();
  return [top.toString(16), ...rest.map((word) => word.toString(16).padStart(BITS_PER_WORD / BITS_PER_DIGIT, '0'))].join(',');
}

/** @param {string} mask @returns {boolean} */
const isEmptyMask = (mask) => /^[0,\s]*$/.test(mask);

module.exports = { parseCpuList, cpuMask, isEmptyMask };
