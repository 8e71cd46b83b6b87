'use strict';

/**
 * @import { Result } from './suites'
 */

/**
 * @typedef {{ name: string, run: () => Promise<Result | Result[]> }} Task
 */

// Silence for longer looks like a hang.
const HEARTBEAT_MS = 20_000;

/**
 * Runs the tasks of a lane one after the other, the lanes side by side, and prints each result when
 * it is there.
 * @param {Task[][]} lanes
 * @returns {Promise<Result[]>}
 */
async function runLanes(lanes) {
  /** @type {Map<string, number>} */
  const running = new Map();
  const heartbeat = setInterval(() => console.log(`… ${underWay(running)}`), HEARTBEAT_MS);
  try {
    const results = await Promise.all(lanes.map((tasks) => inTurn(tasks, running)));
    return results.flat();
  } finally {
    clearInterval(heartbeat);
  }
}

/** @param {Task[]} tasks @param {Map<string, number>} running */
async function inTurn(tasks, running) {
  /** @type {Result[]} */
  const results = [];
  for (const { name, run } of tasks) {
    running.set(name, Date.now());
    const some = [await run()].flat();
    running.delete(name);
    some.forEach(print);
    results.push(...some);
  }
  return results;
}

/** @param {Map<string, number>} running */
function underWay(running) {
  return [...running]
    .map(([name, started]) => `${name} (${seconds(Date.now() - started)})`)
    .join(', ');
}

/** @param {Result} result */
function print({ name, passed, failed, skipped, ms, notes }) {
  const counts =
    [passed && `${passed} passed`, failed && `${failed} FAILED`, skipped && `${skipped} skipped`]
      .filter(Boolean)
      .join(', ') || 'nothing to do';
  console.log(`${name.padEnd(22)} ${seconds(ms).padStart(8)}  ${counts}`);
  for (const note of notes) console.log(note.replace(/^/gm, '    '));
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/**
 * The last line of a run: suites count their tests, every other check counts as one.
 * @param {Pick<Result, 'passed' | 'failed' | 'skipped'>[]} results
 * @returns {{ failed: number, line: string }}
 */
function total(results) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ what) =>
    results.reduce((all, result) => all + result[what], 0);
  const skipped = sum('skipped');
  return {
    failed: sum('failed'),
    line:
      `${sum('passed')} passed, ${sum('failed')} ` +
      `failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  };
}

module.exports = { runLanes, seconds, total };
