'use strict';

const assert = require('node:assert/strict');
const { renderMembers } = require('../../../lib/cluster/pure/members-text');
const { renderGroup } = require('../../../lib/cluster/pure/rollout-text');
const { renderDrift } = require('../../../lib/config/drift-text');
const { renderAdvice } = require('../../../lib/diagnose/advice-text');
const { row, down, arbiter } = require('../../support/members');

const plain = (/** @type {string} */ text) => text;
const marked = (/** @type {string} */ text, /** @type {string} */ tone) =>
  `<${tone}>${text}</${tone}>`;
const finding = (status, more = {}) => ({
  rule: 'member-lag',
  area: 'members',
  status,
  message: 'b:2 is behind.',
  evidence: {},
  advice: null,
  change: null,
  source: '',
  key: 'x',
  ...more,
});
const fits = (/** @type {string} */ text) =>
  assert.deepEqual(
    text.split('\n').filter((line) => line.length > 80),
    [],
  );

describe('cluster/pure/members-text', () => {
  const rows = [
    row('a.example.org:27017', {
      role: 'primary',
      settings: {
        cacheSizeGB: { value: 1, isDefault: false },
        evictionThreadsMax: { value: 8, isDefault: false },
        evictionTarget: { value: null, isDefault: false },
      },
      findings: [
        finding('warning', {
          rule: 'dirty-ratio',
          message: '20.0% of the cache is dirty.',
          advice: 'Do so.',
        }),
      ],
    }),
    row('b:2', { lagSeconds: 34, isHidden: true, delaySeconds: 3600, votes: 0, priority: 0 }),
    row('c:3', { priority: 0, role: 'recovering' }),
    down('d:4'),
    arbiter('e:5'),
  ];
  const sets = [
    {
      name: 'rs',
      shard: null,
      members: rows,
      findings: [finding('ok'), finding('warning'), finding('unknown', { rule: 'member-caches' })],
    },
  ];

  it('more findings than a screen holds: as many as fit, and how to read about the first', () => {
    const findings = Array.from({ length: 30 }, (_, i) =>
      finding('warning', { message: `b:${i} is behind.`, advice: 'Do so.' }),
    );
    const text = renderMembers(
      { kind: 'replica set', sets: [{ ...sets[0], members: [row('b:2')], findings }], notes: [] },
      plain,
    );
    fits(text);
    assert.match(text, /^ {2}and \d+ more: /m);
    assert.match(text, /^ {2}Explain +tune\.explain\("member-lag"\)$/m);
  });

  it('each with its figures, what is special about it, and what is wrong', () => {
    const text = renderMembers({ kind: 'replica set', sets, notes: ['A note.'] }, plain);
    fits(text);
    assert.equal(
      text,
      [
        'replica set rs  5 members',
        'FINDINGS     2 WARN  (1 without data, 1 OK)',
        '  WARN  member-lag   b:2 is behind.',
        '  WARN  dirty-ratio  a.example.org:27017: 20.0% of the cache is dirty.',
        '                     → Do so.',
        '  UNKN  no data for member-caches',
        '    state        lag  cache   used  dirty  version     RAM  CPUs',
        '  a.example.org:27017',
        '    primary           1 GiB  50.0%   2.0%  6.0.5    24 GiB     4',
        '    not at default: evictionThreadsMax 8',
        '  b:2  hidden, delayed by 60 min, no vote',
        '    secondary   34 s  1 GiB  50.0%   2.0%  6.0.5    24 GiB     4',
        '  c:3  priority 0',
        '    recovering  0 ms  1 GiB  50.0%   2.0%  6.0.5    24 GiB     4',
        '  d:4',
        '    down           ?      ?      ?      ?  ?             ?     ?',
        '    It did not answer within 8 s.',
        '  e:5',
        '    arbiter',
        '  Diagnose   tune.members({ advise: true })',
        '  note  A note.',
      ].join('\n'),
    );
  });
  it('what each says holds it back, where that was asked for', () => {
    const members = [
      row('a:1', { role: 'primary', bottleneck: 'none', because: 'Nothing.' }),
      row('b:2', { bottleneck: 'disk', because: 'The disk is the limit.' }),
      row('c:3', { bottleneck: 'unknown', because: null }),
    ];
    const text = renderMembers(
      {
        kind: 'replica set',
        sets: [{ name: 'rs', shard: null, members, findings: [finding('ok'), finding('ok')] }],
        notes: [],
      },
      marked,
    );
    assert.match(
      text,
      /BOTTLENECKS<\/strong>\n {2}a:1 {2}<good>none<\/good>\n {2}b:2 {2}<bad>disk<\/bad>\n {4}The disk is the limit\.\n {2}c:3 {2}<faint>unknown<\/faint>\n<strong>NEXT<\/strong> +connect to b:2, then run tune\.advise\(\)$/,
    );
    assert.match(text, /FINDINGS<\/strong> {5}no CRIT, no WARN<faint> {2}\(2 OK\)/);
  });
  it('one server, and a cluster of one shard', () => {
    const alone = renderMembers(
      {
        kind: 'standalone',
        sets: [
          {
            name: null,
            shard: null,
            members: [
              row('a:1', {
                role: 'standalone',
                set: null,
                settings: null,
                cores: null,
                priority: null,
              }),
            ],
            findings: [],
          },
        ],
        notes: [],
      },
      plain,
    );
    assert.match(alone, /^standalone server a:1\nFINDINGS {5}no CRIT, no WARN\n {4}state/);
    const one = renderMembers(
      {
        kind: 'sharded cluster',
        sets: [
          {
            name: 'rs1',
            shard: 'rs1',
            members: [row('a:1', { reached: false })],
            findings: [finding('unknown'), finding('unknown')],
          },
        ],
        notes: [],
      },
      plain,
    );
    assert.match(one, /^sharded cluster {2}1 shard\nrs1 {2}1 member\n/);
    assert.match(one, /\n {2}UNKN {2}no data for member-lag, member-lag\n/);
  });
  it('writes out what a terminal would act upon', () =>
    assert.doesNotMatch(
      renderMembers(
        {
          kind: 'replica set',
          sets: [
            {
              ...sets[0],
              name: 'r\u001b[31m',
              members: [
                row('a\u001b[2J', {
                  why: 'x\u0007',
                  reached: false,
                  role: 'pri\u0007',
                  version: '\u0007',
                }),
              ],
            },
          ],
          notes: ['\u0007'],
        },
        plain,
      ),
      /[\u0007\u001b]/,
    ));
});

