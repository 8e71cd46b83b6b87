'use strict';

/**
 * @import { Tone } from './report'
 */

/**
 * @typedef {{ ratio: number | null, target: number | null, trigger: number | null }} Level a share
 *   of the cache, with what WiredTiger holds against it
 */

/**
 * A gauge ends a little beyond its trigger, so that 20 % can be told from 18 %.
 * @param {number | null} trigger
 * @returns {number}
 */
const scale = (trigger) => (trigger === null ? 1 : Math.min(1, trigger * 1.5));

/** @param {Level} at @returns {Tone} */
function levelTone({ ratio, target, trigger }) {
  if (ratio === null || target === null || trigger === null) return 'faint';
  if (ratio >= trigger) return 'bad';
  return ratio > target + (trigger - target) / 2 ? 'warn' : 'good';
}

/** @param {Pick<Level, 'target' | 'trigger'>} at @returns {string} `5/20 %` */
const thresholdWords = ({ target, trigger }) =>
  target === null || trigger === null ? 'not known' : `${whole(target)}/${whole(trigger)} %`;

/** @param {number} ratio */
const whole = (ratio) => Number((ratio * 100).toFixed(1));

module.exports = { levelTone, scale, thresholdWords };
