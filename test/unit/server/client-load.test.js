'use strict';

const assert = require('node:assert/strict');
const { writesIn, seeWrites, writesPerSec } = require('../../../lib/server/client-load');

const status = (/** @type {any} */ more = {}) => ({
  host: 'h',
  pid: 7,
  uptimeMillis: 10_000,
  opLatencies: { writes: { ops: 100 } },
  ...more,
});

describe('how often clients write', () => {
  it('between two looks at one server', () => {
    const before = writesIn(status());
    assert.equal(
      writesPerSec(
        before,
        writesIn(status({ uptimeMillis: 12_000, opLatencies: { writes: { ops: 500 } } })),
      ),
      200,
    );
    assert.equal(writesPerSec(before, writesIn(status({ uptimeMillis: 12_000 }))), 0);
  });
  it('not known: not reported, another server, begun anew, no time between', () => {
    const before = writesIn(status());
    for (const after of [
      status({ opLatencies: undefined, uptimeMillis: 12_000 }),
      status({ uptimeMillis: undefined }),
      status({ pid: 8, uptimeMillis: 12_000 }),
      status({ uptimeMillis: 9_000 }),
      status({ uptimeMillis: 12_000, opLatencies: { writes: { ops: 99 } } }),
      status(),
    ]) {
      assert.equal(writesPerSec(before, writesIn(after)), null, JSON.stringify(after));
    }
    assert.equal(writesPerSec(null, before), null);
  });
  it('a user who may not see it is no reason to stop', async () => {
    assert.equal(
      await seeWrites(
        /** @type {any} */ ({
          port: {
            adminCommand: async () => {
              throw new Error('not authorized');
            },
          },
        }),
      ),
      null,
    );
    assert.deepEqual(
      await seeWrites(/** @type {any} */ ({ port: { adminCommand: async () => status() } })),
      { server: 'h 7', writes: 100, uptimeMs: 10_000 },
    );
  });
});
