'use strict';

const { severestFirst } = require('../../base/pure/finding');
const { bytes, duration, percent, UNKNOWN } = require('../../base/pure/units');
const { showChange } = require('../../config/change');
const { visible } = require('../../base/pure/visible');
const { MARKS, bottleneckTone } = require('../../text/tones');
const { table, titledTable } = require('../../text/table');
const { wrap, WIDTH } = require('../../text/wrap');

/**
 * @import { Finding } from '../../base/pure/finding'
 * @import { Row } from '../../server/pure/replica-set'
 * @import { Ink, Tone } from '../../base/types'
 */

/**
 * @typedef {Omit<Row, 'options' | 'parameters'>} Member
 * @typedef {{
 *   name: string | null, shard: string | null, members: readonly Member[],
 *   findings: readonly Finding[]
 * }} MemberSet
 * @typedef {{ kind: string, sets: readonly MemberSet[], notes: readonly string[] }} Members
 */

const COLUMNS = Object.freeze([
  { head: '  state' },
  { head: 'lag', align: /** @type {const} */ ('right') },
  { head: 'cache', align: /** @type {const} */ ('right') },
  { head: 'used', align: /** @type {const} */ ('right') },
  { head: 'dirty', align: /** @type {const} */ ('right') },
  { head: 'version' },
  { head: 'memory', align: /** @type {const} */ ('right') },
  { head: 'cores', align: /** @type {const} */ ('right') },
]);
const RULE_WIDTH = 22;
const SAY_WIDTH = WIDTH - RULE_WIDTH - 5;

/**
 * @param {Members} data
 * @param {Ink} ink
 * @returns {string} for each set its members, what is wrong, and in how much they agree
 */
function renderMembers({ kind, sets, notes }, ink) {
  return [
    ...(kind === 'sharded cluster'
      ? [
          `${ink('sharded cluster', 'strong')}  ${sets.length} ` +
            `${sets.length === 1 ? 'shard' : 'shards'}`,
          '',
        ]
      : []),
    ...sets.flatMap((set, i) => [...(i > 0 ? [''] : []), ...setLines(set, ink)]),
    ...notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((line) => ink(line, 'faint')),
  ].join('\n');
}

/** @param {MemberSet} set @param {Ink} ink */
function setLines({ name, shard, members, findings }, ink) {
  const own = members.flatMap((member) =>
    member.findings.map((finding) => ({
      ...finding,
      message: `${member.host}: ${finding.message}`,
    })),
  );
  const [severe, rest] = [
    [...findings, ...own].filter(({ status }) => status !== 'ok' && status !== 'unknown'),
    findings.filter(({ status }) => status === 'ok' || status === 'unknown'),
  ];
  return [
    ...(name === null
      ? []
      : [
          `${ink(visible(shard === null || shard === name ? name : `${shard} (${name})`), 'strong')}  ` +
            `${members.length} ${members.length === 1 ? 'member' : 'members'}`,
          '',
        ]),
    ...memberLines(members, ink),
    ...verdicts(members, ink),
    '',
    ...(severe.length > 0
      ? [findingsTable(severe, ink)]
      : [
          `${ink(MARKS.ok.mark, MARKS.ok.tone)}  nothing is wrong with ` +
            `${members.length === 1 ? 'it' : 'them'}`,
        ]),
    ...summary(rest, ink),
  ];
}

/**
 * @param {readonly Member[]} members
 * @param {Ink} ink
 * @returns {string[]} each with its name above its figures, and what is to be said of it below
 */
function memberLines(members, ink) {
  const [head, ...lines] = titledTable(
    COLUMNS,
    members.map((member) => ({ title: title(member, ink), cells: cells(member, ink) })),
    ink,
  );
  return [
    head,
    ...members.flatMap((member, i) => [lines[2 * i], lines[2 * i + 1], ...below(member, ink)]),
  ];
}

/**
 * @param {Member} member
 * @param {Ink} ink
 * @returns {string} the name, and what is special about it
 */
function title({ host, isHidden, delaySeconds, votes, priority, isArbiter }, ink) {
  const special = [
    ...(isHidden ? ['hidden'] : []),
    ...(delaySeconds ? [`delayed by ${duration(delaySeconds * 1000)}`] : []),
    ...(votes === 0 ? ['no vote'] : []),
    ...(priority === 0 && !isArbiter && !isHidden && !delaySeconds ? ['priority 0'] : []),
  ].join(', ');
  return `${ink(visible(host), 'strong')}${special === '' ? '' : `  ${ink(special, 'accent')}`}`;
}

