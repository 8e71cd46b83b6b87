'use strict';

const { callText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { nsOf } = require('./directions');
const { sourceName } = require('./target');

/**
 * @import { Direction } from './directions'
 * @import { Port } from './server'
 */

/**
 * The mark of a cut in the stream of changes: the rename of the source to its name for that cut.
 * @typedef {Direction & { id: string, cutBy: any }} Followed `id`: means this collection alone
 */

/**
 * Whether this event is of a cut that tune undid. Another session may have used its name since.
 * @param {any} event
 * @param {Direction['undoneCuts'][number]} cut
 */
const isMarkOf = ({ operationType, to, clusterTime }, { name, until }) =>
  operationType === 'rename' && name === to.coll && until.greaterThanOrEqual(clusterTime);

/**
 * Whether this event is the cut of the source.
 * @param {any} event
 * @param {Followed} direction
 * @throws {TuneError} TUNE-35005
 */
function isMark(event, { from, cutBy, id }) {
  const { operationType, to } = event;
  if (operationType === 'create') return false;
  // Of a source in its place another session undid it: what was written meanwhile is not known.
  if (cutBy && operationType === 'rename' && to.coll === from.renamedTo) return true;
  throw changed(from, { by: operationType, id });
}

/**
 * The cut is the last mark up to `cutBy`; behind an earlier one, of another session, writes are
 * missing. Most members have the cut before that time is asked for, so no mark comes later.
 * @param {() => Promise<{ event: any }>} next behind the first mark; null: there is none
 * @param {Followed} direction
 * @throws {TuneError} TUNE-35005
 */
async function checkOnlyMark(next, { from, cutBy, id }) {
  for (let isOver = false; !isOver;) {
    const { event } = await next();
    if (event?.operationType === 'rename' && event.to.coll === from.renamedTo)
      throw changed(from, { by: 'rename', id });
    isOver = !event || event.clusterTime.greaterThanOrEqual(cutBy);
  }
}

/**
 * @param {Direction['from']} from
 * @param {{ by: string, id: string, isThere?: boolean }} how `isThere`: its collection is
 */
const changed = (from, { by, id, isThere = false }) =>
  new TuneError(
    'TUNE-35005',
    `Another session changed ${nsOf(from)} during the split: ${by}.` +
      (by === 'rename' || isThere
        ? ` Once it has its name again, ${callText('split.resume', id, { restart: true, confirm: true })} ` +
          'starts from the beginning.'
        : ''),
    { value: by },
  );

/**
 * What is thrown where the name was another collection's for a while.
 * @param {Port} port
 * @param {any} error
 * @param {Followed} direction
 */
async function asChanged(port, error, direction) {
  if (error?.code !== 'TUNE-35005') return error;
  const isThere = await sourceName(port, direction).then(Boolean, () => false);
  return changed(direction.from, { by: error.value, id: direction.id, isThere });
}

module.exports = { asChanged, changed, checkOnlyMark, isMark, isMarkOf };
