'use strict';

/** Transactions of applications that have nothing to do with the split. */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { splitCutover } = require('../../../lib/commands/split-cutover');

const never = new AbortController().signal;
const GUIDE = fs.readFileSync(path.join(__dirname, '../../../docs/split.md'), 'utf8');

describe('transactions in other databases while a cutover waits', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('wait, as the guide says, or end with an error that it names', async () => {
    const split = await beginSplit(client, ctx);
    for (const db of ['other', 'elsewhere']) await client.db(db).collection('c').insertOne({});
    const long = client.startSession();
    long.startTransaction();
    await client.db('other').collection('c').insertOne({}, { session: long });
    const seen = { on: true, done: 0, codes: /** @type {Record<string, number>} */ ({}), said: '' };
    const others = Array.from({ length: 4 }, async () => {
      while (seen.on) {
        const session = client.startSession();
        try {
          session.startTransaction();
          await client.db('elsewhere').collection('c').insertOne({}, { session });
          await session.commitTransaction();
          seen.done += 1;
        } catch (error) {
          seen.codes[error.code] = (seen.codes[error.code] ?? 0) + 1;
          seen.said = error.message;
          await session.abortTransaction().catch(() => undefined);
        } finally {
          await session.endSession();
        }
        await sleep(5, never);
      }
    });
    const cutover = splitCutover(ctx, split.id, ALONE);
    await sleep(6_000, never);
    await long.commitTransaction();
    await long.endSession();
    await cutover;
    seen.on = false;
    await Promise.all(others);

    for (const code of Object.keys(seen.codes))
      assert.match(GUIDE, new RegExp(`\\berror ${code}\\b|\\b${code} is \\w`), `error ${code}`);
  });
});
