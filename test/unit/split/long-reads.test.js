'use strict';

const assert = require('node:assert/strict');
const { digests } = require('../../../lib/split/digest');

/** Longer than a limit that a cluster has for applications, such as 5 s. */
const HOUR_MS = 3_600_000;

describe('split: reads under defaultMaxTimeMS of a cluster (8.0+; made after its documentation)', () => {
  it('a comparison names a limit of its own, which counts before that of the cluster', async () => {
    /** @type {any[]} */ const sent = [];
    const job = /** @type {any} */ ({
      again: (/** @type {() => any} */ read) => read(),
      port: {
        aggregate: (/** @type {any[]} */ ...call) => {
          sent.push(call[3]);
          return { tryNext: async () => null, close: async () => {} };
        },
      },
    });
    await digests(job, { source: ['a', 'b'], target: ['c', 'd'] }, {});
    assert.equal(sent.length, 2);
    for (const { maxTimeMS } of sent) assert.ok(maxTimeMS > HOUR_MS);
  });
});
