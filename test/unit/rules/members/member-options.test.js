'use strict';

const { testMemberRule, row, set } = require('../../../support/members');

const options = (slowms, more = {}) => ({
  options: {
    storage: { dbPath: `/data/${slowms}` },
    operationProfiling: { slowOpThresholdMs: slowms },
    ...more,
  },
});

testMemberRule(__filename, [
  [
    "paths are each member's own",
    set([
      row('a:1', options(100)),
      row('b:2', {
        options: { storage: { dbPath: '/else' }, operationProfiling: { slowOpThresholdMs: 100 } },
      }),
    ]),
    [['ok', 'fine']],
  ],
  [
    'another value, and none',
    set([row('a:1', options(100)), row('b:2', options(20)), row('c:3')]),
    [
      [
        'warning',
        'differs',
        'operationProfiling.slowOpThresholdMs',
        { name: 'operationProfiling.slowOpThresholdMs' },
      ],
    ],
  ],
]);
