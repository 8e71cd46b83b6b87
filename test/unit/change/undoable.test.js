'use strict';

const assert = require('node:assert/strict');
const {
  entryToUndo,
  isEndedByRestart,
  inverseOf,
  hasWayBack,
  partlyUndoneAfter,
  notBroughtBack,
  progressNote,
  mayBeEffective,
} = require('../../../lib/change/pure/undoable');

const RUN = { host: 'h:1', processId: 'p1', pid: 7, startedAtMs: 1000 };
/** @param {string} id @param {object} [more] @returns {any} */
const entry = (id, more = {}) => ({
  id,
  at: 'then',
  atMs: 1,
  action: 'apply',
  undoes: null,
  host: 'h:1',
  version: '6.0.5',
  run: RUN,
  change: { cacheSizeGB: 1, evictionTarget: 70 },
  before: { cacheSizeGB: 2, evictionTarget: 80 },
  commands: ['cache_size=1024M', 'eviction_target=70'],
  was: '',
  asking: null,
  sent: [{ command: 'cache_size=1024M' }],
  outcome: 'applied',
  after: null,
  verified: null,
  reason: null,
  ...more,
});
/** @param {any[]} entries @param {string} [id] */
const choose = (entries, id) => {
  try {
    return entryToUndo(entries, id, RUN).id;
  } catch (error) {
    return error.code;
  }
};

