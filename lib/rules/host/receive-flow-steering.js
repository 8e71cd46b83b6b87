'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { setSysctl, writeFile } = require('../fixes');
const { whole, many } = require('../../signals/words');

/**
 * @import { ReceiveQueue } from '../../host/pure/host'
 */

// Flows that are remembered, for all sockets together (IBM-Z step 5; the kernel's scaling.rst takes
// it for a server with moderate load).
const FLOW_ENTRIES = 32768;
// With fewer processors there are hardly any to move the work to; ours. It was measured on 24
// (IBM-Z).
const MIN_CPUS = 8;
// IBM-Z saw 15 to 18 % of the time in softirqs on the busy processors; below this there is little
// to be won. Ours.
const BUSY_RATIO = 0.1;
// A packet costs a few µs, so that this many are some percent of one processor; ours.
const MIN_PACKETS_PER_SEC = 10_000;
// The processors that receive this share of all packets, and how many of all processors they may
// be, for the work to count as gathered on few; ours. IBM-Z: 8 of 24.
const MOST_OF_IT = 0.9;
const FEW_RATIO = 0.5;

module.exports = defineHostRule({
  id: 'receive-flow-steering',
  area: 'host',
  title: 'Whether packets are worked on where mongod waits for them',
  why:
    'The processors that get the interrupts of the network card also do the work of TCP for ' +
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
    `most ${whole(FEW_RATIO)} of the processors receive ${whole(MOST_OF_IT)} of the packets; ` +
    `from ${MIN_CPUS} processors and ${count(MIN_PACKETS_PER_SEC)} packets a second on, ` +
    'and with fewer receive queues than processors.',
  source:
    'IBM-Z step 5 (software interrupts sat on 8 of 24 processors); kernel documentation, ' +
    'networking/scaling.rst',
  advice: 'Turn on Receive Flow Steering for every receive queue of the interface.',
  whenNot:
    'Where the card has a queue for each processor, the host has few processors, there is ' +
    'little traffic, or softirqs are spread already. On loopback. A bond or bridge has ' +
    'queues of its own: look at the interface below it (option "interface").',
  check(values) {
    const {
      'network.interface': name,
      'network.isPhysical': isPhysical,
      'network.queues': queues,
      'network.rpsSockFlowEntries': entries = NaN,
      'cpu.logical': cpus,
      'network.packetsPerSec': packets,
    } = values;
    const [busiest, carriers] = [
      Math.max(...values['network.softirqOfEach']),
      carriersOf(values['network.receivedOfEach']),
    ];
    const evidence = {
      'network.interface': name,
      queues: queues.length,
      'network.packetsPerSec': Math.round(packets),
      busiestSoftirqRatio: busiest,
      receivingCpus: carriers,
      'cpu.logical': cpus,
    };
    const because = whyNot({ name, isPhysical, queues, entries, cpus, packets, busiest, carriers });
    if (because !== null) return { status: 'ok', say: `${because}.`, evidence };
    if (!isPhysical)
      return {
        status: 'info',
        say:
          `Interface ${name} is virtual, and a processor spends ${percent(busiest)} of its ` +
          'time in softirqs: packets are spread at the interface below it.',
        evidence,
        advice: 'Look at that one: tune.host({ interface: "its name" }).',
      };
    return {
      status: 'info',
      evidence,
      say:
        `${whole(MOST_OF_IT)} of the packets of ${name} are received on ${carriers} of ${cpus} ` +
        `processors, of which the busiest spends ${percent(busiest)} of its time in softirqs.`,
      advice:
        `Turn on Receive Flow Steering: ${count(FLOW_ENTRIES)} flows in all, ` +
        `${count(flowsOfOne(queues.length))} for each of the ` +
        `${many(queues.length, 'receive queue')} of ${name}.`,
      fixes: fixesFor(name, queues, entries),
    };
  },
});

/**
 * The first reason for which there is nothing to steer, or it is steered already.
 * @param {{
 *   name: string, isPhysical: boolean, queues: readonly ReceiveQueue[], entries: number,
 *   cpus: number, packets: number, busiest: number, carriers: number
 * }} traffic
 * @returns {string | null}
 */
function whyNot({ name, isPhysical, queues, entries, cpus, packets, busiest, carriers }) {
  const reasons = /** @type {[boolean, string][]} */ ([
    [
      name === 'lo',
      'All clients are on this machine: packets never leave it, and there is nothing to steer',
    ],
    // A container does not see it, and some kernels are built without.
    [Number.isNaN(entries), 'The kernel shows no Receive Flow Steering here'],
    [
      entries > 0 && queues.every(({ rpsFlowCnt }) => (rpsFlowCnt ?? 0) > 0),
      `Receive Flow Steering is on for ${many(queues.length, 'receive queue')} of ${name}`,
    ],
    [
      isPhysical && queues.length >= cpus,
      `Interface ${name} has ${many(queues.length, 'receive queue')} for ` +
        `${many(cpus, 'processor')}: nothing to spread further`,
    ],
    [cpus < MIN_CPUS, `With ${many(cpus, 'processor')} there are none to spread packets to`],
    [
      packets < MIN_PACKETS_PER_SEC,
      `Interface ${name} receives ${count(packets)} packets a second: too few to matter`,
    ],
    [
      busiest < BUSY_RATIO,
      `No processor spends more than ${percent(busiest)} of its time in softirqs`,
    ],
    [carriers > FEW_RATIO * cpus, `Packets are spread over ${carriers} of ${cpus} processors`],
  ]);
  return reasons.find(([holds]) => holds)?.[1] ?? null;
}

/**
 * @param {readonly number[]} rates
 * @returns {number} how many processors, the busiest first, receive most of it
 */
function carriersOf(rates) {
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
