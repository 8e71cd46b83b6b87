'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { loaded, stored } = require('../../../lib/split/stored');
const { makeIndexes, NEVER_SECONDS } = require('../../../lib/split/ttl');

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
    assert.ok(loaded(written).indexes[0].partialFilter.$or[0].at.$lt instanceof Date);
  });

  it('so with documents of another context, such as that of a shell', () => {
    const made = vm.runInNewContext('({ a: { $b: [{ $c: 1 }] } })');
    assert.deepEqual(Object.keys(stored({ ...split, options: made }).options.a), ['\uFF04b']);
  });

  it('an index whose time is too long for them is made with one they take, and changed at once', async () => {
    const sent = [];
    const port = {
      adminCommand: async () => ({ localTime: new Date(1_800_000_000_000) }),
      command: async (_db, command) => {
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
  });
});
