'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const yaml = require('yaml');
const { main } = require('../../../scripts/alerts');
const { alertsFile } = require('../../../scripts/documents/alerts');
const { dashboardFile } = require('../../../scripts/documents/dashboard');
const { runbookOf } = require('../../../scripts/documents/runbooks');
const { diagnose } = require('../../../lib/diagnose/diagnose');
const { loadRules } = require('../../../lib/rules/registry');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { COUNTERS } = require('../../../lib/server/pure/counters');
const { statusOf } = require('../../../lib/server/pure/status');
const { last } = require('../../../lib/server/pure/window');
const { exposition, familiesOf } = require('../../../lib/report/pure/prometheus/families');
const { temporaryFolder } = require('../../support/cleanup');
const { promlint, findPromtool, runPromtool, NO_PROMTOOL } = require('../../support/promlint');
const { windowOf } = require('../../support/samples');
const { skipIf } = require('../../support/skip');

const FOLDER = path.join(__dirname, '../../../docs/monitoring');
const rules = loadRules();
const { groups } = yaml.parse(alertsFile(rules));
const alerts = groups.flatMap((/** @type {any} */ group) => group.rules);
const dashboard = JSON.parse(dashboardFile(rules));
const expressions = [
  ...alerts.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ query }) => query),
];

/** What tune.metrics() tells of a server that tells everything. */
function emitted() {
  const window = windowOf(
    Object.fromEntries(Object.keys(COUNTERS).map((name, i) => [name, [1000 + i, 2000 + i]])),
  );
  const { bottleneck, findings } = diagnose({ window, facts: NO_FACTS }, { engine: rules });
  return promlint(
    exposition(
      familiesOf({
        server: 'vm',
        atMs: 0,
        tune: '1.0.0',
        examined: {
          status: statusOf(window, { ...NO_FACTS, version: '6.0.5' }),
          counter: (name) => last(window, name) ?? null,
          seconds: 1,
          bottleneck,
          findings,
        },
      }),
    ),
  ).series;
}

