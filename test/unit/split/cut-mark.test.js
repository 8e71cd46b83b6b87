'use strict';

const assert = require('node:assert/strict');
const { Timestamp } = require('mongodb');
const { readBehindMark } = require('../../../lib/split/cut-mark');
const { isPassing } = require('../../../lib/split/retry');

const at = (/** @type {number} */ t) => new Timestamp({ t, i: 0 });
const write = (/** @type {number} */ t, coll = 'orders__aside') => ({
  isDocument: true,
  operationType: 'insert',
  ns: { coll },
  clusterTime: at(t),
});
const MARK = {
  operationType: 'rename',
  ns: { coll: 'orders' },
  to: { coll: 'orders__aside' },
  clusterTime: at(4),
};

describe('split: behind the mark of a cut', () => {
  /**
   * @param {any[]} events null: none for the moment
   * @param {(string | null)[]} elections of the primary that is asked, null: it does not know the time
   * @param {unknown[]} [tokens] of the stream at each of them
   */
  async function read(events, elections, tokens = /** @type {unknown[]} */ ([])) {
    const taken = /** @type {any[]} */ ([]);
    const [left, asked] = [[...events], [...elections]];
    await readBehindMark(
      {
        next: async () => ({ event: left.shift() ?? null, token: tokens.shift() }),
        majorityAt: async () => asked.shift() ?? null,
        take: (event) => taken.push(event),
      },
      /** @type {any} */ ({
        from: { db: 'shop', name: 'orders', renamedTo: 'orders__aside' },
        cutBy: at(5),
        id: 'x',
      }),
    );
    return { taken, left: left.length, asked: elections.length - asked.length };
  }

  it('takes what was written to the source under that name, until the time of the cut', async () => {
    const { taken, left } = await read(
      [write(2), write(3, 'orders'), write(5), write(6), write(7)],
      [],
    );
    assert.deepEqual(taken, [write(2), write(5)]);
    assert.equal(left, 1);
  });

  it('another mark is a source that another session renamed', () =>
    assert.rejects(read([write(2), MARK], []), { code: 'TUNE-35005' }));

  it('a rename back to its own name undid the cut', () =>
    assert.rejects(read([{ ...MARK, ns: { coll: 'orders__aside' }, to: { coll: 'orders' } }], []), {
      code: 'TUNE-35005',
    }));

  const rename = (
    /** @type {number} */ t,
    /** @type {string} */ name,
    /** @type {string} */ to,
  ) => ({ operationType: 'rename', ns: { coll: name }, to: { coll: to }, clusterTime: at(t) });

  it('away from its own name is another collection, unless it left that of the cut', async () => {
    const [strays, away] = [rename(3, 'orders', 'strays'), rename(2, 'orders__aside', 'third')];
    assert.equal((await read([strays, null, null], ['e1', 'e1'])).left, 0);
    assert.equal((await read([away, null, null], ['e1', 'e1'])).left, 0);
    await assert.rejects(read([away, strays], []), { code: 'TUNE-35005' });
  });

  it('ends with none, where a primary that knew the time before is the same after it', async () => {
    assert.deepEqual(await read([null, null], ['e1', 'e1']), { taken: [], left: 0, asked: 2 });
  });

  it('… not where another one was elected meanwhile, or the new one does not know the time', async () => {
    const { taken, asked } = await read(
      [null, null, null, write(3), null],
      ['e1', 'e2', null, 'e2', 'e2'],
    );
    assert.deepEqual(taken, [write(3)]);
    assert.equal(asked, 5);
  });

  it('a stream of a member that is behind has not shown all yet', async () => {
    const token = (/** @type {number} */ t) => ({ _data: `82${`${t}`.padStart(8, '0')}00000000` });
    const { taken, left } = await read(
      [null, null, null, write(5), null, write(5)],
      ['e1', 'e1', 'e1', 'e1'],
      [token(4), token(4), token(4), token(5), token(5)],
    );
    assert.deepEqual([taken, left], [[write(5)], 1]);
  });

  it('… and is opened again where it does not come further', async () => {
    let now = 0;
    const { performance } = globalThis;
    const step = { now: () => (now += 1000) };
    Object.defineProperty(globalThis, 'performance', {
      value: step,
      configurable: true,
      writable: true,
    });
    try {
      const tokens = Array.from({ length: 30 }, () => ({ _data: '820000000400000000' }));
      const error = await read([], Array(30).fill('e1'), tokens).then(
        assert.fail,
        (failed) => failed,
      );
      assert.ok(isPassing(error), error);
    } finally {
      Object.defineProperty(globalThis, 'performance', {
        value: performance,
        configurable: true,
        writable: true,
      });
    }
  });
});
