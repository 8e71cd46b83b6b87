'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: history } = require('../../../lib/commands/history');
const { run: trial } = require('../../../lib/commands/trial');
const { beforeCall } = require('../../support/beside');
const { aroundCall } = require('../../support/around-command');
const { setExternally } = require('../../support/engine');
const { useServer } = require('../../support/one-server');
const { typeWords, valuesOf } = require('../../support/printed-calls');

const DO = Object.freeze({ confirm: true });
const TRIAL = Object.freeze({ blocks: 4, blockSeconds: 1 });
const FORCE = Object.freeze({ confirm: true, force: true });

describe('the undo and the redo that are printed', function () {
  this.timeout(120_000);
  const place = useServer({ config: 'eviction_updates_target=0,eviction_updates_trigger=0' });
  beforeEach(() => setExternally(place.server, 'cache_size=1G'));

  it('are forced where few bytes come back', async () => {
    await setExternally(
      place.server,
      'eviction_updates_target=4000000,eviction_updates_trigger=9000000',
    );
    const before = { evictionUpdatesTarget: 4_000_000, evictionUpdatesTrigger: 9_000_000 };
    const change = { evictionUpdatesTarget: 3, evictionUpdatesTrigger: 5 };
    const shown = await apply(place.context(), change);
    assert.equal(shown.undo, 'tune.undo({ confirm: true, force: true })');
    const { undo: printed } = await apply(place.context(), change, DO);
    await typeWords(place.context(), String(printed));
    const shares = await valuesOf(place.context(), before);
    assert.ok(shares.evictionUpdatesTrigger < 1, JSON.stringify(shares));
  });

  it('are forced where a cache below 256 MB comes back', async () => {
    await setExternally(place.server, 'cache_size=200M');
    const { undo: printed } = await apply(place.context(), { cacheSizeGB: 1 }, DO);
    await typeWords(place.context(), String(printed));
    const small = { cacheSizeGB: 200 / 1024 };
    assert.deepEqual(await valuesOf(place.context(), small), small);
  });

  it('are forced where a change that was ended had left a cache below 256 MB', async () => {
    await setExternally(place.server, 'cache_size=200M');
    const ctx = beforeCall(
      place.context(),
      ({ wiredTigerEngineRuntimeConfig: text }) => /threads_max=6/.test(text),
      () => Promise.reject(Object.assign(new Error('closed'), { name: 'MongoNetworkError' })),
    );
    const change = { cacheSizeGB: 1, evictionThreadsMax: 6 };
    const error = await apply(ctx, change, DO).catch((cause) => cause);
    assert.match(
      error.message,
      /tune\.undo\("\S+", \{ confirm: true, force: true \}\) undoes it\.$/,
    );
    await typeWords(place.context(), error.message);
    const small = { cacheSizeGB: 200 / 1024 };
    assert.deepEqual(await valuesOf(place.context(), small), small);
  });

  it('are forced before a trial, too', async () => {
    await setExternally(place.server, 'cache_size=200M');
    const shown = await trial(place.context(), { cacheSizeGB: 1 }, TRIAL);
    assert.equal(shown.undo, 'tune.undo({ confirm: true, force: true })');
    assert.match(String(shown), /Undo later\s+tune\.undo\(\{ confirm: true, force: true \}\)/);
  });

  it('are forced where the redo sets a cache below 256 MB', async () => {
    const change = { cacheSizeGB: 0.1875 };
    const { undo: printed } = await apply(place.context(), change, FORCE);
    assert.doesNotMatch(String(printed), /force/);
    const { undo: redo } = await undo(place.context(), DO);
    await typeWords(place.context(), String(redo));
    assert.deepEqual(await valuesOf(place.context(), change), change);
  });

  it('are forced, also by the history, where the change overwrote what another session had set', async () => {
    const ctx = aroundCall(place.context(), {
      before: () => setExternally(place.server, 'eviction_dirty_trigger=30'),
    });
    const done = await apply(ctx, { evictionDirtyTrigger: 25 }, FORCE);
    const [{ undo: printed }] = await history(place.context());
    assert.match(String(printed), /force: true/);
    assert.equal(printed, done.undo);
    await typeWords(place.context(), String(printed));
  });

  it('are none where another session had set a wrong order', async () => {
    await setExternally(place.server, 'eviction_updates_trigger=9000000');
    const done = await apply(place.context(), { evictionUpdatesTrigger: 5 }, DO);
    assert.equal(done.undo, null);
    assert.match(
      done.warnings.join('\n'),
      /No undo can restore the settings before: evictionUpdatesTarget 2\.5% is not below/,
    );
    await assert.rejects(undo(place.context(), FORCE), { code: 'TUNE-30002' });
  });
});
