'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { loadMemberRules, loadAllRules } = require('../../../lib/rules/registry');
const { judgeMembers } = require('../../../lib/rules/runner');
const { seemsBehind } = require('../../../lib/signals/history');
const { withMembers } = require('../../../lib/diagnose/members');
const { row, down, arbiter, set, HEALTHY, NEWEST_MS } = require('../../support/members');

/**
 * @import { Row } from '../../../lib/server/pure/replica-set'
 */

const root = path.join(__dirname, '..', '..', '..');
const rules = loadMemberRules();
const primary = row('a:1', { role: 'primary' });

describe('the rules about members', () => {
  it('are found in their folder, and have nothing to say of three healthy members', () => {
    assert.deepEqual(
      rules.map(({ id }) => id),
      fs
        .readdirSync(path.join(root, 'lib/rules/members'))
        .sort()
        .map((name) => path.basename(name, '.js')),
    );
    assert.deepEqual(
      judgeMembers(rules, HEALTHY).filter(({ status }) => status !== 'ok'),
      [],
    );
    assert.equal(
      new Set(loadAllRules().map(({ id }) => id)).size,
      loadAllRules().length,
      'no name twice',
    );
  });
  it(
    'have something to say of a lag only where one seems behind, beside its delay, or the ' +
      'majority does',
    () => {
      const seems = (/** @type {Parameters<typeof row>[1]} */ more, reported = {}) => {
        const { rows, ...sample } = set([primary, row('b:2', more), row('c:3')], reported);
        return seemsBehind({ ...sample, members: rows, notes: [] });
      };
      assert.deepEqual(
        [
          seems({ lagSeconds: 5 }),
          seems({ lagSeconds: 65, delaySeconds: 60 }),
          seems({ lagSeconds: 5, delaySeconds: null }),
          seems({}, { committedMs: NEWEST_MS - 5000 }),
        ],
        [true, true, true, true],
      );
      assert.deepEqual(
        [
          seems({ lagSeconds: 4 }),
          seems({ lagSeconds: 64, delaySeconds: 60 }),
          seems({ lagSeconds: null }),
          seems({}, { newestMs: null }),
        ],
        [false, false, false, false],
      );
    },
  );
  it('say first what needs a person first, and name the shard where there is one', () => {
    const found = judgeMembers(
      rules,
      set([primary, down('b:2'), row('c:3', { version: '6.0.27' })], { shard: 'shard1' }),
    );
    assert.deepEqual(
      found.slice(0, 2).map(({ status }) => status),
      ['warning', 'info'],
    );
    assert.ok(found.some(({ key }) => key === 'member-state:shard1'));
    assert.ok(
      judgeMembers(rules, set([row('x', { role: 'standalone', set: null })], { name: null })).every(
        ({ key, rule, status }) => key === rule && status !== 'warning',
      ),
    );
  });
  it('a rule that fails does not take the others away', () => {
    const [finding] = judgeMembers(
      [
        {
          ...rules[0],
          check: () => {
            throw new Error('oh');
          },
        },
      ],
      HEALTHY,
    );
    assert.deepEqual([finding.status, finding.values], ['error', { error: 'oh' }]);
  });
});

