'use strict';

const { testMemberRule, row, set } = require('../../../support/members');

const primary = row('a:1', { role: 'primary' });

testMemberRule(__filename, [
  ['just below', set([primary, row('b:2', { lagSeconds: 9.9 })]), [['ok', 'fine']]],
  [
    'from 10 s on',
    set([primary, row('b:2', { lagSeconds: 10 }), row('c:3')]),
    [['warning', 'behind', 'b:2', { host: 'b:2', role: 'secondary', lagSeconds: 10 }]],
  ],
  [
    'beyond the window of versions',
    set([primary, row('b:2', { lagSeconds: 300 })]),
    [['critical', 'behind']],
  ],
  [
    'a delay on purpose is none',
    set([primary, row('b:2', { lagSeconds: 3605, delaySeconds: 3600 })]),
    [['ok', 'fine']],
  ],
  [
    'beyond its delay',
    set([primary, row('b:2', { lagSeconds: 3660, delaySeconds: 3600 })]),
    [['warning', 'behind', undefined, { delaySeconds: 3600 }]],
  ],
  [
    'the delay is not known',
    set([primary, row('b:2', { lagSeconds: 60, delaySeconds: null })]),
    [['warning', 'behind', undefined, { lagSeconds: 60 }]],
  ],
  [
    'a standalone server does not replicate',
    set([row('a:1', { role: 'standalone', lagSeconds: null })]),
    [],
  ],
]);
