'use strict';

const { testMemberRule, row, down, arbiter, set, NEWEST_MS } = require('../../../support/members');

const primary = row('a:1', { role: 'primary' });
const behind = (host, seconds, more) => row(host, { lagSeconds: seconds, ...more });

testMemberRule(__filename, [
  [
    'one that lags among three is not needed for the majority',
    set([primary, row('b:2'), behind('c:3', 900)]),
    [['ok', /newest/]],
  ],
  [
    'just near enough, reckoned from what the members have',
    set([primary, behind('b:2', 4), arbiter('d:4')]),
    [['ok', /newest/]],
  ],
  [
    'with an arbiter in its place the one that lags holds it back',
    set([primary, behind('b:2', 5), arbiter('d:4')]),
    [
      [
        'warning',
        /^The majority of rs is 5 s behind the newest write: b:2 \(secondary, 5 s behind\) holds it back\.$/,
        'b:2',
      ],
    ],
  ],
  [
    'two of three, the furthest behind first',
    set([primary, behind('b:2', 20), behind('c:3', 60)]),
    [
      [
        'warning',
        /20 s behind the newest write: c:3 \(secondary, 60 s behind\) and b:2 \(secondary, 20 s behind\) hold it back/,
        'c:3',
      ],
    ],
  ],
  [
    'what the server tells counts before what is reckoned',
    set([primary, row('b:2'), row('c:3', { votes: 0, lagSeconds: 400 })], {
      committedMs: NEWEST_MS - 300_000,
    }),
    [['critical', /5 min 0 s behind.*not told/, 'rs']],
  ],
  [
    'just below the window of versions',
    set([primary, behind('b:2', 299), arbiter('d:4')]),
    [['warning', /4 min 59 s/]],
  ],
  [
    'a member that is down is the furthest behind',
    set([primary, down('b:2'), behind('c:3', 30)], { committedMs: NEWEST_MS - 30_000 }),
    [['warning', /: b:2 \(down\) and c:3/, 'b:2']],
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
    [
      [
        'warning',
        /delayed by 60 min 0 s on purpose\) and c:3 \(secondary, 30 s behind, does not answer\)/,
      ],
    ],
  ],
  [
    'nobody is behind as far as is told',
    set([primary, row('b:2', { lagSeconds: null, optimeMs: null })], {
      committedMs: NEWEST_MS - 6000,
    }),
    [['warning', /which member holds it back is not told/, 'rs']],
  ],
  [
    'no name, and nothing told at all',
    set([primary], { newestMs: null, name: null }),
    [['ok', /newest/]],
  ],
  [
    'a server without a set',
    set([row('x', { role: 'standalone', lagSeconds: null })], {
      name: null,
      committedMs: NEWEST_MS - 6000,
    }),
    [['warning', /^The majority is 6 s behind/]],
  ],
  ['votes are not known', set([primary, behind('b:2', 60, { votes: null })]), [['ok', /newest/]]],
]);
