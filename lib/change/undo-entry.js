'use strict';

const { settingsOf } = require('../config/change');
const { maybeSent, noWayBack } = require('./pure/way-back');
const { settingsIn } = require('../config/effective-config');
const { TuneError } = require('../base/pure/errors');
const { writeLine, writeOutcome } = require('./journal');
const { isInProgress, busyError } = require('./change-lock');
const { sameRun } = require('./pure/journal');
const { arrivedCall, pendingWords } = require('./pure/pending-call');
const { pendingNow } = require('./pending-calls');
const { inverseOf, hasWayBack, notBroughtBack, progressNote } = require('./pure/undoable');
const { othersSince, externalDuring, laterChanges, overtakenBy } = require('./pure/later-changes');
const { planInOrder } = require('./undo-conflict');
const { applyPlan } = require('./apply-plan');
const { CLOCK_MS } = require('./pure/log-reach');

/**
 * @import { Change, Context } from '../base/types'
 * @import { Done } from './apply-plan'
 * @import { Planned } from './plan-change'
 * @import { Entry, MemberGroup } from './pure/journal'
 * @import { Settings } from './types'
 */

/** Undoes one entry of the journal, on the server on which it was made. */

/**
 * @param {Entry} entry
 * @param {{
 *   settings: Settings, force: boolean, cores: number | null, passedOver?: readonly string[],
 *   journalOnly?: boolean
 * }} how `passedOver`: the notes on entries that stay; `journalOnly`: as in checkSafety(); false
 *   where this shell made the change itself
 * @returns {{ asked: Change, planned: Planned }}
 * @throws {TuneError} TUNE-30002, TUNE-30003, TUNE-30006, TUNE-30010
 */
function planUndo(entry, { settings, force, cores, passedOver = [], journalOnly = true }) {
  checkWriter(entry, force);
  const pending = pendingNow(entry, settings);
  const warnings = [
    ...progressNote(entry),
    ...(pending === null ? [] : [pendingWords(pending)]),
    ...checkExternal(entry, settings, force),
  ];
  const asked = inverseOf(entry);
  const checksLimit = isLimitOther(entry, settings);
  const options = { force, cores, wasActive: true, journalOnly, checksLimit };
  const planned = planInOrder(entry, asked, settings, options);
  planned.warnings.unshift(...warnings, ...notBroughtBack(entry), ...passedOver);
  return { asked, planned };
}

/**
 * @param {Entry} entry @param {Settings} settings
 * @returns {boolean} whether the values before may exceed the memory limit: it was lowered since,
 *   or only force had set them
 */
const isLimitOther = (entry, { memoryBytes, entries }) =>
  (memoryBytes ?? Infinity) < (entry.memoryBytes ?? -Infinity) || wasForced(entry, entries);

/**
 * @param {Entry} entry
 * @param {readonly Entry[]} entries
 * @returns {boolean} whether the change was forced; for an undo: the change that it undid
 */
const wasForced = ({ action, undoes }, entries) =>
  action === 'undo' && entries.some(({ id, force }) => id === undoes && force === true);

/**
 * Refuses to undo a change that another shell is still making.
 * @param {Entry} entry @param {boolean} force
 */
function checkWriter(entry, force) {
  if (entry.outcome === 'unknown' && !force && isInProgress(entry)) throw busyError(entry);
}

/**
 * Says that an undo is not verified where a call of the change may still arrive: it would set the
 * values again, whatever is read back.
 * @param {Entry} entry @param {Pick<Settings, 'timeline' | 'run'>} settings
 * @returns {{ verified: false } | null}
 */
const doubtOf = (entry, settings) =>
  pendingNow(entry, settings) === null ? null : { verified: false };

/**
 * @param {Entry} entry
 * @param {Settings} settings
 * @param {boolean} force
 * @returns {string[]} warnings
 */