describe('cluster/pure/rollout-text', () => {
  const member = (host, more = {}) => ({
    member: host,
    role: 'secondary',
    change: { evictionThreadsMax: 6 },
    before: { evictionThreadsMax: 4 },
    after: null,
    commands: [{ wiredTigerEngineRuntimeConfig: 'eviction=(threads_max=6)' }],
    steps: [],
    warnings: [],
    verified: null,
    conf: 'a: 1\n',
    lostAtRestart: true,
    ...more,
  });
  const data = (more = {}) => ({
    id: null,
    action: /** @type {const} */ ('apply'),
    undoes: null,
    dryRun: true,
    members: [member('b:2'), member('a:1', { role: 'primary' })],
    verified: null,
    warnings: [],
    undo: null,
    confirm: 'tune.apply({ evictionThreadsMax: 6 }, { members: "all", confirm: true })',
    ...more,
  });

  it('shows the order, and what is sent once where it is the same', () => {
    const text = renderGroup(data(), plain);
    fits(text);
    assert.equal(
      text,
      [
        '2 members, one by one  DRY RUN: nothing was changed',
        '      member             setting             now  after',
        '  1.  b:2     secondary  evictionThreadsMax    4      6',
        '  2.  a:1     primary    evictionThreadsMax    4      6',
        'WOULD SEND',
        '  db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig:',
        '    "eviction=(threads_max=6)" })',
        '  Between two members tune waits until the set is healthy and no member lags.',
        '  After a failure or Ctrl-C it undoes the change on the members that have it.',
        '  Apply      tune.apply({ evictionThreadsMax: 6 },',
        '               { members: "all", confirm: true })',
        '  Undo later tune.undo({ confirm: true })',
        'A restart loses these. To keep them, merge into mongod.conf of each member:',
        '  a: 1',
      ].join('\n'),
    );
  });
  it('names the members where one cannot start with the lines', () => {
    const members = [member('b:2'), member('a:1', { conf: null })];
    assert.match(renderGroup(data({ members }), plain), /into mongod\.conf of b:2:\n {2}a: 1$/);
  });
  it('what was done, member by member where it differs', () => {
    const members = [
      member('b:2', {
        after: { evictionThreadsMax: 6, evictionTarget: 75 },
        change: { evictionThreadsMax: 6, evictionTarget: 75 },
        before: {},
        conf: 'b: 2\n',
        commands: [{ wiredTigerEngineRuntimeConfig: 'x' }],
        warnings: ['Look out.'],
      }),
      member('a:1', { after: { evictionThreadsMax: 6 } }),
      member('c:3', { change: {}, commands: [], lostAtRestart: false }),
    ];
    const text = renderGroup(
      data({
        id: 'g',
        dryRun: false,
        members,
        verified: true,
        warnings: ['All of them.'],
        undo: 'tune.undo("g", { confirm: true })',
        confirm: null,
      }),
      plain,
    );
    fits(text);
    assert.match(text, /^3 members {2}change done and verified {2}g\n/);
    assert.match(text, /evictionThreadsMax {7}\? +6\n +evictionTarget {11}\? +75%/);
    assert.match(text, /3\. {2}c:3 +secondary {2}nothing to set/);
    assert.match(text, /on b:2:\n[^]*on a:1:\n/);
    assert.match(text, / {2}WARN {2}All of them\.\n {2}WARN {2}b:2: Look out\./);
    assert.match(text, /mongod\.conf of b:2:\n {2}b: 2\n.*mongod\.conf of a:1:\n {2}a: 1/);
    assert.match(
      renderGroup(data({ id: 'g', dryRun: false, members, verified: false }), plain),
      /change sent, NOT verified/,
    );
  });
  it('an undo, and nothing to do', () => {
    assert.match(renderGroup(data({ action: 'undo' }), plain), /DRY RUN: nothing was changed/);
    assert.doesNotMatch(renderGroup(data({ action: 'undo' }), plain), /mongod\.conf|Between two/);
    const none = renderGroup(
      data({ members: [member('a:1', { change: {}, lostAtRestart: false })], confirm: null }),
      plain,
    );
    assert.match(none, /^1 member {2}nothing to set\n/);
    const silent = data({
      dryRun: false,
      members: [member('a:1', { change: {}, lostAtRestart: false })],
      verified: false,
    });
    assert.match(renderGroup(silent, plain), /^1 member {2}nothing to set, NOT verified\n/);
    assert.match(
      renderGroup(data({ dryRun: false, id: null, verified: false }), plain),
      /^2 members {2}change sent, NOT verified\n/,
    );
  });
});

