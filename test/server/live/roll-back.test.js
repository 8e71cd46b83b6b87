'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { setExternally, askedStrings } = require('../../support/engine');
const { beforeCall } = require('../../support/beside');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

/**
 * @import { Server } from '../../support/server'
 */

const DO = Object.freeze({ confirm: true });
const AT_START =
  'cache_size=512M,eviction_target=80,eviction_trigger=95,eviction_checkpoint_target=1';
/**
 * The second group is refused, because another session has meanwhile made the cache smaller than
 * that.
 */
const CHANGE = Object.freeze({ evictionTarget: 70, evictionCheckpointTarget: 400 * 2 ** 20 });
const onCall = (/** @type {RegExp} */ text) => (/** @type {any} */ command) =>
  Boolean(command.setParameter) && text.test(command.wiredTigerEngineRuntimeConfig);

describe('a later group is refused', () => {
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = (more = {}) => contextOf(server.client, { home: home.path, ...more });
  const refusing = () =>
    beforeCall(context(), onCall(/checkpoint_target/), () =>
      setExternally(server, 'cache_size=300M'),
    );
  const effective = async () => {
    const { evictionTarget, evictionCheckpointTarget } = await config(context());
    return [evictionTarget.value, evictionCheckpointTarget.set];
  };
  before(async () => {
    server = await startServer({ cacheSizeGB: 0.5 });
  });
  after(() => server?.stop());
  beforeEach(async () => {
    home = temporaryFolder('home');
    await setExternally(server, AT_START);
  });
  afterEach(() => home?.remove());

  it('the earlier ones are rolled back and read back, and the error and the journal say it', async () => {
    const asked = (await askedStrings(server)).length;
    await assert.rejects(
      apply(refusing(), CHANGE, DO),
      (error) =>
        error.code === 'TUNE-20008' &&
        JSON.stringify(error.rolledBack) === '{"evictionTarget":80}' &&
        /The settings of the calls before it were undone: \{ evictionTarget: 80 \}\..*No setting of this change is known to be active/.test(
          error.message,
        ) &&
        error.undo === null,
    );
    assert.deepEqual(await effective(), [80, 1]);
    assert.equal((await askedStrings(server)).slice(asked).at(-1), 'eviction_target=80');
    const [entry] = await history(context());
    assert.deepEqual(
      [entry.outcome, entry.undo, entry.sent],
      ['refused', null, ['eviction_target=70', 'eviction_target=80']],
    );
    assert.match(String(entry.reason), /undone/);
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
  });

  it('also of an undo', async () => {
    const { id } = await apply(context(), { evictionTarget: 70, evictionCheckpointTarget: 2 }, DO);
    const ctx = beforeCall(context(), onCall(/checkpoint_target=1/), () =>
      Promise.reject(Object.assign(new Error('not today'), { name: 'MongoServerError', code: 2 })),
    );
    await assert.rejects(
      undo(ctx, String(id), DO),
      (error) =>
        error.code === 'TUNE-20008' && JSON.stringify(error.rolledBack) === '{"evictionTarget":70}',
    );
    assert.deepEqual(await effective(), [70, 2]);
    await undo(context(), DO);
    assert.deepEqual(await effective(), [80, 1]);
  });

  it('where that fails, it is said what stays, and undo takes it back later', async () => {
    const refusal = () =>
      Promise.reject(Object.assign(new Error('not today'), { name: 'MongoServerError', code: 2 }));
    for (const fault of [
      refusal,
      () =>
        Promise.reject(
          Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' }),
        ),
    ]) {
      const ctx = beforeCall(refusing(), onCall(/eviction_target=80/), fault);
      await assert.rejects(
        apply(ctx, CHANGE, DO),
        (error) =>
          error.code === 'TUNE-20008' &&
          error.rolledBack === null &&
          /could not be undone: .*Active of this change: \{ evictionTarget: 70 \}\..*tune\.undo\("\S+", \{ confirm: true \}\) undoes it/.test(
            error.message,
          ),
      );
      assert.equal((await effective())[0], 70);
      await undo(context(), DO);
      assert.deepEqual(await effective(), [80, 1]);
      await setExternally(server, AT_START);
    }
  });

  it('what another session has set meanwhile over the first is not overwritten by rolling back', async () => {
    const ctx = beforeCall(context(), onCall(/checkpoint_target/), () =>
      setExternally(server, 'cache_size=300M,eviction_target=75'),
    );
    await assert.rejects(
      apply(ctx, CHANGE, DO),
      (error) =>
        error.code === 'TUNE-20008' && /could not be undone: .*TUNE-30006/.test(error.message),
    );
    assert.equal((await effective())[0], 75);
  });
});
