'use strict';

const assert = require('node:assert/strict');
const { isShardMember } = require('../../../../lib/split/survey/shard-member');

/** @param {string | undefined} clusterRole as the server was started with */
const startedAs = (clusterRole) => ({
  command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
    if (spec.getCmdLineOpts) return { parsed: clusterRole ? { sharding: { clusterRole } } : {} };
    throw new Error('not asked for');
  },
});

describe('split/survey/shard-member', () => {
  // Since 8.0 a config server may be a shard, too.
  for (const [role, expected] of [
    ['shardsvr', true],
    ['configsvr', true],
    [undefined, false],
  ])
    it(`a server that was started ${role ? `as ${role}` : 'without a role'}`, async () =>
      assert.equal(
        await isShardMember(/** @type {any} */ (startedAs(/** @type {any} */ (role)))),
        expected,
      ));
});
