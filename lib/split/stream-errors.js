'use strict';

const {
  BSON_OBJECT_TOO_LARGE,
  CAPPED_POSITION_LOST,
  CHANGE_STREAM_FATAL_ERROR,
  CHANGE_STREAM_HISTORY_LOST,
  OPLOG_QUERY_MIN_TS_MISSING,
} = require('../base/pure/server-codes');
const { TuneError } = require('../base/pure/errors');
const { isPassing } = require('./retry');
const { nsOf } = require('./directions');

/** @import { Direction } from './directions' */

/**
 * The code of an event that is too large: it has the _id three times, once in hexadecimal, and with
 * an _id of 4 MB it is larger than a server reply.
 */
const TOO_LARGE = BSON_OBJECT_TOO_LARGE;
/** Codes after which no stream can continue. */
const LOST = Object.freeze(
  new Set([
    CHANGE_STREAM_HISTORY_LOST,
    CHANGE_STREAM_FATAL_ERROR,
    CAPPED_POSITION_LOST,
    OPLOG_QUERY_MIN_TS_MISSING,
    TOO_LARGE,
  ]),
);

/** The code of a stream that the driver closed: it is opened again at its position. */
const PASSING_CODE = 43;
/** @param {any} error */
const isClosed = (error) =>
  !isPassing(error) &&
  /ChangeStream is closed|closed cursor|Cursor is closed/i.test(error?.message ?? '');

/** @param {any} error */
const asPassing = (error) =>
  isClosed(error) ? Object.assign(error, { code: PASSING_CODE }) : error;

/** @param {any} error @param {Direction} direction */
function overrun(error, direction) {
  if (!LOST.has(error?.code)) return null;
  const isTooLarge = error.code === TOO_LARGE;
  return unappliable(
    direction,
    isTooLarge ? 'is too large for a change stream: an _id has several MB' : GONE,
    error,
  );
}
const GONE = 'is no longer in the oplog';

/** Makes the error for a change that no stream shows any more. @param {Direction} direction */
const goneFromOplog = (direction) => unappliable(direction, GONE);

/** @param {Direction} direction @param {string} why @param {unknown} [cause] */
const unappliable = ({ from }, why, cause) =>
  new TuneError(
    'TUNE-35007',
    `A change of ${nsOf(from)} ${why}, so it cannot be applied to the copy.`,
    { cause, value: nsOf(from) },
  );

module.exports = { asPassing, goneFromOplog, overrun };
