'use strict';

const { count } = require('../../base/pure/units');
const { pairsOf } = require('./compare');
const { TRIAL_METRICS } = require('./figures');

/**
 * @import { Block, TrialMetric } from './figures'
 */

/**
 * Finds what the load did by itself while A and B were compared. Pairs of neighbours take an even
 * drift and a jump between two pairs out of the comparison; what is left is a jump inside a pair, a
 * drift greater than the effect, and a load that stops.
 *
 * @typedef {{ kind: 'stopped' | 'jump' | 'drift', spoils: boolean, say: string }} Disturbance
 *   `spoils`: the comparison may be its doing
 */

/** Share of the median block: less is a load that has stopped, not an effect of a setting. */
const STOPPED_RATIO = 0.01;
/** A smaller step from block to block is normal on any server. */
const JUMP_RATIO = 1.5;
/** A jump of this many times the usual step is an outlier. */
const JUMP_TIMES = 4;
/** A smaller drift from the first block to the last is not reported. */
const DRIFT_RATIO = 1.25;
/** Fewest blocks that a trend needs. */
const FEWEST_BLOCKS = 4;

/**
 * @param {readonly Block[]} blocks in order @param {TrialMetric} metric
 * @param {number} ratio B to A, as compared
 * @returns {Disturbance[]}
 */
function disturbances(blocks, metric, ratio) {
  const stopped = stoppedBlocks(blocks);
  if (stopped.length > 0)
    return [
      {
        kind: 'stopped',
        spoils: true,
        say:
          `The load stopped: in block ${stopped[0].number} there were ` +
          `${count(stopped[0].opsPerSec)} operations a second.`,
      },
    ];
  const usual = usualLog(blocks, metric);
  const levels = blocks.flatMap((block) =>
    block[metric]
      ? [
          {
            block,
            level:
              Math.log(/** @type {number} */ (block[metric])) - (block.setting === 'B' ? usual : 0),
          },
        ]
      : [],
  );
  if (levels.length < FEWEST_BLOCKS) return [];
  const effect = Math.abs(Math.log(ratio));
  const jumps = jumpsIn(levels, metric, effect);
  // A jump also makes a fitted line steep.
  return jumps.length > 0 ? jumps : driftIn(levels, metric, effect);
}

/**
 * Returns the median of the pairs' log ratios; an outlier would move a mean.
 * @param {readonly Block[]} blocks
 * @param {TrialMetric} metric
 */
function usualLog(blocks, metric) {
  const logs = pairsOf(blocks, metric)
    .map(({ a, b }) => Math.log(b / a))
    .sort((x, y) => x - y);
  const middle = logs.length / 2;
  return logs.length === 0 ? 0 : (logs[Math.ceil(middle) - 1] + logs[Math.floor(middle)]) / 2;
}

/**
 * @typedef {{ block: Block, level: number }} Level logarithm of the figure, without the effect of B
 */

/**
 * Finds the blocks in which the load stopped: under A, or under some of B only. A load that stops
 * under every B and never under A is an effect of B.
 * @param {readonly Block[]} blocks
 * @returns {Block[]}
 */
function stoppedBlocks(blocks) {
  const rates = blocks.map(({ opsPerSec }) => opsPerSec ?? 0).sort((a, b) => a - b);
  const limit = Math.max(1, (rates[Math.floor(rates.length / 2)] ?? 0) * STOPPED_RATIO);
  const stopped = blocks.filter(({ opsPerSec }) => opsPerSec !== null && opsPerSec < limit);
  const tried = blocks.filter(({ setting }) => setting === 'B').length;
  return stopped.some(({ setting }) => setting === 'A') || stopped.length < tried || tried < 2
    ? stopped
    : [];
}

/**
 * @param {readonly Level[]} levels
 * @param {TrialMetric} metric
 * @param {number} effect
 * @returns {Disturbance[]}
 */
function jumpsIn(levels, metric, effect) {
  const changes = levels.slice(1).map(({ level }, i) => Math.abs(level - levels[i].level));
  const usual = [...changes].sort((a, b) => a - b)[Math.floor((changes.length - 1) / 2)];
  return changes.flatMap((change, i) => {
    if (change < Math.max(Math.log(JUMP_RATIO), usual * JUMP_TIMES)) return [];
    const [from, to] = [levels[i].block, levels[i + 1].block];
    const inside = from.pair === to.pair;
    return [
      {
        kind: /** @type {const} */ ('jump'),
        spoils: inside && change >= effect,
        say:
          `The load jumped between blocks ${from.number} and ${to.number}: ` +
          `${TRIAL_METRICS[metric].words} by a factor of ${count(Math.exp(change))} in ` +
          `addition to the effect of B${inside ? '' : ' (the pairs correct for that)'}.`,
      },
    ];
  });
}

/**
 * @param {readonly Level[]} levels
 * @param {TrialMetric} metric
 * @param {number} effect
 * @returns {Disturbance[]}
 */
function driftIn(levels, metric, effect) {
  const slope = slopeOf(levels.map(({ level }) => level));
  const total = Math.abs(slope) * (levels.length - 1);
  if (total < Math.log(DRIFT_RATIO)) return [];
  const spoils = Math.abs(slope) >= effect;
  const trend = slope > 0 ? 'rose' : 'fell';
  return [
    {
      kind: 'drift',
      spoils,
      say:
        `The load drifted: ${TRIAL_METRICS[metric].words} ${trend} by a factor of ` +
        `${count(Math.exp(total))} from the first block to the last, in addition to ` +
        'the effect of ' +
        `B${spoils ? ' (more per block than the effect of B)' : ' (the pairs correct for that)'}.`,
    },
  ];
}

/** Returns the slope by least squares over 0, 1, 2, … @param {readonly number[]} values */
function slopeOf(values) {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  return above / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}

module.exports = { disturbances, stoppedBlocks };
