'use strict';

const { SETTING_NAMES } = require('../../config/setting-table');
const { showValue } = require('../../config/change');
const { remark } = require('./change-text');
const { callLines, firstLine, headed } = require('../../text/layout');
const { table } = require('../../text/table');
const { wrap } = require('../../text/wrap');
const { visible } = require('../../base/pure/printable');

/**
 * @import { Config } from '../../config/effective-config'
 * @import { OtherKey } from '../../config/engine-config'
 * @import { SettingName, Ink } from '../../base/types'
 */

/**
 * @typedef {Config & {
 *   host: string | null, version: string | null, others?: readonly OtherKey[],
 *   drift: readonly { setting: string, say: string }[], notes: readonly string[],
 *   complete: boolean
 * }} Shown
 */

const ORIGINS = Object.freeze({
  default: 'default',
  startup: 'start-up options',
  runtime: 'run time',
  unknown: 'unknown',
});

/**
 * The settings that an unset threshold follows, see config/thresholds.js.
 * @type {{ [setting in SettingName]?: string }}
 */
const LEADERS = Object.freeze({
  evictionDirtyTarget: 'as evictionTarget',
  evictionDirtyTrigger: 'as evictionTrigger',
  evictionUpdatesTarget: 'half of evictionDirtyTarget',
  evictionUpdatesTrigger: 'half of evictionDirtyTrigger',
  evictionCheckpointTarget: 'as evictionDirtyTarget',
});

/** @param {Shown} data @param {Ink} ink @returns {string} */
function renderConfig(data, ink) {
  const isKept = SETTING_NAMES.every((setting) => !data[setting].sinceRestart);
  return [
    firstLine(data, '', ink),
    summary(data, ink),
    table(
      [
        { head: '  setting' },
        { head: 'active', align: 'right' },
        { head: 'default', align: 'right' },
        { head: 'origin' },
      ],
      rows(data, ink),
      ink,
    ),
    ...otherLines(data.others ?? [], ink),
    ...[...data.drift.map(({ say }) => say), ...data.notes].flatMap((note) => remark(note, ink)),
    ...callLines([['Keep', isKept ? null : 'tune.mongodConf()']], ink),
  ].join('\n');
}

/** Says how many settings differ from their default. @param {Shown} data @param {Ink} ink */
function summary(data, ink) {
  const changed = SETTING_NAMES.filter(
    (setting) => data[setting].from !== 'default' || data[setting].value !== data[setting].default,
  ).length;
  const lost = SETTING_NAMES.filter((setting) => data[setting].sinceRestart).length;
  const text =
    changed === 0 ? 'all defaults' : `${changed} of ${SETTING_NAMES.length} not at the default`;
  return (
    headed('SETTINGS', ink) +
    `${text}${lost === 0 ? '' : ink(`, ${lost} lost at the next restart`, 'warn')}`
  );
}

/** @param {readonly OtherKey[]} others @param {Ink} ink */
const otherLines = (others, ink) =>
  others.length === 0
    ? []
    : [
        `${headed('OTHER KEYS', ink)}set outside tune, which does not change them`,
        ...others.flatMap(({ key, value, from }) =>
          wrap(
            `${visible(key)}=${value === null ? '(not shown)' : visible(value)}  ${ORIGINS[from]}`,
            '    ',
            '  ',
          ),
        ),
      ];

/** @param {Shown} data @param {Ink} ink */
function rows(data, ink) {
  const drifted = new Set(data.drift.map(({ setting }) => setting));
  return SETTING_NAMES.map((setting) => {
    const { value, from, default: byDefault, sinceRestart, by } = data[setting];
    const leader = from === 'default' && value !== byDefault ? LEADERS[setting] : undefined;
    return [
      `  ${setting}`,
      ink(showValue(setting, value), from === 'default' && !leader ? 'faint' : 'strong'),
      ink(showValue(setting, byDefault), 'faint'),
      `${leader ?? BY[by ?? ''] ?? ORIGINS[from]}` +
        `${sinceRestart ? ', until restart' : ''}` +
        `${drifted.has(setting) ? ink(', not as recorded', 'bad') : ''}`,
    ];
  });
}

/** @type {Readonly<Record<string, string>>} */
const BY = Object.freeze({ tune: 'tune', others: 'other session' });

module.exports = { renderConfig };
