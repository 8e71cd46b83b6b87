'use strict';

const { parseCpuList } = require('./pure/host');
const { HostFileError, span } = require('./snapshot');
const { ifThere, serverFile, statusIn } = require('./process-files');

/**
 * @import { Gathered, Subject } from './snapshot'
 * @import { Governor } from './pure/host'
 */

const FOLDER = '/sys/devices/system/cpu';

/**
 * @param {Gathered} snapshot
 * @returns {Promise<number[]>} the numbers of the CPUs that are online
 */
const onlineIn = async (snapshot) =>
  [...(await processorTimes(snapshot)).each.keys()].sort((a, b) => a - b);

/**
 * Counts the cores of the CPUs.
 * @param {Gathered} snapshot
 * @returns {Promise<number>} threads of one core have the same list of siblings
 */
async function coresIn(snapshot) {
  const siblings = (/** @type {number} */ cpu) =>
    snapshot.text(`${FOLDER}/cpu${cpu}/topology/thread_siblings_list`);
  return new Set(await Promise.all((await onlineIn(snapshot)).map(siblings))).size;
}

/**
 * Finds the CPUs on which mongod may run.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<number[]>} their numbers
 */
async function allowedIn(snapshot, subject) {
  const path = serverFile(subject, 'status');
  const allowed = parseCpuList((await statusIn(snapshot, path)).Cpus_allowed_list ?? '');
  if (allowed === null || allowed.length === 0) throw new HostFileError(`${path} lists no CPUs`);
  return (await onlineIn(snapshot)).filter((cpu) => allowed.includes(cpu));
}

/**
 * Reads the frequency governor of each CPU, or of each group of CPUs.
 * @param {Gathered} snapshot
 * @returns {Promise<Governor[]>} empty where the system does not set the clock: in most virtual
 *   machines, on IBM Z
 */
async function governorsIn(snapshot) {
  const policies = ((await ifThere(snapshot.list(`${FOLDER}/cpufreq`))) ?? []).filter((name) =>
    /^policy\d+$/.test(name),
  );
  // Linux 3.10 has a governor for each CPU.
  const folders =
    policies.length > 0
      ? policies.map((name) => `${FOLDER}/cpufreq/${name}`)
      : (await onlineIn(snapshot)).map((cpu) => `${FOLDER}/cpu${cpu}/cpufreq`);
  const found = await Promise.all(
    folders.map(async (folder) => {
      const target = `${folder}/scaling_governor`;
      const text = await ifThere(snapshot.text(target));
      return text === null ? [] : [{ target, governor: text.trim() }];
    }),
  );
  return found.flat();
}

/**
 * Reads the driver that sets the frequency.
 * @param {Gathered} snapshot
 * @returns {Promise<string | undefined>} `intel_pstate`
 */
async function frequencyDriverIn(snapshot) {
  const [first] = await governorsIn(snapshot);
  return first && (await snapshot.text(first.target.replace(/governor$/, 'driver'))).trim();
}

const PATH = '/proc/stat';

/**
 * @typedef {{ busy: number, iowait: number, softirq: number, steal: number, total: number }} Times
 *   ticks since start, or shares of the time between two samples
 * @typedef {{ all: Times, each: Map<number, Times> }} Processors `each`: by number, only CPUs that
 *   are online
 */

/**
 * Reads the CPU times of the machine.
 * @param {Gathered} snapshot
 * @returns {Promise<Processors>} proc_stat(5)
 */
async function processorTimes(snapshot) {
  const lines = [...(await snapshot.text(PATH)).matchAll(/^cpu(\d*)((?: +\d+){8,})$/gm)];
  const rows = lines.map(
    ([, number, ticks]) =>
      /** @type {const} */ ([number, timesOf(ticks.trim().split(/ +/).map(Number))]),
  );
  const all = rows.find(([number]) => number === '')?.[1];
  if (all === undefined || rows.length < 2)
    throw new HostFileError(`${PATH} has an unexpected format`);
  return {
    all,
    each: new Map(
      rows.filter(([number]) => number !== '').map(([number, times]) => [Number(number), times]),
    ),
  };
}

