'use strict';

const { CANNOT_CREATE_INDEX } = require('../base/pure/server-codes');
const { HELLO } = require('../server/pure/commands');
const { command } = require('./operations');
const { findCollection, findIndexes, write } = require('./server');

/**
 * @import { Op } from './operations'
 * @import { CollectionId, Port } from './server'
 * @import { Ttl } from './state'
 */

/**
 * Seconds, 68 years: the longest time that a server accepts, with which users switch expiry off.
 */
const MAX_SECONDS = 2_147_483_647;
/**
 * Seconds of an index that is switched off: a TTL index cannot lose its option, but no document is
 * that old. The value that users set for this is another one, and is kept.
 */
const NEVER_SECONDS = MAX_SECONDS - 1;
/** Seconds that a server's clock may be set back between tune's check and its own. */
const MARGIN_SECONDS = 3600;

/**
 * Returns an index without expiry: only the documents with the data may expire. A document that
 * expired in a copy alone would be missing after a cutover or a rollback, and no event would say
 * so.
 * @param {any} index an index as it has to be made in the copy
 */
const unexpiring = (index) =>
  index.expireAfterSeconds === undefined ? index : { ...index, expireAfterSeconds: NEVER_SECONDS };

/**
 * Makes indexes of a copy, in which nothing expires. Servers before 6.0 make no index with a time
 * longer than that since 1970, but change one to it.
 * @param {Port} port
 * @param {{ db: string, name: string }} place
 * @param {any[]} indexes
 * @param {Record<string, unknown>} [more] more fields of the command
 */
async function makeIndexes(port, { db, name }, indexes, more = {}) {
  const make = (/** @type {any[]} */ some) =>
    write(port, db, { createIndexes: name, indexes: some, ...more });
  try {
    await make(indexes.map(unexpiring));
  } catch (error) {
    const expiring = indexes.filter((index) => index.expireAfterSeconds !== undefined);
    if (/** @type {any} */ (error).code !== CANNOT_CREATE_INDEX || expiring.length === 0)
      throw error;
    await makeLong(port, { db, name }, { indexes, expiring, make });
  }
}

/**
 * @param {Port} port
 * @param {{ db: string, name: string }} place
 * @param {{ indexes: any[], expiring: any[], make(some: any[]): Promise<unknown> }} what
 */
async function makeLong(port, { db, name }, { indexes, expiring, make }) {
  // An earlier try may have made some, with the former time or a changed one: with another time
  // they would be refused.
  const there = await findIndexes(port, db, name);
  const { localTime } = await port.adminCommand(HELLO);
  const long = Math.floor(localTime.getTime() / 1000) - MARGIN_SECONDS;
  const secondsOf = (/** @type {any} */ index) =>
    Number(there.find((one) => one.name === index.name)?.expireAfterSeconds ?? long);
  const isOver = (/** @type {any} */ index) =>
    expiring.includes(index) && secondsOf(index) >= NEVER_SECONDS;
  const left = indexes.filter((index) => !isOver(index));
  if (left.length > 0)
    await make(
      left.map((index) =>
        expiring.includes(index) ? { ...index, expireAfterSeconds: secondsOf(index) } : index,
      ),
    );
  for (const index of expiring.filter((one) => left.includes(one))) {
    const never = { name: index.name, expireAfterSeconds: NEVER_SECONDS };
    await write(port, db, { collMod: name, index: never });
  }
}

/** @param {CollectionId} place @param {Ttl} ttl @returns {Op} */
const expireAfter = (
  { db, name, uuid },
  { name: index, expireAfterSeconds, ofCollection = false },
) =>
  command(
    db,
    ofCollection
      ? { collMod: name, expireAfterSeconds }
      : { collMod: name, index: { name: index, expireAfterSeconds } },
    uuid,
  );

/** @param {CollectionId} place @param {Ttl} ttl @returns {Op} */
const expireNever = (place, ttl) =>
  ttl.ofCollection
    ? command(place.db, { collMod: place.name, expireAfterSeconds: 'off' }, place.uuid)
    : expireAfter(place, { ...ttl, expireAfterSeconds: NEVER_SECONDS });