describe('the verdict, with the other members', () => {
  const own = (bottleneck, runnerUp = null) => ({
    bottleneck,
    because: 'x.',
    evidence: [],
    runnerUp,
    explain: ['own'],
  });
  const lagging = (more = {}) =>
    set([
      primary,
      row('b:2', {
        lagSeconds: 34,
        bottleneck: 'disk',
        because: 'The disk is the limit.',
        ...more,
      }),
      arbiter('d:4'),
    ]);

  it('is history, with the member that delays the majority, and its bottleneck', () => {
    const said = withMembers(own('none'), lagging(), 10);
    assert.equal(said?.bottleneck, 'history');
    assert.equal(
      said.because,
      'The majority of rs lags by 34 s because of b:2 (secondary, lag 34 s). Old versions must ' +
        'be kept until it catches up, and writes with w: "majority" wait.',
    );
    assert.deepEqual(
      said.evidence.map(({ metric, value }) => [metric, value]),
      [
        ['majority.lagSeconds', 34],
        ['member.lagSeconds', 34],
        ['member.dirtyRatio', 0.02],
      ],
    );
    assert.deepEqual(said.runnerUp, {
      bottleneck: 'none',
      because: 'it is the diagnosis of this server alone.',
    });
    assert.deepEqual(said.explain[0], 'Bottleneck of b:2: disk. The disk is the limit.');
  });
  it('names the way back of a vote beside an arbiter, and only there', () => {
    const explain = withMembers(own('none'), lagging(), 10)?.explain.join(' ');
    assert.match(
      String(explain),
      /votes: 0.*rs\.reconfigForPSASet\(<index of the member>, <config>\)/,
    );
    const three = set([primary, row('b:2', { lagSeconds: 34 }), row('c:3', { lagSeconds: 34 })], {
      committedMs: NEWEST_MS - 34_000,
    });
    const other = withMembers(own('none'), three, 10)?.explain.join(' ');
    assert.match(String(other), /votes: 0, priority: 0.* An arbiter does not help\./);
    assert.doesNotMatch(String(other), /PSASet/);
  });
  it('keeps its own runner-up where it was history before', () => {
    const runnerUp = { bottleneck: /** @type {const} */ ('disk'), because: 'y.' };
    assert.equal(withMembers(own('history', runnerUp), lagging(), null)?.runnerUp, runnerUp);
  });
  it('stays where this server lacks something itself, and where nobody is held back', () => {
    assert.equal(withMembers(own('cache-read'), lagging(), 0), null);
    assert.equal(withMembers(own('idle'), lagging(), 0), null);
    assert.equal(withMembers(own('none'), HEALTHY, 0), null);
    assert.equal(
      withMembers(own('none'), set([primary, row('b:2')], { committedMs: NEWEST_MS - 60_000 }), 0),
      null,
      'nobody is known to be behind',
    );
  });
  it('stays while the lag falls, unless it is grave', () => {
    assert.equal(withMembers(own('none'), lagging(), 35), null);
    assert.equal(withMembers(own('none'), lagging(), 34)?.bottleneck, 'history');
    assert.equal(
      withMembers(own('none'), lagging({ lagSeconds: 300 }), 900)?.bottleneck,
      'history',
    );
  });
  for (const [title, more, say] of /** @type {[string, Partial<Row>, RegExp][]} */ ([
    ['shows nothing', { bottleneck: 'none' }, /shows no bottleneck itself.*fsyncUnlock/],
    ['has not said', { bottleneck: null }, /shows no bottleneck itself/],
    [
      'does not answer',
      { reached: false, why: 'It did not answer within 8 s.' },
      /^b:2 could not be checked: It did not answer within 8 s\.$/,
    ],
    [
      'does not answer and nobody knows why',
      { reached: false, cache: null },
      /could not be checked: reason not reported\.$/,
    ],
    ['is down', { role: 'down', isUp: false }, /^b:2 is down: start it/],
  ]))
    it(`a member that ${title}`, () =>
      assert.match(String(withMembers(own('none'), lagging(more), null)?.explain[0]), say));
  it('several members', () => {
    const said = withMembers(
      own('unknown'),
      set(
        [
          primary,
          row('b:2', { lagSeconds: 60 }),
          down('c:3', { cache: { maxBytes: 1, usedRatio: null, dirtyRatio: null } }),
        ],
        { committedMs: NEWEST_MS - 60_000 },
      ),
      null,
    );
    assert.match(
      String(said?.because),
      /^The majority of rs lags by 60 s because of c:3 \(down\) and b:2 \(secondary, lag 60 s\)\./,
    );
    assert.equal(said?.evidence.length, 3);
  });
});
