'use strict';

const { settingsOf } = require('../../config/change');
const { visible } = require('../../base/pure/visible');
const { codeLines, labelled, wrap } = require('../../text/wrap');
const { remark, showValue } = require('../../change/pure/change-text');
const { table } = require('../../text/table');

/**
 * @import { Change, Ink } from '../../base/types'
 * @import { Group } from './types'
 */

const BETWEEN =
  'Between two members it waits until the set is as healthy as before, and none lags. At the ' +
  'first failure, and after Ctrl-C, those that were changed go back.';

/**
 * @param {Group} data
 * @param {Ink} ink
 * @returns {string} the members in their order, what is sent to each, and how to take it back
 */
function renderGroup(data, ink) {
  const accent = (/** @type {string} */ text) => ink(text, 'accent');
  const isChanging = data.members.some(({ change }) => settingsOf(change).length > 0);
  return [
    headline(data, isChanging, ink),
    '',
    values(data, ink),
    '',
    ...(isChanging
      ? [
          ...commands(data),
          ...(data.dryRun && data.action === 'apply'
            ? wrap(BETWEEN, '  ').map((line) => ink(line, 'faint'))
            : []),
          '',
        ]
      : []),
    ...remarks(data, ink),
    ...(data.confirm ? labelled('to do it:    ', data.confirm, accent) : []),
    ...(data.undo ? labelled('to undo it:  ', data.undo, accent) : []),
    ...(data.action === 'apply' ? fragment(data, ink) : []),
  ]
    .join('\n')
    .trimEnd();
}

/** @param {Group} data @param {boolean} isChanging @param {Ink} ink */
function headline({ dryRun, members, verified, id, action }, isChanging, ink) {
  const count = `${members.length} ${members.length === 1 ? 'member' : 'members, one by one'}`;
  const what = action === 'apply' ? 'change' : 'undo';
  if (!isChanging) return `${ink(count, 'strong')}  nothing to set`;
  if (dryRun) return `${ink(count, 'strong')}  ` + `${ink('DRY RUN: nothing was sent', 'accent')}`;
  return (
    `${ink(count, 'strong')}  ` +
    `${verified ? ink(`${what} done and verified`, 'good') : ink(`${what} done, not verified`, 'bad')}  ` +
    `${ink(visible(id ?? ''), 'faint')}`
  );
}

/** @param {Group} data @param {Ink} ink */
function values({ members, dryRun }, ink) {
  const rows = members.flatMap(({ member, role, change, before, after }, i) => {
    const settings = settingsOf(change);
    const name = [`${i + 1}.`, visible(member), visible(role)];
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
      { head: 'before', align: 'right' },
      { head: dryRun ? 'then' : 'now', align: 'right' },
    ],
    rows,
    ink,
  );
}

/** What is the same for all is shown once. @param {Group} data @returns {string[]} */
function commands({ members }) {
  const texts = members
    .filter(({ change }) => settingsOf(change).length > 0)
    .map((one) => ({
      member: one.member,
      lines: one.commands.map(({ wiredTigerEngineRuntimeConfig: text }) => text),
    }));
  const same = texts.every(({ lines }) => lines.join('\n') === texts[0].lines.join('\n'));
  const show = (/** @type {readonly string[]} */ lines) =>
    lines.flatMap((text) =>
      codeLines(
        'db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: ' +
          `${JSON.stringify(text)} })`,
        '  ',
      ),
    );
  return same
    ? show(texts[0].lines)
    : texts.flatMap(({ member, lines }) => [`on ${visible(member)}:`, ...show(lines)]);
}

/** @param {Group} data @param {Ink} ink */
function remarks({ warnings, members }, ink) {
  const all = [
    ...warnings,
    ...members.flatMap((one) => one.warnings.map((text) => `${one.member}: ${text}`)),
  ];
  return all.length === 0 ? [] : [...all.flatMap((text) => remark(text, ink)), ''];
}

/** @param {Group} data @param {Ink} ink */
function fragment({ members }, ink) {
  const kept = members.filter(({ lostAtRestart }) => lostAtRestart);
  const texts = [...new Set(kept.map(({ conf }) => conf.trimEnd()))];
  return texts.flatMap((text) => {
    const where =
      texts.length === 1
        ? 'of each member'
        : `of ${kept
            .filter(({ conf }) => conf.trimEnd() === text)
            .map(({ member }) => visible(member))
            .join(' and ')}`;
    return [
      `to keep it over a restart, in mongod.conf ${where}:`,
      ...text.split('\n').map((line) => `  ${line}`),
    ].map((line) => ink(line, 'faint'));
  });
}

module.exports = { renderGroup };
