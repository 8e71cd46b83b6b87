'use strict';

/**
 * What a round came to: every acknowledged operation is looked for, and the oplog says which name
 * took writes when.
 */
const { judge } = require('./writers');

/**
 * @import { Document, MongoClient } from 'mongodb'
 */

/**
 * @typedef {{ dropped: string[], renamed: string[], indexes: string[], ttlKept: number | null }}
 *   Own
 */
/**
 * @typedef {{
 *   client: MongoClient, name: string, id: string, since: any,
 *   writers: Awaited<ReturnType<typeof import('./writers').startWriters>>, own: Own,
 *   documents: number, squat: string | null, squatters: number
 * }} Played
 */

const MAX_SHOWN = 5;

/** @param {Played} played */
async function judgeRound(played) {
  const { client, name, id, since, writers, own, squat } = played;
  const split = await client.db('tune').collection('splits').findOne({ planId: id });
  const phases = (split?.history ?? []).map((/** @type {any} */ { phase }) => phase);
  const says = isMoved(split, phases) ? 'app2' : 'app';
  const place = split ? await placeOfData(client, name, split) : says;
  const live = place ?? says;
  // Whoever takes a view away opens a name that must be shut: there what was acknowledged is only
  // looked for anywhere.
  const isGone = own.dropped.includes('target');
  const isNowhere = place === null && !isGone;
  const isOpened = isGone || isNowhere || own.dropped.some((one) => one.startsWith('view'));
  const places = isOpened ? await everywhere(client, name) : [[live, name]];
  const found = (
    await Promise.all(
      places.map(([db, one]) =>
        client
          .db(db)
          .collection(one)
          .find({ _id: /** @type {any} */ (/^w\d/) })
          .toArray()
          .catch(() => []),
      ),
    )
  ).flat();
  const { lost, doubled, unexpected } = judge(writers.register, isOpened ? merged(found) : found);
  const wrong = [
    ...(isNowhere ? [`neither name has the data, and the state says ${split?.phase}`] : []),
    ...(live === says
      ? []
      : [`the state says ${split?.phase}, and the data is in ${live}.${name}`]),
    ...(isGone ? [] : shown('lost', lost)),
    ...(isOpened ? [] : [...shown('doubled', doubled), ...shown('unexpected', unexpected)]),
    ...(await (isGone || isNowhere ? oldData(played) : base(played, live))),
    ...(isOpened ? [] : await turns(client, { name, since, phases })),
    ...(await shapeOf(client, { live, name, own })),
    ...(squat === null
      ? []
      : await squatted(client, { db: squat, name, squatters: played.squatters })),
  ];
  const { acknowledged, refused, unknown, longestGapMs, longestRefusedMs } = writers.counts;
  return {
    phase: split?.phase ?? null,
    acknowledged,
    refused,
    unknown,
    longestGapMs,
    longestRefusedMs,
    lost: isGone ? 0 : lost.length,
    doubled: doubled.length,
    wrong,
  };
}

/** @param {any} split @param {string[]} phases */
const isMoved = (split, phases) =>
  ['switched', 'finished'].includes(split?.phase) && !phases.includes('rolled-back');

/**
 * The name that has the collection of the source or of the staging copy; null where none or both
 * have.
 * @param {MongoClient} client
 * @param {string} name
 * @param {any} split
 */
async function placeOfData(client, name, split) {
  const ours = [split?.sourceUuid, split?.stagingUuid]
    .filter(Boolean)
    .map((uuid) => uuid.toString('hex'));
  const infos = await Promise.all(
    ['app', 'app2'].map(async (db) => ({
      db,
      info: (await client.db(db).listCollections({ name }).toArray())[0],
    })),
  );
  const there = infos.filter(({ info }) => ours.includes(info?.info?.uuid?.toString('hex')));
  return there.length === 1 ? there[0].db : null;
}

/** @param {string} what @param {string[]} some */
const shown = (what, some) =>
  some.length === 0 ? [] : [`${what}: ${some.length} (${some.slice(0, MAX_SHOWN).join('; ')})`];

/**
 * @param {MongoClient} client
 * @param {string} name
 * @returns {Promise<[string, string][]>}
 */
async function everywhere(client, name) {
  /** @type {[string, string][]} */ const all = [];
  for (const db of ['app', 'app2']) {
    for (const one of await client.db(db).listCollections().toArray())
      if (one.type === 'collection' && (one.name === name || one.name.startsWith(`${name}__`)))
        all.push([db, one.name]);
  }
  return all;
}

