'use strict';

/**
 * An update of one document that takes the server longer than the time between two yields: it is
 * done, the server lets go of its lock, and the cut comes before the command has ended. It ends
 * with error 175, and what it did is there.
 */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { contextOf } = require('../../support/context');
const { startServer } = require('../../support/server');
const { ALONE } = require('../../support/begun-split');
const { planOf, useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRun } = require('../../../lib/commands/split-run');

const GUIDE = fs.readFileSync(path.join(__dirname, '../../../docs/split.md'), 'utf8');
const [, RECIPE] = /```js\n(const REFUSED = [^]*?\n\}\n)const orders/.exec(GUIDE) ?? [];
const never = new AbortController().signal;
const WRITERS = 4;
const TAGS = 2_000;
const ROUNDS = 4;
const DO = Object.freeze({ confirm: true });

/** Each document with many index keys, so that an update takes some 50 ms. */
const tagsOf = (/** @type {string} */ text) =>
  Array.from({ length: TAGS }, (_, i) => `${text}-${i}`);

/**
 * Writers that use the recipe of the guide, until `move` is over.
 * @param {any} client
 * @param {string} name
 * @param {(moves: object[]) => Promise<unknown>} move
 * @param {{ writers?: number, restMs?: number }} [load] `restMs`: between two updates of a writer
 * @returns what is counted in the new place, what each writer knows to be done, and its errors
 */
async function countUnder(client, name, move, { writers = WRITERS, restMs = 0 } = {}) {
  const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection(name));
  await from.insertMany(
    Array.from({ length: writers }, (_, w) => ({ _id: w, n: 0, tags: tagsOf(`${w}`) })),
  );
  await from.createIndex({ tags: 1 });
  const { either } = new Function(`${RECIPE} return { either };`)();
  const seen = { on: true, done: Array(writers).fill(0), codes: {} };
  const apps = seen.done.map(async (_none, w) => {
    const places = [from, into];
    for (let i = 0; seen.on; i += 1) {
      const change = { $inc: { n: 1 }, $set: { tags: tagsOf(`${w}-${i}`) } };
      const isDone = await either(places, (c) =>
        c.updateOne({ _id: w }, change).catch((error) => {
          seen.codes[error.code] = (seen.codes[error.code] ?? 0) + 1;
          throw error;
        }),
      ).then(
        () => true,
        // It may be done: this application looks.
        async (error) => {
          assert.equal(error.code, 175);
          const { n } = await either(places, (c) => c.findOne({ _id: w }), [175]);
          return n > seen.done[w];
        },
      );
      if (isDone) seen.done[w] += 1;
      await sleep(restMs, never);
    }
  });
  await sleep(500, never);
  await move([{ ns: `app.${name}`, into: `app2.${name}` }]);
  await sleep(300, never);
  seen.on = false;
  await Promise.all(apps);
  const found = await into
    .find({}, { projection: { n: 1 } })
    .sort({ _id: 1 })
    .toArray();
  return { counted: found.map(({ n }) => n), done: seen.done, codes: seen.codes };
}

describe('an update of one document that takes longer than a moment', function () {
  this.timeout(300_000);

  describe('on a standalone server', () => {
    let server;
    before(async () => {
      server = await startServer();
    });
    after(() => server?.stop());

    it('is not done twice by an application that looks', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { client } = server;
        const { counted, done } = await countUnder(client, `b${round}`, async (moves) =>
          splitRun(contextOf(client), await planOf(client, { moves, mode: 'offline' }), DO),
        );
        assert.deepEqual(counted, done);
      }
    });
  });

  describe('on a replica set', () => {
    let client;
    useSet((set) => {
      ({ client } = set);
    });

    it('comes before the step', async () => {
      for (let round = 0; round < 2; round += 1) {
        const cutOver = async (/** @type {object[]} */ moves) => {
          const plan = await planOf(client, { moves });
          await splitRun(contextOf(client), plan, DO);
          await splitCutover(contextOf(client), plan.id, ALONE);
        };
        const few = { writers: 2, restMs: 150 };
        const { counted, done, codes } = await countUnder(client, `s${round}`, cutOver, few);
        assert.deepEqual([counted, codes[175]], [done, undefined]);
        // Where one is always under way, an application looks.
        const many = await countUnder(client, `m${round}`, cutOver);
        assert.deepEqual(many.counted, many.done);
      }
    });
  });
});
