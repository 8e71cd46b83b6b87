'use strict';

const { runAtomicStep } = require('./atomic-step');
const { isThere } = require('./operations');
const { NEVER_SECONDS, expireAfter, isStillOff, readTtl } = require('./ttl');
const { isInPlace } = require('./where-it-stands');

/**
 * @import { Direction } from './directions'
 * @import { SplitJob } from './split-job'
 */

/**
 * Who undoes a cut by hand gives the collection its name, and not the expiry that the cut switched
 * off.
 * @param {SplitJob} job
 * @param {Direction} direction of the cut
 */
async function giveExpiryBack(job, { way, from }) {
  const { port } = job;
  const ttl = (job.split.ttl?.[way] ?? []).filter(
    ({ expireAfterSeconds }) => expireAfterSeconds !== NEVER_SECONDS,
  );
  if (ttl.length === 0) return;
  const isOff = async () => (await isInPlace(port, from)) && (await isStillOff(port, from, ttl));
  if (!(await job.again(isOff))) return;
  await runAtomicStep(job, {
    place: from,
    touches: [from],
    isDone: async () => !(await isOff()),
    operations: async () => {
      const now = await readTtl(port, from);
      const off = ttl.filter(({ name }) =>
        now.some((one) => one.name === name && one.expireAfterSeconds === NEVER_SECONDS),
      );
      return [isThere(from), ...off.map((one) => expireAfter(from, one))];
    },
    pinned: async () => [from],
  });
}

module.exports = { giveExpiryBack };
