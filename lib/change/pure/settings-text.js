'use strict';

const { SETTING_NAMES } = require('../../config/setting-table');
const { visible } = require('../../base/pure/visible');
const { showValue, remark } = require('./change-text');
const { table } = require('../../text/table');

/**
 * @import { Config } from '../../config/effective-config'
 * @import { SettingName, Ink } from '../../base/types'
 */

/**
 * @typedef {Config & { host: string | null, version: string | null,
 *   drift: readonly { setting: string, say: string }[], notes: readonly string[], complete: boolean }}
 *   Shown
 */

/** What the other columns leave. */
const FROM_WIDTH = 32;
const ORIGINS = Object.freeze({
  default: 'default',
  startup: 'set at start',
  runtime: 'set since the start',
  unknown: 'not known',
});

/**
 * What an unset threshold moves with, see config/thresholds.js.
 * @type {{ [setting in SettingName]?: SettingName }}
 */
const LEADERS = Object.freeze({
  evictionDirtyTarget: 'evictionTarget',
  evictionDirtyTrigger: 'evictionTrigger',
  evictionUpdatesTarget: 'evictionDirtyTarget',
  evictionUpdatesTrigger: 'evictionDirtyTrigger',
  evictionCheckpointTarget: 'evictionDirtyTarget',
});

/** @param {Shown} data @param {Ink} ink @returns {string} */
function renderConfig(data, ink) {
  const drifted = new Set(data.drift.map(({ setting }) => setting));
  const rows = SETTING_NAMES.map((setting) => {
    const { value, from, default: byDefault, sinceRestart, by } = data[setting];
    const leader = from === 'default' && value !== byDefault ? LEADERS[setting] : undefined;
    const mark = drifted.has(setting) ? ink('  not as recorded', 'bad') : '';
    return [
      setting,
      ink(showValue(setting, value), from === 'default' && !leader ? 'faint' : 'strong'),
      `${leader ? `follows ${leader}` : ORIGINS[from]}${by ? ` by ${visible(by)}` : ''}${sinceRestart ? ', lost at restart' : ''}${mark}`,
      ink(showValue(setting, byDefault), 'faint'),
    ];
  });
  return [
    `${ink(visible(data.host ?? '?'), 'strong')}  MongoDB ${visible(data.version ?? '?')}`,
    '',
    table(
      [
        { head: 'setting' },
        { head: 'in effect', align: 'right' },
        { head: 'from', width: FROM_WIDTH },
        { head: 'default', align: 'right' },
      ],
      rows,
      ink,
    ),
    ...[...data.drift.map(({ say }) => say), ...data.notes].flatMap((note) => remark(note, ink)),
    ...(SETTING_NAMES.some((setting) => data[setting].sinceRestart)
      ? ['', `tune.mongodConf() shows what to write into mongod.conf to keep it over a restart.`]
      : []),
  ].join('\n');
}

module.exports = { renderConfig };
