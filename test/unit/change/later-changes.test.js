'use strict';

const assert = require('node:assert/strict');
const { laterChanges, externalDuring } = require('../../../lib/change/pure/later-changes');

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
});
