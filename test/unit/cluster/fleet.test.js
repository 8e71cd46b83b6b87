'use strict';

const assert = require('node:assert/strict');
const { linesOf, entriesOf, listOf, hostsIn } = require('../../../lib/cluster/pure/fleet-list');
const { worstOf, ranked, countsOf, exitCodeOf } = require('../../../lib/cluster/pure/fleet-rows');

const urisOf = (entries, env = {}) => listOf(entries, env).servers.map(({ uri }) => uri);
const one = (uri, env = {}) => listOf([{ at: 'line 1', uri }], env);

describe('cluster/pure/fleet-list', () => {
  it('takes a connection string a line, without comments and blank lines', () => {
    assert.deepEqual(
      linesOf(
        '# all of them\r\nmongodb://a:1\n\n  mongodb://b:2/?tls=true   # the slow ' +
          'one\n#mongodb://c:3\n',
      ),
      [
        { at: 'line 2', uri: 'mongodb://a:1' },
        { at: 'line 4', uri: 'mongodb://b:2/?tls=true' },
      ],
    );
  });
  it('takes a list of strings, and of objects, also under "servers"', () => {
    const items = [
      'mongodb://a',
      { uri: 'mongodb://b', name: 'B', tags: { env: 'prod', zone: 3 } },
      { uri: 'mongodb://c', tags: ['eu', 'old'] },
      { uri: 'mongodb://d', tags: null },
    ];
    for (const value of [items, { servers: items }]) {
      const { entries, problems } = entriesOf(value);
      assert.deepEqual(problems, []);
      assert.deepEqual(listOf(entries, {}).servers, [
        { uri: 'mongodb://a', name: 'a', tags: {} },
        { uri: 'mongodb://b', name: 'B', tags: { env: 'prod', zone: '3' } },
        { uri: 'mongodb://c', name: 'c', tags: { eu: '', old: '' } },
        { uri: 'mongodb://d', name: 'd', tags: {} },
      ]);
    }
  });
  it('says what is no list, and which fields there are not', () => {
    for (const value of [null, 'x', 3, {}, { servers: 'mongodb://a' }])
      assert.deepEqual(entriesOf(value).problems, ['it contains no list of servers']);
    assert.deepEqual(entriesOf([{ uri: 'mongodb://a', url: 1, user: 2 }]).problems, [
      'number 1 has "url", "user"; there are uri, name, tags',
    ]);
  });
  it('says where something is wrong, and never the string itself', () => {
    const { problems } = listOf(
      [
        { at: 'line 1', uri: 'mongodb://u:secret@' },
        { at: 'line 2', uri: 'http://secret' },
        { at: 'line 3', uri: 7 },
        { at: 'line 4', uri: 'mongodb://a b' },
        { at: 'line 5', uri: 'mongodb://${secret' },
        { at: 'line 6', uri: 'mongodb://${9secret}' },
        { at: 'line 7', uri: 'mongodb://a', name: '', tags: 3 },
        { at: 'line 8', uri: 'mongodb://b', name: 5, tags: [1] },
        { at: 'line 9', uri: 'mongodb://c', tags: { a: {} } },
      ],
      {},
    );
    assert.deepEqual(
      problems.map((problem) => problem.slice(0, 6)),
      [
        'line 2',
        'line 3',
        'line 4',
        'line 5',
        'line 6',
        'line 7',
        'line 7',
        'line 8',
        'line 8',
        'line 9',
      ],
    );
    assert.doesNotMatch(problems.join(), /secret(?!})|u:/);
  });
  it('puts variables in: encoded in credentials and options, as they are elsewhere', () => {
    const env = {
      USER: 'a@b',
      PASSWORD: 'p/w%?',
      HOST: 'db1:27017,db2:27017',
      ALL: 'mongodb://whole:1/?tls=true',
      SET: 'rs 0',
    };
    assert.deepEqual(
      urisOf(
        [{ at: '', uri: 'mongodb://${USER}:${PASSWORD}@${HOST}/admin?replicaSet=${SET}' }],
        env,
      ),
      ['mongodb://a%40b:p%2Fw%25%3F@db1:27017,db2:27017/admin?replicaSet=rs%200'],
    );
    assert.deepEqual(urisOf([{ at: '', uri: ' ${ALL} ' }], env), ['mongodb://whole:1/?tls=true']);
  });
  it('names the variables that are not set, or empty, each once', () => {
    const { unset, problems } = listOf(
      ['mongodb://u:${PW}@a', 'mongodb://u:${PW}@b', 'mongodb://${EMPTY}'].map((uri) => ({
        at: '',
        uri,
      })),
      { EMPTY: '' },
    );
    assert.deepEqual([unset, problems], [['EMPTY', 'PW'], []]);
  });
  it('asks a server once that is named twice', () => {
    const { servers, doubles } = listOf(
      [
        { at: '', uri: 'mongodb://a', name: 'first' },
        { at: '', uri: 'mongodb://a', name: 'second' },
        { at: '', uri: 'mongodb://b' },
      ],
      {},
    );
    assert.deepEqual([servers.map(({ name }) => name), doubles], [['first', 'b'], 1]);
  });
  it('calls a server by its hosts, without credentials', () => {
    assert.equal(hostsIn('mongodb+srv://u:p%40@cluster.example/db?x=1'), 'cluster.example');
    assert.equal(hostsIn('nothing'), '');
    assert.equal(one('mongodb://u:secret@h1:1,h2:2/?replicaSet=rs').servers[0].name, 'h1:1,h2:2');
  });
});

