'use strict';

const { showChange } = require('../../config/change');
const { visible } = require('../../base/pure/visible');
const { table } = require('../../text/table');
const { wrap } = require('../../text/wrap');

/**
 * @import { Change, Ink, Tone } from '../../base/types'
 * @import { Entry } from './types'
 */

const TONES = /** @type {Record<string, Tone>} */ ({
  applied: 'good',
  refused: 'bad',
  interrupted: 'warn',
  unknown: 'warn',
  'partly-undone': 'warn',
});

const WHAT = /** @type {Record<string, (undoes: string | null) => string>} */ ({
  undo: (undoes) => `undo of ${undoes}: `,
  trial: () => 'trial of ',
});

/**
 * @param {{ entries: readonly Entry[], notes: readonly string[], all: boolean }} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderHistory({ entries, notes, all }, ink) {
  const remarks = notes.map((note) => `${ink('!', 'warn')} ${visible(note)}`);
  if (entries.length === 0)
    return [
      'tune has changed nothing ' +
        `${all ? 'from this computer' : 'on this server from this computer'}.`,
      ...remarks,
    ].join('\n');
  const columns = ['id', 'at', ...(all ? ['host'] : []), 'outcome'].map((head) => ({ head }));
  const rows = entries.map(({ id, at, host, outcome }) => [
    visible(id),
    visible(at.slice(0, 19).replace('T', ' ')),
    ...(all ? [visible(host ?? '?')] : []),
    ink(outcome, TONES[outcome] ?? 'faint'),
  ]);
  const [head, ...lines] = table(columns, rows, ink).split('\n');
  const drawn = [
    head,
    ...entries.flatMap(({ action, undoes, change }, i) => [
      lines[i],
      ...wrap(`${WHAT[action]?.(undoes) ?? ''}${showChange(change)}`, '  '),
    ]),
  ];
  const last = entries.findLast(({ undo, action }) => undo !== null && action !== 'undo');
  return [
    ...drawn,
    ...(last
      ? ['', `to undo the last: ${ink(visible(/** @type {string} */ (last.undo)), 'accent')}`]
      : []),
    ...remarks,
  ].join('\n');
}

module.exports = { renderHistory };
