'use strict';

const { knobsIn } = require('../../config/config-layers');
const { knobsOf, pick, showChange } = require('../../config/change');

/**
 * What other sessions have set of the settings that are tried.
 * @typedef {import('../../config/knobs').Change} Change
 * @typedef {{ config: string, later: readonly string[] }} Foreign a string of another session, and
 *   the calls of the trial after it
 */

/**
 * @param {Change} tried
 * @param {readonly Foreign[]} found in order
 * @returns {Change} what is in force of it as they set it: no call of the trial came after it
 */
function theirsOf(tried, found) {
  /** @type {Change} */
  const theirs = {};
  for (const { config, later } of found) {
    const change = knobsIn(config);
    const ours = knobsIn(later.join(','));
    const left = knobsOf(change).filter(
      (knob) => tried[knob] !== undefined && ours[knob] === undefined,
    );
    Object.assign(theirs, pick(change, left));
  }
  return theirs;
}

/** @param {Change} change @param {Change} theirs @returns {Change} the settings that are not theirs */
const withoutTheirs = (change, theirs) =>
  pick(
    change,
    knobsOf(change).filter((knob) => theirs[knob] === undefined),
  );

/**
 * @param {readonly string[]} configs
 * @param {Change} theirs
 * @returns {string}
 */
function sayOthers(configs, theirs) {
  const what = configs.map((config) => `"${config}"`).join(', then ');
  const stays = configs.length === 1 ? 'it stays as it is' : 'they stay as they are';
  return `Somebody else set ${what} meanwhile${knobsOf(theirs).length > 0 ? `; ${stays}` : ''}.`;
}

/**
 * @param {Change} A
 * @param {Change} theirs
 * @returns {string[]} what is in force now, and what to type
 */
function sayInForce(A, theirs) {
  if (knobsOf(theirs).length === 0) return [];
  const ours = withoutTheirs(A, theirs);
  const before = pick(A, knobsOf(theirs));
  return [
    `In force: ${showChange(theirs)}, which another session set` +
      `${knobsOf(ours).length > 0 ? `, and ${showChange(ours)} as before the trial` : ''}. ` +
      `tune.apply(${showChange(before)}) shows how to set what was before.`,
  ];
}

/**
 * @param {readonly { config: string }[]} fresh what the server accepted since the plan
 * @param {readonly string[]} calls of the trial
 * @param {string} lost one of them that was never answered
 * @returns {'out' | 'before' | 'after'} whether it has arrived, and whether a later call of the
 *   trial has set the same since
 */
function arrivalOf(fresh, calls, lost) {
  const count = (/** @type {readonly string[]} */ configs) =>
    configs.filter((config) => config === lost).length;
  const configs = fresh.map(({ config }) => config);
  if (count(configs) === 0 || count(configs) < count(calls)) return 'out';
  const own = knobsIn(lost);
  const isOver = configs
    .slice(configs.lastIndexOf(lost) + 1)
    .some(
      (config) =>
        calls.includes(config) && knobsOf(knobsIn(config)).some((knob) => own[knob] !== undefined),
    );
  return isOver ? 'before' : 'after';
}

module.exports = { theirsOf, withoutTheirs, sayOthers, sayInForce, arrivalOf };
