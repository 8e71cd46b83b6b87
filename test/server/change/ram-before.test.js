'use strict';

const assert = require('node:assert/strict');
const os = require('node:os');
const { run: apply } = require('../../../lib/commands/apply');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { startReplicaSet } = require('../../support/server');
const { typeWords } = require('../../support/printed-calls');

const GB = 2 ** 30;
/** More than 80% of the RAM. */
const AT_START_GB = Math.floor((os.totalmem() / GB) * 0.88);
const CHANGE = Object.freeze({ cacheSizeGB: 1 });

describe('members that were started with more cache than is safe', function () {
  this.timeout(120_000);
  /** @type {any} */ let set;
  /** @type {any} */ let client;
  /** @type {any} */ let home;
  const context = () => contextOf(client, { home: home.path });
  before(async () => {
    set = await startReplicaSet({
      members: [{}, { priority: 0 }, { priority: 0 }],
      cacheSizeGB: AT_START_GB,
    });
    client = await set.connect(set.uriOf(set.hosts[0]));
    home = temporaryFolder('home');
  });
  after(async () => {
    await set?.stop();
    home?.remove();
  });

  const caches = () =>
    Promise.all(
      set.hosts.map(async (/** @type {string} */ host) => {
        const own = await set.connect(set.uriOf(host));
        const { wiredTiger } = await own.db('admin').command({ serverStatus: 1 });
        return wiredTiger.cache['maximum bytes configured'] / GB;
      }),
    );
  const ALL_AT_START = [AT_START_GB, AT_START_GB, AT_START_GB];

  it('get it back where a member refuses the change', async () => {
    const ctx = context();
    const { connect } = ctx;
    let sets = 0;
    const refuseSecond = (/** @type {any} */ spec) => {
      if (spec.setParameter === undefined || ++sets !== 2) return;
      const failure = { code: 13, codeName: 'Unauthorized', name: 'MongoServerError' };
      throw Object.assign(new Error('not authorized'), failure);
    };
    ctx.connect = async (/** @type {any} */ host) => {
      const member = await connect(host);
      const { adminCommand, command } = member.port;
      return {
        ...member,
        port: {
          ...member.port,
          command: async (db, spec, options) => {
            refuseSecond(spec);
            return command(db, spec, options);
          },
          adminCommand: async (spec) => {
            refuseSecond(spec);
            return adminCommand(spec);
          },
        },
      };
    };
    await assert.rejects(apply(ctx, CHANGE, { members: 'all', confirm: true }), {
      code: 'TUNE-20005',
    });
    assert.deepEqual(await caches(), ALL_AT_START);
  });

  it('get it back by what is printed, of one and of all', async () => {
    for (const options of [{}, { members: 'all' }]) {
      const { undo } = await apply(context(), CHANGE, { ...options, confirm: true });
      assert.match(String(undo), /force: true/);
      assert.equal(await typeWords(context(), String(undo)), 1);
      assert.deepEqual(await caches(), ALL_AT_START);
    }
  });
});
