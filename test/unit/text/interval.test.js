'use strict';

const assert = require('node:assert/strict');
const { expectedWords, MAX_ESTIMATE } = require('../../../lib/text/interval');

describe('text/interval: what is expected', () => {
  it('has its bounds, and none where the estimate has none', () => {
    assert.equal(expectedWords({ ratio: 1.54, low: 0.95, high: 2.1 }), '×1.54 (×0.95 to ×2.10)');
    assert.equal(expectedWords({ ratio: 1.24, low: 0.95, high: 1.24 }), '×0.95 to ×1.24');
    const most = { ratio: 8.8, low: 4.9, high: MAX_ESTIMATE };
    assert.equal(expectedWords(most), '×8.80 (×4.90 or more)');
    assert.equal(expectedWords({ ...most, ratio: MAX_ESTIMATE }), '×4.90 or more');
  });
});
