'use strict';

const { bytes, secondsText, percent, UNKNOWN, clockText } = require('../../../base/pure/units');
const { bottleneckTone, levelTone, scale, thresholdWords } = require('../../../text/tones');
const { gauge } = require('../../../text/bars');
const { AREAS } = require('./areas');
const { apart, fit, line, shown, span, wrapTo, widthOf } = require('./frame');

/**
 * @import { Member } from '../../../cluster/member-status'
 * @import { Status } from '../../../server/pure/status'
 * @import { Tone } from '../../../base/types'
 * @import { Line } from './frame'
 * @import { View } from './types'
 */

const LABEL = 11;

/** The title line: server and state. @param {View} view @param {number} columns @returns {Line} */
function title({ host, version, role, nowMs, state }, columns) {
  const what = [`MongoDB ${shown(version ?? UNKNOWN)}`, role ?? ''].join('  ').trimEnd();
  const [words, tone] = stateWords(state, nowMs);
  return apart(
    line(span(shown(host ?? UNKNOWN), 'strong'), `  ${what}`),
    line(span(words, tone)),
    columns,
  );
}

/** @param {View['state']} state @param {number} nowMs @returns {[string, Tone]} */
function stateWords(state, nowMs) {
  if (state.kind === 'live') return [`${clockText(nowMs)} UTC`, 'faint'];
  if (state.kind === 'paused') return [`PAUSED at ${clockText(state.sinceMs)} UTC`, 'warn'];
  const since = secondsText(Math.max(0, Math.floor((nowMs - state.sinceMs) / 1000)));
  return [state.kind === 'lost' ? `NO CONNECTION for ${since}` : `NO ANSWER for ${since}`, 'bad'];
}

/**
 * Describes the bottleneck in words.
 * @param {View} view
 * @param {number} columns
 * @param {number} max lines
 * @returns {Line[]}
 */
function verdict({ verdict: found, message }, columns, max) {
  const indent = ' '.repeat(LABEL + 1);
  if (message !== null)
    return wrapTo(message, columns - 2, max).map((text, i) =>
      line(span(i === 0 ? '! ' : '  ', 'bad'), span(text, 'bad')),
    );
  if (found === null) return [line('bottleneck'.padEnd(LABEL), span(' looking …', 'faint'))];
  const lines = wrapTo(`${found.bottleneck}: ${found.because}`, columns - indent.length, max);
  const head = `${found.bottleneck}:`;
  return lines.map((text, i) =>
    i > 0
      ? line(indent, text)
      : line(
          'bottleneck'.padEnd(LABEL + 1),
          span(head, bottleneckTone(found.bottleneck)),
          text.slice(head.length),
        ),
  );
}

/** The columns of the level, its mark and its thresholds beside a gauge. */
const LEVEL_WIDTH = 25;
const BYTES_WIDTH = 22;
const WIDEST_GAUGE = 60;
/** From this number of columns on, the bytes are shown, too. */
const WITH_BYTES = 76;

/**
 * The level and thresholds that each gauge shows.
 * @type {readonly ['fill' | 'dirty' | 'updates', 'used' | 'dirty' | 'updates', 't' | 'dirtyT' |
 *   'updatesT'][]}
 */
const GAUGES = Object.freeze([
  ['fill', 'used', 't'],
  ['dirty', 'dirty', 'dirtyT'],
  ['updates', 'updates', 'updatesT'],
]);

/** @param {Status | null} status @param {number} columns @returns {Line[]} */
function gauges(status, columns) {
  const withBytes = columns >= WITH_BYTES;
  const width = Math.min(
    WIDEST_GAUGE,
    columns - LABEL - LEVEL_WIDTH - (withBytes ? BYTES_WIDTH : 0),
  );
  return GAUGES.map(([label, part, what]) => {
    if (status === null) return level(label, {}, { width, more: '' });
    const { cache, thresholds } = status;
    const more = `${bytes(cache[`${part}Bytes`])}${part === 'used' ? ` of ${bytes(cache.maxBytes)}` : ''}`;
    return fit(
      level(
        label,
        {
          ratio: cache[`${part}Ratio`],
          target: thresholds[`${what}argetRatio`],
          trigger: thresholds[`${what}riggerRatio`],
        },
        { width, more: withBytes ? more : '' },
      ),
      columns,
    );
  });
}

/** Marks for readers who see no colours. @type {Partial<Record<Tone, string>>} */
const MARKS = { warn: '! ', bad: '!!' };

