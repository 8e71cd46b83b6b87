'use strict';

const assert = require('node:assert/strict');
const { longerTrial } = require('../../../lib/trial/pure/longer-trial');

const decidedNothing = {
  verdict: 'inconclusive',
  ended: 'complete',
  b: { cacheSizeGB: 1 },
  order: 'ABBA',
  moreBlocks: null,
  blockSeconds: 30,
  metric: 'opsPerSec',
  keep: 'if-better',
  guardrail: { limits: null, given: {} },
};
/** @param {object} [more] */
const call = (more = {}) => longerTrial(/** @type {any} */ ({ ...decidedNothing, ...more }));

describe('the longer trial after one that decided nothing', () => {
  it('has twice the blocks, or as many more as would decide, in pairs', () => {
    assert.equal(
      call(),
      'tune.trial({ cacheSizeGB: 1 }, { blocks: 8, blockSeconds: 30, confirm: true })',
    );
    assert.match(String(call({ moreBlocks: 9 })), /blocks: 14,/);
  });

  it('keeps what the trial was asked', () => {
    assert.equal(
      call({
        metric: 'readP95Ms',
        keep: 'never',
        guardrail: { limits: null, given: { errors: 3 } },
      }),
      'tune.trial({ cacheSizeGB: 1 }, { blocks: 8, blockSeconds: 30, metric: "readP95Ms", ' +
        'keep: "never", guardrail: { errors: 3 }, confirm: true })',
    );
  });

  it('is not offered of what was decided or ended early, nor beyond the most blocks', () => {
    assert.deepEqual(
      [call({ verdict: 'same' }), call({ ended: 'guardrail' }), call({ moreBlocks: 197 })],
      [null, null, null],
    );
  });
});
