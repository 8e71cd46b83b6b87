'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, whyNotLong } = require('../../support/trial');
const { askedStrings, setExternally } = require('../../support/engine');
const { takeSample } = require('../../../lib/server/sampler');
const { run: apply } = require('../../../lib/commands/apply');

/**
 * @import { Counter } from '../../../lib/server/pure/counters'
 */

const MB = 2 ** 20;

/** @param {string[]} sent strings of the cache's size */
const sizes = (sent) => sent.map((text) => Number(/^cache_size=(\d+)M$/.exec(text)?.[1]));

describe('readers whose cache becomes smaller', () => {
  const place = useTrialServer('read');
  const counters = async () => (await takeSample(place.context().port)).counters;
  const rest = (/** @type {number} */ ms) =>
    new Promise((go) => {
      setTimeout(go, ms);
    });

  async function filled() {
    await setExternally(place.server, 'cache_size=1024M');
    for (
      const end = performance.now() + 60_000;
      Number((await counters())['cache.usedBytes']) < 420 * MB;
    ) {
      assert.ok(performance.now() < end, 'the load does not fill the cache');
      await rest(100);
    }
  }

  /**
   * @param {string} how
   * @param {() => Promise<unknown>} shrink
   * @returns {Promise<number>} pages clients evicted for it
   */
  async function evictedByClients(how, shrink) {
    await filled();
    const before = await counters();
    await shrink();
    await rest(1000);
    const after = await counters();
    const grown = (/** @type {Counter} */ name) => Number(after[name]) - Number(before[name]);
    process.stderr.write(
      `      ${how}: ${grown('eviction.appPages')} pages evicted by clients, who waited ` +
        `${Math.round(grown('eviction.waitMicros') / 1000)} ms for the cache\n`,
    );
    assert.equal(after['cache.maxBytes'], 256 * MB);
    return grown('eviction.appPages');
  }

  it('evict for it when it is set at once; in steps that is left to the eviction threads', async () => {
    const inOneStep = await evictedByClients('at once', () =>
      setExternally(place.server, 'cache_size=256M'),
    );
    const asked = (await askedStrings(place.server)).length;
    const inSteps = await evictedByClients('in steps', () =>
      apply(place.context(), { cacheSizeGB: 0.25 }, { confirm: true }),
    );
    const [toLarge, ...way] = sizes((await askedStrings(place.server)).slice(asked));
    assert.equal(toLarge, 1024);
    assert.ok(
      way.length >= 3 && way.at(-1) === 256 && way.every((size, i) => size < (way[i - 1] ?? 1024)),
      `${way}`,
    );
    // On a busy machine the eviction threads may come too late.
    if (whyNotLong() === null) assert.ok(inSteps < inOneStep / 2, `${inSteps} and ${inOneStep}`);
  });
});
