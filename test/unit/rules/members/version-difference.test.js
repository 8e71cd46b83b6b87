'use strict';

const { testMemberRule, row, set } = require('../../../support/members');

testMemberRule(__filename, [
  [
    'another patch release',
    set([row('a:1'), row('b:2', { version: '6.0.27' }), row('c:3')]),
    [
      [
        'info',
        /^The members run different releases: 6\.0\.5 on a:1 and c:3; 6\.0\.27 on b:2\.$/,
        'rs',
      ],
    ],
  ],
  [
    'another series',
    set([row('a:1'), row('b:2', { version: '7.0.1' })]),
    [['warning', /7\.0\.1 on b:2/]],
  ],
  ['only one tells', set([row('a:1'), row('b:2', { version: null })]), [['unknown', /version/]]],
  [
    'a set without a name',
    set([row('a:1'), row('b:2', { version: '7.0.1' })], { name: null }),
    [['warning', /7\.0\.1/]],
  ],
]);
