'use strict';

const { count, percent, many, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl, writeFile } = require('../fixes');
const { sources, kernel, S390X } = require('../sources');

/**
 * @import { ReceiveQueue } from '../../host/pure/host'
 */

// Flows that are remembered, for all sockets together (one s390x test; the kernel's scaling.rst takes
// it for a server with moderate load).
const FLOW_ENTRIES = 32768;
// With fewer CPUs there are hardly any to move the work to; heuristic. It was measured on
// 24.
const MIN_CPUS = 8;
// One s390x test saw 15 to 18% of the time in softirqs on the busy CPUs; below this there is little
// to be won. Heuristic.
const BUSY_RATIO = 0.1;
// A packet costs a few µs, so that this many are some percent of one CPU; heuristic.
const MIN_PACKETS_PER_SEC = 10_000;
// The CPUs that receive this share of all packets, and how many of all CPUs they may
// be, for the work to count as gathered on few; heuristic. One s390x test: 8 of 24.
const MOST_OF_IT = 0.9;
const FEW_RATIO = 0.5;

module.exports = defineHostRule({
  id: 'host-receive-flow-steering',
  title: 'Network interrupts concentrated on few CPUs',
  why:
    'CPUs that receive network interrupts also do the TCP work for each packet: a few are busy ' +
    'with softirqs while others idle. Receive Flow Steering moves that work to the CPU of the ' +
    'reading thread, where the data is cached as well.',
  needs: [
    'network.interface',
    'network.isPhysical',
    'network.queues',
    'network.packetsPerSec',
    'network.softirqOfEach',
    'network.receivedOfEach',
    'cpu.logical',
  ],
  wants: ['network.rpsSockFlowEntries'],
  threshold:
    `Information: a CPU spends ${shortPercent(BUSY_RATIO)} of its time in softirqs, and at most ` +
    `${shortPercent(FEW_RATIO)} of the CPUs receive ${shortPercent(MOST_OF_IT)} of the packets. Only from ` +
    `${MIN_CPUS} CPUs and ${count(MIN_PACKETS_PER_SEC)} packets/s, with fewer receive queues ` +
    'than CPUs.',
  source: sources(
    S390X + ': 8 of 24 CPUs received the packets',
    kernel('Receive Flow Steering', 'networking/scaling'),
    'the thresholds are heuristics',
  ),
  advice: 'Enable Receive Flow Steering for every receive queue of the interface.',
  whenNot:
    'Not with a queue for each CPU, few CPUs, little traffic, evenly spread softirqs, or ' +
    'loopback. For a bond or bridge, check the physical interface (option "interface").',
  check(host) {
    const {
      'network.interface': name,
      'network.isPhysical': isPhysical,
      'network.queues': queues,
      'network.rpsSockFlowEntries': entries = null,
      'cpu.logical': cpus,
      'network.packetsPerSec': packetsPerSec,
    } = host;
    const softirqRatio = Math.max(...host['network.softirqOfEach']);
    const receivingCpus = receivingCpusOf(host['network.receivedOfEach']);
    const evidence = {
      'network.interface': name,
      queues: queues.length,
      'network.packetsPerSec': Math.round(packetsPerSec),
      busiestSoftirqRatio: softirqRatio,
      receivingCpus,
      'cpu.logical': cpus,
    };
    const values = {
      name,
      queues: queues.length,
      cpus,
      packetsPerSec,
      softirqRatio,
      receivingCpus,
    };
    const calm = nothingToSteer(values, { isPhysical, entries, all: queues });
    if (calm !== null) return { status: 'ok', code: calm, values, evidence };
    if (!isPhysical) return { status: 'info', code: 'virtual', values, evidence };
    const fixes = fixesFor(name, queues, entries ?? 0);
    return { status: 'info', code: 'on-few-cpus', values, evidence, fixes };
  },
  messages: {
    loopback: () => 'Not applicable: all clients are on this machine.',
    'not-offered': () => 'Not applicable: the kernel offers no Receive Flow Steering here.',
    on: ({ name, queues }) =>
      `Receive Flow Steering is enabled for ${many(queues, 'receive queue')} of ${name}.`,
    'queue-for-each-cpu': ({ name, queues, cpus }) =>
      `${name} has ${many(queues, 'receive queue')} for ${many(cpus, 'CPU')}: already spread.`,
    'few-cpus': ({ cpus }) => `${many(cpus, 'CPU')}: too few to spread packets.`,
    'little-traffic': ({ name, packetsPerSec }) =>
      `${name} receives ${count(packetsPerSec)} packets/s: too few to matter.`,
    'idle-cpus': ({ softirqRatio }) =>
      `No CPU spends more than ${percent(softirqRatio)} of its time in softirqs.`,
    spread: ({ receivingCpus, cpus }) =>
      `Packets are spread over ${receivingCpus} of ${cpus} CPUs.`,
    virtual: ({ name, softirqRatio }) =>
      `${name} is virtual, and a CPU spends ${percent(softirqRatio)} of its time in softirqs: ` +
      'packets are spread at the physical interface.',
    'on-few-cpus': ({ name, receivingCpus, cpus, softirqRatio }) =>
      `${receivingCpus} of ${cpus} CPUs receive ${shortPercent(MOST_OF_IT)} of the packets of ` +
      `${name}; the busiest spends ${percent(softirqRatio)} of its time in softirqs.`,
  },
  adviceFor: {
    virtual: () => 'Check the physical interface: tune.host({ interface: "<name>" }).',
    'on-few-cpus': ({ name, queues }) =>
      `Enable Receive Flow Steering: ${count(FLOW_ENTRIES)} flows in total, ` +
      `${count(flowsOfOne(queues))} for each of the ${many(queues, 'receive queue')} of ${name}.`,
  },
});

