'use strict';

const { testMemberRule, row, set } = require('../../../support/members');

const knobs = (max, target = null) => ({
  knobs: {
    evictionThreadsMax: { value: max, isDefault: false },
    evictionTarget: { value: target, isDefault: true },
  },
});

testMemberRule(__filename, [
  [
    'eviction threads',
    set([row('a:1', knobs(8)), row('b:2', knobs(4)), row('c:3', knobs(4))]),
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
    set([row('a:1', knobs(4, 80)), row('b:2', knobs(4))]),
    [['ok', /same/]],
  ],
  [
    'more than one',
    set([row('a:1', knobs(4, 80)), row('b:2', knobs(5, 75))]),
    [
      ['warning', /evictionThreadsMax/],
      ['warning', /evictionTarget/],
    ],
  ],
]);
