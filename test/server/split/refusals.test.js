'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const GUIDE = fs.readFileSync(path.join(__dirname, '../../../docs/split.md'), 'utf8');
/** As users copy it. */
const [, RECIPE] = /```js\n(const REFUSED = [^]*?\n\}\n)/.exec(GUIDE) ?? [];
const either = new Function(`${RECIPE} return either;`)();
const NEAR = Object.freeze({ $geometry: { type: 'Point', coordinates: [1, 2] } });
const EN = Object.freeze({ collation: { locale: 'en', strength: 2 } });

/** What an application does, with the codes of the names that refuse it. */
const OPERATIONS = Object.freeze({
  find: [[241], (c) => c.findOne({ _id: 1 })],
  'find with a hint': [[241], (c) => c.find({}).hint({ _id: 1 }).toArray()],
  'find with a collation': [[167], (c) => c.findOne({ _id: 1 }, EN)],
  'find with $text': [[27], (c) => c.find({ $text: { $search: 'x' } }).toArray()],
  'find with $near': [[5626500], (c) => c.find({ g: { $near: NEAR } }).toArray()],
  'find with $where': [[2], (c) => c.find({ $where: 'true' }).toArray()],
  'find with a positional projection': [
    [31324],
    (c) => c.find({ a: 1 }, { projection: { 'a.$': 1 } }).toArray(),
  ],
  'find with a projection by $elemMatch': [
    [168],
    (c) => c.find({}, { projection: { a: { $elemMatch: { $gt: 1 } } } }).toArray(),
  ],
  'find with min': [[168], (c) => c.find({}).min({ _id: 0 }).hint({ _id: 1 }).toArray()],
  'find with max': [[168], (c) => c.find({}).max({ _id: 9 }).hint({ _id: 1 }).toArray()],
  count: [[241], (c) => c.countDocuments()],
  'count with a collation': [[167], (c) => c.countDocuments({}, EN)],
  'estimated count': [[241], (c) => c.estimatedDocumentCount()],
  distinct: [[241], (c) => c.distinct('a')],
  'distinct with a collation': [[167], (c) => c.distinct('a', {}, EN)],
  aggregate: [[241], (c) => c.aggregate([]).toArray()],
  'aggregate with a collation': [[167], (c) => c.aggregate([], EN).toArray()],
  'aggregate with $text': [
    [17313],
    (c) => c.aggregate([{ $match: { $text: { $search: 'x' } } }]).toArray(),
  ],
  insert: [[166], (c) => c.insertOne({})],
  update: [[166], (c) => c.updateOne({ _id: 1 }, { $inc: { n: 1 } })],
  'update with a collation': [[166], (c) => c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, EN)],
  'find and modify': [[166], (c) => c.findOneAndUpdate({ _id: 1 }, { $inc: { n: 1 } })],
  delete: [[166], (c) => c.deleteOne({ _id: 2 })],
  'bulk write': [[166], (c) => c.bulkWrite([{ deleteOne: { filter: { _id: 2 } } }])],
});

describe('with which errors a name refuses, and the recipe of the guide', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  /** @type {Awaited<ReturnType<typeof beginSplit>>} */ let split;
  async function check(/** @type {any} */ refuses, /** @type {any} */ answers) {
    for (const [what, [codes, operate]] of Object.entries(OPERATIONS)) {
      const said = [];
      const places = [refuses, answers];
      const answer = await either(places, async (place) => {
        try {
          return await operate(place);
        } catch (error) {
          said.push(error.code);
          throw error;
        }
      });
      assert.deepEqual([what, said], [what, codes]);
      // A query that a view refuses by itself says nothing of the move.
      const isMoved = codes.some((code) => code === 166 || code === 241);
      assert.equal(places[0] === answers, isMoved, what);
      assert.notEqual(answer, undefined);
    }
  }
  before(async () => {
    split = await beginSplit(client, ctx, {
      indexes: [[{ t: 'text' }], [{ g: '2dsphere' }]],
      documents: [
        { _id: 1, a: [1, 2], t: 'x', g: [1, 2] },
        { _id: 2, a: [1] },
      ],
    });
  });

  it('the target before the cutover', () => check(split.into, split.from));
  it('the source after it', async () => {
    await splitCutover(ctx, split.id, ALONE);
    await check(split.from, split.into);
  });
  it('$lookup from it: an error; of an empty collection none, and nothing', async () => {
    const [some, none] = ['some', 'none'].map((name) => client.db('app').collection(name));
    await some.insertOne({});
    await client.db('app').createCollection('none');
    const pipeline = [
      { $lookup: { from: split.name, localField: 'a', foreignField: 'a', as: 'b' } },
    ];
    await assert.rejects(some.aggregate(pipeline).toArray(), { code: 241 });
    assert.deepEqual(await none.aggregate(pipeline).toArray(), []);
  });
  it('the target after a rollback', async () => {
    await splitRollback(ctx, split.id, ALONE);
    await check(split.into, split.from);
  });
  it('each of these errors is in the guide, before the recipe', () => {
    const [notice] = GUIDE.slice(GUIDE.indexOf('## What applications notice')).split('```js');
    const codes = Object.values(OPERATIONS).flatMap(([some]) => /** @type {number[]} */ (some));
    for (const code of new Set(codes))
      assert.match(notice, new RegExp(`\\b${code}\\b`), String(code));
  });
});
