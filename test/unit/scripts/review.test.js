'use strict';

const assert = require('node:assert/strict');
const { prove } = require('../../../scripts/review');
const { QUESTIONS } = require('../../../scripts/review/questions');

/** What runs whole test files needs a server of its own, on a busy machine. */
const TIMEOUT_MS = 600_000;

describe('the security review', function () {
  this.timeout(TIMEOUT_MS);
  it('has twenty questions, each once, with an answer and a command', () => {
    assert.equal(QUESTIONS.length, 20);
    assert.equal(new Set(QUESTIONS.map(({ ask }) => ask)).size, 20);
    for (const { ask, answer, command } of QUESTIONS) {
      assert.match(ask, /\?$/);
      assert.match(answer, /\.$/);
      assert.doesNotMatch(command, /\n/);
    }
  });
  for (const question of QUESTIONS)
    it(question.ask, () => {
      const { holds, said } = prove(question);
      assert.ok(holds, said.slice(-3000));
    });
  it('an answer that is wrong does not hold', () => {
    const wrong = { ask: '', answer: '', command: 'echo yes', prints: /^no$/ };
    assert.equal(prove(wrong).holds, false);
    assert.equal(prove({ ...wrong, prints: null, command: 'exit 1' }).holds, false);
    assert.equal(prove({ ...wrong, prints: /^$/, command: 'exit 1' }).holds, false);
  });
});
