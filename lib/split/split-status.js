'use strict';

const { callText } = require('../base/pure/printable');
const { lastComparison } = require('./comparisons');
const { PHASE_TABLE, blocksIn } = require('./pure/phase-table');
const { ownId } = require('./pure/split-names');
const { hasDifferences } = require('./pure/split-next');

/**
 * @import { Open } from './blocked-names'
 * @import { Split } from './types'
 */

/** The phase that begins when the source is cut off. */
const AFTER_THE_CUT = Object.freeze({ online: 'draining', offline: 'created' });

/**
 * @typedef {Split & { namesBlocked?: boolean, namesUnknown?: boolean, namesOpen?: boolean, open?: Open[]
 * }} Seen as
 *   readNames() saw its names
 * @param {Seen} split
 * @returns {boolean}
 */
const isBlocked = ({ phase, mode, reopened, namesBlocked = false, namesOpen = false }) =>
  namesBlocked || Boolean(reopened) || (blocksIn(phase, mode) === true && !namesOpen);

/**
 * Makes the next call of one collection, which must not act on the others of its plan.
 * @param {Split} split
 * @param {'next' | 'back'} way
 * @returns {string | null} the call
 */
function callOf(split, way) {
  const { phase, mode, refuses, reopened } = split;
  // Any command completes the undoing of a cut first; resume does nothing else.
  const verb = reopened ? UNDOING[way] : PHASE_TABLE[phase]?.[way];
  if (!verb || (phase === 'aborted' && !refuses) || (mode === 'offline' && verb === 'rollback'))
    return null;
  return callText(`split.${verb}`, ownId(split), { confirm: true });
}

const UNDOING = Object.freeze({ next: 'resume', back: null });

/** Returns the next call; differences are repaired first. @param {Split} split */
const nextOf = (split) =>
  !split.reopened &&
  split.phase === 'following' &&
  hasDifferences({ verified: lastComparison(split) })
    ? callText('split.verify', ownId(split), { repair: true, confirm: true })
    : callOf(split, 'next');

/**
 * Returns the collection that takes disk until it is dropped.
 * @param {Seen} split @returns {string | null}
 */
function keptOf({ phase, from, into, kept = false, gone = null }) {
  if (phase === 'switched') return `${from.db}.${from.renamedTo}`;
  const isKept =
    phase === 'rolled-back'
      ? gone !== 'target'
      : kept && (phase === 'aborted' || phase === 'finished');
  return isKept ? `${into.db}.${into.stagingName}` : null;
}

/**
 * Says whether it is not known that both names are blocked.
 * @param {Seen} split @returns {{ namesUnknown?: boolean }}
 */
const unknownOf = ({ namesUnknown = false }) => (namesUnknown ? { namesUnknown } : {});

/** @param {Split} split */
const datesOf = ({ appliedAt = null, readUntil = appliedAt }) => ({
  broughtOverAt: appliedAt,
  readUntil,
});

/**
 * A split as users get it: no type of the driver, no part of the data but the _id of documents that
 * differ.
 * @param {Seen} split
 * @param {Date | null} [oplogFrom] the oldest that the oplog holds; null: not asked, or not known
 */
function statusOfSplit(split, oplogFrom = null) {
  const {
    planId,
    source,
    target,
    phase,
    mode,
    method,
    documents,
    copied,
    reconciled,
    history,
    lease,
    from,
    into,
    pendingConflicts,
    reads = 'refused',
    gone = null,
    throttledMs = 0,
    open = [],
  } = split;
  return {
    id: planId,
    ownId: ownId(split),
    from: source,
    into: target,
    phase,
    mode,
    method,
    documents: Number(documents),
    copied: Number(copied),
    changesApplied: Number(reconciled),
    ...datesOf(split),
    oplogFrom,
    throttledMs: Number(throttledMs),
    pendingConflicts: pendingConflicts.length,
    since: history[history.length - 1].at,
    history: history.map((one) => ({ ...one })),
    renamedTo: `${from.db}.${from.renamedTo}`,
    stagingName: `${into.db}.${into.stagingName}`,
    kept: keptOf(split),
    gone,
    verified: lastComparison(split),
    reads,
    blocked: isBlocked(split),
    open,
    cutAt: history.find((one) => one.phase === AFTER_THE_CUT[mode])?.at ?? null,
    // A lease that was left for the next owner ended at 0.
    heldBy: lease && Number(lease.until) > 0 ? { who: lease.who, until: lease.until } : null,
    next: nextOf(split),
    nextBack: callOf(split, 'back'),
    ...unknownOf(split),
  };
}

module.exports = { statusOfSplit, isBlocked, callOf };
