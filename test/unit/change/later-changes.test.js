'use strict';

const assert = require('node:assert/strict');
const {
  othersSince,
  laterChanges,
  externalBelow,
  externalDuring,
  overtakenBy,
} = require('../../../lib/change/pure/later-changes');
const { makeTimeline } = require('../../../lib/change/pure/timeline');
const { knownOf } = require('../../../lib/change/pure/known-before');

const RUN = { host: 'h:1', processId: 'p1', pid: 7, startedAtMs: 1000 };
/** @param {string} id @param {string[]} commands @param {object} [more] @returns {any} */
const entry = (id, commands, more = {}) => ({
  id,
  action: 'apply',
  undoes: null,
  run: RUN,
  outcome: 'applied',
  commands,
  asking: null,
  sent: commands.map((command) => ({ command })),
  ...more,
});
const undo = (/** @type {string} */ id, /** @type {string} */ undoes, more = {}) =>
  entry(id, ['eviction_target=80'], { action: 'undo', undoes, ...more });
/** @param {string} id @param {string} config @returns {any} */
const set = (id, config) => ({ kind: 'set', id, config, atMs: 1 });

const A = entry('a', ['eviction_target=75']);
const B = entry('b', ['eviction_target=70']);
const UNDONE = { outcome: 'undone' };

describe('change/pure/later-changes: what came later', () => {
  /** @param {any[]} entries @param {any} one @param {any[]} [timeline] */
  const later = (entries, one, timeline = []) =>
    laterChanges(timeline, entries, one, { evictionTarget: 1 })
      .map(({ id }) => id)
      .join();
  for (const [name, entries, one, ids] of /** @type {[string, any[], any, string][]} */ ([
    ['a change that stands', [A, B], A, 'b'],
    ['an earlier one does not', [A, B], B, ''],
    ['one that is undone, with its undo', [A, { ...B, ...UNDONE }, undo('u', 'b')], A, ''],
    ['its own undo, left in the middle', [A, undo('u', 'a', { outcome: 'unknown' })], A, ''],
    [
      'an undo of what came before',
      [{ ...A, ...UNDONE }, { ...B, ...UNDONE }, undo('u', 'b'), undo('v', 'a')],
      undo('u', 'b'),
      'v',
    ],
    [
      'the undo of an undo puts the change into force again, which counts itself',
      [A, B, undo('u', 'b', UNDONE), undo('w', 'u')],
      A,
      'b',
    ],
    ['an undo of what the journal has lost', [A, undo('u', 'lost')], A, 'u'],
    [
      'another run',
      [A, entry('b', ['eviction_target=70'], { run: { ...RUN, processId: 'p0' } })],
      A,
      '',
    ],
    ['another setting', [A, entry('b', ['cache_size=1G'])], A, ''],
  ]))
    it(`${name}: "${ids}"`, () => assert.equal(later(entries, one), ids));

  it('by the order of the server, where that is known of both', () => {
    const [a, b] = [set('a', 'eviction_target=75'), set('b', 'eviction_target=70')];
    assert.deepEqual(
      [later([A, B], A, [b, a]), later([A, B], B, [b, a]), later([A, B], A, [a, b])],
      ['', 'a', 'b'],
    );
    assert.equal(later([A, B], A, [a]), 'b', 'by the journal, where it is known of one');
    assert.equal(
      later([A, B], A, [b, { kind: 'gap' }, set('b', 'cache_size=1G'), a]),
      '',
      'by the setting itself',
    );
  });

  it('its own undo on the way is not somebody else', () => {
    const timeline = [
      set('a', 'eviction_target=75'),
      set('u', 'eviction_target=80'),
      set('a', 'eviction=(threads_max=8)'),
    ];
    const during = (/** @type {string[]} */ ...undos) =>
      externalDuring(timeline, { id: 'a', logged: null }, { evictionTarget: 1 }, undos);
    assert.deepEqual([during(), during('u')], [['eviction_target=80'], []]);
    const noted = { id: 'a', logged: null, external: ['eviction_target=80', 'eviction_target=90'] };
    assert.deepEqual(externalDuring(timeline, noted, { evictionTarget: 1 }, ['u']), [
      'eviction_target=90',
    ]);
  });
  it('what this journal sent after a call without an answer, which came later, is of no other session', () => {
    const timeline = [
      { ...set('b', 'eviction_target=75'), atMs: 20 },
      { ...set('a', 'eviction_target=75 '), atMs: 30 },
    ];
    const during = (/** @type {number} */ atMs) =>
      externalDuring(
        timeline,
        { id: 'a', logged: null, open: [{ kind: 'asking', id: 'a', atMs, command: '' }] },
        { evictionTarget: 1 },
      );
    assert.deepEqual([during(10), during(25)], [[], ['eviction_target=75']]);
  });
});

