'use strict';

const path = require('node:path');
const { latest, numberIn, span, HostFileError } = require('../snapshot');
const { ifThere } = require('../process-files');
const { processorTimes, processorShares, onlineIn } = require('../cpus');
const { interfaceOf } = require('../traffic');

/**
 * @import { Area, Gathered } from '../snapshot'
 * @import { Interrupt, ReceiveQueue } from '../pure/host'
 */

/**
 * The network interface of MongoDB's traffic, and the CPUs that process it.
 * @type {Area}
 */
const AREA = {
  snap: (snapshot) => Promise.allSettled([processorTimes(snapshot), snapReceiving(snapshot)]),
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    /** @type {Promise<string> | undefined} */
    let found;
    const name = () => (found ??= interfaceOf(snapshot, subject));
    const file = async (/** @type {string} */ which) => `/sys/class/net/${await name()}/${which}`;
    return {
      'network.interface': name,
      'network.isPhysical': async () =>
        (await ifThere(snapshot.link(await file('device')))) !== null,
      'network.driver': async () => path.basename(await snapshot.link(await file('device/driver'))),
      // -1: the link is down, or the device reports no speed, as virtual ones do.
      'network.speedMbitPerSec': async () => {
        const speed = await numberIn(snapshot, await file('speed'));
        return speed > 0 ? speed : undefined;
      },
      'network.queues': async () => queuesIn(snapshot, await name()),
      'network.interrupts': async () => interruptsOf(snapshots, await name()),
      'network.packetsPerSec': async () => packetsPerSec(snapshots, await name()),
      'network.rpsSockFlowEntries': () =>
        numberIn(snapshot, '/proc/sys/net/core/rps_sock_flow_entries'),
      'network.softirqOfEach': async () =>
        [...(await processorShares(snapshots)).each.values()].map(({ softirq }) => softirq),
      'network.receivedOfEach': () => receivedOfEach(snapshots),
    };
  },
};

/**
 * Follows incoming packets: interrupts, the softirqs they raise, and the queues of the interface.
 */

const SOFTIRQS = '/proc/softirqs';
const INTERRUPTS = '/proc/interrupts';
const DEV = '/proc/net/dev';
// Interrupts of the same card that bring no packets: they report sent packets or its own events.
const OTHER_INTERRUPTS = /config|mgmnt|async|admin|control|output|[-_]tx[-.]?\d*$/i;

/**
 * Counts the packets that each CPU received.
 * @param {readonly Gathered[]} snapshots
 * @returns {Promise<number[]>} NET_RX per second, for each CPU that is online
 */
async function receivedOfEach(snapshots) {
  const [first, last, seconds] = span(snapshots);
  const [before, after] = [
    await interruptTable(first, SOFTIRQS),
    await interruptTable(last, SOFTIRQS),
  ];
  const count = (/** @type {typeof before} */ { cpus, rows }, /** @type {number} */ cpu) =>
    rows.get('NET_RX')?.counts[cpus.indexOf(cpu)] ?? NaN;
  const rates = (await onlineIn(last)).map(
    (cpu) => Math.max(0, count(after, cpu) - count(before, cpu)) / seconds,
  );
  if (rates.some(Number.isNaN)) throw new HostFileError(`${SOFTIRQS} counts no NET_RX`);
  return rates;
}

/**
 * Reads the counter of packets of an interface.
 * @param {Gathered} snapshot
 * @param {string} name the name of the interface
 * @returns {Promise<number>} packets received since start: proc_pid_net(5)
 */
async function packetsIn(snapshot, name) {
  const line = (await snapshot.text(DEV))
    .split('\n')
    .find((line) => line.trim().startsWith(`${name}:`));
  const packets = Number(
    line
      ?.slice(line.indexOf(':') + 1)
      .trim()
      .split(/\s+/)[1] ?? NaN,
  );
  if (Number.isNaN(packets)) throw new HostFileError(`${DEV} does not count ${name}`);
  return packets;
}

/**
 * Counts the packets that an interface received between two samples.
 * @param {readonly Gathered[]} snapshots
 * @param {string} name
 * @returns {Promise<number>}
 */
async function packetsPerSec(snapshots, name) {
  const [first, last, seconds] = span(snapshots);
  return Math.max(0, (await packetsIn(last, name)) - (await packetsIn(first, name))) / seconds;
}

