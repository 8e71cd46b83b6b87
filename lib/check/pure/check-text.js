'use strict';

const { callText, visible } = require('../../base/pure/printable');
const { UNKNOWN, count, percent } = require('../../base/pure/units');
const { EXIT_CODES } = require('../../base/pure/finding');
const { HEAD, callLines, findingRows, firstLine, noteLines, part } = require('../../text/layout');
const { wrap } = require('../../text/wrap');

/**
 * @import { Finding } from '../../base/pure/finding'
 * @import { Ink, Tone } from '../../base/types'
 * @import { Checked } from './types'
 * @import { Status } from '../../server/pure/status'
 */

/**
 * Monitoring Plugins Development Guidelines: one line of a state, what is the matter, and behind a
 * bar the performance data; further lines are the long output. Nagios and Icinga cut at bars, so
 * none stands in a text.
 *
 * @typedef {Finding & { reason: string, until: string }} Suppressed
 */

const MARKS = Object.freeze(
  /** @type {Record<string, string>} */ ({
    critical: 'CRITICAL',
    warning: 'WARNING',
    error: 'UNKNOWN',
  }),
);
/** A larger value is no figure of a server. */
const MAX = 1e15;

/** @type {Readonly<Record<Checked['status'], Tone>>} */
const TONES = Object.freeze({ ok: 'good', warning: 'warn', critical: 'bad', unknown: 'faint' });

/**
 * Prints for a person: without performance data and advice, which tune.advise() and tune.explain()
 * show.
 * @param {Checked} checked
 * @param {Ink} ink
 * @returns {string}
 */
function renderCheck(checked, ink) {
  const { status, bottleneck, findings, perfdata, notes } = checked;
  const word = status.toUpperCase();
  const [first] = findings;
  // Findings about the list of suppressions belong to no rule.
  const rule = findings.find(({ area }) => area !== 'check');
  return [
    `${ink(word, TONES[status])}${' '.repeat(Math.max(2, HEAD - word.length))}` +
      `${firstLine(checked, ink(`exit code ${EXIT_CODES[status]}`, 'faint'), ink)}`,
    ...(bottleneck === 'unknown' ? [] : part('BOTTLENECK', bottleneck, ink)),
    ...(first === undefined ? part('SERVER', figures(perfdata), ink) : []),
    ...findingRows(findings, ink).flat(),
    ...setAside(checked, ink),
    ...noteLines(notes, ink),
    ...callLines(
      [
        ['Diagnose', first === undefined && !isSetAside(checked) ? null : 'tune.advise()'],
        ['Explain', rule ? callText('explain', rule.rule) : null],
      ],
      ink,
    ),
  ].join('\n');
}

/** Whether something is found that does not count. @param {Checked} checked */
const isSetAside = ({ suppressed, inBaseline }) => suppressed.length + inBaseline.length > 0;

/** Prints findings that do not count. @param {Checked} checked @param {Ink} ink */
function setAside({ findings, suppressed, inBaseline }, ink) {
  const expired = findings.filter(({ area }) => area === 'check').length;
  if (suppressed.length + inBaseline.length + expired === 0) return [];
  const what = suppressed.map(({ key, reason, until }) => `${key} until ${until} (${reason})`);
  const known = inBaseline.map(({ rule }) => rule);
  return part(
    'NOT COUNTED',
    `suppressed ${suppressed.length}${what.length > 0 ? `: ${what.join(', ')}` : ''}; in ` +
      `baseline ${inBaseline.length}${known.length > 0 ? `: ${known.join(', ')}` : ''}; expired ` +
      `suppressions ${expired}`,
    ink,
    'faint',
  );
}

/** Prints for a monitor. @param {Checked} checked @returns {string} */
function renderPlugin(checked) {
  return [
    `${summary(checked)} | ${checked.perfdata.map(perf).join(' ')}`,
    ...longOutput(checked),
  ].join('\n');
}

/** @param {Checked} checked @returns {string} in one line */
function summary({ host, version, status, perfdata, findings }) {
  const [first, ...rest] = findings;
  const what =
    first === undefined
      ? figures(perfdata)
      : `${first.rule}: ${first.message}${rest.length > 0 ? ` (and ${rest.length} more)` : ''}`;
  return plain(
    `TUNE ${status.toUpperCase()} - ${host ?? UNKNOWN}, MongoDB ${version ?? UNKNOWN}: ${what}`,
  );
}

/** Prints figures where there is no trouble. @param {readonly Perf[]} perfdata @returns {string} */
function figures(perfdata) {
  const value = (/** @type {string} */ label) =>
    perfdata.find((perf) => perf.label === label)?.value ?? null;
  const ratio = (/** @type {string} */ label) =>
    percent(value(label) === null ? null : Number(value(label)) / 100);
  return (
    `cache ${ratio('cache_used')} used, ${ratio('cache_dirty')} dirty; ${count(value('reads'))} ` +
    `reads/s, ${count(value('writes'))} writes/s`
  );
}

/**
 * A window as short as a check's is often too short for a bottleneck.
 * @param {Checked} checked
 * @returns {string[]} what to do comes after what it is
 */
