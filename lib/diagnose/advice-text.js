'use strict';

const { callText } = require('../base/pure/literal');
const { duration, UNKNOWN } = require('../base/pure/units');
const { visible } = require('../base/pure/visible');
const { showChange } = require('../config/change');
const { bottleneckTone, MARKS } = require('../text/tones');
const { table } = require('../text/table');
const { labelled, wrap, WIDTH } = require('../text/wrap');

/**
 * @import { Finding, Verdict } from '../base/pure/finding'
 * @import { Change, Ink, Tone } from '../base/types'
 */

/**
 * @typedef {Verdict & { host: string | null, version: string | null,
 *   window: { from: Date, to: Date, samples: number }, findings: Finding[], change:
 *   Change | null, explain: string[], notes: string[], members?: readonly
 *   { host: string, role: string, lagSeconds: number | null, reached: boolean, bottleneck: string |
 *   null }[] }} Advice
 */

const RULE_WIDTH = 22;
/** Beside the mark and the gaps. */
const SAY_WIDTH = WIDTH - RULE_WIDTH - 5;

/**
 * @param {Advice} advice
 * @param {Ink} ink
 * @returns {string} verdict and evidence first, then the change, then every finding
 */
function renderAdvice(advice, ink) {
  return [
    head(advice, ink),
    '',
    ...verdict(advice, ink),
    '',
    ...proposal(advice, ink),
    '',
    findingsTable(advice.findings, ink),
    ...memberLines(advice, ink),
    ...advice.notes
      .flatMap((note) => wrap(note, '      ', 'note: '))
      .map((line) => ink(line, 'faint')),
  ].join('\n');
}

/** @param {Advice} advice @param {Ink} ink */
function head({ host, version, window }, ink) {
  const ms = window.to.getTime() - window.from.getTime();
  return (
    `${ink(visible(host ?? UNKNOWN), 'strong')}  MongoDB ${visible(version ?? UNKNOWN)}  ` +
    `${ink(`${window.samples} ${window.samples === 1 ? 'sample' : 'samples'} in ${duration(ms)}`, 'faint')}`
  );
}

/** @param {Advice} advice @param {Ink} ink */
function verdict({ bottleneck, because, evidence, runnerUp }, ink) {
  return [
    `bottleneck: ${ink(bottleneck, bottleneckTone(bottleneck))}`,
    ...wrap(because, '  '),
    ...evidence.flatMap(({ say }) => wrap(say, '      ', '    · ')),
    ...(runnerUp
      ? wrap(`not ${runnerUp.bottleneck}: ${runnerUp.because}`, '  ').map((line) =>
          ink(line, 'faint'),
        )
      : []),
  ];
}

/** @param {Advice} advice @param {Ink} ink */
function proposal({ change, explain }, ink) {
  const strong = (/** @type {string} */ text) => ink(text, 'strong');
  if (change === null)
    return [
      `change: ${ink('nothing', 'good')}`,
      ...explain.flatMap((line) => wrap(line, '    ', '  ')),
    ];
  return [
    `change: ${ink(showChange(change), 'accent')}`,
    ...explain.flatMap((line) => wrap(line, '    ', '  ')),
    ...labelled('  look first:  ', callText('apply', change), strong),
    ...labelled('  then:        ', callText('apply', change, { confirm: true }), strong),
    ...labelled('  and back:    ', 'tune.undo({ confirm: true })', strong),
  ];
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
    reached ? String(bottleneck) : ink(role === 'arbiter' ? '' : 'not looked at', 'faint'),
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

/** @param {readonly Finding[]} findings @param {Ink} ink */
function findingsTable(findings, ink) {
  const rows = findings.map(({ status, rule, message }) => [
    ink(MARKS[status].mark, MARKS[status].tone),
    rule,
    visible(message),
  ]);
  return table(
    [{ head: '' }, { head: 'rule', width: RULE_WIDTH }, { head: 'finding', width: SAY_WIDTH }],
    rows,
    ink,
  );
}

module.exports = { renderAdvice };
