'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { keyTable, isCategory } = require('../../../lib/config/engine-keys');
const { SETTINGS } = require('../../../lib/config/setting-table');
const { makeTable, print } = require('../../../scripts/engine-keys');
const { fieldPath, absent } = require('../../support/field');
const { skipIf } = require('../../support/skip');

/** @param {any} definition of ours or of the dump */
const limits = ({ min, max, choices }) =>
  [min, max]
    .map((limit) => (limit === undefined || limit === null ? null : String(limit)))
    .concat([...(choices ?? [])].sort());
/** @param {string} version @param {string} key */
const runtime = (version, key) => keyTable(version, 'runtime').find(key);

describe('config/engine-keys', () => {
  it('knows kind and range', () => {
    assert.deepEqual(runtime('6.0.5', 'eviction.threads_max'), {
      type: 'int',
      min: '1',
      max: '20',
      choices: null,
      certain: true,
    });
    assert.deepEqual(runtime('6.0.5', 'cache_size'), {
      type: 'int',
      min: '1MB',
      max: '10TB',
      choices: null,
      certain: true,
    });
    assert.equal(runtime('6.0.5', 'eviction')?.type, 'category');
    assert.deepEqual(runtime('6.0.5', 'json_output')?.choices, ['error', 'message']);
  });

  it('what is not there is null', () => {
    assert.equal(runtime('6.0.5', 'cachesize'), null);
    assert.equal(runtime('6.0.5', 'toString'), null);
  });

  for (const [key, version, known] of /** @type {[string, string, boolean | 'perhaps'][]} */ ([
    ['block_cache', '5.0.0', false],
    ['block_cache', '5.0.31', true],
    ['block_cache', '5.0.4', 'perhaps'],
    ['block_cache', '6.0.0', true],
    ['eviction.evict_sample_inmem', '6.0.5', false],
    ['eviction.evict_sample_inmem', '6.0.24', true],
    ['eviction.evict_sample_inmem', '6.0.27', true],
    ['eviction.evict_sample_inmem', '6.0.12', 'perhaps'],
    ['eviction.evict_sample_inmem', '7.0.0', false],
    ['eviction.evict_sample_inmem', '8.0.0', true],
    ['lsm_manager', '8.0.10', true],
    ['lsm_manager', '8.1.1', false],
    ['log.remove', '5.0.31', false],
    ['log.remove', '6.0.0', true],
    ['cache_stuck_timeout_ms', '7.0.21', false],
    ['cache_stuck_timeout_ms', '8.0.0', true],
    ['extra_diagnostics', '6.0.24', false],
    ['extra_diagnostics', '7.0.0', true],
    ['async', '4.4.0', true],
    ['async', '4.2.6', true],
    ['async', '5.0.0', false],
    ['eviction.evict_use_softptr', '9.0.1', true],
    ['cache_eviction_controls', '8.0.10', false],
    ['cache_eviction_controls', '8.0.15', 'perhaps'],
    ['cache_eviction_controls', '8.0.16', true],
    ['cache_eviction_controls', '8.1.1', false],
    ['cache_eviction_controls', '8.2.3', 'perhaps'],
    ['cache_eviction_controls.cache_tolerance_for_app_eviction', '8.0.29', 'perhaps'],
    ['cache_eviction_controls.cache_tolerance_for_app_eviction', '8.0.30', true],
    ['eviction.incremental_app_eviction', '8.2.9', false],
    ['eviction.incremental_app_eviction', '9.0.2', 'perhaps'],
  ])) {
    it(`${key} in ${version}: ${known}`, () => {
      const found = runtime(version, key);
      assert.equal(found !== null && (found.certain || 'perhaps'), known);
    });
  }

  it('start and run time are told apart', () => {
    assert.equal(runtime('6.0.5', 'session_max'), null);
    assert.equal(keyTable('6.0.5', 'start').find('session_max')?.type, 'int');
    assert.equal(keyTable('6.0.5', 'runtime').names.includes('session_max'), false);
    assert.equal(keyTable('6.0.5', 'start').names.includes('session_max'), true);
  });

  it('a list of choices is that of the release', () => {
    assert.equal(runtime('8.0.10', 'verbose')?.choices?.includes('evictserver'), true);
    assert.equal(runtime('8.1.1', 'verbose')?.choices?.includes('evictserver'), false);
    assert.equal(runtime('8.1.1', 'verbose')?.choices?.includes('eviction'), true);
  });

  it('says when a server is newer than the table', () =>
    assert.deepEqual(
      ['6.0.24', '8.0.10', '8.1.0', '8.0.11', '8.1.9', '8.2.0', '8.2.3', '9.0.0'].map(
        (v) => keyTable(v, 'runtime').beyond,
      ),
      [false, false, false, true, true, true, true, true],
    ));

  it('has every knob in every release, with the range of the knobs', () => {
    const { toNumber } = require('../../../lib/config/engine-config');
    for (const version of [
      '4.4.0',
      '5.0.4',
      '6.0.5',
      '7.0.5',
      '8.0.3',
      '8.1.1',
      '8.2.2',
      '9.0.0',
    ]) {
      for (const { key, min, max, unit } of Object.values(SETTINGS)) {
        const found = key && runtime(version, key);
        if (!found) {
          assert.equal(key, null);
          continue;
        }
        const scale = unit === 'GB' ? 2 ** 30 : 1;
        assert.deepEqual(
          [key, toNumber(found.min ?? ''), toNumber(found.max ?? '')],
          [key, min * scale, max * scale],
        );
      }
    }
  });

  it('categories', () =>
    assert.deepEqual(
      ['eviction', 'eviction.threads_max', 'statistics', 'nothing', 'constructor'].map(isCategory),
      [true, false, false, false, false],
    ));
});

describe('lib/config/engine-keys.json', () => {
  it("is what the script makes of the dump of WiredTiger's releases", function () {
    const file = fieldPath('reference', 'wt_reconfigure_by_version.json');
    skipIf(this, absent(file));
    const made = print(
      makeTable(JSON.parse(fs.readFileSync(/** @type {string} */ (file), 'utf8'))),
    );
    assert.equal(
      made === fs.readFileSync(require.resolve('../../../lib/config/engine-keys.json'), 'utf8'),
      true,
      'run scripts/engine-keys.js again',
    );
  });

  it('agrees with the dump key by key, release by release', function () {
    const file = fieldPath('reference', 'wt_reconfigure_by_version.json');
    skipIf(this, absent(file));
    const dump = JSON.parse(fs.readFileSync(/** @type {string} */ (file), 'utf8'));
    for (const tag of Object.keys(dump).filter((name) => /^mongodb-[\d.]+$/.test(name))) {
      const version = tag.replace('mongodb-', '');
      for (const [when, method] of /** @type {const} */ ([
        ['runtime', 'WT_CONNECTION.reconfigure'],
        ['start', 'wiredtiger_open'],
      ])) {
        assert.deepEqual(
          [...keyTable(version, when).names].sort(),
          Object.keys(dump[tag][method]).sort(),
          `${tag} ${when}`,
        );
        for (const [key, { flags = {} }] of Object.entries(
          /** @type {Record<string, any>} */ (dump[tag][method]),
        ))
          assert.deepEqual(
            limits(keyTable(version, when).find(key)),
            limits(flags),
            `${tag} ${key}`,
          );
      }
    }
  });
});
