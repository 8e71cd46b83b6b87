'use strict';

const assert = require('node:assert/strict');
const { unlikeSteps } = require('../../../lib/change/pure/unlike-steps');
const { settingsIn } = require('../../../lib/config/effective-config');

const set = (/** @type {string} */ config, /** @type {string | null} */ id) =>
  /** @type {const} */ ({ kind: 'set', config, id, atMs: 1 });
const step = (/** @type {string} */ config) =>
  /** @type {any} */ ({ kind: 'set', group: 'used', change: { evictionTarget: 75 }, config });
const sent = (/** @type {any[]} */ timeline) =>
  unlikeSteps([step('eviction_target=75')], timeline).map((one) =>
    'config' in one ? one.config : null,
  );

describe('change/pure/unlike-steps: strings that nobody else has sent', () => {
  it('what others sent gets a blank, as many as it takes', () => {
    assert.deepEqual(sent([set('eviction_target=75', null)]), ['eviction_target=75 ']);
    assert.deepEqual(sent([set('eviction_target=75', null), set('eviction_target=75 ', null)]), [
      'eviction_target=75  ',
    ]);
  });
  it('what this journal sent is the same', () => {
    assert.deepEqual(sent([set('eviction_target=75', 'own'), { kind: 'gap' }]), [
      'eviction_target=75',
    ]);
  });
  it('it means the same', () =>
    assert.deepEqual(settingsIn('eviction_target=75  '), { evictionTarget: 75 }));
  it('a wait stays as it is', () => {
    const wait = /** @type {any} */ ({ kind: 'wait', limits: [] });
    assert.deepEqual(unlikeSteps([wait], []), [wait]);
  });
});
