'use strict';

const { callText, visible } = require('../base/pure/printable');
const { capital, count, secondsText, many, sampledFor } = require('../base/pure/units');
const { changeWords } = require('../config/change');
const { SEVERE, isCalm } = require('../base/pure/finding');
const {
  callLines,
  countsOf,
  SCREEN_LINES,
  findingRows,
  fittingRows,
  firstLine,
  headed,
  noteLines,
  part,
} = require('../text/layout');
const { alsoWhole, report } = require('../text/report');
const { bottleneckTone } = require('../text/tones');
const { expectedText } = require('../text/interval');
const { table } = require('../text/table');
const { wrap } = require('../text/wrap');

/**
 * @import { Account, Part } from '../signals/accounting'
 * @import { Cause } from './cause'
 * @import { Finding, Verdict } from '../base/pure/finding'
 * @import { Change, Ink } from '../base/types'
 * @import { Expected } from '../sizing/expected'
 */

/**
 * @typedef {Verdict & { host: string | null, version: string | null, role?: string | null,
 *   source?: 'live' | 'ftdc' | 'recording',
 *   window: { from: Date, to: Date, samples: number }, findings: Finding[], change:
 *   Change | null, before?: Change | null, reason?: string | null, explain: string[],
 *   accounting?: Account | null, cause?: Cause | null, remedy?: string | null,
 *   expected?: Expected | null, notes: string[], members?: readonly
 *   { host: string, role: string, lagSeconds: number | null, reached: boolean, bottleneck: string |
 *   null }[] }} Advice
 */

/**
 * @param {Advice} advice
 * @param {Ink} ink
 * @param {{ lines?: number, isDemo?: boolean }} [options] `lines`: of the screen; `isDemo`: without
 *   the commands to type, which would go to the server of who reads it
 * @returns {string} one screen: the verdict, the change with its commands, what needs a person
 */
function renderAdvice(advice, ink, { lines = SCREEN_LINES, isDemo = false } = {}) {
  const above = [
    head(advice, ink),
    ...verdict(advice, ink),
    ...causeLines(advice, ink),
    ...recommended(advice, ink, isDemo),
  ];
  const below = [
    ...memberLines(advice, ink),
    ...noteLines(advice.notes, ink),
    ...(isDemo ? [] : more(advice, ink)),
  ];
  const left = lines - above.length - below.length - 1;
  return [...above, ...findingLines(advice.findings, left, ink), ...below].join('\n');
}

/**
 * @param {Advice} advice
 * @param {Ink} ink
 * @returns {string} all of it: the evidence, how the change was computed, every finding
 */
function renderAll(advice, ink) {
  const { evidence, explain, findings, accounting } = advice;
  return [
    head(advice, ink),
    ...verdict(advice, ink, true),
    ...(evidence.length > 0 ? [ink('EVIDENCE', 'strong')] : []),
    ...evidence.flatMap(({ say }) => wrap(say, '    ', '  · ')),
    ...threadLines(accounting, ink),
    ...causeLines(advice, ink, true),
    ...recommended({ ...advice, explain: [] }, ink),
    ...explain.flatMap((line) => wrap(line, '    ', '  ')),
    ink('FINDINGS', 'strong'),
    ...findingRows(findings, ink).flat(),
    ...memberLines(advice, ink),
    ...noteLines(advice.notes, ink),
  ].join('\n');
}

/**
 * An answer at the prompt: one screen, and all of it on demand.
 * @template {object} T
 * @param {T} answer
 * @param {Advice} advice
 */
const withAll = (answer, advice) =>
  alsoWhole(
    answer,
    report({ findings: advice.findings }, (ink) => renderAll(advice, ink)),
  );

/** Says what the threads in the server do. */
const DOING = Object.freeze(
  /** @type {Record<Part, string>} */ ({
    reading: 'reading pages into cache',
    eviction: 'waiting for cache space',
    throttled: 'throttled by flow control',
    tickets: 'queued for tickets',
    locks: 'waiting for locks',
    writeConcern: 'waiting for other members',
    journal: 'waiting for the journal',
    cpu: 'on a CPU',
    cpuQueue: 'waiting for a CPU',
    stall: 'in stalls',
  }),
);
/** Threads; less is not worth a word. */
const MIN_SHOWN = 0.05;

/**
 * Lists what all of the clients' time is spent on.
 * @param {Advice['accounting']} accounting
 * @param {Ink} ink
 * @returns {string[]}
 */
function threadLines(accounting, ink) {
  if (!accounting || accounting.threads < MIN_SHOWN) return [];
  const { threads, parts, unexplainedThreads: rest } = accounting;
  const said = [
    ...parts.map(({ what, threads: n }) => ({ n, say: DOING[what] })),
    { n: rest, say: 'not explained' },
  ].filter(({ n }) => n >= MIN_SHOWN);
  return [
    ink('THREADS', 'strong'),
    ...wrap(
      `${many(threads, 'application thread')} in the server on average: ` +
        `${said.map(({ n, say }) => `${count(n)} ${say}`).join(', ')}.`,
      '  ',
    ),
  ];
}

/** @param {Advice['source']} source */
const isRecorded = (source) => source === 'ftdc' || source === 'recording';

