'use strict';

/**
 * @import { Server } from './server'
 * @import { Context } from '../../lib/base/types'
 */

/** What the engine tests need to do to a server besides what the product does. */

/** @param {Server} server @param {string} text what somebody else sets */
const setExternally = (server, text) =>
  server.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: text });

/**
 * @param {Server} server
 * @returns {Promise<string>} the last string that the server accepted, without the blanks at its end
 *   that tell it from the same one of another session
 */
const lastString = async (server) =>
  (
    await server.adminCommand({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 })
  ).wiredTigerEngineRuntimeConfig.trimEnd();

/**
 * @param {Server} server
 * @returns {Promise<string[]>} every string that the server was asked to take, in order; as of
 *   lastString
 */
async function askedStrings(server) {
  const { log } = await server.adminCommand({ getLog: 'global' });
  return log
    .map((/** @type {string} */ line) => JSON.parse(line))
    .filter(({ id }) => id === 22376)
    .map(({ attr }) => attr.config.trimEnd());
}

/** @param {Server} server */
async function cacheOf(server) {
  const {
    wiredTiger: { cache },
  } = await server.adminCommand({ serverStatus: 1 });
  const maxBytes = Number(cache['maximum bytes configured']);
  return {
    maxBytes,
    threads: Number(cache['eviction worker thread active']),
    dirtyRatio: Number(cache['tracked dirty bytes in the cache']) / maxBytes,
  };
}

/** The server keeps so many lines of its log for getLog. */
const LOG_LINES = 1024;

/**
 * What a server that logs every operation does: the lines of before are gone.
 * @param {Server} server
 */
async function floodLog(server) {
  const db = server.db('test');
  await db.command({ profile: 0, slowms: -1 });
  for (let i = 0; i < LOG_LINES; i += 1) await db.command({ find: 'flood', limit: 1 });
  await db.command({ profile: 0, slowms: 100 });
  if ((await askedStrings(server)).length > 0) throw new Error('the log still tells what was set');
}

const MAX_MEGABYTES = 400;

/**
 * Puts unwritten data into the cache until so much of it is dirty, in place of what it put there
 * before: a cache that is full evicts, whatever is dirty. The targets must be above what is asked
 * for.
 * @param {Server} server
 * @param {number} ratio of the cache
 */
async function makeDirty(server, ratio) {
  const collection = server.db('test').collection('dirty');
  await collection.drop();
  const filler = 'x'.repeat(1000);
  for (let i = 0; (await cacheOf(server)).dirtyRatio <= ratio; i += 1) {
    if (i >= MAX_MEGABYTES)
      throw new Error(
        `${i} MB are written, and only ${(await cacheOf(server)).dirtyRatio} of the cache is dirty`,
      );
    await collection.insertMany(
      Array.from({ length: 1000 }, (_, k) => ({ i, k, filler: filler + Math.random() })),
      { writeConcern: { w: 1, j: false } },
    );
  }
}

/**
 * A disk so slow that the load always holds the dirty level at its trigger, and of which nobody
 * knows how fast it is: a smaller cache or a lower trigger is reached by many steps.
 * @template {Context} C
 * @param {C} ctx
 * @param {{ dirtyTrigger?: number, drainsInMs?: number }} [options] `dirtyTrigger`: percent, as it
 *   is now; `drainsInMs`: so long the level
 *   stays where it was when it has to fall
 * @returns {C}
 */
function onSlowDisk(ctx, { dirtyTrigger = 20, drainsInMs = 0 } = {}) {
  let [trigger, level, setAtMs] = [dirtyTrigger, 0, -Infinity];
  const adminCommand = async (/** @type {any} */ command) => {
    const answer = await ctx.port.adminCommand(command);
    if (command.setParameter) setAtMs = performance.now();
    trigger = Number(
      /eviction_dirty_trigger=(\d+)/.exec(command.wiredTigerEngineRuntimeConfig)?.[1] ?? trigger,
    );
    const cache = answer.wiredTiger?.cache;
    if (!cache) return answer;
    delete cache['bytes written from cache'];
    if (performance.now() - setAtMs >= drainsInMs)
      level = (Number(cache['maximum bytes configured']) * trigger) / 100;
    for (const name of Object.keys(cache).filter((one) =>
      /^tracked dirty (leaf page )?bytes in the cache$/.test(one),
    ))
      cache[name] = level;
    return answer;
  };
  return { ...ctx, port: { ...ctx.port, adminCommand } };
}

/**
 * A cache that is always as full as eviction lets it be: a smaller one is reached by steps, however
 * little the load reads.
 * @template {Context} C
 * @param {C} ctx
 * @param {{ ratio?: number }} [options] `ratio`: of the size, as it is now
 * @returns {C}
 */
function onFullCache(ctx, { ratio = 0.8 } = {}) {
  const adminCommand = async (/** @type {any} */ command) => {
    const answer = await ctx.port.adminCommand(command);
    const cache = answer.wiredTiger?.cache;
    if (cache)
      cache['bytes currently in the cache'] = Number(cache['maximum bytes configured']) * ratio;
    return answer;
  };
  return { ...ctx, port: { ...ctx.port, adminCommand } };
}

module.exports = {
  onFullCache,
  onSlowDisk,
  floodLog,
  setExternally,
  lastString,
  askedStrings,
  cacheOf,
  makeDirty,
};
