'use strict';

const assert = require('node:assert/strict');
const { statusOfSplit } = require('../../../lib/split/split-status');

const AT = new Date(0);
const about = (/** @type {any} */ more) =>
  statusOfSplit(
    /** @type {any} */ ({
      _id: 'p:app.say "c"',
      planId: 'p',
      source: 'app.say "c"',
      target: 'app2.say "c"',
      mode: 'online',
      method: 'out',
      documents: 1,
      copied: 0,
      reconciled: 0,
      pendingConflicts: [],
      verified: null,
      lease: null,
      history: [{ phase: more.phase, at: AT }],
      from: { db: 'app', renamedTo: 'a' },
      into: { db: 'app2', stagingName: 'w' },
      ...more,
    }),
  );

describe('what can be done with a split', () => {
  it(
    'is said of its plan; what gives it up, takes it back or drops its data is said of the one ' +
      'collection',
    () => {
      const own = JSON.stringify('p:app.say "c"');
      for (const [phase, next, nextBack] of [
        [
          'copying',
          'tune.split.resume("p", { confirm: true })',
          `tune.split.abort(${own}, { confirm: true })`,
        ],
        [
          'following',
          'tune.split.cutover("p", { confirm: true })',
          `tune.split.abort(${own}, { confirm: true })`,
        ],
        [
          'switched',
          `tune.split.finish(${own}, { confirm: true })`,
          `tune.split.rollback(${own}, { confirm: true })`,
        ],
        ['finished', null, null],
      ])
        assert.deepEqual([about({ phase }).next, about({ phase }).nextBack], [next, nextBack]);
    },
  );
  it('what differs is repaired before the cutover', () =>
    assert.equal(
      about({ phase: 'following', verified: { differences: 1 } }).next,
      'tune.split.verify("p", { repair: true, confirm: true })',
    ));
  it('says where neither name takes writes', () => {
    for (const [mode, phase, blocked] of [
      ['online', 'draining', true],
      ['online', 'switching-back', true],
      ['online', 'following', false],
      ['offline', 'copying', true],
      ['offline', 'planned', false],
    ])
      assert.equal(about({ mode, phase }).blocked, blocked);
  });
  it('after a move offline there is no way back', () =>
    assert.equal(about({ phase: 'switched', mode: 'offline' }).nextBack, null));
});
