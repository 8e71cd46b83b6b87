'use strict';

/** What the engine tests need to do to a server besides what the product does. */

/** @typedef {import('./server').Server} Server */

/** @param {Server} server @param {string} text what somebody else sets */
const setByOthers = (server, text) => server.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: text });

/** @param {Server} server @returns {Promise<string>} the last string that the server accepted */
const lastString = async (server) => (await server.adminCommand({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 })).wiredTigerEngineRuntimeConfig;

/** @param {Server} server @returns {Promise<string[]>} every string that the server was asked to take, in order */
async function askedStrings(server) {
  const { log } = await server.adminCommand({ getLog: 'global' });
  return log.map((/** @type {string} */ line) => JSON.parse(line)).filter(({ id }) => id === 22376).map(({ attr }) => attr.config);
}

/** @param {Server} server */
async function cacheOf(server) {
  const { wiredTiger: { cache } } = await server.adminCommand({ serverStatus: 1 });
  const maxBytes = Number(cache['maximum bytes configured']);
  return { maxBytes, threads: Number(cache['eviction worker thread active']), dirtyRatio: Number(cache['tracked dirty bytes in the cache']) / maxBytes };
}

/**
 * Puts unwritten data into the cache, in place of what it put there before: a cache that is full evicts, whatever is dirty. The
 * dirty target must be above what is asked for.
 * @param {Server} server @param {number} megabytes
 */
async function makeDirty(server, megabytes) {
  const collection = server.db('test').collection('dirty');
  await collection.drop();
  const filler = 'x'.repeat(1000);
  for (let i = 0; i < megabytes; i += 1) await collection.insertMany(Array.from({ length: 1000 }, (_, k) => ({ i, k, filler: filler + Math.random() })), { writeConcern: { w: 1, j: false } });
}

module.exports = { setByOthers, lastString, askedStrings, cacheOf, makeDirty };
