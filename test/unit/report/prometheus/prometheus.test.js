'use strict';

const assert = require('node:assert/strict');
const { diagnose } = require('../../../../lib/diagnose/diagnose');
const { loadRules } = require('../../../../lib/rules/registry');
const { NO_FACTS } = require('../../../../lib/server/pure/facts');
const { COUNTERS } = require('../../../../lib/server/pure/counters');
const { statusOf } = require('../../../../lib/server/pure/status');
const { last } = require('../../../../lib/server/pure/window');
const { exposition, familiesOf } = require('../../../../lib/report/pure/prometheus/families');
const { renderMetricsFile } = require('../../../../lib/report/pure/written-files');
const { promlint, findPromtool, runPromtool, NO_PROMTOOL } = require('../../../support/promlint');
const { windowOf } = require('../../../support/samples');
const { skipIf } = require('../../../support/skip');

const EVIL = 'db"1\\x\nline\x1b[31m';
const facts = {
  ...NO_FACTS,
  host: 'vm:27017',
  version: '6.0.5',
  role: /** @type {const} */ ('primary'),
  engine: 'wiredTiger',
};
/** Every counter there is, growing; figures of another size would be as good. */
const EVERYTHING = Object.fromEntries(
  Object.keys(COUNTERS).map((name, i) => [name, [1000 + i, 2000 + i]]),
);

/** @param {Record<string, any>} metrics @param {string} [server] */
function runOf(metrics, server = 'vm:27017') {
  const window = windowOf(metrics);
  const { bottleneck, findings } = diagnose({ window, facts }, { engine: loadRules() });
  return {
    server,
    atMs: Date.UTC(2026, 0, 1),
    tune: '1.0.0',
    examined: {
      status: statusOf(window, facts),
      counter: (name) => last(window, name) ?? null,
      seconds: 1,
      bottleneck,
      findings,
    },
  };
}

