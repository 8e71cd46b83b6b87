'use strict';

const { toNumber } = require('../base/pure/numbers');
const { MS_PER_SECOND } = require('../base/pure/units');
const { refusalOf } = require('../base/server-errors');
const { OPLOG_STATUS } = require('./pure/commands');
const { growth, perSecond } = require('./pure/growth');

/**
 * @import { Context } from '../base/types'
 * @import { Oplog } from './types'
 */

/**
 * @typedef {{
 *   atMs: number, dataBytes: number | null, maxBytes: number | null, insertedBytes: number | null,
 *   heldSeconds: number | null
 * }} OplogSample `atMs`: of a clock that is never set; `insertedBytes`: since the server started
 */

/** The oplog is a collection of the database local. */
const OPLOG_STATS = Object.freeze({
  aggregate: 'oplog.rs',
  pipeline: [
    { $collStats: { storageStats: {} } },
    {
      $project: {
        _id: 0,
        dataBytes: '$storageStats.size',
        maxBytes: '$storageStats.maxSize',
        // Truncating the oldest entries does not change it.
        insertedBytes: '$storageStats.wiredTiger.cursor.insert key and value bytes',
      },
    },
  ],
  cursor: {},
});

/**
 * @param {Context} ctx
 * @returns {Promise<OplogSample | null>} null: no replica set, or not permitted
 */
async function sampleOplog({ port, signal }) {
  try {
    const { oplog } = await port.adminCommand(OPLOG_STATUS);
    if (!oplog) return null;
    const { cursor } = await port.command('local', OPLOG_STATS);
    const [stats = {}] = cursor.firstBatch;
    return {
      atMs: performance.now(),
      dataBytes: toNumber(stats.dataBytes) ?? null,
      maxBytes: toNumber(stats.maxBytes) ?? null,
      insertedBytes: toNumber(stats.insertedBytes) ?? null,
      heldSeconds: secondsCovered(secondsOf(oplog.earliestOptime), secondsOf(oplog.latestOptime)),
    };
  } catch (error) {
    refusalOf(error, '$collStats', signal);
    return null;
  }
}

/**
 * A Timestamp of any driver, in seconds since 1970.
 * @param {any} timestamp
 * @returns {number | undefined}
 */
const secondsOf = (timestamp) =>
  toNumber(timestamp?.getHighBits?.() ?? timestamp?.t ?? timestamp?.high);

/** @param {number | undefined} earliest @param {number | undefined} latest */
const secondsCovered = (earliest, latest) =>
  earliest === undefined || latest === undefined || latest < earliest ? null : latest - earliest;

/**
 * Computes how far back the oplog reaches, and how far it will at the pace between two samples.
 * @param {OplogSample | null} first
 * @param {OplogSample | null} last
 * @returns {Oplog | null}
 */
function oplogBetween(first, last) {
  if (last === null) return null;
  const { maxBytes, dataBytes, heldSeconds } = last;
  const bytesPerSec = paceOf(first, last);
  return {
    maxBytes,
    dataBytes,
    heldSeconds,
    bytesPerSec,
    secondsAtPace: maxBytes === null || !bytesPerSec ? null : maxBytes / bytesPerSec,
  };
}

/** @param {OplogSample | null} first @param {OplogSample} last @returns {number | null} */
function paceOf(first, last) {
  if (first === null) return null;
  const seconds = (last.atMs - first.atMs) / MS_PER_SECOND;
  return perSecond(growth(first.insertedBytes, last.insertedBytes), seconds) ?? null;
}

module.exports = { OPLOG_STATS, secondsOf, sampleOplog, oplogBetween };
