'use strict';

const { saveSplit } = require('./state');
const { retrying } = require('./retry');
const { interrupted } = require('../context');

/**
 * One split under way in this shell.
 * @typedef {import('./state').Split} Split
 * @typedef {{
 *   port: import('./server').Port, signal: AbortSignal, split: Split, lease: import('./lease').Lease,
 *   say(text: string): void, save(changes: Partial<Split>): Promise<void>, safePoint(): void, again<T>(work: () => Promise<T>): Promise<T>
 * }} Work `safePoint`: goes no further after Ctrl-C or without the lease; `again`: once more after a fault that passes
 */

/**
 * @param {{ port: import('./server').Port, signal: AbortSignal, progress(text: string | null): void }} ctx
 * @param {Split} split @param {import('./lease').Lease} lease
 * @returns {Work}
 */
function startWork({ port, signal, progress }, split, lease) {
  /** @type {Work} */
  const work = {
    port, signal, split, lease,
    say: (text) => progress(`${work.split.source}  ${text}`),
    safePoint() {
      if (signal.aborted) throw interrupted();
      lease.check();
    },
    again: (doIt) => retrying(signal, () => {
      lease.check();
      return doIt();
    }),
    save: async (changes) => { work.split = await work.again(() => saveSplit(port, work.split, lease.owner, changes)); },
  };
  return work;
}

module.exports = { startWork };