describe('what is made for Prometheus and Grafana', () => {
  const series = emitted();
  it('speaks only of series that there are, by labels and values that they have', () => {
    let asked = 0;
    for (const [, name, labels = ''] of expressions.flatMap((expr) => [
      ...expr.matchAll(/(mongosh_tune_\w+)(?:\{([^}]*)\})?/g),
    ])) {
      const found = series.filter((one) => one.name === name);
      assert.ok(found.length > 0, `${name} is not reported`);
      for (const [, label, how, value] of labels.matchAll(/(\w+)(=~|!~|=)"([^"]*)"/g)) {
        assert.ok(
          found.every((one) => label in one.labels),
          `${name} has no ${label}`,
        );
        if (how === '=')
          assert.ok(
            found.some((one) => one.labels[label] === value),
            `${name} has no ${label} ${value}`,
          );
        asked += 1;
      }
    }
    assert.ok(asked > 60, String(asked));
  });
  it(
    'alerts of every rule that can warn, with its page, its thresholds and its advice, and of ' +
      'none other',
    () => {
      const able = rules.filter(({ threshold }) => /\b(warning|critical)\b/i.test(threshold));
      for (const { id, threshold, advice, title } of able) {
        const own = alerts.filter(({ expr }) => expr.includes(`rule="${id}"`));
        assert.ok(own.length >= 1 && own.length <= 2, id);
        for (const { annotations, labels } of own) {
          assert.deepEqual(
            { ...annotations, runbook_url: '' },
            {
              summary: `{{ $labels.server }}: ${title}`,
              description: threshold,
              advice,
              runbook_url: '',
            },
          );
          assert.ok(annotations.runbook_url.endsWith(`docs/rules/${id}.md`));
          assert.ok(fs.existsSync(path.join(FOLDER, '../rules', `${id}.md`)), id);
          assert.match(labels.severity, /^(warning|critical)$/);
        }
      }
      assert.equal(
        new Set(
          alerts
            .filter(({ expr }) => expr.includes('rule='))
            .map(({ expr }) => /rule="([^"]+)"/.exec(expr)?.[1]),
        ).size,
        able.length,
      );
    },
  );
  for (const [home, address] of [
    ['', 'docs/rules/tickets.md'],
    ['https://github.com/o/n#readme', 'https://github.com/o/n/blob/main/docs/rules/tickets.md'],
    ['https://github.com/o/n/', 'https://github.com/o/n/blob/main/docs/rules/tickets.md'],
    ['https://tune.example/1.0/', 'https://tune.example/1.0/docs/rules/tickets.md'],
  ])
    it(`the page of a rule, with the homepage "${home}", is ${address}`, () =>
      assert.equal(runbookOf('tickets', home), address));
  it('runbook_url is what npm run alerts is given, or what the line of the page makes of it', () => {
    const urlsIn = (/** @type {string} */ text) =>
      [...text.matchAll(/^ *runbook_url: (.+)$/gm)].map(([, url]) => url);
    const page = fs.readFileSync(path.join(FOLDER, '../monitoring.md'), 'utf8');
    const [, pattern, put] = /** @type {RegExpExecArray} */ (
      /sed -i 's#(.+?)#(.+?)#' alerts/.exec(page)
    );
    const shipped = fs.readFileSync(path.join(FOLDER, 'alerts.yml'), 'utf8');
    const edited = shipped.replaceAll(pattern, put);
    let made = '';
    const out = { write: (/** @type {string} */ text) => (made += text), error: () => {} };
    assert.equal(main(['https://wiki.example/'], out), 0);
    assert.equal(made, edited);
    assert.ok(urlsIn(made).length > 50);
    for (const url of urlsIn(made))
      assert.ok(
        fs.existsSync(path.join(FOLDER, '../..', new URL(url).pathname)),
        `${url} is no page`,
      );
    for (const wrong of [[], [''], ['wiki'], ['https://a', 'b'], ['ftp://a']])
      assert.equal(main(wrong, out), 2);
  });
  it('no text of a rule is taken for a template', () => {
    for (const {
      annotations: { description, advice = '' },
    } of alerts)
      assert.doesNotMatch(description + advice, /\{\{|\}\}/);
  });
  it('alerts have names of their own, that Prometheus takes', () => {
    assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
    for (const { alert, expr, for: patience } of alerts) {
      assert.match(alert, /^MongoshTune[A-Z]\w+$/);
      assert.match(patience, /^\d+m$/);
      assert.ok(expr.length > 10);
    }
  });
  it('promtool reads the alerts', function () {
    const promtool = findPromtool();
    skipIf(this, promtool === null ? NO_PROMTOOL : null);
    const { code, said } = runPromtool(promtool, [
      'check',
      'rules',
      path.join(FOLDER, 'alerts.yml'),
    ]);
    assert.equal(code, 0, said);
    assert.match(said, new RegExp(`SUCCESS: ${alerts.length} rules found`));
  });
  describe('read by promtool', () => {
    const promtool = findPromtool();
    let folder;
    before(function () {
      skipIf(this, promtool === null ? NO_PROMTOOL : null);
      folder = temporaryFolder('promtool');
    });
    after(() => folder?.remove());
    const written = (/** @type {string} */ name, /** @type {object} */ value) => {
      fs.writeFileSync(path.join(folder.path, name), yaml.stringify(value));
      return path.join(folder.path, name);
    };
    it('the expressions of the dashboard are PromQL', () => {
      const asked = dashboard.panels.flatMap(({ targets }) =>
        targets.map(({ expr }) => expr.replaceAll('$server', '.*').replaceAll('$window', '15m')),
      );
      const file = written('panels.yml', {
        groups: [
          { name: 'panels', rules: asked.map((expr, i) => ({ record: `panel:${i}`, expr })) },
        ],
      });
      const { code, said } = runPromtool(promtool, ['check', 'rules', file]);
      assert.equal(code, 0, said);
      assert.match(said, new RegExp(`SUCCESS: ${asked.length} rules found`));
    });
    it('an alert comes when a finding stays, and not for one sample', () => {
      const at = (/** @type {string} */ rule, /** @type {string} */ values) => ({
        series: `mongosh_tune_finding_severity{server="vm",rule="${rule}",area="cache"}`,
        values,
      });
      const firing = (
        /** @type {string} */ name,
        /** @type {string} */ time,
        /** @type {string | null} */ rule,
      ) => ({
        eval_time: time,
        alertname: name,
        exp_alerts:
          rule === null
            ? []
            : [
                {
                  exp_labels: {
                    server: 'vm',
                    rule,
                    area: 'cache',
                    severity: name.endsWith('Critical') ? 'critical' : 'warning',
                  },
                },
              ],
      });
      fs.copyFileSync(path.join(FOLDER, 'alerts.yml'), path.join(folder.path, 'alerts.yml'));
      // What an alert says is that of its rule, as other tests see.
      const bare = yaml.parse(fs.readFileSync(path.join(folder.path, 'alerts.yml'), 'utf8'));
      for (const group of bare.groups) for (const rule of group.rules) delete rule.annotations;
      written('alerts.yml', bare);
      const file = written('test.yml', {
        rule_files: ['alerts.yml'],
        evaluation_interval: '1m',
        tests: [
          {
            interval: '5m',
            input_series: [
              at('dirty-ratio', '3x6'),
              at('cache-wait', '0 2 0 0 0 0 0'),
              { series: 'mongosh_tune_last_run_timestamp_seconds{server="vm"}', values: '0x12' },
            ],
            alert_rule_test: [
              firing('MongoshTuneDirtyRatioCritical', '4m', null),
              firing('MongoshTuneDirtyRatioCritical', '6m', 'dirty-ratio'),
              firing('MongoshTuneDirtyRatio', '16m', 'dirty-ratio'),
              firing('MongoshTuneCacheWait', '20m', null),
              { eval_time: '14m', alertname: 'MongoshTuneStale', exp_alerts: [] },
              {
                eval_time: '18m',
                alertname: 'MongoshTuneStale',
                exp_alerts: [{ exp_labels: { server: 'vm', severity: 'warning' } }],
              },
            ],
          },
        ],
      });
      const { code, said } = runPromtool(promtool, ['test', 'rules', file]);
      assert.equal(code, 0, said);
    });
  });
  it('the charts have the lines of the rules', () => {
    const stepsOf = (title) =>
      dashboard.panels
        .find((panel) => panel.title === title)
        .fieldConfig.defaults.thresholds.steps.map(({ value }) => value);
    const limits = (id) => rules.find((rule) => rule.id === id).thresholds;
    assert.deepEqual(stepsOf('Duration of the last checkpoint'), [
      null,
      limits('checkpoint-duration').longMs / 1000,
      limits('checkpoint-duration').veryLongMs / 1000,
    ]);
    assert.deepEqual(stepsOf('Application threads blocked by the cache (mean number)'), [
      null,
      limits('cache-wait').minThreads,
    ]);
    assert.throws(
      () => dashboardFile(rules.filter(({ id }) => id !== 'checkpoint-duration')),
      TypeError,
    );
    assert.throws(
      () => dashboardFile(rules.filter(({ id }) => id !== 'tickets')),
      /there is no rule tickets/,
    );
  });
  it('the panels of the dashboard fill its width and do not lie on each other', () => {
    const taken = new Set();
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
    for (const {
      gridPos: { x, y, w, h },
      title,
    } of dashboard.panels) {
      assert.ok(x + w <= 24, title);
      for (let column = x; column < x + w; column++)
        for (let line = y; line < y + h; line++) {
          assert.ok(!taken.has(`${column} ${line}`), title);
          taken.add(`${column} ${line}`);
        }
    }
  });
});
