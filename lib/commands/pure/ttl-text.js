'use strict';

const { count, secondsText, percent, roughly, UNKNOWN } = require('../../base/pure/units');
const { withoutBuckets } = require('../../server/pure/collections');
const { isOwn } = require('../../ttl/pure/ttl');
const { visible } = require('../../base/pure/printable');
const { codeLines, wrap } = require('../../text/wrap');
const { spark } = require('../../text/bars');
const { firstLine, marked, noteLines, part } = require('../../text/layout');
const { titledTable } = require('../../text/table');

/**
 * @import { Ttl } from '../ttl'
 * @import { Ink } from '../../base/types'
 */

/**
 * @typedef {Ttl} Data
 * @typedef {Data['indexes'][number]} Index
 */

const HOURS = 24;
const COLUMNS = Object.freeze([
  ...['  documents', 'overdue ~', 'next day ~', 'later ~', 'never ~'].map((head) => ({
    head,
    align: /** @type {const} */ ('right'),
  })),
  { head: '00 by hour (UTC) ~    23' },
]);
/** One design is shown in full; `designs` has all. */
const DESIGNS_SHOWN = 1;

/**
 * Prints the answer of tune.ttl.
 * @param {Data} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderTtl(data, ink) {
  const { notes } = data;
  const indexes = data.indexes.filter(({ ns }) => !isOwn(ns));
  return [
    firstLine(data, '', ink),
    ...part('TTL', howMany(data), ink, 'strong'),
    ...workLines(data.work, ink),
    ...hourLines(data, ink),
    ...(indexes.length === 0
      ? []
      : [
          ...titledTable(
            COLUMNS,
            indexes.map((index) => ({ title: title(index, ink), cells: cells(index) })),
            ink,
          ),
          ink('  ~ estimated from up to 1,000 documents of each collection', 'faint'),
        ]),
    ...designLines(data, ink),
    ...undesignedLines(data, ink),
    ...noteLines(notes, ink),
  ].join('\n');
}

/** Counts TTL indexes; collections that this user cannot see may have more. @param {Data} data */
function howMany({ indexes, unknown, collections }) {
  const own = indexes.filter(({ ns }) => isOwn(ns)).length;
  const users = indexes.length - own;
  const all =
    `${users || 'no'} ` +
    `${users === 1 ? 'index' : 'indexes'}${own === 0 ? '' : `, plus ${own} internal`}`;
  return unknown === 0
    ? all
    : `${all}; ${count(unknown)} of ${count(collections)} collections are unknown`;
}

/** @param {Data['work']} work @param {Ink} ink @returns {string[]} */
function workLines(
  { deletedDocuments, passes, uptimeSeconds, deletedPerSec, deletedPerPass, everySeconds },
  ink,
) {
  const every = everySeconds === null ? '' : `, one every ${secondsText(everySeconds)}`;
  if (deletedDocuments === null) return part('DELETED', 'unknown', ink);
  if (deletedDocuments === 0)
    return part(
      'DELETED',
      `nothing since the server started (${count(passes)} passes${every})`,
      ink,
    );
  const since =
    uptimeSeconds === null ? '' : ` in the ${secondsText(uptimeSeconds)} since the server started`;
  return part(
    'DELETED',
    `${count(deletedDocuments)} documents${since}: ${count(deletedPerSec)}/s, ` +
      `${count(deletedPerPass)} a pass (${count(passes)} passes${every})`,
    ink,
  );
}

/** @param {Index} index @param {Ink} ink */
function title({ ns, kind, index, field, expireAfterSeconds }, ink) {
  const what = { index: visible(String(index)), clustered: 'clustered', timeseries: 'time series' }[
    kind
  ];
  return (
    `  ${ink(visible(withoutBuckets(ns)), 'strong')}  ${ink(what, 'accent')}  ` +
    expiryText(expireAfterSeconds, field)
  );
}

/**
 * Says when documents expire, counted from the date in their field.
 * @param {number | null} seconds
 * @param {string | null} field
 */
function expiryText(seconds, field) {
  if (seconds === null) return UNKNOWN;
  const date = field === null ? 'its date' : JSON.stringify(visible(field));
  return seconds === 0 ? `at the date in ${date}` : `${secondsText(seconds)} after ${date}`;
}

/** @param {Index} index */
const cells = ({ documents, expiry }) => [
  ...[documents, expiry?.overdue, expiry?.nextDay, expiry?.later, expiry?.never].map(roughly),
  hoursText(expiry),
];

/**
 * Says at which hours of the next day documents expire.
 * @param {Index['expiry']} expiry
 */
function hoursText(expiry) {
  if (!expiry) return UNKNOWN;
  return expiry.nextDay > 0 ? spark(expiry.hours, { width: HOURS }) : '';
}

/** @param {Data} data @param {Ink} ink @returns {string[]} */
function hourLines({ hours, quiet, at }, ink) {
  if (hours === null) return [];
  const max = hours.reduce((best, n, i) => (n > hours[best] ? i : best), 0);
  if (hours[max] === 0) return part('DUE', `nothing in the 24 h after ${time(at)} UTC`, ink);
  return [
    ...part('DUE', `00 ${spark(hours, { width: HOURS })} 23 UTC`, ink),
    ...part(
      '',
      `max ${count(hours[max])} documents at ${clock(max)}; ${percent(quiet.ratio)} of all in ` +
        `the quiet window ${span(quiet)} UTC`,
      ink,
    ),
  ];
}

/** @param {Date} at */
const time = (at) => at.toISOString().slice(11, 16);
/** @param {number} hour */
const clock = (hour) => `${String(hour % 24).padStart(2, '0')}:00`;
/** @param {{ startHour: number, lengthHours: number }} quiet */
const span = ({ startHour, lengthHours }) =>
  `${clock(startHour)}-${clock(startHour + lengthHours)}`;

/** @param {Data} data @param {Ink} ink @returns {string[]} */
function designLines({ designs, quiet }, ink) {
  if (designs.length === 0) return [];
  const more =
    designs.length > DESIGNS_SHOWN
      ? ` tune.last.designs has ${designs.length - DESIGNS_SHOWN} more.`
      : '';
  const [{ ns, steps }] = designs;
  return [
    ...part(
      'TO MOVE',
      `${ns} into the quiet window ${span(quiet)} UTC: each document has the time of ` +
        `its deletion, and lives up to a day longer. Nothing was changed.${more}`,
      ink,
    ),
    ...steps.flatMap(({ what, command }, i) => [
      ...wrap(what, '     ', `  ${i + 1}. `),
      ...codeLines(command, '     ').map((line) => ink(line, 'accent')),
    ]),
  ];
}

/**
 * Shows these indexes only where many deletes would be moved.
 * @param {Data} data
 * @param {Ink} ink
 * @returns {string[]}
 */
const undesignedLines = ({ undesigned }, ink) =>
  undesigned
    .filter(({ worth }) => worth)
    .flatMap(({ ns, because }) => marked('info', `${ns} is not changed: ${because}.`, ink));

module.exports = { renderTtl };