/**
 * The first reason for which there is nothing to steer, or it is steered already.
 * @param {Record<'queues' | 'cpus' | 'packetsPerSec' | 'softirqRatio' | 'receivingCpus', number> &
 *   { name: string }} values
 * @param {{ isPhysical: boolean, entries: number | null, all: readonly ReceiveQueue[] }} steering
 *   `entries`: null where a container or the kernel does not show them
 */
function nothingToSteer(values, { isPhysical, entries, all }) {
  const { name, queues, cpus, packetsPerSec, softirqRatio, receivingCpus } = values;
  const isOn = (entries ?? 0) > 0 && all.every(({ rpsFlowCnt }) => (rpsFlowCnt ?? 0) > 0);
  const reasons = /** @type {const} */ ([
    ['loopback', name === 'lo'],
    ['not-offered', entries === null],
    ['on', isOn],
    ['queue-for-each-cpu', isPhysical && queues >= cpus],
    ['few-cpus', cpus < MIN_CPUS],
    ['little-traffic', packetsPerSec < MIN_PACKETS_PER_SEC],
    ['idle-cpus', softirqRatio < BUSY_RATIO],
    ['spread', receivingCpus > FEW_RATIO * cpus],
  ]);
  return reasons.find(([, holds]) => holds)?.[0] ?? null;
}

/**
 * @param {readonly number[]} rates
 * @returns {number} how many CPUs, the busiest first, receive most of it
 */
function receivingCpusOf(rates) {
  const wanted = MOST_OF_IT * rates.reduce((sum, rate) => sum + rate, 0);
  let sofar = 0;
  return [...rates].sort((a, b) => b - a).findIndex((rate) => (sofar += rate) >= wanted) + 1;
}

/** The kernel rounds up to a power of two as well. @param {number} queues @returns {number} */
const flowsOfOne = (queues) => 2 ** Math.ceil(Math.log2(FLOW_ENTRIES / queues));

/**
 * rps_cpus stays: without it the kernel steers what belongs to a known flow, and leaves the rest
 * where the card put it.
 * @param {string} name
 * @param {readonly ReceiveQueue[]} queues
 * @param {number} entries
 */
function fixesFor(name, queues, entries) {
  const wanted = flowsOfOne(queues.length);
  return [
    ...(entries >= FLOW_ENTRIES
      ? []
      : [setSysctl('net.core.rps_sock_flow_entries', FLOW_ENTRIES, entries)]),
    ...queues.flatMap(({ name: queue, rpsFlowCnt }) =>
      rpsFlowCnt === null || rpsFlowCnt >= wanted
        ? []
        : [writeFile(`/sys/class/net/${name}/queues/${queue}/rps_flow_cnt`, wanted, rpsFlowCnt)],
    ),
  ];
}
