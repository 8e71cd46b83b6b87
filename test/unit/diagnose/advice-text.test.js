'use strict';

const assert = require('node:assert/strict');
const { ofRecordings } = require('../../answers/questions');
const { renderAdvice } = require('../../../lib/diagnose/advice-text');

const SCREEN_LINES = 24;
const CALM_LINES = 8;
/** With what to do about a warning. */
const WARNED_LINES = 11;
const WIDTH = 80;
const plain = (/** @type {string} */ text) => text;

describe('diagnose/advice-text', () => {
  for (const [name, answer] of Object.entries(ofRecordings()).filter(([name]) =>
    /^replay: /.test(name),
  ))
    it(`is one screen, the verdict first: ${name}`, async () => {
      const advice = /** @type {any} */ (await answer());
      const lines = renderAdvice(advice, plain).split('\n');
      const warnings = advice.findings.filter(({ status }) => status === 'warning').length;
      const max = ['none', 'idle'].includes(advice.bottleneck)
        ? ([CALM_LINES, WARNED_LINES][warnings] ?? SCREEN_LINES)
        : SCREEN_LINES;
      assert.ok(lines.length <= max, lines.join('\n'));
      assert.deepEqual(
        lines.filter((line) => line.length > WIDTH),
        [],
      );
      assert.match(lines[1], new RegExp(`^BOTTLENECK +${advice.bottleneck}$`));
      for (const { rule, status } of advice.findings)
        if (status === 'critical' || status === 'warning')
          assert.ok(lines.join('\n').includes(rule), rule);
    });

  it('all() names every finding, the evidence, and how the change was computed', async () => {
    const advice = /** @type {any} */ (await ofRecordings()['replay: reads-beyond-the-cache']());
    const text = String(advice.all()).replace(/\s+/g, ' ');
    for (const { rule, message } of advice.findings)
      assert.ok(text.includes(`${rule} `) && text.includes(message.replace(/\s+/g, ' ')), rule);
    for (const { say } of advice.evidence) assert.ok(text.includes(say), say);
    for (const line of advice.explain) assert.ok(text.includes(line.replace(/\s+/g, ' ')), line);
  });
});
