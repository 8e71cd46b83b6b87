'use strict';

const assert = require('node:assert/strict');
const fc = require('fast-check');
const { TuneError } = require('../../../lib/base/pure/errors');
const { showChange, settingsOf, checkChange } = require('../../../lib/config/change');
const { defaultsFor, settingsIn } = require('../../../lib/config/config-layers');
const { SETTINGS, SETTING_NAMES } = require('../../../lib/config/setting-table');
const { configStringOf } = require('../../../lib/config/engine-config');
const { checkSafety } = require('../../../lib/config/safety');
const { lintString } = require('../../../lib/config/lint/lint-string');
const { weird } = require('../weird');
const { soundText } = require('../sound');

/**
 * @import { SettingName } from '../../../lib/base/types'
 */

/**
 * What tune.apply() takes is what WiredTiger takes: a change is refused with a sentence, or its
 * string is one that the linter has nothing against.
 */

const VERSIONS = ['4.4.29', '5.0.4', '6.0.5', '7.0.21', '8.0.10', '8.2.0'];
const fitting = (/** @type {SettingName} */ setting) => {
  const { min, max, unit } = SETTINGS[setting];
  if (unit === 'GB')
    return fc.oneof(
      fc.double({ min: 0.0001, max: 40, noNaN: true }),
      fc.constantFrom(min, max, 0.25, 1.5, 10_241),
    );
  return fc.oneof(
    fc.integer({ min: Math.max(0, min - 1), max: unit === 'percent' ? 101 : Math.min(70, max) }),
    fc.constantFrom(min, max, max + 1, 2 ** 20, 2 ** 30, 100, 101),
  );
};
const value = (/** @type {SettingName} */ setting) =>
  fc.oneof({ weight: 8, arbitrary: fitting(setting) }, { weight: 1, arbitrary: weird });

/** @param {() => unknown} work @returns {any} null where it is refused as it should be */
function orRefused(work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TuneError)) throw error;
    soundText(error.message, { values: true });
    return null;
  }
}

/** @param {any} given @param {string} version @param {number} cacheSizeGB */
function holds(given, version, cacheSizeGB) {
  const change = orRefused(() => checkChange(given, version));
  if (change === null) return;
  const base = { ...defaultsFor(null), cacheSizeGB };
  if (
    orRefused(() => {
      checkSafety({ before: base, change, memoryBytes: null, force: false });
      return change;
    }) === null
  )
    return;
  soundText(showChange(change));
  const text = configStringOf(change);
  const sent = { ...change };
  delete sent.syncdelaySeconds;
  assert.deepEqual(settingsIn(text), sent, text);
  if (text === '') return;
  const errors = lintString(text, { version, at: 'runtime', base }).filter(
    ({ level, when }) => level === 'error' && when !== 'start',
  );
  assert.deepEqual(
    errors.map(({ say }) => say),
    [],
    text,
  );
  assert.ok(settingsOf(change).length > 0);
}

module.exports = {
  name: 'change',
  what: 'changes through the checks of tune.apply() into strings',
  share: 50,
  async open() {
    const change = fc.record(
      Object.fromEntries(SETTING_NAMES.map((setting) => [setting, value(setting)])),
      { requiredKeys: [] },
    );
    const given = fc.oneof(
      { weight: 20, arbitrary: change },
      { weight: 1, arbitrary: weird },
      { weight: 1, arbitrary: fc.dictionary(fc.string(), weird) },
    );
    return {
      property: fc.property(
        given,
        fc.constantFrom(...VERSIONS),
        fc.constantFrom(0.25, 1, 11.5),
        holds,
      ),
    };
  },
};
