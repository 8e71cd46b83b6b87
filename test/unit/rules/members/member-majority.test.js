'use strict';

const { testMemberRule, row, down, arbiter, set, NEWEST_MS } = require('../../../support/members');

const primary = row('a:1', { role: 'primary' });
const behind = (host, seconds, more) => row(host, { lagSeconds: seconds, ...more });

testMemberRule(__filename, [
  [
    'one that lags among three is not needed for the majority',
    set([primary, row('b:2'), behind('c:3', 900)]),
    [['ok', 'fine']],
  ],
  [
    'just near enough, computed from what the members have',
    set([primary, behind('b:2', 4), arbiter('d:4')]),
    [['ok', 'fine']],
  ],
  [
    'with an arbiter in its place the one that lags holds it back',
    set([primary, behind('b:2', 5), arbiter('d:4')]),
    [['warning', 'behind', 'b:2', { set: 'rs', seconds: 5 }]],
  ],
  [
    'two of three, the furthest behind first',
    set([primary, behind('b:2', 20), behind('c:3', 60)]),
    [['warning', 'behind', 'c:3', { seconds: 20 }]],
  ],
  [
    'what the server tells counts before what is computed',
    set([primary, row('b:2'), row('c:3', { votes: 0, lagSeconds: 400 })], {
      committedMs: NEWEST_MS - 300_000,
    }),
    [['critical', 'behind', 'rs', { seconds: 300 }]],
  ],
  [
    'just below the window of versions',
    set([primary, behind('b:2', 299), arbiter('d:4')]),
    [['warning', 'behind', undefined, { seconds: 299 }]],
  ],
  [
    'a member that is down is the furthest behind',
    set([primary, down('b:2'), behind('c:3', 30)], { committedMs: NEWEST_MS - 30_000 }),
    [['warning', 'behind', 'b:2']],
  ],
  [
    'a delayed member with a vote, and one that does not answer',
    set(
      [
        primary,
        behind('b:2', 3600, { delaySeconds: 3600 }),
        behind('c:3', 30, { reached: false, why: 'x' }),
      ],
      { committedMs: NEWEST_MS - 30_000 },
    ),
    [['warning', 'behind', undefined, { seconds: 30 }]],
  ],
  [
    'nobody is behind as far as is told',
    set([primary, row('b:2', { lagSeconds: null, optimeMs: null })], {
      committedMs: NEWEST_MS - 6000,
    }),
    [['warning', 'behind', 'rs']],
  ],
  [
    'no name, and nothing told at all',
    set([primary], { newestMs: null, name: null }),
    [['ok', 'fine']],
  ],
  [
    'a server without a set',
    set([row('x', { role: 'standalone', lagSeconds: null })], {
      name: null,
      committedMs: NEWEST_MS - 6000,
    }),
    [['warning', 'behind', undefined, { seconds: 6 }]],
  ],
  ['votes are not known', set([primary, behind('b:2', 60, { votes: null })]), [['ok', 'fine']]],
]);