describe('config/drift-text', () => {
  const one = (kind, more = {}) => ({
    kind,
    name: 'net.port',
    running: '1',
    other: '2',
    hosts: [],
    ...more,
  });
  const data = (drift, more = {}) => ({
    host: 'db1:27017',
    version: '6.0.5',
    file: '/etc/mongod.conf',
    fileRead: true,
    comparedWith: ['b:2'],
    drift,
    notes: [],
    ...more,
  });

  it('each value beside the other one, by kind', () => {
    const text = renderDrift(
      data([
        one('file'),
        one('runtime'),
        one('command-line'),
        one('members', { hosts: ['b:2', 'c:3'] }),
      ]),
      plain,
    );
    fits(text);
    assert.match(
      text,
      /^db1:27017 {2}MongoDB 6\.0\.5\nCOMPARED {5}running settings with start-up options, \/etc\/mongod\.conf and 1\n {13}other member\nDRIFT {8}4 differences\n/,
    );
    assert.match(
      text,
      / {2}WARN {2}mongod\.conf differs[^]*\n {8}net\.port: running 1, in the file 2\n {8}→ The file[^]*command line differ[^]*WARN {2}Set at run time[^]*at start 2\n[^]*Other members have[^]*running 1, on b:2, c:3: 2\n/,
    );
  });
  it('no drift', () => {
    assert.equal(
      renderDrift(
        data([], {
          host: null,
          version: null,
          fileRead: false,
          comparedWith: [],
          notes: ['A note.'],
        }),
        plain,
      ),
      '?  MongoDB ?\nCOMPARED     running settings with start-up options\nDRIFT        none\n  note  A note.',
    );
    assert.match(renderDrift(data([], { comparedWith: ['b', 'c'] }), plain), /2\s+other members/);
  });
});

describe('diagnose/advice-text with members', () => {
  const at = new Date(0);
  const advice = {
    host: 'a:1',
    version: '6.0.5',
    window: { from: at, to: at, samples: 1 },
    bottleneck: 'none',
    because: 'x',
    evidence: [],
    runnerUp: null,
    findings: [],
    change: null,
    explain: [],
    notes: [],
  };
  it('shows what each says of itself', () => {
    const members = [
      { host: 'a:1', role: 'primary', lagSeconds: null, reached: true, bottleneck: 'none' },
      { host: 'b:2', role: 'secondary', lagSeconds: 34, reached: false, bottleneck: null },
      { host: 'c:3', role: 'arbiter', lagSeconds: null, reached: false, bottleneck: null },
    ];
    assert.match(
      renderAdvice(/** @type {any} */ ({ ...advice, members }), plain),
      /MEMBERS {2}state +lag +bottleneck\n {2}a:1 +primary +none\n {2}b:2 +secondary {2}34 s {2}not checked\n {2}c:3 +arbiter\n/,
    );
  });
});
