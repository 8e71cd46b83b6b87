'use strict';

const assert = require('node:assert/strict');
const { judgeHost } = require('../../../lib/rules/runner');
const { defineHostRule } = require('../../../lib/rules/rule');
const { mergeHost } = require('../../../lib/host/pure/host');

const TEXTS = {
  id: 'r',
  area: 'host',
  title: 't',
  why: 'w',
  threshold: 'h',
  source: 's',
  advice: 'a',
  whenNot: 'n',
};
const rule = (check) =>
  defineHostRule({ ...TEXTS, needs: ['cpu.logical'], wants: ['cpu.cores'], check });

describe('rules/runner', () => {
  it('hands over what was declared, and keeps the fixes', () => {
    const fix = {
      set: { kind: 'sysctl', target: 'a', to: '1' },
      back: { kind: 'sysctl', target: 'a', to: '0' },
    };
    const [finding] = judgeHost(
      [rule((values) => ({ status: 'warning', say: Object.keys(values).join(), fixes: [fix] }))],
      { values: { 'cpu.logical': 2, 'cpu.model': 'x' }, unknown: {} },
    );
    assert.equal(finding.say, 'cpu.logical');
    assert.deepEqual(finding.fixes, [fix]);
  });

  it('says why a value is not known, where that is known', () => {
    const say = (unknown) =>
      judgeHost(
        [
          rule(() => {
            throw new Error('never');
          }),
        ],
        { values: {}, unknown },
      )[0].say;
    assert.equal(
      say({ 'cpu.logical': '/proc/cpuinfo is not there' }),
      'Not known: cpu.logical (/proc/cpuinfo is not there).',
    );
    assert.equal(say({}), 'Not known: cpu.logical.');
  });

  it('a rule that is not about this machine says so, whatever is unknown', () => {
    const aside = {
      ...rule(() => {
        throw new Error('never');
      }),
      aside: (values) =>
        values['files.type'] === 'ext4' ? { status: 'ok', say: 'Not here.' } : null,
    };
    const [finding] = judgeHost([aside], { values: { 'files.type': 'ext4' }, unknown: {} });
    assert.deepEqual([finding.status, finding.say, finding.fixes], ['ok', 'Not here.', []]);
    assert.equal(
      judgeHost([aside], { values: { 'files.type': 'zfs' }, unknown: {} })[0].status,
      'unknown',
    );
  });

  it('a rule that fails takes only itself away', () => {
    const [finding] = judgeHost(
      [
        rule(() => {
          throw new Error('boom');
        }),
      ],
      { values: { 'cpu.logical': 2 }, unknown: {} },
    );
    assert.deepEqual([finding.status, finding.fixes], ['error', []]);
  });
});

describe('host/pure/host', () => {
  it('the first part that knows a value wins, and a known value has no reason to be unknown', () => {
    const merged = mergeHost(
      { values: { 'cpu.logical': 2 }, unknown: { 'cpu.cores': 'first' } },
      {
        values: { 'cpu.logical': 3, 'cpu.model': 'x' },
        unknown: { 'cpu.cores': 'second', 'cpu.logical': 'why' },
      },
    );
    assert.deepEqual(merged, {
      values: { 'cpu.logical': 2, 'cpu.model': 'x' },
      unknown: { 'cpu.cores': 'first' },
    });
  });
});
