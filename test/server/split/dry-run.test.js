'use strict';

const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { beginSplit } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { planOf, useSet } = require('../../support/split');

const DO = Object.freeze({ confirm: true });

/** What a dry run says would be done is done with `confirm`; what would be refused it says, too. */
describe('a dry run of a split', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {any} plan @param {any} [own] @returns {Promise<string[]>} */
  const blockedIn = async (plan, own = ctx) =>
    (await splitRun(own, plan, { confirm: false })).splits.flatMap(({ does }) =>
      (does ?? []).filter((line) => line.startsWith('Blocked now: ')),
    );

  /** @param {string} name */
  async function planned(name) {
    await client.db('app').collection(name).insertOne({});
    return planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
  }

  it('of which nothing is in the way says so by no word', async () => {
    assert.deepEqual(await blockedIn(await planned('free')), []);
  });

  it('a target that was made since the plan', async () => {
    const plan = await planned('taken');
    await client.db('app2').collection('taken').insertOne({});
    const [line] = await blockedIn(plan);
    assert.match(line, /app2\.taken already exists/);
    await assert.rejects(splitRun(ctx, plan, DO), { code: 'TUNE-35004' });
  });

  it('a collection that another split moves by now', async () => {
    const { second } = await beginSplit(client, ctx);
    const [line] = await blockedIn(second);
    assert.match(line, /is already being moved/);
    await assert.rejects(splitRun(ctx, second, DO), { code: 'TUNE-35002' });
  });

  it('a plan that was carried out, and one that is: only the second goes on', async () => {
    const { plan, id } = await beginSplit(client, ctx);
    assert.deepEqual(await blockedIn(plan), []);
    await client
      .db('tune')
      .collection('splits')
      .updateMany({ planId: id }, { $set: { active: false, phase: 'aborted' } });
    const [line] = await blockedIn(plan);
    assert.match(line, /was already run/);
    await assert.rejects(splitRun(ctx, plan, DO), { code: 'TUNE-35011' });
  });

  it('one in the middle of a cut, which it does not go on with', async () => {
    const { plan, id } = await beginSplit(client, ctx);
    await client
      .db('tune')
      .collection('splits')
      .updateMany({ planId: id }, { $set: { phase: 'cutting' } });
    const [line] = await blockedIn(plan);
    assert.match(line, /tune\.split\.run is not possible: .* is cutting/);
    await assert.rejects(splitRun(ctx, plan, DO), { code: 'TUNE-35010' });
  });

  it('an abort of one whose source is gone', async () => {
    const { id, from, read } = await beginSplit(client, ctx);
    const dry = async (keepCopy = false) =>
      (await splitAbort(ctx, id, { confirm: false, guardian: true, keepCopy })).splits[0].does;
    assert.match((await dry())[0], /^app\.b\d+ is active, with all its data\.$/);
    const { into } = await read();
    await from.drop();
    assert.deepEqual(
      (await dry()).map((line) => line.replace(/app\.b\d+/, 'SOURCE')),
      [
        'Refused: SOURCE no longer exists, or another collection has its name, so ' +
          `app2.${into.stagingName} is not dropped.`,
      ],
    );
    assert.match((await dry(true))[0], /no longer exists, or another collection has its name\.$/);
    await assert.rejects(splitAbort(ctx, id, DO), { code: 'TUNE-35017' });
  });

  it('a connection that has room for one command', async () => {
    const plan = await planned('narrow');
    const narrow = contextOf(client);
    narrow.port.maxConnections = () => 1;
    const [line] = await blockedIn(plan, narrow);
    assert.match(line, /maxPoolSize=1/);
    await assert.rejects(splitRun(narrow, plan, DO), { code: 'TUNE-10002' });
  });
});
