'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress } = require('../../support/trial');
const {
  setExternally,
  cacheOf,
  onFullCache,
  askedStrings,
  lastString,
} = require('../../support/engine');
const { beforeCall } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');
const { run: undo } = require('../../../lib/commands/undo');
const { run: apply } = require('../../../lib/commands/apply');
const { run: trial } = require('../../../lib/commands/trial');

const IN_B = /^block \d of \d+, B: \d+ of/;
const SHORT = Object.freeze({ blocks: 4, blockSeconds: 1 });
const DO = Object.freeze({ confirm: true });

describe('what other sessions set during a trial', () => {
  const place = useTrialServer('paced');
  const now = async () => {
    const { evictionTarget, evictionThreadsMax } = await config(place.context());
    return { target: evictionTarget.value, max: evictionThreadsMax.value };
  };
  /** @param {any} done */
  const externalOf = (done) =>
    done.externalChanges.map((/** @type {any} */ { values }) => [
      values.config,
      values.overwritten,
    ]);
  const lastEntry = async () => {
    const { outcome, reason } = (await history(place.context())).at(-1) ?? {};
    return { outcome, reason };
  };

  it('the same, hidden by a second string: it is found in the log, stays, and is told', async () => {
    const foreign = temporaryFolder('home');
    /** @type {Promise<any> | undefined} */ let other;
    const ctx = onProgress(place.context(), IN_B, () => {
      other = apply(
        contextOf(place.server.client, { home: foreign.path }),
        { evictionTarget: 70, evictionThreadsMax: 6 },
        DO,
      );
    });
    const done = await place.run({ evictionTarget: 75 }, { ...SHORT, blockSeconds: 4 }, ctx);
    assert.equal((await other).verified, true);
    assert.deepEqual(await now(), { target: 70, max: 6 });
    assert.deepEqual([done.ended, done.effective, done.verified], ['disturbed', null, null]);
    assert.deepEqual(externalOf(done).sort(), [
      ['eviction=(threads_max=6)', false],
      ['eviction_target=70', false],
    ]);
    assert.match(
      done.warnings.join('\n'),
      /Active: \{ evictionTarget: 70 \}, set by another session\. tune\.apply\(\{ evictionTarget: 80 \}\) shows a dry run/,
    );
    const { outcome, reason } = await lastEntry();
    assert.deepEqual([outcome, reason], ['interrupted', done.because]);
    foreign.remove();
  });

  it('the very string of the trial in a block of B: it came last, and stays', async () => {
    const ctx = onProgress(place.context(), IN_B, () => {
      void setExternally(place.server, 'eviction_target=75');
    });
    const how = { blocks: 4, blockSeconds: 4, keep: 'never' };
    const done = await place.run({ evictionTarget: 75 }, how, ctx);
    assert.equal(await lastString(place.server), 'eviction_target=75', String(done));
    assert.deepEqual(externalOf(done), [['eviction_target=75', false]]);
    assert.deepEqual([done.ended, done.effective], ['disturbed', null]);
  });

  it('the same, hidden by a second string, just before a switch: that it was overwritten is told', async () => {
    const ctx = beforeCall(
      place.context(),
      (command) => Boolean(command.setParameter),
      async () => {
        await setExternally(place.server, 'eviction_target=70');
        await setExternally(place.server, 'eviction=(threads_max=6)');
      },
    );
    const done = await place.run({ evictionTarget: 75 }, SHORT, ctx);
    assert.deepEqual(
      [done.ended, done.effective, await now()],
      ['disturbed', 'A', { target: 80, max: 6 }],
    );
    assert.deepEqual(externalOf(done).sort(), [
      ['eviction=(threads_max=6)', false],
      ['eviction_target=70', true],
    ]);
    assert.match(
      done.warnings.join('\n'),
      /The trial overwrote "eviction_target=70", which another session had set: tune\.apply\(\{ evictionTarget: 70 \}\)/,
    );
  });

  it('one of two settings: theirs stays, ours goes back, and an undo has nothing left to do', async () => {
    const ctx = onProgress(place.context(), IN_B, () => {
      void setExternally(place.server, 'eviction_target=70');
    });
    const done = await place.run({ evictionTarget: 75, evictionThreadsMax: 7 }, SHORT, ctx);
    assert.deepEqual(await now(), { target: 70, max: 4 });
    assert.deepEqual(
      [done.ended, done.effective, externalOf(done)],
      ['disturbed', null, [['eviction_target=70', false]]],
    );
    assert.match(
      done.warnings.join('\n'),
      /set by another session, and \{ evictionThreadsMax: 4 \} as before the trial/,
    );
    assert.deepEqual(await lastEntry(), { outcome: 'undone', reason: done.because });
    await assert.rejects(undo(place.context(), DO), { code: 'TUNE-30007' });
    assert.deepEqual(await now(), { target: 70, max: 4 });
  });

  it('one of two settings between the calls of the way back: it stays, the other one goes back', async () => {
    const stop = new AbortController();
    let calls = 0;
    const ctx = beforeCall(
      place.context({ signal: stop.signal }),
      (command) => Boolean(command.setParameter) && (calls += 1) === 4,
      async () => {},
    );
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      // After the first of the two calls back.
      if (command.setParameter && calls === 3)
        await setExternally(place.server, 'eviction_target=70,eviction=(threads_max=9)');
      return answer;
    };
    const done = await place.run(
      { evictionTarget: 75, evictionThreadsMax: 7 },
      SHORT,
      onProgress(ctx, IN_B, () => stop.abort()),
    );
    assert.deepEqual(await now(), { target: 70, max: 9 });
    assert.deepEqual([done.ended, done.effective, calls], ['interrupted', null, 3]);
    assert.match(String(done.because), /^Ctrl-C ended the trial\. Another session set "eviction_t/);
  });

  it('the same on the way back in steps: no further step follows, and it is told', async () => {
    const stop = new AbortController();
    const ctx = onFullCache(place.context({ signal: stop.signal }));
    onProgress(ctx, IN_B, () => stop.abort());
    onProgress(ctx, /lowering in steps, now cache_size=[5-9]\d\dM/, () => {
      void setExternally(place.server, 'cache_size=2000M');
    });
    const done = await place.run({ cacheSizeGB: 1 }, {}, ctx);
    assert.equal((await cacheOf(place.server)).maxBytes / 2 ** 20, 2000);
    assert.equal((await askedStrings(place.server)).at(-1), 'cache_size=2000M');
    assert.deepEqual(
      [done.ended, done.effective, done.because, externalOf(done)],
      [
        'interrupted',
        null,
        'Ctrl-C ended the trial. Another session set "cache_size=2000M"; it stays as it is.',
        [['cache_size=2000M', false]],
      ],
    );
    assert.match(
      done.warnings.join('\n'),
      /tune\.apply\(\{ cacheSizeGB: 0\.25 \}\) shows a dry run of the way back/,
    );
    assert.deepEqual(await lastEntry(), { outcome: 'interrupted', reason: done.because });
    await assert.rejects(
      undo(place.context(), DO),
      (error) =>
        error.code === 'TUNE-30006' &&
        /^\[TUNE-30006\] Since the change \S+, another session set "cache_size=2000M"\. /.test(
          error.message,
        ),
    );
  });

  it('the same during the first sample, and Ctrl-C: A is not said to be in effect', async () => {
    const stop = new AbortController();
    const ctx = onProgress(place.context({ signal: stop.signal }), /^first sample, A/, () => {
      void setExternally(place.server, 'eviction_target=70').then(() => stop.abort());
    });
    const done = await place.run({ evictionTarget: 75 }, SHORT, ctx);
    assert.deepEqual(
      [done.ended, done.effective, done.verified, (await now()).target],
      ['disturbed', null, null, 70],
    );
    assert.doesNotMatch(String(done), /active now/);
    assert.match(done.warnings.join(), /Active: \{ evictionTarget: 70 \}/);
  });

  it('another one during the first sample, and Ctrl-C: A is in effect, and Ctrl-C ended it', async () => {
    const stop = new AbortController();
    const ctx = onProgress(place.context({ signal: stop.signal }), /^first sample, A/, () => {
      void setExternally(place.server, 'eviction_dirty_target=6').then(() => stop.abort());
    });
    const done = await place.run({ evictionTarget: 75 }, SHORT, ctx);
    assert.deepEqual(
      [done.ended, done.effective, externalOf(done)],
      ['interrupted', 'A', [['eviction_dirty_target=6', false]]],
    );
  });

  it('the same after the way back: A is not said to be in effect', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    let isBack = false;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      const blocks = ctx.progressed.some((text) => /^block 4 of 4/.test(text ?? ''));
      // The last look at the latencies, once A is back.
      if (blocks && isBack && command.opLatencies?.histograms)
        await setExternally(place.server, 'eviction_target=70');
      if (blocks && /eviction_target=80/.test(String(command.wiredTigerEngineRuntimeConfig)))
        isBack = true;
      return answer;
    };
    let done = await place.run({ evictionTarget: 75 }, { ...SHORT, keep: 'never' }, ctx);
    // Where the last block was one of A there was no last switch.
    for (let more = 0; done.blocks.at(-1)?.setting === 'A' && more < 8; more += 1) {
      [isBack, ctx.progressed.length] = [false, 0];
      await setExternally(place.server, 'eviction_target=80');
      done = await place.run({ evictionTarget: 75 }, { ...SHORT, keep: 'never' }, ctx);
    }
    assert.deepEqual([done.ended, done.effective, (await now()).target], ['complete', null, 70]);
    assert.match(done.warnings.join('\n'), /Another session set "eviction_target=70"/);
  });

  it('two operators try at once: none of them says that its setting is in effect while another is', async () => {
    const foreign = temporaryFolder('home');
    const other = contextOf(place.server.client, { home: foreign.path });
    /** @type {Promise<any> | undefined} */ let second;
    const ctx = onProgress(place.context(), IN_B, () => {
      second = trial(other, { evictionTarget: 70 }, { ...SHORT, confirm: true });
    });
    const first = await place.run({ evictionTarget: 75 }, { blocks: 4, blockSeconds: 6 }, ctx);
    const done = await second;
    const { target } = await now();
    for (const { effective, a, b } of [first, done])
      if (effective !== null)
        assert.equal((effective === 'A' ? a : b).evictionTarget, target, `${first}\n${done}`);
    assert.ok([first.ended, done.ended].includes('disturbed'), `${first}\n${done}`);
    // Whoever was overtaken is not reported that all is as before.
    if (target !== 80) await assert.rejects(undo(place.context(), DO), /another session set/);
    foreign.remove();
  });
});
