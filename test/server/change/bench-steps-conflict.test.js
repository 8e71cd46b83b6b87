'use strict';

const assert = require('node:assert/strict');
const { QUICK_STEPS, useServer } = require('../../support/one-server');
const { setExternally, askedStrings } = require('../../support/engine');
const { typeWords, valuesOf } = require('../../support/printed-calls');
const { run: apply } = require('../../../lib/commands/apply');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');
const { run: config } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');

const AT_START =
  'cache_size=256M,eviction=(threads_min=4,threads_max=4),eviction_target=80,eviction_trigger=85';

const BEFORE = Object.freeze({
  evictionTarget: 80,
  evictionTrigger: 85,
  evictionThreadsMin: 4,
  evictionThreadsMax: 4,
});

describe('steps of a benchmark beside a threshold that another session has set', function () {
  this.timeout(180_000);
  const place = useServer({ config: AT_START });
  const { context } = place;

  async function active() {
    const { evictionTarget, evictionTrigger, evictionThreadsMax } = await config(context());
    return [evictionTarget.value, evictionTrigger.value, evictionThreadsMax.value];
  }

  /**
   * @param {readonly any[]} steps
   * @param {{ call: number, theirs: string, before?: boolean }} when they set it: after that call,
   *   or after what is checked before it
   * @param {Record<string, unknown>} [options]
   */
  async function measured(steps, { call, theirs, before = false }, options) {
    const ctx = context();
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      const isIt = command.setParameter && (calls += 1) === call;
      if (isIt && before) await setExternally(place.server, theirs);
      const answer = await adminCommand(command);
      if (isIt && !before) await setExternally(place.server, theirs);
      return answer;
    };
    const seen = await benchSteps(ctx, steps, { ...QUICK_STEPS, ...options });
    const asked = await askedStrings(place.server);
    return { seen, since: asked.slice(asked.lastIndexOf(theirs) + 1) };
  }

  it('on the way back: only what is in order is restored, and what to type works', async () => {
    const steps = [{ evictionTrigger: 95 }, { evictionThreadsMax: 6 }];
    const { seen, since } = await measured(steps, { call: 2, theirs: 'eviction_target=90' });
    assert.deepEqual([since, await active()], [['eviction=(threads_max=4)'], [90, 95, 4]]);
    assert.deepEqual([seen.ended, seen.verified], ['disturbed', null], String(seen));
    assert.match(
      String(seen.because),
      /"eviction_target=90".*evictionTrigger was not restored.*tune\.apply\(\{ evictionTarget: 80 \}, \{ confirm: true \}\).*tune\.undo\("[^"]+", \{ confirm: true \}\)/,
    );
    await apply(context(), { evictionTarget: 80 }, { confirm: true });
    await undo(context(), String(seen.id), { confirm: true });
    assert.deepEqual(await active(), [80, 85, 4]);
  });

  for (const [
    what,
    step,
    theirs,
    left,
    expected,
  ] of /** @type {[string, any, string, any, any][]} */ ([
    [
      'a trigger of the step, below the target before',
      { evictionTarget: 60, evictionTrigger: 82 },
      'eviction_trigger=75',
      { evictionTarget: 60, evictionTrigger: 75 },
      { call: 1, because: 'evictionTarget', isFirst: false, over: 'evictionTrigger' },
    ],
    [
      'the least threads, above the most before',
      { evictionThreadsMin: 1, evictionThreadsMax: 12 },
      'eviction=(threads_min=8)',
      { evictionThreadsMin: 8, evictionThreadsMax: 12 },
      { call: 1, because: 'evictionThreadsMax', isFirst: false, over: 'evictionThreadsMin' },
    ],
    [
      'a setting of the step, and a target above the trigger before',
      { evictionTrigger: 95, evictionThreadsMax: 6 },
      'eviction=(threads_max=7),eviction_target=90',
      { evictionTarget: 90, evictionTrigger: 95, evictionThreadsMax: 7 },
      { call: 2, because: 'evictionTrigger', isFirst: true, over: 'evictionThreadsMax' },
    ],
  ]))
    it(`on the way back: what is printed overwrites ${what}`, async () => {
      const { seen } = await measured([step], { call: expected.call, theirs });
      const { because, isFirst, over } = expected;
      assert.deepEqual(await valuesOf(context(), left), left, String(seen));
      assert.deepEqual([seen.ended, seen.verified], ['disturbed', null], String(seen));
      const words = String(seen.because);
      assert.match(words, new RegExp(`${because} was not restored`));
      assert.match(words, new RegExp(`overwrites ${over}, which another session`));
      assert.equal(await typeWords(context(), words), isFirst ? 2 : 1);
      assert.deepEqual(await valuesOf(context(), BEFORE), BEFORE);
    });

  it('on the way forward: a step whose value the last step does not keep', async () => {
    const steps = [{ evictionThreadsMax: 6 }, { evictionTrigger: 82 }, { evictionTrigger: 95 }];
    const theirs = 'eviction_target=83';
    const { seen, since } = await measured(steps, { call: 1, theirs });
    assert.deepEqual(since, ['eviction=(threads_max=4)'], String(seen));
    assert.match(String(seen.because), /evictionTarget 83% is not below evictionTrigger 82%/);
    assert.deepEqual(await active(), [83, 85, 4]);
  });

  it('that came just before a call of the way back: nobody says that all is as before', async () => {
    const steps = [{ evictionTrigger: 95 }];
    const theirs = 'eviction_target=90';
    const { seen } = await measured(steps, { call: 2, theirs, before: true });
    assert.deepEqual(await active(), [90, 85, 4]);
    assert.deepEqual([seen.ended, seen.verified], ['disturbed', false], String(seen));
    assert.match(
      String(seen.because),
      /"eviction_target=90".*evictionTarget 90% is not below evictionTrigger 85%.*tune\.apply\(\{ evictionTarget: 80 \}/,
    );
    assert.doesNotMatch(String(seen), /as before, verified/);
  });
});
