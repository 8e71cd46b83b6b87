'use strict';

const { callText } = require('../base/pure/literal');
const { duration, UNKNOWN } = require('../base/pure/units');
const { visible } = require('../base/pure/visible');
const { showChange } = require('../config/change');
const { SEVERE, STATUSES } = require('../base/pure/finding');
const { report } = require('../text/report');
const { bottleneckTone, MARKS } = require('../text/tones');
const { table } = require('../text/table');
const { labelled, wrap } = require('../text/wrap');

/**
 * @import { Finding, Verdict } from '../base/pure/finding'
 * @import { Change, Ink, Tone } from '../base/types'
 * @import { Report } from '../text/report'
 */

/**
 * @typedef {Verdict & { host: string | null, version: string | null,
 *   window: { from: Date, to: Date, samples: number }, findings: Finding[], change:
 *   Change | null, explain: string[], notes: string[], members?: readonly
 *   { host: string, role: string, lagSeconds: number | null, reached: boolean, bottleneck: string |
 *   null }[] }} Advice
 */

/** Lines of a screen: so many of a terminal of 24 stay in view above the prompt. */
const SCREEN_LINES = 24;
/** Verdicts of a server that needs no change. */
const CALM = Object.freeze(['none', 'idle']);
/** Columns of what stands in front of a text: the heads of the parts, and of a command. */
const HEAD_WIDTH = 13;
const VERB_WIDTH = 13;
const WORD_WIDTH = 6;

/**
 * @param {Advice} advice
 * @param {Ink} ink
 * @returns {string} one screen: the verdict, the change with its commands, what needs a person
 */
function renderAdvice(advice, ink) {
  const above = [head(advice, ink), ...verdict(advice, ink), ...recommended(advice, ink)];
  const below = [
    ...memberLines(advice, ink),
    ...advice.notes
      .flatMap((note) => wrap(note, '      ', 'note: '))
      .map((line) => ink(line, 'faint')),
    ...more(advice, ink),
  ];
  const left = SCREEN_LINES - above.length - below.length - 1;
  return [...above, ...findingLines(advice.findings, left, ink), ...below].join('\n');
}

/**
 * @param {Advice} advice
 * @param {Ink} ink
 * @returns {string} all of it: the evidence, how the change was computed, every finding
 */
function renderAll(advice, ink) {
  const { evidence, explain, findings } = advice;
  return [
    head(advice, ink),
    ...verdict(advice, ink, true),
    ...(evidence.length > 0 ? [ink('EVIDENCE', 'strong')] : []),
    ...evidence.flatMap(({ say }) => wrap(say, '    ', '  · ')),
    ...recommended({ ...advice, explain: [] }, ink),
    ...explain.flatMap((line) => wrap(line, '    ', '  ')),
    ink('FINDINGS', 'strong'),
    ...findingRows(findings, ink).flat(),
    ...memberLines(advice, ink),
    ...advice.notes
      .flatMap((note) => wrap(note, '      ', 'note: '))
      .map((line) => ink(line, 'faint')),
  ].join('\n');
}

/**
 * An answer at the prompt: one screen, and all of it on demand.
 * @template {object} T
 * @param {T} answer
 * @param {Advice} advice
 * @returns {T & { all(): Report }}
 */
const withAll = (answer, advice) =>
  Object.defineProperty(/** @type {T & { all(): Report }} */ (answer), 'all', {
    value: () => report({ findings: advice.findings }, (ink) => renderAll(advice, ink)),
  });

/** @param {string} name @param {Ink} ink */
const title = (name, ink) => ink(name, 'strong') + ' '.repeat(HEAD_WIDTH - name.length);

/** @param {Advice} advice @param {Ink} ink */
function head({ host, version, window }, ink) {
  const ms = window.to.getTime() - window.from.getTime();
  return (
    `${ink(visible(host ?? UNKNOWN), 'strong')}  MongoDB ${visible(version ?? UNKNOWN)}  ` +
    `${ink(`${window.samples} ${window.samples === 1 ? 'sample' : 'samples'} in ${duration(ms)}`, 'faint')}`
  );
}

/**
 * @param {Advice} advice
 * @param {Ink} ink
 * @param {boolean} [isWhole] also what was ruled out where nothing is wrong
 */
function verdict({ bottleneck, because, runnerUp }, ink, isWhole = !CALM.includes(bottleneck)) {
  return [
    `${title('BOTTLENECK', ink)}${ink(bottleneck, bottleneckTone(bottleneck))}`,
    ...wrap(because, '  '),
    ...(runnerUp && isWhole
      ? wrap(`Ruled out: ${runnerUp.bottleneck}. ${sentence(runnerUp.because)}`, '  ').map((line) =>
          ink(line, 'faint'),
        )
      : []),
  ];
}

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The change with the commands to type, or what to do instead of one.
 * @param {Advice} advice
 * @param {Ink} ink
 */
