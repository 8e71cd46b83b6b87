'use strict';

const { testMemberRule, row, set, GiB } = require('../../../support/members');

testMemberRule(__filename, [
  [
    'a little less memory',
    set([row('a:1'), row('b:2', { memoryBytes: 21.6 * GiB })]),
    [['ok', 'fine']],
  ],
  [
    'less memory',
    set([row('a:1'), row('b:2', { memoryBytes: 21.5 * GiB })]),
    [['info', 'differ', 'rs']],
  ],
  [
    'fewer cores',
    set([row('a:1'), row('b:2', { cores: 1 })], { name: null }),
    [['info', 'differ']],
  ],
]);