/**
 * Parses one row of CPU times.
 * @param {readonly number[]} ticks user time already contains guest time
 * @returns {Times}
 */
function timesOf([user, nice, system, idle, iowait, irq, softirq, steal]) {
  const busy = user + nice + system + irq + softirq + steal;
  return { busy, iowait, softirq, steal, total: busy + idle + iowait };
}

/**
 * Computes how the CPUs spent the time between the first and the last sample.
 * @param {readonly Gathered[]} snapshots
 * @returns {Promise<Processors>} shares of that time
 */
async function processorShares(snapshots) {
  const [first, last] = span(snapshots);
  const [before, after] = [await processorTimes(first), await processorTimes(last)];
  const each = [...after.each].filter(([cpu]) => before.each.has(cpu)).sort(([a], [b]) => a - b);
  return {
    all: sharesOf(before.all, after.all),
    each: new Map(
      each.map(([cpu, times]) => [
        cpu,
        sharesOf(/** @type {Times} */ (before.each.get(cpu)), times),
      ]),
    ),
  };
}

/**
 * Computes the shares of the time between two rows.
 * @param {Times} before
 * @param {Times} after
 * @returns {Times}
 */
function sharesOf(before, after) {
  const total = after.total - before.total;
  // The kernel's iowait may shrink (proc_stat(5)); for a CPU that was offline meanwhile no time
  // passed.
  const share = (/** @type {'busy' | 'iowait' | 'softirq' | 'steal'} */ name) =>
    total <= 0 ? 0 : Math.min(1, Math.max(0, (after[name] - before[name]) / total));
  return {
    busy: share('busy'),
    iowait: share('iowait'),
    softirq: share('softirq'),
    steal: share('steal'),
    total,
  };
}

// IBM's machine types: /proc/cpuinfo has only their numbers.
const IBM_Z = Object.freeze(
  /** @type {Record<string, string>} */ ({
    2964: 'z13',
    2965: 'z13s',
    3906: 'z14',
    3907: 'z14 ZR1',
    8561: 'z15',
    8562: 'z15 T02',
    3931: 'z16',
    3932: 'z16 A02',
    9175: 'z17',
  }),
);
// Implementer and part of CPUs in servers (Linux, arch/arm64/include/asm/cputype.h).
const ARM = Object.freeze(
  /** @type {Record<string, string>} */ ({
    '0x41 0xd08': 'Cortex-A72',
    '0x41 0xd0c': 'Neoverse-N1',
    '0x41 0xd40': 'Neoverse-V1',
    '0x41 0xd49': 'Neoverse-N2',
    '0x41 0xd4f': 'Neoverse-V2',
    '0xc0 0xac3': 'Ampere-1',
    '0xc0 0xac4': 'Ampere-1A',
  }),
);

/**
 * Names the model of the CPU.
 * @param {string} cpuinfo of x86, ARM, s390x or POWER
 * @returns {string | undefined}
 */
function processorModel(cpuinfo) {
  const value = (/** @type {string} */ name) =>
    new RegExp(`^${name}\\s*:[ \\t]*(\\S.*?)\\s*$`, 'm').exec(cpuinfo)?.[1];
  const model = value('model name');
  if (model !== undefined) return model;
  if (isIbmZ(cpuinfo)) {
    const [, machine = '?'] = /machine = (\w+)/.exec(cpuinfo) ?? [];
    return `IBM ${IBM_Z[machine] ?? 'Z'} (machine ${machine})`;
  }
  const [implementer, part] = [value('CPU implementer'), value('CPU part')];
  if (implementer !== undefined && part !== undefined)
    return ARM[`${implementer} ${part}`] ?? `ARM (implementer ${implementer}, part ${part})`;
  return value('cpu');
}

/**
 * Whether this is IBM Z, the only big-endian architecture that mongod runs on.
 * @param {string} cpuinfo
 * @returns {boolean}
 */
const isIbmZ = (cpuinfo) => /^vendor_id\s*:\s*IBM\/S390/m.test(cpuinfo);

module.exports = {
  onlineIn,
  coresIn,
  allowedIn,
  governorsIn,
  frequencyDriverIn,
  processorTimes,
  processorShares,
  processorModel,
  isIbmZ,
};
