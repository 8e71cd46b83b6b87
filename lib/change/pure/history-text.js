'use strict';

const { many } = require('../../base/pure/units');
const { showChange } = require('../../config/change');
const { visible } = require('../../base/pure/printable');
const { expectedWords, measuredWords } = require('../../text/interval');
const { callLines, marked, noteLines } = require('../../text/layout');
const { table } = require('../../text/table');
const { wrap } = require('../../text/wrap');

/**
 * @import { Ink, Tone } from '../../base/types'
 * @import { TrialResult } from './journal'
 * @import { ShownEntry } from './types'
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
 * @param {{
 *   entries: readonly ShownEntry[], notes: readonly string[], all: boolean, host?: string | null
 * }} data `host`: the server that answers
 * @param {Ink} ink
 * @returns {string}
 */
function renderHistory({ entries, notes, all, host = null }, ink) {
  const several = all || (host !== null && entries.some((entry) => entry.host !== host));
  const where = `${placeWords(all, several)}from this computer`;
  const remarks = notes.flatMap((note) => marked('warning', note, ink));
  if (entries.length === 0) return [`No changes made with tune ${where}.`, ...remarks].join('\n');
  const last = entries.findLast(({ undo, action }) => undo !== null && action !== 'undo');
  const standing = standingOf(entries, host);
  return [
    `${ink(many(entries.length, 'change'), 'strong')} ${where}, times in UTC`,
    ...rows(entries, { several, standing }, ink),
    ...(several && standing.size > 0
      ? noteLines([`Which changes are active is shown for ${visible(host ?? '?')} only.`], ink)
      : []),
    ...remarks,
    ...callLines(
      [
        ['Check', standing.size > 0 ? 'tune.settings()' : null],
        ['Undo', last?.undo],
      ],
      ink,
    ),
  ].join('\n');
}

/** Outcomes of changes that may have left their values on the server. */
const MAY_SET = Object.freeze(['applied', 'unknown', 'interrupted', 'partly-undone']);

/**
 * Says which changes hold by the journal: for each setting the last one that set it. Nothing shows
 * whether other servers were restarted.
 * @param {readonly ShownEntry[]} entries oldest first
 * @param {string | null} host
 * @returns {Map<string, string>} by id, the word after the outcome
 */
function standingOf(entries, host) {
  const here = entries.filter((entry) => host !== null && entry.host === host);
  /** @type {Map<string, string>} */
  const lastToSet = new Map();
  for (const { id, change } of here.filter((one) => MAY_SET.includes(one.outcome)))
    for (const setting of Object.keys(change)) lastToSet.set(setting, id);
  return new Map(
    here
      .filter(({ outcome }) => outcome === 'applied')
      .map(({ id, change }) => {
        const settings = Object.keys(change);
        const held = settings.filter((setting) => lastToSet.get(setting) === id);
        return [id, standingWord(held.length, settings.length)];
      }),
  );
}

/** @param {number} held settings that hold @param {number} of all settings of the change */
function standingWord(held, of) {
  if (held === 0) return 'replaced';
  return held === of ? 'active' : 'partly active';
}

/** @param {boolean} all @param {boolean} several hosts */
function placeWords(all, several) {
  if (all) return '';
  return several ? 'on this server and its replica set ' : 'on this server ';
}

/**
 * @param {readonly ShownEntry[]} entries
 * @param {{ several: boolean, standing: ReadonlyMap<string, string> }} how `several`: hosts
 * @param {Ink} ink
 */
function rows(entries, { several, standing }, ink) {
  const columns = ['  id', 'time', ...(several ? ['host'] : []), 'outcome'].map((head) => ({
    head,
  }));
  const cells = entries.map(({ id, at, host, outcome }) => [
    `  ${visible(id)}`,
    visible(at.slice(0, 19).replace('T', ' ')),
    ...(several ? [visible(host ?? '?')] : []),
    outcomeCell(outcome, standing.get(id), ink),
  ]);
  const [head, ...lines] = table(columns, cells, ink).split('\n');
  return [
    head,
    ...entries.flatMap(({ action, undoes, change, ticket, result }, i) => [
      lines[i],
      ...wrap(
        `${WHAT[action]?.(undoes) ?? ''}${showChange(change)}${ticket ? ` (ticket ${visible(ticket)})` : ''}`,
        '    ',
      ),
      ...resultLines(result ?? null),
    ]),
  ];
}

/** @param {string} outcome @param {string | undefined} standing @param {Ink} ink */
const outcomeCell = (outcome, standing, ink) =>
  ink(
    standing === undefined ? outcome : `${outcome}, ${standing}`,
    standing === 'replaced' ? 'faint' : (TONES[outcome] ?? 'faint'),
  );

/**
 * @param {TrialResult | null} result
 * @returns {string[]} the measured result, and the one expected before
 */
function resultLines(result) {
  const measured = rangeIn(result);
  if (result === null || measured === null) return [];
  const expected = result.metric === 'opsPerSec' ? rangeIn(result.expected) : null;
  const before = expected === null ? '' : `, expected ${expectedWords(expected)}`;
  return wrap(
    `${visible(result.verdict)}: ${metricName(result.metric)} ${measuredWords(measured)}${before}`,
    '    ',
  );
}

/** @param {string} metric a metric in a journal */
const metricName = (metric) => (metric === 'opsPerSec' ? 'operations/s' : visible(metric));

/**
 * Returns a range of figures, or null: a journal may hold anything.
 * @param {any} found
 * @returns {{ ratio: number, low: number, high: number } | null}
 */
const rangeIn = (found) =>
  [found?.ratio, found?.low, found?.high].every(Number.isFinite) ? found : null;

module.exports = { renderHistory };
