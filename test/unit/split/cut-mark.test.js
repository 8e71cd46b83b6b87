'use strict';

const assert = require('node:assert/strict');
const { Timestamp } = require('mongodb');
const { readBehindMark } = require('../../../lib/split/cut-mark');

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
   */
  async function read(events, elections) {
    const taken = /** @type {any[]} */ ([]);
    const [left, asked] = [[...events], [...elections]];
    await readBehindMark(
      {
        next: async () => ({ event: left.shift() ?? null }),
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

  it('a rename away from that name undid the cut, whatever the name after it', () =>
    assert.rejects(
      read([{ ...MARK, ns: { coll: 'orders__aside' }, to: { coll: 'elsewhere' } }], []),
      { code: 'TUNE-35005' },
    ));

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
});
