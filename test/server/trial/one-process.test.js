'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress } = require('../../support/trial');
const { contextOf } = require('../../support/context');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const IN_B = /^block \d of \d+, B: 0 of/;
const DO = Object.freeze({ confirm: true });

describe('a trial, and another command of the same process with the same journal', () => {
  const place = useTrialServer('paced');

  for (const [what, act] of /** @type {[string, (ctx: any) => Promise<any>][]} */ ([
    ['a change', (ctx) => apply(ctx, { evictionTarget: 70 }, DO)],
    ['an undo', (ctx) => undo(ctx, DO)],
  ]))
    it(`${what} is refused`, async () => {
      /** @type {Promise<any> | undefined} */ let other;
      const ctx = onProgress(place.context(), IN_B, () => {
        other = act(contextOf(place.server.client, { home: place.context().home })).catch(
          (error) => error,
        );
      });
      await place.run({ evictionTarget: 75 }, { blocks: 4, blockSeconds: 2 }, ctx);
      const said = await other;
      assert.equal(said.code, 'TUNE-30010');
    });
});
