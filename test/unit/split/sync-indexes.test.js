'use strict';

const assert = require('node:assert/strict');
const { sameIndexes } = require('../../../lib/split/sync-indexes');
const { DIRECTION, UUID, workOf } = require('./kit');

const MANY = 60;

describe('split/sync-indexes', () => {
  it('an index that never lists the same is not built without end', async () => {
    let builds = 0;
    const job = workOf(
      {
        command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
          if (spec.listCollections)
            return { cursor: { firstBatch: [{ type: 'collection', info: { uuid: UUID } }] } };
          if (spec.listIndexes)
            return {
              cursor: {
                firstBatch: [
                  {
                    name: 'odd',
                    key: { a: 1 },
                    ...(spec.listIndexes === DIRECTION.from.name && { now: builds }),
                  },
                ],
              },
            };
          if (spec.createIndexes) builds += 1;
          if (builds > MANY) throw new Error('without end');
          return { ok: 1 };
        },
      },
      { say() {} },
    );
    await assert.rejects(
      sameIndexes(job, /** @type {any} */ (DIRECTION), async () => {}),
      { code: 'TUNE-35009', value: ['odd'] },
    );
  });
});
