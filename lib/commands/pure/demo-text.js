'use strict';

const { callText } = require('../../base/pure/printable');
const { renderAdvice } = require('../../diagnose/advice-text');
const { renderWritten } = require('../../report/pure/written-files');
const { renderExplanation } = require('../../rules/rule-text');
const { renderStatus } = require('../../server/pure/status-text');
const { callLines, part, SCREEN_LINES } = require('../../text/layout');

/**
 * @import { Ink } from '../../base/types'
 * @import { Demo, DemoStep } from '../types'
 */

const STEPS = Object.freeze(/** @type {const} */ (['status', 'advise', 'explain', 'report']));

/**
 * This stands in the answer, on the screen and on the page, so that no user takes it for their
 * server.
 */
const DEMO_NOTE =
  'This is the recording that comes with tune, not your server. Nothing was asked of any server.';

/** Describes each step in one line. @type {Readonly<Record<DemoStep, string>>} */
const SHOWS = Object.freeze({
  status: 'tune.status(): are application threads blocked by the cache?',
  advise: 'tune.advise(): the bottleneck, and one change or none',
  explain: 'tune.explain(): why a finding matters, from which value on',
  report: 'tune.report(): the advice as one HTML page with charts',
});

/** The calls for a server of one's own, in the order of the steps. */
const OWN_SERVER = Object.freeze(
  /** @type {const} */ ([
    ['Connect', 'mongosh "mongodb://HOST:27017"'],
    ['Then', 'tune.status({ seconds: 5 })'],
    ['Then', 'tune.advise({ seconds: 30 })'],
  ]),
);

/**
 * Finds the line to type after a step.
 * @param {DemoStep} step
 * @param {string} rule the rule that the demo explains
 * @returns {{ call: string, shows: string }}
 */
function nextOf(step, rule) {
  const next = STEPS[STEPS.indexOf(step) + 1];
  if (next === undefined)
    return { call: callText('status', { seconds: 5 }), shows: 'the same of your server' };
  return {
    call: callText('demo', next),
    shows: next === 'explain' ? `what the finding ${rule} means` : SHOWS[next],
  };
}

/**
 * @param {Demo} demo
 * @param {Ink} ink
 * @returns {string} one screen
 */
function renderDemo(demo, ink) {
  const above = [
    ...part(`DEMO ${STEPS.indexOf(demo.step) + 1} of ${STEPS.length}`, SHOWS[demo.step], ink),
    ...part('RECORDING', DEMO_NOTE, ink, 'warn'),
  ];
  const below = nextLines(demo, ink);
  return [...above, ...shown(demo, SCREEN_LINES - above.length - below.length, ink), ...below].join(
    '\n',
  );
}

/** @param {Demo} demo @param {number} lines of the screen @param {Ink} ink */
function shown({ status, advice, explanation, page }, lines, ink) {
  if (status !== null) return [renderStatus(status, ink)];
  if (advice !== null) return [renderAdvice(withoutNotes(advice), ink, { lines, isDemo: true })];
  // The answer has the values that the rule reads under another name, so none are shown here.
  if (explanation !== null)
    return [renderExplanation({ .../** @type {any} */ (explanation), wants: [] }, ink)];
  return [renderWritten(/** @type {any} */ (page), ink)];
}

/**
 * Leaves out the notes, because the demo's note stands above. @template {{ notes: string[] }} A
 * @param {A} advice
 * @returns {A}
 */
const withoutNotes = (advice) => ({
  ...advice,
  notes: advice.notes.filter((note) => note !== DEMO_NOTE),
});

/** @param {Demo} demo @param {Ink} ink */
function nextLines({ step, next }, ink) {
  if (step !== STEPS[STEPS.length - 1])
    return [...part('NEXT', next.call, ink, 'strong'), ...part('', next.shows, ink, 'faint')];
  return [
    ...part('NEXT', 'the same of your own server; all three only read:', ink),
    ...callLines(OWN_SERVER, ink),
  ];
}

module.exports = { renderDemo, nextOf, DEMO_NOTE, STEPS };
