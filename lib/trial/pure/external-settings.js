'use strict';

const { settingsIn } = require('../../config/config-layers');
const { settingsOf, pick, showChange, without } = require('../../config/change');
const { setsSame } = require('../../change/pure/later-changes');
const { quoteConfig } = require('../../config/engine-config');

/**
 * @import { Change, SettingName } from '../../base/types'
 */

/**
 * The strings that other sessions have set of the settings that are tried.
 * @typedef {{ config: string, later: readonly string[] }} ExternalString a string of another session, and
 *   the calls of the trial after it
 */

/**
 * @param {Change} tried
 * @param {readonly ExternalString[]} found in order
 * @returns {Change} the settings in effect as other sessions set them: no call of the trial came
 *   after those
 */
function externalSettingsOf(tried, found) {
  /** @type {Change} */
  const external = {};
  for (const { config, later } of found) {
    const change = settingsIn(config);
    const ours = settingsIn(later.join(','));
    const left = settingsOf(change).filter(
      (setting) => tried[setting] !== undefined && ours[setting] === undefined,
    );
    Object.assign(external, pick(change, left));
  }
  return external;
}

/**
 * @param {Change} change
 * @param {Change} external
 * @returns {Change} the settings that no other session set
 */
const withoutExternal = (change, external) => without(change, settingsOf(external));

/**
 * @param {readonly string[]} configs
 * @param {Change} external
 * @returns {string}
 */
function externalSentence(configs, external) {
  const what = configs.map((config) => quoteConfig(config)).join(', then ');
  const stays = configs.length === 1 ? 'it stays as it is' : 'they stay as they are';
  return `Another session set ${what}${settingsOf(external).length > 0 ? `; ${stays}` : ''}.`;
}

/**
 * @param {Change} A
 * @param {Change} external
 * @param {readonly SettingName[] | null} [left] the settings that were not restored; an undo is
 *   printed for them
 * @returns {string[]} the settings in effect now, and what to type
 */
function activeSentence(A, external, left = null) {
  if (settingsOf(external).length === 0) return [];
  const back = withoutExternal(A, external);
  const ours = without(back, left ?? []);
  const before = pick(A, settingsOf(external));
  return [
    `Active: ${showChange(external)}, set by another ` +
      `session${settingsOf(ours).length > 0 ? `, and ${showChange(ours)} as before the trial` : ''}.` +
      `${left === null ? ` tune.apply(${showChange(before)}) shows a dry run of the way back.` : ''}`,
  ];
}

/**
 * @param {readonly { config: string }[]} fresh the strings that the server accepted since the plan
 * @param {readonly string[]} calls the strings that the trial sent
 * @param {string} lost one of the calls, which was never answered
 * @returns {'out' | 'before' | 'after'} whether the call has arrived, and whether a later call of
 *   the trial has set the same since
 */
function arrivalOf(fresh, calls, lost) {
  const count = (/** @type {readonly string[]} */ configs) =>
    configs.filter((config) => config === lost).length;
  const configs = fresh.map(({ config }) => config);
  if (count(configs) === 0 || count(configs) < count(calls)) return 'out';
  const own = settingsIn(lost);
  const isOver = configs
    .slice(configs.lastIndexOf(lost) + 1)
    .some((config) => calls.includes(config) && setsSame(config, own));
  return isOver ? 'before' : 'after';
}

module.exports = {
  externalSettingsOf,
  withoutExternal,
  externalSentence,
  activeSentence,
  arrivalOf,
};
