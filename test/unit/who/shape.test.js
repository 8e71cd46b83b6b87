'use strict';

const assert = require('node:assert/strict');
const { shapeOf } = require('../../../lib/who/pure/operation-kind');

const SECRET = 's3cr3t';
const id = { $oid: '65a000000000000000000000' };

/** @type {[string, any, any, string][]} title, command, more, shape */
const CASES = [
  ['a find', { find: 'c', filter: { a: 7, b: SECRET } }, {}, 'find { a: ?, b: ? }'],
  [
    'with sort and limit',
    { find: 'c', filter: { a: { $in: [1, 2, 3] } }, sort: { b: -1 }, limit: 5 },
    {},
    'find { filter: { a: { $in: [?] } }, sort: { b: -1 }, limit: ? }',
  ],
  ['without a filter', { find: 'c' }, {}, 'find {}'],
  ['extended JSON', { find: 'c', filter: { _id: id } }, {}, 'find { _id: ? }'],
  ['a date', { find: 'c', filter: { at: { $gte: new Date(0) } } }, {}, 'find { at: { $gte: ? } }'],
  [
    'a value of the driver',
    { find: 'c', filter: { a: { _bsontype: 'Long' } } },
    {},
    'find { a: ? }',
  ],
  [
    'an aggregation',
    { aggregate: 'c', pipeline: [{ $match: { a: SECRET } }, { $sort: { n: 1 } }, { $limit: 2 }] },
    {},
    'aggregate [{ $match: { a: ? } }, { $sort: { n: 1 } }, { $limit: ? }]',
  ],
  [
    'field paths are strings, too',
    { aggregate: 'c', pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }] },
    {},
    'aggregate [{ $group: { _id: ?, n: { $sum: ? } } }]',
  ],
  [
    'keys of a map',
    { find: 'c', filter: { 'a@b.example': 1, 12345678: 2 } },
    {},
    'find { <key>: ? }',
  ],
  ['redacted', { find: '###', filter: { customer: '###' } }, {}, 'find { customer: ? }'],
  [
    'a single update',
    { q: { a: 1 }, u: { $set: { b: SECRET } }, multi: true },
    { type: 'update' },
    'update many { q: { a: ? }, u: { $set: { b: ? } } }',
  ],
  [
    'a replacement',
    { q: { a: 1 }, u: { b: SECRET } },
    { type: 'update' },
    'update one { q: { a: ? }, u: {} }',
  ],
  [
    'a pipeline for an update',
    { q: { a: 1 }, u: [{ $set: { b: 1 } }] },
    { type: 'update' },
    'update one { q: { a: ? } }',
  ],
  ['a single delete', { q: { a: 1 }, limit: 0 }, { type: 'remove' }, 'delete many { q: { a: ? } }'],
  ['a delete of $currentOp', { q: { a: 1 }, limit: 1 }, {}, 'delete one { q: { a: ? } }'],
  [
    'updates',
    { update: 'c', updates: [{ q: { a: 1 }, u: { $inc: { n: 1 } } }] },
    {},
    'update one { q: { a: ? }, u: { $inc: { n: ? } } }',
  ],
  ['deletes', { delete: 'c', deletes: [{ q: {}, limit: 0 }] }, {}, 'delete many { q: {} }'],
  ['updates that are left out', { update: 'c' }, {}, 'update'],
  ['an insert', { insert: 'c', documents: [{ a: SECRET }] }, {}, 'insert'],
  [
    'a getMore',
    { getMore: 1, collection: 'c' },
    { originating: { find: 'c', filter: { a: 1 } } },
    'find { a: ? }',
  ],
  ['a getMore of nothing known', { getMore: 1 }, {}, 'getMore'],
  ['a getMore of a getMore', { getMore: 1 }, { originating: { getMore: 2 } }, 'getMore'],
  ['truncated by the server', { $truncated: `find ${SECRET}` }, {}, '(not shown)'],
  ['encrypted: no command', undefined, {}, '(not shown)'],
  ['no object', `{ find: ${SECRET} }`, {}, '(not shown)'],
  ['no name', {}, {}, '(not shown)'],
  [
    'a list in a list',
    { find: 'c', filter: { a: [[SECRET], { b: 1 }] } },
    {},
    'find { a: [[?], { b: ? }] }',
  ],
];

describe('the shape of a command', () => {
  for (const [title, command, more, text] of CASES)
    it(title, () => {
      const shape = shapeOf(command, more);
      assert.equal(shape.text, text);
      assert.ok(!JSON.stringify(shape).includes(SECRET));
    });

  it('is short, whatever it is of', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    assert.match(shapeOf({ find: 'c', filter: deep }).text, /…/);
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 1]));
    const { text } = shapeOf({ find: 'c', filter: wide });
    assert.ok(text.length <= 240 && text.endsWith('… }'), text);
    const { text: list } = shapeOf({ find: 'c', filter: { $or: Array(100).fill({ a: 1 }) } });
    assert.equal(list, 'find { $or: [{ a: ? }, …] }');
  });

  it('has the fields that an index could serve', () => {
    const fields = (/** @type {any} */ command) => shapeOf(command).fields;
    assert.deepEqual(
      fields({
        find: 'c',
        filter: { a: 1, b: { $gt: 1, $lt: 2 }, c: { $in: [1] }, $and: [{ d: id }] },
        sort: { e: -1, f: 'text', '1@x': 1 },
      }),
      { equal: ['a', 'c', 'd'], range: ['b'], sort: [['e', -1]], isWhole: true },
    );
    assert.deepEqual(fields({ find: 'c', filter: { $or: [{ a: 1 }], b: { $ne: 1 } } }), {
      equal: [],
      range: [],
      sort: [],
      isWhole: false,
    });
    assert.deepEqual(
      fields({ aggregate: 'c', pipeline: [{ $match: { a: 1 } }, { $sort: { b: 1 } }] }),
      { equal: ['a'], range: [], sort: [['b', 1]], isWhole: true },
    );
    assert.deepEqual(fields({ aggregate: 'c', pipeline: [{ $group: { _id: null } }] })?.equal, []);
    assert.deepEqual(fields({ aggregate: 'c' })?.equal, []);
    assert.equal(fields({ distinct: 'c', key: 'a' }), null);
  });
});
