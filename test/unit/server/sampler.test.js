'use strict';

const assert = require('node:assert/strict');
const { SAMPLE_STATUS, OPENING_STATUS } = require('../../../lib/server/pure/commands');
const { collectSamples } = require('../../../lib/server/sampler');
const { COUNTERS } = require('../../../lib/server/pure/counters');

const sections = [
  ...new Set(
    Object.values(COUNTERS).flatMap(({ spellings }) => spellings.map(({ path }) => path[0])),
  ),
];

describe('server/sampler', () => {
  it('asks for every section that a metric needs: each time, or once a sample', () => {
    assert.deepEqual(
      sections.filter((name) => name in OPENING_STATUS),
      [],
    );
    // mem comes only with metrics.
    assert.deepEqual(sections.filter((name) => name in SAMPLE_STATUS || name === 'mem').sort(), [
      'mem',
      'tcmalloc',
    ]);
  });

  const context = (
    /** @type {(n: number) => any} */ answer,
    signal = new AbortController().signal,
  ) => {
    let asked = 0;
    return /** @type {any} */ ({ signal, port: { adminCommand: async () => answer(asked++) } });
  };

  it('takes the first and the last look at the ends of the time', async () => {
    const { samples, ended } = await collectSamples(
      context((n) => ({ uptimeMillis: n })),
      { seconds: 0.3, every: 0.1 },
    );
    assert.equal(samples.length, 4);
    assert.equal(ended, 'complete');
  });
  it('an error at the first sample is an error; a later one ends the look', async () => {
    await assert.rejects(
      collectSamples(
        context(() => {
          throw new Error('no');
        }),
        { seconds: 1, every: 1 },
      ),
      /no/,
    );
    const { samples, ended, error } = await collectSamples(
      context((n) => {
        if (n === 2) throw new Error('gone');
        return {};
      }),
      { seconds: 1, every: 0.05 },
    );
    assert.deepEqual([samples.length, ended, error?.message], [2, 'lost', 'gone']);
  });
  it('an interrupt before the first sample is an error with its code', async () => {
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(
      collectSamples(
        context(() => ({}), stop.signal),
        { seconds: 1, every: 1 },
      ),
      { code: 'TUNE-30009' },
    );
  });
});
