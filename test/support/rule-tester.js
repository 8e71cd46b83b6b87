'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { judge } = require('../../lib/rules/run');
const { unitOf } = require('../../lib/rules/limits');

/**
 * @import { Status } from '../../lib/base/pure/finding'
 * @import { Rule } from '../../lib/rules/define-rule'
 * @import { Metrics } from '../../lib/server/pure/metrics'
 */

/**
 * A rule as a table of cases:
 * `[title, readings, status, pattern of what it says?, pattern of its advice?]`. What every rule
 * owes is added: `unknown` (and which reading is lacking) when a need is missing, a judgement from
 * its needs alone, an advice in trouble and none where all is well.
 * @param {string} file of the test, named after the rule; of a rule about the machine its part for this source
 * @param {[string, Metrics,
 *   Status, RegExp?, RegExp?][]} cases
 */
function testRule(file, cases) {
  const id = path.basename(file, '.test.js');
  const isOfMachine = path.basename(path.dirname(file)) === 'machine';
  /** @type {Rule} */
  const rule = isOfMachine
    ? require(`../../lib/rules/machine/${id}`).window
    : require(`../../lib/rules/engine/${id}`);

  describe(`rules/${id}`, () => {
    for (const [title, metrics, status, say = /./, advice] of cases) {
      it(title, () => {
        const [finding] = judge([rule], metrics);
        assert.equal(finding.status, status, finding.say);
        assert.match(finding.say, say);
        assert.match(finding.say, /^[A-Z0-9].*\.$/, 'a sentence');
        assert.doesNotMatch(finding.say, /undefined|NaN|\?/);
        if (advice) assert.match(String(finding.advice), advice);
        if (status === 'warning' || status === 'critical')
          assert.ok(finding.advice, 'trouble without advice');
        if (status === 'ok') assert.equal(finding.advice, null);
      });
    }

    const [, healthy] = /** @type {typeof cases[0]} */ (
      cases.find(([, , status]) => status !== 'unknown')
    );
    for (const need of rule.needs) {
      it(`is unknown without ${need}`, () => {
        const [finding] = judge([rule], { ...healthy, [need]: undefined });
        assert.equal(finding.status, 'unknown');
        assert.match(finding.say, new RegExp(need.replace('.', '\\.')));
        assert.equal(finding.advice, null);
      });
    }
    it('judges from its needs alone', () => {
      const bare = Object.fromEntries(rule.needs.map((need) => [need, healthy[need]]));
      const [finding] = judge([rule], bare);
      assert.ok(!['unknown', 'error'].includes(finding.status), finding.say);
      assert.doesNotMatch(finding.say, /undefined|NaN/);
    });
    for (const name of Object.keys(rule.limits)) {
      it(`another ${name} changes what it says`, () => {
        assert.ok(unitOf(name), 'a name with a unit');
        const isMoved = (/** @type {typeof cases[0]} */ [, metrics]) =>
          [Number.MIN_VALUE, Number.MAX_VALUE].some((value) => {
            const [[before], [after]] = [
              rule,
              Object.freeze({ ...rule, limits: { ...rule.limits, [name]: value } }),
            ].map((one) => judge([one], metrics));
            return before.status !== after.status;
          });
        assert.ok(cases.some(isMoved));
      });
    }
    it('has cases on both sides', () =>
      assert.ok(new Set(cases.map(([, , status]) => status)).size > 1));
  });
}

module.exports = { testRule };
