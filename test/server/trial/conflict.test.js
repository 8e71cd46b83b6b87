'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress } = require('../../support/trial');
const { setExternally, askedStrings } = require('../../support/engine');
const { typeWords, valuesOf } = require('../../support/printed-calls');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });
const FORCE = Object.freeze({ confirm: true, force: true });
const IN_B = /^block \d of \d+, B: \d+ of/;
const AT_START = 'eviction=(threads_min=4,threads_max=4),eviction_target=80,eviction_trigger=85';
const THEIRS = 'eviction_target=90';
const B = Object.freeze({ evictionTrigger: 95, evictionThreadsMax: 6 });
const BEFORE = Object.freeze({
  evictionTarget: 80,
  evictionTrigger: 85,
  evictionThreadsMin: 4,
  evictionThreadsMax: 4,
});

describe('a way back that another session stands in the way of', () => {
  const place = useTrialServer('paced');
  beforeEach(() => setExternally(place.server, AT_START));
  afterEach(() => setExternally(place.server, 'eviction_trigger=95,eviction_target=80'));

  async function active() {
    const { evictionTarget, evictionTrigger, evictionThreadsMax } = await config(place.context());
    return [evictionTarget.value, evictionTrigger.value, evictionThreadsMax.value];
  }

  /** Whatever it printed that has to be typed, in turn. @param {string} text */
  async function type(text) {
    const [, change, id] =
      /tune\.apply\((\{[^}]*\}), \{ confirm: true \}\) comes first, then tune\.undo\("([^"]+)", \{ confirm: true \}\)/.exec(
        text,
      ) ?? assert.fail(text);
    await apply(place.context(), new Function(`return ${change}`)(), DO);
    await undo(place.context(), id, DO);
  }

  it('a trial restores what contradicts nothing, and prints what restores the rest', async () => {
    const ctx = onProgress(place.context(), IN_B, () => {
      void setExternally(place.server, THEIRS);
    });
    const done = await place.run(B, { blocks: 4, blockSeconds: 1 }, ctx);
    assert.deepEqual(await active(), [90, 95, 4], String(done));
    const asked = await askedStrings(place.server);
    assert.deepEqual(asked.slice(asked.lastIndexOf(THEIRS) + 1), ['eviction=(threads_max=4)']);
    assert.deepEqual([done.ended, done.effective, done.verified], ['disturbed', null, null]);
    assert.match(String(done.because), /evictionTrigger was not restored/);
    await type(done.warnings.join('\n'));
    assert.deepEqual(await active(), [80, 85, 4]);
  });

  for (const [
    what,
    tried,
    theirs,
    left,
    expected,
  ] of /** @type {[string, any, string, any, any][]} */ ([
    [
      'a trigger of the trial, below the target before',
      { evictionTarget: 60, evictionTrigger: 82 },
      'eviction_trigger=75',
      { evictionTarget: 60, evictionTrigger: 75 },
      { because: 'evictionTarget', isFirst: false, over: 'evictionTrigger' },
    ],
    [
      'the least threads, above the most before',
      { evictionThreadsMin: 1, evictionThreadsMax: 12 },
      'eviction=(threads_min=8)',
      { evictionThreadsMin: 8, evictionThreadsMax: 12 },
      { because: 'evictionThreadsMax', isFirst: false, over: 'evictionThreadsMin' },
    ],
    [
      'a setting of the trial, and a target above the trigger before',
      B,
      'eviction=(threads_max=7),eviction_target=90',
      { evictionTarget: 90, evictionTrigger: 95, evictionThreadsMax: 7 },
      { because: 'evictionTrigger', isFirst: true, over: 'evictionThreadsMax' },
    ],
  ]))
    it(`what is printed overwrites ${what}`, async () => {
      const ctx = onProgress(place.context(), IN_B, () => {
        void setExternally(place.server, theirs);
      });
      const done = await place.run(tried, { blocks: 4, blockSeconds: 1, force: true }, ctx);
      const { because, isFirst, over } = expected;
      assert.deepEqual(await valuesOf(place.context(), left), left, String(done));
      assert.match(String(done.because), new RegExp(`${because} was not restored`));
      assert.doesNotMatch(done.warnings.join('\n'), /as before the trial/);
      const words = done.warnings.at(-1) ?? '';
      assert.match(words, new RegExp(`overwrites ${over}, which another session`));
      assert.equal(await typeWords(place.context(), words), isFirst ? 2 : 1);
      assert.deepEqual(await valuesOf(place.context(), BEFORE), BEFORE);
    });

  it('bytes that the cache before cannot hold: the rest is restored, and they come first', async () => {
    const ctx = onProgress(place.context(), IN_B, () => {
      void setExternally(place.server, 'eviction_dirty_trigger=400000000');
    });
    const tried = { cacheSizeGB: 0.5, evictionThreadsMax: 6 };
    const done = await place.run(tried, { blocks: 4, blockSeconds: 1, force: true }, ctx);
    const left = { cacheSizeGB: 0.5, evictionThreadsMax: 4 };
    assert.deepEqual(await valuesOf(place.context(), left), left, String(done));
    assert.deepEqual([done.ended, done.effective, done.verified], ['disturbed', null, null]);
    const first = 'tune.apply({ evictionDirtyTrigger: 20 }, { confirm: true }) comes first';
    assert.ok(done.warnings.at(-1)?.includes(first), String(done));
    assert.equal(await typeWords(place.context(), String(done.warnings.at(-1))), 2);
    const before = { ...BEFORE, cacheSizeGB: 0.25, evictionDirtyTrigger: 20 };
    assert.deepEqual(await valuesOf(place.context(), before), before);
  });

  it('a string that was set, replaced and set again stands in the way', async () => {
    const ctx = onProgress(place.context(), IN_B, async () => {
      for (const config of [THEIRS, 'eviction_target=70', THEIRS])
        await setExternally(place.server, config);
    });
    const done = await place.run(B, { blocks: 4, blockSeconds: 1 }, ctx);
    assert.deepEqual(await active(), [90, 95, 4], String(done));
    assert.deepEqual([done.ended, done.effective, done.verified], ['disturbed', null, null]);
    await type(done.warnings.join('\n'));
    assert.deepEqual(await active(), [80, 85, 4]);
  });

  it('the undo of a change says who stands in its way, and what to type before it', async () => {
    await apply(place.context(), B, DO);
    await setExternally(place.server, THEIRS);
    for (const options of [{}, DO, FORCE]) {
      const error = await undo(place.context(), options).catch((cause) => cause);
      assert.equal(error.code, 'TUNE-30002');
      assert.match(
        error.message,
        /evictionTarget 90% is not below evictionTrigger 85%.*Since the change, "eviction_target=90" has been set: tune\.apply/,
      );
    }
    const error = await undo(place.context(), DO).catch((cause) => cause);
    await type(error.message);
    assert.deepEqual(await active(), [80, 85, 4]);
  });
});
