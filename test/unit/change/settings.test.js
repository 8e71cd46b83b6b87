'use strict';

const assert = require('node:assert/strict');
const { showValue } = require('../../../lib/config/change');
const { renderChange } = require('../../../lib/change/pure/change-text');
const { renderConfig } = require('../../../lib/change/pure/settings-text');
const { renderHistory } = require('../../../lib/change/pure/history-text');
const { makeConfig } = require('../../../lib/config/effective-config');

/** @param {string} text */
const plain = (text) => text;
/** @param {string} text @param {string} tone */
const marked = (text, tone) => `<${tone}>${text}</>`;

/** @type {any} */
const CHANGED = {
  id: null,
  host: 'h:1',
  dryRun: true,
  change: { cacheSizeGB: 0.5, evictionDirtyTrigger: 10 },
  before: { cacheSizeGB: 0.25 },
  after: null,
  verified: null,
  steps: [
    { kind: 'set', config: 'cache_size=512M' },
    {
      kind: 'wait',
      limits: [
        { kind: 'dirty', belowBytes: 2 ** 20 },
        { kind: 'used', belowBytes: 2 ** 21 },
        { kind: 'updates', belowBytes: 1 },
      ],
    },
  ],
  rampCommands: [],
  warnings: ['watch out'],
  conf: 'a: 1\nb: 2\n',
  lostAtRestart: true,
  undo: 'tune.undo("x")',
  confirm: 'tune.apply(…)',
};

describe('change/pure/change-text', () => {
  it('what would be done', () => {
    assert.equal(
      renderChange(CHANGED, plain),
      `h:1  DRY RUN: nothing was changed
  setting                    now    after
  cacheSizeGB           0.25 GiB  0.5 GiB
  evictionDirtyTrigger         ?      10%
WOULD SEND
  db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig:
    "cache_size=512M" })
  Would lower the cache in steps, with waits between them, until dirty data is
  under 1 MiB, the cache holds under 2 MiB and updates are under 1 B.
  WARN  watch out
  Apply      tune.apply(…)
  Undo later tune.undo("x")
A restart loses run-time settings. To keep them, merge into mongod.conf (one
storage: section only), then check it with tune.lint():
  a: 1
  b: 2`,
    );
  });
  it('what was done', () => {
    const done = {
      ...CHANGED,
      id: '7',
      dryRun: false,
      after: { cacheSizeGB: 0.5, evictionDirtyTrigger: 12 },
      verified: true,
      warnings: [],
      confirm: null,
      lostAtRestart: false,
      action: 'undo',
    };
    assert.match(
      renderChange(done, plain),
      /^h:1 {2}undo done and verified {2}7\n[\s\S]*before +now\n[\s\S]*12%/,
    );
    assert.doesNotMatch(renderChange(done, plain), /Apply|mongod\.conf|WARN|Will/);
    assert.match(
      renderChange({ ...done, rampCommands: ['cache_size=600M', 'cache_size=550M'] }, plain),
      /\n {2}Lowered the cache in steps, with waits between them, [^]*under 1 B\.\n {2}Intermediate steps: cache_size=600M cache_size=550M, then:\n {2}Check {6}tune\.status\(\)\n {2}Redo {7}tune\.undo\("x"\)$/,
    );
    assert.match(renderChange({ ...done, verified: false }, plain), /sent, NOT verified/);
  });
  it('nothing to do', () =>
    assert.equal(
      renderChange(
        {
          ...CHANGED,
          change: {},
          host: null,
          warnings: [],
          confirm: null,
          undo: null,
          lostAtRestart: false,
          steps: [],
        },
        plain,
      ),
      '?  DRY RUN: nothing to set',
    ));
  it('what only the next start takes', () => {
    const text = renderChange(
      {
        ...CHANGED,
        change: {},
        warnings: [],
        confirm: null,
        undo: null,
        lostAtRestart: false,
        atNextStart: true,
        steps: [],
      },
      plain,
    );
    assert.equal(
      text,
      'h:1  nothing to set now: it takes effect at the next start\nFor the next start, in ' +
        'mongod.conf:\n  a: 1\n  b: 2',
    );
  });
  it('in colour', () =>
    assert.match(
      renderChange(CHANGED, marked),
      /<strong>h:1<\/>[\s\S]*<warn>WARN<\/> {2}watch out[\s\S]*<strong>tune\.apply/,
    ));
  it('values with their units', () => {
    assert.deepEqual(
      [
        showValue('cacheSizeGB', 1.23456),
        showValue('evictionTarget', 80),
        showValue('evictionUpdatesTarget', 2.5),
        showValue('evictionDirtyTarget', 2 ** 30),
        showValue('evictionThreadsMax', 8),
        showValue('syncdelaySeconds', 60),
        showValue('evictionTarget', null),
        showValue('evictionTarget', undefined),
      ],
      ['1.235 GiB', '80%', '2.5%', '1 GiB', '8', '60 s', '?', '?'],
    );
  });
});

