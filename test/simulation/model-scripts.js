'use strict';

/**
 * Little scripts that a real server and the simulated one must answer alike. `s.run(db, command)`
 * answers with what counts of the answer; `s.uuid(ns)` is that of a collection; databases are `a`
 * and `b`.
 * @typedef {{
 *   run(db: string, command: any): Promise<any>, uuid(ns: string): Promise<any>,
 *   db(name: string): string, ns(ns: string): string, foreverUuid: any, begin(ns?: string): Promise<any>,
 *   stream(db: string): Promise<any>, events(stream: any): Promise<any[]>
 * }} Script
 */

/** @param {any[]} operations each alone within an outer one */
const nested = (...operations) => ({
  applyOps: operations.map((one) => ({ op: 'c', ns: 'admin.$cmd', o: { applyOps: [one] } })),
});
const REFUSAL = Object.freeze([{ $match: { $expr: { $toInt: 'moved by mongosh-tune' } } }]);
const REMARK = Object.freeze([{ $match: { $comment: 'as it was when mongosh-tune moved it' } }]);

/** @param {Script} s @param {string} db */
function on(s, db) {
  const name = s.db(db);
  return {
    insert: (/** @type {string} */ coll, /** @type {any[]} */ ...documents) =>
      s.run(name, { insert: coll, documents }),
    find: (/** @type {string} */ coll) => s.run(name, { find: coll, sort: { _id: 1 } }),
    create: (/** @type {string} */ coll, options = {}) => s.run(name, { create: coll, ...options }),
    view: (/** @type {string} */ coll, viewOn = 'below', pipeline = REFUSAL) =>
      s.run(name, { create: coll, viewOn, pipeline }),
    op: (/** @type {any} */ o, /** @type {any} */ ui) => ({
      op: 'c',
      ns: `${name}.$cmd`,
      ...(ui && { ui }),
      o,
    }),
    rename: (/** @type {string} */ from, /** @type {string} */ to, /** @type {any} */ ui) => ({
      op: 'c',
      ns: `${name}.$cmd`,
      ...(ui && { ui }),
      o: { renameCollection: `${name}.${from}`, to: `${name}.${to}` },
    }),
    apply: (/** @type {any[]} */ ...operations) => s.run('admin', nested(...operations)),
    run: (/** @type {any} */ command) => s.run(name, command),
    merge: (/** @type {string} */ from, /** @type {any} */ into) =>
      s.run(name, {
        aggregate: from,
        pipeline: [
          { $match: {} },
          { $merge: { into, on: '_id', whenMatched: 'replace', whenNotMatched: 'insert' } },
        ],
        cursor: {},
      }),
  };
}