const row = (name, more = {}) => ({
  name,
  state: 'examined',
  status: 'ok',
  bottleneck: 'none',
  findings: [],
  clients: null,
  version: '6.0.5',
  ...more,
});
const names = (rows) => rows.map(({ name }) => name);

describe('cluster/pure/fleet-rows', () => {
  it('the worst finding counts, and what a rule cannot tell makes no server worse', () => {
    assert.equal(worstOf([{ status: 'unknown' }, { status: 'ok' }]), 'ok');
    assert.equal(
      worstOf([{ status: 'warning' }, { status: 'critical' }, { status: 'unknown' }]),
      'critical',
    );
    assert.equal(worstOf([]), 'ok');
  });
  it(
    'puts the worst first: in trouble, not seen, warned, well; then by what holds it back, how ' +
      'many findings, what clients lose',
    () => {
      const findings = (...statuses) => statuses.map((status) => ({ status }));
      const rows = [
        row('well'),
        row('also-well'),
        row('skipped', { state: 'skipped', status: 'unknown', bottleneck: null }),
        row('warned', { status: 'warning', findings: findings('warning') }),
        row('down', { state: 'unreachable', status: 'unknown', bottleneck: null }),
        row('worse', {
          status: 'critical',
          bottleneck: 'disk',
          findings: findings('critical'),
          clients: { a: 3, b: null },
        }),
        row('worst', {
          status: 'critical',
          bottleneck: 'disk',
          findings: findings('critical'),
          clients: { a: 4, b: 1 },
        }),
        row('calm', { status: 'critical', findings: findings('critical', 'critical') }),
        row('two', {
          status: 'critical',
          bottleneck: 'cpu',
          findings: findings('critical', 'critical'),
        }),
        row('noted', { status: 'info' }),
      ];
      assert.deepEqual(names(ranked(rows)), [
        'two',
        'worst',
        'worse',
        'calm',
        'down',
        'skipped',
        'warned',
        'noted',
        'also-well',
        'well',
      ]);
      assert.equal(rows[0].name, 'well', 'the list that was given stays as it is');
    },
  );
  it('counts only what occurs, statuses and bottlenecks of those that were seen', () => {
    const rows = [
      row('a'),
      row('b', { status: 'critical', bottleneck: 'disk', version: null }),
      row('c', { state: 'timed out', status: 'unknown', bottleneck: null, version: null }),
      row('d', { state: 'skipped', status: 'unknown', bottleneck: null, version: null }),
    ];
    assert.deepEqual(countsOf(rows), {
      asked: 3,
      examined: 2,
      states: { examined: 2, 'timed out': 1, skipped: 1 },
      statuses: { critical: 1, ok: 1 },
      bottlenecks: { none: 1, disk: 1 },
      versions: { '6.0.5': 1, '?': 1 },
    });
  });
  it('has an exit code for monitors', () => {
    assert.equal(exitCodeOf([row('a'), row('b', { status: 'info' })]), 0);
    assert.equal(exitCodeOf([row('a', { status: 'warning' })]), 1);
    assert.equal(exitCodeOf([row('a', { status: 'error' })]), 3);
    assert.equal(
      exitCodeOf([
        row('a', { status: 'warning' }),
        row('b', { state: 'refused', status: 'unknown' }),
      ]),
      1,
    );
    assert.equal(exitCodeOf([row('a'), row('b', { state: 'refused', status: 'unknown' })]), 3);
    assert.equal(
      exitCodeOf([
        row('a', { status: 'critical' }),
        row('b', { state: 'refused', status: 'unknown' }),
      ]),
      2,
    );
  });
});
