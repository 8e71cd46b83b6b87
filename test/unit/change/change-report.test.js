'use strict';

const assert = require('node:assert/strict');
const { changeReport, lostSince } = require('../../../lib/change/change-report');
const { externalChange } = require('../../../lib/change/external-change');
const { makeConfig } = require('../../../lib/config/effective-config');

const GiB = 2 ** 30;
const ASKED = Object.freeze({ evictionDirtyTarget: 6 });
const STARTED = Object.freeze({
  opened: null,
  cacheSizeGB: 1,
  configString: null,
  syncPeriodSecs: null,
});
const GAP = Object.freeze({ kind: 'gap' });
/** @param {string} config @param {string | null} [id] */
const set = (config, id = null) => ({ kind: 'set', config, id, atMs: 1 });
const OURS = set('eviction_dirty_target=6', 'x');

/**
 * @param {any[]} timeline
 * @param {{ startup?: any, processId?: string, live?: any, lastString?: string | null }} [of]
 * @returns {any}
 */
const settings = (
  timeline,
  { startup = STARTED, processId = 'p1', live, lastString = '' } = {},
) => ({
  ...makeConfig({
    startup,
    runTime: timeline,
    memoryBytes: 8 * GiB,
    live: { 'cache.maxBytes': GiB, 'eviction.threadsActive': 4, ...live },
  }),
  run: { processId },
  timeline,
  history: { lastString, engineConfig: startup },
});
/** @param {any} after @param {any} [asked] */
const lost = (after, asked = ASKED) => lostSince(settings([OURS]), asked, after);
const BY_OTHERS = /another session has set evictionDirtyTarget since: run the same again/;

describe('change/change-report: a member that had the values already', () => {
  for (const [
    what,
    now,
    value,
    why,
  ] of /** @type {[string, any, number | undefined, RegExp][]} */ ([
    ['is restarted', settings([], { processId: 'p2' }), 5, /has lost them: run the same/],
    [
      'is restarted, and its start is not known',
      settings([], { processId: 'p2', startup: null }),
      undefined,
      /was restarted since, and may have lost them\. Run the same/,
    ],
    [
      'is restarted with a key in quotes',
      settings([], {
        processId: 'p2',
        startup: { ...STARTED, configString: '"eviction_dirty_target"=2' },
      }),
      2,
      /has lost them: run the same/,
    ],
    [
      'is set by others, and the log has lost something',
      settings([GAP, set('eviction=(threads_max=5)')], { lastString: 'eviction=(threads_max=5)' }),
      undefined,
      /the log does not show whether another session has set evictionDirtyTarget since\. Run/,
    ],
    ['is set by others', settings([OURS, set('eviction_dirty_target=2')]), 2, BY_OTHERS],
    [
      'is set by others under a key in quotes',
      settings([OURS, set('"eviction_dirty_target"=2')]),
      2,
      BY_OTHERS,
    ],
  ]))
    it(`${what}: it is not verified`, () => {
      const { verified, after, warnings } = lost(now);
      assert.deepEqual([verified, after?.evictionDirtyTarget], [false, value]);
      assert.match(warnings.join(), why);
    });

  it('that has them is left alone', () =>
    assert.deepEqual(lost(settings([OURS, set('eviction_target=70')])), { warnings: [] }));

  it('so is one that does not let its strings be read', () =>
    assert.deepEqual(lost(settings([GAP], { lastString: null })), { warnings: [] }));

  it('so is one whose last string is the same: nothing was set since, whatever the log has lost', () =>
    assert.deepEqual(lost(settings([GAP])), { warnings: [] }));

  it('a value that the server shows as asked is in effect, though it is half of another', () => {
    const live = { 'eviction.dirtyTargetPercent': 10, 'eviction.updatesTargetPercent': 5 };
    const now = settings([GAP, set('eviction_target=80')], {
      live,
      lastString: 'eviction_target=80',
    });
    const asked = { evictionDirtyTarget: 10, evictionUpdatesTarget: 5 };
    assert.deepEqual(lost(now, asked), { warnings: [] });
  });

  it('what WiredTiger makes of it is known while nothing was set since, and else may be of others', () => {
    const shown = (/** @type {number} */ percent, lastString = 'eviction_checkpoint_target=1') =>
      lost(
        settings([GAP, set('eviction_checkpoint_target=1')], {
          live: { 'eviction.targetPercent': 80, 'eviction.dirtyTargetPercent': percent },
          lastString,
        }),
        { evictionDirtyTarget: 90 },
      );
    assert.deepEqual(shown(80, ''), { warnings: [] });
    assert.match(shown(80).warnings.join(), /the log does not show/);
    assert.match(shown(75).warnings.join(), BY_OTHERS);
  });

  it('what the server shows is known, whatever the log has lost', () => {
    const shown = (/** @type {number} */ percent) =>
      lost(settings([GAP], { live: { 'eviction.dirtyTargetPercent': percent } }));
    assert.deepEqual(shown(6), { warnings: [] });
    assert.deepEqual(shown(7).after, { evictionDirtyTarget: 7 });
  });

  it('a value under a key in quotes, whose record is not known, is not what the next string leaves', () => {
    const { config, drift } = settings([GAP, set('"eviction_dirty_target"=6')]);
    assert.deepEqual([config.evictionDirtyTarget.set, config.evictionDirtyTarget.value], [null, 6]);
    assert.deepEqual(drift, []);
  });

  it('bytes, which are shown as percent, are not known', () => {
    const now = settings([GAP], {
      live: { 'eviction.dirtyTargetPercent': 9.77 },
      lastString: 'eviction_target=70',
    });
    const { verified, after, warnings } = lost(now, { evictionDirtyTarget: 100 * 2 ** 20 });
    assert.deepEqual([verified, after], [false, {}]);
    assert.match(warnings.join(), /the log does not show/);
  });
});

