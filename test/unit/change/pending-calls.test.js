'use strict';

const assert = require('node:assert/strict');
const {
  pendingCall,
  arrivedCall,
  pendingWords,
} = require('../../../lib/change/pure/pending-calls');
const { LONGEST_WAIT_MS } = require('../../../lib/change/pure/timeline');

const asking = Object.freeze({ kind: 'asking', id: 'a', atMs: 1000, command: 'x=1' });
/** @param {object} [more] @returns {any} */
const entry = (more = {}) => ({
  id: 'a',
  outcome: 'unknown',
  asking,
  sent: [],
  before: { evictionTarget: 80 },
  ...more,
});
/** @param {number | null} atMs @param {object} [more] @returns {any} */
const seen = (atMs, more = {}) => ({ kind: 'set', config: 'x=1', id: 'a', atMs, ...more });

describe('change/pure/pending-calls', () => {
  for (const [
    name,
    one,
    timeline,
    nowMs,
    pending,
  ] of /** @type {[string, any, any[], number, boolean][]} */ ([
    ['not answered, not seen', entry(), [{ kind: 'gap' }], 2000, true],
    ['answered', entry({ asking: null }), [], 2000, false],
    [
      'refused: what was before was sent again',
      entry({ resent: [{ atMs: 1000 }] }),
      [],
      2000,
      false,
    ],
    ['sent again for an earlier one', entry({ resent: [{ atMs: 999 }] }), [], 2000, true],
    [
      'the way back',
      entry({ asking: { ...asking, command: 'eviction_target=80' } }),
      [],
      2000,
      false,
    ],
    ['its change was closed', entry({ outcome: 'refused' }), [], 2000, false],
    ['seen', entry(), [seen(1500)], 2000, false],
    ['seen in the very millisecond', entry(), [seen(999)], 2000, false],
    ['seen earlier: another call of the same change', entry(), [seen(900)], 2000, true],
    ['seen, by others', entry(), [seen(1500, { id: null })], 2000, true],
    ['another string', entry(), [seen(1500, { config: 'y=1' })], 2000, true],
    ['seen, nobody knows when', entry(), [seen(null)], 2000, false],
    [
      'seen, nobody knows when, of a change that had sent the same before',
      entry({ sent: [{ command: 'x=1' }] }),
      [seen(null)],
      2000,
      true,
    ],
    ['just before the longest wait', entry(), [], 999 + LONGEST_WAIT_MS, true],
    ['after the longest wait', entry(), [], 1000 + LONGEST_WAIT_MS, false],
  ]))
    it(`${name}: ${pending ? 'may still arrive' : 'will not'}`, () =>
      assert.equal(pendingCall(one, timeline, nowMs), pending ? 'x=1' : null));

  it('says for how long', () =>
    assert.match(pendingWords('x=1'), /^The call "x=1" was not answered.*for up to 10 minutes/));
  it('a call that arrived is what the journal lacks of its entry', () => {
    const before = { kind: 'set', config: 'y=1', id: null, atMs: 1 };
    const of = (/** @type {any} */ one, /** @type {any[]} */ ...timeline) =>
      arrivedCall(one, timeline)?.was;
    assert.deepEqual(arrivedCall(entry(), [before, seen(1500)]), {
      kind: 'sent',
      id: 'a',
      atMs: 1000,
      command: 'x=1',
      was: 'y=1',
    });
    assert.equal(of(entry(), seen(1500)), '');
    assert.equal(of(entry(), { kind: 'gap' }, seen(1500)), null);
    assert.equal(of(entry(), before), undefined);
    assert.equal(of(entry({ asking: null }), seen(1500)), undefined);
    const twice = entry({ sent: [{ command: 'x=1' }] });
    assert.equal(of(twice, seen(900)), undefined);
    assert.equal(of(twice, seen(900), before, seen(1500)), 'y=1');
  });
});
