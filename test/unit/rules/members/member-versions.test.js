'use strict';

const { testMemberRule, row, set } = require('../../../support/members');

testMemberRule(__filename, [
  [
    'another patch release',
    set([row('a:1'), row('b:2', { version: '6.0.27' }), row('c:3')]),
    [['info', 'different-patches', 'rs']],
  ],
  [
    'another series',
    set([row('a:1'), row('b:2', { version: '7.0.1' })]),
    [['warning', 'different-series']],
  ],
  ['only one tells', set([row('a:1'), row('b:2', { version: null })]), [['unknown', 'not-known']]],
  [
    'a set without a name',
    set([row('a:1'), row('b:2', { version: '7.0.1' })], { name: null }),
    [['warning', 'different-series']],
  ],
]);
