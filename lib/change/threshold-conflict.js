'use strict';

const { callText } = require('../base/pure/printable');
const { conflictsOf } = require('../config/thresholds');
const { byGroup, pick, settableIn, settingsOf, without } = require('../config/change');
const { quoteConfig } = require('../config/engine-config');
const { configuredValues } = require('./plan-change');
const { sets } = require('./pure/later-changes');
const { needsForce } = require('./undo-call');

/**
 * @import { Change, SettingName } from '../base/types'
 * @import { Raw } from '../config/thresholds'
 * @import { ExternalChange } from './external-change'
 * @import { ChangeRun } from './change-run'
 */

/**
 * Finds settings of this change that contradict what other sessions set meanwhile: a wrong order,
 * or bytes that a smaller cache cannot hold.
 * @typedef {{ say: string, settings: SettingName[], first: Change }} OrderConflict `settings`: those that
 *   contradict each other; `first`: what an apply would set before, empty where that is not known
 * @typedef {Pick<ChangeRun, 'settings' | 'external' | 'sent'>} Known
 * @typedef {Known & Pick<ChangeRun, 'id' | 'plan'>} Begun
 */

/**
 * @param {Known} changeRun
 * @param {Change} going the settings to send
 * @returns {OrderConflict | null} the settings to send that contradict what other sessions set
 *   meanwhile
 */
function conflictWith({ settings, external, sent }, going) {
  if (external.length === 0) return null;
  const { raw, foreign, later, now } = valuesNow({ settings, external, sent });
  // Settings that others set over a call of this change may be noted as sent, too.
  const own = pick(
    sent,
    settingsOf(sent).filter((setting) => sent[setting] !== later[setting]),
  );
  // The size of the cache counts too, where a threshold is in bytes.
  const alone = [...conflictsOf({ ...raw, ...own, ...going }), ...conflictsOf(now)];
  return firstOf({ ...now, ...going }, { raw, foreign, external, alone });
}

/**
 * Returns `later`, the external settings that no call of this change followed, and `now`, the
 * settings in effect.
 * @param {Known} changeRun
 */
function valuesNow({ settings, external, sent }) {
  const raw = configuredValues(settings);
  const foreign = allOf(external);
  const later = allOf(external.filter(({ values }) => !values.overwritten));
  return { raw, foreign, later, now: { ...raw, ...foreign, ...sent, ...later } };
}

/**
 * Finds contradictions, whichever session set last: another one may have set something between a
 * check and its call.
 * @param {Known} changeRun
 * @returns {OrderConflict | null} the settings of this change that are in effect and contradict
 *   what other sessions set
 */
function conflictNow({ settings, external, sent }) {
  if (external.length === 0) return null;
  const { raw, foreign, now } = valuesNow({ settings, external, sent });
  const alone = [
    ...conflictsOf({ ...raw, ...sent }),
    ...conflictsOf({ ...raw, ...foreign }).filter((one) =>
      one.settings.every((setting) => sent[setting] === undefined),
    ),
  ];
  return firstOf(now, { raw, foreign, external, alone });
}

/** @param {readonly ExternalChange[]} external @returns {Change} */
const allOf = (external) => Object.assign({}, ...external.map(({ values }) => values.change));

/** @param {readonly { settings: readonly SettingName[] }[]} list @param {readonly SettingName[]} both */
const hasPair = (list, both) => list.some(({ settings }) => settings.join() === both.join());

/**
 * @param {Raw} state
 * @param {{
 *   raw: Raw, foreign: Change, external: readonly ExternalChange[],
 *   alone: readonly { settings: SettingName[] }[]
 * }} known `alone`: the contradictions without other sessions
 * @returns {OrderConflict | null}
 */
function firstOf(state, { raw, foreign, external, alone }) {
  const found = conflictsOf(state).find(({ settings }) => !hasPair(alone, settings));
  if (found === undefined) return null;
  const texts = external.map(({ values }) => quoteConfig(values.config)).join(', then ');
  return {
    say: `With ${texts}, which another session has set since, ${found.say}`,
    settings: found.settings,
    first: valuesThatResolve(state, found.settings, { before: raw, foreign }),
  };
}

/**
 * @param {Raw} state values that contradict each other
 * @param {readonly SettingName[]} both the contradicting settings
 * @param {{ before: Raw, foreign: Change }} others `before`: the values that the other sessions
 *   replaced
 * @returns {Change} the former values of external settings that resolve the contradiction; empty:
 *   there are none
 */
