'use strict';

const { sleep } = require('../base/context');
const { PATIENCE_MS } = require('./retry');
const { BLOCKED } = require('./blocked-names');
const { recover } = require('./recover');
const { InDoubt, silent } = require('./work');

/**
 * @import { Work } from './work'
 */

/**
 * Connections that break so often in a row do it for a reason, such as a proxy that ends each after
 * a minute; ours.
 */
const MAX_DOUBTS = 5;
const EXCEEDED_TIME_LIMIT = 50;
const PAUSE_MS = 500;
/**
 * Begins anew, as another shell would, where nobody knows what became of a write: what is written
 * down says where.
 * @param {Work} work
 * @param {() => Promise<void>} doIt which begins by what is written down
 */
async function persist(work, doIt) {
  const until = Date.now() + PATIENCE_MS;
  for (let doubts = 0; ;) {
    try {
      if (work.doubt) await recover(work);
      return await doIt();
    } catch (error) {
      if (error instanceof InDoubt) doubts = doubted(work, error, doubts);
      else if (isSlowMajority(work, error) && Date.now() < until)
        await sleep(PAUSE_MS, work.signal);
      else throw error;
    }
  }
}

/**
 * @param {Work} work
 * @param {InDoubt} error
 * @param {number} doubts
 * @returns {number} those there were
 */
function doubted(work, { cause }, doubts) {
  work.doubt = cause;
  if (doubts === MAX_DOUBTS) throw silent(work.split, cause);
  return doubts + 1;
}

/** Where neither name takes writes it is waited for. @param {Work} work @param {any} error */
const isSlowMajority = ({ split }, error) =>
  error?.code === EXCEEDED_TIME_LIMIT && BLOCKED.online.includes(split.phase);

module.exports = { persist };
