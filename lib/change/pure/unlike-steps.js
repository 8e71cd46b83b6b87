'use strict';

/**
 * @import { Step } from './steps'
 * @import { TimelineEvent } from './timeline'
 */

/**
 * A server shows the last string alone. Where that is the very string that another shell sent
 * earlier, which has a journal of its own, that shell would take it for its own, and what was set
 * in between for never set. WiredTiger reads nothing into blanks at the end.
 * @param {readonly Step[]} steps
 * @param {readonly TimelineEvent[]} timeline of this run of the server
 * @returns {Step[]} with strings that nobody else has sent
 */
function unlikeSteps(steps, timeline) {
  const others = new Set(
    timeline.flatMap((event) => (event.kind === 'set' && event.id === null ? [event.config] : [])),
  );
  const unlike = (/** @type {string} */ config) => {
    let text = config;
    while (others.has(text)) text += ' ';
    return text;
  };
  return steps.map((step) =>
    step.kind === 'set' ? { ...step, config: unlike(step.config) } : step,
  );
}

module.exports = { unlikeSteps };
