'use strict';

const { spawnSync } = require('node:child_process');

/**
 * Reads Prometheus' text format strictly, and says what its naming rules (prometheus.io, "Metric
 * and label naming") and its linter promlint mind.
 * @typedef {{ name: string, labels: Record<string, string>, value: number }} Series
 */

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SERIES = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;
const NUMBER = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/i;
const TYPES = new Set(['counter', 'gauge']);
/** Units that stand for a base unit: seconds, bytes, ratio. */
const OTHER_UNITS =
  /(?:^|_)(?:milliseconds?|microseconds?|nanoseconds?|minutes|hours|days|ms|us|ns|sec|kilobytes?|megabytes?|gigabytes?|[kmg]i?b|mib|bits?|percents?|pct)(?:_|$)/;
const TYPE_IN_NAME = /(?:^|_)(?:gauge|counter|summary|histogram)(?:_|$)/;

/**
 * @param {string} text
 * @returns {{ series: Series[], types: Map<string, string>, problems: string[] }}
 */
function promlint(text) {
  /** @type {string[]} */ const problems = [];
  /** @type {Map<string, string>} */ const types = new Map();
  /** @type {Set<string>} */ const helped = new Set();
  /** @type {Series[]} */ const series = [];
  if (!text.endsWith('\n')) problems.push('no line end at the end');
  for (const line of text.split('\n').slice(0, -1)) {
    const [, word, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === 'HELP') {
      if (helped.has(name)) problems.push(`${name}: HELP twice`);
      if (rest.trim() === '' || /\\(?![\\n])/.test(rest)) problems.push(`${name}: its HELP`);
      helped.add(name);
    } else if (word === 'TYPE') {
      if (types.has(name)) problems.push(`${name}: TYPE twice`);
      if (!TYPES.has(rest)) problems.push(`${name}: TYPE ${rest}`);
      types.set(name, rest);
      problems.push(...nameProblems(name, rest));
    } else if (!line.startsWith('#')) {
      const one = seriesIn(line);
      if (one === null) problems.push(`not a series: ${line}`);
      else series.push(one);
    }
  }
  const seen = new Set();
  let last = '';
  const over = new Set();
  for (const { name, labels } of series) {
    const key = name + JSON.stringify(Object.entries(labels).sort());
    if (seen.has(key)) problems.push(`twice: ${key}`);
    if (!types.has(name) || !helped.has(name)) problems.push(`${name}: no TYPE or HELP`);
    if (name !== last && over.has(name)) problems.push(`${name}: its series are not together`);
    seen.add(key);
    over.add(name);
    last = name;
  }
  for (const name of types.keys()) if (!over.has(name)) problems.push(`${name}: no series`);
  return { series, types, problems };
}

/** @param {string} name @param {string} type */
function nameProblems(name, type) {
  return [
    [!NAME.test(name), 'no name'],
    [/[A-Z]/.test(name), 'capitals'],
    [name.includes(':'), 'a colon is for recording rules'],
    [
      (type === 'counter') !== name.endsWith('_total'),
      '_total is for counters, and for each of them',
    ],
    [/_(?:count|sum|bucket)$/.test(name), 'a suffix of histograms'],
    [OTHER_UNITS.test(name), 'no base unit'],
    [TYPE_IN_NAME.test(name), 'its type in its name'],
    [/_ratio_|_bytes_(?!total|per)|_seconds_(?!total)/.test(name), 'a unit that is not at its end'],
  ]
    .filter(([isWrong]) => isWrong)
    .map(([, why]) => `${name}: ${why}`);
}

/** @param {string} line @returns {Series | null} */
function seriesIn(line) {
  const [, name, inside = '', number] = SERIES.exec(line) ?? [];
  if (name === undefined || !NUMBER.test(number)) return null;
  /** @type {Record<string, string>} */ const labels = {};
  for (let rest = inside; rest !== '';) {
    const [whole, label, value] = LABEL.exec(rest) ?? [];
    if (whole === undefined || label in labels) return null;
    labels[label] = value.replace(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) };
}

/**
 * Prometheus' own checker, where it is: in PATH, or named by TUNE_PROMTOOL.
 * @returns {string | null}
 */
function findPromtool() {
  const name = process.env.TUNE_PROMTOOL || 'promtool';
  return spawnSync(name, ['--version']).status === 0 ? name : null;
}

/**
 * @param {string} promtool
 * @param {string[]} args
 * @param {string} [input]
 * @returns {{ code: number | null, said: string }}
 */
function runPromtool(promtool, args, input) {
  const { status, stdout, stderr } = spawnSync(promtool, args, { input, encoding: 'utf8' });
  return { code: status, said: stdout + stderr };
}

const NO_PROMTOOL = 'promtool is neither in PATH nor named by TUNE_PROMTOOL';

module.exports = { promlint, findPromtool, runPromtool, NO_PROMTOOL };
