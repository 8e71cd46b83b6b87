'use strict';

const { showChange } = require('../../../../config/change');
const { count, duration } = require('../../../../base/pure/units');
const { showRatio } = require('../../../../text/interval');
const { SHOWN_BESIDE } = require('../../../../trial/pure/figures');
const { html, bar, copyable, facts, table, showTime, showValue } = require('../elements');
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
    sub: dryRun
      ? 'only shown; nothing was sent'
      : `${showTime(at)} UTC, after ${duration(seconds * 1000)}`,
    lead: verdict(trial),
    before: [{ id: `change${key}`, title: 'Change', body: settings(trial, key) }],
    after: [
      ...(Object.keys(effects).length > 0
        ? [{ id: `effects${key}`, title: 'What B did', body: effectsTable(trial) }]
        : []),
      ...(blocks.length > 0
        ? [{ id: `blocks${key}`, title: 'Blocks', body: blocksTable(trial) }]
        : []),
    ],
    notes: [...(switchCost?.say ? [switchCost.say] : []), ...notes, ...warnings],
  };
}

/** @param {TrialAnswer} trial */
function verdict({
  dryRun,
  verdict: said,
  ratio,
  low,
  high,
  metric,
  because,
  effective,
  moreBlocks,
}) {
  if (dryRun)
    return html`<div class="verdict info"><p class="label">trial</p><p class="answer">only shown</p><p class="because">Nothing was sent.</p></div>`;
  return html`<div class="verdict ${TONES[String(said)] ?? 'unknown'}"><p class="label">trial</p><p class="answer">${said === 'inconclusive' ? said : `B is ${said === 'same' ? 'the same' : said}`}</p>${ratio !== null && html`<p class="figure">${metric}: ${showRatio(ratio)}${low !== null && html` <small>${showRatio(low)} to ${showRatio(Number(high))}, 95%</small>`}</p>`}<p class="because">${because}</p><p>${effective === null ? 'tune.settings() shows what is in effect.' : `${effective} is in effect.`}${moreBlocks !== null && ` About ${moreBlocks} blocks more would decide, if it goes on like this.`}</p></div>`;
}

/** @param {TrialAnswer} trial @param {string} key */
function settings({ a, b, confirm, undo, conf, order, blockSeconds }, key) {
  return html`${facts([
    ['A, as it was', html`<code>${showChange(a)}</code>`],
    ['B, as proposed', html`<code>${showChange(b)}</code>`],
    ['blocks', `${order}, ${blockSeconds} s each`],
  ])}<div class="codes">${[
    confirm ? copyable('to do it', confirm, `confirm${key}`) : null,
    undo ? copyable('to undo it', undo, `undo${key}`) : null,
    conf ? copyable('to keep it over a restart: mongod.conf', conf.trimEnd(), `conf${key}`) : null,
  ]}</div>`;
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
    [{ head: 'metric' }, right('A'), right('B'), right('B ÷ A'), right('95%')],
    rows.map(({ name, ratio, low, high }) => [
      name,
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
    `Blocks in their order, by ${metric}`,
    [
      { head: 'block' },
      { head: 'setting' },
      { head: 'from, UTC' },
      right('long'),
      right(metric),
      { head: '' },
    ],
    blocks.map((block) => [
      count(block.number),
      block.setting,
      showTime(block.at),
      duration(block.seconds * 1000),
      showValue(metric, block[metric]),
      bar((block[metric] ?? 0) / max, block.setting === 'B' ? 'b' : 'block-a'),
    ]),
  );
}

module.exports = { showTrial };
