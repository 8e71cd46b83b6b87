'use strict';

const assert = require('node:assert/strict');
const { unlikeSteps } = require('../../../lib/change/pure/unlike-steps');
const { settingsIn } = require('../../../lib/config/effective-config');

const SAME = 'eviction_target=75';
const set = (/** @type {string} */ config, /** @type {string | null} */ id = null) =>
  /** @type {const} */ ({ kind: 'set', config, id, atMs: 1 });
const step = () =>
  /** @type {any} */ ({ kind: 'set', group: 'used', change: { evictionTarget: 75 }, config: SAME });

/** @param {any[]} timeline */
function sent(...timeline) {
  const startValues = { evictionTarget: 80, evictionDirtyTrigger: 20 };
  const [made] = unlikeSteps([step()], { timeline, startValues });
  return /** @type {any} */ (made).config;
}

describe('change/pure/unlike-steps: strings that no other shell takes for its own', () => {
  const between = set('eviction_dirty_trigger=30');
  it('what others sent before something else was set gets a blank, as many as it takes', () => {
    assert.equal(sent(set(SAME), between), `${SAME} `);
    assert.equal(sent(set(SAME), set(`${SAME} `), between), `${SAME}  `);
    assert.equal(sent(set(SAME), { kind: 'gap' }), `${SAME} `);
  });
  it('nothing is hidden where all is as it was then', () => {
    assert.equal(sent(set(SAME), between, set('eviction_dirty_trigger=20')), SAME);
    assert.equal(sent(set(SAME), set('eviction_target=70')), SAME);
  });
  it('what this change has set since, on its way down, counts as well', () => {
    const known = {
      timeline: [set(SAME)],
      startValues: { evictionTarget: 80, evictionDirtyTrigger: 20 },
    };
    const [alone] = unlikeSteps([step()], known);
    const [after] = unlikeSteps([step()], known, { evictionDirtyTrigger: 30 });
    assert.deepEqual(
      [alone, after].map(({ config }) => config),
      [SAME, `${SAME} `],
    );
  });
  it('what this journal sent is its own', () =>
    assert.equal(sent(set(SAME, 'own'), between), SAME));
  it('it means the same', () => assert.deepEqual(settingsIn(`${SAME}  `), { evictionTarget: 75 }));
  it('a wait stays as it is', () => {
    const wait = /** @type {any} */ ({ kind: 'wait', limits: [] });
    assert.deepEqual(unlikeSteps([wait], { timeline: [], startValues: null }), [wait]);
  });
});
