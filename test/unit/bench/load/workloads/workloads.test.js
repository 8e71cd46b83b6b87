'use strict';

const assert = require('node:assert/strict');
const { WORKLOADS } = require('../../../../../lib/bench/load/workloads/workloads');
const { SETTINGS, fnvText } = require('../../../../../lib/bench/load/workloads/operations');
const { seeded, pValue } = require('./chi-square');

/**
 * @import { Workload } from '../../../../../lib/bench/load/workloads/operations'
 */

const MIN = 0.001;
const source = (seed = 1) => ({
  random: seeded(seed),
  bytes: (/** @type {number} */ n) => new Uint8Array(n),
});
const place = (more = {}) => ({
  ...source(),
  records: 1000,
  worker: 0,
  workers: 1,
  lanes: 0,
  insertFrom: 1000,
  settings: SETTINGS,
  ...more,
});
/** @param {string} name */
const named = (name) => /** @type {Workload} */ (WORKLOADS.get(name));
/** @param {string} name @param {number} times @param {object} [more] */
function draw(name, times, more) {
  const next = named(name).operations(place(more));
  return Array.from({ length: times }, next);
}
const idOf = (/** @type {any} */ command) =>
  command.filter?._id ?? command.updates?.[0].q._id ?? command.documents?.[0]._id;

