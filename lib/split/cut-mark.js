'use strict';

const { callText } = require('../base/pure/printable');
const { CURSOR_NOT_FOUND } = require('../base/pure/server-codes');
const { TuneError } = require('../base/pure/errors');
const { nsOf } = require('./directions');
const { isTokenPast } = require('./pure/token-time');
const { sourceName } = require('./target');

/**
 * @import { Direction } from './directions'
 * @import { Port } from './server'
 */

/**
 * Finds the mark of a cut in the stream of changes: the rename of the source to its name for that
 * cut.
 * @typedef {Direction & { id: string, cutBy: any }} Followed `id`: the id of this collection's
 *   split only
 */

/**
 * Says whether an event is of a cut that tune undid. Another session may have used its name since.
 * @param {any} event
 * @param {Direction['undoneCuts'][number]} cut
 */
const isMarkOf = ({ operationType, to, clusterTime }, { name, until }) =>
  operationType === 'rename' && name === to.coll && until.greaterThanOrEqual(clusterTime);

/**
 * Says whether an event is the cut of the source.
 * @param {any} event
 * @param {Followed} direction
 * @throws {TuneError} TUNE-35005
 */
function isMark(event, { from, cutBy, id }) {
  const { operationType, to } = event;
  if (operationType === 'create') return false;
  // Without `cutBy` the source is in its place: another session undid the cut, and what was written
  // meanwhile is not known.
  if (cutBy && operationType === 'rename' && to.coll === from.renamedTo) return true;
  throw changed(from, { by: operationType, id });
}

/**
 * Reads on after a mark. The cut is the last mark up to `cutBy`; after an earlier one, or one that
 * was undone, writes are missing. Most members have the cut before that time is read, so no mark
 * comes later. Where another session renamed the source, writes to its name for the cut come after
 * the mark.
 * @param {{
 *   next: () => Promise<{ event: any, token?: unknown }>, majorityAt: (time: any) => Promise<string | null>,
 *   take: (event: any) => void, unseen: () => void
 * }} stream `next`: the event after the first mark; null: there is none for the moment;
 *   `majorityAt`: the election of a primary that knows that time as majority-committed; `take`:
 *   takes a write of the source; `unseen`: notes that it had a name of which no event is read
 * @param {Followed} direction
 * @throws {TuneError} TUNE-35005
 */
async function readBehindMark({ next, majorityAt, take, unseen }, { from, cutBy, id }) {
  const isOver = endAt(majorityAt, cutBy);
  const wasBack = backUnderItsName(from);
  for (;;) {
    const { event, token } = await next();
    if (event) {
      if (!cutBy.greaterThanOrEqual(event.clusterTime)) return;
      if (wasBack(event)) throw changed(from, { by: 'rename', id });
      if (event.operationType === 'rename' && event.to.coll === from.renamedTo) unseen();
      if (event.isDocument && event.ns.coll === from.renamedTo) take(event);
    } else if (await isOver(token)) return;
  }
}

/**
 * Detects a source that got its own name back: it may then have taken writes, whatever its names in
 * between. Under any other name it has no writers. Before it left its name for the cut, a
 * collection renamed from that name is another one.
 * @param {Direction['from']} from
 * @returns {(event: any) => boolean}
 */
function backUnderItsName({ name, renamedTo }) {
  let isAway = false;
  return ({ operationType, ns, to }) => {
    if (operationType !== 'rename') return false;
    const wasAway = isAway;
    isAway ||= ns.coll === renamedTo;
    return (isAway && to.coll === name) || (ns.coll === name && (wasAway || to.coll === renamedTo));
  };
}

/** Milliseconds of lag to a primary after which a stream is opened again; heuristic. */
const STALE_MS = 5_000;

/**
 * Says whether a stream that has no event for the moment has shown all up to a time. Its token
 * shows that: the stream may be one of a member that is no longer primary, and may lack what the
 * new one has.
 * @param {(time: any) => Promise<string | null>} majorityAt @param {any} time
 * @returns {(token: unknown) => Promise<boolean>} it throws where the stream does not advance
 */
function endAt(majorityAt, time) {
  /** @type {string | null} */ let election = null;
  let knownAtMs = Infinity;
  return async (token) => {
    const isPast = isTokenPast(token, time);
    if (isPast) return true;
    const now = await majorityAt(time);
    if (isPast === false) {
      knownAtMs = now === null ? Infinity : Math.min(knownAtMs, performance.now());
      if (performance.now() - knownAtMs > STALE_MS) throw behind();
      return false;
    }
    // A new primary may know less for a moment: "none" counts from a primary that knew that time
    // before and is the same after it.
    const isOver = now !== null && now === election;
    election = now;
    return isOver;
  };
}

/** The lag passes: the next stream is opened at the primary. */
const behind = () =>
  Object.assign(new Error('the change stream is behind the primary'), { code: CURSOR_NOT_FOUND });

/**
 * @param {Direction['from']} from
 * @param {{ by: string, id: string, isThere?: boolean }} how `isThere`: its collection exists
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
 * Returns the error for a name that was another collection's for a while.
 * @param {Port} port
 * @param {any} error
 * @param {Followed} direction
 */
async function asChanged(port, error, direction) {
  if (error?.code !== 'TUNE-35005') return error;
  const isThere = await sourceName(port, direction).then(Boolean, () => false);
  return changed(direction.from, { by: error.value, id: direction.id, isThere });
}

module.exports = { asChanged, changed, endAt, isMark, isMarkOf, readBehindMark };