function checkExternal(entry, { timeline, drift, entries, readAtMs }, force) {
  const change = settingsIn(maybeSent(entry).join(','));
  const { overwritten, alongside, unknown } = othersSince(timeline, { ...entry, change });
  const drifted = drift
    .filter(({ setting }) => change[setting] !== undefined)
    .map(({ say }) => say.replace(/\.$/, ''));
  const undos = entries.filter(({ undoes }) => undoes === entry.id).map(({ id }) => id);
  const reasons = [
    ...(isBeyond(entry, timeline, readAtMs) ? [SET_BACK] : []),
    // The noted settings of a trial may still be in effect: then nothing overwrote them.
    ...externalDuring(timeline, entry, change, undos)
      .filter((text) => !overwritten.includes(text))
      .map((text) => `another session set "${text}" just before it, and the change overwrote that`),
    ...laterChanges(timeline, entries, entry, change).map(
      ({ id, action }) =>
        `the later ${action === 'undo' ? 'undo' : 'change'} ${id} set the same ` +
        `(tune.undo("${id}") comes first)`,
    ),
    ...overwritten.map((text) => `another session set "${text}"`),
    ...drifted,
    ...(unknown
      ? ['the log does not cover the whole time, so another session may have changed settings']
      : []),
  ];
  if (reasons.length > 0 && !force) {
    throw new TuneError('TUNE-30006', `Since the change ${entry.id}, ${reasons.join('; ')}.`, {
      value: entry.id,
      seen: reasons,
    });
  }
  return [
    ...reasons.map((reason) => `Overwritten by force: ${reason}.`),
    ...alongside.map((text) => `Another session set "${text}" since; it stays.`),
    ...overtakenBy(timeline, entry, entries).map(
      (id) => `The late call of this change ended the change ${id}: make that one again.`,
    ),
  ];
}

const SET_BACK =
  "the server's clock was set back, so its log does not show what was set before and what after it";

/**
 * Says whether a change is later than the server's present time; a change of which the log shows
 * nothing has its place by its time only.
 * @param {Entry} entry @param {Settings['timeline']} timeline
 * @param {number} [nowMs] the time by the server's clock
 */
const isBeyond = ({ id, atMs }, timeline, nowMs = Infinity) =>
  atMs > nowMs + CLOCK_MS && !timeline.some((event) => event.kind === 'set' && event.id === id);

/**
 * Reverts a change. Where no call is needed the journal says so, unless nothing of the change can
 * be undone, or a call of it may still arrive: then the change stays open.
 * @param {Context} ctx
 * @param {Entry} entry
 * @param {Planned} planned
 * @param {{
 *   settings: Settings, force: boolean, group?: MemberGroup, isOwnWayBack?: boolean
 * }} how `isOwnWayBack`: the shell that is changing the members of a set reverts its own change
 * @returns {Promise<Done | null>}
 */
async function revert(ctx, entry, planned, { settings, force, group, isOwnWayBack }) {
  const unsettled = pendingNow(entry, settings) !== null;
  if (settingsOf(planned.change).length > 0) {
    const plan = { action: /** @type {const} */ ('undo'), undoes: entry.id, ...planned };
    const done = await applyPlan(ctx, { ...plan, group, force, unsettled, isOwnWayBack }, settings);
    closeDeadUndos(ctx, entry, settings);
    return done;
  }
  if (unsettled && force && isInProgress(entry))
    writeOutcome(ctx.home, entry.id, { outcome: 'unknown', reason: STOPPED });
  if (!hasWayBack(entry) || unsettled) return null;
  closeDeadUndos(ctx, entry, settings);
  const left = noWayBack(entry);
  const [outcome, reason] =
    left.length > 0
      ? /** @type {const} */ (['partly-undone', `not restored: ${left.join(', ')}`])
      : /** @type {const} */ (['undone', 'none of its settings was active']);
  writeOutcome(ctx.home, entry.id, { outcome, reason });
  return null;
}

/**
 * The reason for the shell that is making the change, which makes no further call; its earlier
 * calls may still arrive.
 */
const STOPPED = 'undone by force from another shell';

/**
 * Closes an undo whose shell was killed: nothing is left to do once its change is undone.
 * @param {Context} ctx @param {Entry} entry @param {Settings} settings
 */
function closeDeadUndos(ctx, entry, { entries, run, timeline }) {
  const dead = entries.filter(
    (one) =>
      one.undoes === entry.id &&
      one.outcome === 'unknown' &&
      sameRun(one.run, run) &&
      !isInProgress(one),
  );
  for (const one of dead) {
    const arrived = arrivedCall(one, timeline);
    if (arrived !== null) writeLine(ctx.home, arrived);
    writeOutcome(ctx.home, one.id, {
      outcome: 'interrupted',
      reason: `the change ${entry.id} was undone again`,
    });
  }
}

module.exports = { planUndo, revert, doubtOf };
