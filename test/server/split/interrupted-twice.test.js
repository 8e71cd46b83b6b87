'use strict';

/** Ctrl-C twice, or once and a minute of waiting: the shell may send nothing more. */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { beginSplit, takesWrites } = require('../../support/begun-split');
const { until, useSet } = require('../../support/split');
const { saves } = require('../../support/sent');
const { makePort, openerOf, senderOf } = require('../../../lib/shell/port');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');

const DO = Object.freeze({ confirm: true });

describe('Ctrl-C twice between the cut and the switch', function () {
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
    assert.match(error.message, /until the guardian has completed/);
    await until(async () => (await takesWrites(client, split.name)).length > 0, 15_000);
    const answers = await takesWrites(client, split.name);
    assert.equal(answers.length, 1);
  });
});
