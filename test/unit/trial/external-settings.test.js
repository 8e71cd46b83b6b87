'use strict';

const assert = require('node:assert/strict');
const {
  externalSettingsOf,
  withoutExternal,
  externalSentence,
  activeSentence,
  arrivalOf,
} = require('../../../lib/trial/pure/external-settings');

const A = Object.freeze({ evictionThreadsMax: 4, evictionTarget: 80 });
/** @param {string} config @param {string[]} later */
const found = (config, ...later) => ({ config, later });

describe('what other sessions set of the settings that are tried', () => {
  for (const [name, strings, expected] of /** @type {[string, any[], object][]} */ ([
    ['nothing', [], {}],
    ['the same', [found('eviction_target=70')], { evictionTarget: 70 }],
    ['another one', [found('eviction_dirty_target=7')], {}],
    [
      'the same, hidden by another one after it',
      [found('eviction_target=70'), found('eviction=(threads_min=2)')],
      { evictionTarget: 70 },
    ],
    [
      'twice: the last',
      [found('eviction_target=70'), found('eviction_target=71')],
      { evictionTarget: 71 },
    ],
    ['overwritten by a call of ours', [found('eviction_target=70', 'eviction_target=75')], {}],
    [
      'with a call of ours after it that set another one',
      [found('eviction_target=70', 'eviction=(threads_max=6)')],
      { evictionTarget: 70 },
    ],
    [
      'two in one string, one of them overwritten',
      [found('eviction_target=70,eviction=(threads_max=9)', 'eviction=(threads_max=6)')],
      { evictionTarget: 70 },
    ],
  ]))
    it(name, () => assert.deepEqual(externalSettingsOf(A, strings), expected));

  it('settings without external ones remain', () => {
    assert.deepEqual(withoutExternal(A, {}), A);
    assert.deepEqual(withoutExternal(A, { evictionTarget: 70 }), { evictionThreadsMax: 4 });
    assert.deepEqual(withoutExternal(A, { evictionTarget: 70, evictionThreadsMax: 9 }), {});
  });

  it('the sentence names the strings and what stays', () => {
    assert.equal(
      externalSentence(['eviction_target=70'], { evictionTarget: 70 }),
      'Another session set "eviction_target=70"; it stays as it is.',
    );
    assert.equal(
      externalSentence(['eviction_target=70', 'cache_size=1G'], { evictionTarget: 70 }),
      'Another session set "eviction_target=70", then "cache_size=1G"; they stay as they are.',
    );
    assert.equal(externalSentence(['cache_size=1G'], {}), 'Another session set "cache_size=1G".');
    assert.deepEqual(activeSentence(A, {}), []);
    assert.deepEqual(activeSentence(A, { evictionTarget: 70 }), [
      'Active: { evictionTarget: 70 }, set by another session, and { evictionThreadsMax: 4 } ' +
        'as before the trial. tune.apply({ evictionTarget: 80 }) shows a dry run of the way back.',
    ]);
    assert.deepEqual(activeSentence(A, { evictionTarget: 70 }, ['evictionThreadsMax']), [
      'Active: { evictionTarget: 70 }, set by another session.',
    ]);
    assert.deepEqual(activeSentence({ evictionTarget: 80 }, { evictionTarget: 70 }), [
      'Active: { evictionTarget: 70 }, set by another session. tune.apply({ evictionTarget: ' +
        '80 }) shows a dry run of the way back.',
    ]);
  });
});

describe('a call that was not answered', () => {
  const [B, BACK] = ['eviction_target=75', 'eviction_target=80'];
  const OTHER = 'eviction=(threads_max=4)';
  for (const [
    name,
    logged,
    calls,
    expected,
  ] of /** @type {[string, string[], string[], string][]} */ ([
    ['no log', [], [B, BACK], 'out'],
    ['has not arrived', [BACK], [B, BACK], 'out'],
    ['arrived earlier in another switch, and not this time', [B, BACK], [B, BACK, B, BACK], 'out'],
    ['arrived before the way back', [B, BACK], [B, BACK], 'before'],
    ['arrived after the way back', [BACK, B], [B, BACK], 'after'],
    ['arrived before a call that sets something else', [BACK, B, OTHER], [B, BACK, OTHER], 'after'],
    [
      'is followed by what another session set',
      [BACK, B, 'eviction_target=70'],
      [B, BACK],
      'after',
    ],
  ]))
    it(name, () =>
      assert.equal(
        arrivalOf(
          logged.map((config) => ({ config })),
          calls,
          B,
        ),
        expected,
      ),
    );
});
