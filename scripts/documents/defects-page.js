'use strict';

const { DEFECTS } = require('../../lib/defects/pure/defects');
const { shownValue, wordsOfMark } = require('../../lib/defects/pure/defects-text');

/** @import { Defect } from '../../lib/defects/pure/defects' */

const HEAD = `# Known defects

<!-- Written by \`npm run docs\` from lib/defects/pure/table. -->

[\`tune.defects()\`](commands/defects.md) names a defect only where both are there: the release has it, and its sign is in the
counters, in the log in memory or in what the server reports of itself. The others are listed under "NO SIGN OF".
\`tune.advise()\` has those that a window of counters shows, as the finding [known-defect](rules/known-defect.md).

- **seen**: the sign is the trouble itself, and no other cause of it is known.
- **likely**: the sign is the trouble itself, but it can have another cause: check that first.
- **exposed**: the server uses what the defect needs. Whether it happened is not known.
- A limit of a sign is a heuristic: far beyond what a healthy server shows.
- Affected: from the first release to the one before the fixed one. "not known" means that no source names a fixed release of that
  series.
- Sources are tickets, release notes and changelogs of MongoDB, and the history of WiredTiger between release tags. A ticket that no
  source confirms is not in the table.

| ticket | what it is | affected → fixed | kind | sign | until then |
|---|---|---|---|---|---|
`;

/** @returns {string} docs/defects.md */
const defectsPage = () => `${HEAD}${DEFECTS.map(row).join('\n')}\n`;

/** @param {Defect} defect */
function row(defect) {
  const { ticket, title, effect, ranges, signature, workaround, source } = defect;
  const cells = [
    `[${ticket}](https://jira.mongodb.org/browse/${ticket})`,
    `**${title}.** ${effect} Source: ${source}.`,
    ranges
      .map(({ from, fixed }) => `${from} → ${fixed ?? `${seriesOf(from)}: not known`}`)
      .join('<br>'),
    kindOf(defect),
    signature.map((marks) => marks.map(markText).join(' and ')).join('<br>or '),
    workaround ?? '',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** @param {string} release */
const seriesOf = (release) => release.split('.').slice(0, 2).join('.');

/** @param {Defect} defect */
function kindOf({ shows, certainty }) {
  if (shows === 'use') return 'exposed';
  return certainty === 'sure' ? 'seen' : 'likely';
}

/** @param {Defect['signature'][0][0]} mark */
function markText(mark) {
  if ('log' in mark) return `${wordsOfMark(`log.${mark.log}`)} (${mark.min} or more)`;
  const { value, min, max } = mark;
  if (/\.is[A-Z]|cursorOpen$/.test(value)) return wordsOfMark(value);
  const limits = [
    ...(min === undefined ? [] : [`≥ ${shownValue(value, min)}`]),
    ...(max === undefined ? [] : [`≤ ${shownValue(value, max)}`]),
  ];
  return `${wordsOfMark(value)} (\`${value}\`) ${limits.join(' and ')}`;
}

module.exports = { defectsPage };
