'use strict';

const assert = require('node:assert/strict');
const { mayLack } = require('../../../lib/split/pure/phase-words');

describe('split/pure/phase-words', () => {
  it('says what a copy that stays alone may lack, and nothing where that is nothing', () => {
    assert.deepEqual(mayLack({ pendingConflicts: [] }), []);
    const said = mayLack({ needsFullCompare: true, pendingConflicts: [{}, {}] }).join(' ');
    assert.match(said, /a comparison that copies .* It may lack 2 documents \(unique conflict\)/);
  });
});