/** @type {Readonly<Record<string, (s: Script) => Promise<unknown>>>} */
const SCRIPTS = Object.freeze({
  'a cut: renamed, and a view in its place': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 }, { _id: 2 });
    await a.apply(
      a.rename('c', 'renamedTo'),
      a.op({ create: 'c', viewOn: 'renamedTo', pipeline: REFUSAL }),
    );
    await a.insert('c', { _id: 3 });
    await a.find('c');
    await a.find('renamedTo');
  },
  'a cut where a view has the name already': async (s) => {
    const a = on(s, 'a');
    await a.view('c');
    await a.apply(
      a.rename('c', 'renamedTo'),
      a.op({ create: 'c', viewOn: 'renamedTo', pipeline: REFUSAL }),
    );
  },
  'an exchange by name drops a collection': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    await a.apply(a.op({ drop: 'c' }), a.rename('missing', 'c'));
    await a.find('c');
  },
  'a rename to the name of a collection pushes that aside': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    await a.insert('d', { _id: 2 });
    await a.apply(a.rename('c', 'd'));
  },
  'a rename to the name of a view does nothing': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    await a.view('v');
    await a.apply(a.rename('c', 'v'));
  },
  'a rename by its UUID, whatever it is called': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    const ui = await s.uuid('a.c');
    await a.apply(a.rename('nobody', 'd', ui));
    await a.apply(a.rename('nobody', 'd', ui));
  },
  'a rename by a UUID that nobody has': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    await a.apply(a.rename('c', 'd', s.foreverUuid));
  },
  'a drop by its UUID, whatever it is called': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    const ui = await s.uuid('a.c');
    await a.apply(a.op({ drop: 'nobody' }, ui));
    await a.apply(a.op({ drop: 'nobody' }, ui));
  },
  'a drop by a UUID that nobody has': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    await a.apply(a.op({ drop: 'c' }, s.foreverUuid));
  },
  'a drop of a view, by its name': async (s) => {
    const a = on(s, 'a');
    await a.view('v');
    await a.apply(a.op({ drop: 'v' }));
  },
  'create where a collection has the name': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    await a.apply(a.op({ create: 'c', viewOn: 'd', pipeline: REFUSAL }));
    await a.create('c', { viewOn: 'd', pipeline: REFUSAL });
  },
  'collMod of a view, of a collection and of nothing': async (s) => {
    const a = on(s, 'a');
    await a.view('v');
    await a.insert('c', { _id: 1 });
    await a.apply(a.op({ collMod: 'v', viewOn: 'c', pipeline: REMARK }));
    await a.find('v');
    await a.apply(a.op({ collMod: 'nothing', viewOn: 'c', pipeline: REMARK }));
    await a.apply(a.op({ collMod: 'c', viewOn: 'below', pipeline: REFUSAL }), a.op({ drop: 'v' }));
    await a.run({ collMod: 'c', viewOn: 'below', pipeline: REFUSAL });
    await a.run({ collMod: 'nothing', viewOn: 'below', pipeline: REFUSAL });
  },
  'a delete with a UUID proves that a collection is there': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    const ui = await s.uuid('a.c');
    const proof = (/** @type {any} */ by) => ({
      op: 'd',
      ns: `${s.db('a')}.c`,
      ui: by,
      o: { _id: 'no such' },
    });
    await a.apply(proof(ui), a.op({ create: 'first' }));
    await a.apply(proof(s.foreverUuid), a.op({ create: 'second' }));
    await a.apply({ op: 'd', ns: `${s.db('a')}.c`, ui, o: { _id: 1 } });
    await a.find('c');
  },
  'an insert into nothing, into a view, over the same _id': async (s) => {
    const a = on(s, 'a');
    const put = (/** @type {string} */ coll, /** @type {any} */ o) => ({
      op: 'i',
      ns: `${s.db('a')}.${coll}`,
      o,
    });
    await a.apply(put('missing', { _id: 1 }));
    await a.view('v');
    await a.apply(put('v', { _id: 1 }));
    await a.insert('c', { _id: 1, x: 1 });
    await a.apply(put('c', { _id: 1, y: 2 }));
    await a.find('c');
  },
  'a permit is used once': async (s) => {
    const a = on(s, 'a');
    await a.run({
      createIndexes: 'fences',
      indexes: [{ name: 'token', key: { token: 1 }, unique: true }],
    });
    const permit = (/** @type {string} */ t) => [
      { op: 'i', ns: `${s.db('a')}.fences`, o: { _id: `${t}:a`, token: t } },
      { op: 'd', ns: `${s.db('a')}.fences`, o: { _id: `${t}:a` } },
      { op: 'i', ns: `${s.db('a')}.fences`, o: { _id: `${t}:b`, token: t } },
    ];
    await a.insert('c', { _id: 1 });
    await a.apply(...permit('one'), a.rename('c', 'd'));
    await a.insert('c', { _id: 2 });
    await a.apply(...permit('one'), a.op({ drop: 'c' }));
    await a.insert('fences', { _id: 'two:void', token: 'two' });
    await a.apply(...permit('two'), a.op({ drop: 'c' }));
    await a.insert('fences', { _id: 'one:void', token: 'one' });
    await a.find('fences');
  },
  'an outer step stops at the first that fails': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    await a.apply(
      a.rename('c', 'd'),
      a.op({ collMod: 'd', viewOn: 'x', pipeline: REFUSAL }),
      a.rename('d', 'e'),
    );
  },
  'the time of a TTL index, by its name': async (s) => {
    const a = on(s, 'a');
    await a.run({
      createIndexes: 'c',
      indexes: [{ name: 't', key: { at: 1 }, expireAfterSeconds: 1000 }],
    });
    await a.apply(
      a.op({ collMod: 'c', index: { name: 't', expireAfterSeconds: 5000 } }, await s.uuid('a.c')),
    );
    await a.run({ collMod: 'c', index: { name: 't', expireAfterSeconds: 7000 } });
    await a.run({ collMod: 'c', index: { name: 'nobody', expireAfterSeconds: 7000 } });
  },
  'indexes are made and dropped': async (s) => {
    const a = on(s, 'a');
    const make = (/** @type {string[]} */ ...names) =>
      a.run({ createIndexes: 'c', indexes: names.map((name) => ({ name, key: { [name]: 1 } })) });
    await make('x', 'y', 'z');
    await make('x');
    await a.run({ createIndexes: 'c', indexes: [{ name: 'x', key: { w: 1 } }] });
    await a.run({ dropIndexes: 'c', index: ['x', 'y'] });
    await a.run({ dropIndexes: 'c', index: ['z', 'nobody'] });
    await a.run({ dropIndexes: 'c', index: 'z' });
    await a.run({ dropIndexes: 'missing', index: 'z' });
  },
  'what a view refuses': async (s) => {
    const a = on(s, 'a');
    await a.insert('below', { _id: 1 });
    await a.view('v');
    await a.view('w', 'below', REMARK);
    for (const name of ['v', 'w']) {
      await a.find(name);
      await a.insert(name, { _id: 2 });
      await a.run({ update: name, updates: [{ q: { _id: 1 }, u: { $set: { x: 1 } } }] });
      await a.run({ delete: name, deletes: [{ q: { _id: 1 }, limit: 1 }] });
      await a.run({ findAndModify: name, query: { _id: 1 }, update: { $set: { x: 1 } } });
      await a.run({ createIndexes: name, indexes: [{ name: 'x', key: { x: 1 } }] });
      await a.run({ listIndexes: name });
      await a.run({ aggregate: name, pipeline: [{ $match: { _id: 1 } }], cursor: {} });
    }
    await s.run('admin', { renameCollection: s.ns('a.v'), to: s.ns('a.x') });
    await s.run('admin', { renameCollection: s.ns('a.below'), to: s.ns('a.v') });
  },
  'a read of a view over nothing': async (s) => {
    const a = on(s, 'a');
    await a.view('v', 'nothing', REMARK);
    await a.find('v');
    await a.find('nothing');
  },
  'rename as a command': async (s) => {
    const a = on(s, 'a');
    const rename = (/** @type {string} */ from, /** @type {string} */ to) =>
      s.run('admin', { renameCollection: s.ns(`a.${from}`), to: s.ns(`a.${to}`) });
    await rename('missing', 'd');
    await a.insert('c', { _id: 1 });
    await rename('c', 'd');
    await a.insert('c', { _id: 2 });
    await rename('c', 'd');
  },
  'drop and create as commands': async (s) => {
    const a = on(s, 'a');
    await a.run({ drop: 'missing' });
    await a.create('c');
    await a.create('c', { validator: { x: 1 } });
    await a.view('c');
    await a.run({ drop: 'c' });
    await a.view('v');
    await a.run({ drop: 'v' });
  },
  '$merge into another database, into nothing, into a view': async (s) => {
    const a = on(s, 'a');
    const b = on(s, 'b');
    await a.insert('c', { _id: 1, x: 1 }, { _id: 2, x: 2 });
    await a.merge('c', { db: s.db('b'), coll: 'made' });
    await b.insert('other', { _id: 1, y: 1 });
    await a.merge('c', { db: s.db('b'), coll: 'other' });
    await b.find('other');
    await b.view('v');
    await a.merge('c', { db: s.db('b'), coll: 'v' });
    await a.view('refusing', 'c');
    await a.merge('refusing', { db: s.db('b'), coll: 'other' });
    await a.merge('missing', { db: s.db('b'), coll: 'never' });
  },
  '$merge meets a unique index': async (s) => {
    const a = on(s, 'a');
    await a.run({
      createIndexes: 'to',
      indexes: [{ name: 'u', key: { u: 1 }, unique: true, sparse: true }],
    });
    await a.insert('to', { _id: 9, u: 'x' });
    await a.insert('c', { _id: 1, u: 'x' });
    await a.merge('c', { db: s.db('a'), coll: 'to' });
    await a.insert('to', { _id: 8 }, { _id: 7 });
    await a.find('to');
  },
  '$out replaces a collection, and keeps its options and indexes': async (s) => {
    const a = on(s, 'a');
    const b = on(s, 'b');
    await a.insert('c', { _id: 1 }, { _id: 2 });
    await b.create('to', { validator: { x: { $ne: 5 } } });
    await b.run({ createIndexes: 'to', indexes: [{ name: 'x', key: { x: 1 } }] });
    await b.insert('to', { _id: 9 });
    await a.run({
      aggregate: 'c',
      pipeline: [{ $out: { db: s.db('b'), coll: 'to' } }],
      cursor: {},
    });
    await b.find('to');
    await b.view('v');
    await a.run({ aggregate: 'c', pipeline: [{ $out: { db: s.db('b'), coll: 'v' } }], cursor: {} });
  },
  'a lease is taken, kept and refused by findAndModify': async (s) => {
    const a = on(s, 'a');
    await a.insert('splits', { _id: 1, lease: null });
    const take = (/** @type {string} */ owner) =>
      a.run({
        findAndModify: 'splits',
        query: {
          _id: 1,
          $expr: {
            $or: [
              { $eq: ['$lease.owner', { $literal: owner }] },
              { $lt: [{ $ifNull: ['$lease.until', new Date(0)] }, '$$NOW'] },
            ],
          },
        },
        update: [
          {
            $set: {
              owner: { $literal: owner },
              lease: { owner: { $literal: owner }, until: { $add: ['$$NOW', 60_000] } },
            },
          },
        ],
        new: true,
        fields: { owner: 1 },
      });
    await take('one');
    await take('two');
    await take('one');
    await a.run({
      findAndModify: 'splits',
      query: { _id: 1, 'lease.owner': 'one' },
      update: { $set: { phase: 'x' }, $push: { history: { phase: 'x' } } },
      new: true,
      fields: { phase: 1, history: 1 },
    });
    await a.run({
      findAndModify: 'splits',
      query: { _id: 1, 'lease.owner': 'two' },
      update: { $set: { phase: 'y' } },
      new: true,
    });
    await a.run({ update: 'splits', updates: [{ q: { _id: 1 }, u: { $unset: { lease: 1 } } }] });
  },
  'one split at a time: a unique index with a filter': async (s) => {
    const a = on(s, 'a');
    await a.run({
      createIndexes: 'splits',
      indexes: [
        {
          name: 'one',
          key: { source: 1 },
          unique: true,
          partialFilterExpression: { active: true },
        },
      ],
    });
    await a.insert('splits', { _id: 1, source: 'x', active: true });
    await a.insert('splits', { _id: 2, source: 'x', active: false });
    await a.insert('splits', { _id: 3, source: 'x', active: true });
    await a.run({ findAndModify: 'splits', query: { _id: 2 }, update: { $set: { active: true } } });
  },
  'what an update counts': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1, n: 1 });
    await a.insert('c', { _id: 1 });
    await a.run({
      update: 'c',
      updates: [
        { q: { _id: 1 }, u: { $inc: { n: 1 }, $push: { h: 'a' } } },
        { q: { _id: 2 }, u: { $set: { n: 1 } } },
        { q: { _id: 3 }, u: { $set: { n: 3 } }, upsert: true },
      ],
    });
    await a.run({ delete: 'c', deletes: [{ q: { _id: { $in: [1, 5] } }, limit: 0 }] });
    await a.find('c');
  },
  'ranges by $expr': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', ...[1, 2, 3, 4, 5].map((_id) => ({ _id })), { _id: 'x' }, { _id: null });
    const read = (/** @type {any[]} */ ...pipeline) =>
      a.run({ aggregate: 'c', pipeline: [...pipeline, { $sort: { _id: 1 } }], cursor: {} });
    await read({
      $match: {
        $expr: {
          $and: [{ $gte: ['$_id', { $literal: 2 }] }, { $lt: ['$_id', { $literal: 'x' }] }],
        },
      },
    });
    await read({ $match: { $and: [{ _id: { $ne: null } }, {}] } });
    await read({ $sort: { _id: 1 } }, { $skip: 2 }, { $limit: 1 }, { $project: { _id: 1 } });
  },
  'an open transaction keeps a step out, until its time is over': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    const transaction = await s.begin();
    await s.run('admin', { ...nested(a.rename('c', 'd')), maxTimeMS: 300 });
    await a.find('c');
    await transaction.abort();
    await s.run('admin', { ...nested(a.rename('c', 'd')), maxTimeMS: 5_000 });
  },
  'an open transaction keeps the options of what it has read': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    await a.run({
      createIndexes: 'c',
      indexes: [{ name: 't', key: { at: 1 }, expireAfterSeconds: 1000 }],
    });
    const change = { collMod: 'c', index: { name: 't', expireAfterSeconds: 2000 }, maxTimeMS: 300 };
    const other = await s.begin();
    await a.run(change);
    await other.abort();
    const transaction = await s.begin('a.c');
    await a.run({ ...change, index: { name: 't', expireAfterSeconds: 3000 } });
    await a.run({ listIndexes: 'c' });
    await transaction.abort();
    await a.run({ ...change, index: { name: 't', expireAfterSeconds: 4000 } });
  },
  'the stream of a database over a cut, and what comes after it': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    const stream = await s.stream('a');
    await a.insert('c', { _id: 2 });
    await a.run({ update: 'c', updates: [{ q: { _id: 1 }, u: { $set: { x: 1 } } }] });
    await a.run({ delete: 'c', deletes: [{ q: { _id: 1 }, limit: 1 }] });
    await a.apply(
      a.rename('c', 'renamedTo'),
      a.op({ create: 'c', viewOn: 'renamedTo', pipeline: REFUSAL }),
    );
    await a.insert('renamedTo', { _id: 3 });
    await a.apply(a.op({ drop: 'c' }), a.rename('renamedTo', 'c'));
    await a.run({ drop: 'c' });
    return s.events(stream);
  },
  'the stream of a database that is dropped': async (s) => {
    const a = on(s, 'a');
    await a.insert('c', { _id: 1 });
    const stream = await s.stream('a');
    await a.run({ dropDatabase: 1 });
    return s.events(stream);
  },
});

module.exports = { SCRIPTS };
