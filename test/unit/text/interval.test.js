'use strict';

const assert = require('node:assert/strict');
const {
  expectedText,
  expectedWords,
  measuredWords,
  MAX_ESTIMATE,
} = require('../../../lib/text/interval');

describe('text/interval: what is expected', () => {
  it('has one form: its bounds, without an upper one where the estimate has none', () => {
    assert.equal(expectedWords({ low: 0.95, high: 2.1 }), '×0.95 to ×2.10');
    assert.equal(expectedWords({ low: 4.9, high: MAX_ESTIMATE }), '×4.90 or more');
  });

  it('says where a change can make the server slower', () => {
    assert.equal(
      expectedText({ low: 0.95, high: 2.1 }),
      'throughput ×0.95 to ×2.10, estimated; below ×1 is slower',
    );
    assert.equal(expectedText({ low: 1.1, high: 2.1 }), 'throughput ×1.10 to ×2.10, estimated');
  });

  it('keeps the ratio of what was measured', () => {
    assert.equal(measuredWords({ ratio: 1.54, low: 0.95, high: 12 }), '×1.54 (×0.95 to ×12)');
  });
});
