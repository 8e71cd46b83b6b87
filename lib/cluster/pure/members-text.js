'use strict';

const { callText, visible } = require('../../base/pure/printable');
const { isCalm, isNotable, severestFirst } = require('../../base/pure/finding');
const { bytes, duration, percent, UNKNOWN, many } = require('../../base/pure/units');
const { settingsOf, showValue } = require('../../config/change');
const {
  SCREEN_LINES,
  callLines,
  countsOf,
  findingRows,
  fittingRows,
  headed,
  marked,
  noteLines,
  part,
} = require('../../text/layout');
const { bottleneckTone } = require('../../text/tones');
const { titledTable } = require('../../text/table');
const { wrap } = require('../../text/wrap');

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
  { head: '    state' },
  { head: 'lag', align: /** @type {const} */ ('right') },
  { head: 'cache', align: /** @type {const} */ ('right') },
  { head: 'used', align: /** @type {const} */ ('right') },
  { head: 'dirty', align: /** @type {const} */ ('right') },
  { head: 'version' },
  { head: 'RAM', align: /** @type {const} */ ('right') },
  { head: 'CPUs', align: /** @type {const} */ ('right') },
]);

/**
 * @param {Members} data
 * @param {Ink} ink
 * @returns {string} for each set its members, what is wrong, and how far they agree
 */
function renderMembers({ kind, sets, notes }, ink) {
  return [
    ...(kind === 'sharded cluster'
      ? [`${ink('sharded cluster', 'strong')}  ${many(sets.length, 'shard')}`]
      : []),
    ...sets.flatMap((set, i) => [...(i > 0 ? [''] : []), ...setLines(set, ink)]),
    ...nextLines(kind, sets, ink),
    ...noteLines(notes, ink),
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
  const all = [...findings, ...own];
  const toDo = all.filter(isNotable);
  const rest = [
    ...notKnown(findings, ink),
    ...memberLines(members, ink),
    ...verdicts(members, ink),
  ];
  return [
    setTitle({ name, shard, members }, ink),
    headed('FINDINGS', ink) + countsOf(all, ink),
    ...findingLines(severestFirst(toDo), SCREEN_LINES - HEAD_LINES - rest.length, ink),
    ...rest,
  ];
}

/** @param {Pick<MemberSet, 'name' | 'shard' | 'members'>} set @param {Ink} ink */
function setTitle({ name, shard, members }, ink) {
  if (name === null && shard === null)
    return `standalone server ${ink(visible(members[0].host), 'strong')}`;
  const known = [...new Set([shard, name])].filter((one) => one !== null);
  const called = known.length === 2 ? `${shard} (${name})` : known[0];
  const kind = shard === null ? 'replica set ' : '';
  return `${kind}${ink(visible(called), 'strong')}  ${many(members.length, 'member')}`;
}

/** Lines for the name of the set, the head of its findings, and the next command. */
const HEAD_LINES = 3;

/**
 * Prints the next command: a diagnosis where there is none yet, else a command for the first member
 * with a bottleneck.
 * @param {string} kind @param {readonly MemberSet[]} sets @param {Ink} ink
 */
function nextLines(kind, sets, ink) {
  const members = sets.flatMap((set) => set.members);
  if (members.every(({ bottleneck }) => bottleneck === null))
    return callLines([['Diagnose', kind === 'standalone' ? 'tune.advise()' : ADVISE]], ink);
  const held = members.find(
    ({ bottleneck }) => bottleneck !== null && bottleneck !== 'unknown' && !isCalm(bottleneck),
  );
  return held ? part('NEXT', `connect to ${held.host}, then run tune.advise()`, ink) : [];
}

const ADVISE = 'tune.members({ advise: true })';

/**
 * Prints the findings, with what to do where that fits on a screen.
 * @param {readonly Finding[]} findings @param {number} left lines @param {Ink} ink
 */
function findingLines(findings, left, ink) {
  const whole = findingRows(findings, ink, { withAdvice: true }).flat();
  if (whole.length <= left) return whole;
  const explain = callLines([['Explain', callText('explain', findings[0].rule)]], ink);
  return [...fittingRows(findings, left - explain.length, ink), ...explain];
}

/**
 * @param {readonly Member[]} members
 * @param {Ink} ink
 * @returns {string[]} each member's name above its figures, and remarks below them
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
 * @returns {string} the name, and the special features of the member
 */
function title({ host, isHidden, delaySeconds, votes, priority, isArbiter }, ink) {
  const special = [
    ...(isHidden ? ['hidden'] : []),
    ...(delaySeconds ? [`delayed by ${duration(delaySeconds * 1000)}`] : []),
    ...(votes === 0 ? ['no vote'] : []),
    ...(priority === 0 && !isArbiter && !isHidden && !delaySeconds ? ['priority 0'] : []),
  ].join(', ');
  return `  ${ink(visible(host), 'strong')}${special === '' ? '' : `  ${ink(special, 'accent')}`}`;
}

/**
 * Prints settings that are not the default, and why the member was not observed.
 * @param {Member} member
 * @param {Ink} ink
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
      : wrap(
          `not at default: ${settingsOf(set)
            .map((one) => `${one} ${showValue(one, set[one])}`)
            .join(', ')}`,
          '      ',
          '    ',
        ).map((line) => ink(line, 'faint'))),
    ...(reached || isArbiter || why === null
      ? []
      : wrap(why, '      ', '    ').map((line) => ink(line, 'bad'))),
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
    `    ${ink(visible(role), stateTone(member))}`,
    lag,
    ...figures.map((text) => (reached ? text : ink(text, 'faint'))),
  ];
}

/**
 * Returns the colour of a member's state.
 * @param {Member} member
 * @returns {Tone}
 */
function stateTone({ role, isUp }) {
  if (isUp === false) return 'bad';
  return WELL.has(role) ? 'good' : 'warn';
}

/** The figures in the order of the columns. */
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
 * Prints each member's bottleneck, where that was requested.
 * @param {readonly Member[]} members
 * @param {Ink} ink
 */
function verdicts(members, ink) {
  const lines = members.flatMap(({ host, bottleneck, because }) => {
    if (bottleneck === null) return [];
    return [
      `  ${visible(host)}  ${ink(bottleneck, bottleneckTone(bottleneck))}`,
      ...(isCalm(bottleneck) || because === null ? [] : wrap(because, '    ')),
    ];
  });
  return lines.length === 0 ? [] : [headed('BOTTLENECKS', ink).trimEnd(), ...lines];
}

/**
 * Prints the rules without the data that they need.
 * @param {readonly Finding[]} findings @param {Ink} ink
 */
function notKnown(findings, ink) {
  const rules = findings.filter(({ status }) => status === 'unknown').map(({ rule }) => rule);
  return rules.length === 0 ? [] : marked('unknown', `no data for ${rules.join(', ')}`, ink);
}

module.exports = { renderMembers };
