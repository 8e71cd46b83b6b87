'use strict';

const { SETTING_NAMES } = require('../../config/setting-table');
const { settingsIn } = require('../../config/effective-config');

/**
 * @import { Change } from '../../base/types'
 * @import { Step } from './steps'
 * @import { TimelineEvent } from './timeline'
 */

/**
 * A server shows the last string alone. Where that is the very string that another shell sent
 * earlier, which has a journal of its own, that shell takes it for its own, and what was set in
 * between for never set. WiredTiger reads nothing into blanks at the end.
 * @typedef {Extract<Step, { kind: 'set' }>} SetStep
 * @typedef {{ timeline: readonly TimelineEvent[], startValues: Change | null }} Known of this run of
 *   the server
 */

/**
 * @param {readonly Step[]} steps
 * @param {Known} known
 * @param {Change} [already] what this change has sent since that was read
 * @returns {Step[]} with strings that nobody takes for another one
 */
function unlikeSteps(steps, known, already = {}) {
  const sent = { ...already };
  return steps.map((step) => {
    if (step.kind !== 'set') return step;
    const unlike = unlikeStep(step, known, sent);
    Object.assign(sent, step.change);
    return unlike;
  });
}

/**
 * @param {SetStep} step
 * @param {Known} known
 * @param {Change} already as of unlikeSteps
 * @returns {SetStep}
 */
function unlikeStep(step, { timeline, startValues }, already) {
  const start = startValues ?? {};
  const state = { ...stateAfter(start, timeline), ...already, ...step.change };
  let { config } = step;
  while (misleads(config, { timeline, start, state })) config += ' ';
  return { ...step, config };
}

/**
 * @param {string} config
 * @param {{ timeline: readonly TimelineEvent[], start: Change, state: Change }} known `state`: with it
 *   in effect
 * @returns {boolean} whether another shell sent the same when something else was in effect
 */
function misleads(config, { timeline, start, state }) {
  const at = timeline.findLastIndex(
    (event) => event.kind === 'set' && event.id === null && event.config === config,
  );
  if (at === -1) return false;
  if (timeline.slice(at).some(({ kind }) => kind === 'gap')) return true;
  const then = stateAfter(start, timeline.slice(0, at + 1));
  return SETTING_NAMES.some((setting) => then[setting] !== state[setting]);
}

/** @param {Change} start @param {readonly TimelineEvent[]} events @returns {Change} */
const stateAfter = (start, events) =>
  Object.assign(
    {},
    start,
    ...events.map((event) => (event.kind === 'set' ? settingsIn(event.config) : {})),
  );

module.exports = { unlikeSteps, unlikeStep };
