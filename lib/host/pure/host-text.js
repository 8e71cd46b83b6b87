'use strict';

const { UNKNOWN } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { MARKS } = require('../../text/tones');
const { table } = require('../../text/table');
const { wrap, WIDTH } = require('../../text/wrap');

/**
 * @import { Status } from '../../base/pure/finding'
 * @import { Ink } from '../../base/types'
 */

/**
 * @typedef {{
 *   rule: string, status: Status, message: string, values: object, advice: string | null,
 *   fixes: readonly unknown[]
 * }} Finding
 * @typedef {{
 *   host: string | null, version: string | null, place: { kind: string, say: string },
 *   findings: readonly Finding[], unknown: Partial<Record<string, string>>,
 *   notes: readonly string[]
 * }} Host
 */

const RULE_WIDTH = 22;
const SAY_WIDTH = WIDTH - RULE_WIDTH - 5;

/**
 * @param {Host} host
 * @param {Ink} ink
 * @returns {string} where we are, what to do, what to know, and how many are fine or unknown
 */
function renderHost(host, ink) {
  const of = (/** @type {(finding: Finding) => boolean} */ test) => host.findings.filter(test);
  const toDo = of(isToDo);
  return [
    `${ink(visible(host.host ?? UNKNOWN), 'strong')}  MongoDB ${visible(host.version ?? UNKNOWN)}`,
    ...wrap(host.place.say, ''),
    '',
    ...(toDo.length > 0
      ? [findingsTable('to do', toDo, ink), '']
      : [`to do: ${ink('nothing', 'good')}`, '']),
    ...group(
      'information',
      of((finding) => finding.status === 'info' && !isToDo(finding)),
      ink,
    ),
    ...fine(
      of(({ status }) => status === 'ok'),
      ink,
    ),
    ...notKnown(
      of(({ status }) => status === 'unknown'),
      host,
      ink,
    ),
    ...next(host, ink),
    ...host.notes
      .flatMap((note) => wrap(note, '      ', 'note: '))
      .map((line) => ink(line, 'faint')),
  ].join('\n');
}

/** @param {Finding} finding */
const isToDo = ({ status, advice, fixes }) =>
  ['critical', 'warning', 'error'].includes(status) ||
  (status === 'info' && (advice !== null || fixes.length > 0));

/** @param {string} name @param {readonly Finding[]} findings @param {Ink} ink */
const group = (name, findings, ink) =>
  findings.length === 0 ? [] : [findingsTable(name, findings, ink), ''];

/** @param {string} name @param {readonly Finding[]} findings @param {Ink} ink */
function findingsTable(name, findings, ink) {
  const rows = findings.map(({ status, rule, message, advice }) => [
    ink(MARKS[status].mark, MARKS[status].tone),
    rule,
    advice === null ? visible(message) : `${visible(message)}\n→ ${visible(advice)}`,
  ]);
  return table(
    [{ head: '' }, { head: name, width: RULE_WIDTH }, { head: 'finding', width: SAY_WIDTH }],
    rows,
    ink,
  );
}

/** @param {readonly Finding[]} findings @param {Ink} ink */
const fine = (findings, ink) =>
  findings.length === 0
    ? []
    : [
        `${ink(MARKS.ok.mark, MARKS.ok.tone)}  ${findings.length} ` +
          `${findings.length === 1 ? 'rule has' : 'rules have'} nothing to say`,
      ];

/** @param {readonly Finding[]} findings @param {Host} host @param {Ink} ink */
function notKnown(findings, { unknown }, ink) {
  if (findings.length === 0) return [];
  const reason = mostFrequent(
    findings.flatMap(
      ({ values }) => /** @type {{ reasons?: readonly string[] }} */ (values).reasons ?? [],
    ),
  );
  const [first, ...more] = wrap(
    `${findings.length} cannot ` +
      `tell${reason === null ? '' : `, most often because ${reason}`}; .unknown has all ` +
      `${Object.keys(unknown).length} reasons`,
    '   ',
  );
  return [`${ink(MARKS.unknown.mark, MARKS.unknown.tone)}${first.slice(1)}`, ...more];
}

/** @param {readonly string[]} all @returns {string | null} */
function mostFrequent(all) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** @param {Host} host @param {Ink} ink @returns {string[]} */
function next({ place, findings }, ink) {
  const lines = [
    ...(findings.some(({ fixes }) => fixes.length > 0)
      ? [
          `${ink('tune.host().script()', 'strong')} shows the script that sets, keeps and ` +
            'undoes it.',
        ]
      : []),
    ...(place.kind === 'elsewhere'
      ? [
          `${ink('tune.host.collect()', 'strong')} is a script to run there (no root needed); then`,
          `${ink('tune.host({ file: "host.json" })', 'strong')} knows the rest.`,
        ]
      : []),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
}

module.exports = { renderHost };
