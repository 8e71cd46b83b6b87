'use strict';

const crypto = require('node:crypto');
const {
  COMMAND_NOT_FOUND,
  DUPLICATE_KEY,
  MAX_TIME_MS_EXPIRED,
  INVALID_OPTIONS,
  NAMESPACE_NOT_FOUND,
  UNAUTHORIZED,
} = require('../base/pure/server-codes');
const { sleep } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const { findCollection, write } = require('./server');
const { command, isNoCollection, isThere } = require('./operations');
const { newPermit, usePermit, withdrawPermit } = require('./permit');
const { isPassing, retrying } = require('./retry');
const { HOLD_MS, askForBuckets, proven, runOperations, probeLock } = require('./server-lock');

/**
 * @import { Op } from './operations'
 * @import { Port } from './server'
 */

/**
 * Checks whether this server and this user do what every step of a split needs: it is tried with
 * collections without meaning, before anything is copied. A release that refuses a part of it, or
 * lets a part of it pass, is found here and not between the cut and the new name's first answer.
 */

/** Number of tries, as many as a step of a split gets (atomic-step.js): half a minute and more. */
const TRIES = 60;
const PAUSE_MS = 250;
/** A torn step harms nothing here, so it need not wait long for its lock. */
const BRIEFLY = Object.freeze({ maxTimeMS: HOLD_MS, writeConcern: { w: 1 } });
const PIPELINE = Object.freeze([{ $match: { $expr: { $toInt: 'tried by mongosh-tune' } } }]);

/**
 * @param {Port} port @param {string} db
 * @throws {TuneError} TUNE-20005, TUNE-20003
 */
async function checkMayStep(port, db) {
  try {
    await probeLock(port, db);
  } catch (error) {
    const refused = refusal(error, db);
    if (refused) throw refused;
  }
}

/** @param {any} error @param {string} db @returns {TuneError | null} */
function refusal(error, db) {
  if (error.code === COMMAND_NOT_FOUND)
    return new TuneError(
      'TUNE-20003',
      'A collection cannot be moved through a mongos: it does not support applyOps.',
      { value: 'mongos', allowed: ['mongod'], cause: error },
    );
  if (error.code !== UNAUTHORIZED) return null;
  const allowed = `readWrite and dbAdmin on ${db}; applyOps, useUUID and inprog on the cluster`;
  return new TuneError(
    'TUNE-20005',
    `This user lacks privileges for a split: it needs ${allowed}. Of the built-in ` +
      'roles only root has them; docs/privileges.md has the smallest role.',
    { value: 'applyOps', allowed, cause: error },
  );
}

/**
 * Tries every part of a step with temporary collections. A lock that others hold and an election
 * say nothing about the server: then it is tried again.
 * @param {{ port: Port, signal: AbortSignal }} ctx
 * @param {string} db the database in which it is tried
 * @throws {TuneError} TUNE-20005, TUNE-35006, TUNE-35018
 */
async function rehearse({ port, signal }, db) {
  for (let tries = 1; ; tries += 1)
    try {
      return await retrying(signal, () => rehearseOnce(port, db, signal));
    } catch (error) {
      if (/** @type {any} */ (error).code !== MAX_TIME_MS_EXPIRED) throw error;
      if (tries === TRIES) throw isLocked(db, /** @type {Error} */ (error));
      await sleep(PAUSE_MS, signal);
    }
}

/** @param {string} db @param {Error} cause */
const isLocked = (db, cause) =>
  new TuneError(
    'TUNE-35006',
    `The steps of a split could not be rehearsed in ${db} in ${TRIES} tries of ${HOLD_MS} ms: a ` +
      "transaction or another long operation holds the server's lock. Nothing was copied or changed.",
    { value: db, cause },
  );