/** @param {Advice} advice @param {Ink} ink */
function head({ host, role, version, window, source }, ink) {
  const ms = window.to.getTime() - window.from.getTime();
  const sampled =
    `${isRecorded(source) ? 'RECORDING, ' : ''}` +
    `${many(window.samples, 'sample')} in ${sampledFor(ms)}`;
  const ofSet = role === 'standalone' ? null : role;
  return firstLine({ host, role: ofSet, version }, ink(sampled, 'faint'), ink);
}

/**
 * @param {Advice} advice
 * @param {Ink} ink
 * @param {boolean} [isWhole] also what was ruled out where nothing is wrong
 */
function verdict({ bottleneck, because, runnerUp }, ink, isWhole = !isCalm(bottleneck)) {
  return [
    `${headed('BOTTLENECK', ink)}${ink(bottleneck, bottleneckTone(bottleneck))}`,
    ...wrap(because, '  '),
    ...(runnerUp && isWhole
      ? wrap(`Less likely: ${runnerUp.bottleneck}, since ${runnerUp.because}`, '  ').map((line) =>
          ink(line, 'faint'),
        )
      : []),
  ];
}

/**
 * Names who or what causes the mechanism, and what removes it.
 * @param {Advice} advice
 * @param {Ink} ink
 * @param {boolean} [isWhole] whether to show its evidence
 */
const causeLines = ({ cause, remedy }, ink, isWhole = false) =>
  cause
    ? [
        ...part('CAUSE', `${capital(cause.say)}.`, ink, 'warn'),
        ...(isWhole ? cause.evidence.flatMap((line) => wrap(line, '    ', '  · ')) : []),
        ...part('DO FIRST', String(remedy), ink),
      ]
    : [];

/**
 * The change with the commands to type, or what to do instead of one.
 * @param {Advice} advice
 * @param {Ink} ink
 * @param {boolean} [isDemo]
 */
function recommended(
  { change, before = null, reason = null, expected = null, explain, source, host },
  ink,
  isDemo = false,
) {
  if (change === null)
    return [
      `${headed('RECOMMENDED', ink)}${ink('no setting change', 'good')}`,
      ...explain.flatMap((line) => wrap(line, '    ', '  ')),
    ];
  return [
    ...part('RECOMMENDED', changeWords(change, before), ink, 'accent'),
    ...(reason === null ? [] : wrap(reason, '  ')),
    ...expectedLines(expected, ink),
    ...(isDemo
      ? wrap(FOR_A_REAL_SERVER, '  ')
      : changeCalls(change, { isOfRecording: isRecorded(source), host }, ink)),
  ];
}

/** @param {string | null} host */
const notTheRecording = (host) =>
  "The calls change this shell's server, not the recording" +
  `${host === null ? '' : `: connect to ${visible(host)}`}.`;
const FOR_A_REAL_SERVER = 'On a real server, four lines follow: dry run, A/B test, apply, undo.';

/**
 * @param {Change} change
 * @param {{ isOfRecording: boolean, host: string | null }} about
 * @param {Ink} ink
 */
const changeCalls = (change, { isOfRecording, host }, ink) => [
  ...callLines(
    [
      ['Dry run', callText('apply', change)],
      ['A/B test', callText('trial', change, { confirm: true })],
      ['Apply', callText('apply', change, { confirm: true })],
      ['Undo later', callText('undo', { confirm: true })],
    ],
    ink,
  ),
  ...(isOfRecording ? wrap(notTheRecording(host), '  ') : []),
];

/** @param {Expected | null} expected @param {Ink} ink */
const expectedLines = (expected, ink) =>
  expected === null ? [] : part('EXPECTED', expectedText(expected), ink);

/**
 * Lists the findings that need a person, the severest first, as far as the screen has lines.
 * @param {readonly Finding[]} findings
 * @param {number} left how many lines the screen has left
 * @param {Ink} ink
 */
function findingLines(findings, left, ink) {
  const severe = findings.filter(({ status }) => SEVERE.includes(status));
  return [headed('FINDINGS', ink) + countsOf(findings, ink), ...fittingRows(severe, left, ink)];
}

/** Names the call that shows the rest. @param {Advice} advice @param {Ink} ink */
function more({ findings }, ink) {
  const [first] = findings.filter(({ status }) => SEVERE.includes(status));
  const calls = [
    `tune.last.all() (all ${many(findings.length, 'finding')})`,
    first ? callText('explain', first.rule) : null,
  ].filter(Boolean);
  return wrap(`More: ${calls.join(', ')}`, '  ', '').map((line) => ink(line, 'faint'));
}

/**
 * @param {Advice} advice
 * @param {Ink} ink
 * @returns {string[]} what each member reports of itself, where members were examined
 */
function memberLines({ members = [] }, ink) {
  if (members.length === 0) return [];
  const rows = members.map(({ host, role, lagSeconds, reached, bottleneck }) => [
    `  ${visible(host)}`,
    visible(role),
    lagSeconds === null ? '' : secondsText(lagSeconds),
    reached ? String(bottleneck) : ink(role === 'arbiter' ? '' : 'not checked', 'faint'),
  ]);
  const heads = [headed('MEMBERS', ink).trimEnd(), 'state', 'lag', 'bottleneck'];
  return table(
    heads.map((head) => ({ head })),
    rows,
    ink,
  ).split('\n');
}

module.exports = { renderAdvice, withAll };