function valuesThatResolve(state, both, { before, foreign }) {
  const values = settableIn(before);
  const external = settingsOf(foreign).filter((setting) => values[setting] !== undefined);
  const tries = [external.filter((setting) => both.includes(setting)), external];
  const first = tries
    .map((settings) => pick(values, settings))
    .find((one) => settingsOf(one).length > 0 && !hasPair(conflictsOf({ ...state, ...one }), both));
  return first ?? {};
}

/**
 * Separates the part of a rollback that contradicts nothing from the part that has to wait.
 * @param {Known} changeRun
 * @param {Change} going
 * @returns {{ rest: Change, conflict: OrderConflict | null, left: SettingName[] }} `left`: the
 *   settings that are not in `rest`
 */
function inOrderWith(changeRun, going) {
  let rest = going;
  /** @type {OrderConflict | null} */ let conflict = null;
  for (;;) {
    const found = conflictWith(changeRun, rest);
    if (found === null) break;
    conflict ??= found;
    rest = withoutCause(changeRun, rest, found);
  }
  const left = settingsOf(without(going, settingsOf(rest)));
  return { rest, conflict, left };
}

/**
 * @param {Known} changeRun @param {Change} going @param {OrderConflict} found
 * @returns {Change} the settings without the group that causes the contradiction; empty where
 *   several groups do
 */
function withoutCause(changeRun, going, { settings }) {
  const parts = byGroup(going).map(({ change }) => without(going, settingsOf(change)));
  const isLifted = (/** @type {Change} */ rest) =>
    conflictWith(changeRun, rest)?.settings.join() !== settings.join();
  return parts.find(isLifted) ?? {};
}

/**
 * @param {Pick<OrderConflict, 'settings' | 'first'>} conflict
 * @param {string | null} [then] the next command after it
 * @param {string} [member] the member of a set, where the change was made on several
 * @returns {string} what to type
 */
function firstWords({ settings, first }, then = null, member = undefined) {
  const members = member === undefined ? {} : { members: [member] };
  const call =
    settingsOf(first).length > 0
      ? callText('apply', first, { ...members, confirm: true })
      : `tune.apply() of ${settings.join(' or ')}`;
  return then === null ? `${call} puts that right.` : `${call} comes first, then ${then}.`;
}

/**
 * Makes the undo call of a change whose rollback did not reach its end.
 * @param {Begun} changeRun
 * @param {boolean} [force] also where no other session has set one of its settings
 * @returns {{ undo: string, over: string }} the call, and whose values it overwrites
 */
function undoCallFor({ id, plan, settings, external, sent }, force = false) {
  const isShared = external.some(({ values }) => sets(values.config, plan.change));
  const { foreign, now } = valuesNow({ settings, external, sent });
  const notOurs = settingsOf(foreign).filter(
    (setting) => plan.change[setting] !== undefined && now[setting] === foreign[setting],
  );
  const isRefused = needsForce(plan, settings);
  return {
    undo: callText('undo', id, { confirm: true, force: force || isShared || isRefused }),
    over: notOurs.length === 0 ? '' : `overwrites ${notOurs.join(', ')}, which another session set`,
  };
}

/**
 * @param {Begun} changeRun
 * @param {OrderConflict} conflict why a part of the change was not restored
 * @returns {string} what to type
 */
function restoreWords(changeRun, conflict) {
  const { undo, over } = undoCallFor(changeRun);
  if (over === '') return firstWords(conflict, undo);
  const still = withWholeUndo(changeRun);
  return still === null
    ? `${undo} restores the settings before, and ${over}.`
    : `${firstWords(still, undo)} The undo ${over}.`;
}

/**
 * Finds what prevents even a forced undo, which sets the settings of the change whichever session
 * set them.
 * @param {Begun} changeRun
 * @returns {Pick<OrderConflict, 'settings' | 'first'> | null} the contradiction that remains
 */
function withWholeUndo(changeRun) {
  const { plan } = changeRun;
  const { raw, foreign, now } = valuesNow(changeRun);
  const state = { ...now, ...plan.before };
  const found = conflictsOf(state).find((one) =>
    one.settings.some((setting) => plan.change[setting] !== undefined),
  );
  if (found === undefined) return null;
  const others = without(foreign, settingsOf(plan.change));
  const { settings } = found;
  return { settings, first: valuesThatResolve(state, settings, { before: raw, foreign: others }) };
}

module.exports = {
  conflictWith,
  conflictNow,
  inOrderWith,
  valuesThatResolve,
  hasPair,
  firstWords,
  undoCallFor,
  restoreWords,
};
