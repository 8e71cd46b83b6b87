'use strict';

/** Ctrl-C twice, or once and a minute of waiting: the shell may send nothing more. */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { beginSplit, takesWrites } = require('../../support/begun-split');
const { until, useSet } = require('../../support/split');
const { saves } = require('../../support/sent');
const { makePort, openerOf, senderOf } = require('../../../lib/shell/port');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');

const DO = Object.freeze({ confirm: true });

describe('adversary: Ctrl-C twice between the cut and the switch', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('the guardian goes on in the place of a shell that has given up', async () => {
    const split = await beginSplit(client, ctx);
    const interrupt = new AbortController();
    const send = senderOf(client);
    const { port, shut } = makePort(
      async (database, spec, options) => {
        const answer = await send(database, spec, options);
        if (saves(spec, 'draining')) {
          // The first Ctrl-C, and then the second one (lib/shell/interrupt.js: giveUp).
          interrupt.abort();
          shut();
        }
        return answer;
      },
      openerOf(() => client),
    );
    const error = await splitCutover(
      { ...contextOf(client, { signal: interrupt.signal }), port },
      split.id,
      DO,
    ).then(
      () => null,
      (one) => one,
    );
    const began = Date.now();
    process.stdout.write(`        ${error?.message}\n`);
    await until(async () => (await takesWrites(client, split.name)).length > 0, 15_000).catch(
      () => undefined,
    );
    const answers = await takesWrites(client, split.name);
    const resumed = await splitResume(ctx, split.id, DO).then(
      ({ splits }) => splits[0].phase,
      (one) => one.message,
    );
    process.stdout.write(
      `        after ${Date.now() - began} ms: ${JSON.stringify(answers)}, ${(await split.read()).phase}, resume: ${resumed}\n`,
    );
    assert.equal(answers.length, 1);
  });
});