const longOutput = ({ bottleneck, because, findings, suppressed, inBaseline, notes }) => [
  ...(bottleneck === 'unknown' ? [] : lines(`bottleneck ${bottleneck}: ${because}`)),
  ...findings.flatMap(({ rule, status, message, advice }) => [
    ...lines(`${MARKS[status]} ${rule}: ${message}`),
    ...(advice === null ? [] : lines(advice, '  ')),
  ]),
  ...suppressed.flatMap(({ key, message, reason, until }) =>
    lines(`suppressed until ${until} (${reason}): ${key}: ${message}`),
  ),
  ...inBaseline.flatMap(({ key, status, message }) =>
    lines(`in baseline, ${status}: ${key}: ${message}`),
  ),
  ...notes.flatMap((note) => lines(`note: ${note}`)),
];

/** @param {string} text @param {string} [indent] */
const lines = (text, indent = '') => wrap(plain(text), `${indent}  `, indent);

/** @param {string} text */
const plain = (text) => visible(text).replace(/\|/g, '¦');

/** @param {Perf} perf @returns {string} `'cache_used'=80.1%;;;0;100` */
function perf({ label, value, unit, warn, crit, min, max }) {
  const known = value !== null && Math.abs(value) < MAX;
  return `'${label}'=${known ? figure(value) + unit : 'U'};${[warn, crit, min, max].map((limit) => (limit === null ? '' : figure(limit))).join(';')}`;
}

/** Prints a number without an exponent, which no monitor reads. @param {number} value */
const figure = (value) => String(Number(value.toFixed(3)));

/**
 * @param {string} message of an error
 * @returns {string} what a monitor shows where there is no answer
 */
const renderUnable = (message) => `TUNE UNKNOWN - ${plain(message.split('\n')[0])}`;

/**
 * The figures of a check for the charts of a monitor, with its units (Monitoring Plugins
 * Development Guidelines, "Performance data"). A figure that is not known is `null`, and `U` there.
 *
 * @typedef {'%' | 'ms' | 'B' | ''} Unit no unit: a number of things
 * @typedef {{
 *   label: string, value: number | null, unit: Unit, warn: number | null, crit: number | null,
 *   min: number | null, max: number | null
 * }} Perf
 */

/** @param {number | null} ratio */
const percentOf = (ratio) => (ratio === null ? null : ratio * 100);

/**
 * `warn` and `crit` are set where a rule judges that very figure; the settings in effect decide some
 * of them.
 * @param {Status} status
 * @param {{
 *   queued: number | null, ofRules: Readonly<Record<string, Readonly<Record<string, number>>>>
 * }} more `ofRules`: the thresholds of the rules, by their ids
 * @returns {Perf[]} always the same labels in the same order: charts depend on it
 */
function perfdataOf(
  { cache, eviction, checkpoint, clients, tickets, ops, thresholds },
  { queued, ofRules },
) {
  const near = (/** @type {string} */ rule, /** @type {number | null} */ trigger) =>
    trigger === null
      ? {}
      : { warn: trigger * 100 * ofRules[rule].nearTriggerRatio, crit: trigger * 100 };
  const { longMs, veryLongMs } = ofRules['checkpoint-duration'];
  return [
    share('cache_used', cache.usedRatio),
    share('cache_dirty', cache.dirtyRatio, near('dirty-ratio', thresholds.dirtyTriggerRatio)),
    share(
      'cache_updates',
      cache.updatesRatio,
      near('updates-ratio', thresholds.updatesTriggerRatio),
    ),
    perfOf('cache_read', cache.readBytesPerSec, 'B'),
    perfOf('cache_written', cache.writtenBytesPerSec, 'B'),
    perfOf('app_threads_reading', clients.readingThreads),
    perfOf('app_threads_evicting', clients.evictingThreads),
    perfOf('app_threads_waiting', clients.waitingThreads),
    perfOf('queued_operations', queued, '', { warn: ofRules.tickets.minQueued }),
    perfOf('eviction_pages', eviction.pagesPerSec),
    perfOf('app_eviction_pages', eviction.appPagesPerSec),
    perfOf('checkpoint_last', checkpoint.lastMs, 'ms', { warn: longMs, crit: veryLongMs }),
    perfOf('tickets_read', tickets.readInUse, '', { max: tickets.readTotal }),
    perfOf('tickets_write', tickets.writeInUse, '', { max: tickets.writeTotal }),
    perfOf('reads', ops.readsPerSec),
    perfOf('writes', ops.writesPerSec),
    perfOf('read_latency', ops.readLatencyMs, 'ms'),
    perfOf('write_latency', ops.writeLatencyMs, 'ms'),
  ];
}

/**
 * @param {string} label
 * @param {number | null} value
 * @param {Unit} [unit]
 * @param {Partial<Perf>} [more]
 * @returns {Perf}
 */
const perfOf = (label, value, unit = '', more = {}) => ({
  label,
  value,
  unit,
  warn: null,
  crit: null,
  min: 0,
  max: null,
  ...more,
});

/** @param {string} label @param {number | null} ratio @param {Partial<Perf>} [more] */
const share = (label, ratio, more = {}) =>
  perfOf(label, percentOf(ratio), '%', { max: 100, ...more });

module.exports = { renderCheck, renderPlugin, renderUnable, perfdataOf };
