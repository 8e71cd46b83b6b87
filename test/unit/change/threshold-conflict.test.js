'use strict';

const assert = require('node:assert/strict');
const {
  conflictWith,
  conflictNow,
  inOrderWith,
  firstWords,
  restoreWords,
  undoCallFor,
} = require('../../../lib/change/threshold-conflict');
const { externalChange } = require('../../../lib/change/external-change');

const GB = 2 ** 30;
const RAW = {
  cacheSizeGB: 1,
  evictionTarget: 80,
  evictionTrigger: 85,
  evictionDirtyTarget: 5,
  evictionDirtyTrigger: 20,
  evictionThreadsMin: 4,
  evictionThreadsMax: 4,
};

/** @param {any} sent @param {readonly string[]} configs of others @param {any} [raw] */
const known = (sent, configs, raw = {}) =>
  /** @type {any} */ ({
    settings: {
      config: Object.fromEntries(
        Object.entries({ ...RAW, ...raw }).map(([setting, set]) => [setting, { set }]),
      ),
    },
    sent,
    external: configs.map((config) => externalChange(config)),
  });

describe('change/threshold-conflict', () => {
  for (const [what, changeRun, going, expected] of [
    ['nobody else', known({ evictionTrigger: 95 }, []), { evictionTrigger: 85 }, null],
    [
      'a trigger below the target of another session',
      known({ evictionTrigger: 95 }, ['eviction_target=90']),
      { evictionTrigger: 85 },
      [['evictionTarget', 'evictionTrigger'], { evictionTarget: 80 }],
    ],
    [
      'a trigger that another session set over ours',
      known({ evictionTarget: 60, evictionTrigger: 82 }, ['eviction_trigger=75']),
      { evictionTarget: 80 },
      [['evictionTarget', 'evictionTrigger'], { evictionTrigger: 85 }],
    ],
    [
      'the same, noted as sent by the trial',
      known({ evictionTarget: 60, evictionTrigger: 75 }, ['eviction_trigger=75']),
      { evictionTarget: 80 },
      [['evictionTarget', 'evictionTrigger'], { evictionTrigger: 85 }],
    ],
    [
      'what contradicts without this change',
      known({}, ['eviction_target=90']),
      { evictionThreadsMax: 6 },
      null,
    ],
    [
      'a value before that is not known',
      known({ evictionTrigger: 95 }, ['eviction_target=90'], { evictionTarget: null }),
      { evictionTrigger: 85 },
      [['evictionTarget', 'evictionTrigger'], {}],
    ],
    [
      'bytes beside another cache: the cache before is what lifts it',
      known({}, ['cache_size=256M']),
      { evictionDirtyTarget: 0.1 * GB },
      [['evictionDirtyTarget', 'evictionDirtyTrigger'], { cacheSizeGB: 1 }],
    ],
    [
      'bytes that the cache cannot hold: the threshold before is what lifts it',
      known({ cacheSizeGB: 2 }, ['eviction_dirty_trigger=1600000000']),
      { cacheSizeGB: 1 },
      [['evictionDirtyTrigger', 'cacheSizeGB'], { evictionDirtyTrigger: 20 }],
    ],
  ])
    it(`${what}`, () => {
      const found = conflictWith(changeRun, going);
      assert.deepEqual(found && [found.settings, found.first], expected);
    });

  it('only the group that contradicts waits', () => {
    const changeRun = known({ evictionTrigger: 95, evictionThreadsMax: 6 }, ['eviction_target=90']);
    const { rest, left, conflict } = inOrderWith(changeRun, {
      evictionTrigger: 85,
      evictionThreadsMax: 4,
    });
    assert.deepEqual([rest, left], [{ evictionThreadsMax: 4 }, ['evictionTrigger']]);
    assert.match(String(conflict?.say), /^With "eviction_target=90", which another session/);
  });

  it('what is set already is judged whoever came last, but not what is all external', () => {
    const now = (/** @type {any} */ sent) =>
      conflictNow(known(sent, ['eviction_target=90']))?.settings;
    assert.deepEqual(now({ evictionTrigger: 85 }), ['evictionTarget', 'evictionTrigger']);
    assert.deepEqual(now({ evictionTrigger: 95 }), undefined);
    assert.deepEqual(now({ evictionThreadsMax: 6 }), undefined);
    assert.equal(conflictNow(known({ evictionTrigger: 85 }, [])), null);
  });

  it('what a call of ours overwrote contradicts nothing', () => {
    const changeRun = known({ evictionTarget: 60, evictionTrigger: 82 }, ['eviction_trigger=75']);
    changeRun.external[0].values.overwritten = true;
    assert.equal(conflictWith(changeRun, { evictionTarget: 80 }), null);
  });

  for (const [what, change, config, expected] of /** @type {[string, any, string, string][]} */ ([
    [
      'values of the same settings: the undo is forced, and enough',
      { evictionTarget: 60, evictionTrigger: 82 },
      'eviction_trigger=75',
      'tune.undo("x", { confirm: true, force: true }) restores the settings before, and ' +
        'overwrites evictionTrigger, which another session set.',
    ],
    [
      'values of the same and another setting: the undo is forced, and the other comes first',
      { evictionTrigger: 95, evictionThreadsMax: 6 },
      'eviction=(threads_max=7),eviction_target=90',
      'tune.apply({ evictionTarget: 80 }, { confirm: true }) comes first, then tune.undo("x", ' +
        '{ confirm: true, force: true }). The undo overwrites evictionThreadsMax, which another ' +
        'session set.',
    ],
    [
      'values of another setting',
      { evictionTrigger: 95 },
      'eviction_target=90',
      'tune.apply({ evictionTarget: 80 }, { confirm: true }) comes first, then tune.undo("x", ' +
        '{ confirm: true }).',
    ],
  ]))
    it(`what to type beside ${what}`, () => {
      const changeRun = known(change, [config]);
      const before = Object.fromEntries(Object.keys(change).map((key) => [key, RAW[key]]));
      Object.assign(changeRun, { id: 'x', plan: { change, before } });
      const { conflict } = inOrderWith(changeRun, before);
      assert.equal(restoreWords(changeRun, /** @type {any} */ (conflict)), expected);
    });

  it('an undo is forced also where what others set of the same is overwritten', () => {
    const changeRun = known({ evictionTrigger: 95 }, ['eviction_trigger=90']);
    Object.assign(changeRun, { id: 'x', plan: { change: { evictionTrigger: 95 } } });
    changeRun.external[0].values.overwritten = true;
    const undo = 'tune.undo("x", { confirm: true, force: true })';
    assert.deepEqual(undoCallFor(changeRun), { undo, over: '' });
  });

  it('what to type', () => {
    const settings = /** @type {any} */ (['evictionTarget', 'evictionTrigger']);
    const known = { settings, first: { evictionTarget: 80 } };
    assert.equal(
      firstWords(known, 'tune.undo("x")'),
      'tune.apply({ evictionTarget: 80 }, { confirm: true }) comes first, then tune.undo("x").',
    );
    assert.equal(
      firstWords({ settings, first: {} }),
      'tune.apply() of evictionTarget or evictionTrigger puts that right.',
    );
  });
});
