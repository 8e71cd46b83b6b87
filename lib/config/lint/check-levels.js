'use strict';

const { parseEngineConfig, lookUp } = require('../engine-config');
const { compareVersions } = require('../../base/pure/version');
const { error } = require('./problem');

/**
 * @import { Problem } from './problem'
 */

/**
 * How much each kind of message is wanted: verbose=(evict:1). WiredTiger looks into that list after
 * all other checks, at the last of each name (src/conn/conn_api.c, test/suite/test_verbose01.py,
 * test_verbose02.py; 6.0.5).
 */

/** Before it any value will do. */
const LEVELS_SINCE = '6.0.0';
/** One level of debugging, then five. */
const FIVE_SINCE = '6.1.0';
/** WiredTiger calls it `hs`, and reads no value of it. */
const NOT_CHECKED = 'history_store';

/** @param {string} text @param {string} version @returns {Problem[]} */
function checkLevels(text, version) {
  if (compareVersions(version, LEVELS_SINCE) < 0) return [];
  const max = compareVersions(version, FIVE_SINCE) < 0 ? 1 : 5;
  const items = lookUp(parseEngineConfig(text).entries, 'verbose')?.entries ?? [];
  return [...new Map(items.map((item) => [item.key.text, item])).values()].flatMap(
    ({ key, value, kind, number }) => {
      const isAlone = value === null || (value.text === '' && value.kind !== 'string');
      if (
        isAlone ||
        key.text === NOT_CHECKED ||
        (kind === 'number' && Number(number) >= 0 && Number(number) <= max)
      )
        return [];
      return [
        error(
          'verbose',
          value.position,
          `verbose does not accept ${JSON.stringify(value.text)} as the level of ${key.text}`,
          `Give a level from 0 to ${max}, or ${key.text} alone.`,
        ),
      ];
    },
  );
}

module.exports = { checkLevels };