describe('change/pure/undoable', () => {
  for (const [
    name,
    entries,
    id,
    answer,
  ] of /** @type {[string, any[], string | undefined, string][]} */ ([
    ['the last that stands', [entry('a'), entry('b')], undefined, 'b'],
    [
      'what is undone is passed over',
      [entry('a'), entry('b', { outcome: 'undone' })],
      undefined,
      'a',
    ],
    [
      'so is what was refused',
      [entry('a'), entry('b', { outcome: 'refused', sent: [] })],
      undefined,
      'a',
    ],
    [
      'so is what was stopped before anything was sent',
      [entry('a'), entry('b', { outcome: 'interrupted', sent: [] })],
      undefined,
      'a',
    ],
    [
      'what was stopped half-way stands',
      [entry('a'), entry('b', { outcome: 'interrupted' })],
      undefined,
      'b',
    ],
    [
      'what nobody knows of may stand',
      [entry('a'), entry('b', { outcome: 'unknown', sent: [] })],
      undefined,
      'b',
    ],
    [
      'so is what is undone as far as it can be',
      [entry('a'), entry('b', { outcome: 'partly-undone' })],
      undefined,
      'a',
    ],
    ['and what has no way back stands', [entry('a'), entry('b', { before: {} })], undefined, 'b'],
    [
      'an undo is only undone by name',
      [entry('a', { outcome: 'undone' }), entry('u', { action: 'undo', undoes: 'a' })],
      undefined,
      'TUNE-30007',
    ],
    [
      'an undo by name',
      [
        entry('a', { outcome: 'undone', undoneBy: 'u' }),
        entry('u', { action: 'undo', undoes: 'a' }),
      ],
      'u',
      'u',
    ],
    [
      'an undo whose change was closed in another way',
      [entry('a', { outcome: 'undone' }), entry('u', { action: 'undo', undoes: 'a' })],
      'u',
      'TUNE-30007',
    ],
    [
      'an undo left in the middle, whose change another one undid',
      [
        entry('a', { outcome: 'undone', undoneBy: 'v' }),
        entry('u', { action: 'undo', undoes: 'a', outcome: 'interrupted' }),
      ],
      'u',
      'TUNE-30007',
    ],
    [
      'an undo left in the middle, whose change stands',
      [entry('a'), entry('u', { action: 'undo', undoes: 'a', outcome: 'unknown' })],
      'u',
      'u',
    ],
    [
      'an undo of an undo, left in the middle',
      [
        entry('a', { outcome: 'undone', undoneBy: 'u' }),
        entry('u', { action: 'undo', undoes: 'a' }),
        entry('v', { action: 'undo', undoes: 'u', outcome: 'interrupted' }),
      ],
      undefined,
      'v',
    ],
    [
      'this run, before another server of that name',
      [entry('a'), entry('b', { run: { ...RUN, processId: 'p0' } })],
      undefined,
      'a',
    ],
    ['other servers do not count', [entry('a', { host: 'other:1' })], undefined, 'TUNE-30007'],
    ['nothing at all', [], undefined, 'TUNE-30007'],
    ['a name that is not there', [entry('a')], 'x', 'TUNE-10003'],
    ['a name of another server', [entry('a', { host: 'other:1' })], 'a', 'TUNE-20010'],
    ['a name that is undone already', [entry('a', { outcome: 'undone' })], 'a', 'TUNE-30007'],
    [
      'the server was restarted',
      [entry('a', { run: { ...RUN, processId: 'p0' } })],
      undefined,
      'TUNE-30007',
    ],
    [
      'the server was restarted',
      [entry('a', { run: { ...RUN, processId: 'p0' } })],
      'a',
      'TUNE-30007',
    ],
  ])) {
    it(`${name} → ${answer}`, () => assert.equal(choose(entries, id), answer));
  }
  it('says what could be undone instead', () =>
    assert.throws(
      () => entryToUndo([entry('a'), entry('b', { outcome: 'undone' })], 'b', RUN),
      (error) => /it was undone/.test(error.message) && error.allowed.join() === 'a',
    ));
  it('an undo that is over: the change is named that brings it back', () => {
    const undo = entry('u', { action: 'undo', undoes: 'a' });
    const say = (/** @type {any} */ more) => {
      try {
        return entryToUndo([entry('a', { outcome: 'undone', ...more }), undo], 'u', RUN).id;
      } catch (error) {
        return error.message;
      }
    };
    assert.match(say({ undoneBy: 'v' }), /The undo u is done: .*a is undone; tune\.undo\("v"\)/);
    assert.match(say({}), /The undo u is done: .*a is undone; tune\.apply\(\) sets it again/);
  });
  it('a restart takes back what was before it; another server of that name does not', () => {
    const other = (/** @type {any} */ more) =>
      entry('a', { run: { ...RUN, processId: 'p0' }, ...more });
    const say = (/** @type {any} */ one) => {
      try {
        return entryToUndo([one], undefined, RUN).id;
      } catch (error) {
        return error.message;
      }
    };
    assert.match(say(other({ atMs: 1 })), /h:1 was started after the change a of then: a restart/);
    assert.match(say(other({ atMs: 2000 })), /another server with the name h:1/);
    assert.deepEqual(
      [
        other({ atMs: 1 }),
        other({ atMs: 2000 }),
        entry('a', { atMs: 1 }),
        other({ atMs: 1, run: { ...RUN, host: 'x:1', processId: 'p0' } }),
      ].map((one) => isEndedByRestart(one, RUN)),
      [true, false, false, false],
    );
    assert.equal(isEndedByRestart(other({ atMs: 1 }), { ...RUN, startedAtMs: null }), false);
  });

  it('the inverse is what was before', () =>
    assert.deepEqual(inverseOf(entry('a')), { cacheSizeGB: 2, evictionTarget: 80 }));
  it('of what was stopped, only what was sent', () =>
    assert.deepEqual(inverseOf(entry('a', { outcome: 'interrupted' })), { cacheSizeGB: 2 }));
  it('of what nobody knows of, also the call that may have arrived', () =>
    assert.deepEqual(
      inverseOf(
        entry('a', { outcome: 'unknown', asking: { command: 'cache_size=1500M' }, sent: [] }),
      ),
      { cacheSizeGB: 2 },
    ));
  it('what was not known before is left out', () =>
    assert.deepEqual(inverseOf(entry('a', { before: { evictionTarget: 80 } })), {
      evictionTarget: 80,
    }));
  it('what was not known before is said, and what was never sent', () => {
    const known = { evictionTarget: 80 };
    assert.deepEqual(
      [
        entry('a'),
        entry('a', { before: known }),
        entry('a', { before: {} }),
        entry('a', { before: {}, outcome: 'unknown', sent: [] }),
      ].map(hasWayBack),
      [true, true, false, true],
    );
    assert.deepEqual(notBroughtBack(entry('a')), []);
    assert.match(
      notBroughtBack(entry('a', { before: known })).join(),
      /^Not restored, because the value before the change is unknown: cacheSizeGB\. It keeps[^;]*$/,
    );
    assert.match(
      notBroughtBack(entry('a', { outcome: 'interrupted' })).join(),
      /^Not restored, because never sent: evictionTarget\.$/,
    );
    assert.match(
      notBroughtBack(entry('a', { before: {} })).join(),
      /unknown: cacheSizeGB, evictionTarget\.[^]*No setting of the change a can be undone, and it stays applied; tune\.undo\("<id>"\)/,
    );
  });
  it('what only a later release knows is said', () => {
    const newer = entry('a', { change: { evictionTarget: 70, closeIdleSeconds: 600 } });
    assert.match(
      notBroughtBack({ ...newer, sent: [{ command: 'eviction_target=70' }] }).join('\n'),
      /^Not restored, because only a later release of tune supports that setting: closeIdleSeconds\. /m,
    );
    const [said] = partlyUndoneAfter([{ ...newer, outcome: 'partly-undone' }], null, RUN);
    assert.match(
      said,
      /: closeIdleSeconds kept the value of the change, because only a later release/,
    );
  });
  it('going further back does not pass over the rest in silence', () => {
    const left = entry('b', { outcome: 'partly-undone', before: { evictionTarget: 80 } });
    assert.match(
      partlyUndoneAfter([entry('a'), left], entry('a'), RUN).join(),
      /^The change b is only partly undone: cacheSizeGB kept/,
    );
    assert.deepEqual(partlyUndoneAfter([left, entry('a')], entry('a'), RUN), []);
    assert.deepEqual(
      partlyUndoneAfter(
        [entry('a'), { ...left, run: { ...RUN, processId: 'p0' } }],
        entry('a'),
        RUN,
      ),
      [],
    );
    for (const id of [undefined, 'b'])
      assert.throws(
        () => entryToUndo([left], id, RUN),
        (error) =>
          error.code === 'TUNE-30007' &&
          /The change b is only partly undone: cacheSizeGB/.test(error.message),
      );
  });

  it('how far a dead shell came', () => {
    assert.deepEqual(progressNote(entry('a')), []);
    const asking = { command: 'eviction_target=70' };
    assert.match(
      progressNote(entry('a', { outcome: 'unknown', asking }))[0],
      /1 of 2 calls are known to be answered; whether "eviction_target=70" arrived is read from/,
    );
    assert.match(
      progressNote(
        entry('a', { outcome: 'unknown', sent: [{ command: 'cache_size=1024M' }, asking] }),
      )[0],
      /2 of 2 calls are known to be answered\.$/,
    );
    assert.match(
      progressNote(
        entry('a', {
          outcome: 'unknown',
          sent: [{ command: 'cache_size=1500M' }, { command: 'cache_size=1300M' }],
        }),
      )[0],
      /0 of 2 calls and 2 while lowering in steps are known to be answered\.$/,
    );
  });
  it('applied, unknown and interrupted entries may be in effect', () =>
    assert.deepEqual(
      ['applied', 'unknown', 'interrupted', 'refused', 'undone'].map((outcome) =>
        mayBeEffective(/** @type {any} */ ({ outcome, sent: [1] })),
      ),
      [true, true, true, false, false],
    ));
});
