'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { loadRules, loadMachineRules, loadAllRules } = require('../../../lib/observe/load-rules');
const { METRICS } = require('../../../lib/server/pure/metrics');
const { judge } = require('../../../lib/rules/run');
const { HEALTHY, IDLE } = require('../../support/readings');
const { BOTTLENECKS } = require('../../../lib/base/pure/finding');

/**
 * @import { Metrics } from '../../../lib/server/pure/metrics'
 */

const root = path.join(__dirname, '..', '..', '..');
const exists = (/** @type {string[]} */ ...names) => fs.existsSync(path.join(root, ...names));
const rules = loadRules();
const read = (/** @type {string} */ folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => fs.readFileSync(path.join(root, folder, name), 'utf8'));

describe('the rules', () => {
  for (const [title, metrics] of /** @type {[string, Metrics][]} */ ([
    ['a healthy server', HEALTHY],
    ['an idle one', IDLE],
  ])) {
    it(`have nothing to say of ${title}`, () =>
      assert.deepEqual(
        judge(rules, metrics)
          .filter(({ status }) => status !== 'ok')
          .map(({ rule, status, say }) => [rule, status, say]),
        [],
      ));
  }
  it('have names that fit into the table of findings', () =>
    assert.deepEqual(
      rules.filter(({ id }) => id.length > 22),
      [],
    ));

  it('are found in their folders, in the order of their names', () => {
    assert.deepEqual(
      rules.map(({ id }) => id),
      ['engine', 'machine']
        .flatMap((folder) => fs.readdirSync(path.join(root, 'lib/rules', folder)))
        .sort()
        .map((name) => path.basename(name, '.js')),
    );
    assert.ok(rules.length >= 34);
    assert.equal(loadRules(), rules, 'read once');
  });
  for (const rule of rules) {
    it(`${rule.id} has a test and a page of its own name`, () => {
      assert.ok(
        ['engine', 'machine'].some((folder) =>
          exists('test/unit/rules', folder, `${rule.id}.test.js`),
        ),
        'no test',
      );
      assert.ok(exists('docs/rules', `${rule.id}.md`), 'no page; npm run docs makes it');
    });
    it(`${rule.id} samples only at readings that exist, each once`, () => {
      const names = [...rule.needs, ...rule.wants];
      // What only the host knows is wanted by rules about the machine, never needed of a window.
      const isOfMachine = loadMachineRules().some(({ window }) => window === rule);
      assert.deepEqual(
        (isOfMachine ? rule.needs : names).filter(
          (name) => !(name in METRICS) && name !== 'disk.name',
        ),
        [],
      );
      assert.equal(new Set(names).size, names.length);
    });
    it(`${rule.id} is a noun in kebab case, and speaks for bottlenecks that exist`, () => {
      assert.match(rule.id, /^[a-z]+(-[a-z]+)*$/);
      assert.deepEqual(
        rule.speaksFor.filter((name) => !BOTTLENECKS.includes(name)),
        [],
      );
      assert.ok(Object.isFrozen(rule));
    });
  }

  it('about the machine are one rule for both sources, and former ids name nothing else', () => {
    const ids = loadAllRules().map(({ id }) => id);
    for (const { id, window, host, aliases } of loadMachineRules()) {
      assert.deepEqual([window.id, host.id, window.area], [id, id, host.area]);
      assert.ok(aliases.length > 0 && !aliases.some((alias) => ids.includes(alias)), id);
    }
  });
  it('what is ours alone cites its page of evidence', () =>
    assert.deepEqual(
      rules
        .filter(({ source }) => /^ours\b/i.test(source) && !source.includes('docs/evidence/'))
        .map(({ id }) => id),
      [],
    ));

  it('every page of evidence that is cited exists', () => {
    const cited = new Set(
      read('lib').flatMap((text) =>
        [...text.matchAll(/docs\/evidence\/([\w-]+\.md)/g)].map(([, name]) => name),
      ),
    );
    assert.deepEqual(
      [...cited].filter((name) => !exists('docs/evidence', name)),
      [],
    );
    assert.ok(cited.size >= 7);
  });
});
