'use strict';

/**
 * @import { MongoClient } from 'mongodb'
 */

/**
 * A call that status prints, as typed in mongosh; here by the driver.
 * @param {MongoClient} client
 * @param {string} call
 */
const typedIn = (client, call) =>
  new Function('db', `return ${call};`)({
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
