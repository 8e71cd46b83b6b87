'use strict';

const assert = require('node:assert/strict');
const { chooseMembers, notReady } = require('../../../lib/cluster/pure/rollout-plan');
const { row, down, arbiter, set } = require('../../support/members');

const place = (rows) => ({ ...set(rows), members: rows, notes: [] });
const primary = row('a:1', { role: 'primary' });
const hosts = (/** @type {{ host: string }[]} */ chosen) => chosen.map(({ host }) => host);

describe('cluster/pure/rollout-plan: which members, in which order', () => {
  const sets = [place([primary, row('b:2'), arbiter('d:4'), row('c:3', { isHidden: true })])];
  it('all: secondaries first, the primary last', () =>
    assert.deepEqual(hosts(chooseMembers(sets, 'all')), ['b:2', 'c:3', 'a:1']));
  it('secondaries', () =>
    assert.deepEqual(hosts(chooseMembers(sets, 'secondaries')), ['b:2', 'c:3']));
  it('a list, in the order that is right', () =>
    assert.deepEqual(hosts(chooseMembers(sets, ['a:1', 'b:2'])), ['b:2', 'a:1']));
  it("a name that is none, or an arbiter's", () => {
    assert.throws(
      () => chooseMembers(sets, ['b:2', 'x:9']),
      (error) =>
        error.code === 'TUNE-10003' &&
        /"x:9" is not a data-bearing member\. Members: b:2, c:3, a:1\./.test(error.message),
    );
    assert.throws(() => chooseMembers(sets, ['d:4']), { code: 'TUNE-10003' });
  });
  it('not all members are told: a list of names is needed', () => {
    const some = [{ ...sets[0], hidesMembers: true }];
    for (const wanted of /** @type {const} */ (['all', 'secondaries']))
      assert.throws(
        () => chooseMembers(some, wanted),
        (error) =>
          error.code === 'TUNE-20005' &&
          /replSetGetStatus or replSetGetConfig \(role clusterMonitor\)/.test(error.message) &&
          error.message.includes(`instead of "${wanted}": { members: ["a:1", "b:2", "c:3"] }`),
      );
    assert.deepEqual(hosts(chooseMembers(some, ['c:3'])), ['c:3']);
  });
  it('no secondary', () =>
    assert.throws(() => chooseMembers([place([row('x', { role: 'standalone' })])], 'secondaries'), {
      code: 'TUNE-30008',
    }));
});

describe('cluster/pure/rollout-plan: when to go on', () => {
  const before = place([primary, row('b:2'), row('c:3')]);
  const now = (...rows) => notReady(before, place(rows));
  it('as healthy as before', () => assert.equal(now(primary, row('b:2'), row('c:3')), null));
  it('another member leads now', () =>
    assert.equal(now(row('a:1'), row('b:2', { role: 'primary' }), row('c:3')), null));
  it('no primary', () =>
    assert.equal(now(row('a:1'), row('b:2'), row('c:3')), 'there is no primary'));
  it('a member that is down', () =>
    assert.equal(now(primary, down('b:2'), row('c:3')), 'b:2 is down'));
  it('a member in another state', () =>
    assert.equal(
      now(primary, row('b:2', { role: 'recovering' }), row('c:3')),
      'b:2 is in state RECOVERING',
    ));
  it('a member that lags', () => {
    assert.equal(now(primary, row('b:2', { lagSeconds: 10 }), row('c:3')), null);
    assert.equal(now(primary, row('b:2', { lagSeconds: 11 }), row('c:3')), 'b:2 lags by 11 s');
  });
  it('what was so before may stay so', () => {
    const ill = place([primary, down('b:2'), row('c:3', { lagSeconds: 100, role: 'recovering' })]);
    assert.equal(
      notReady(
        ill,
        place([primary, down('b:2'), row('c:3', { lagSeconds: 102, role: 'recovering' })]),
      ),
      null,
    );
    assert.equal(
      notReady(
        ill,
        place([primary, down('b:2'), row('c:3', { lagSeconds: 103, role: 'recovering' })]),
      ),
      'c:3 lags by 103 s',
    );
    assert.equal(
      notReady(place([row('a:1'), row('b:2')]), place([row('a:1'), row('b:2')])),
      null,
      'there was no primary',
    );
  });
  it('a delay on purpose is none', () => {
    const delayed = row('c:3', { delaySeconds: 3600, lagSeconds: 3600 });
    assert.equal(
      notReady(place([primary, delayed]), place([primary, { ...delayed, lagSeconds: 3609 }])),
      null,
    );
    assert.match(
      String(
        notReady(place([primary, delayed]), place([primary, { ...delayed, lagSeconds: 3611 }])),
      ),
      /lags by/,
    );
    assert.equal(
      notReady(place([primary]), place([primary, row('new:1', { role: 'startup2' })])),
      null,
      'a member that is new',
    );
  });
  it('a delay and a lag that are not known', () =>
    assert.equal(
      notReady(
        place([primary, row('c:3', { delaySeconds: null, lagSeconds: null })]),
        place([primary, row('c:3', { delaySeconds: null, lagSeconds: null })]),
      ),
      null,
    ));
});