describe('report/prometheus', () => {
  const text = exposition(familiesOf(runOf(EVERYTHING)));
  const { series, types, problems } = promlint(text);
  const valueOf = (name, labels = {}, all = series) =>
    all.find(
      (one) =>
        one.name === `mongosh_tune_${name}` &&
        Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    )?.value;

  it('is what the format and the naming rules ask for', () => assert.deepEqual(problems, []));
  it('promtool minds nothing', function () {
    const promtool = findPromtool();
    skipIf(this, promtool === null ? NO_PROMTOOL : null);
    assert.deepEqual(runPromtool(promtool, ['check', 'metrics'], text), { code: 0, said: '' });
  });
  it('the checker sees what is wrong', () => {
    for (const [wrong, why] of [
      ['# HELP a_total x\n# TYPE a_total gauge\na_total 1\n', /_total/],
      ['# HELP a x\n# TYPE a gauge\na 1\na 1\n', /twice/],
      ['# TYPE a gauge\na 1\n', /HELP/],
      ['# HELP a_ms x\n# TYPE a_ms gauge\na_ms 1\n', /base unit/],
      ['# HELP a x\n# TYPE a gauge\na{b="c"d"} 1\n', /not a series/],
      ['# HELP a x\n# TYPE a gauge\na one\n', /not a series/],
      ['# HELP a x\n# TYPE a gauge\na 1', /line end/],
      [
        '# HELP a x\n# TYPE a gauge\n# HELP b x\n# TYPE b gauge\na{c="1"} 1\nb 1\na{c="2"} 1\n',
        /not together/,
      ],
      ['# HELP a_count x\n# TYPE a_count gauge\na_count 1\n', /histograms/],
    ])
      assert.match(promlint(wrong).problems.join(), why, wrong);
  });
  it('every series names its server, so that several servers of one machine stand side by side', () =>
    assert.ok(series.every(({ labels }) => labels.server === 'vm:27017')));
  it("has base units: seconds from the server's milliseconds and microseconds", () => {
    const status = runOf({
      ...EVERYTHING,
      'checkpoint.lastMs': 2500,
      'latency.readMicros': [0, 3e6],
    });
    const own = promlint(exposition(familiesOf(status))).series;
    assert.equal(valueOf('checkpoint_last_seconds', {}, own), 2.5);
    assert.equal(valueOf('operation_seconds_total', { kind: 'read' }, own), 3);
    assert.equal(types.get('mongosh_tune_operation_seconds_total'), 'counter');
  });
  it('adds up counters, and leaves out a sum of which a part is not reported', () => {
    const own = promlint(
      exposition(
        familiesOf(
          runOf({
            ...EVERYTHING,
            'ops.queries': [1, 5],
            'ops.getmores': [2, 7],
            'ops.inserts': [undefined, undefined],
          }),
        ),
      ),
    ).series;
    assert.equal(valueOf('operations_total', { kind: 'read' }, own), 12);
    assert.equal(valueOf('operations_total', { kind: 'write' }, own), undefined);
  });
  it('leaves out what the server does not report, and a family of which nothing is told', () => {
    const { types: few, problems: none } = promlint(
      exposition(familiesOf(runOf({ 'cache.maxBytes': 100, 'cache.usedBytes': 50 }))),
    );
    assert.deepEqual(none, []);
    assert.ok(
      few.has('mongosh_tune_cache_used_ratio') &&
        !few.has('mongosh_tune_checkpoint_running') &&
        !few.has('mongosh_tune_tickets_limit'),
    );
  });
  it('tells each rule as a number, not a number where the rule could not tell', () => {
    const { examined, ...run } = runOf(EVERYTHING);
    const findings = [
      ['b', 'warning'],
      ['a', 'critical'],
      ['c', 'ok'],
      ['d', 'info'],
      ['e', 'unknown'],
      ['f', 'error'],
    ].map(([rule, status]) => ({ ...examined.findings[0], rule, status }));
    const own = promlint(
      exposition(familiesOf({ ...run, examined: { ...examined, findings } })),
    ).series;
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((rule) => valueOf('finding_severity', { rule }, own)),
      [3, 2, 0, 1, NaN, NaN],
    );
    assert.deepEqual(
      ['critical', 'warning', 'error', 'info', 'unknown', 'ok'].map((status) =>
        valueOf('findings', { status }, own),
      ),
      [1, 1, 1, 1, 1, 1],
    );
    assert.equal(
      own.filter(({ name, value }) => name === 'mongosh_tune_bottleneck' && value === 1).length,
      1,
    );
  });
  it('a sample that failed leaves when it was, and no figures', () => {
    const failed = promlint(
      exposition(familiesOf({ server: 'vm', atMs: 1500, tune: '1.0.0', examined: null })),
    );
    assert.deepEqual(failed.problems, []);
    assert.deepEqual(
      failed.series.map(({ name, value }) => [name, value]),
      [
        ['mongosh_tune_build_info', 1],
        ['mongosh_tune_last_run_timestamp_seconds', 1.5],
        ['mongosh_tune_last_run_success', 0],
      ],
    );
  });
  it('escapes names, and lets none act on a terminal', () => {
    const evil = exposition(familiesOf(runOf(EVERYTHING, EVIL)));
    assert.deepEqual(promlint(evil).problems, []);
    assert.doesNotMatch(evil, /\x1b/);
    assert.equal(promlint(evil).series[0].labels.server, 'db"1\\x\\nline\\u001b[31m');
  });
  it('writes numbers and help as the format has them', () => {
    const family = {
      name: 'a',
      type: /** @type {const} */ ('gauge'),
      help: 'one\ntwo \\',
      series: [Infinity, -Infinity, 1e21, 0.1].map((value, i) => ({
        labels: { i: String(i) },
        value,
      })),
    };
    assert.equal(
      exposition([family]),
      '# HELP a one\\ntwo \\\\\n# TYPE a gauge\na{i="0"} +Inf\na{i="1"} -Inf\na{i="2"} ' +
        '1e+21\na{i="3"} 0.1\n',
    );
    assert.equal(
      exposition([{ ...family, help: 'x', series: [{ labels: {}, value: 1 }] }]),
      '# HELP a x\n# TYPE a gauge\na 1\n',
    );
  });
  it('says what was written', () => {
    const plain = (/** @type {string} */ words) => words;
    assert.equal(
      renderMetricsFile(
        { file: '/x/y.prom', server: 'vm:1', series: 106, notes: ['It restarted.'] },
        plain,
      ),
      'vm:1  106 series in Prometheus text format\nWRITTEN      /x/y.prom\n' +
        "NEXT         the textfile collector of Prometheus' node_exporter reads it\n" +
        '  note  It restarted.',
    );
    assert.match(
      renderMetricsFile({ file: null, server: 'vm', series: 1, notes: [] }, plain),
      /1 series/,
    );
  });
});
