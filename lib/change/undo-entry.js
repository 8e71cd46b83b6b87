'use strict';

const { knobsOf } = require('../config/change');
const { maybeSent, noWayBack } = require('./pure/journal');
const { knobsIn } = require('../config/settings');
const { TuneError } = require('../base/pure/errors');
const { writeLine } = require('./journal');
const { isAlive, writerName } = require('./writers');
const { inverseOf, hasWayBack, notBroughtBack, howFar } = require('./pure/undoable');
const { othersSince, othersDuring, laterChanges } = require('./pure/others');
const { planChange } = require('./planned');
const { carryOut } = require('./carry-out');

/**
 * The way back from one entry of the journal, on the server it was made on.
 * @typedef {import('../base/context').Context} Context
 * @typedef {import('./pure/journal').Entry} Entry
 * @typedef {import('../observe/settings').Settings} Settings @typedef {import('./planned').Planned} Planned
 */

/**
 * @param {Entry} entry
 * @param {{
 *   settings: Settings, force: boolean, cores: number | null, passedOver?: readonly string[]
 * }} how `passedOver`: what is
 *   to be said of entries that stay
 * @returns {{ asked: import('../config/knobs').Change, planned: Planned }}
 * @throws {TuneError} TUNE-30003, TUNE-30006, TUNE-30010
 */
function planUndo(entry, { settings, force, cores, passedOver = [] }) {
  checkWriter(entry, force);
  const warnings = [...howFar(entry), ...checkOthers(entry, settings, force)];
  const asked = inverseOf(entry);
  const planned = planChange(asked, settings, { force, cores });
  planned.warnings.unshift(...warnings, ...notBroughtBack(entry), ...passedOver);
  return { asked, planned };
}

/** A trial that still runs goes back by itself. @param {Entry} entry @param {boolean} force */
function checkWriter(entry, force) {
  const { id, action, outcome } = entry;
  if (action !== 'trial' || outcome !== 'unknown' || force || !isAlive(entry)) return;
  throw new TuneError(
    'TUNE-30010',
    `The trial ${id} may still run in another shell (${writerName(entry)}), which has not ` +
      'written its end: Ctrl-C there ends it. If it is over there, pass { force: true }.',
    { value: id },
  );
}

/**
 * @param {Entry} entry
 * @param {Settings} settings
 * @param {boolean} force
 * @returns {string[]} warnings
 */
function checkOthers(entry, { timeline, drift, entries }, force) {
  const change = knobsIn(maybeSent(entry).join(','));
  const { overwritten, beside, unknown } = othersSince(timeline, { ...entry, change });
  const drifted = drift
    .filter(({ knob }) => change[knob] !== undefined)
    .map(({ say }) => say.replace(/\.$/, ''));
  const reasons = [
    // What is noted of a trial may be in force still: then nothing overwrote it.
    ...othersDuring(timeline, entry, change)
      .filter((text) => !overwritten.includes(text))
      .map((text) => `another session set "${text}" just before it, and the change overwrote that`),
    ...laterChanges(entries, entry, change).map(
      (id) => `the later change ${id} set the same (tune.undo("${id}") comes first)`,
    ),
    ...overwritten.map((text) => `somebody set "${text}"`),
    ...drifted,
    ...(unknown ? ['the log does not reach back, so somebody may have set something'] : []),
  ];
  if (reasons.length > 0 && !force) {
    throw new TuneError('TUNE-30006', `Since the change ${entry.id}, ${reasons.join('; ')}.`, {
      value: entry.id,
      seen: reasons,
    });
  }
  return [
    ...reasons.map((reason) => `Overwritten by force: ${reason}.`),
    ...beside.map((text) => `Somebody set "${text}" since; it stays.`),
  ];
}

/**
 * Where nothing is to be sent the journal learns it, unless that is because nothing of it has a way
 * back: then the change stands.
 * @param {Context} ctx
 * @param {Entry} entry
 * @param {Planned} planned
 * @param {{ settings: Settings, force: boolean, group?: import('./pure/journal').Group }} how
 * @returns {Promise<import('./carry-out').Done | null>}
 */
async function bringBack(ctx, entry, planned, { settings, force, group }) {
  if (knobsOf(planned.change).length > 0)
    return carryOut(ctx, { action: 'undo', undoes: entry.id, ...planned, group, force }, settings);
  if (!hasWayBack(entry)) return null;
  const left = noWayBack(entry);
  const [outcome, reason] =
    left.length > 0
      ? /** @type {const} */ (['partly-undone', `not brought back: ${left.join(', ')}`])
      : /** @type {const} */ (['undone', 'nothing of it was in force']);
  writeLine(ctx.home, {
    kind: 'outcome',
    id: entry.id,
    at: new Date().toISOString(),
    outcome,
    after: null,
    verified: null,
    reason,
  });
  return null;
}

module.exports = { planUndo, bringBack };
