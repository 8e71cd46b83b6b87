'use strict';

const { showChange } = require('../../../../config/change');
const { count, secondsText, many } = require('../../../../base/pure/units');
const { showRatio } = require('../../../../text/interval');
const { SHOWN_BESIDE, TRIAL_METRICS } = require('../../../../trial/pure/figures');
const {
  html,
  bar,
  commands,
  copyable,
  facts,
  table,
  verdictOf,
  showTime,
  showValue,
} = require('../elements');
const { right } = require('./samples');

/**
 * @import { Shown, TrialAnswer } from '../../../types'
 */

const TONES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    better: 'ok',
    worse: 'critical',
    same: 'info',
    inconclusive: 'warning',
  }),
);

/** @param {TrialAnswer} trial @param {string} key @returns {Shown} */
function showTrial(trial, key) {
  const { at, seconds, dryRun, warnings, notes, effects, blocks, switchCost } = trial;
  return {
    name: 'Trial',
    sub: dryRun ? ['dry run'] : [secondsText(seconds), `${showTime(at)} UTC`],
    lead: verdict(trial),
    before: [{ id: `settings${key}`, title: 'Settings compared', body: settings(trial, key) }],
    after: [
      ...(Object.keys(effects).length > 0
        ? [{ id: `effects${key}`, title: 'Effect of B', body: effectsTable(trial) }]
        : []),
      ...(blocks.length > 0
        ? [{ id: `blocks${key}`, title: 'Blocks', body: blocksTable(trial) }]
        : []),
    ],
    notes: [...(switchCost?.say ? [switchCost.say] : []), ...notes, ...warnings],
  };
}

/** @param {TrialAnswer} trial */
function verdict(trial) {
  if (trial.dryRun)
    return verdictOf('info', {
      label: 'Trial',
      answer: 'DRY RUN',
      because: 'Nothing was changed.',
    });
  const { verdict: said, ratio, low, high, metric, because, effective, moreBlocks } = trial;
  const interval =
    low !== null &&
    html` <small>95% confidence interval ${showRatio(low)} to ${showRatio(Number(high))}</small>`;
  return verdictOf(TONES[String(said)] ?? 'unknown', {
    label: 'Result',
    answer: said === 'inconclusive' ? said : `B is ${said === 'same' ? 'the same' : said}`,
    figure: ratio === null ? null : html`${nameOf(metric)} B ÷ A: ${showRatio(ratio)}${interval}`,
    because,
    more: html`${moreBlocks !== null && html`<p>About ${many(moreBlocks, 'more block')} would decide.</p>`}<p>${effective === null ? 'tune.settings() shows which one is active.' : `${effective} is active.`}</p>`,
  });
}

/** Names a metric in words. @param {string} metric */
const nameOf = (metric) =>
  TRIAL_METRICS[/** @type {keyof typeof TRIAL_METRICS} */ (metric)]?.words ?? metric;

/** @param {TrialAnswer} trial @param {string} key */
function settings({ a, b, confirm, undo, conf, order, blockSeconds }, key) {
  const calls = /** @type {[string, string, string][]} */ ([
    ...(confirm ? [['Run', confirm, `confirm${key}`]] : []),
    ...(undo ? [['Undo', undo, `undo${key}`]] : []),
  ]);
  return html`${facts([
    ['A (current)', html`<code>${showChange(a).slice(2, -2)}</code>`],
    ['B (candidate)', html`<code>${showChange(b).slice(2, -2)}</code>`],
    ['Blocks', `${order}, ${secondsText(blockSeconds)} each`],
  ])}${calls.length > 0 && commands(calls)}${conf && copyable('To keep it over a restart, in mongod.conf', conf.trimEnd(), `conf${key}`)}`;
}

/** @param {TrialAnswer} trial */
function effectsTable({ effects, metric, blocks }) {
  const mean = (/** @type {string} */ setting, /** @type {string} */ name) => {
    const known = blocks.flatMap((block) => (block.setting === setting ? (block[name] ?? []) : []));
    return known.length === 0
      ? '?'
      : showValue(
          name,
          known.reduce((/** @type {number} */ all, /** @type {number} */ one) => all + one, 0) /
            known.length,
        );
  };
  const rows = [...new Set([metric, ...SHOWN_BESIDE])].flatMap((name) => {
    const effect = effects[name];
    return effect === undefined ? [] : [{ name, ...effect }];
  });
  return table(
    'Means of A and B, and their ratio',
    [{ head: 'metric' }, right('A'), right('B'), right('B ÷ A'), right('95% interval')],
    rows.map(({ name, ratio, low, high }) => [
      nameOf(name),
      mean('A', name),
      mean('B', name),
      showRatio(ratio),
      low === null ? '' : `${showRatio(low)} to ${showRatio(Number(high))}`,
    ]),
  );
}

/** @param {TrialAnswer} trial */
function blocksTable({ blocks, metric }) {
  const max = Math.max(...blocks.map((block) => block[metric] ?? 0), Number.MIN_VALUE);
  return table(
    'Blocks in the order they ran',
    [
      { head: 'block' },
      { head: 'setting' },
      { head: 'from, UTC' },
      right('length'),
      right(nameOf(metric)),
      { head: '' },
    ],
    blocks.map((block) => [
      count(block.number),
      block.setting,
      showTime(block.at),
      secondsText(block.seconds),
      showValue(metric, block[metric]),
      bar((block[metric] ?? 0) / max, block.setting === 'B' ? 'b' : 'block-a'),
    ]),
  );
}

module.exports = { showTrial };
