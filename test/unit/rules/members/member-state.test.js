'use strict';

const { testMemberRule, row, down, set } = require('../../../support/members');

const primary = row('a:1', { role: 'primary' });

testMemberRule(__filename, [
  [
    'recovering',
    set([primary, row('b:2', { role: 'recovering' })]),
    [['warning', 'passing-state', 'b:2', { name: 'b:2', state: 'RECOVERING' }]],
  ],
  ['down is another matter', set([primary, down('b:2')]), [['ok', 'fine']]],
  [
    'no primary',
    set([row('a:1'), row('b:2'), row('c:3', { role: 'startup2' })]),
    [
      ['warning', 'passing-state', undefined, { state: 'STARTUP2' }],
      ['warning', 'no-primary', 'rs', { name: 'rs' }],
    ],
  ],
  [
    'nobody may tell the states',
    set([row('a:1'), row('b:2')], { newestMs: null }),
    [['ok', 'fine']],
  ],
  [
    'a server without a set',
    set([row('x', { role: 'standalone' })], { name: null }),
    [['ok', 'fine']],
  ],
]);
