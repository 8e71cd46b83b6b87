'use strict';

const { sleep } = require('../base/context');

/**
 * @import { SplitJob } from './split-job'
 */

const POLL_EVERY_MS = 100;
/** Milliseconds. The server checks for a kill many times a second; only a lock delays it. */
const PATIENCE_MS = 30_000;

/**
 * Ends what an earlier shell left running for this split, and waits until it is over: it would only
 * cost time and disk. A user may always end their own operations. An index build goes on, and
 * building it again only waits for it. A step (atomic-step.js) must not end between its operations, so it
 * is left alone.
 * @param {SplitJob} job
 */
async function killOwnOperations({ port, split, signal }) {
  const { into, _id } = split;
  const pipeline = [
    { $currentOp: { allUsers: false } },
    {
      $match: {
        'command.createIndexes': { $exists: false },
        $or: [
          { 'command.comment': `mongosh-tune ${_id}` },
          { ns: `${into.db}.${into.stagingName}`, op: { $in: ['remove', 'update', 'insert'] } },
        ],
      },
    },
    { $project: { opid: 1 } },
  ];
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    const { cursor } = await port.adminCommand({ aggregate: 1, pipeline, cursor: {} });
    if (cursor.firstBatch.length === 0) return;
    for (const { opid } of cursor.firstBatch) await port.adminCommand({ killOp: 1, op: opid });
    await sleep(POLL_EVERY_MS, signal.aborted ? new AbortController().signal : signal);
  }
}

module.exports = { killOwnOperations };
