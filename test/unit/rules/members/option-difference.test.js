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
    [['ok', /same options/]],
  ],
  [
    'another value, and none',
    set([row('a:1', options(100)), row('b:2', options(20)), row('c:3')]),
    [
      [
        'warning',
        /^operationProfiling\.slowOpThresholdMs differs: 100 on a:1; 20 on b:2; not set on c:3\.$/,
        'operationProfiling.slowOpThresholdMs',
      ],
    ],
  ],
]);
