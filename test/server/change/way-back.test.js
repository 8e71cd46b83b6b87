'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const { beforeCall } = require('../../support/beside');
const { useServer } = require('../../support/one-server');
const { contextOf } = require('../../support/context');
const { startProxy } = require('../../support/held-proxy');
const { setExternally, askedStrings, onFullCache, cacheOf } = require('../../support/engine');
const { journalPath } = require('../../../lib/change/journal');
const { unfinishedChanges } = require('../../../lib/change/unfinished-changes');
const { makeUnfinishedNotice } = require('../../../lib/shell/install');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

const DO = Object.freeze({ confirm: true });
const FORCE = Object.freeze({ confirm: true, force: true });
const REFUSED = Object.assign(new Error('WiredTiger reconfiguration failed (22)'), {
  name: 'MongoServerError',
  code: 2,
});

describe('the way back of changes', function () {
  this.timeout(120_000);
  const place = useServer({ config: 'cache_size=256M,eviction_target=80' });
  const context = (client = place.server.client) => contextOf(client, { home: place.home.path });
  const target = async () => (await config(context())).evictionTarget.value;
  const outcomes = async () => (await history(context())).map(({ outcome }) => outcome);
  /** @param {any} change */
  const applied = async (change) => String((await apply(context(), change, DO)).id);

  it('an undo is not undone below a later undo of an earlier change', async () => {
    const [first, second] = [
      await applied({ evictionTarget: 75 }),
      await applied({ evictionTarget: 70 }),
    ];
    const back = await undo(context(), second, DO);
    const last = await undo(context(), first, DO);
    assert.equal(await target(), 80);
    await assert.rejects(
      undo(context(), String(back.id), DO),
      (error) =>
        error.code === 'TUNE-30006' && error.message.includes(`the later undo ${last.id} set`),
    );
    for (const id of [last.id, back.id]) await undo(context(), String(id), DO);
    assert.equal(await target(), 70);
    for (const seen of [75, 80]) {
      await undo(context(), DO);
      assert.equal(await target(), seen);
    }
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
  });

  it('a call whose answer was lost, and that comes after the undo, is told and taken back', async () => {
    const proxy = await startProxy(place.server.port);
    try {
      const held = proxy.hold((command) =>
        /eviction_target=75/.test(command.wiredTigerEngineRuntimeConfig ?? ''),
      );
      const client = await place.server.connect(proxy.uri);
      await assert.rejects(apply(context(client), { evictionTarget: 75 }, DO), {
        code: 'TUNE-20006',
      });
      for (const again of [1, 2]) {
        const back = await undo(context(), DO);
        assert.deepEqual([again, back.commands], [again, []]);
        assert.match(
          back.warnings.join('\n'),
          /The call "eviction_target=75" was not answered and is not active, but it may still arrive/,
        );
      }
      assert.deepEqual(
        [await outcomes(), unfinishedChanges(place.home.path).length],
        [['unknown'], 1],
      );
      await held.deliver();
      assert.equal(await target(), 75);
      /** @type {string[]} */ const reported = [];
      await makeUnfinishedNotice({ home: place.home.path, notify: (text) => reported.push(text) })(
        'status',
        context().port,
      );
      assert.match(reported.join(), /a change of \{ evictionTarget: 75 \}[^]*tune\.undo\(/);
      await undo(context(), DO);
      assert.deepEqual([await target(), await outcomes()], [80, ['undone', 'applied']]);
    } finally {
      await proxy.stop();
    }
  });

  it('Ctrl-C does not cancel the way back of a change that was refused', async () => {
    const stop = new AbortController();
    const ctx = beforeCall(
      contextOf(place.server.client, { home: place.home.path, signal: stop.signal }),
      ({ setParameter, wiredTigerEngineRuntimeConfig: text }) =>
        setParameter === 1 && /threads_max/.test(text),
      async () => {
        stop.abort();
        throw REFUSED;
      },
    );
    await assert.rejects(
      apply(ctx, { evictionTarget: 75, evictionThreadsMax: 6 }, DO),
      /The settings of the calls before it were undone: \{ evictionTarget: 80 \}\./,
    );
    assert.deepEqual([await target(), await outcomes()], [80, ['refused']]);
  });

  it('Ctrl-C during the way back ends its waiting, and what is left is set at once', async () => {
    const stop = new AbortController();
    /** @type {number[]} */ const heardMs = [];
    const ctx = beforeCall(
      // A cache that stays full goes down in small steps.
      onFullCache(contextOf(place.server.client, { home: place.home.path, signal: stop.signal }), {
        ratio: 0.97,
      }),
      ({ setParameter, wiredTigerEngineRuntimeConfig: text }) =>
        setParameter === 1 && /threads_max/.test(text),
      () => Promise.reject(REFUSED),
    );
    ctx.progress = (text) => {
      if (text === null || !/lowering in steps/.test(text) || heardMs.length > 0) return;
      assert.match(text, /Ctrl-C ends this within 20 s/);
      heardMs.push(performance.now());
      stop.abort();
    };
    await assert.rejects(
      apply(ctx, { cacheSizeGB: 4, evictionThreadsMax: 6 }, DO),
      /The settings of the calls before it were undone: \{ cacheSizeGB: 0\.25 \}\./,
    );
    const seconds = (performance.now() - heardMs[0]) / 1000;
    assert.ok(seconds > 19 && seconds < 24, `${seconds}`);
    assert.deepEqual(
      [(await cacheOf(place.server)).maxBytes, await outcomes()],
      [2 ** 28, ['refused']],
    );
  });

  it('an undo whose shell was killed is over when its change is taken back', async () => {
    const id = await applied({ evictionTarget: 75 });
    const child = spawn(
      process.execPath,
      [
        require.resolve('../../support/dying-apply'),
        place.server.uri,
        place.home.path,
        'answered-1',
        'undo',
      ],
      { stdio: 'inherit' },
    );
    await once(child, 'exit');
    const [left] = unfinishedChanges(place.home.path);
    assert.deepEqual([left.action, left.wayBack], ['undo', id]);
    assert.equal((await undo(context(), DO)).undoes, id);
    assert.deepEqual(
      [await target(), await outcomes(), unfinishedChanges(place.home.path)],
      [80, ['undone', 'interrupted'], []],
    );
    await assert.rejects(undo(context(), left.id, DO), { code: 'TUNE-30007' });
    assert.equal(await target(), 80);
  });

  it('what is refused in the middle is rolled back, though the journal cannot be written by then', async () => {
    const ctx = context();
    const file = journalPath(place.home.path);
    let calls = 0;
    const port = {
      ...ctx.port,
      adminCommand: async (/** @type {any} */ command) => {
        if (!command.setParameter) return ctx.port.adminCommand(command);
        calls += 1;
        if (calls !== 2) return ctx.port.adminCommand(command);
        fs.renameSync(file, `${file}.kept`);
        fs.mkdirSync(file);
        throw Object.assign(new Error('WiredTiger reconfiguration failed with error code (22)'), {
          name: 'MongoServerError',
          code: 2,
        });
      },
    };
    await assert.rejects(
      apply({ ...ctx, port }, { evictionTarget: 75, evictionThreadsMax: 8 }, DO),
      ({ code, rolledBack }) => code === 'TUNE-20008' && rolledBack !== null,
    );
    fs.rmdirSync(file);
    fs.renameSync(`${file}.kept`, file);
    const { evictionTarget, evictionThreadsMax } = await config(context());
    assert.deepEqual([evictionTarget.value, evictionThreadsMax.value], [80, 4]);
  });

  it('the very same string, set by another session, is theirs', async () => {
    await applied({ evictionTarget: 75 });
    await setExternally(place.server, 'eviction_target=75');
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30006' });
    assert.equal(await target(), 75);
  });

  it('over what others set, a smaller cache is gone down to in steps all the same', async () => {
    await applied({ cacheSizeGB: 0.5 });
    await setExternally(place.server, 'cache_size=450M');
    await assert.rejects(undo(onFullCache(context()), DO), { code: 'TUNE-30006' });
    const asked = (await askedStrings(place.server)).length;
    await undo(onFullCache(context()), FORCE);
    assert.ok((await askedStrings(place.server)).length - asked > 1, 'at once');
    assert.equal((await cacheOf(place.server)).maxBytes, 256 * 2 ** 20);
  });

  it('options that the object only inherits do not count', async () => {
    const inherited = Object.create({ confirm: true });
    assert.equal((await apply(context(), { evictionTarget: 75 }, inherited)).dryRun, true);
    assert.equal(await target(), 80);
  });
});