/**
 * One document of several places, with every operation that any of them has.
 * @param {Document[]} found
 */
function merged(found) {
  const byId = new Map();
  for (const doc of found)
    byId.set(doc._id, {
      _id: doc._id,
      ops: [...new Set([...(byId.get(doc._id)?.ops ?? []), ...doc.ops])],
    });
  return [...byId.values()].map((doc) => ({ ...doc, n: doc.ops.length }));
}

/** Of what the operator dropped himself, the old data is still somewhere. @param {Played} played */
async function oldData({ client, name, documents }) {
  const max = await Promise.all(
    (await everywhere(client, name)).map(([db, one]) =>
      client
        .db(db)
        .collection(one)
        .countDocuments({ _id: { $type: 'number' } }),
    ),
  );
  return max.includes(documents)
    ? []
    : [`lost: the last copy of the old data; there are ${max.join(', ') || 'none'}`];
}

/** What was there before anybody wrote. @param {Played} played @param {string} live */
async function base({ client, name, documents, own }, live) {
  const data = client.db(live).collection(name);
  const [{ count = 0, ids = 0 } = {}] = await data
    .aggregate([
      { $match: { _id: { $type: 'number' } } },
      { $group: { _id: null, count: { $sum: 1 }, ids: { $sum: '$_id' } } },
    ])
    .toArray()
    .catch(() => []);
  const wrong =
    count === documents && ids === (documents * (documents - 1)) / 2
      ? []
      : [`lost: ${live}.${name} has ${count} of ${documents} documents that were there before`];
  const ttl =
    own.ttlKept === null
      ? 0
      : own.ttlKept -
        (await data.countDocuments({ _id: /** @type {any} */ (/^ttl-/) }).catch(() => 0));
  return [...wrong, ...(ttl > 0 ? [`lost: ${ttl} documents whose life had been made longer`] : [])];
}

/**
 * The order in which the names took writes.
 * @param {MongoClient} client
 * @param {{ name: string, since: any, phases: string[] }} of
 */
async function turns(client, { name, since, phases }) {
  const entries = client
    .db('local')
    .collection('oplog.rs')
    .find(
      {
        ts: { $gte: since },
        op: { $in: ['i', 'u', 'd'] },
        ns: { $in: [`app.${name}`, `app2.${name}`] },
        'o._id': { $not: /^squat-/ },
      },
      { projection: { ns: 1 }, sort: { $natural: 1 } },
    );
  /** @type {string[]} */ const seen = [];
  for await (const { ns } of entries) if (seen[seen.length - 1] !== ns) seen.push(ns);
  const max = 1 + phases.filter((phase) => phase === 'switched' || phase === 'rolled-back').length;
  if (seen.length <= max) return [];
  const first = seen.slice(0, MAX_SHOWN + 1).join(', ');
  return [
    `both names took writes in turn: ${first}, ${seen.length} turns in all, after ` +
      `${phases.join(', ')}`,
  ];
}

/**
 * An index that was acknowledged on a name that had the data, or that was free after the end.
 * @param {MongoClient} client
 * @param {{ live: string, name: string, own: Own }} of
 */
async function shapeOf(client, { live, name, own }) {
  // It went with the collection that the operator dropped.
  if (own.dropped.includes('target')) return [];
  const namesIn = async (/** @type {string} */ db) =>
    (
      await client
        .db(db)
        .collection(name)
        .indexes()
        .catch(() => [])
    ).map((index) => index.name);
  const other = live === 'app' ? 'app2' : 'app';
  const [there, beside] = [await namesIn(live), await namesIn(other)];
  const gone = own.indexes.filter(
    (one) =>
      [`app.${name}`, `app2.${name}`].includes(one.split(' ')[0]) &&
      !there.includes(one.split(' ')[1]) &&
      // After an end the other name is free, and whoever asks for an index makes a collection.
      !(one.startsWith(`${other}.`) && beside.includes(one.split(' ')[1])),
  );
  return gone.length > 0 ? [`an index is gone: ${gone.join(', ')}`] : [];
}

/**
 * @param {MongoClient} client
 * @param {{ db: string, name: string, squatters: number }} of
 */
async function squatted(client, { db, name, squatters }) {
  const left = await client
    .db(db)
    .collection(name)
    .countDocuments({ _id: /** @type {any} */ (/^squat-/) })
    .catch(() => 0);
  return left === squatters
    ? []
    : [
        `lost: ${squatters - left} of ${squatters} documents that an application put under ` +
          `the free name ${db}.${name}`,
      ];
}

module.exports = { judgeRound };
