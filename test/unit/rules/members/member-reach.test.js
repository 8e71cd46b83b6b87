'use strict';

const { testMemberRule, row, down, arbiter, set } = require('../../../support/members');

const primary = row('a:1', { role: 'primary' });

testMemberRule(__filename, [
  [
    'one of three is down',
    set([primary, row('b:2'), down('c:3')]),
    [['warning', /^c:3 is down \(Connection refused\)\.$/, 'c:3']],
  ],
  [
    'down in the eyes of the set, though it answers here',
    set([primary, row('b:2'), down('c:3', { reached: true, said: null })]),
    [['warning', /in the eyes of the set, and answers here/]],
  ],
  [
    'no majority is left',
    set([row('a:1'), down('b:2'), down('c:3')]),
    [
      ['critical', /no majority of the votes/],
      ['critical', /c:3/],
    ],
  ],
  [
    'whether there is one is not known',
    set([row('a:1', { votes: null }), down('b:2'), down('c:3')], { majority: 2 }),
    [
      ['warning', /b:2/],
      ['warning', /c:3/],
    ],
  ],
  [
    'up, and out of reach from here',
    set([primary, row('b:2', { reached: false, why: 'getaddrinfo ENOTFOUND b.' })]),
    [['info', /^b:2 could not be looked at: getaddrinfo ENOTFOUND b\.$/, 'b:2']],
  ],
  [
    'no reason is told',
    set([primary, row('b:2', { reached: false })]),
    [['info', /does not tell why/]],
  ],
  ['an arbiter is not looked at', set([primary, row('b:2'), arbiter('d:4')]), [['ok', /answers/]]],
]);
