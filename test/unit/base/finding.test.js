'use strict';

const assert = require('node:assert/strict');
const { severestFirst, STATUSES } = require('../../../lib/base/pure/finding');

describe('base/pure/finding', () => {
  it(
    'what needs a person comes first, among equals what came first, and the list it was given ' +
      'stays as it is',
    () => {
      const findings = Object.freeze(
        [...STATUSES].reverse().flatMap((status) => [
          { status, of: 'one' },
          { status, of: 'other' },
        ]),
      );
      assert.deepEqual(
        severestFirst(findings).map(({ status, of }) => `${status} ${of}`),
        STATUSES.flatMap((status) => [`${status} one`, `${status} other`]),
      );
    },
  );
});
