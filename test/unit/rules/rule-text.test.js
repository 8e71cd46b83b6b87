'use strict';

const assert = require('node:assert/strict');
const { renderExplanation, rulePage, rulesIndex } = require('../../../lib/rules/rule-text');

const RULE = {
  id: 'x-rule',
  area: 'cache',
  title: 'A title',
  why: 'Why.',
  threshold: 'From 1.',
  source: 'docs/evidence/cache-size.md',
  advice: 'Do.',
  whenNot: 'Never.',
  needs: ['a.b'],
  wants: [],
  speaksFor: [],
  thresholds: {},
  aliases: [],
};

describe('rules/rule-text', () => {
  it('an explanation has a part for each text, and a former name first', () => {
    const rule = { ...RULE, rule: 'x-rule', aliases: ['old-rule'], thresholds: { fromRatio: 0.5 } };
    const plain = (/** @type {string} */ text) => text;
    assert.equal(
      renderExplanation(rule, plain, 'old-rule'),
      [
        'old-rule is part of x-rule.',
        'x-rule  A title  (cache)',
        'WHY          Why.',
        'THRESHOLDS   From 1.',
        'ADJUSTABLE   tune.check({ thresholds }) takes fromRatio: 0.5.',
        'WHAT TO DO   Do.',
        'EXCEPTIONS   Never.',
        'READS        a.b',
        'SOURCE       docs/evidence/cache-size.md',
      ].join('\n'),
    );
  });
});

describe('rules/rule-text', () => {
  it('has every text, and links to the evidence', () => {
    const page = rulePage(RULE);
    for (const part of [
      '# x-rule',
      '**A title** (cache)',
      '## Why\n\nWhy.',
      '## Thresholds\n\nFrom 1.',
      '## What to do\n\nDo.',
      '## Exceptions\n\nNever.',
      '- needs `a.b`',
      '[cache-size](../evidence/cache-size.md)',
    ])
      assert.ok(page.includes(part), part);
    assert.doesNotMatch(page, /where known|carries the proposed change/);
    assert.ok(page.endsWith('\n') && !page.endsWith('\n\n'));
  });
  it('says what it wants and speaks for', () => {
    const page = rulePage({ ...RULE, wants: ['c.d', 'e.f'], speaksFor: ['cache-read'] });
    assert.match(page, /uses `c\.d`, `e\.f` where known/);
    assert.match(page, /bottleneck is `cache-read`/);
  });
  it('names the thresholds that tune.check() takes others for', () => {
    assert.doesNotMatch(rulePage(RULE), /thresholds/);
    assert.match(
      rulePage({ ...RULE, thresholds: { longMs: 60_000, veryLongMs: 300_000 } }),
      /\n\n`tune\.check\(\{ thresholds \}\)` takes other values for it: `longMs: 60000`, `veryLongMs: 300000`\.\n\n## What to do/,
    );
  });
  it('the index has a line for each', () =>
    assert.match(
      rulesIndex([RULE, { ...RULE, id: 'y' }]),
      /\| \[x-rule\]\(x-rule\.md\) \| cache \| A title \|\n\| \[y\]\(y\.md\)/,
    ));
});
