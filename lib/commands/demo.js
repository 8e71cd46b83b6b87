'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { flag, show, text } = require('../base/pure/options');
const { SEVERE } = require('../base/pure/finding');
const { adviceOf } = require('../diagnose/advice');
const { statusOf } = require('../server/pure/status');
const { demoObservation } = require('../recording/pure/demo');
const { loadHostRules, loadMemberRules, loadRules } = require('../rules/registry');
const { attachSeries, windowSeries } = require('../series/chart-data');
const { report } = require('../text/report');
const { DEMO_NOTE, STEPS } = require('./pure/demo-text');

/**
 * @import { Advice } from '../diagnose/advice'
 * @import { Status } from '../server/pure/status'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { Demo, DemoAnswer, DemoStep } from './types'
 */

module.exports = defineCommand({
  name: 'demo',
  group: 'Record and report',
  order: 6,
  takes: ['text', 'options'],
  usage: 'tune.demo(step, { output, force })',
  summary: 'Shows tune on a bundled recording; needs no server',
  details: `Steps: ${STEPS.join(', ')}. Nothing is asked of any server`,
  options: {
    output: {
      check: text(),
      default: 'tune-demo.html',
      description: 'of the step "report": the page to write',
    },
    force: { check: flag(), default: false, description: 'overwrite an existing file' },
  },
  examples: ['tune.demo()', 'tune.demo("advise")', 'tune demo report --output demo.html'],
  changes: 'nothing',
  words: () => STEPS,
  run: demo,
});

/**
 * What status, advise, explain and report answer to a bundled recording, with the line to type next.
 * @param {Context} ctx
 * @param {string | undefined} step by default the first
 * @param {{ output: string, force: boolean }} options
 * @returns {Promise<Demo & Report>}
 * @throws {TuneError} TUNE-10003 for an unknown step, TUNE-40005 where the page cannot be written
 */
async function demo(ctx, step = STEPS[0], options) {
  const known = STEPS.find((name) => name === step);
  if (known === undefined)
    throw new TuneError(
      'TUNE-10003',
      `tune.demo: there is no step ${show(step)}. Steps: ${STEPS.join(', ')}.`,
      { value: step, allowed: STEPS },
    );
  const { renderDemo, nextOf } = require('./pure/demo-text');
  const advice = demoAdvice();
  const { host, version, window } = advice;
  const data = {
    step: known,
    recording: { host, version, from: window.from, to: window.to },
    ...NO_ANSWER,
    ...(await answerOf(ctx, known, advice, options)),
    next: nextOf(known, topRule(advice)),
  };
  return report(data, (ink) => renderDemo(data, ink));
}

/** @type {DemoAnswer} */
const NO_ANSWER = Object.freeze({ status: null, advice: null, explanation: null, page: null });

/**
 * @param {Context} ctx
 * @param {DemoStep} step
 * @param {Advice} advice
 * @param {{ output: string, force: boolean }} options
 * @returns {Promise<Partial<DemoAnswer>>}
 */
async function answerOf(ctx, step, advice, options) {
  if (step === 'status') return { status: demoStatus() };
  if (step === 'advise') return { advice };
  if (step === 'explain')
    return { explanation: { .../** @type {any} */ (await explained(ctx, topRule(advice))) } };
  return { page: await writePage(advice, options) };
}

/** @returns {Status & { notes: string[] }} */
function demoStatus() {
  const { window, facts } = demoObservation();
  return { ...statusOf(window, facts), notes: [] };
}

/** @returns {Advice} which draws charts in a report */
function demoAdvice() {
  const observation = demoObservation();
  const rules = { engine: loadRules(), host: loadHostRules(), members: loadMemberRules() };
  const advice = adviceOf(observation, rules, 'recording');
  return attachSeries(
    { ...advice, notes: [DEMO_NOTE, ...advice.notes] },
    windowSeries(observation.window, observation.facts),
  );
}

/** @param {Context} ctx @param {string} rule */
const explained = (ctx, rule) => require('./explain').run({ ...ctx, call: undefined }, rule);

/** The finding that the demo explains. @param {Advice} advice */
const topRule = ({ findings }) =>
  /** @type {any} */ (findings.find(({ status }) => SEVERE.includes(status))).rule;

/**
 * @param {Advice} advice
 * @param {{ output: string, force: boolean }} options
 */
async function writePage(advice, { output, force }) {
  const { targetFor } = require('../base/named-files');
  const { itemsOf } = require('../report/pure/html/kinds');
  const { renderReport } = require('../report/pure/html/page');
  const { pageAssets, writeReport } = require('../report/write-report');
  const target = targetFor(output, force);
  const items = await itemsOf('tune.demo', advice, async () => null);
  const html = renderReport(items, { at: new Date(), assets: pageAssets(), notes: [DEMO_NOTE] });
  return { ...writeReport(target, html, items) };
}
