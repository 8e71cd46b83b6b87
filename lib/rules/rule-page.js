'use strict';

/**
 * Markdown of the rules' pages, made from the rules themselves so that page, help and rule can not
 * disagree.
 * @typedef {{
 *   id: string, area: string, title: string, why: string, threshold: string, source: string,
 *   advice: string, whenNot: string, needs: readonly string[], wants: readonly string[],
 *   speaksFor: readonly string[], alongside?: readonly string[],
 *   limits: Readonly<Record<string, number>>, aliases: readonly string[], about?: string
 * }} RulePage `aliases`: ids of rules that became this one
 */

/** @param {string} folder */
const made = (folder) =>
  `<!-- Made by \`npm run docs\` from lib/rules/${folder}; edit the rule, not this page. -->`;
/**
 * Rules about the host are those of the area host, those about replica sets of the area members.
 * @param {{ area: string, about?: string }} rule
 */
const folderOf = ({ area, about }) =>
  about ?? { host: 'host', members: 'members' }[area] ?? 'engine';

/** @param {RulePage} rule @returns {string} */
function rulePage(rule) {
  return `${[
    `# ${rule.id}`,
    made(folderOf(rule)),
    `**${rule.title}** (${rule.area})`,
    '## Why',
    rule.why,
    '## From where on',
    rule.threshold,
    ...limits(rule),
    '## What to do',
    linked(rule.advice),
    '## When not to',
    linked(rule.whenNot),
    '## What it looks at',
    [
      `- needs ${list(rule.needs)}; without one of them the answer is \`unknown\``,
      ...(rule.wants.length > 0 ? [`- uses ${list(rule.wants)} where known`] : []),
    ].join('\n'),
    ...(rule.speaksFor.length > 0
      ? [`Its finding carries the proposed change where the bottleneck is ${list(rule.speaksFor)}.`]
      : []),
    ...(rule.alongside !== undefined && rule.alongside.length > 0
      ? [`\`tune.advise()\` shows its finding beside the verdict ${list(rule.alongside)}.`]
      : []),
    '## Source',
    linked(rule.source),
    ...(rule.aliases.length > 0 ? [`It includes what was the rule ${list(rule.aliases)}.`] : []),
  ].join('\n\n')}\n`;
}

/** @param {readonly RulePage[]} rules @returns {string} the page that lists them */
function rulesIndex(rules) {
  const rows = rules.map(({ id, area, title }) => `| [${id}](${id}.md) | ${area} | ${title} |`);
  return `${['# Rules', made('rules'), 'What `tune.advise()` looks at, `tune.host()` (area host, and those about the machine that both can ' + 'answer) and `tune.members()` (area members); `tune.rules()` shows this table, `tune.explain("<rule>")` one page.', ['| rule | area | what it looks at |', '|---|---|---|', ...rows].join('\n')].join('\n\n')}\n`;
}

/** @param {RulePage} rule @returns {string[]} */
function limits(rule) {
  const entries = Object.entries(rule.limits).map(([name, value]) => `\`${name}: ${value}\``);
  return entries.length === 0
    ? []
    : [`\`tune.check({ thresholds })\` takes others for it: ${entries.join(', ')}.`];
}

/** @param {readonly string[]} names */
const list = (names) => names.map((name) => `\`${name}\``).join(', ');

/** Pages of evidence become links; they lie beside the rules' folder. @param {string} text */
const linked = (text) => text.replace(/docs\/evidence\/([\w-]+)\.md/g, '[$1](../evidence/$1.md)');

module.exports = { rulePage, rulesIndex };