describe('change/pure/later-changes: external strings', () => {
  const ours = { kind: 'set', config: 'eviction_target=70', id: 'a', atMs: 10 };
  const foreign = (/** @type {string} */ config, atMs = 20) => ({
    kind: 'set',
    config,
    id: null,
    atMs,
  });
  /** @param {any[]} timeline @param {string | null} [was] */
  const since = (timeline, was = '') =>
    othersSince(timeline, { id: 'a', atMs: 10, change: { evictionTarget: 70 }, was });
  it('a string before the own call is not reported', () =>
    assert.deepEqual(since([foreign('eviction_target=60'), ours]), {
      overwritten: [],
      alongside: [],
      unknown: false,
    }));
  it('a later string of the same setting is overwritten', () =>
    assert.deepEqual(since([ours, foreign('eviction_target=60')]).overwritten, [
      'eviction_target=60',
    ]));
  it('another setting stays', () =>
    assert.deepEqual(since([ours, foreign('cache_size=1G'), foreign('')]), {
      overwritten: [],
      alongside: ['cache_size=1G'],
      unknown: false,
    }));
  it("another change of ours is not somebody else's", () =>
    assert.deepEqual(
      since([ours, { kind: 'set', config: 'eviction_target=60', id: 'b', atMs: 3 }]).overwritten,
      [],
    ));
  it('ours never arrived: only what came later counts', () => {
    assert.deepEqual(since([foreign('eviction_target=60', 5)]).overwritten, []);
    assert.deepEqual(since([foreign('eviction_target=60', 15)]).overwritten, [
      'eviction_target=60',
    ]);
    assert.equal(since([{ kind: 'gap' }, foreign('eviction_target=60', 5)]).unknown, false);
  });
  it('ours never arrived: a last string of unknown time is later, unless ours saw it before', () => {
    const last = { kind: 'set', config: 'eviction_target=60', id: null, atMs: null };
    assert.deepEqual(since([{ kind: 'gap' }, last], 'eviction_target=60'), {
      overwritten: [],
      alongside: [],
      unknown: false,
    });
    for (const was of ['', null])
      assert.deepEqual(since([{ kind: 'gap' }, last], was), {
        overwritten: ['eviction_target=60'],
        alongside: [],
        unknown: true,
      });
  });
  it('a gap may hide one', () => assert.equal(since([ours, { kind: 'gap' }]).unknown, true));
  it('a gap before ours does not matter', () =>
    assert.equal(since([{ kind: 'gap' }, ours]).unknown, false));

  describe('below a change', () => {
    const first = entry('a', [], {
      atMs: 10,
      was: '',
      change: { evictionTarget: 70, cacheSizeGB: 1 },
    });
    /** @param {any[]} timeline @param {any} [change] @param {any[]} [entries] */
    const below = (timeline, change = { evictionTarget: 75 }, entries = [first]) =>
      externalBelow(timeline, entries, RUN, change);
    it('no warning without a later external change', () =>
      assert.deepEqual(below([foreign('eviction_target=60', 5), ours]), []));
    it('the last of those who set the same since', () => {
      assert.deepEqual(
        below([ours, foreign('eviction_target=60'), foreign('eviction_target=65')]),
        [
          'Since the change a another session set "eviction_target=65": this change replaces it, ' +
            'and an undo restores it.',
        ],
      );
    });
    it('said once for all that one string sets', () =>
      assert.equal(
        below([ours, foreign('cache_size=2G,eviction_target=60')], {
          evictionTarget: 75,
          cacheSizeGB: 3,
        }).length,
        1,
      ));
    it('what is set beside does not matter', () =>
      assert.deepEqual(below([ours, foreign('cache_size=2G')]), []));
    it("where nothing of ours stands it is nobody's business", () => {
      for (const entries of [
        [],
        [{ ...first, outcome: 'undone' }],
        [{ ...first, run: { ...RUN, processId: 'p0' } }],
      ])
        assert.deepEqual(below([ours, foreign('eviction_target=60')], undefined, entries), []);
    });
    it('seen since the last of ours alone', () => {
      const second = entry('b', [], { atMs: 30, was: '', change: { evictionTarget: 72 } });
      assert.deepEqual(
        below(
          [
            ours,
            foreign('eviction_target=60'),
            { kind: 'set', config: 'eviction_target=72', id: 'b', atMs: 30 },
          ],
          undefined,
          [first, second],
        ),
        [],
      );
    });
  });
});

