'use strict';

const { SETTINGS } = require('../../config/setting-table');
const { settingsOf } = require('../../config/change');
const { bytes } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { codeLines, labelled, wrap } = require('../../text/wrap');
const { table } = require('../../text/table');

/**
 * @import { SettingName, Change, Ink } from '../../base/types'
 * @import { Changed } from './types'
 */

/**
 * @typedef {{ kind: 'set', config: string } | { kind: 'wait', limits: { kind: string, belowBytes:
 *   number }[] }} Step
 */

/** @param {Changed} data @param {Ink} ink @returns {string} */
function renderChange(data, ink) {
  return [
    headline(data, ink),
    '',
    ...(settingsOf(data.change).length === 0
      ? []
      : [
          values(data, ink),
          '',
          ...data.steps.flatMap((step) => stepLines(step, data.dryRun, ink)),
          ...wayDown(data, ink),
          '',
        ]),
    ...data.warnings.flatMap((warning) => remark(warning, ink)),
    ...(data.warnings.length === 0 ? [] : ['']),
    ...typeThis(data, ink),
  ]
    .join('\n')
    .trimEnd();
}

/** @param {Changed} data @param {Ink} ink */
function headline({ dryRun, host, change, verified, id, atNextStart, action = 'change' }, ink) {
  if (settingsOf(change).length === 0)
    return (
      `${ink(visible(host ?? ''), 'strong')}  nothing to ` +
      `set${atNextStart ? ' while the server runs; it counts from the next start' : ''}`
    );
  if (dryRun)
    return (
      `${ink(visible(host ?? ''), 'strong')}  ` + `${ink('DRY RUN: nothing was sent', 'accent')}`
    );
  return (
    `${ink(visible(host ?? ''), 'strong')}  ` +
    `${verified ? ink(`${action} done and verified`, 'good') : ink(`${action} done, not verified`, 'bad')}  ` +
    `${ink(visible(id ?? ''), 'faint')}`
  );
}

/** @param {Changed} data @param {Ink} ink */
const values = ({ change, before, after }, ink) =>
  table(
    [
      { head: 'setting' },
      { head: 'before', align: 'right' },
      { head: after ? 'now' : 'then', align: 'right' },
    ],
    settingsOf(change).map((setting) => [
      setting,
      showValue(setting, before[setting]),
      ink(showValue(setting, (after ?? change)[setting]), 'strong'),
    ]),
    ink,
  );

/** @param {SettingName} setting @param {number | null | undefined} value @returns {string} */
function showValue(setting, value) {
  if (value === undefined || value === null) return '?';
  const { unit } = SETTINGS[setting];
  if (unit === 'percent') return value > 100 ? bytes(value) : `${Number(value.toFixed(2))}%`;
  return { GB: `${Number(value.toFixed(3))} GB`, threads: `${value}`, seconds: `${value} s` }[unit];
}

const LEVELS = /** @type {Record<string, string>} */ ({
  used: 'the cache holds',
  dirty: 'dirty data is',
  updates: 'update data is',
});

/** @param {Step} step @param {boolean} dryRun @param {Ink} ink @returns {string[]} */
function stepLines(step, dryRun, ink) {
  if (step.kind === 'set')
    return codeLines(
      'db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: ' +
        `${JSON.stringify(step.config)} })`,
      '  ',
    );
  return wrap(
    `${dryRun ? 'will wait, or lower it in steps,' : 'waited, or lowered it in steps,'} until ` +
      `${step.limits.map(({ kind, belowBytes }) => `${LEVELS[kind]} under ${bytes(belowBytes)}`).join(' and ')}`,
    '  ',
  ).map((line) => ink(line, 'faint'));
}

/** @param {string} text @param {Ink} ink @returns {string[]} */
const remark = (text, ink) =>
  wrap(text, '  ', '! ').map((line) => line.replace(/^!/, ink('!', 'warn')));

/** @param {Changed} data @param {Ink} ink @returns {string[]} */
const wayDown = ({ rampCommands: down }, ink) =>
  down.length === 0
    ? []
    : [
        ...wrap(`intermediate steps: ${down.join(' ')}`, '    ', '  ').map((line) =>
          ink(line, 'faint'),
        ),
      ];

/** @param {Changed} data @param {Ink} ink */
function typeThis({ confirm, undo, conf, lostAtRestart, atNextStart }, ink) {
  const fragment = [
    `${lostAtRestart ? 'to keep it over a restart' : 'for the next start'}, in mongod.conf:`,
    ...conf
      .trimEnd()
      .split('\n')
      .map((line) => `  ${visible(line)}`),
  ];
  const accent = (/** @type {string} */ text) => ink(text, 'accent');
  return [
    ...(confirm ? labelled('to do it:    ', confirm, accent) : []),
    ...(undo ? labelled('to undo it:  ', undo, accent) : []),
    ...(lostAtRestart || atNextStart ? fragment.map((line) => ink(line, 'faint')) : []),
  ];
}

module.exports = { renderChange, showValue, remark };
