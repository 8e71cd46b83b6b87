'use strict';

const { parseEngineConfig, lookUp } = require('../engine-config');
const { error } = require('./problem');

/**
 * @import { Problem } from './problem'
 */

/**
 * WiredTiger looks into the group block_cache only where it is switched on, and then late: a size
 * and a kind it must have (src/block_cache/block_cache.c; 6.0.5, which has no memory of the kind
 * nvram).
 */

const KINDS = Object.freeze(['dram', 'DRAM']);

/** @param {string} text @returns {Problem[]} */
function checkBlockCache(text) {
  const { entries } = parseEngineConfig(text);
  const of = (/** @type {string} */ key) => lookUp(entries, `block_cache.${key}`);
  const enabled = of('enabled');
  if (!enabled || enabled.number === 0) return [];
  const lacks = [
    ...(of('size')?.number ? [] : ['a size']),
    ...(KINDS.includes(of('type')?.value?.text ?? '') ? [] : ['type=dram']),
  ];
  return lacks.length === 0
    ? []
    : [
        error(
          'block_cache.enabled',
          enabled.key.position,
          `block_cache.enabled also needs ${lacks.join(' and ')}`,
          'Remove block_cache; mongod does not use it.',
        ),
      ];
}

module.exports = { checkBlockCache };
