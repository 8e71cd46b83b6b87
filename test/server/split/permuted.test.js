'use strict';

/**
 * Unique values that an application hands round, such as a ranking that is made anew: many
 * documents wait for the value of another one.
 */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { beforeCall } = require('../../support/beside');
const { isCut, stepsOf } = require('../../support/split-steps');
const { useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');

const DOCUMENTS = 6_000;

describe('a collection whose unique values all change places', function () {
  this.timeout(300_000);
  let client;
  useSet((set) => {
    ({ client } = set);
  });

  const begin = () =>
    beginSplit(client, contextOf(client), {
      documents: Array.from({ length: DOCUMENTS }, (_, i) => ({ _id: i, rank: i })),
      indexes: [[{ rank: 1 }, { unique: true }]],
    });
  const mix = async (/** @type {any} */ source) => {
    const began = performance.now();
    await source.updateMany({}, [{ $set: { rank: { $subtract: [-1, '$rank'] } } }]);
    // Each has another one's rank, mixed up.
    await source.bulkWrite(
      Array.from({ length: DOCUMENTS }, (_, i) => ({
        updateOne: { filter: { _id: i }, update: { $set: { rank: (i * 2_003 + 17) % DOCUMENTS } } },
      })),
      { ordered: false },
    );
    return Math.round(performance.now() - began);
  };

  it('is followed in a time that is in proportion', async () => {
    const split = await begin();
    const wroteMs = await mix(split.from);
    const from = performance.now();
    await splitResume(contextOf(client), split.id, { confirm: true });
    const ms = Math.round(performance.now() - from);

    assert.ok(ms < 60 * wroteMs, `${ms} ms for what was written in ${wroteMs} ms`);
  });

  it('just before the cut: neither name takes writes for a time in proportion', async () => {
    const split = await begin();
    let wroteMs = 0;
    let cutAt = 0;
    const ctx = beforeCall(
      contextOf(client),
      (command) => command.applyOps && command.comment && isCut(stepsOf(command)),
      async () => {
        // In the last moment: the step waits behind it.
        wroteMs = await mix(split.from);
        cutAt = performance.now();
      },
    );
    const error = await splitCutover(ctx, split.id, ALONE).then(
      () => null,
      (one) => one,
    );
    const ms = Math.round(performance.now() - cutAt);

    assert.equal(error, null);
    assert.ok(ms < 60 * wroteMs, `${ms} ms for what was written in ${wroteMs} ms`);
  });
});
