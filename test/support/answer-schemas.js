'use strict';

// Loaded by mocha before the tests (.mocharc.json): whatever a test asks of a command, its answer is
// held against schemas/.
const assert = require('node:assert/strict');
const command = require('../../lib/base/pure/command');

const { defineCommand } = command;
/** @type {string[]} */
const all = [];

/** @param {string} name @param {unknown} answer */
function check(name, answer) {
  const { hasSchema, problemsWith } = require('./schemas');
  if (!hasSchema(name)) return;
  const problems = problemsWith(name, answer);
  if (problems.length === 0) return;
  const text =
    `What tune.${name}() answers is not as schemas/${name.replaceAll('.', '-')}.json says. Correct ` +
    `its type (@returns of its run), then npm run schemas:\n${problems.slice(0, 20).join('\n')}`;
  all.push(text);
  throw new assert.AssertionError({ message: text });
}

command.defineCommand = (declaration) => {
  const made = defineCommand(declaration);
  return Object.freeze({
    ...made,
    run: async (ctx, ...args) => {
      const answer = await made.run(ctx, ...args);
      check(made.name, answer);
      return answer;
    },
  });
};

exports.mochaHooks = {
  /** A command that asks another one may go on without its answer. */
  afterAll() {
    assert.deepEqual([...new Set(all)], []);
  },
};

/** For a test of this. */
exports.forgetLast = () => all.pop();