function recommended({ change, explain }, ink) {
  const strong = (/** @type {string} */ text) => ink(text, 'strong');
  if (change === null)
    return [
      `${title('RECOMMENDED', ink)}${ink('no setting change', 'good')}`,
      ...explain.flatMap((line) => wrap(line, '    ', '  ')),
    ];
  return [
    `${title('RECOMMENDED', ink)}${ink(showChange(change).slice(2, -2), 'accent')}`,
    ...[
      ['Preview', callText('apply', change)],
      ['A/B test', callText('trial', change, { confirm: true })],
      ['Apply', callText('apply', change, { confirm: true })],
      ['Roll back', callText('undo', { confirm: true })],
    ].flatMap(([verb, call]) => labelled(`  ${verb}`.padEnd(VERB_WIDTH), call, strong)),
  ];
}

/**
 * What needs a person, the severest first, as far as the screen goes.
 * @param {readonly Finding[]} findings
 * @param {number} left lines of the screen
 * @param {Ink} ink
 */
function findingLines(findings, left, ink) {
  const counts = STATUSES.map((status) => ({
    status,
    n: findings.filter((one) => one.status === status).length,
  })).filter(({ n }) => n > 0);
  const text = (/** @type {boolean} */ isSevere) =>
    counts
      .filter(({ status }) => SEVERE.includes(status) === isSevere)
      .map(({ status, n }) => `${n} ${status}`)
      .join(', ');
  const rest = text(false) && ink(`  (${text(false)})`, 'faint');
  const severe = findings.filter(({ status }) => SEVERE.includes(status));
  const rows = findingRows(severe, ink);
  const shown = rows.length - hidden(rows, left);
  const others = severe.slice(shown).map(({ rule }) => rule);
  return [
    `${title('FINDINGS', ink)}${text(true) || 'none critical, none warning'}${rest}`,
    ...rows.slice(0, shown).flat(),
    ...(others.length > 0
      ? wrap(`and ${others.length} more: ${others.join(', ')}`, '  ').map((line) =>
          ink(line, 'faint'),
        )
      : []),
  ];
}

/**
 * How many of the rows the screen has no lines for; two are shown on any.
 * @param {readonly (readonly string[])[]} rows
 * @param {number} left
 */
function hidden(rows, left) {
  for (let shown = rows.length; shown > 2; shown -= 1) {
    const lines = rows.slice(0, shown).flat().length + (shown < rows.length ? 2 : 0);
    if (lines <= left) return rows.length - shown;
  }
  return Math.max(0, rows.length - 2);
}

/** @param {readonly Finding[]} findings @param {Ink} ink @returns {string[][]} lines of each */
function findingRows(findings, ink) {
  const width = Math.max(...findings.map(({ rule }) => rule.length));
  return findings.map(({ status, rule, message }) => {
    const { word, tone } = MARKS[status];
    const first = `  ${word.padEnd(WORD_WIDTH)}${rule.padEnd(width)}  `;
    return wrap(message, ' '.repeat(first.length), first).map((line, i) =>
      i === 0 ? line.replace(word, () => ink(word, tone)) : line,
    );
  });
}

/** What to type to see the rest. @param {Advice} advice @param {Ink} ink */
function more({ findings, change }, ink) {
  const [first] = findings.filter(({ status }) => SEVERE.includes(status));
  const calls = [
    change === null ? null : 'tune.last.explain',
    'tune.last.all()',
    first ? callText('explain', first.rule) : null,
  ].filter(Boolean);
  return wrap(`More: ${calls.join(', ')}`, '  ', '').map((line) => ink(line, 'faint'));
}

/**
 * @param {Advice} advice
 * @param {Ink} ink
 * @returns {string[]} what each member says of itself, where they were looked at
 */
function memberLines({ members = [] }, ink) {
  if (members.length === 0) return [];
  const rows = members.map(({ host, role, lagSeconds, reached, bottleneck }) => [
    visible(host),
    visible(role),
    lagSeconds === null ? '' : `${duration(lagSeconds * 1000)} behind`,
    reached ? String(bottleneck) : ink(role === 'arbiter' ? '' : 'not checked', 'faint'),
  ]);
  return [
    '',
    ...table(
      [{ head: 'member' }, { head: 'state' }, { head: 'lag' }, { head: 'bottleneck' }],
      rows,
      ink,
    ).split('\n'),
    '',
  ];
}

module.exports = { renderAdvice, withAll };
