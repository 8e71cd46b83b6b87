'use strict';

const assert = require('node:assert/strict');
const { renderChange, showValue } = require('../../../lib/change/pure/change-text');
const { renderConfig } = require('../../../lib/change/pure/settings-text');
const { renderHistory } = require('../../../lib/change/pure/history-text');
const { renderLint } = require('../../../lib/config/lint/lint-text');
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
      `h:1  DRY RUN: nothing was sent

setting                before    then
cacheSizeGB           0.25 GB  0.5 GB
evictionDirtyTrigger        ?     10%

  db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig:
    "cache_size=512M" })
  will wait, or lower it in steps, until dirty data is under 1 MiB and the cache
  holds under 2 MiB and update data is under 1 B

! watch out

to do it:    tune.apply(…)
to undo it:  tune.undo("x")
to keep it over a restart, in mongod.conf:
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
    assert.doesNotMatch(renderChange(done, plain), /to do it|mongod\.conf|!/);
    assert.match(
      renderChange({ ...done, rampCommands: ['cache_size=600M', 'cache_size=550M'] }, plain),
      /under 1 B\n {2}intermediate steps: cache_size=600M cache_size=550M\n\n/,
    );
    assert.match(renderChange({ ...done, verified: false }, plain), /done, not verified/);
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
      '  nothing to set',
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
      'h:1  nothing to set while the server runs; it counts from the next start\n\nfor the ' +
        'next start, in mongod.conf:\n  a: 1\n  b: 2',
    );
  });
  it('in colour', () =>
    assert.match(
      renderChange(CHANGED, marked),
      /<strong>h:1<\/>[\s\S]*<warn>!<\/> watch out[\s\S]*<accent>tune\.apply/,
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
      ['1.235 GB', '80%', '2.5%', '1 GiB', '8', '60 s', '?', '?'],
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
    assert.match(text, /^h:1 {2}MongoDB 6\.0\.5\n\nsetting/);
    assert.match(text, /\ncacheSizeGB +2 GB +set at start +4 GB\n/);
    assert.match(text, /\nevictionTarget +75% +set since the start, lost at +80%\n +restart\n/);
    assert.match(text, /\nevictionTrigger +95% +default +95%\n/);
    assert.match(text, /\n! a note\n\ntune\.mongodConf\(\) shows/);
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
    assert.match(text, /\nevictionUpdatesTarget +10% +follows evictionDirtyTarget +2\.5%\n/);
    assert.match(text, /\nevictionUpdatesTrigger +20% +follows evictionDirtyTrigger +10%\n/);
    assert.match(text, /\nevictionCheckpointTarget +20% +follows evictionDirtyTarget +5%\n/);
    assert.match(text, /\nevictionTrigger +95% +default +95%\n/);
    assert.doesNotMatch(follow(''), /follows/);
    assert.match(
      follow('eviction_target=12,eviction_trigger=15'),
      /\nevictionDirtyTrigger +15% +follows evictionTrigger +20%\n/,
    );
    assert.match(
      follow('eviction_updates_target=9'),
      /\nevictionUpdatesTarget +9% +set since the start/,
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
    assert.match(text, /cacheSizeGB +2 GB +set at start {2}not as recorded/);
    assert.match(text, /evictionTarget +\? +not known/);
    assert.match(text, /! it drifted$/);
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
      /^id +at +outcome\none +2026-11-21 09:13:08 +applied\n {2}\{ evictionTarget: 75 \}\ntwo +2026-11-21 09:13:08 +applied\n {2}undo of zero: \{ evictionTarget: 75 \}\n\nto undo the last: tune\.undo\("one", \{ confirm: true \}\)\n! n$/,
    );
  });
  it('a trial', () =>
    assert.match(
      renderHistory(
        { entries: [{ ...entry, action: 'trial', outcome: 'unknown' }], notes: [], all: false },
        plain,
      ),
      /unknown\n {2}trial of \{ evictionTarget: 75 \}\n[^]*to undo the last: tune\.undo\("one"/,
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
      /host[\s\S]*h:1[\s\S]*\? +ended-by-restart\n {2}\{/,
    ));
  it('nothing to undo', () =>
    assert.doesNotMatch(
      renderHistory({ entries: [{ ...entry, undo: null }], notes: [], all: false }, plain),
      /to undo/,
    ));
  it('nothing at all', () => {
    assert.equal(
      renderHistory({ entries: [], notes: ['n'], all: false }, plain),
      'tune has changed nothing on this server from this computer.\n! n',
    );
    assert.equal(
      renderHistory({ entries: [], notes: [], all: true }, plain),
      'tune has changed nothing from this computer.',
    );
  });
});

describe('config/lint/lint-text', () => {
  /** @type {any} */
  const problem = {
    level: 'error',
    key: 'x',
    say: 'is bad',
    position: 11,
    todo: 'Do it.',
    when: 'always',
    line: 1,
  };
  /** @param {object[]} problems @param {string} [content] @param {object} [more] */
  const render = (problems, content = 'cache_size=1.5G', more = {}) =>
    renderLint(
      /** @type {any} */ ({
        ok: problems.every((one) => /** @type {any} */ (one).level !== 'error'),
        problems,
        version: '6.0.5',
        kind: 'string',
        file: null,
        ...more,
      }),
      content,
      plain,
    );
  it('the place, what is wrong, what to do', () =>
    assert.equal(
      render([problem]),
      `configuration string, for MongoDB 6.0.5: 1 error

  cache_size=1.5G
             ^
✗ is bad.
  Do it.`,
    ));
  it('counts', () => {
    assert.match(
      render([problem, problem, { ...problem, level: 'warning' }]),
      /: 2 errors, 1 warning\n/,
    );
    assert.match(
      render([
        { ...problem, level: 'warning', position: null },
        { ...problem, level: 'warning', line: null },
      ]),
      /: accepted, 2 warnings\n\n! is bad\.\n {2}Do it\.\n\n! is bad/,
    );
    assert.equal(render([]), 'configuration string, for MongoDB 6.0.5: nothing to object to');
  });
  it('nothing to point at, no mark', () =>
    assert.equal(
      render([{ ...problem, position: 0 }], ''),
      'configuration string, for MongoDB 6.0.5: 1 error\n\n✗ is bad.\n  Do it.',
    ));
  it('a file by its lines', () => {
    assert.match(
      render([{ ...problem, position: 9, line: 2 }], 'a: 1\nbcd: 2\n', {
        kind: 'file',
        file: '/etc/m.conf',
      }),
      /^\/etc\/m\.conf, for[\s\S]*\n {2}2: bcd: 2\n {9}\^\n/,
    );
    assert.match(render([], '', { kind: 'file' }), /^mongod\.conf, for/);
  });
  it('a place far to the right', () => {
    const content = `${'a=1,'.repeat(100)}b=x`;
    const [, , line, mark] = render([{ ...problem, position: 402 }], content).split('\n');
    assert.equal(line[mark.indexOf('^')], 'x');
    assert.ok(line.length < 130);
  });
  it('control characters do not reach the terminal', () =>
    assert.match(render([{ ...problem, position: 1 }], 'a\u001b[31mb'), /\n {2}a \[31mb\n/));
});
