'use strict';

const { KNOBS, KNOB_NAMES, GROUPS } = require('./knobs');

/** @typedef {import('./knobs').Change} Change @typedef {import('./knobs').Knob} Knob */

/** @param {Change} change @returns {Knob[]} the knobs it sets, in the order of the table */
const knobsOf = (change) => KNOB_NAMES.filter((knob) => change[knob] !== undefined);

/**
 * @param {Change} change
 * @returns {{ group: string, change: Change }[]} one part per group, in the order they are sent
 */
function byGroup(change) {
  return GROUPS.map((group) => ({
    group,
    change: pick(
      change,
      KNOB_NAMES.filter((knob) => KNOBS[knob].group === group),
    ),
  })).filter((part) => knobsOf(part.change).length > 0);
}

/** @param {Change} change @param {readonly Knob[]} knobs @returns {Change} */
const pick = (change, knobs) =>
  Object.fromEntries(
    knobs.filter((knob) => change[knob] !== undefined).map((knob) => [knob, change[knob]]),
  );

/**
 * @param {Change} change
 * @returns {string} `{ cacheSizeGB: 2, evictionDirtyTrigger: 25 }`, as a person types it
 */
const showChange = (change) =>
  `{ ${knobsOf(change)
    .map((knob) => `${knob}: ${change[knob]}`)
    .join(', ')} }`;

module.exports = { knobsOf, byGroup, pick, showChange };
