'use strict';

const assert = require('node:assert/strict');
const { commentOf, keepComment } = require('../../../lib/base/pure/answer-comments');

describe('the comment of an answer', () => {
  it('is that of the call that was confirmed, and no field of the data', () => {
    const answer = Object.freeze({ at: 1 });
    keepComment(answer, 'mongosh-tune trial 3f9a1c CHG-7');
    assert.equal(commentOf(answer), 'mongosh-tune trial 3f9a1c CHG-7');
    assert.equal(JSON.stringify(answer), '{"at":1}');
  });
  it('is unknown of a dry run, of a copy, and of what is no object', () => {
    const dry = {};
    keepComment(dry, null);
    keepComment('text', 'mongosh-tune status 3f9a1c');
    for (const one of [dry, {}, 'text', undefined]) assert.equal(commentOf(one), null);
  });
});
