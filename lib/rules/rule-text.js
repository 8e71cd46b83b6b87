'use strict';

const { callLines, part } = require('../text/layout');
const { wrap } = require('../text/wrap');

/**
 * @import { Ink } from '../base/types'
 * @import { RulePage } from './types'
 */

const GAP = 2;

/**
 * A list to search through, so all of it is printed: longer than one screen.
 * @param {readonly { rule: string, area: string, title: string }[]} rows
 * @param {Ink} ink
 * @returns {string} needs and source are data only: tune.explain shows them
 */
function renderRules(rows, ink) {
  const name = Math.max(...rows.map(({ rule }) => rule.length)) + GAP;
  const areas = [...new Set(rows.map(({ area }) => area))];
  return [
    `${ink(`${rows.length} rules`, 'strong')} of tune.advise(), tune.host(), tune.members() and tune.collections()`,
    ...areas.flatMap((area) => [
      ink(area.toUpperCase(), 'strong'),
      ...rows
        .filter((rule) => rule.area === area)
        .flatMap(({ rule, title }) => {
          const first = `  ${rule.padEnd(name)}`;
          return wrap(title, ' '.repeat(first.length), first).map((line, i) =>
            i === 0 ? line.replace(rule, () => ink(rule, 'accent')) : line,
          );
        }),
    ]),
    ...callLines([['Explain', 'tune.explain("<rule>")']], ink),
  ].join('\n');
}

/**
 * @param {{
 *   rule: string, area: string, title: string, why: string, threshold: string, source: string,
 *   advice: string, whenNot: string, needs: readonly string[], wants: readonly string[],
 *   thresholds: Readonly<Record<string, number>>, aliases: readonly string[]
 * }} data
 * @param {Ink} ink
 * @param {string} [name] by which it was asked for: one of a former rule is explained first
 * @returns {string}
 */
function renderExplanation(data, ink, name = data.rule) {
  const own = Object.entries(data.thresholds).map(([name, value]) => `${name}: ${value}`);
  const rows = /** @type {[string, string][]} */ ([
    ['WHY', data.why],
    ['THRESHOLDS', data.threshold],
    ...(own.length > 0
      ? [['ADJUSTABLE', `tune.check({ thresholds }) takes ${own.join(', ')}.`]]
      : []),
    ['WHAT TO DO', data.advice],
    ['EXCEPTIONS', data.whenNot],
    ['READS', readsOf(data)],
    ['SOURCE', data.source],
  ]);
  return [
    ...(data.aliases.includes(name) ? [`${name} is part of ${data.rule}.`] : []),
    `${ink(data.rule, 'strong')}  ${data.title}  ${ink(`(${data.area})`, 'faint')}`,
    ...rows.flatMap(([head, text]) => part(head, text, ink)),
  ].join('\n');
}

/** Optional metrics that are named on the screen; the page of the rule names all. */
const WANTS_SHOWN = 4;

/** @param {{ needs: readonly string[], wants: readonly string[] }} data @returns {string} */
function readsOf({ needs, wants }) {
  const shown = wants.length > WANTS_SHOWN ? [] : wants.map((name) => `(${name})`);
  const more = wants.length - shown.length;
  const named = [...needs, ...shown].join(', ');
  return more === 0 ? named : `${named}; ${more} more if reported: tune.last.wants.`;
}

/**
 * Markdown of the rules' pages, made from the rules themselves so that page, help and rule cannot
 * disagree.
 */

/** @param {string} folder */
const madeFrom = (folder) =>
  `<!-- Made by \`npm run docs\` from lib/rules/${folder}; edit the rule, not this page. -->`;
/**
 * Rules about the host are those of the area host, those about replica sets of the area members.
 * @param {{ area: string, about?: string }} rule
 */
const folderOf = ({ area, about }) =>
  about ??
  { host: 'host', members: 'members', collections: 'collections', recording: 'recording' }[area] ??
  'engine';

/** @param {RulePage} rule @returns {string} */
function rulePage(rule) {
  return `${[
    `# ${rule.id}`,
    madeFrom(folderOf(rule)),
    `**${rule.title}** (${rule.area})`,
    '## Why',
    rule.why,
    '## Thresholds',
    rule.threshold,
    ...limitLines(rule),
    '## What to do',
    linked(rule.advice),
    '## Exceptions',
    linked(rule.whenNot),
    '## What it reads',
    [
      `- needs ${list(rule.needs)}; ${rule.needs.length === 1 ? 'without it' : 'without one of them'} the answer is \`unknown\``,
      ...(rule.wants.length > 0 ? [`- uses ${list(rule.wants)} where known`] : []),
    ].join('\n'),
    ...(rule.speaksFor.length > 0
      ? [
          `Its finding carries the recommended change where the bottleneck is ${oneOfThem(rule.speaksFor)}.`,
        ]
      : []),
    ...(rule.alongside !== undefined && rule.alongside.length > 0
      ? [`\`tune.advise()\` shows its finding beside the bottleneck ${oneOfThem(rule.alongside)}.`]
      : []),
    '## Source',
    linked(rule.source),
    ...(rule.aliases.length > 0 ? [`It includes what was the rule ${list(rule.aliases)}.`] : []),
  ].join('\n\n')}\n`;
}

const OF_INDEX =
  'Rules of `tune.advise()`, of `tune.host()` (area host, and those about the machine that both can ' +
  'check), of `tune.members()` (area members), of `tune.collections()` (area collections) and of ' +
  'recordings of days (area recording). `tune.rules()` shows this table, `tune.explain("<rule>")` ' +
  'one page.';

/** @param {readonly RulePage[]} rules @returns {string} the page that lists them */
function rulesIndex(rules) {
  const rows = rules.map(({ id, area, title }) => `| [${id}](${id}.md) | ${area} | ${title} |`);
  const table = ['| rule | area | finding |', '|---|---|---|', ...rows].join('\n');
  return `${['# Rules', madeFrom('rules'), OF_INDEX, table].join('\n\n')}\n`;
}

/** @param {RulePage} rule @returns {string[]} */
function limitLines(rule) {
  const entries = Object.entries(rule.thresholds).map(([name, value]) => `\`${name}: ${value}\``);
  return entries.length === 0
    ? []
    : [`\`tune.check({ thresholds })\` takes other values for it: ${entries.join(', ')}.`];
}

/** @param {readonly string[]} names */
const list = (names) => names.map((name) => `\`${name}\``).join(', ');

/** @param {readonly string[]} names */
const oneOfThem = (names) => list(names).replace(/, (?=[^,]*$)/, ' or ');

/** Pages of evidence become links; they lie beside the rules' folder. @param {string} text */
const linked = (text) => text.replace(/docs\/evidence\/([\w-]+)\.md/g, '[$1](../evidence/$1.md)');

module.exports = { renderRules, renderExplanation, rulePage, rulesIndex };
