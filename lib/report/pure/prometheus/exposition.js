'use strict';

const { visible } = require('../../../base/pure/visible');

/**
 * The text format of Prometheus, version 0.0.4 (prometheus.io, "Exposition formats").
 * @typedef {{ labels: Readonly<Record<string, string>>, value: number }} Series
 * @typedef {{ name: string, type: 'gauge' | 'counter', help: string, series: readonly Series[] }}
 *   Family `series`: none leaves the family out
 */

/**
 * @param {readonly Family[]} families each name once
 * @returns {string} with a line end behind the last line, as the format asks for
 */
const exposition = (families) =>
  families
    .filter(({ series }) => series.length > 0)
    .map(block)
    .join('');

/** @param {Family} family */
const block = ({ name, type, help, series }) =>
  [
    `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`,
    `# TYPE ${name} ${type}`,
    ...series.map(({ labels, value }) => `${name}${labelText(labels)} ${numberText(value)}`),
    '',
  ].join('\n');

/** @param {Readonly<Record<string, string>>} labels */
function labelText(labels) {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/**
 * What a terminal would act upon is written out first: the text is shown at the prompt too.
 * @param {string} value
 */
const escaped = (value) => visible(value).replace(/\\/g, '\\\\').replace(/"/g, '\\"');

/**
 * A number as Prometheus reads it.
 * @param {number} value
 */
function numberText(value) {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

module.exports = { exposition };
