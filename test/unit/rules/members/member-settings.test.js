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
    [['warning', 'differs', 'evictionThreadsMax', { name: 'evictionThreadsMax' }]],
  ],
  [
    'what one does not report differs from nothing',
    set([row('a:1', settings(4, 80)), row('b:2', settings(4))]),
    [['ok', 'fine']],
  ],
  [
    'more than one',
    set([row('a:1', settings(4, 80)), row('b:2', settings(5, 75))]),
    [
      ['warning', 'differs', undefined, { name: 'evictionThreadsMax' }],
      ['warning', 'differs', undefined, { name: 'evictionTarget' }],
    ],
  ],
]);
