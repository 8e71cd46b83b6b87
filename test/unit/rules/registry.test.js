'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { loadRules, loadMachineRules, loadAllRules } = require('../../../lib/rules/registry');
const {
  METRIC_WORDS,
  MEMBER_WORDS,
  COLLECTION_WORDS,
  RECORDING_WORDS,
} = require('../../../lib/server/pure/metric-words');
const { HOST_WORDS } = require('../../../lib/host/pure/host');
const { METRICS } = require('../../../lib/server/pure/metrics');
const { judge } = require('../../../lib/rules/runner');
const { HEALTHY, IDLE } = require('../../support/readings');
const { BOTTLENECKS } = require('../../../lib/base/pure/finding');

/**
 * @import { Metrics } from '../../../lib/server/pure/metrics'
 */

const root = path.join(__dirname, '..', '..', '..');
const ADD_TO_HEALTHY =
  'A metric that is not known here: put what a healthy server has of it into HEALTHY of ' +
  'test/support/readings.js. Another finding: the threshold is too low.';
const exists = (/** @type {string[]} */ ...names) => fs.existsSync(path.join(root, ...names));
const rules = loadRules();
const read = (/** @type {string} */ folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => fs.readFileSync(path.join(root, folder, name), 'utf8'));

/**
 * What one writes for a rule is its file and its test; what is still missing, and where it goes.
 * @param {string} folder @param {string} file
 */
function lacking(folder, file) {
  const rule = require(path.join(root, 'lib/rules', folder, file));
  const id = path.basename(file, '.js');
  const test = `test/unit/rules/${folder}/${id}.test.js`;
  const cases = exists(test) ? fs.readFileSync(path.join(root, test), 'utf8') : '';
  const codes = Object.keys(messagesOf(rule)).filter(
    (code) => !(folder === 'members' && code === 'fine'),
  );
  return [
    [rule.id === id, `lib/rules/${folder}/${file}: its id must be the name of its file, ${id}`],
    [/^[a-z]+(-[a-z]+)*$/.test(id) && id.length <= 26, `${id}: kebab case, 22 letters at most`],
    [Object.isFrozen(rule), `lib/rules/${folder}/${file}: make it by a function of lib/rules/rule`],
    [exists(test), `${test}: write it, a table of cases; its neighbours show how`],
    ...codes.map((code) => [
      cases.includes(`'${code}'`) && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(code),
      `${test}: add a case for the code '${code}', in kebab case`,
    ]),
    [
      exists(`test/unit/rules/snapshots/${id}.txt`),
      `test/unit/rules/snapshots/${id}.txt: UPDATE_MESSAGES=1 npx mocha ${test} writes it; read it`,
    ],
    [exists(`docs/rules/${id}.md`), `docs/rules/${id}.md: npm run docs writes it`],
  ].flatMap(([isThere, what]) => (isThere ? [] : [what]));
}

/** @param {any} rule @returns {object} of both sources, where there are two */
const messagesOf = ({ window, host, messages }) =>
  window ? { ...window.messages, ...host.messages } : messages;

/** @type {Record<string, Readonly<Record<string, string>>>} */
const OWN_WORDS = {
  members: MEMBER_WORDS,
  collections: COLLECTION_WORDS,
  recording: RECORDING_WORDS,
};

describe('the rules', () => {
  for (const [title, metrics] of /** @type {[string, Metrics][]} */ ([
    ['a healthy server', HEALTHY],
    ['an idle one', IDLE],
  ])) {
    it(`have nothing to say of ${title}`, () => {
      const said = judge(rules, metrics)
        .filter(({ status }) => status !== 'ok')
        .map(({ rule, status, message }) => `${rule}: ${status}: ${message}`);
      assert.equal(said.length, 0, `${said.join('\n')}\n${ADD_TO_HEALTHY}`);
    });
  }
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
    it(`${rule.id} speaks for bottlenecks that exist`, () => {
      assert.deepEqual(
        rule.speaksFor.filter((name) => !BOTTLENECKS.includes(name)),
        [],
      );
    });
  }

  for (const folder of ['engine', 'host', 'machine', 'members', 'collections', 'recording'])
    for (const file of fs.readdirSync(path.join(root, 'lib/rules', folder)))
      it(`${folder}/${file} is a whole rule`, () => assert.deepEqual(lacking(folder, file), []));

  it('about the machine are one rule for both sources, and former ids name nothing else', () => {
    const ids = loadAllRules().map(({ id }) => id);
    for (const { id, window, host, aliases } of loadMachineRules()) {
      assert.deepEqual([window.id, host.id, window.area], [id, id, host.area]);
      assert.ok(aliases.length > 0 && !aliases.some((alias) => ids.includes(alias)), id);
    }
  });
  it('name sources that a reader can follow: an address, or a page of evidence', () =>
    assert.deepEqual(
      loadAllRules()
        .filter(({ source }) => !/https?:\/\/\S|docs\/evidence\//.test(source))
        .map(({ id }) => id),
      [],
    ));
  it('have words for all they need: a sentence shows no id', () =>
    assert.deepEqual(
      loadAllRules().flatMap(({ about, needs }) => {
        const words = OWN_WORDS[about] ?? { ...METRIC_WORDS, ...HOST_WORDS };
        return needs
          .filter((need) => !(need in words))
          .map((need) => `${need}: write its words in lib/server/pure/metric-words.js`);
      }),
      [],
    ));
  it('have sentences of at most 25 words', () =>
    assert.deepEqual(
      loadAllRules().flatMap((rule) =>
        [rule.why, rule.threshold, rule.advice, rule.whenNot]
          .flatMap((text) => text.replace(/\([^)]*\)/g, '').split(/(?<=[.:;?!])\s+/))
          .filter((sentence) => sentence.split(/\s+/).length > 25),
      ),
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
