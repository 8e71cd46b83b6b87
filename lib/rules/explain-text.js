'use strict';

const { table } = require('../text/table');

/**
 * @import { Ink } from '../text/report'
 */

const WIDTH = 80;
/** What the longest name of a rule and of an area leave. */
const TITLE_WIDTH = 44;

/**
 * @param {readonly { rule: string, area: string, title: string }[]} rows
 * @param {Ink} ink
 * @returns {string} needs and source are data only: tune.explain shows them
 */
function renderRules(rows, ink) {
  const drawn = table(
    [{ head: 'rule' }, { head: 'area' }, { head: 'what it looks at', width: TITLE_WIDTH }],
    rows.map(({ rule, area, title }) => [ink(rule, 'accent'), area, title]),
    ink,
  );
  return `${drawn}\n\n${ink('tune.explain("<rule>") tells why, from where on, what to do, and when not to.', 'faint')}`;
}

/**
 * @param {{
 *   rule: string, area: string, title: string, why: string, threshold: string, source: string,
 *   advice: string, whenNot: string, needs: readonly string[], wants: readonly string[],
 *   limits: Readonly<Record<string, number>>, aliases: readonly string[]
 * }} data
 * @param {Ink} ink
 * @param {string} [name] by which it was asked for: one of a former rule is explained first
 * @returns {string}
 */
function renderExplanation(data, ink, name = data.rule) {
  const own = Object.entries(data.limits).map(([name, value]) => `${name}: ${value}`);
  const parts = /** @type {[string, string][]} */ ([
    ['Why', data.why],
    ['From where on', data.threshold],
    ...(own.length > 0 ? [['tune.check({ thresholds }) takes others for', own.join(', ')]] : []),
    ['What to do', data.advice],
    ['When not', data.whenNot],
    ['Looks at', [...data.needs, ...data.wants.map((name) => `(${name})`)].join(', ')],
    ['Source', data.source],
  ]);
  return [
    ...(data.aliases.includes(name) ? [`${name} is part of ${data.rule}.`, ''] : []),
    `${ink(data.rule, 'strong')}  ${ink(data.area, 'faint')}`,
    data.title,
    ...parts.flatMap(([head, text]) => [
      '',
      ink(head, 'faint'),
      ...wrap(text, WIDTH - 2).map((line) => `  ${line}`),
    ]),
  ].join('\n');
}

/** @param {string} text @param {number} width @returns {string[]} lines broken between words */
function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

module.exports = { renderRules, renderExplanation, wrap };
