'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { aroundCall } = require('../../support/around-command');
const { run: apply } = require('../../../lib/commands/apply');
const { run: history } = require('../../../lib/commands/history');

const BOTH = Object.freeze({ evictionTarget: 75, evictionThreadsMax: 8 });

describe('a member that ends during a change', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(set.client, { home: home.path });
  const restart = async () => {
    await set.kill(set.hosts[0]);
    await set.revive(set.hosts[0]);
  };
  /** @param {() => Promise<unknown>} after the first call @returns {Promise<any>} */
  const failure = (after) =>
    apply(aroundCall(context(), { after }), BOTH, { confirm: true }).then(
      () => assert.fail('it was made'),
      (error) => error,
    );
  before(async () => {
    set = await startReplicaSet({ members: 1 });
  });
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home?.remove());
  after(() => set?.stop());

  const lost = () =>
    Promise.reject(Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' }));
  for (const [what, after, code, outcome] of /** @type {const} */ ([
    ['between two calls', restart, 'TUNE-20010', 'ended-by-restart'],
    ['before a call is answered', () => restart().then(lost), 'TUNE-20006', 'interrupted'],
  ]))
    it(`it is restarted ${what}: nothing is active, and nothing can be undone`, async () => {
      const error = await failure(after);
      assert.deepEqual([error.code, error.sent, error.undo], [code, {}, null]);
      assert.match(error.message, /A restart reverted: \{ evictionTarget: 75 \}\.$/);
      await set.primary();
      const [entry] = await history(context());
      assert.deepEqual([entry.outcome, entry.undo], [outcome, null]);
    });

  it('it stays away: what was set is not said to be active', async () => {
    const error = await failure(() => set.kill(set.hosts[0]));
    await set.revive(set.hosts[0]);
    assert.deepEqual([error.code, error.sent], ['TUNE-20006', { evictionTarget: 75 }]);
    assert.match(error.message, /Set before the connection was lost: \{ evictionTarget: 75 \}\./);
    assert.doesNotMatch(error.message, /Active of this change/);
  });
});
