'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, assertPaired, whyNotLong } = require('../../support/trial');
const { skipIf } = require('../../support/skip');
const { setExternally, lastString } = require('../../support/engine');
const { run: trial } = require('../../../lib/commands/trial');
const { run: undo } = require('../../../lib/commands/undo');
const { run: history } = require('../../../lib/commands/history');
const { run: config } = require('../../../lib/commands/settings');

const LOW = Object.freeze({ evictionDirtyTarget: 1, evictionDirtyTrigger: 3 });
const HIGH = Object.freeze({ evictionDirtyTarget: 5, evictionDirtyTrigger: 20 });
/**
 * What the middle operation waits is the clients' own, however busy the machine is with other
 * things.
 */
const METRIC = 'writeP50Ms';

describe('a trial of a setting that matters', () => {
  const place = useTrialServer('touch');
  const dirty = async () => {
    const { evictionDirtyTarget: target, evictionDirtyTrigger: trigger } = await config(
      place.context(),
    );
    return [target.value, trigger.value];
  };

  it('without confirm it shows what it would do, and changes nothing', async () => {
    const before = await lastString(place.server);
    const shown = await trial(place.context(), LOW, {
      blocks: 4,
      blockSeconds: 5,
      guardrail: { errors: null, readLatencyMs: 7 },
    });
    assert.deepEqual(
      [shown.dryRun, shown.verdict, shown.id, shown.kept, shown.a, shown.b],
      [true, null, null, false, HIGH, LOW],
    );
    assert.match(
      shown.commands.map((command) => command.wiredTigerEngineRuntimeConfig).join(' '),
      /^(eviction_dirty_target=1 )?eviction_dirty_target=1,eviction_dirty_trigger=3$/,
    );
    assert.equal(
      shown.confirm,
      'tune.trial({ evictionDirtyTarget: 1, evictionDirtyTrigger: 3 }, { blocks: 4, blockSeconds: ' +
        '5, guardrail: {"errors":null,"readLatencyMs":7}, confirm: true })',
    );
    assert.match(String(shown), /DRY RUN: nothing was changed/);
    assert.match(
      String(shown),
      /Limits of this call: errors not guarded,\s+readLatencyMs\s+max\s+7\./,
    );
    assert.deepEqual(
      [await lastString(place.server), await history(place.context())],
      [before, []],
    );
  });

  it(
    'a known cure is better: it stays, in the journal like any change, with its lines for ' +
      'mongod.conf',
    async () => {
      await setExternally(place.server, 'eviction_dirty_target=1,eviction_dirty_trigger=3');
      const ctx = place.context();
      const done = await place.run(HIGH, { metric: METRIC }, ctx);
      assert.equal(done.verdict, 'better', `${done}`);
      assertPaired(done);
      assert.ok(Number(done.ratio) < 0.5 && Number(done.high) < 1, `${done}`);
      assert.deepEqual(
        [
          done.kept,
          done.verified,
          done.ended,
          done.blocks.length,
          done.pairs,
          done.guardrail.broken,
        ],
        [true, true, 'complete', 6, 3, null],
      );
      assert.match(
        String(done.conf),
        /configString: eviction_dirty_target=5,eviction_dirty_trigger=20/,
      );
      assert.match(String(done), /RESULT {7}B is better\n[^]*B \(tested\) .* active now\n/);
      assert.match(
        ctx.progressed.join('\n'),
        /first sample, A: 1 of 3 s, \S+ ops\/s\nfirst sample[^]*block \d of 6, B: settling for 1 s[^]*block \d of 6, B: 1 of 2 s, \S+ ops\/s, guardrail: (read \S+, )?write \S+\/\S+ ms/,
      );
      assert.deepEqual(await dirty(), [5, 20]);
      const [entry] = await history(place.context());
      assert.deepEqual(
        [entry.action, entry.outcome, entry.before, entry.undo],
        ['trial', 'applied', LOW, done.undo],
      );
      const { verdict, ratio, low, high, expected } = done;
      assert.deepEqual(entry.result, { verdict, metric: METRIC, ratio, low, high, expected });
      assert.ok(Number(expected?.high) > 1, JSON.stringify(expected));
      const back = await undo(place.context(), { confirm: true });
      assert.deepEqual([back.verified, back.undoes, await dirty()], [true, done.id, [1, 3]]);
    },
  );

  it('its reverse is worse, where no guard ends it before, and A is in effect', async () => {
    const done = await place.run(LOW, {
      metric: METRIC,
      guardrail: { writeLatencyMs: null, appWaitRatio: null },
    });
    assert.deepEqual([done.verdict, done.ended], ['worse', 'complete'], `${done}`);
    assert.deepEqual(
      [done.kept, done.conf, done.undo, await dirty()],
      [false, null, null, [5, 20]],
    );
    assert.ok(Number(done.low) > 1, `${done}`);
    const [entry] = await history(place.context());
    assert.deepEqual([entry.outcome, entry.undo], ['undone', null]);
    assert.match(
      String(entry.reason),
      /result of the trial: worse; the setting before the trial is active/,
    );
  });

  it('the guardrail spares the clients a setting that hurts: A is back within 2 s', async () => {
    const done = await place.run(LOW, {
      metric: METRIC,
      guardrail: { writeLatencyMs: 60, appWaitRatio: 0.3 },
    });
    assert.equal(done.ended, 'guardrail', `${done}`);
    assert.ok(
      ['worse', 'inconclusive'].includes(String(done.verdict)) &&
        Number(done.guardrail.broken?.backMs) < 2000,
      `${done}`,
    );
    assert.match(
      String(done.because),
      /^The guardrail ended the trial: under B (mean write latency was|application threads waited for the cache|no operation completed)/,
    );
    assert.deepEqual(await dirty(), [5, 20]);
  });

  it('keep: "never" comes back to A, whatever was found', async function () {
    skipIf(this, whyNotLong());
    await setExternally(place.server, 'eviction_dirty_target=1,eviction_dirty_trigger=3');
    const done = await place.run(HIGH, { metric: METRIC, keep: 'never', blocks: 4 });
    assert.deepEqual([done.kept, done.ended, await dirty()], [false, 'complete', [1, 3]]);
    assert.notEqual(done.verdict, 'worse', `${done}`);
  });
});
