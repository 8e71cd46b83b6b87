'use strict';

/**
 * @import { MongoClient } from 'mongodb'
 */

/**
 * A call that status prints, as typed in mongosh; here by the driver.
 * @param {MongoClient} client
 * @param {string} call
 * @param {any} [ctx] for a call of tune.split
 */
const typedIn = (client, call, ctx) => asTyped(call, databases(client), { split: commands(ctx) });

/** @param {string} call @param {object} db @param {object} tune */
const asTyped = (call, db, tune) => new Function('db', 'tune', `return ${call};`)(db, tune);

/** The process beside the shell is the matter of guardian.test.js. */
const ALONE = Object.freeze({ guardian: false });
const OPTIONS = Object.freeze({
  verify: {},
  finish: {},
  resume: ALONE,
  cutover: ALONE,
  rollback: ALONE,
  abort: ALONE,
});

/** @param {any} ctx */
const commands = (ctx) => ({
  status: (/** @type {string} */ id) => runOf('status')(ctx, id),
  ...Object.fromEntries(
    Object.entries(OPTIONS).map(([verb, also]) => [
      verb,
      (/** @type {string} */ id, options = {}) => runOf(verb)(ctx, id, { ...also, ...options }),
    ]),
  ),
});

/** @param {string} verb */
const runOf = (verb) => require(`../../lib/commands/split-${verb}`).run;

/** @param {MongoClient} client */
const databases = (client) => ({
  getSiblingDB: (/** @type {string} */ database) => ({
    runCommand: (/** @type {any} */ spec) => client.db(database).command(spec),
    createView: (
      /** @type {string} */ name,
      /** @type {string} */ viewOn,
      /** @type {any[]} */ pipeline = [],
      options = {},
    ) => client.db(database).createCollection(name, { viewOn, pipeline, ...options }),
    getCollection: (/** @type {string} */ name) => ({
      renameCollection: (/** @type {string} */ to) =>
        client.db(database).collection(name).rename(to),
      aggregate: (/** @type {any[]} */ pipeline) =>
        client.db(database).collection(name).aggregate(pipeline).toArray(),
    }),
  }),
});

module.exports = { typedIn };