/**
 * Reads the receive queues of an interface.
 * @param {Gathered} snapshot
 * @param {string} name
 * @returns {Promise<ReceiveQueue[]>}
 */
async function queuesIn(snapshot, name) {
  const folder = `/sys/class/net/${name}/queues`;
  const queues = (await snapshot.list(folder)).filter((queue) => queue.startsWith('rx-'));
  return Promise.all(
    queues
      .sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)))
      .map(async (queue) => {
        const [flows, cpus] = await Promise.all(
          ['rps_flow_cnt', 'rps_cpus'].map((file) =>
            ifThere(snapshot.text(`${folder}/${queue}/${file}`)),
          ),
        );
        return {
          name: queue,
          rpsFlowCnt: flows === null ? null : Number(flows),
          rpsCpus: cpus?.trim() ?? null,
        };
      }),
  );
}

/**
 * Reads the interrupts of an interface, and the CPUs that serve them.
 * @param {readonly Gathered[]} snapshots
 * @param {string} name
 * @returns {Promise<Interrupt[]>} those of its receive queues; drivers name them after the
 *   interface or the device
 */
async function interruptsOf(snapshots, name) {
  const snapshot = latest(snapshots);
  const device = await ifThere(snapshot.link(`/sys/class/net/${name}/device`));
  const words = [name, ...(device === null ? [] : [path.basename(device)])].map((word) =>
    word.replace(/[^\w]/g, '\\$&'),
  );
  const isOf = new RegExp(`(^|\\W)(${words.join('|')})(\\W|$)`);
  const rows = [...(await interruptTable(snapshot, INTERRUPTS)).rows].filter(
    ([irq, row]) => /^\d+$/.test(irq) && isOf.test(row.name) && !OTHER_INTERRUPTS.test(row.name),
  );
  return Promise.all(
    rows.map(async ([irq, row]) => ({
      irq: Number(irq),
      name: row.name.split(' ').slice(-1)[0],
      cpus: (await snapshot.text(`/proc/irq/${irq}/smp_affinity_list`)).trim(),
      effectiveCpus:
        (await ifThere(snapshot.text(`/proc/irq/${irq}/effective_affinity_list`)))?.trim() ?? null,
      perSec: await ratePerSec(snapshots, irq),
    })),
  );
}

/**
 * Computes how often an interrupt came between two samples.
 * @param {readonly Gathered[]} snapshots
 * @param {string} irq
 * @returns {Promise<number | null>} null where there is one sample
 */
async function ratePerSec(snapshots, irq) {
  if (snapshots.length < 2) return null;
  const [first, last, seconds] = span(snapshots);
  const [before, after] = [
    await interruptTable(first, INTERRUPTS),
    await interruptTable(last, INTERRUPTS),
  ].map(({ rows }) => rows.get(irq)?.counts.reduce((sum, n) => sum + n, 0) ?? 0);
  return Math.max(0, after - before) / seconds;
}

/** @param {Gathered} snapshot */
const snapReceiving = (snapshot) =>
  Promise.allSettled([SOFTIRQS, INTERRUPTS, DEV].map((file) => snapshot.text(file)));

/**
 * Reads /proc/interrupts and /proc/softirqs, which have a column for each CPU.
 * @typedef {{ cpus: number[], rows: Map<string, { counts: number[], name: string }> }}
 *   InterruptTable
 */

/**
 * Reads one of the two tables.
 * @param {Gathered} snapshot
 * @param {string} path
 * @returns {Promise<InterruptTable>}
 */
async function interruptTable(snapshot, path) {
  const [head, ...lines] = (await snapshot.text(path)).split('\n');
  const cpus = [...head.matchAll(/CPU(\d+)/g)].map(([, number]) => Number(number));
  if (cpus.length === 0) throw new HostFileError(`${path} has an unexpected format`);
  return { cpus, rows: new Map(lines.flatMap((line) => rowOf(line, cpus.length))) };
}

/**
 * Parses one line of such a table.
 * @param {string} line
 * @param {number} columns
 * @returns {[string, { counts: number[], name: string }][]} empty for a row with fewer counts (ERR,
 *   MIS), which belongs to no device
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

module.exports = AREA;
