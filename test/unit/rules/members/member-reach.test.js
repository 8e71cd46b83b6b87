'use strict';

const { testMemberRule, row, down, arbiter, set } = require('../../../support/members');

const primary = row('a:1', { role: 'primary' });

testMemberRule(__filename, [
  [
    'one of three is down',
    set([primary, row('b:2'), down('c:3')]),
    [['warning', 'down', 'c:3', { host: 'c:3', reason: 'Connection refused' }]],
  ],
  [
    'down in the eyes of the set, though it answers here',
    set([primary, row('b:2'), down('c:3', { reached: true, said: null })]),
    [['warning', 'down']],
  ],
  [
    'no majority is left',
    set([row('a:1'), down('b:2'), down('c:3')]),
    [
      ['critical', 'no-majority'],
      ['critical', 'no-majority', undefined, { host: 'c:3' }],
    ],
  ],
  [
    'whether there is one is not known',
    set([row('a:1', { votes: null }), down('b:2'), down('c:3')], { majority: 2 }),
    [
      ['warning', 'down', undefined, { host: 'b:2' }],
      ['warning', 'down', undefined, { host: 'c:3' }],
    ],
  ],
  [
    'up, and out of reach from here',
    set([primary, row('b:2', { reached: false, why: 'getaddrinfo ENOTFOUND b.' })]),
    [['info', 'out-of-reach', 'b:2', { host: 'b:2', reason: 'getaddrinfo ENOTFOUND b' }]],
  ],
  ['no reason is told', set([primary, row('b:2', { reached: false })]), [['info', 'out-of-reach']]],
  ['an arbiter is not looked at', set([primary, row('b:2'), arbiter('d:4')]), [['ok', 'fine']]],
]);
