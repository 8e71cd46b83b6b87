'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { judge, judgeCollections, judgeHost } = require('../../lib/rules/runner');
const { unitOf } = require('../../lib/rules/own-thresholds');
const { testMessages } = require('./rule-messages');

/**
 * @import { Finding, Status } from '../../lib/base/pure/finding'
 * @import { HostValues } from '../../lib/host/pure/host'
 * @import { CollectionRule, HostRule, Rule } from '../../lib/rules/rule'
 * @import { CollectionValues } from '../../lib/rules/types'
 * @import { Metrics } from '../../lib/server/pure/metrics'
 */

/**
 * A rule as a table of cases: `[title, input, status, code, values?, fixes?]`. `values` are some of
 * the finding's, numbers to three figures; `fixes` are lines such as
 * `vm.dirty_bytes=536870912 back vm.dirty_ratio=20`. The sentences are in the rule's snapshot.
 * @template I
 * @typedef {[string, I, Status, string, Record<string, unknown>?, string[]?]} Case
 */

/**
 * Cases of a rule about the engine, or of a rule about the machine judged from a window. What every
 * rule owes is added: `unknown` and what is missing without a need, a judgement from its needs
 * alone, an advice in trouble and none where all is well.
 * @param {string} file of the test, named after the rule
 * @param {Case<Metrics>[]} cases
 */
function testRule(file, cases) {
  const loaded = ruleOf(file);
  /** @type {Rule} */
  const rule = loaded.window ?? loaded;
  const judgeOne = (/** @type {Metrics} */ metrics) => judge([rule], metrics)[0];

  describe(`rules/${rule.id}`, () => {
    testCases(rule, cases, judgeOne);
    testMessages(file, loaded.window ? 'window' : null, cases, judgeOne);
    for (const name of Object.keys(rule.thresholds)) {
      it(`another ${name} changes the status`, () => {
        assert.ok(unitOf(name), 'a name with a unit');
        assert.ok(cases.some(([, metrics]) => isMovedBy(rule, name, metrics)));
      });
    }
  });
}

/**
 * Cases of a rule about the host, or of a rule about the machine judged from the host itself.
 * @param {string} file of the test, named after the rule
 * @param {Case<Partial<HostValues>>[]} cases
 */
function testHostRule(file, cases) {
  const loaded = ruleOf(file);
  /** @type {HostRule} */
  const rule = loaded.host ?? loaded;
  const judgeOne = (/** @type {any} */ values, unknown = {}) =>
    judgeHost([rule], { values, unknown })[0];

  describe(`host-rules/${rule.id}`, () => {
    testCases(rule, cases, judgeOne);
    testMessages(file, loaded.host ? 'host' : null, cases, judgeOne);
  });
}

/**
 * Cases of a rule about collections.
 * @param {string} file of the test, named after the rule
 * @param {Case<Partial<CollectionValues>>[]} cases
 */
function testCollectionRule(file, cases) {
  /** @type {CollectionRule} */
  const rule = ruleOf(file);
  const judgeOne = (/** @type {any} */ values, unknown = {}) =>
    judgeCollections([rule], values, unknown)[0];

  describe(`rules/${rule.id}`, () => {
    testCases(rule, cases, judgeOne);
    testMessages(file, null, cases, judgeOne);
  });
}

/** The rule of a test: their folders and names are the same. @param {string} file */
const ruleOf = (file) =>
  require(
    path.join(
      '../../lib/rules',
      path.basename(path.dirname(file)),
      path.basename(file, '.test.js'),
    ),
  );

/**
 * What holds for rules of both kinds.
 * @param {Rule | HostRule | CollectionRule} rule
 * @param {Case<any>[]} cases
 * @param {(input: any, unknown?: Record<string, string>) => Finding} judgeOne
 */
function testCases(rule, cases, judgeOne) {
  for (const [title, input, status, code, values = {}, fixes = []] of cases) {
    it(title, () => {
      const finding = judgeOne(input);
      assert.deepEqual([finding.status, finding.code], [status, code], finding.message);
      assertValues(finding.values, values);
      assert.deepEqual(finding.fixes.map(lineOf), fixes);
      if (['warning', 'critical'].includes(status) || fixes.length > 0)
        assert.ok(finding.advice, 'trouble without advice');
      if (status === 'ok') assert.equal(finding.advice, null);
    });
  }
  const [, healthy] = cases.find(([, , status]) => status !== 'unknown') ?? [];
  for (const need of rule.needs) {
    it(`is unknown without ${need}, and has the reason`, () => {
      const { status, values, advice } = judgeOne(
        { ...healthy, [need]: undefined },
        { [need]: 'the moon is full' },
      );
      assert.deepEqual([status, advice], ['unknown', null]);
      assert.deepEqual(values.missing, [need]);
    });
  }
  it('judges from its needs alone', () => {
    const bare = Object.fromEntries(rule.needs.map((need) => [need, healthy[need]]));
    const { status, message } = judgeOne(bare);
    assert.ok(!['unknown', 'error'].includes(status), message);
    assert.doesNotMatch(message, /undefined|NaN/);
  });
  it('has cases on both sides', () =>
    assert.ok(new Set(cases.map(([, , status]) => status)).size > 1));
}

/** @param {Finding['fixes'][number]} fix */
const lineOf = ({ set, back }) => `${set.target}=${set.to} back ${back.target}=${back.to}`;

/** Numbers in a table of cases have three figures. */
const TOLERANCE = 0.002;

/**
 * Some values of a finding, numbers to three figures; all of them are plain data.
 * @param {Finding['values']} values
 * @param {Record<string, unknown>} expected
 */
function assertValues(values, expected) {
  assert.deepEqual(JSON.parse(JSON.stringify(values)), values, 'plain data');
  for (const [name, value] of Object.entries(expected)) {
    const actual = values[name];
    const isNear =
      typeof value === 'number' && Math.abs(Number(actual) - value) <= Math.abs(value) * TOLERANCE;
    if (!isNear) assert.deepEqual(actual, value, name);
  }
}

/**
 * Whether the least or the largest value of a threshold changes the status.
 * @param {Rule} rule
 * @param {string} name of the threshold
 * @param {Metrics} metrics
 */
const isMovedBy = (rule, name, metrics) =>
  [Number.MIN_VALUE, Number.MAX_VALUE].some((value) => {
    const moved = Object.freeze({ ...rule, thresholds: { ...rule.thresholds, [name]: value } });
    return judge([rule], metrics)[0].status !== judge([moved], metrics)[0].status;
  });

module.exports = { testRule, testHostRule, testCollectionRule, assertValues };
