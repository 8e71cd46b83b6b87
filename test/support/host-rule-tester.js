'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { judgeHost } = require('../../lib/rules/run-host');

/**
 * @import { Status } from '../../lib/base/pure/finding'
 * @import { HostValues } from '../../lib/host/pure/host'
 * @import { HostRule } from '../../lib/rules/define-host-rule'
 */

/**
 * A rule about the host as a table of cases:
 * `[title, values, status, pattern of what it says?, fixes?]`, where fixes are lines such as
 * `vm.dirty_bytes=536870912 back vm.dirty_ratio=20`. What every rule owes is added.
 * @param {string} file of the test, named after the rule; of a rule about the machine its part for this source
 * @param {[string, Partial<HostValues>,
 *   Status, RegExp?, string[]?][]} cases
 */
function testHostRule(file, cases) {
  const id = path.basename(file, '.test.js');
  const isOfMachine = path.basename(path.dirname(file)) === 'machine';
  /** @type {HostRule} */
  const rule = isOfMachine
    ? require(`../../lib/rules/machine/${id}`).host
    : require(`../../lib/rules/host/${id}`);
  const judge = (/** @type {any} */ values, unknown = {}) =>
    judgeHost([rule], { values, unknown })[0];

  describe(`host-rules/${id}`, () => {
    for (const [title, values, status, say = /./, fixes = []] of cases) {
      it(title, () => {
        const finding = judge(values);
        assert.equal(finding.status, status, finding.say);
        assert.match(finding.say, say);
        assert.match(finding.say, /^[A-Z0-9].*\.$/, 'a sentence');
        assert.doesNotMatch(`${finding.say} ${finding.advice}`, /undefined|NaN|\?/);
        assert.deepEqual(
          finding.fixes.map(
            ({ set, back }) => `${set.target}=${set.to} back ${back.target}=${back.to}`,
          ),
          fixes,
        );
        if (status === 'warning' || status === 'critical' || fixes.length > 0)
          assert.ok(finding.advice, 'trouble without advice');
        if (status === 'ok') assert.deepEqual([finding.advice, finding.fixes], [null, []]);
      });
    }

    const [, healthy] = /** @type {typeof cases[0]} */ (
      cases.find(([, , status]) => status !== 'unknown')
    );
    for (const need of rule.needs) {
      it(`is unknown without ${need}, and says why`, () => {
        const finding = judge({ ...healthy, [need]: undefined }, { [need]: 'the moon is full' });
        assert.equal(finding.status, 'unknown');
        assert.match(finding.say, new RegExp(`${need.replace('.', '\\.')}.*the moon is full`));
        assert.equal(finding.advice, null);
      });
    }
    it('judges from its needs alone', () => {
      const finding = judge(Object.fromEntries(rule.needs.map((need) => [need, healthy[need]])));
      assert.ok(!['unknown', 'error'].includes(finding.status), finding.say);
      assert.doesNotMatch(finding.say, /undefined|NaN/);
    });
    it('has cases on both sides', () =>
      assert.ok(new Set(cases.map(([, , status]) => status)).size > 1));
  });
}

module.exports = { testHostRule };
