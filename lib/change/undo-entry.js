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

/**
 * @import { Change, Context } from '../base/types'
 * @import { Done } from './apply-plan'
 * @import { Planned } from './plan-change'
 * @import { Entry, MemberGroup } from './pure/journal'
 * @import { Settings } from './types'
 */

/**
 * The way back from one entry of the journal, on the server it was made on.
 *
 */

/**
 * @param {Entry} entry
 * @param {{
 *   settings: Settings, force: boolean, cores: number | null, passedOver?: readonly string[],
 *   journalOnly?: boolean
 * }} how `passedOver`: what is
 *   to be said of entries that stay; `journalOnly`: as checkSafety() has it; false where this shell
 *   made the change itself
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
 * @returns {boolean} whether its values before may be beyond the limit of memory: that was lowered
 *   since, or force alone had set them
 */
const isLimitOther = (entry, { memoryBytes, entries }) =>
  (memoryBytes ?? Infinity) < (entry.memoryBytes ?? -Infinity) || wasForced(entry, entries);

/** @param {Entry} entry @param {readonly Entry[]} entries @returns {boolean} of an undo: what it undid */
const wasForced = ({ action, undoes }, entries) =>
  action === 'undo' && entries.some(({ id, force }) => id === undoes && force === true);

/**
 * A change that another shell is still making is not undone.
 * @param {Entry} entry @param {boolean} force
 */
function checkWriter(entry, force) {
  if (entry.outcome === 'unknown' && !force && isInProgress(entry)) throw busyError(entry);
}

/**
 * Whatever is read back after an undo, a call of the change that arrives late sets it again.
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
    // What is noted of a trial may be in effect still: then nothing overwrote it.
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

/** What the clock of a server is off, and what an answer takes on a slow network, ms. */
const CLOCK_MS = 10_000;
const SET_BACK =
  "the server's clock was set back, so its log does not show what was set before and what after it";

/**
 * A change of which the log shows nothing has its place by its time alone.
 * @param {Entry} entry @param {Settings['timeline']} timeline
 * @param {number} [nowMs] by the server's clock
 */
const isBeyond = ({ id, atMs }, timeline, nowMs = Infinity) =>
  atMs > nowMs + CLOCK_MS && !timeline.some((event) => event.kind === 'set' && event.id === id);

/**
 * Where nothing is to be sent the journal says so, unless nothing of it can be undone, or a call of
 * it may still arrive: then the change stays open.
 * @param {Context} ctx
 * @param {Entry} entry
 * @param {Planned} planned
 * @param {{
 *   settings: Settings, force: boolean, group?: MemberGroup, isOwnWayBack?: boolean
 * }} how `isOwnWayBack`: of the shell that is changing the members of a set
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

/** The shell that is at it makes no further call; what it has sent may still arrive. */
const STOPPED = 'undone by force from another shell';

/**
 * Of an undo whose shell was killed nothing is left to do once its change is undone.
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
