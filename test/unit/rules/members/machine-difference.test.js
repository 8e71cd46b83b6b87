'use strict';

const { testMemberRule, row, set, GiB } = require('../../../support/members');

testMemberRule(__filename, [
  [
    'a little less memory',
    set([row('a:1'), row('b:2', { memoryBytes: 21.6 * GiB })]),
    [['ok', /one size/]],
  ],
  [
    'less memory',
    set([row('a:1'), row('b:2', { memoryBytes: 21.5 * GiB })]),
    [['info', /24 GiB and 4 cores on a:1; 21\.5 GiB and 4 cores on b:2/, 'rs']],
  ],
  [
    'fewer cores',
    set([row('a:1'), row('b:2', { cores: 1 })], { name: null }),
    [['info', /and 1 core on b:2/]],
  ],
]);
