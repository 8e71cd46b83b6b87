'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress, whyNotLong } = require('../../support/trial');
const { skipIf } = require('../../support/skip');
const { setExternally, lastString } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: auto } = require('../../../lib/commands/auto');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');
const { readFactsAndSettings } = require('../../../lib/observe/settings');
const { searchOne } = require('../../../lib/trial/search');
const { searchAll, whatStays } = require('../../../lib/trial/search-settings');

const LOW = 'eviction_dirty_target=1,eviction_dirty_trigger=3';
const LATER = Object.freeze({ evictionDirtyTarget: 3, evictionDirtyTrigger: 25 });
/** A load takes some seconds until it is what it will be. */
const ATTEMPTS = 6;

describe('a search for better settings', () => {
  const place = useTrialServer('touch');
  const dirty = async () => {
    const { evictionDirtyTarget: target, evictionDirtyTrigger: trigger } = await config(
      place.context(),
    );
    return [target.value, trigger.value];
  };

  /**
   * @param {any} options
   * @param {ReturnType<typeof place.context>} [ctx] once the bottleneck is seen
   */
  async function search(options, ctx = place.context()) {
    for (let attempts = 1; ; attempts += 1) {
      const found = await auto(ctx, { seconds: 4, ...options });
      if (found.ended !== 'refused' || attempts === ATTEMPTS) return found;
    }
  }

  it('without confirm it shows what it would try, the diagnosed setting first, and changes nothing', async () => {
    await setExternally(place.server, LOW);
    const shown = await search({ minutes: 5 });
    assert.deepEqual(
      [shown.bottleneck, shown.dryRun, shown.ended, shown.path, shown.change],
      ['cache-dirty', true, null, [], null],
      `${shown}`,
    );
    assert.deepEqual(shown.dimensions[0].changes[0], {
      evictionDirtyTarget: 5,
      evictionDirtyTrigger: 20,
    });
    assert.equal(shown.confirm, 'tune.auto({ seconds: 4, minutes: 5, confirm: true })');
    assert.match(String(shown), /DRY RUN: nothing was changed/);
    assert.deepEqual([await lastString(place.server), await history(place.context())], [LOW, []]);
  });

  it('Ctrl-C ends all of it, with the settings as they were', async () => {
    await setExternally(place.server, LOW);
    const stop = new AbortController();
    const ctx = onProgress(
      place.context({ signal: stop.signal }),
      /^trial 1: \{ evictionDirty.*; block \d of 2, B: \d of/,
      () => stop.abort(),
    );
    const found = await search(
      { confirm: true, settings: ['evictionDirtyTarget', 'evictionDirtyTrigger'] },
      ctx,
    );
    assert.deepEqual(
      [found.ended, found.path.length, found.change, found.undo, await dirty()],
      ['interrupted', 1, null, [], [1, 3]],
      `${found}`,
    );
    assert.deepEqual(
      (await history(place.context())).map(({ action, outcome }) => [action, outcome]),
      [['trial', 'undone']],
    );
    assert.match(String(found), /settings as before[^]*Ctrl-C ended the search\./);
  });

  it('where the time is up it says so; what is not proven does not stay', async function () {
    skipIf(this, whyNotLong());
    await setExternally(place.server, LOW);
    const found = await search({
      confirm: true,
      minutes: 1,
      settings: ['evictionDirtyTarget', 'evictionDirtyTrigger'],
    });
    assert.deepEqual(
      [found.ended, found.change, await dirty()],
      ['time', null, [1, 3]],
      `${found}`,
    );
    assert.ok(
      found.path.length >= 1 && found.path.every(({ kind, kept }) => kind === 'short' && !kept),
    );
    assert.ok(found.seconds < 90, `${found.seconds} s`);
  });

  it('the time holds in the middle of a trial, too', async () => {
    await setExternally(place.server, LOW);
    const ctx = place.context();
    const known = await readFactsAndSettings(ctx);
    /** @param {number} seconds */
    const begin = (seconds) => ({
      facts: known.facts,
      settingsBefore: known.settings,
      metric: /** @type {const} */ ('opsPerSec'),
      guardrail: {},
      endsAtMs: performance.now() + seconds * 1000,
      path: [],
      ended: null,
      endedBecause: null,
    });
    const late = begin(26);
    // The way to it never ends: the level is held up.
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (answer.wiredTiger && ctx.progressed.some((text) => /first sample/.test(text ?? '')))
        answer.wiredTiger.transaction['transaction checkpoint currently running'] = 1;
      return answer;
    };
    const changes = [
      { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 },
      { evictionDirtyTarget: 3, evictionDirtyTrigger: 25 },
    ];
    await searchOne(ctx, late, { kind: 'dirty', changes });
    assert.deepEqual(
      [late.ended, late.path.length, late.path[0].because, await dirty()],
      ['time', 1, 'The time limit ended it.', [1, 3]],
    );
    assert.ok(performance.now() < late.endsAtMs + 20_000);
  });

  it('what another session has set over a setting that was kept is not said to be in effect', async () => {
    const ctx = place.context();
    const { facts, settings } = await readFactsAndSettings(ctx);
    const { id } = await apply(ctx, { evictionThreadsMax: 6 }, { confirm: true });
    const undo = `tune.undo("${id}", { confirm: true })`;
    const kept = { change: { evictionThreadsMax: 6 }, kept: true, id, undo };
    const search = /** @type {any} */ ({
      facts,
      settingsBefore: settings,
      path: [kept],
      ended: 'complete',
    });
    const before = await whatStays(ctx, search);
    await setExternally(place.server, 'eviction=(threads_max=9)');
    const after = await whatStays(ctx, { ...search, ended: 'disturbed' });
    assert.deepEqual(
      [before.effective, after.effective, after.change, after.undo],
      [kept.change, {}, kept.change, [undo]],
    );
  });

  it('what was kept is told also where the connection is lost while the answer is made', async () => {
    const ctx = place.context();
    const { facts, settings } = await readFactsAndSettings(ctx);
    const undo = 'tune.undo("1", { confirm: true })';
    const kept = { change: { evictionThreadsMax: 6 }, kept: true, id: '1', undo };
    const search = /** @type {any} */ ({
      facts,
      settingsBefore: settings,
      path: [kept],
      ended: 'complete',
    });
    ctx.port.adminCommand = async () => {
      throw Object.assign(new Error('connection 7 closed'), { name: 'MongoNetworkError' });
    };
    const { change, effective, undo: calls } = await whatStays(ctx, search);
    assert.deepEqual([change, effective, calls], [kept.change, null, [undo]]);
  });

  it('a later trial that cannot go back is told, with what takes it back', async () => {
    await setExternally(place.server, LOW);
    const ctx = place.context();
    const { facts, settings } = await readFactsAndSettings(ctx);
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      if (!command.setParameter || (calls += 1) === 1) return adminCommand(command);
      throw Object.assign(new Error('connection 7 closed'), { name: 'MongoNetworkError' });
    };
    const earlier = { change: { evictionThreadsMax: 6 }, kept: false, id: '1', undo: null };
    const search = /** @type {any} */ ({
      facts,
      settingsBefore: settings,
      metric: 'opsPerSec',
      guardrail: {},
      endsAtMs: performance.now() + 120_000,
      path: [earlier],
      ended: null,
      endedBecause: null,
    });
    const change = { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 };
    await searchAll(ctx, search, [
      /** @type {any} */ ({ kind: 'dirty', changes: [change, LATER] }),
    ]);
    const [{ id }] = await history(place.context());
    assert.equal(search.ended, 'failed', search.endedBecause);
    assert.deepEqual((await whatStays(ctx, search)).undo, [
      `tune.undo("${id}", { confirm: true })`,
    ]);
  });

  it('a call that was lost and may still arrive is told, with what takes it back', async () => {
    await setExternally(place.server, LOW);
    const ctx = place.context();
    const { facts, settings } = await readFactsAndSettings(ctx);
    const { adminCommand } = ctx.port;
    let isLost = false;
    ctx.port.adminCommand = async (command) => {
      if (!command.setParameter || isLost) return adminCommand(command);
      isLost = true;
      throw Object.assign(new Error('connection 7 closed'), { name: 'MongoNetworkError' });
    };
    const search = /** @type {any} */ ({
      facts,
      settingsBefore: settings,
      metric: 'opsPerSec',
      guardrail: {},
      endsAtMs: performance.now() + 120_000,
      path: [],
      ended: null,
      endedBecause: null,
    });
    const changes = [
      { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 },
      { evictionDirtyTarget: 3, evictionDirtyTrigger: 25 },
    ];
    await searchOne(ctx, search, { kind: 'dirty', changes });
    const [{ warnings, id }] = search.path;
    assert.deepEqual(
      [search.ended, (await whatStays(ctx, search)).undo],
      ['lost', [`tune.undo("${id}", { confirm: true })`]],
    );
    assert.match(warnings.join(), /may still arrive/);
  });

  it('without a load there is nothing to search', async () => {
    await place.stopLoad();
    const found = await auto(place.context(), { seconds: 2, confirm: true });
    assert.deepEqual(
      [found.ended, found.path, found.change, found.confirm],
      ['refused', [], null, null],
      `${found}`,
    );
    assert.match(String(found), /RESULT {7}nothing to test/);
  });

  it('wrong options', async () => {
    for (const options of [
      { minutes: 0 },
      { settings: [] },
      { settings: ['cache'] },
      { metric: 'ops' },
      { guardrail: 1 },
    ])
      await assert.rejects(auto(place.context(), options), { code: 'TUNE-10002' });
    await assert.rejects(auto(place.context(), { hours: 1 }), { code: 'TUNE-10001' });
  });
});
