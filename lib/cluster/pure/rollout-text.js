'use strict';

const { many } = require('../../base/pure/units');
const { settingsOf, showValue } = require('../../config/change');
const { shownConfig } = require('../../config/engine-config');
const { visible, callText } = require('../../base/pure/printable');
const { LOST_AT_RESTART } = require('../../change/pure/sentences');
const { callLines, dryRun, fragment, headed } = require('../../text/layout');
const { wrap } = require('../../text/wrap');
const { remark, sendLines, withoutHint } = require('../../change/pure/change-text');
const { table } = require('../../text/table');

/**
 * @import { Ink } from '../../base/types'
 * @import { Group } from './types'
 */

const BETWEEN =
  'Between two members tune waits until the set is healthy and no member lags. After a failure ' +
  'or Ctrl-C it undoes the change on the members that have it.';

/**
 * @param {Group} data
 * @param {Ink} ink
 * @returns {string} the members in their order, the calls to each, and the next command
 */
function renderGroup(data, ink) {
  const isChanging = data.members.some(({ change }) => settingsOf(change).length > 0);
  return [
    outcome(data, isChanging, ink),
    values(data, ink),
    ...(isChanging
      ? [
          headed(data.dryRun ? 'WOULD SEND' : 'SENT', ink).trimEnd(),
          ...commands(data),
          ...(data.dryRun && data.action === 'apply'
            ? wrap(BETWEEN, '  ').map((line) => ink(line, 'faint'))
            : []),
        ]
      : []),
    ...remarks(data, ink),
    ...callLines(nextCalls(data), ink),
    ...(data.action === 'apply' ? confLines(data, ink) : []),
  ].join('\n');
}

/** @param {Group} data @param {boolean} isChanging @param {Ink} ink */
function outcome({ dryRun: isDry, members, verified, id, action }, isChanging, ink) {
  const count = ink(many(members.length, 'member'), 'strong');
  const what = action === 'apply' ? 'change' : 'undo';
  if (!isChanging) return `${count}  ${nothingSet(verified, ink)}`;
  if (isDry) return `${count}, one by one  ${dryRun(ink)}`;
  return (
    `${count}  ` +
    `${verified ? ink(`${what} done and verified`, 'good') : ink(`${what} sent, NOT verified`, 'bad')}` +
    `${id === null ? '' : `  ${ink(visible(id), 'faint')}`}`
  );
}

/** @param {boolean | null} verified false: a member was not reached @param {Ink} ink */
const nothingSet = (verified, ink) =>
  verified === false ? ink('nothing to set, NOT verified', 'bad') : ink('nothing to set', 'good');

/** @param {Group} data @returns {[string, string | null][]} */
const nextCalls = ({ dryRun: isDry, action, confirm, undo }) =>
  isDry
    ? [
        [action === 'apply' ? 'Apply' : 'Undo', confirm],
        [
          action === 'apply' ? 'Undo later' : 'Redo later',
          confirm && action === 'apply' ? callText('undo', { confirm: true }) : undo,
        ],
      ]
    : [
        ['Check', 'tune.members()'],
        [action === 'apply' ? 'Undo' : redoLabel(undo), undo],
      ];

/**
 * Names the next call: a redo that would set some members only is not offered, but a dry run for
 * all.
 * @param {string | null} undo
 */
const redoLabel = (undo) => (undo?.startsWith('tune.apply(') ? 'Dry run' : 'Redo');

/** @param {Group} data @param {Ink} ink */
function values({ members, dryRun }, ink) {
  const rows = members.flatMap(({ member, role, change, before, after }, i) => {
    const settings = settingsOf(change);
    const name = [`  ${i + 1}.`, visible(member), visible(role)];
    if (settings.length === 0) return [[...name, ink('nothing to set', 'faint'), '', '']];
    return settings.map((setting, k) => [
      ...(k === 0 ? name : ['', '', '']),
      setting,
      showValue(setting, before[setting]),
      ink(showValue(setting, (after ?? change)[setting]), 'strong'),
    ]);
  });
  return table(
    [
      { head: '' },
      { head: 'member' },
      { head: '' },
      { head: 'setting' },
      { head: dryRun ? 'now' : 'before', align: 'right' },
      { head: dryRun ? 'after' : 'now', align: 'right' },
    ],
    rows,
    ink,
  );
}

/**
 * Lists the calls, those that are the same for all members once.
 * @param {Group} data @returns {string[]}
 */
function commands({ members }) {
  const texts = members
    .filter(({ change }) => settingsOf(change).length > 0)
    .map((one) => ({
      member: one.member,
      lines: one.commands.map(({ wiredTigerEngineRuntimeConfig: text }) => shownConfig(text)),
    }));
  const same = texts.every(({ lines }) => lines.join('\n') === texts[0].lines.join('\n'));
  const show = (/** @type {readonly string[]} */ lines) => lines.flatMap(sendLines);
  return same
    ? show(texts[0].lines)
    : texts.flatMap(({ member, lines }) => [`  on ${visible(member)}:`, ...show(lines)]);
}

/** @param {Group} data @param {Ink} ink */
function remarks({ warnings, members }, ink) {
  const own = members.flatMap((one) =>
    one.warnings.filter((text) => text !== LOST_AT_RESTART).map((text) => ({ ...one, text })),
  );
  const texts = [...new Set(own.map(({ text }) => text))];
  return [
    ...warnings.filter((text) => text !== LOST_AT_RESTART),
    ...texts.map((text) => {
      const names = own.filter((one) => one.text === text).map(({ member }) => member);
      return names.length === members.length ? text : `${names.join(', ')}: ${text}`;
    }),
  ].flatMap((text) => remark(text, ink));
}

/** @param {Group} data @param {Ink} ink */
function confLines({ members }, ink) {
  const kept = members.flatMap(({ member, lostAtRestart, conf }) =>
    lostAtRestart && conf !== null ? [{ member, conf: conf.trimEnd() }] : [],
  );
  const texts = [...new Set(kept.map(({ conf }) => conf))];
  const isForAll = texts.length === 1 && !members.some((one) => one.lostAtRestart && !one.conf);
  return texts.flatMap((text) => {
    const where = isForAll
      ? 'of each member'
      : `of ${kept
          .filter(({ conf }) => conf === text)
          .map(({ member }) => visible(member))
          .join(' and ')}`;
    return fragment(
      `A restart loses these. To keep them, merge into mongod.conf ${where}`,
      withoutHint(text),
      ink,
    );
  });
}

module.exports = { renderGroup };
