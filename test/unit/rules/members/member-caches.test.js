'use strict';

const { testMemberRule, row, set, GiB } = require('../../../support/members');

const cache = (bytes) => ({ cache: { maxBytes: bytes, usedRatio: 0.1, dirtyRatio: 0 } });
const primary = row('a:1', { role: 'primary' });

testMemberRule(__filename, [
  ['a little less', set([primary, row('b:2', cache(0.9 * GiB))]), [['ok', 'fine']]],
  [
    'much less',
    set([primary, row('b:2', cache(0.89 * GiB)), row('c:3')]),
    [['warning', 'differ', 'rs', { smallerRatio: 0.11 }]],
  ],
  [
    'on one that cannot become primary',
    set([primary, row('b:2', { ...cache(0.5 * GiB), priority: 0 })]),
    [['info', 'differ', undefined, { smallerRatio: 0.5 }]],
  ],
  [
    'the size is not reported',
    set([primary, row('b:2', cache(null))], { name: null }),
    [['ok', 'fine']],
  ],
  [
    'a set without a name',
    set([primary, row('b:2', cache(0.5 * GiB))], { name: null }),
    [['warning', 'differ']],
  ],
]);