describe('change/pure/settings-text', () => {
  const { config } = makeConfig({
    startup: { opened: null, cacheSizeGB: 2, configString: null, syncPeriodSecs: null },
    runTime: [{ kind: 'set', config: 'eviction_target=75' }],
    memoryBytes: 9 * 2 ** 30,
    live: {},
  });
  const data = {
    ...config,
    host: 'h:1',
    version: '6.0.5',
    drift: [],
    notes: ['a note'],
    complete: true,
  };
  it('a table with the origin of each', () => {
    const text = renderConfig(/** @type {any} */ (data), plain);
    assert.match(
      text,
      /^h:1 {2}MongoDB 6\.0\.5\nSETTINGS {5}2 of 11 not at the default, 1 lost at the next restart\n {2}setting/,
    );
    assert.match(text, /\n {2}cacheSizeGB +2 GiB +4 GiB +start-up options\n/);
    assert.match(text, /\n {2}evictionTarget +75% +80% +run time, until restart\n/);
    assert.match(text, /\n {2}evictionTrigger +95% +95% +default\n/);
    assert.match(text, /\n {2}WARN {2}a note\n {2}Keep {7}tune\.mongodConf\(\)$/);
  });
  it('thresholds that follow another one', () => {
    const follow = (/** @type {string} */ text) =>
      renderConfig(
        /** @type {any} */ ({
          ...makeConfig({
            startup: { opened: null, cacheSizeGB: 2, configString: null, syncPeriodSecs: null },
            runTime: text ? [{ kind: 'set', config: text }] : [],
            memoryBytes: null,
            live: {},
          }).config,
          host: 'h',
          version: '6.0.5',
          drift: [],
          notes: [],
          complete: true,
        }),
        plain,
      );
    const text = follow('eviction_dirty_target=20,eviction_dirty_trigger=40');
    assert.match(text, /\n {2}evictionUpdatesTarget +10% +2\.5% +half of evictionDirtyTarget\n/);
    assert.match(text, /\n {2}evictionUpdatesTrigger +20% +10% +half of evictionDirtyTrigger\n/);
    assert.match(text, /\n {2}evictionCheckpointTarget +20% +5% +as evictionDirtyTarget\n/);
    assert.match(text, /\n {2}evictionTrigger +95% +95% +default\n/);
    assert.doesNotMatch(follow(''), / (as|half of) evict/);
    assert.match(
      follow('eviction_target=12,eviction_trigger=15'),
      /\n {2}evictionDirtyTrigger +15% +20% +as evictionTrigger\n/,
    );
    assert.match(
      follow('eviction_updates_target=9'),
      /\n {2}evictionUpdatesTarget +9% +2\.5% +run time, until restart/,
    );
  });
  it('drift and what is not known', () => {
    const unknown = { ...config.evictionTarget, value: null, from: 'unknown', sinceRestart: false };
    const text = renderConfig(
      /** @type {any} */ ({
        ...data,
        host: null,
        version: null,
        evictionTarget: unknown,
        notes: [],
        drift: [{ setting: 'cacheSizeGB', say: 'it drifted' }],
      }),
      plain,
    );
    assert.match(text, /^\? {2}MongoDB \?/);
    assert.match(text, /cacheSizeGB +2 GiB +4 GiB +start-up options, not as recorded/);
    assert.match(text, /evictionTarget +\? +80% +unknown/);
    assert.match(text, / {2}WARN {2}it drifted$/);
  });
});

