'use strict';

const assert = require('node:assert/strict');
const { Int32, Long, Double, ObjectId } = require('bson');
const { checkChange, checkForm, plainChange } = require('../../../lib/config/change');

const TEN_TB = 10 * 2 ** 40;
/** @param {unknown} change @param {string | null} [version] */
const check = (change, version = '6.0.5') => checkChange(change, version);
/** @param {unknown} change @param {string | null} [version] */
const codeOf = (change, version = '6.0.5') => {
  try {
    checkChange(change, version);
    return 'ok';
  } catch (error) {
    return error.code;
  }
};

describe('config/change', () => {
  it('a good change comes back as it is', () =>
    assert.deepEqual(check({ cacheSizeGB: 4, evictionThreadsMin: 4, evictionDirtyTarget: 5 }), {
      cacheSizeGB: 4,
      evictionThreadsMin: 4,
      evictionDirtyTarget: 5,
    }));
  it('cache sizes are cut to whole megabytes', () =>
    assert.equal(check({ cacheSizeGB: 0.3 }).cacheSizeGB, 307 / 1024));
  it('the numbers of the shell are numbers', () => {
    const typed = {
      evictionThreadsMax: new Int32(8),
      evictionTarget: Long.fromNumber(75),
      cacheSizeGB: new Double(1.5),
      evictionDirtyTarget: { $numberLong: '6' },
    };
    assert.deepEqual(check(typed), {
      evictionThreadsMax: 8,
      evictionTarget: 75,
      cacheSizeGB: 1.5,
      evictionDirtyTarget: 6,
    });
    assert.deepEqual(plainChange(typed), check(typed));
    for (const value of [
      new Double(75.5),
      new Double(NaN),
      new ObjectId(),
      new Date(80),
      [80],
      {},
      true,
      80n,
    ])
      assert.equal(codeOf({ evictionTarget: value }), 'TUNE-10002', String(value));
    assert.equal(codeOf({ evictionThreadsMax: Long.fromNumber(21) }), 'TUNE-30001');
    assert.deepEqual([plainChange(null), plainChange(7), plainChange([1])], [null, 7, [1]]);
  });
  it('-0 is 0', () =>
    assert.deepEqual(check({ evictionCheckpointTarget: -0 }), { evictionCheckpointTarget: 0 }));
  it('undefined sets nothing', () =>
    assert.deepEqual(check({ cacheSizeGB: 1, evictionTarget: undefined }), { cacheSizeGB: 1 }));

  for (const [change, code] of /** @type {[unknown, string][]} */ ([
    [{}, 'TUNE-30008'],
    [{ evictionTarget: undefined }, 'TUNE-30008'],
    [null, 'TUNE-10002'],
    ['cache', 'TUNE-10002'],
    [[1], 'TUNE-10002'],
    [7, 'TUNE-10002'],
    [{ foo: 1 }, 'TUNE-10003'],
    [{ toString: 1 }, 'TUNE-10003'],
    [{ evictionTarget: '80' }, 'TUNE-10002'],
    [{ evictionTarget: null }, 'TUNE-10002'],
    [{ evictionTarget: NaN }, 'TUNE-10002'],
    [{ evictionTarget: Infinity }, 'TUNE-10002'],
    [{ evictionTarget: 80.5 }, 'TUNE-10002'],
    [{ evictionThreadsMax: 4.5 }, 'TUNE-10002'],
  ])) {
    it(`${JSON.stringify(change)} → ${code}`, () => assert.equal(codeOf(change), code));
  }

  for (const [setting, min, max] of /** @type {[string, number, number][]} */ ([
    ['evictionThreadsMin', 1, 20],
    ['evictionThreadsMax', 1, 20],
    ['evictionTarget', 10, TEN_TB],
    ['evictionTrigger', 10, TEN_TB],
    ['evictionDirtyTarget', 1, TEN_TB],
    ['evictionUpdatesTarget', 0, TEN_TB],
    ['evictionCheckpointTarget', 0, TEN_TB],
    ['syncdelaySeconds', 1, 9_000_000],
  ])) {
    it(`${setting} goes from ${min} to ${max}`, () => {
      assert.deepEqual(
        [min - 1, min, max, max + 1].map((value) => codeOf({ [setting]: value })),
        ['TUNE-30001', 'ok', 'ok', 'TUNE-30001'],
      );
    });
  }
  it('cacheSizeGB goes from 1 MB to 10 TB', () =>
    assert.deepEqual(
      [0.0009, 1 / 1024, 10240, 10240.1].map((value) => codeOf({ cacheSizeGB: value })),
      ['TUNE-30001', 'ok', 'ok', 'TUNE-30001'],
    ));
  it('100 is percent, a number of bytes begins at a megabyte', () =>
    assert.deepEqual(
      [100, 101, 2 ** 20 - 1, 2 ** 20].map((value) => codeOf({ evictionDirtyTrigger: value })),
      ['ok', 'TUNE-30001', 'TUNE-30001', 'ok'],
    ));
  it('the exact releases with WT-15039 take up to 64 threads (changelogs of 8.0.24 and 8.2.6)', () => {
    const releases = ['7.0.99', '8.0.23', '8.0.24', '8.1.9', '8.2.0', '8.2.5', '8.2.6', '8.3.0'];
    assert.deepEqual(
      releases.map((version) => codeOf({ evictionThreadsMax: 21 }, version)),
      ['TUNE-30001', 'TUNE-30001', 'ok', 'TUNE-30001', 'TUNE-30001', 'TUNE-30001', 'ok', 'ok'],
    );
    assert.equal(codeOf({ evictionThreadsMax: 64 }, '9.0.0'), 'ok');
    assert.equal(codeOf({ evictionThreadsMax: 65 }, '9.0.0'), 'TUNE-30001');
    assert.equal(codeOf({ evictionThreadsMax: 21 }, null), 'TUNE-30001');
    assert.deepEqual(checkForm({ evictionThreadsMax: 64 }), { evictionThreadsMax: 64 });
    assert.throws(() => checkForm({ evictionThreadsMax: 65 }), { code: 'TUNE-30001' });
  });

  it('errors carry the value and what is allowed, and name what is near', () => {
    assert.throws(
      () => check({ evictionThreadMax: 8 }),
      (error) =>
        /did you mean evictionThreadsMax/.test(error.message) &&
        error.value === 'evictionThreadMax' &&
        error.allowed.includes('evictionThreadsMax'),
    );
    assert.throws(
      () => check({ evictionThreadsMax: 21 }),
      (error) =>
        /evictionThreadsMax 21 is out of range: 1 to 20/.test(error.message) &&
        error.value === 21 &&
        error.allowed.max === 20,
    );
    assert.throws(() => check({ syncdelaySeconds: 0 }), /1 to 9000000 seconds/);
    assert.throws(() => check({ cacheSizeGB: 'big' }), /1\/1024 to 10240 GB/);
  });
});
