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
} = require('../receiving');

/**
 * The interface of MongoDB's traffic, and the processors that work for it.
 * @type {import('../part').Area}
 */
const AREA = {
  snap: (look) => Promise.allSettled([processorTimes(look), snapReceiving(look)]),
  values(looks, subject) {
    const look = latest(looks);
    /** @type {Promise<string> | undefined} */
    let found;
    const name = () => (found ??= interfaceOf(look, subject));
    const file = async (/** @type {string} */ which) => `/sys/class/net/${await name()}/${which}`;
    return {
      'network.interface': name,
      'network.isPhysical': async () => (await ifThere(look.link(await file('device')))) !== null,
      'network.driver': async () => path.basename(await look.link(await file('device/driver'))),
      // -1: the link is down, or the device knows no speed, as virtual ones.
      'network.speedMbitPerSec': async () => {
        const speed = await numberIn(look, await file('speed'));
        return speed > 0 ? speed : undefined;
      },
      'network.queues': async () => queuesIn(look, await name()),
      'network.interrupts': async () => interruptsOf(looks, await name()),
      'network.packetsPerSec': async () => packetsPerSec(looks, await name()),
      'network.rpsSockFlowEntries': () =>
        numberIn(look, '/proc/sys/net/core/rps_sock_flow_entries'),
      'network.softirqOfEach': async () =>
        [...(await processorShares(looks)).each.values()].map(({ softirq }) => softirq),
      'network.receivedOfEach': () => receivedOfEach(looks),
    };
  },
};

module.exports = AREA;
