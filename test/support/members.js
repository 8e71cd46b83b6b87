'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { judgeMembers } = require('../../lib/rules/runner');
const { testMessages } = require('./rule-messages');
const { assertValues } = require('./rule-tester');
const { majorityOf } = require('../../lib/server/pure/replica-set');

/**
 * @import { Status } from '../../lib/base/pure/finding'
 * @import { MemberRule } from '../../lib/rules/rule'
 * @import { SetView } from '../../lib/server/pure/types'
 * @import { Row } from '../../lib/server/pure/replica-set'
 */

/** Members of a healthy set, and rules about them as tables of cases. */

const GiB = 2 ** 30;
const NEWEST_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

/**
 * @param {string} host
 * @param {Partial<Row>} [more]
 * @returns {Row}
 */
function row(host, more = {}) {
  const role = more.role ?? 'secondary';
  const lagSeconds = role === 'primary' ? null : 0;
  return {
    host,
    set: 'rs',
    shard: null,
    role,
    isUp: true,
    isArbiter: false,
    isHidden: false,
    delaySeconds: 0,
    votes: 1,
    priority: 1,
    lagSeconds,
    said: null,
    optimeMs: NEWEST_MS - (more.lagSeconds ?? 0) * 1000,
    reached: true,
    why: null,
    serverHost: host,
    version: '6.0.5',
    memoryBytes: 24 * GiB,
    cores: 4,
    cache: { maxBytes: GiB, usedRatio: 0.5, dirtyRatio: 0.02 },
    settings: { evictionThreadsMax: { value: 4, isDefault: true } },
    options: { storage: { dbPath: `/${host}` } },
    parameters: { ttlMonitorSleepSecs: 60 },
    bottleneck: null,
    because: null,
    findings: [],
    notes: [],
    ...more,
  };
}

/**
 * A member that the set does not hear of.
 * @param {string} host
 * @param {Partial<Row>} [more]
 */
const down = (host, more = {}) =>
  row(host, {
    role: 'down',
    isUp: false,
    reached: false,
    why: 'It did not answer within 8 s.',
    said: 'Connection refused',
    lagSeconds: null,
    optimeMs: null,
    version: null,
    memoryBytes: null,
    cores: null,
    cache: null,
    settings: null,
    options: null,
    parameters: null,
    ...more,
  });

/** An arbiter, which has a vote and no data. @param {string} host */
const arbiter = (host) =>
  row(host, {
    role: 'arbiter',
    isArbiter: true,
    reached: false,
    lagSeconds: null,
    optimeMs: null,
    cache: null,
    settings: null,
    options: null,
    parameters: null,
    version: null,
    memoryBytes: null,
    cores: null,
  });

/**
 * @param {Row[]} rows
 * @param {Partial<SetView>} [more]
 * @returns {SetView}
 */
const set = (rows, more = {}) => ({
  name: 'rs',
  shard: null,
  self: rows[0].host,
  rows,
  newestMs: NEWEST_MS,
  committedMs: null,
  majority: majorityOf(rows),
  heartbeatMs: 2000,
  ...more,
});

/** Three members as they should be. */
const HEALTHY = set([row('a:1', { role: 'primary' }), row('b:2'), row('c:3')]);

/**
 * A rule about members as a table of cases: `[title, set, findings]`, each finding as
 * `[status, code, subject?, values?]`. What every rule owes is added.
 * @param {string} file of the test, named after the rule
 * @param {[string, SetView, [Status, string, string?, Record<string, unknown>?][]][]} cases
 */
function testMemberRule(file, cases) {
  const id = path.basename(file, '.test.js');
  /** @type {MemberRule} */
  const rule = require(`../../lib/rules/members/${id}`);

  describe(`member-rules/${id}`, () => {
    testMessages(file, null, cases, (sample) => judgeMembers([rule], sample));
    for (const [title, sample, wanted] of cases) {
      it(title, () => {
        const findings = judgeMembers([rule], sample);
        assert.deepEqual(
          findings.map(({ status, code }) => [status, code]),
          wanted.map(([status, code]) => [status, code]),
          findings.map(({ message }) => message).join('\n'),
        );
        findings.forEach(({ status, advice, key, values }, i) => {
          const [, , subject, some = {}] = wanted[i];
          assertValues(values, some);
          if (status === 'warning' || status === 'critical')
            assert.ok(advice, 'trouble without advice');
          if (status === 'ok') assert.equal(advice, null);
          if (subject) assert.equal(key, `${id}:${subject}`);
        });
      });
    }
    it('has nothing to say of three healthy members', () =>
      assert.deepEqual(
        judgeMembers([rule], HEALTHY).map(({ status, code }) => [status, code]),
        [['ok', 'fine']],
      ));
    it(rule.isBetween ? 'is not about one member alone' : 'judges one member alone', () => {
      const ofOne = rule.needs.includes('lagSeconds') ? ['unknown'] : ['ok'];
      assert.deepEqual(
        judgeMembers([rule], set([row('a:1', { role: 'primary' })])).map(({ status }) => status),
        rule.isBetween ? [] : ofOne,
      );
    });
    for (const need of rule.needs.filter((name) => name !== 'role')) {
      it(`is unknown where no member reports ${need}`, () => {
        const [{ status, advice, values }] = judgeMembers(
          [rule],
          set(HEALTHY.rows.map((one) => ({ ...one, [need]: null }))),
        );
        assert.deepEqual([status, advice], ['unknown', null]);
        assert.ok(/** @type {string[]} */ (values.missing).includes(need));
      });
    }
  });
}

module.exports = { row, down, arbiter, set, HEALTHY, NEWEST_MS, GiB, testMemberRule };