describe('the workloads, by their published definitions', () => {
  it('there are those', () =>
    assert.deepEqual(
      [...WORKLOADS.keys()],
      ['ycsb-a', 'ycsb-b', 'ycsb-c', 'ycsb-d', 'ycsb-e', 'ycsb-f', 'iibench', 'sysbench'],
    ));

  for (const [name, expected] of /** @type {[string, Record<string, number>][]} */ (
    Object.entries({
      'ycsb-a': { read: 0.5, update: 0.5 },
      'ycsb-b': { read: 0.95, update: 0.05 },
      'ycsb-d': { read: 0.95, insert: 0.05 },
      'ycsb-e': { scan: 0.95, insert: 0.05 },
      'ycsb-f': { read: 0.5, 'read-modify-write': 0.5 },
    })
  )) {
    it(`${name}: the mix of operations`, () => {
      const drawn = draw(name, 20_000).map(({ kind }) => kind);
      const kinds = Object.keys(expected);
      assert.deepEqual(named(name).kinds, kinds);
      assert.ok(
        pValue(
          kinds.map((kind) => drawn.filter((one) => one === kind).length),
          kinds.map((kind) => expected[kind]),
        ) > MIN,
      );
    });
  }
  it('ycsb-c: reads only', () =>
    assert.deepEqual(new Set(draw('ycsb-c', 1000).map(({ kind }) => kind)), new Set(['read'])));

  it('a record of YCSB: 10 fields of 100 bytes, a hashed key', () => {
    const record = named('ycsb-a').document(0, source());
    assert.deepEqual(Object.keys(record), [
      '_id',
      ...Array.from({ length: 10 }, (_, i) => `field${i}`),
    ]);
    assert.equal(record._id, 'user6284781860667377211');
    assert.equal(/** @type {Uint8Array} */ (record.field9).length, 100);
  });

  it('YCSB reads all of a record, updates one of its fields, each as often', () => {
    const commands = draw('ycsb-a', 20_000).flatMap(({ commands: all }) => all);
    const read = commands.find((command) => 'find' in command);
    assert.deepEqual(
      { ...read, filter: null },
      { find: 'usertable', filter: null, limit: 1, singleBatch: true },
    );
    const fields = commands
      .filter((command) => 'update' in command)
      .map(({ updates }) => Object.keys(/** @type {any} */ (updates)[0].u.$set));
    assert.ok(fields.every((names) => names.length === 1));
    const seen = Array.from(
      { length: 10 },
      (_, i) => fields.filter(([name]) => name === `field${i}`).length,
    );
    assert.ok(
      pValue(
        seen,
        seen.map(() => 0.1),
      ) > MIN,
    );
  });

  it('ycsb-f reads and writes the same record', () => {
    for (const { kind, commands } of draw('ycsb-f', 500)) {
      assert.equal(commands.length, kind === 'read' ? 1 : 2);
      assert.ok(commands.every((command) => idOf(command) === idOf(commands[0])));
    }
  });

  it('ycsb-e scans 1 to 100 records, each as often, in one reply', () => {
    const lengths = draw('ycsb-e', 40_000).flatMap(({ kind, commands }) =>
      kind === 'scan' ? [Number(commands[0].limit)] : [],
    );
    const seen = Array.from(
      { length: 100 },
      (_, i) => lengths.filter((length) => length === i + 1).length,
    );
    assert.ok(
      pValue(
        seen,
        seen.map(() => 0.01),
      ) > MIN,
    );
    assert.equal(
      /** @type {any} */ (draw('ycsb-e', 1, { random: () => 0 })[0].commands[0]).batchSize,
      101,
    );
  });

  it('new records are numbered on without a gap, and no two workers insert the same', () => {
    const ids = [0, 1, 2].flatMap((worker) =>
      draw('ycsb-d', 2000, { worker, workers: 3, random: seeded(worker + 1) }).flatMap(
        ({ kind, commands }) => (kind === 'insert' ? [idOf(commands[0])] : []),
      ),
    );
    assert.equal(new Set(ids).size, ids.length);
    const first = draw('ycsb-d', 2000, { insertFrom: 5000 }).find(({ kind }) => kind === 'insert');
    assert.equal(idOf(first?.commands[0]), `user${fnvText(5000)}`);
  });

  it('ycsb-d reads what there is, the latest most often', () => {
    const known = new Set(Array.from({ length: 1000 }, (_, i) => `user${fnvText(i)}`));
    let latest = `user${fnvText(999)}`;
    let hits = 0;
    let reads = 0;
    for (const {
      kind,
      commands: [command],
    } of draw('ycsb-d', 20_000)) {
      if (kind === 'insert') known.add((latest = idOf(command)));
      else {
        assert.ok(known.has(idOf(command)));
        reads += 1;
        hits += idOf(command) === latest ? 1 : 0;
      }
    }
    // 1 / zeta of 1000 to 2000 items.
    assert.ok(hits / reads > 0.11 && hits / reads < 0.14, String(hits / reads));
  });

  it('ycsb-d leaves out what may not be in yet', () => {
    const known = /** @type {string[]} */ ([]);
    for (const {
      kind,
      commands: [command],
    } of draw('ycsb-d', 5000, { lanes: 4 })) {
      if (kind === 'insert') known.push(idOf(command));
      else assert.ok(!known.slice(-4).includes(idOf(command)));
    }
    assert.ok(known.length > 100);
  });

  it('iibench inserts batches with numbers of their own, and keeps as many indexes as asked', () => {
    const workload = named('iibench');
    assert.deepEqual(workload.indexes({ ...SETTINGS, indexes: 1 }), [{ price: 1, customerid: 1 }]);
    assert.equal(workload.indexes(SETTINGS).length, 3);
    const ids = [0, 1].flatMap((worker) =>
      draw('iibench', 20, { worker, workers: 2, insertFrom: 0 }).flatMap(({ commands }) =>
        /** @type {any} */ (commands[0].documents).map(idOfDocument),
      ),
    );
    assert.deepEqual(
      ids.sort((a, b) => a - b),
      Array.from({ length: 4000 }, (_, i) => i),
    );
    const record = /** @type {any} */ (workload.document(7, source()));
    assert.deepEqual(Object.keys(record), [
      '_id',
      'dateandtime',
      'cashregisterid',
      'customerid',
      'productid',
      'price',
    ]);
    assert.ok(
      record.price >= record.customerid / 100 && record.price < (record.customerid + 500) / 100,
    );
  });

  it('iibench queries in turn by each of its indexes, as often as asked', () => {
    const drawn = draw('iibench', 4000, {
      settings: { ...SETTINGS, queries: 0.25 },
      insertFrom: 5000,
    });
    const queries = drawn
      .filter(({ kind }) => kind === 'query')
      .map(({ commands }) => /** @type {any} */ (commands[0]));
    assert.ok(pValue([queries.length, 4000 - queries.length], [0.25, 0.75]) > MIN);
    assert.deepEqual(
      queries.slice(0, 3).map(({ projection }) => Object.keys(projection).join()),
      [
        'price,dateandtime,customerid,_id',
        'price,customerid,_id',
        'cashregisterid,price,customerid,_id',
      ],
    );
    assert.deepEqual(
      queries.slice(0, 3).map(({ filter }) => filter.$or.length),
      [3, 2, 3],
    );
    assert.ok(queries.every(({ limit }) => limit === 10));
  });

  it('a transaction of sysbench: its 18 commands, on records that exist', () => {
    const names = draw('sysbench', 1)[0].commands.map((command) => Object.keys(command)[0]);
    assert.deepEqual(names, [
      ...Array(11).fill('find'),
      'aggregate',
      'find',
      'distinct',
      'update',
      'update',
      'delete',
      'insert',
    ]);
    const ids = draw('sysbench', 3000).flatMap(({ commands }) => commands.slice(0, 10).map(idOf));
    const seen = Array.from(
      { length: 10 },
      (_, i) => ids.filter((id) => Math.floor((id - 1) / 100) === i).length,
    );
    assert.equal(
      seen.reduce((a, b) => a + b),
      ids.length,
    );
    assert.ok(
      pValue(
        seen,
        seen.map(() => 0.1),
      ) > MIN,
    );
  });

  it('a document of sysbench: c of 119 characters, pad of 59', () => {
    const { _id, c, pad } = /** @type {any} */ (named('sysbench').document(0, source()));
    assert.deepEqual([_id, c.length, pad.length], [1, 119, 59]);
    const { commands } = draw('sysbench', 1)[0];
    assert.equal(/** @type {any} */ (commands[16]).deletes[0].q._id, idOf(commands[17]));
  });
});

/** @param {any} document */
const idOfDocument = ({ _id }) => _id;
