'use strict';

/** The clock of the shell's computer is corrected while a call is under way. */
const assert = require('node:assert/strict');
const { useServer } = require('../../support/one-server');
const { beforeCall } = require('../../support/beside');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });
const { now } = Date;

describe("the clock of the shell's computer is corrected at a call", function () {
  this.timeout(60_000);
  const { context } = useServer({ config: 'eviction_target=80' });
  afterEach(() => {
    Date.now = now;
  });

  for (const byMs of [-3_600_000, -20, 20, 3_600_000])
    for (const isAfter of [false, true])
      it(`by ${byMs} ms, ${isAfter ? 'after' : 'before'} it: the call is not taken for that of somebody else`, async () => {
        const correct = () => {
          Date.now = () => now() + byMs;
        };
        const isCall = (/** @type {any} */ command) => Boolean(command.setParameter);
        const ctx = beforeCall(
          context(),
          isCall,
          async () => (isAfter ? undefined : correct()),
          () => (isAfter ? correct() : undefined),
        );
        const { id } = await apply(ctx, { evictionTarget: 75 }, DO);
        const back = await undo(context(), DO);
        assert.deepEqual([back.undoes, back.verified], [id, true]);
      });
});
