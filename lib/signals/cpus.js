'use strict';

const { percent } = require('../base/pure/units');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Judges how busy the CPUs are: by mongod, and, where its diagnostic data has it, by everything on
 * the machine.
 */

// Share of all CPUs that mongod alone must keep busy to be limited by them; beside it there
// are the system and, often, the client (heuristic).
const BUSY_RATIO = 0.8;
// Share of the machine's CPUs that is busy with anything at all (heuristic); a closed loop on a
// full machine was seen at 99% (docs/evidence/machine.md).
const FULL_RATIO = 0.9;
// Where other programs fill the machine and mongod has less than this share, the cause of a wait is
// uncertain (heuristic).
const MIN_PART = 0.25;
// Seconds: a shorter window is one moment of the machine.
const MIN_SECONDS = 2.5;
// Share of CPU time taken by other virtual machines that is reported (heuristic).
const STEAL_RATIO = 0.1;

/** @param {Metrics} metrics @returns {boolean} known to be full, by whomever */
const isMachineFull = ({ 'cpu.busyRatio': busy = 0, 'diagnostics.seconds': seconds = 0 }) =>
  busy >= FULL_RATIO && seconds >= MIN_SECONDS;

/**
 * @param {Metrics} metrics
 * @returns {number} share of the CPUs that mongod keeps busy: of those it may use, where it
 *   is kept off the others
 */
const ownRatio = ({ 'process.cpuRatio': own = 0, 'process.allowedRatio': allowed = 0 }) =>
  Math.max(own, allowed);

/**
 * @param {Metrics} metrics
 * @returns {boolean} mongod alone is known to keep the CPUs busy
 */
const isCpuBusy = (metrics) => ownRatio(metrics) >= BUSY_RATIO;

/**
 * Other programs fill the machine, and mongod has to share it. Unknown is not a small share.
 * @param {Metrics} metrics
 * @returns {boolean}
 */
const isMachineShared = (metrics) =>
  isMachineFull(metrics) &&
  !isCpuBusy(metrics) &&
  (metrics['process.machineRatio'] ?? metrics['process.cpuRatio'] ?? 1) >= MIN_PART;

/**
 * Computes mongod's share of the CPUs. With an unknown number of CPUs it assumes one: a small share
 * of one CPU is a small share of all.
 * @param {Metrics} metrics
 * @param {number} small
 * @returns {number | undefined} mongod's share, or an upper bound of it
 */
const ownRatioAtMost = ({ 'process.cpuRatio': own, 'process.cpuCores': cores }, small) =>
  own ?? (cores !== undefined && cores <= small ? cores : undefined);

/**
 * @param {Metrics} metrics
 * @returns {number | undefined} share of the CPUs that is busy, the larger of what is known
 */
function busyRatio({ 'process.cpuRatio': own, 'cpu.busyRatio': all }) {
  return own === undefined ? all : Math.max(own, all ?? 0);
}

/** @param {Metrics} metrics @returns {string} for the end of a sentence */
function busyWords({
  'process.cpuRatio': allowed,
  'process.machineRatio': own = allowed,
  'cpu.busyRatio': all,
}) {
  if (all === undefined || (own !== undefined && own >= all))
    return `mongod uses ${percent(own)} of CPU time`;
  return (
    `${percent(all)} of the machine's CPU time is used` +
    `${own === undefined ? '' : `, ${percent(own)} by mongod`}`
  );
}

/**
 * Explains why the CPUs do not limit mongod: it does not use them, whether or not others do.
 * @param {Metrics} metrics
 * @returns {string} the end of a sentence
 */
function notBusyWords(metrics) {
  const {
    'process.cpuRatio': allowed,
    'process.machineRatio': own = allowed,
    'cpu.busyRatio': all = 0,
  } = metrics;
  if (own === undefined || all < FULL_RATIO || own >= all) return busyWords(metrics);
  const others = percent(Math.min(1, all) - own);
  return `mongod uses ${percent(own)} of CPU time, others ${others} (run top)`;
}

module.exports = {
  BUSY_RATIO,
  FULL_RATIO,
  STEAL_RATIO,
  ownRatio,
  isCpuBusy,
  isMachineFull,
  ownRatioAtMost,
  isMachineShared,
  busyRatio,
  busyWords,
  notBusyWords,
};
