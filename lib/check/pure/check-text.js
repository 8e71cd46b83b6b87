'use strict';

const { UNKNOWN, count, percent } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { wrap } = require('../../text/wrap');

/**
 * @import { Finding } from '../../base/pure/finding'
 * @import { Ink, Tone } from '../../base/types'
 * @import { Perf } from './perfdata'
 * @import { Checked } from './types'
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
/** What is beyond is no figure of a server. */
const MAX = 1e15;

/** @type {Readonly<Record<Checked['status'], Tone>>} */
const TONES = Object.freeze({ ok: 'good', warning: 'warn', critical: 'bad', unknown: 'faint' });

/**
 * For a person: without performance data.
 * @param {Checked} checked
 * @param {Ink} ink
 * @returns {string}
 */
function renderCheck(checked, ink) {
  const word = checked.status.toUpperCase();
  const [first, ...rest] = lines(summary(checked));
  return [
    first.replace(word, () => ink(word, TONES[checked.status])),
    ...rest,
    ...longOutput(checked),
  ].join('\n');
}

/** For a monitor. @param {Checked} checked @returns {string} */
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

/** Where nothing is the matter. @param {readonly Perf[]} perfdata @returns {string} */
function figures(perfdata) {
  const of = (/** @type {string} */ label) =>
    perfdata.find((one) => one.label === label)?.value ?? null;
  const ratio = (/** @type {string} */ label) =>
    percent(of(label) === null ? null : Number(of(label)) / 100);
  return (
    `cache ${ratio('cache_used')} full, ${ratio('cache_dirty')} dirty; ${count(of('reads'))} ` +
    `reads/s, ${count(of('writes'))} writes/s`
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

/** Without exponents: no monitor reads them. @param {number} value */
const figure = (value) => String(Number(value.toFixed(3)));

/**
 * @param {string} message of an error
 * @returns {string} what a monitor shows where there is no answer
 */
const renderUnable = (message) => `TUNE UNKNOWN - ${plain(message.split('\n')[0])}`;

module.exports = { renderCheck, renderPlugin, renderUnable };
