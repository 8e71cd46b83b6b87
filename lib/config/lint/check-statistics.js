'use strict';

const { scan } = require('../scanner');
const { parseEngineConfig, lookUp } = require('../engine-config');
const { error } = require('./problem');

/**
 * @import { Entry } from '../engine-config'
 * @import { Problem } from './problem'
 */

/**
 * Statistics and where they are logged, which WiredTiger looks into after all other checks, at the
 * last of each name (src/conn/conn_stat.c; 6.0.5).
 */

const ONE_OF = Object.freeze(['all', 'fast', 'none']);
const SOURCES = /^"?(file|lsm):/;

/** @param {string} text @returns {Problem[]} */
function checkStatistics(text) {
  const { entries } = parseEngineConfig(text);
  return [
    ...chosen(lookUp(entries, 'statistics')),
    ...sources(lookUp(entries, 'statistics_log.sources')),
  ];
}

/**
 * fast:0 and fast:false do not count, all other values do.
 * @param {Entry | undefined} list
 * @returns {Problem[]}
 */
function chosen(list) {
  if (!list) return [];
  const last = new Map((list.entries ?? []).map(({ key, number }) => [key.text, number]));
  const count = ONE_OF.filter((name) => last.has(name) && last.get(name) !== 0).length;
  return count < 2
    ? []
    : [
        error(
          'statistics',
          list.key.position,
          `statistics accepts only one of ${ONE_OF.join(', ')}`,
          'Keep one of them; mongod itself uses fast.',
        ),
      ];
}

/**
 * WiredTiger compares the text from where each begins, so that file:x, "file:x" and file:x:0 will
 * do.
 * @param {Entry | undefined} list
 * @returns {Problem[]}
 */
function sources(list) {
  const value = list?.value;
  if (value?.kind !== 'struct') return [];
  return scan(value.text, value.position)
    .pairs.map(({ key }) => key)
    .filter(({ position }) => !SOURCES.test(value.text.slice(position - value.position)))
    .map((key) =>
      error(
        'statistics_log.sources',
        key.position,
        `statistics_log.sources does not accept ${JSON.stringify(key.text)}`,
        'Each must begin with "file:" or "lsm:".',
      ),
    );
}

module.exports = { checkStatistics };
