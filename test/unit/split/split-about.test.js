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
  for (const alone of [false, true])
    it(`is said of the one collection${alone ? ', in short where it is the only one' : ''}`, () => {
      const own = JSON.stringify(alone ? 'p' : 'p:app.say "c"');
      for (const [phase, next, nextBack] of [
        ['copying', 'resume', 'abort'],
        ['following', 'cutover', 'abort'],
        ['switched', 'finish', 'rollback'],
      ]) {
        const row = about({ phase, alone });
        assert.deepEqual(
          [row.next, row.nextBack],
          [next, nextBack].map((verb) => `tune.split.${verb}(${own}, { confirm: true })`),
        );
      }
      assert.equal(
        about({ phase: 'following', alone, verified: { differences: 1 } }).next,
        `tune.split.verify(${own}, { repair: true, confirm: true })`,
      );
    });
  it('is nothing where it is finished', () => {
    const { next, nextBack } = about({ phase: 'finished' });
    assert.deepEqual([next, nextBack], [null, null]);
  });
  it('says where neither name takes writes', () => {
    for (const [mode, phase, blocked] of [
      ['online', 'draining', true],
      ['online', 'draining-back', true],
      ['online', 'switching-back', false],
      ['online', 'following', false],
      ['offline', 'copying', true],
      ['offline', 'planned', false],
    ])
      assert.equal(about({ mode, phase }).blocked, blocked);
    assert.equal(about({ mode: 'online', phase: 'switching', namesBlocked: true }).blocked, true);
  });
  it('after a move offline there is no way back', () =>
    assert.equal(about({ phase: 'switched', mode: 'offline' }).nextBack, null));
});
