'use strict';

const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, finishByHand } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { printedCalls } = require('../../support/printed');
const { typedIn } = require('../../support/typed');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitStatus } = require('../../../lib/commands/split-status');

const RESTART = Object.freeze({ ...ALONE, restart: true, follow: false });
const RENAME = /db\.getSiblingDB.*renameCollection\("[^"]*"\)/;
/** @type {any} */ const THERE = Object.freeze({ _id: 'there' });

/** Another session gives the copy another name, or takes its name. */
describe('a copy that another session renames by hand', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('a restart does not forget a copy that has the name of the target', async () => {
    const split = await beginSplit(client, ctx);
    const record = await split.read();
    await finishByHand(client, record);
    await split.into.insertOne(THERE);
    const error = await splitResume(ctx, split.id, RESTART).then(assert.fail, (failed) => failed);
    assert.equal(error.code, 'TUNE-35004', error.message);
    const now = await split.read();
    assert.deepEqual([now.phase, now.into], [record.phase, record.into]);
    assert.equal(String(now.stagingUuid), String(record.stagingUuid));
    assert.equal(await split.into.countDocuments(), BEFORE + 1);
    await typedIn(client, RENAME.exec(error.message)?.[0] ?? assert.fail(error.message));
    await splitResume(ctx, split.id, RESTART);
    const { into } = await split.read();
    const names = await client.db('app2').listCollections({ type: 'collection' }).toArray();
    assert.deepEqual(
      names.map(({ name }) => name).filter((name) => name.startsWith(split.name)),
      [into.stagingName],
    );
    assert.equal(await client.db('app2').collection(into.stagingName).countDocuments(), BEFORE);
  });

  it('status names what another session made under the name of the copy, and what comes first', async () => {
    const split = await beginSplit(client, ctx);
    const { into } = await split.read();
    await finishByHand(client, await split.read());
    await client.db(into.db).collection(into.stagingName).insertOne(THERE);
    const answer = await splitStatus(ctx, split.id);
    const calls = printedCalls(answer).filter((call) => call.startsWith('db.'));
    assert.equal(calls.length, 3);
    assert.match(calls[0], /__tune_\w+"\)\.renameCollection\("\w+_other"\)/);
    for (const call of calls) await typedIn(client, call);
    assert.equal((await split.status()).viewInPlace, true);
    const copy = client.db(into.db).collection(into.stagingName);
    assert.equal(await copy.countDocuments(), BEFORE);
  });

  it('… and leaves one that has another name', async () => {
    const split = await beginSplit(client, ctx);
    await finishByHand(client, await split.read());
    await split.into.insertOne(THERE);
    await split.into.rename('kept');
    await splitResume(ctx, split.id, RESTART);
    assert.equal(await client.db('app2').collection('kept').countDocuments(), BEFORE + 1);
  });
});
