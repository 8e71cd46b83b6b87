'use strict';

/**
 * Skips the running test or hook because of the machine, never because of the product, and lets the
 * report say why.
 * @param {Mocha.Context} context mocha's `this`
 * @param {string | null} reason null goes on with the test
 */
function skipIf(context, reason) {
  if (reason === null) return;
  process.stdout.write(`\n  skipped: ${context.test.fullTitle()}: ${reason}\n`);
  context.skip();
}

module.exports = { skipIf };
