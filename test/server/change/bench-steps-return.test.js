'use strict';

const assert = require('node:assert/strict');
const { QUICK_STEPS, useServer } = require('../../support/one-server');
const { askedStrings } = require('../../support/engine');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');
const { run: history } = require('../../../lib/commands/history');

const AT_START = 'cache_size=256M,eviction=(threads_min=4,threads_max=4),eviction_target=80';
const OTHER = Object.freeze({ evictionThreadsMax: 8, evictionThreadsMin: 8 });
const SAME = Object.freeze({ evictionThreadsMin: 4, evictionThreadsMax: 4 });

describe('a step of a benchmark whose settings a later step takes back', function () {
  this.timeout(180_000);
  const place = useServer({ config: AT_START });
  const { context } = place;

  /** @param {readonly any[]} steps */
  async function askedFor(steps) {
    const earlier = (await askedStrings(place.server)).length;
    const seen = await benchSteps(context(), steps, QUICK_STEPS);
    return { seen, asked: (await askedStrings(place.server)).slice(earlier) };
  }

  it('is set, measured and reported', async () => {
    const { seen, asked } = await askedFor([OTHER, { ...SAME, evictionTarget: 75 }]);
    assert.deepEqual(asked, [
      'eviction=(threads_min=8,threads_max=8)',
      'eviction_target=75',
      'eviction=(threads_min=4,threads_max=4)',
      'eviction_target=80',
    ]);
    assert.doesNotMatch(seen.warnings.join('\n'), /not sent/);
    assert.match(seen.warnings.join('\n'), /8 eviction threads compete/);
    assert.deepEqual([seen.ended, seen.verified], ['complete', true], String(seen));
  });

  it('also where all end as they began', async () => {
    const { seen, asked } = await askedFor([OTHER, SAME]);
    assert.deepEqual(asked, [
      'eviction=(threads_min=8,threads_max=8)',
      'eviction=(threads_min=4,threads_max=4)',
    ]);
    assert.equal(seen.verified, true, String(seen));
    assert.equal((await history(context())).at(-1)?.outcome, 'undone');
  });

  it('but not where no step sets anything', async () => {
    await assert.rejects(benchSteps(context(), [SAME], QUICK_STEPS), { code: 'TUNE-30008' });
  });
});
