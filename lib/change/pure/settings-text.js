'use strict';

const { KNOB_NAMES } = require('../../config/knobs');
const { visible } = require('../../base/pure/visible');
const { showValue, remark } = require('./change-text');
const { table } = require('../../text/table');

/**
 * @typedef {import('../../text/report').Ink} Ink
 * @typedef {import('../../config/settings').Config & { host: string | null, version: string | null,
 *   drift: readonly { knob: string, say: string }[], notes: readonly string[], complete: boolean }}
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
 * What a threshold that nobody set moves with, see config/thresholds.js.
 * @type {{ [knob in import('../../config/knobs').Knob]?: import('../../config/knobs').Knob }}
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
  const drifted = new Set(data.drift.map(({ knob }) => knob));
  const rows = KNOB_NAMES.map((knob) => {
    const { value, from, default: byDefault, sinceRestart, by } = data[knob];
    const leader = from === 'default' && value !== byDefault ? LEADERS[knob] : undefined;
    const mark = drifted.has(knob) ? ink('  not as recorded', 'bad') : '';
    return [
      knob,
      ink(showValue(knob, value), from === 'default' && !leader ? 'faint' : 'strong'),
      `${leader ? `follows ${leader}` : ORIGINS[from]}${by ? ` by ${visible(by)}` : ''}${sinceRestart ? ', lost at restart' : ''}${mark}`,
      ink(showValue(knob, byDefault), 'faint'),
    ];
  });
  return [
    `${ink(visible(data.host ?? '?'), 'strong')}  MongoDB ${visible(data.version ?? '?')}`,
    '',
    table(
      [
        { head: 'setting' },
        { head: 'in force', align: 'right' },
        { head: 'from', width: FROM_WIDTH },
        { head: 'default', align: 'right' },
      ],
      rows,
      ink,
    ),
    ...[...data.drift.map(({ say }) => say), ...data.notes].flatMap((note) => remark(note, ink)),
    ...(KNOB_NAMES.some((knob) => data[knob].sinceRestart)
      ? ['', `tune.conf() shows what to write into mongod.conf to keep it over a restart.`]
      : []),
  ].join('\n');
}

module.exports = { renderConfig };
