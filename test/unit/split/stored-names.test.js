'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { loaded, stored } = require('../../../lib/split/stored-names');
const { readTtl, makeIndexes, NEVER_SECONDS } = require('../../../lib/split/ttl');

/** What servers before 5.0 refuse, and what is done for them. */
describe('split: what old servers refuse', () => {
  const filter = { unique: { $exists: true }, $or: [{ at: { $lt: new Date(0) } }] };
  const split = { _id: 'x', options: { validator: filter }, indexes: [{ partialFilter: filter }] };

  it('no field that is stored begins with a dollar, and what is read is as it was', () => {
    const written = stored(split);
    const names = new Set();
    JSON.stringify(written, (name, value) => {
      names.add(name);
      return value;
    });
    assert.deepEqual(
      [...names].filter((name) => name.startsWith('$')),
      [],
    );
    assert.deepEqual(loaded(written), split);
    const other = {
      options: { '\uFF04a': 1, '\uFF04\uFF04a': 2, $a: 3, '$\uFF04a': 4 },
      indexes: [],
    };
    assert.deepEqual(loaded(stored(other)), other);
    assert.ok(loaded(written).indexes[0].partialFilter.$or[0].at.$lt instanceof Date);
  });

  it('so with documents of another context, such as that of a shell', () => {
    const made = vm.runInNewContext('({ a: { $b: [{ $c: 1 }] } })');
    assert.deepEqual(Object.keys(stored({ ...split, options: made }).options.a), ['\uFF04$b']);
  });

  it('an index whose time is too long for them is made with one they take, and changed at once', async () => {
    const sent = [];
    let there = [{ name: '_id_' }];
    const port = {
      adminCommand: async () => ({ localTime: new Date(1_800_000_000_000) }),
      command: async (_db, command) => {
        if (command.listIndexes) return { cursor: { firstBatch: there } };
        sent.push(command);
        const isLong = command.indexes?.some(
          ({ expireAfterSeconds }) => expireAfterSeconds > 1_800_000_000,
        );
        if (isLong) throw Object.assign(new Error('within an acceptable range'), { code: 67 });
        return { ok: 1 };
      },
    };
    const ttl = { name: 'at_1', key: { at: 1 }, expireAfterSeconds: 5 };
    const plain = { name: 'a_1', key: { a: 1 } };
    await makeIndexes(port, { db: 'app', name: 'c' }, [ttl, plain]);
    const [, made, changed] = sent;
    assert.deepEqual(
      made.indexes.map(({ expireAfterSeconds }) => expireAfterSeconds),
      [1_799_996_400, undefined],
    );
    assert.deepEqual(
      [changed.collMod, changed.index],
      ['c', { name: 'at_1', expireAfterSeconds: NEVER_SECONDS }],
    );
    assert.equal(sent.length, 3);
    there = [{ name: 'at_1', expireAfterSeconds: 1_700_000_000 }];
    await makeIndexes(port, { db: 'app', name: 'c' }, [ttl, plain]);
    assert.deepEqual(sent[4].indexes[0].expireAfterSeconds, 1_700_000_000);
    there = [{ name: 'at_1', expireAfterSeconds: NEVER_SECONDS }];
    await makeIndexes(port, { db: 'app', name: 'c' }, [ttl, plain]);
    assert.deepEqual(
      sent.slice(6).map((one) => one.indexes?.map((index) => index.name)),
      [['at_1', 'a_1'], ['a_1']],
    );
  });

  it('a time of expiry that is no number, by which nothing expires, is not made 0', async () => {
    const firstBatch = [{ name: '_id_' }, { name: 'at_1', expireAfterSeconds: NaN }];
    const port = { command: async () => ({ cursor: { firstBatch } }) };
    assert.deepEqual(await readTtl(port, { db: 'app', name: 'c' }), [
      { name: 'at_1', expireAfterSeconds: 2_147_483_647 },
    ]);
  });
});
