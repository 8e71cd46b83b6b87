'use strict';

const { testMemberRule, row, set, GiB } = require('../../../support/members');

const cache = (bytes) => ({ cache: { maxBytes: bytes, usedRatio: 0.1, dirtyRatio: 0 } });
const primary = row('a:1', { role: 'primary' });

testMemberRule(__filename, [
  ['a little less', set([primary, row('b:2', cache(0.9 * GiB))]), [['ok', /one size/]]],
  [
    'much less',
    set([primary, row('b:2', cache(0.89 * GiB)), row('c:3')]),
    [
      [
        'warning',
        /^The smallest cache is 11\.0 % smaller than the largest: 1 GiB on a:1 and c:3; 911 MiB on b:2\.$/,
        'rs',
      ],
    ],
  ],
  [
    'on one that can not become primary',
    set([primary, row('b:2', { ...cache(0.5 * GiB), priority: 0 })]),
    [['info', /50\.0 %/]],
  ],
  [
    'the size is not told',
    set([primary, row('b:2', cache(null))], { name: null }),
    [['ok', /one size/]],
  ],
  [
    'a set without a name',
    set([primary, row('b:2', cache(0.5 * GiB))], { name: null }),
    [['warning', /50/]],
  ],
]);
