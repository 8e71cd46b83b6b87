'use strict';

const { BUILD_INFO, GLOBAL_LOG, HOST_INFO, WHOLE_STATUS } = require('../server/pure/commands');
const { askOptional } = require('../base/server-errors');
const { toMs, toNumber } = require('../base/pure/numbers');
const {
  countSignatures,
  valuesOfBuild,
  valuesOfHost,
  valuesOfParameters,
  valuesOfStatus,
} = require('./pure/evidence');

/**
 * @import { Port } from '../base/context'
 * @import { LogCounts, ReplyValues } from './pure/evidence'
 */

/**
 * Reads what the server itself reports of the marks of defects, besides a window of samples.
 * @typedef {{
 *   values: ReplyValues, logSignatures: LogCounts | null, logFromMs: number | null,
 *   isLogWhole: boolean
 * }} DefectReplies `logSignatures`: null where the user may not read the log; `isLogWhole`: the log
 *   still has the first line since the start
 */

const INSERT_BATCH = Object.freeze({ getParameter: 1, internalInsertMaxBatchSize: 1 });

/**
 * @param {Port} port
 * @returns {Promise<DefectReplies>} what the user may not read is absent
 */
async function readDefectReplies(port) {
  const [status, build, host, parameters, log] = await Promise.all(
    [WHOLE_STATUS, BUILD_INFO, HOST_INFO, INSERT_BATCH, GLOBAL_LOG].map((command) =>
      askOptional(port, command),
    ),
  );
  /** @type {string[] | null} */
  const lines = log === null ? null : (log.log ?? []);
  return {
    values: {
      ...valuesOfStatus(status),
      ...valuesOfBuild(build),
      ...valuesOfHost(host),
      ...valuesOfParameters(parameters),
    },
    logSignatures: lines === null ? null : countSignatures(lines),
    logFromMs: lines === null ? null : momentOf(lines[0] ?? ''),
    isLogWhole: lines !== null && toNumber(log.totalLinesWritten) === lines.length,
  };
}

/** @param {string} line of the log @returns {number | null} */
function momentOf(line) {
  try {
    return toMs(JSON.parse(line).t) ?? null;
  } catch {
    // The line is cut.
    return null;
  }
}

module.exports = { readDefectReplies };