/**
 * @param {Member} member
 * @param {Ink} ink settings that are not the default, and why it was not looked at
 */
function below({ reached, why, isArbiter, settings }, ink) {
  const set = Object.fromEntries(
    Object.entries(settings ?? {}).flatMap(([setting, { value, isDefault }]) =>
      value === null || isDefault || setting === 'cacheSizeGB' ? [] : [[setting, value]],
    ),
  );
  return [
    ...(Object.keys(set).length === 0
      ? []
      : wrap(`settings: ${showChange(set)}`, '    ', '  ').map((line) => ink(line, 'faint'))),
    ...(reached || isArbiter || why === null
      ? []
      : wrap(why, '    ', '  ').map((line) => ink(line, 'bad'))),
  ];
}

const WELL = new Set(['primary', 'secondary', 'standalone', 'arbiter']);
const LEADS = new Set(['primary', 'standalone', 'arbiter']);

/** @param {Member} member @param {Ink} ink */
function cells(member, ink) {
  const { role, reached, lagSeconds, isArbiter } = member;
  const lag = LEADS.has(role) ? '' : duration(lagSeconds === null ? null : lagSeconds * 1000);
  const figures = isArbiter ? FIGURES.map(() => '') : FIGURES.map((figure) => figure(member));
  return [
    `  ${ink(visible(role), stateTone(member))}`,
    lag,
    ...figures.map((text) => (reached ? text : ink(text, 'faint'))),
  ];
}

/**
 * The colour of a member's state.
 * @param {Member} member
 * @returns {Tone}
 */
function stateTone({ role, isUp }) {
  if (isUp === false) return 'bad';
  return WELL.has(role) ? 'good' : 'warn';
}

/** In the order of the columns. */
const FIGURES = Object.freeze(
  /** @type {((member: Member) => string)[]} */ ([
    ({ cache }) => bytes(cache?.maxBytes),
    ({ cache }) => percent(cache?.usedRatio),
    ({ cache }) => percent(cache?.dirtyRatio),
    ({ version }) => visible(version ?? UNKNOWN),
    ({ memoryBytes }) => bytes(memoryBytes),
    ({ cores }) => String(cores ?? UNKNOWN),
  ]),
);

/**
 * @param {readonly Member[]} members
 * @param {Ink} ink what each says holds it back, where that was asked for
 */
function verdicts(members, ink) {
  const lines = members.flatMap(({ host, bottleneck, because }) => {
    if (bottleneck === null) return [];
    return [
      `  ${visible(host)}: ${ink(bottleneck, bottleneckTone(bottleneck))}`,
      ...wrap(because ?? '', '    '),
    ];
  });
  return lines.length === 0 ? [] : ['', 'bottleneck of each', ...lines];
}

/** @param {readonly Finding[]} findings @param {Ink} ink */
function findingsTable(findings, ink) {
  const order = severestFirst(findings);
  const rows = order.map(({ status, rule, message, advice }) => [
    ink(MARKS[status].mark, MARKS[status].tone),
    rule,
    advice === null ? visible(message) : `${visible(message)}\n→ ${visible(advice)}`,
  ]);
  return table(
    [{ head: '' }, { head: 'rule', width: RULE_WIDTH }, { head: 'finding', width: SAY_WIDTH }],
    rows,
    ink,
  );
}

/** @param {readonly Finding[]} findings that ask for nothing @param {Ink} ink */
function summary(findings, ink) {
  const of = (/** @type {string} */ wanted) => findings.filter(({ status }) => status === wanted);
  const count = (/** @type {number} */ n, /** @type {string} */ one, /** @type {string} */ more) =>
    `${n} ${n === 1 ? one : more}`;
  const [fine, unknown] = [of('ok'), of('unknown')];
  return [
    ...(fine.length > 0
      ? [
          `${ink(MARKS.ok.mark, MARKS.ok.tone)}  ` +
            `${count(fine.length, 'rule about members has', 'rules about members have')} ` +
            'nothing to say',
        ]
      : []),
    ...(unknown.length > 0
      ? wrap(
          `${count(unknown.length, 'rule', 'rules')} cannot tell: ` +
            `${unknown.map(({ rule }) => rule).join(', ')}`,
          '   ',
          `${MARKS.unknown.mark}  `,
        )
      : []),
  ];
}

module.exports = { renderMembers };
