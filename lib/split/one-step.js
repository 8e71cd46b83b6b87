'use strict';

const { sleep } = require('../context');
const { TuneError } = require('../errors');
const { MAJORITY } = require('./server');

/**
 * Several commands as one step of the server, under its exclusive lock: nothing comes in between. Each is an applyOps of its own
 * inside of one: so the server asks of each alone whether the user may, where several in one list would need one who may do everything.
 *
 * @typedef {import('./work').Work} Work
 * @typedef {{ op: 'c', ns: string, o: Record<string, unknown> }} Op
 */

/** Milliseconds. While somebody waits for this lock every operation of the server waits behind. */
const HOLD_MS = 500;
/**
 * Milliseconds. What ends the step between two of its operations leaves the first one done. So it is sent only where the lock could be had a
 * moment ago, and its time is far longer than the operations can take; ours.
 */
const LIMIT_MS = 10_000;
const TRIES = 60;
const PAUSE_MS = 250;
const EXCEEDED_TIME_LIMIT = 50;
const NAMESPACE_NOT_FOUND = 26;
/** No collection has this name: nothing can happen to it. */
const NOBODYS = 'mongosh_tune_asks_whether_it_may';

/** @param {string} db @param {Record<string, unknown>} command @returns {Op} */
const operation = (db, command) => ({ op: 'c', ns: `${db}.$cmd`, o: command });

/** @param {readonly Op[]} operations @returns {Op[]} */
const eachAlone = (operations) => operations.map((one) => operation('admin', { applyOps: [one] }));

/** What finds nothing to do, once it has the lock. @param {string} db @returns {Op} */
const nothing = (db) => operation(db, { renameCollection: `${db}.${NOBODYS}`, to: `${db}.${NOBODYS}_either` });

/**
 * Does it until it is seen to be done.
 * @param {Work} work @param {{ db: string, name: string }} place
 * @param {{ isDone(): Promise<boolean>, step(): Promise<unknown>, meanwhile?(): Promise<unknown> }} what `meanwhile`: before each further try
 * @throws {TuneError} TUNE-35006
 */
async function untilDone(work, { db, name }, { isDone, step, meanwhile }) {
  for (let tries = 1; !await isDone(); tries += 1) {
    if (tries > TRIES) throw new TuneError('TUNE-35006', `${db}.${name} could not be locked in ${TRIES} tries of ${HOLD_MS} ms: a transaction or another long operation holds it.`, { value: `${db}.${name}` });
    if (tries > 1) {
      await sleep(PAUSE_MS, work.signal);
      await meanwhile?.();
    }
    // What became of it when its time was over is looked at, not guessed.
    if (await inTime(() => takeLock(work.port, db))) await inTime(step);
  }
}

/** @param {() => Promise<unknown>} doIt @returns {Promise<boolean>} false: its time was over */
async function inTime(doIt) {
  try {
    await doIt();
    return true;
  } catch (error) {
    if (/** @type {any} */ (error).code !== EXCEEDED_TIME_LIMIT) throw error;
    return false;
  }
}

/** Has the lock for a moment, and does nothing with it. @param {import('./server').Port} port @param {string} db */
async function takeLock(port, db) {
  try {
    await port.adminCommand({ applyOps: eachAlone([nothing(db)]), maxTimeMS: HOLD_MS });
  } catch (error) {
    // Some releases say so.
    if (/** @type {any} */ (error).code !== NAMESPACE_NOT_FOUND) throw error;
  }
}

/** @param {Work} work @param {readonly Op[]} operations */
const inOneStep = ({ port, split }, operations) => port.adminCommand({ applyOps: eachAlone(operations), maxTimeMS: LIMIT_MS, writeConcern: MAJORITY, comment: `mongosh-tune ${split._id}` });

module.exports = { operation, takeLock, untilDone, inOneStep, LIMIT_MS };