/** @param {Port} port @param {string} db @param {AbortSignal} signal */
async function rehearseOnce(port, db, signal) {
  const name = `mongosh_tune_trial_${crypto.randomBytes(6).toString('hex')}`;
  const renamedTo = `${name}_aside`;
  try {
    await mayDrop(port, db, name);
    await write(port, db, { create: name });
    await port.adminCommand({
      aggregate: 1,
      cursor: {},
      pipeline: [{ $currentOp: { allUsers: true } }, { $limit: 1 }],
    });
    await play(port, {
      db,
      name,
      renamedTo,
      uuid: (await findCollection(port, db, name))?.info.uuid,
    });
  } catch (error) {
    throw refusal(error, db) ?? error;
  } finally {
    for (const one of [name, renamedTo])
      await retrying(signal, () => write(port, db, { drop: one })).catch(() => undefined);
  }
}

/**
 * Checks whether this user may drop, before anything exists that would stay.
 * @param {Port} port @param {string} db @param {string} name
 */
const mayDrop = (port, db, name) =>
  write(port, db, { drop: name }).catch((error) => {
    if (error.code !== NAMESPACE_NOT_FOUND) throw error;
  });

/** @param {Port} port @param {{ db: string, name: string, renamedTo: string, uuid: any }} place */
async function play(port, { db, name, renamedTo, uuid }) {
  const own = { db, name, uuid };
  const nobody = { ...own, uuid: swapped(uuid) };
  const permit = newPermit();
  await askForBuckets(port, [own]);
  const renamed = [
    isThere(own),
    isNoCollection({ db, name: renamedTo }),
    command(db, { renameCollection: `${db}.${name}`, to: `${db}.${renamedTo}` }, uuid),
    command(db, { create: name, viewOn: renamedTo, pipeline: PIPELINE }),
  ];
  const cut = [...usePermit(permit), ...proven(port, renamed)];
  await mustFail(port, [isThere(nobody), ...cut], NAMESPACE_NOT_FOUND);
  await mustFail(port, [isNoCollection(own), ...cut], INVALID_OPTIONS);
  const late = newPermit();
  await withdrawPermit(port, late);
  await mustFail(port, [...usePermit(late), ...cut], DUPLICATE_KEY);
  if ((await findCollection(port, db, name))?.type !== 'collection')
    throw otherwise('a step that failed was partly applied');
  await runOperations(port, cut, BRIEFLY);
  await mustFail(port, cut, DUPLICATE_KEY);
  if (
    (await findCollection(port, db, name))?.type !== 'view' ||
    (await findCollection(port, db, renamedTo))?.type !== 'collection'
  )
    throw otherwise('a collection was not replaced by a view');
  await runOperations(
    port,
    [
      ...usePermit(newPermit()),
      isThere({ ...own, name: renamedTo }),
      isNoCollection(own),
      command(db, { drop: name }),
      command(db, { renameCollection: `${db}.${renamedTo}`, to: `${db}.${name}` }, uuid),
    ],
    BRIEFLY,
  );
  if ((await findCollection(port, db, name))?.type !== 'collection')
    throw otherwise('a view was not replaced by a collection');
}

/** @param {Port} port @param {readonly Op[]} operations @param {number} code */
async function mustFail(port, operations, code) {
  const error = await runOperations(port, operations, BRIEFLY).then(
    () => null,
    (failed) => failed,
  );
  if (error === null) throw otherwise('a step succeeded that had to fail');
  if (error.code === code) return;
  throw error.code === UNAUTHORIZED || error.code === MAX_TIME_MS_EXPIRED || isPassing(error)
    ? error
    : otherwise(`a step failed for another reason: ${error.message}`, error);
}

/** Returns another UUID, which no collection has. @param {any} uuid */
function swapped(uuid) {
  const bytes = Buffer.from(uuid.buffer);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] ^= 0xff;
  return typeof uuid.constructor === 'function' && uuid.sub_type !== undefined
    ? new uuid.constructor(bytes, uuid.sub_type)
    : uuid;
}

/** @param {string} why @param {any} [cause] */
const otherwise = (why, cause) =>
  new TuneError(
    'TUNE-35018',
    `This server lacks behavior that a split without lost writes needs: ${why}. ` +
      'Nothing was copied or changed.',
    { value: why, cause },
  );

module.exports = { checkMayStep, rehearse };
