'use strict';

const assert = require('node:assert/strict');
const { makeConfig } = require('../../../lib/config/effective-config');
const { settableIn } = require('../../../lib/config/change');
const { planChange, configuredValues } = require('../../../lib/change/plan-change');

const GiB = 2 ** 30;
/** Of a log that does not reach back. */
const GAP = Object.freeze({ kind: /** @type {const} */ ('gap') });
const STARTED = Object.freeze({
  opened: null,
  cacheSizeGB: null,
  configString: null,
  syncPeriodSecs: null,
});
/** What 9.0 shows of its thresholds. */
const SHOWN = Object.freeze({
  'cache.maxBytes': GiB,
  'eviction.targetPercent': 80,
  'eviction.triggerPercent': 95,
  'eviction.dirtyTargetPercent': 18,
  'eviction.dirtyTriggerPercent': 25,
  'eviction.updatesTargetPercent': 9.5,
  'eviction.updatesTriggerPercent': 12,
});

/** @param {Record<string, number>} [live] @returns {any} */
function settings(live = SHOWN) {
  const made = makeConfig({ startup: STARTED, runTime: [GAP], memoryBytes: 9 * GiB, live });
  return {
    config: made.config,
    drift: made.drift,
    live,
    memoryBytes: 9 * GiB,
    reportedMemoryBytes: 9 * GiB,
    run: { version: '9.0.2' },
    timeline: [],
  };
}

const OPTIONS = Object.freeze({ force: false, cores: 4 });

describe('change/plan-change: thresholds that only the server shows', () => {
  it('they have a way back', () => {
    const { before } = planChange(
      { evictionDirtyTarget: 10, evictionDirtyTrigger: 15 },
      settings(),
      OPTIONS,
    );
    assert.deepEqual(before, { evictionDirtyTarget: 18, evictionDirtyTrigger: 25 });
  });

  it('they count for the checks', () =>
    assert.throws(() => planChange({ evictionDirtyTrigger: 15 }, settings(), OPTIONS), {
      code: 'TUNE-30002',
      message: /evictionDirtyTarget 18% is not below evictionDirtyTrigger 15%/,
    }));

  it('one that no call can set counts for the checks alone', () => {
    const { before, warnings } = planChange({ evictionUpdatesTarget: 4 }, settings(), OPTIONS);
    assert.deepEqual(before, {});
    assert.match(warnings.join(), /tune\.undo\(\) cannot restore it: evictionUpdatesTarget/);
    assert.equal(configuredValues(settings()).evictionUpdatesTarget, 9.5);
    assert.throws(() => planChange({ evictionUpdatesTrigger: 9 }, settings(), OPTIONS), {
      code: 'TUNE-30002',
    });
  });

  it('half of a dirty one is not set: it goes on with that, and comes back so', () => {
    const half = {
      ...SHOWN,
      'eviction.updatesTargetPercent': 9,
      'eviction.updatesTriggerPercent': 12.5,
    };
    const both = { evictionUpdatesTarget: 4, evictionUpdatesTrigger: 8 };
    assert.deepEqual(planChange(both, settings(half), OPTIONS).before, {
      evictionUpdatesTarget: 0,
      evictionUpdatesTrigger: 0,
    });
    const few = { evictionDirtyTrigger: 200 * 2 ** 20 + 1, evictionDirtyTarget: 1 };
    assert.match(
      planChange(few, settings(half), OPTIONS).warnings.join(),
      /evictionUpdatesTrigger changes with it, from 12\.5% to 9\.766%/,
    );
  });

  it('what is shown may be what is asked, and is sent: the record may hold another value', () =>
    assert.deepEqual(planChange({ evictionDirtyTrigger: 25 }, settings(), OPTIONS).change, {
      evictionDirtyTrigger: 25,
    }));

  it('where nothing shows them, they stay unknown', () => {
    const { before } = planChange(
      { evictionDirtyTrigger: 15 },
      settings({ 'cache.maxBytes': GiB }),
      OPTIONS,
    );
    assert.deepEqual(before, {});
  });

  it('a size may be any part of a GB', () =>
    assert.deepEqual(
      settableIn({ cacheSizeGB: 0.5, evictionTarget: 79.5, evictionTrigger: null }),
      { cacheSizeGB: 0.5 },
    ));
});

describe('change/plan-change: threads under a key in quotes', () => {
  it('are checked as they will be after the next call: as recorded', () => {
    const live = { 'cache.maxBytes': GiB, 'eviction.threadsActive': 6 };
    const runTime = ['threads_min=4,threads_max=4', '"threads_max"=8'].map((keys) => ({
      kind: /** @type {const} */ ('set'),
      config: `eviction=(${keys})`,
    }));
    const made = makeConfig({ startup: STARTED, runTime, memoryBytes: 9 * GiB, live });
    assert.throws(
      () => planChange({ evictionThreadsMin: 5 }, { ...settings(), ...made, live }, OPTIONS),
      { code: 'TUNE-30002' },
    );
  });
});
