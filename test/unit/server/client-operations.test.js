'use strict';

const assert = require('node:assert/strict');
const { Long } = require('bson');
const { clientOperationsIn, allOf } = require('../../../lib/server/pure/client-operations');

const status = {
  host: 'h:1',
  pid: Long.fromNumber(7),
  uptimeMillis: Long.fromNumber(9000),
  opLatencies: {
    reads: { ops: Long.fromNumber(3), latency: Long.fromNumber(30) },
    writes: { ops: 4, latency: 80 },
  },
};

describe('server/pure/client-operations', () => {
  it('what a server has done, and which one it is', () => {
    assert.deepEqual(clientOperationsIn(status), {
      server: 'h:1 7',
      uptimeMs: 9000,
      reads: { ops: 3, latencyUs: 30 },
      writes: { ops: 4, latencyUs: 80 },
    });
    assert.equal(allOf(clientOperationsIn(status)), 7);
  });
  it('what it does not report is not known, and no nothing', () => {
    const unknown = { ops: null, latencyUs: null };
    assert.deepEqual(clientOperationsIn({ host: 'h:1', pid: 7 }), {
      server: 'h:1 7',
      uptimeMs: null,
      reads: unknown,
      writes: unknown,
    });
    for (const opLatencies of [undefined, {}, { reads: { ops: 3 } }, { writes: { ops: 3 } }])
      assert.equal(allOf(clientOperationsIn({ ...status, opLatencies })), null);
    assert.equal(
      allOf(clientOperationsIn({ opLatencies: { reads: { ops: 0 }, writes: { ops: 0 } } })),
      0,
    );
  });
});
