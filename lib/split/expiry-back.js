'use strict';

const { runAtomicStep } = require('./atomic-step');
const { isThere } = require('./operations');
const { expireAfter, stillOff } = require('./ttl');
const { isInPlace } = require('./where-it-stands');

/**
 * @import { Direction } from './directions'
 * @import { SplitJob } from './split-job'
 */

/**
 * Restores the expiry that a cut switched off: a person who undoes the cut by hand gives the
 * collection its name, but not its expiry.
 * @param {SplitJob} job
 * @param {Direction} direction the direction of the cut
 */
async function giveExpiryBack(job, { way, from }) {
  const { port } = job;
  const ttl = job.split.ttl?.[way] ?? [];
  if (ttl.length === 0) return;
  const off = async () => ((await isInPlace(port, from)) ? stillOff(port, from, ttl) : []);
  if ((await job.again(off)).length === 0) return;
  await runAtomicStep(job, {
    place: from,
    touches: [from],
    isDone: async () => (await off()).length === 0,
    operations: async () => [
      isThere(from),
      ...(await stillOff(port, from, ttl)).map((one) => expireAfter(from, one)),
    ],
    pinned: async () => [from],
  });
}

module.exports = { giveExpiryBack };
