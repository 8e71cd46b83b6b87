'use strict';

/** A collection with data that is moved, as far as a test wants it. */
const { run: splitCutover } = require('../../lib/commands/split-cutover');
const { run: splitRun } = require('../../lib/commands/split-run');
const { run: splitStatus } = require('../../lib/commands/split-status');
const { planOf } = require('./split');

/**
 * @import { MongoClient } from 'mongodb'
 */

/** The process beside the shell is the matter of guardian.test.js. */
const ALONE = Object.freeze({ confirm: true, guardian: false });
const BEFORE = 200;
let number = 0;

/**
 * @param {MongoClient} client
 * @param {any} ctx
 * @param {{
 *   documents?: object[], indexes?: [object, object?][], options?: object, switched?: boolean,
 *   method?: 'out' | 'ranges'
 * }} [of]
 * @returns the split, and `second`: another plan of the same collection, made before that began
 */
async function beginSplit(
  client,
  ctx,
  { documents, indexes = [[{ a: 1 }]], options = {}, switched = false, method } = {},
) {
  number += 1;
  const name = `b${number}`;
  const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection(name));
  await client.db('app').createCollection(name, options);
  for (const [key, how] of indexes) await from.createIndex(/** @type {any} */ (key), how);
  const docs = documents ?? Array.from({ length: BEFORE }, (_, i) => ({ _id: i, a: i % 7 }));
  await from.insertMany(/** @type {any[]} */ (docs));
  const moves = [{ ns: `app.${name}`, into: `app2.${name}`, method }];
  const [plan, second] = [await planOf(client, { moves }), await planOf(client, { moves })];
  const { id } = plan;
  await splitRun(ctx, plan, { confirm: true });
  if (switched) await splitCutover(ctx, id, ALONE);
  const read = () => client.db('tune').collection('splits').findOne({ planId: id });
  const renamedTo = async () => client.db('app').collection((await read())?.from.renamedTo);
  return {
    id,
    name,
    plan,
    from,
    into,
    second,
    read,
    renamedTo,
    status: async () => (await splitStatus(ctx, id)).splits[0],
  };
}

/**
 * Under which of its two names it takes a write.
 * @param {MongoClient} client
 * @param {string} name
 */
async function takesWrites(client, name) {
  const tried = await Promise.all(
    ['app', 'app2'].map(async (db) => {
      const one = client.db(db).collection(name);
      const [there] = await client.db(db).listCollections({ name }).toArray();
      if (!there) return null;
      return one
        .insertOne({ _id: /** @type {any} */ ('tried') })
        .then(() => one.deleteOne({ _id: /** @type {any} */ ('tried') }))
        .then(
          () => db,
          () => null,
        );
    }),
  );
  return tried.filter((db) => db !== null);
}

/**
 * As somebody does who cannot wait: drops the view that blocks the name, and renames the data back.
 * @param {MongoClient} client
 * @param {any} record of the split
 */
async function undoByHand(client, { phase, from, into }) {
  const isBack = phase.endsWith('-back');
  const { db, name } = isBack ? into : from;
  await client.db(db).collection(name).drop();
  await client
    .db(db)
    .collection(isBack ? into.stagingName : from.renamedTo)
    .rename(name);
}

/**
 * Another session gives the other name its collection, as the last step of the cut does.
 * @param {any} client @param {any} record
 */
async function finishByHand(client, { phase, from, into }) {
  const isBack = phase.endsWith('-back');
  const { db, name } = isBack ? from : into;
  await client.db(db).collection(name).drop();
  await client
    .db(db)
    .collection(isBack ? from.renamedTo : into.stagingName)
    .rename(name);
}

module.exports = { ALONE, BEFORE, beginSplit, finishByHand, takesWrites, undoByHand };