describe('change/pure/history-text', () => {
  /** @type {any} */
  const entry = {
    id: 'one',
    at: '2026-11-21T09:13:08.123Z',
    host: 'h:1',
    action: 'apply',
    undoes: null,
    change: { evictionTarget: 75 },
    outcome: 'applied',
    undo: 'tune.undo("one", { confirm: true })',
  };
  it('a line for each, and how to undo the last change', () => {
    const text = renderHistory(
      {
        entries: [
          entry,
          {
            ...entry,
            id: 'two',
            action: 'undo',
            undoes: 'zero',
            outcome: 'applied',
            undo: 'tune.undo("two")',
          },
        ],
        notes: ['n'],
        all: false,
      },
      plain,
    );
    assert.match(
      text,
      /^2 changes on this server from this computer, times in UTC\n {2}id +time +outcome\n {2}one +2026-11-21 09:13:08 +applied\n {4}\{ evictionTarget: 75 \}\n {2}two +2026-11-21 09:13:08 +applied\n {4}undo of zero: \{ evictionTarget: 75 \}\n {2}WARN {2}n\n {2}Undo {7}tune\.undo\("one", \{ confirm: true \}\)$/,
    );
  });
  it('which change is active: the last one that set a setting', () => {
    const of = (/** @type {string} */ id, /** @type {object} */ more) => ({
      ...entry,
      id,
      ...more,
    });
    const entries = [
      of('one', { change: { cacheSizeGB: 1 } }),
      of('two', { change: { cacheSizeGB: 2, evictionTarget: 75 } }),
      of('three', { change: { cacheSizeGB: 3 }, outcome: 'unknown' }),
      of('four', { change: { evictionTrigger: 90 } }),
      of('five', { change: { evictionTrigger: 85 }, outcome: 'undone' }),
      of('six', { change: { evictionTarget: 70 }, host: 'h:2' }),
    ];
    const outcomes = (/** @type {string | null} */ host) =>
      [
        ...renderHistory({ entries, notes: [], all: false, host }, plain).matchAll(
          /\d\d:\d\d:\d\d +(?:h:\d +)?(.*)/g,
        ),
      ].map(([, outcome]) => outcome);
    assert.deepEqual(outcomes('h:1'), [
      'applied, replaced',
      'applied, partly active',
      'unknown',
      'applied, active',
      'undone',
      'applied',
    ]);
    assert.ok(outcomes(null).every((outcome) => !outcome.includes(',')));
    const text = renderHistory({ entries, notes: [], all: false, host: 'h:1' }, plain);
    assert.match(text, /note {2}Which changes are active is shown for h:1 only\.\n/);
    assert.match(text, /\n {2}Check {6}tune\.settings\(\)\n {2}Undo /);
  });
  it('a trial', () =>
    assert.match(
      renderHistory(
        { entries: [{ ...entry, action: 'trial', outcome: 'unknown' }], notes: [], all: false },
        plain,
      ),
      /unknown\n {4}trial of \{ evictionTarget: 75 \}\n {2}Undo {7}tune\.undo\("one"/,
    ));
  it('of every server', () =>
    assert.match(
      renderHistory(
        {
          entries: [entry, { ...entry, host: null, outcome: 'ended-by-restart', undo: null }],
          notes: [],
          all: true,
        },
        plain,
      ),
      /host[\s\S]*h:1[\s\S]*\? +ended-by-restart\n {4}\{/,
    ));
  it('nothing to undo', () =>
    assert.doesNotMatch(
      renderHistory({ entries: [{ ...entry, undo: null }], notes: [], all: false }, plain),
      /Undo/,
    ));
  it('nothing at all', () => {
    assert.equal(
      renderHistory({ entries: [], notes: ['n'], all: false }, plain),
      'No changes made with tune on this server from this computer.\n  WARN  n',
    );
    assert.equal(
      renderHistory({ entries: [], notes: [], all: true }, plain),
      'No changes made with tune from this computer.',
    );
  });
});
