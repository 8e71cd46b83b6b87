'use strict';

const assert = require('node:assert/strict');
const { CODES, TuneError } = require('../../../lib/base/pure/errors');
const command = require('../../../lib/commands/explain');
const { run: rules } = require('../../../lib/commands/rules');
const { loadAllRules } = require('../../../lib/rules/registry');

const { run: explain } = command;
/** Neither command asks the server anything. */
const ctx = /** @type {any} */ (null);
/** @param {any} subject */
const refused = async (subject) => {
  try {
    await explain(ctx, subject);
  } catch (error) {
    return /** @type {any} */ (error);
  }
  assert.fail('not refused');
};

describe('commands/rules', () => {
  it('lists every rule, as data and as a table', async () => {
    const list = await rules(ctx);
    assert.deepEqual(
      list.map(({ rule }) => rule),
      loadAllRules().map(({ id }) => id),
    );
    assert.deepEqual(Object.keys(list[0]), ['rule', 'area', 'title', 'needs', 'source']);
    assert.ok(Array.isArray(JSON.parse(JSON.stringify(list))));
    for (const { rule, title } of list)
      assert.match(`${list}`, new RegExp(`^ {2}${rule} +${title.slice(0, 20)}`, 'm'));
    assert.match(`${list}`, /tune\.explain\("<rule>"\)/);
  });
  it('takes no options', async () =>
    assert.rejects(rules(ctx, { area: 'cache' }), { code: 'TUNE-10002' }));
});

describe('commands/explain', () => {
  it('tells all about a rule', async () => {
    const reported = await explain(ctx, 'dirty-ratio');
    assert.deepEqual(Object.keys(reported), [
      'rule',
      'area',
      'title',
      'why',
      'threshold',
      'source',
      'advice',
      'whenNot',
      'needs',
      'wants',
      'thresholds',
      'aliases',
    ]);
    assert.equal(reported.rule, 'dirty-ratio');
    for (const text of [reported.title, reported.source])
      assert.ok(`${reported}`.replace(/\s+/g, ' ').includes(text));
    for (const head of ['WHY', 'THRESHOLDS', 'WHAT TO DO', 'EXCEPTIONS', 'READS', 'SOURCE'])
      assert.match(`${reported}`, new RegExp(`^${head} +\\S`, 'm'));
    assert.ok(`${reported}`.split('\n').every((line) => line.length <= 100));
  });
  it('the former id of a rule: says which rule it is part of', async () => {
    const reported = await explain(ctx, 'cpu-full');
    assert.deepEqual([reported.rule, reported.aliases], ['cpu-load', ['cpu-full']]);
    assert.match(`${reported}`, /^cpu-full is part of cpu-load\./);
    assert.doesNotMatch(`${await explain(ctx, 'cpu-load')}`, /is part of/);
  });
  it('takes a finding as well', async () =>
    assert.equal((await explain(ctx, { rule: 'tickets' })).rule, 'tickets'));
  it('a misspelt name: what was meant', async () => {
    const error = await refused('dirty-ration');
    assert.equal(error.code, 'TUNE-10003');
    assert.match(error.message, /no rule "dirty-ration"\. Did you mean "dirty-ratio"\?/);
    assert.deepEqual(
      error.allowed,
      loadAllRules().map(({ id }) => id),
    );
    assert.equal(error.value, 'dirty-ration');
  });
  it('a part of a name: all that have it', async () => {
    const having = loadAllRules()
      .map(({ id }) => id)
      .filter((id) => id.includes('evict'));
    assert.ok(having.length >= 2);
    for (const id of having)
      assert.match((await refused('evict')).message, new RegExp(`Did you mean .*"${id}".*\\?`));
  });
  it('a bottleneck: the rules that speak for it', async () =>
    assert.match((await refused('cache-dirty')).message, /"app-eviction" or .*"dirty-ratio"/));
  it('a name like no other: where the list is', async () => {
    assert.doesNotMatch((await refused('zz')).message, /Did you mean/);
    assert.match((await refused('zz')).message, /tune\.rules\(\)/);
  });
  for (const subject of ['TUNE-20005', 'tune-20005', '20005', new TuneError('TUNE-20005', 'No.')])
    it(`${subject}: what the error means, its cause, what to do`, async () => {
      const reported = await explain(ctx, subject);
      assert.deepEqual(Object.keys(reported), ['code', 'name', 'meaning', 'cause', 'todo']);
      assert.deepEqual([reported.code, reported.name], ['TUNE-20005', 'MissingPrivilege']);
      const lines = `${reported}`.split('\n');
      assert.equal(lines[0], 'TUNE-20005  MissingPrivilege');
      for (const text of [reported.meaning, reported.cause, reported.todo])
        assert.ok(`${reported}`.replace(/\s+/g, ' ').includes(text));
      assert.ok(lines.every((line) => line.length <= 80));
    });
  it('a step that the message names is mentioned', async () =>
    assert.match(
      (await explain(ctx, 'TUNE-35020')).todo,
      /^Do what the message of the error says/,
    ));
  it('a code of another release', async () => {
    const error = await refused('TUNE-20999');
    assert.equal(error.code, 'TUNE-10003');
    assert.match(error.message, /no error "TUNE-20999" in this release/);
    assert.deepEqual(error.allowed, Object.keys(CODES).sort());
  });
  it('TAB offers rules and codes', () => {
    const words = command.words?.() ?? [];
    assert.ok(words.includes('dirty-ratio') && words.includes('TUNE-20005'));
  });
  it('no name', async () => assert.equal((await refused(undefined)).code, 'TUNE-10004'));
  for (const subject of [7, null, {}, { rule: 7 }])
    it(`${JSON.stringify(subject)} names no rule`, async () =>
      assert.equal((await refused(subject)).code, 'TUNE-10003'));
});
