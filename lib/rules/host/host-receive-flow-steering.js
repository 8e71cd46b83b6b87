'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl, writeFile } = require('../fixes');
const { whole, many } = require('../../signals/words');

/**
 * @import { ReceiveQueue } from '../../host/pure/host'
 */

// Flows that are remembered, for all sockets together (IBM-Z step 5; the kernel's scaling.rst takes
// it for a server with moderate load).
const FLOW_ENTRIES = 32768;
// With fewer CPUs there are hardly any to move the work to; heuristic. It was measured on 24
// (IBM-Z).
const MIN_CPUS = 8;
// IBM-Z saw 15 to 18% of the time in softirqs on the busy CPUs; below this there is little
// to be won. Heuristic.
const BUSY_RATIO = 0.1;
// A packet costs a few µs, so that this many are some percent of one processor; heuristic.
const MIN_PACKETS_PER_SEC = 10_000;
// The CPUs that receive this share of all packets, and how many of all CPUs they may
// be, for the work to count as gathered on few; heuristic. IBM-Z: 8 of 24.
const MOST_OF_IT = 0.9;
const FEW_RATIO = 0.5;

module.exports = defineHostRule({
  id: 'host-receive-flow-steering',
  title: 'Network interrupts concentrated on few CPUs',
  why:
    'The CPUs that get the interrupts of the network card also do the work of TCP for ' +
    'every packet, so that a few of them are busy with softirqs while the others wait. Receive ' +
    'Flow Steering hands a packet to the processor on which the thread that reads it runs: the ' +
    'work is spread, and the data is in the right cache.',
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
    `Information when a processor spends ${whole(BUSY_RATIO)} of its time in softirqs while at ` +
    `most ${whole(FEW_RATIO)} of the CPUs receive ${whole(MOST_OF_IT)} of the packets; ` +
    `from ${MIN_CPUS} CPUs and ${count(MIN_PACKETS_PER_SEC)} packets a second on, ` +
    'and with fewer receive queues than CPUs.',
  source:
    'IBM-Z step 5 (software interrupts sat on 8 of 24 CPUs); kernel documentation, ' +
    'networking/scaling.rst',
  advice: 'Turn on Receive Flow Steering for every receive queue of the interface.',
  whenNot:
    'Where the card has a queue for each processor, the host has few CPUs, there is ' +
    'little traffic, or softirqs are spread already. On loopback. A bond or bridge has ' +
    'queues of its own: look at the interface below it (option "interface").',
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
    loopback: () =>
      'All clients are on this machine: packets never leave it, and there is nothing to steer.',
    'not-offered': () => 'The kernel shows no Receive Flow Steering here.',
    on: ({ name, queues }) =>
      `Receive Flow Steering is on for ${many(queues, 'receive queue')} of ${name}.`,
    'queue-for-each-cpu': ({ name, queues, cpus }) =>
      `Interface ${name} has ${many(queues, 'receive queue')} for ${many(cpus, 'CPU')}: ` +
      'nothing to spread further.',
    'few-cpus': ({ cpus }) => `With ${many(cpus, 'CPU')} there are none to spread packets to.`,
    'little-traffic': ({ name, packetsPerSec }) =>
      `Interface ${name} receives ${count(packetsPerSec)} packets a second: too few to matter.`,
    'idle-cpus': ({ softirqRatio }) =>
      `No processor spends more than ${percent(softirqRatio)} of its time in softirqs.`,
    spread: ({ receivingCpus, cpus }) =>
      `Packets are spread over ${receivingCpus} of ${cpus} CPUs.`,
    virtual: ({ name, softirqRatio }) =>
      `Interface ${name} is virtual, and a processor spends ${percent(softirqRatio)} of its ` +
      'time in softirqs: packets are spread at the interface below it.',
    'on-few-cpus': ({ name, receivingCpus, cpus, softirqRatio }) =>
      `${whole(MOST_OF_IT)} of the packets of ${name} are received on ${receivingCpus} of ` +
      `${cpus} CPUs, of which the busiest spends ${percent(softirqRatio)} of its time in ` +
      'softirqs.',
  },
  adviceFor: {
    virtual: () => 'Look at that one: tune.host({ interface: "its name" }).',
    'on-few-cpus': ({ name, queues }) =>
      `Turn on Receive Flow Steering: ${count(FLOW_ENTRIES)} flows in all, ` +
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
