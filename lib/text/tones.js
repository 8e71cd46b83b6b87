'use strict';

const { isCalm } = require('../base/pure/finding');

/**
 * @import { Status } from '../base/pure/finding'
 * @import { Tone } from '../base/types'
 */

/**
 * The mark, the word and the colour of a finding.
 * @type {Readonly<Record<Status, { mark: string, word: string, tone: Tone }>>}
 */
const MARKS = Object.freeze({
  critical: { mark: '✗', word: 'CRIT', tone: 'bad' },
  warning: { mark: '!', word: 'WARN', tone: 'warn' },
  error: { mark: '⚠', word: 'ERR', tone: 'bad' },
  info: { mark: 'i', word: 'INFO', tone: 'accent' },
  unknown: { mark: '?', word: 'UNKN', tone: 'faint' },
  ok: { mark: '✓', word: 'OK', tone: 'good' },
});

/**
 * The colour of a bottleneck: good where there is none.
 * @param {string | null} bottleneck
 * @returns {Tone}
 */
function bottleneckTone(bottleneck) {
  if (isCalm(bottleneck)) return 'good';
  return bottleneck === 'unknown' ? 'faint' : 'bad';
}

const VERDICT_TONES = Object.freeze(
  /** @type {Record<string, Tone>} */ ({
    better: 'good',
    worse: 'bad',
    same: 'accent',
    inconclusive: 'warn',
  }),
);

/** The colour of the verdict of a trial. @param {string} verdict */
const verdictTone = (verdict) => VERDICT_TONES[verdict];

/**
 * @typedef {{ ratio: number | null, target: number | null, trigger: number | null }} Level a share
 *   of the cache, with WiredTiger's target and trigger
 */

/**
 * The end of a gauge: a little beyond the trigger, so that 20% and 18% look different.
 * @param {number | null} trigger
 * @returns {number}
 */
const scale = (trigger) => (trigger === null ? 1 : Math.min(1, trigger * 1.5));

/** The colour of a level: bad from the trigger on. @param {Level} at @returns {Tone} */
function levelTone({ ratio, target, trigger }) {
  if (ratio === null || target === null || trigger === null) return 'faint';
  if (ratio >= trigger) return 'bad';
  return ratio > target + (trigger - target) / 2 ? 'warn' : 'good';
}

/** Target and trigger. @param {Pick<Level, 'target' | 'trigger'>} at @returns {string} `5/20%` */
const thresholdWords = ({ target, trigger }) =>
  target === null || trigger === null ? 'not known' : `${inPercent(target)}/${inPercent(trigger)}%`;

/** @param {number} ratio */
const inPercent = (ratio) => Number((ratio * 100).toFixed(1));

module.exports = { MARKS, bottleneckTone, levelTone, scale, thresholdWords, verdictTone };
