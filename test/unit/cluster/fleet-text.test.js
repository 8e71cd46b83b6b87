'use strict';

const assert = require('node:assert/strict');
const { countsOf, ranked } = require('../../../lib/cluster/pure/fleet-rows');
const { renderFleet } = require('../../../lib/cluster/pure/fleet-text');

const plain = (/** @type {string} */ text) => text;
const finding = (/** @type {string} */ rule, status = 'critical') => ({
  rule,
  area: 'cache',
  status,
  message: '',
  advice: null,
});
const row = (/** @type {string} */ name, more = {}) => ({
  name,
  tags: {},
  state: 'examined',
  status: 'ok',
  bottleneck: 'none',
  because: null,
  findings: [],
  clients: null,
  version: '6.0.5',
  error: null,
  ...more,
});
const draw = (/** @type {any[]} */ rows, limit = 40, notes = /** @type {string[]} */ ([])) =>
  renderFleet(
    /** @type {any} */ ({
      seconds: 62,
      servers: rows.length,
      ...countsOf(/** @type {any} */ (rows)),
      rows: ranked(/** @type {any} */ (rows)),
      notes,
    }),
    limit,
    plain,
  );

describe('cluster/pure/fleet-text', () => {
  const rows = [
    row('shop-1:27017', {
      status: 'critical',
      bottleneck: 'eviction-threads',
      findings: ['app-eviction', 'cache-wait', 'dirty-ratio'].map((rule) => finding(rule)),
    }),
    row('shop-2:27017'),
    row('shop-3:27017', {
      status: 'warning',
      bottleneck: null,
      findings: [finding('cpu-load', 'warning')],
    }),
    row(`${'long'.repeat(20)}:27017`, {
      state: 'unreachable',
      status: 'unknown',
      bottleneck: null,
      version: null,
      error: {
        code: 'TUNE-20011',
        why: 'connect ECONNREFUSED 10.0.0.1:27017 \x1b[31m and more',
        message: '',
      },
    }),
    row('shop-5', { state: 'skipped', status: 'unknown', bottleneck: null, version: null }),
  ];
  it('shows the worst first, a line each, in 80 columns', () => {
    assert.equal(
      draw(rows, 40, ['Interrupted: 1 of 5 were not looked at.']),
      [
        '5 servers  in 62 s',
        'FLEET        1 critical, 1 warning, 1 ok, 1 unreachable, 1 skipped',
        'BOTTLENECKS  1 none, 1 eviction-threads',
        'VERSIONS     6.0.5 (3)',
        '  CRIT  shop-1:27017                eviction-threads  app-eviction, cache-wait,…',
        '  UNKN  longlonglonglonglonglongl…  unreachable       connect ECONNREFUSED 10.0…',
        '  UNKN  shop-5                      skipped',
        '  WARN  shop-3:27017                ?                 cpu-load',
        '  OK    shop-2:27017                none',
        '  note  Interrupted: 1 of 5 were not looked at.',
        '  All        tune.last.rows',
      ].join('\n'),
    );
    for (const line of draw(rows).split('\n')) assert.ok(line.length <= 80, line);
  });
  it('says how many are not shown, and whether they need somebody', () => {
    assert.match(
      draw(rows, 2),
      /\n {2}and 3 more, 2 of them with a warning or worse\n {2}All {8}tune\.last\.rows$/,
    );
    assert.match(draw(rows, 4), /\n {2}and 1 more, all without a warning\n/);
  });
  it('says what there is of one, and of none that could be seen', () => {
    assert.match(draw([rows[3]]), /^1 server {2}in 62 s\nFLEET {8}1 unreachable\n {2}UNKN {2}/);
  });
});
