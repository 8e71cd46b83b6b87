'use strict';

const { testMemberRule, row, set } = require('../../../support/members');

const primary = row('a:1', { role: 'primary' });

testMemberRule(__filename, [
  ['just below', set([primary, row('b:2', { lagSeconds: 9.9 })]), [['ok', /No secondary/]]],
  [
    'from 10 s on',
    set([primary, row('b:2', { lagSeconds: 10 }), row('c:3')]),
    [['warning', /^b:2 \(secondary\) is 10 s behind\.$/, 'b:2']],
  ],
  [
    'beyond the window of versions',
    set([primary, row('b:2', { lagSeconds: 300 })]),
    [['critical', /5 min/]],
  ],
  [
    'a delay on purpose is none',
    set([primary, row('b:2', { lagSeconds: 3605, delaySeconds: 3600 })]),
    [['ok', /No/]],
  ],
  [
    'beyond its delay',
    set([primary, row('b:2', { lagSeconds: 3660, delaySeconds: 3600 })]),
    [['warning', /of which 60 min 0 s on purpose/]],
  ],
  [
    'the delay is not known',
    set([primary, row('b:2', { lagSeconds: 60, delaySeconds: null })]),
    [['warning', /60 s behind\.$/]],
  ],
]);