/**
 * @param {string} label
 * @param {{ ratio?: number | null, target?: number | null, trigger?: number | null }} at
 * @param {{ width: number, more: string }} how
 * @returns {Line}
 */
function level(label, { ratio = null, target = null, trigger = null }, { width, more }) {
  const tone = levelTone({ ratio, target, trigger });
  return line(
    label.padEnd(LABEL),
    span(gauge(ratio, { marks: [target, trigger], top: scale(trigger), width }), tone),
    span(`${percent(ratio).padStart(7)} ${MARKS[tone] ?? '  '}`, tone),
    span(`  ${thresholdWords({ target, trigger }).padEnd(11)}`, 'faint'),
    more,
  );
}

/** @param {View} view @param {number} columns @returns {Line[]} the newest first */
const events = ({ events: all }, columns) =>
  [...all]
    .reverse()
    .map(({ atMs, text }) =>
      fit(line(span(`${clockText(atMs)}  `, 'faint'), span(shown(text), 'accent')), columns),
    );

/** @param {View} view @param {number} columns @returns {Line} */
const tabs = ({ ui }, columns) =>
  fit(
    AREAS.map(({ name }, i) =>
      i === ui.area ? span(`[${i + 1} ${name}]`, 'strong') : span(` ${i + 1} ${name} `),
    ),
    columns,
  );

/** @param {View} view @param {number} columns @returns {Line} */
function footer({ ui, members: all }, columns) {
  const keys = [
    'q quit',
    ui.isPaused ? 'space go on' : 'space pause',
    'tab area',
    ...(all.length > 1 ? ['m member'] : []),
    '? help',
  ];
  return fit(line(span(keys.join('   '), 'faint')), columns);
}

/**
 * Lists the members of the replica set with the shown one marked, in the longest form that fits.
 * @param {{ members: readonly Member[], shownHost: string | null }} view
 * @param {number} columns
 * @returns {Line[]} empty for a single member
 */
function membersLine({ members: all, shownHost }, columns) {
  if (all.length < 2) return [];
  const names = shortNames(all.map(({ host }) => host));
  const list = (/** @type {(member: Member, i: number) => string} */ words) =>
    line(
      span('members'.padEnd(LABEL)),
      ...all.map((member, i) =>
        span(
          `${member.host === shownHost ? '▸' : ' '}${words(member, i)}  `,
          memberTone(member, shownHost),
        ),
      ),
    );
  const forms = [
    list((member) => `${shown(member.host)} ${memberState(member)}${lagOf(member)}`),
    list((member, i) => `${names[i]} ${memberState(member)}${lagOf(member)}`),
    list((member, i) => `${names[i]} ${memberState(member)}`),
    list((member, i) => (member.isUp ? names[i] : `${names[i]} DOWN`)),
  ];
  const at = all.findIndex(({ host }) => host === shownHost);
  return [
    fit(
      forms.find((form) => widthOf(form) <= columns) ??
        line(
          span('members'.padEnd(LABEL)),
          ` ${at + 1} of ${all.length}${at < 0 ? '' : `: ${names[at]} ${memberState(all[at])}`}`,
        ),
      columns,
    ),
  ];
}

/**
 * Shortens `mongo-1.example.net:27017` to `mongo-1`, where the short names still differ.
 * @param {readonly string[]} hosts @returns {string[]}
 */
function shortNames(hosts) {
  const withPort = hosts.map((host) =>
    /^[\d.]+:\d+$/.test(host) ? host : host.replace(/^([^.:]+)\.[^:]*/, '$1'),
  );
  const without = withPort.map((host) => host.replace(/:\d+$/, ''));
  return ([without, withPort].find((names) => new Set(names).size === hosts.length) ?? hosts).map(
    shown,
  );
}

/**
 * Chooses the colour of a member: the shown one stands out.
 * @param {Member} member
 * @param {string | null} shownHost
 */
function memberTone({ host, isUp }, shownHost) {
  if (!isUp) return 'bad';
  return host === shownHost ? 'strong' : undefined;
}

/** @param {Member} member */
const memberState = ({ role, isUp }) => (isUp ? shown(role) : 'DOWN');
/** @param {Member} member */
const lagOf = ({ isUp, lagSeconds }) =>
  !isUp || lagSeconds === null || lagSeconds < 1 ? '' : `, ${secondsText(lagSeconds)} behind`;

module.exports = { title, verdict, gauges, events, tabs, footer, LABEL, membersLine };
