'use strict';

const { testMemberRule, row, set } = require('../../../support/members');

const settings = (max, target = null) => ({
  settings: {
    evictionThreadsMax: { value: max, isDefault: false },
    evictionTarget: { value: target, isDefault: true },
  },
});

testMemberRule(__filename, [
  [
    'eviction threads',
    set([row('a:1', settings(8)), row('b:2', settings(4)), row('c:3', settings(4))]),
    [
      [
        'warning',
        /^evictionThreadsMax differs: 4 on b:2 and c:3; 8 on a:1\.$/,
        'evictionThreadsMax',
      ],
    ],
  ],
  [
    'what one does not tell differs from nothing',
    set([row('a:1', settings(4, 80)), row('b:2', settings(4))]),
    [['ok', /same/]],
  ],
  [
    'more than one',
    set([row('a:1', settings(4, 80)), row('b:2', settings(5, 75))]),
    [
      ['warning', /evictionThreadsMax/],
      ['warning', /evictionTarget/],
    ],
  ],
]);
