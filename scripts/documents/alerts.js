'use strict';

const { stringify } = require('yaml');
const { PREFIX, SEVERITY } = require('../../lib/report/pure/prometheus/families');
const { runbookOf } = require('./runbooks');

/**
 * @import { Rule } from '../../lib/rules/rule'
 */

/**
 * Alert rules of Prometheus. What is too much each rule has judged already, by its own thresholds
 * and by more than one figure; so an alert asks for the severity of its finding, and repeats its words.
 * @typedef {{
 *   alert: string, expr: string, for: string,
 *   labels: { severity: 'info' | 'warning' | 'critical' }, annotations: Record<string, string>
 * }} Alert
 */

/**
 * A finding is of one sample; the same in three samples, five minutes apart, is no chance. What is
 * critical hurts clients meanwhile.
 */
const WARNING_FOR = '15m';
const CRITICAL_FOR = '5m';
/** Three runs of every five minutes that did not come. */
const STALE_SECONDS = 900;
/** A load that comes for some minutes is not worth a change. */
const BOTTLENECK_FOR = '30m';

/**
 * @param {readonly Rule[]} rules
 * @param {string} [home] where the pages of the rules are served; without it, in the repository
 * @returns {string} YAML
 */
function alertsFile(rules, home) {
  const groups = [
    { name: 'mongosh-tune', rules: ownAlerts() },
    { name: 'mongosh-tune rules', rules: rules.flatMap((rule) => alertsOf(rule, home)) },
  ];
  return (
    `# Made by \`npm run docs\` from lib/rules/engine; edit the rule, not this file. For ` +
    `Prometheus: docs/monitoring.md.\n${stringify({ groups }, { lineWidth: 0 })}`
  );
}

/** @returns {Alert[]} about the runs themselves, and the verdict */
const ownAlerts = () => [
  alert(
    'MongoshTuneStale',
    {
      expr: `time() - ${PREFIX}last_run_timestamp_seconds > ${STALE_SECONDS}`,
      for: '1m',
      severity: 'warning',
    },
    {
      summary: '{{ $labels.server }}: no mongosh-tune run for {{ $value | humanizeDuration }}',
      description:
        'The metrics of this server are out of date. Check the timer or crontab that runs ' +
        'snippets/metrics.js.',
    },
  ),
  alert(
    'MongoshTuneCannotSample',
    { expr: `${PREFIX}last_run_success == 0`, for: WARNING_FOR, severity: 'warning' },
    {
      summary: '{{ $labels.server }}: mongosh-tune cannot sample the server',
      description:
        'The server is down or unreachable, or rejects the user. Run snippets/metrics.js by ' +
        'hand: it prints the reason.',
    },
  ),
  alert(
    'MongoshTuneBottleneck',
    {
      expr: `${PREFIX}bottleneck{bottleneck!~"none|idle|unknown"} == 1`,
      for: BOTTLENECK_FOR,
      severity: 'info',
    },
    {
      summary: '{{ $labels.server }}: bottleneck {{ $labels.bottleneck }} for 30 minutes',
      description:
        'tune.advise() on this server shows the cause and the recommended change, if any.',
    },
  ),
];

/**
 * One for each status that its thresholds name.
 * @param {Rule} rule
 * @param {string} [home]
 * @returns {Alert[]}
 */
function alertsOf(rule, home) {
  const name = `MongoshTune${rule.id
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('')}`;
  const names = (/** @type {string} */ status) =>
    new RegExp(`\\b${status}\\b`, 'i').test(rule.threshold);
  const of = (/** @type {'warning' | 'critical'} */ severity, /** @type {string} */ patience) =>
    alert(
      `${name}${severity === 'critical' ? 'Critical' : ''}`,
      {
        expr: `${PREFIX}finding_severity{rule="${rule.id}"} >= ${SEVERITY[severity]}`,
        for: patience,
        severity,
      },
      {
        summary: `{{ $labels.server }}: ${rule.title}`,
        description: rule.threshold,
        advice: rule.advice,
        runbook_url: runbookOf(rule.id, home),
      },
    );
  return [
    ...(names('warning') ? [of('warning', WARNING_FOR)] : []),
    ...(names('critical') ? [of('critical', CRITICAL_FOR)] : []),
  ];
}

/**
 * @param {string} name
 * @param {{ expr: string, for: string, severity: Alert['labels']['severity'] }} when
 * @param {Record<string, string>} annotations
 * @returns {Alert}
 */
const alert = (name, { severity, ...when }, annotations) => ({
  alert: name,
  ...when,
  labels: { severity },
  annotations,
});

module.exports = { alertsFile };
