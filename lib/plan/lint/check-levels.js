'use strict';

const { parseEngineConfig, lookUp } = require('../../model/engine-config');
const { compareVersions } = require('../../model/version');
const { error } = require('./problem');

/**
 * How much each kind of message is wanted: verbose=(evict:1). WiredTiger looks into that list after all other checks, at the last of
 * each name (src/conn/conn_api.c, test/suite/test_verbose01.py, test_verbose02.py; 6.0.5).
 */

/** Before it any value will do. */
const LEVELS_SINCE = '6.0.0';
/** One level of debugging, then five. */
const FIVE_SINCE = '6.1.0';
/** WiredTiger knows it as `hs`, and looks at no value of it. */
const NOT_LOOKED_AT = 'history_store';

/** @param {string} text @param {string} version @returns {import('./problem').Problem[]} */
function checkLevels(text, version) {
  if (compareVersions(version, LEVELS_SINCE) < 0) return [];
  const most = compareVersions(version, FIVE_SINCE) < 0 ? 1 : 5;
  const items = lookUp(parseEngineConfig(text).entries, 'verbose')?.entries ?? [];
  const last = [...new Map(items.map((item) => [item.key.text, item])).values()];
  return last.filter((item) => item.key.text !== NOT_LOOKED_AT && !isLevel(item, most))
    .map(({ key, value }) => error('verbose', value?.position ?? key.position, `verbose does not take ${JSON.stringify(value?.text)} as the level of ${key.text}`, `Give a level from 0 to ${most}, or ${key.text} alone.`));
}

/** @param {import('../../model/engine-config').Entry} item @param {number} most */
const isLevel = ({ value, kind, number }, most) => value === null || (value.text === '' && value.kind !== 'string') || (kind === 'number' && number !== null && number >= 0 && number <= most);

module.exports = { checkLevels };
