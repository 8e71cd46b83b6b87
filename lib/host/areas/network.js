'use strict';

const path = require('node:path');
const { latest, numberIn } = require('../part');
const { ifThere } = require('../process-files');
const { processorTimes, processorShares } = require('../processor-times');
const { interfaceOf } = require('../traffic');
const {
  receivedOfEach,
  packetsPerSec,
  queuesIn,
  interruptsOf,
  snapReceiving,
} = require('../packet-receive');

/**
 * @import { Area } from '../part'
 */

/**
 * The interface of MongoDB's traffic, and the processors that work for it.
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
      // -1: the link is down, or the device knows no speed, as virtual ones.
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

module.exports = AREA;
