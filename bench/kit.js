'use strict';

const fs = require('node:fs');

/** @param {readonly number[]} list */
function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return (sorted[Math.floor((list.length - 1) / 2)] + sorted[Math.ceil((list.length - 1) / 2)]) / 2;
}

/** The nearest rank. @param {number} percent @param {readonly number[]} list */
function percentile(percent, list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}

/** @param {() => Promise<unknown>} work @returns {Promise<number>} ms of wall time */
async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * CPU time of a whole process: the scheduler's own account, ns, summed over its threads.
 * @param {number} pid @returns {number} ms
 */
function cpuMs(pid) {
  const tasks = fs.readdirSync(`/proc/${pid}/task`);
  return (
    tasks.reduce(
      (total, task) => total + Number(readOr0(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0]),
      0,
    ) / 1e6
  );
}

/** A thread may end between the listing and the look. @param {string} file */
function readOr0(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (_gone) {
    return '0';
  }
}

/**
 * Of this process until now.
 * @returns {{ rssBytes: number, cpuSeconds: number }} `rssBytes`: the largest resident size it had
 */
function resources() {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return { rssBytes: maxRSS * 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
}

/**
 * A bench prints one line: what, the figure, the bar, whether it holds.
 * @param {{ name: string, value: number, bar: number, unit: string, how: string }} result
 */
function show({ name, value, bar, unit, how }) {
  const holds = value <= bar;
  console.log(
    `${holds ? 'ok  ' : 'MISS'}  ${name}: ${Number(value.toPrecision(3))} ${unit} (bar ` +
      `${bar} ${unit})  ${how}`,
  );
  return holds;
}

module.exports = { median, percentile, timed, cpuMs, resources, show };