describe('change/change-report: what was set between the plan and the first call', () => {
  const OWN = 'eviction=(threads_max=8)';
  const asked = Object.freeze({ evictionTarget: 75, evictionThreadsMax: 8 });
  const planned = {
    change: { evictionThreadsMax: 8 },
    before: { evictionThreadsMax: 4 },
    steps: [{ kind: 'set', group: 'threads', change: { evictionThreadsMax: 8 }, config: OWN }],
    warnings: [],
  };
  const before = {
    ...settings([set('eviction_target=75')], { lastString: 'eviction_target=75' }),
    entries: [],
    notes: [],
    live: {},
  };
  const after = settings([GAP, set(OWN, 'x')], { lastString: OWN });
  /** @param {string[]} external @param {any} [more] */
  const report = (external, more) =>
    changeReport(
      /** @type {any} */ ({
        settings: before,
        planned,
        asked,
        confirm: true,
        done: {
          id: 'x',
          verified: true,
          rampCommands: [],
          mismatches: [],
          external: external.map(externalChange),
        },
        after,
        confirmCall: '',
        ...more,
      }),
    );
  const verified = (/** @type {string[]} */ external) => report(external).verified;

  it('may be what the log has lost, though the last string is our own: not verified', () =>
    assert.equal(verified(['eviction_target=78']), false));

  it('where nothing was set, the last string of the plan still counts', () =>
    assert.equal(verified([]), true));

  it('what WiredTiger makes of a value is shown as that value, as where the log has all', () => {
    const change = { evictionDirtyTarget: 90 };
    const step = { kind: 'set', group: 'dirty', change, config: 'eviction_dirty_target=90' };
    const live = { 'eviction.targetPercent': 80, 'eviction.dirtyTargetPercent': 80 };
    const done = report([], {
      asked: change,
      planned: { ...planned, change, steps: [step] },
      after: settings([set(step.config, 'x'), GAP], { live, lastString: step.config }),
    });
    assert.deepEqual([done.verified, done.after], [true, change]);
  });
});
