'use strict';

const { makeStream, POSITION_FIELDS, MAX, MAX_BYTES } = require('./stream');
const { keyOf } = require('./ids');

/**
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 */

/**
 * @typedef {{ ids: Id[], gone: Id[], time: any, token: any }} Noted the changes that are still to
 *   be applied, and the position of the stream after them; `time`: of the last event, null: there
 *   was none
 */

/**
 * Reads change events while $out runs. They cannot be applied yet, so their ids stay in memory.
 * Passing the copy's own oplog entries takes half as long as the copy, and is done meanwhile. If
 * the shell dies, the next one starts at `startAt`.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {{ stop(): Promise<void> }} it leaves the changes in `job.noted`
 */
function readAhead(job, direction) {
  const noted = {
    bytes: 0,
    ids: new Map(),
    gone: new Map(),
    time: null,
    token: job.split[POSITION_FIELDS[direction.way].token],
  };
  const stream = makeStream(job, direction, { token: () => noted.token, now: Date.now });
  const state = { over: false };
  const reading = (async () => {
    while (!state.over && noted.ids.size < MAX && noted.bytes < MAX_BYTES) {
      const batch = await job.again(stream.next);
      for (const id of batch.ids) noted.ids.set(keyOf(id), id);
      noted.bytes += batch.bytes;
      for (const id of batch.gone) noted.gone.set(keyOf(id), id);
      Object.assign(noted, { time: batch.time ?? noted.time, token: batch.token ?? noted.token });
    }
    // The next catch-up meets the same fault, and reports it.
  })().catch(() => undefined);
  return {
    async stop() {
      state.over = true;
      await reading;
      await stream.close();
      const { ids, gone, time, token } = noted;
      job.readAhead({ ids: [...ids.values()], gone: [...gone.values()], time, token });
    },
  };
}

module.exports = { readAhead };