/** @param {Port} port @param {{ db: string, name: string }} place @param {readonly Ttl[]} ttl */
async function expiresNever(port, { db, name }, ttl) {
  if (ttl.length === 0) return true;
  const seconds = new Map(
    (await readTtl(port, { db, name })).map((one) => [one.name, one.expireAfterSeconds]),
  );
  return ttl.every(({ name }) => (seconds.get(name) ?? MAX_SECONDS) >= NEVER_SECONDS);
}

/**
 * Reads the times of expiry by which documents are deleted.
 * @param {Port} port @param {{ db: string, name: string }} place
 */
const expiringIn = async (port, place) =>
  (await readTtl(port, place)).filter((one) => one.expireAfterSeconds < NEVER_SECONDS);

/** @param {Ttl} ttl */
const expires = ({ expireAfterSeconds }) => expireAfterSeconds !== NEVER_SECONDS;

/**
 * Lists the times that are switched off but should not be.
 * @param {Port} port @param {{ db: string, name: string }} place @param {readonly Ttl[]} ttl
 * @returns {Promise<Ttl[]>} the values that they should have
 */
async function stillOff(port, place, ttl) {
  const due = ttl.filter(expires);
  if (due.length === 0) return [];
  const now = await readTtl(port, place);
  const isOff = (/** @type {Ttl} */ { name, ofCollection = false }) =>
    now.some((one) => one.name === name && !expires(one)) ||
    // A collection whose expiry was switched off has no such option.
    (ofCollection && !now.some((one) => one.ofCollection));
  return due.filter(isOff);
}

/** @param {Port} port @param {{ db: string, name: string }} place @param {readonly Ttl[]} ttl */
const isStillOff = async (port, place, ttl) => (await stillOff(port, place, ttl)).length > 0;

/**
 * @param {Port} port
 * @param {{ db: string, name: string }} place
 * @param {{ maxTimeMS?: number }} [more]
 * @returns {Promise<Ttl[]>} the times by which documents expire
 */
async function readTtl(port, { db, name }, more) {
  const indexes = await findIndexes(port, db, name, more);
  const clustered = indexes.find((index) => index.clustered);
  return [
    ...ttlIn(indexes),
    ...(clustered ? await readOwn(port, { db, name }, clustered.name) : []),
  ];
}

/** @param {readonly any[]} indexes @returns {Ttl[]} */
const ttlIn = (indexes) =>
  indexes
    .filter(({ expireAfterSeconds, clustered }) => expireAfterSeconds !== undefined && !clustered)
    .map((index) => ({ name: index.name, expireAfterSeconds: secondsOf(index) }));

/**
 * Reads the expiry by the `_id` of a clustered collection, an option of the collection. Some
 * servers report it of the index, too.
 * @param {Port} port @param {{ db: string, name: string }} place @param {string} index
 * @returns {Promise<Ttl[]>}
 */
async function readOwn(port, { db, name }, index) {
  const { options } = (await findCollection(port, db, name)) ?? {};
  return options?.expireAfterSeconds === undefined
    ? []
    : [{ name: index, expireAfterSeconds: Number(options.expireAfterSeconds), ofCollection: true }];
}

/** @param {readonly Ttl[]} older @param {readonly Ttl[]} newer @returns {Ttl[]} */
const merged = (older, newer) => [
  ...older.filter(({ name }) => !newer.some((one) => one.name === name)),
  ...newer,
];

/**
 * Returns the seconds of an index. Servers before 5.0 accept a time that is no number, and nothing
 * expires by it; a change to it would make it 0.
 * @param {{ expireAfterSeconds: any }} index
 */
const secondsOf = ({ expireAfterSeconds }) =>
  Number.isNaN(Number(expireAfterSeconds)) ? MAX_SECONDS : Number(expireAfterSeconds);

module.exports = {
  NEVER_SECONDS,
  expireAfter,
  expireNever,
  expiresNever,
  expiringIn,
  isStillOff,
  stillOff,
  makeIndexes,
  merged,
  readTtl,
  ttlIn,
  unexpiring,
};