describe('change/pure/later-changes: a log that rolled over since', () => {
  it('what came between a change and the same string again is not forgotten', () => {
    const X = 'eviction_target=80,eviction=(threads_max=5)';
    const [first, again] = ['eviction_dirty_trigger=25', 'eviction_dirty_trigger=25'];
    const Y = 'eviction_dirty_trigger=40';
    const seen = /** @type {any[]} */ ([
      { ...set('x', X), id: null },
      set('id1', first),
      { ...set('y', Y), id: null },
      { ...set('x', X), id: null },
      set('id3', again),
    ]);
    const { events } = makeTimeline(
      { sets: [], logFromMs: 9000, logWhole: false, lastString: `${Y} ` },
      [
        {
          atMs: 5000,
          config: `${Y} `,
          was: again,
          id: 'undo',
          sure: true,
          known: knownOf(seen),
          knownAtMs: 4999,
        },
      ],
    );
    const change = { evictionDirtyTrigger: 20 };
    const { overwritten } = othersSince(events, { id: 'id1', atMs: 1, change, was: X });
    assert.deepEqual(overwritten, [Y]);
  });
});

describe('change/pure/later-changes: what a late call ended', () => {
  const call = (/** @type {string} */ command, /** @type {number} */ atMs) => ({ command, atMs });
  const LOST = call('eviction_target=75 ', 10);
  const first = entry('a', [LOST.command], { outcome: 'unknown', sent: [], open: [LOST] });
  /** @param {string} id @param {string} command @param {number} atMs @param {object} [more] */
  const later = (id, command, atMs, more = {}) =>
    entry(id, [command], { sent: [call(command, atMs)], ...more });
  const B70 = later('b', 'eviction_target=70', 20);
  const ANSWERLESS = { outcome: 'unknown', sent: [], open: [call('eviction_target=72', 30)] };
  /** Whether the log had lost it: then only the last string has a time. @param {any} one */
  const event = ({ id, commands }) => ({ ...set(id, commands[0]), atMs: null });

  for (const [what, entries, ids] of /** @type {[string, any[], string][]} */ ([
    ['the change between', [B70], 'b'],
    [
      'also where a third one came after it',
      [B70, later('c', 'eviction=(threads_max=8)', 30)],
      'b',
    ],
    ['not one that another had replaced', [B70, later('c', 'eviction_target=72', 30)], 'c'],
    ['one without an answer, too', [later('c', 'eviction_target=72', 30, ANSWERLESS)], 'c'],
    ['not one before it', [later('b', 'eviction_target=70', 5)], ''],
    ['not one of another setting', [later('c', 'eviction=(threads_max=8)', 30)], ''],
    [
      'not one that is undone',
      [
        { ...B70, outcome: 'undone' },
        later('u', 'eviction_target=80', 30, { action: 'undo', undoes: 'b' }),
      ],
      '',
    ],
  ]))
    it(what, () => {
      const timeline = [...entries, first].map(event);
      assert.equal(overtakenBy(timeline, first, [first, ...entries]).join(), ids);
    });

  it('nothing before it arrives, nor by the calls of it that were answered', () => {
    const both = {
      ...entry('a', ['eviction_target=75', 'eviction=(threads_max=8)']),
      sent: [call('eviction_target=75', 5)],
      open: [call('eviction=(threads_max=8)', 10)],
    };
    const answered = event(both);
    const arrived = { ...answered, config: 'eviction=(threads_max=8)' };
    const ended = (/** @type {any[]} */ timeline) => overtakenBy(timeline, both, [both, B70]);
    assert.deepEqual(
      [ended([]), ended([event(B70), answered]), ended([answered, event(B70), arrived])],
      [[], [], []],
    );
  });
});
