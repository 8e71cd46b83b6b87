'use strict';

const assert = require('node:assert/strict');
const { splitPlan } = require('../../../lib/commands/split-plan');
const { contextOf } = require('../../support/context');

describe('commands/split-plan', () => {
  it('a mongos: what there is instead, and nothing is measured', async () => {
    /** @type {string[]} */ const asked = [];
    const command = async (/** @type {any} */ spec) => { asked.push(Object.keys(spec)[0]); return { isWritablePrimary: true, msg: 'isdbgrid', ok: 1 }; };
    const ctx = { ...contextOf(null), port: { adminCommand: command, command: async (/** @type {string} */ _db, /** @type {any} */ spec) => command(spec) } };
    await assert.rejects(splitPlan(/** @type {any} */ (ctx), { from: 'app' }), (error) => error.code === 'TUNE-20003' && /moveCollection \(8\.0/.test(error.message) && /not sharded and both databases have the same primary shard; what is written meanwhile is lost/.test(error.message));
    assert.deepEqual(asked.filter((name) => !/^(hello|buildInfo)$/i.test(name)), []);
  });
});
