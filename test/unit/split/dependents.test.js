'use strict';

const assert = require('node:assert/strict');
const { BSON, Decimal128, MinKey, Timestamp } = require('bson');
const { findDependents } = require('../../../lib/split/dependents');
const { demandOf, dependentBlockers, dependentsOf } = require('../../../lib/split/pure/dependents');

const PLACE = Object.freeze({ db: 'app', name: 'c' });
const FR = Object.freeze({ locale: 'fr', strength: 1 });
const DE = Object.freeze({ locale: 'de' });
const view = (name, viewOn, { pipeline = [], collation } = {}) => ({
  name,
  options: { viewOn, pipeline, ...(collation && { collation }) },
});
/** The first on the collection. */
const chain = (length, more) =>
  Array.from({ length }, (_, i) => view(`v${i + 1}`, i === 0 ? 'c' : `v${i}`, more));
const demand = (views, own) => demandOf(PLACE, dependentsOf(PLACE, views), own);

describe('views that read a name which becomes a view of a split', () => {
  it('are found through others and in pipelines of pipelines, with how far they are', () => {
    const found = dependentsOf(PLACE, [
      view('z', 'y'),
      view('y', 'c', { collation: FR }),
      view('w', 'o', {
        pipeline: [
          { $facet: { x: [{ $lookup: { from: 'p', pipeline: [{ $unionWith: 'z' }], as: 'a' } }] } },
        ],
      }),
      view('g', 'o', { pipeline: [{ $graphLookup: { from: 'c' } }] }),
      view('other', 'o'),
      { name: 'unseen', options: null },
    ]);
    assert.deepEqual(
      found.map(({ name, depth, isDirect, collation }) => [name, depth, isDirect, collation]),
      [
        ['g', 1, true, null],
        ['w', 3, false, null],
        ['y', 1, true, FR],
        ['z', 2, false, null],
      ],
    );
  });
  it('are the same where the driver leaves the stages as bytes', async () => {
    const odd = { a: new Decimal128('1'), b: new MinKey(), c: new Timestamp(1n), d: /x/i, e: -0 };
    const views = [
      view('z', 'o', { pipeline: [{ $match: odd }, { $facet: { x: [{ $unionWith: 'c' }] } }] }),
      view('y', 'o', { pipeline: [{ $match: { odd } }, { $lookup: { odd, from: 'z' } }] }),
      view('x', 'o', { pipeline: [{ $unionWith: { coll: 'y', pipeline: [] } }], collation: FR }),
      view('w', 'o', { pipeline: [{ $lookup: { from: { db: 'elsewhere', coll: 'c' } } }] }),
      view('v', 'o', { pipeline: [{ $match: { text: 'as a $lookup of c does' } }] }),
    ];
    const asBytes = views.map((one) => ({
      ...one,
      options: { ...one.options, pipeline: one.options.pipeline.map((it) => BSON.serialize(it)) },
    }));
    const of = (firstBatch) =>
      findDependents({ command: async () => ({ cursor: { firstBatch, id: 0 } }) }, PLACE);
    assert.deepEqual(await of(asBytes), await of(views));
    assert.deepEqual(
      (await of(asBytes)).map(({ name, depth }) => [name, depth]),
      [
        ['x', 3],
        ['y', 2],
        ['z', 1],
      ],
    );
  });
  it('of two ways to the name the longer counts; a circle ends', () => {
    const both = view('b', 'c', { pipeline: [{ $unionWith: 'v2' }] });
    assert.equal(
      dependentsOf(PLACE, [...chain(2), both]).find(({ name }) => name === 'b')?.depth,
      3,
    );
    assert.doesNotThrow(() =>
      dependentsOf(PLACE, [view('a', 'c'), view('x', 'y'), view('y', 'x')]),
    );
    assert.equal(
      dependentsOf(PLACE, [view('x', 'c', { pipeline: [{ $unionWith: 'y' }] }), view('y', 'x')])
        .length,
      2,
    );
  });
  it('none: any collation will do, and none is taken', () =>
    assert.deepEqual(demand([]), { collation: null, refused: null }));
  it('of one collation: that', () => {
    assert.deepEqual(demand(chain(2, { collation: FR })), { collation: FR, refused: null });
    assert.deepEqual(demand(chain(2)), { collation: null, refused: null });
  });
  it('of several: refused, with the name of each', () =>
    assert.match(
      String(
        demand([
          view('a', 'c'),
          view('b', 'c', { collation: FR }),
          view('d', 'c', { collation: DE }),
        ]).refused,
      ),
      /read app\.c have different collations: app\.a \(no collation\), app\.b \(collation fr, strength 1\), app\.d \(collation de\)\./,
    ));
  it('with ours not more on one another than the server allows', () => {
    assert.equal(demand(chain(19)).refused, null);
    assert.match(
      String(demand(chain(20)).refused),
      /^app\.v20 reads app\.c through 19 other views\. .* 20 views on one another: drop app\.v20\.$/,
    );
    assert.match(
      String(demand([...chain(20), view('u20', 'v19')]).refused),
      /^app\.u20, app\.v20 read app\.c/,
    );
  });
  it('where our view must have a collation of its own: that, or refused', () => {
    assert.deepEqual(demand([], FR), { collation: FR, refused: null });
    assert.deepEqual(demand(chain(1, { collation: FR }), FR), { collation: FR, refused: null });
    assert.match(
      String(demand(chain(1, { collation: FR }), null).refused),
      /collation of app\.c \(no collation\) .*app\.v1 \(collation fr, strength 1\) reads .*reads: "refused"/,
    );
    assert.match(
      String(demand([view('a', 'c'), view('b', 'c')], DE).refused),
      /app\.a \(no collation\), app\.b \(no collation\) read the name/,
    );
  });
  it('of either name of a collection that is moved: in the way of a plan', () => {
    assert.deepEqual(dependentBlockers([{ ...PLACE, views: chain(3) }]), []);
    const [first, second] = dependentBlockers([
      { ...PLACE, views: chain(20) },
      { db: 'app2', name: 'c', views: chain(20) },
    ]);
    assert.deepEqual([first.what, second.what], ['views', 'views']);
    assert.match(second.say, /^app2\.v20 reads app2\.c/);
  });

  it('are all found where one answer does not hold them', async () => {
    const views = chain(5);
    const MOST = 2;
    const port = {
      command: async (/** @type {string} */ _db, /** @type {any} */ { filter, nameOnly }) => {
        const names = filter.name?.$in;
        const found = views.filter(({ name }) => !names || names.includes(name));
        const isWhole = nameOnly || found.length <= MOST;
        return {
          cursor: { id: isWhole ? 0 : 7, firstBatch: isWhole ? found : found.slice(0, MOST) },
        };
      },
    };
    const found = await findDependents(/** @type {any} */ (port), PLACE);
    assert.deepEqual(
      found.map(({ name }) => name),
      ['v1', 'v2', 'v3', 'v4', 'v5'],
    );
  });
});
