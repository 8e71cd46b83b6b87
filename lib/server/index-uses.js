'use strict';

const { toMs, toNumber } = require('../base/pure/numbers');
const { refusalOf } = require('../base/server-errors');
const { GONE, PATIENCE_MS } = require('./collection-stats');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Context } from '../base/types'
 */

/**
 * `uses` counts since `sinceMs`: the start of the server, or the making of the index. `keeps`: what
 * an index does besides being read; such a one is needed though no query uses it.
 * @typedef {'_id' | 'unique' | 'ttl'} Keeps
 * @typedef {{ uses: number | null, sinceMs: number | null, keeps: Keeps | null }} IndexUse
 */

const PIPELINE = Object.freeze([
  { $indexStats: {} },
  { $project: { _id: 0, name: 1, accesses: 1, spec: 1 } },
]);

/**
 * How often queries used each index, on this member alone.
 * @param {Context} ctx
 * @param {{ database: string, name: string }} namespace
 * @returns {Promise<Record<string, IndexUse> | 'gone' | TuneError>} the error: what the server refused
 */
async function collectIndexUses({ port, signal }, { database, name }) {
  try {
    const { cursor } = await port.command(database, {
      aggregate: name,
      pipeline: PIPELINE,
      cursor: {},
      maxTimeMS: PATIENCE_MS,
    });
    return Object.fromEntries(
      cursor.firstBatch.map((/** @type {any} */ index) => [`${index.name}`, useOf(index)]),
    );
  } catch (error) {
    if (GONE.has(/** @type {any} */ (error).code)) return 'gone';
    return refusalOf(error, '$indexStats', signal);
  }
}

/** @param {any} index @returns {IndexUse} */
const useOf = ({ name, accesses, spec }) => ({
  uses: toNumber(accesses?.ops) ?? null,
  sinceMs: toMs(accesses?.since) ?? null,
  keeps: keepsOf(name, spec),
});

/** @param {string} name @param {any} [spec] since 4.2.4 @returns {Keeps | null} */
function keepsOf(name, spec) {
  if (name === '_id_') return '_id';
  if (spec?.unique) return 'unique';
  return spec?.expireAfterSeconds === undefined ? null : 'ttl';
}

module.exports = { collectIndexUses };
