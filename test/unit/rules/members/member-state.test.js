'use strict';

const { testMemberRule, row, down, set } = require('../../../support/members');

const primary = row('a:1', { role: 'primary' });

testMemberRule(__filename, [
  [
    'recovering',
    set([primary, row('b:2', { role: 'recovering' })]),
    [['warning', /^b:2 is in state RECOVERING\.$/, 'b:2']],
  ],
  ['down is another matter', set([primary, down('b:2')]), [['ok', /Every/]]],
  [
    'no primary',
    set([row('a:1'), row('b:2'), row('c:3', { role: 'startup2' })]),
    [
      ['warning', /STARTUP2/],
      ['warning', /^The set rs has no primary: nothing can be written\.$/, 'rs'],
    ],
  ],
  [
    'nobody may tell the states',
    set([row('a:1'), row('b:2')], { newestMs: null }),
    [['ok', /Every/]],
  ],
  [
    'a server without a set',
    set([row('x', { role: 'standalone' })], { name: null }),
    [['ok', /Every/]],
  ],
]);
