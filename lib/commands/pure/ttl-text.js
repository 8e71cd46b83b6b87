'use strict';

const { count, duration, percent, roughly, UNKNOWN } = require('../../base/pure/units');
const { isOwn } = require('../../ttl/pure/ttl');
const { visible } = require('../../base/pure/visible');
const { codeLines, wrap } = require('../../text/wrap');
const { spark } = require('../../text/bars');
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
  ...['documents', 'overdue ~', 'next day ~', 'later ~', 'never ~'].map((head) => ({
    head,
    align: /** @type {const} */ ('right'),
  })),
  { head: '00 by hour (UTC) ~    23' },
]);
/** One in full; the others are in `designs`. */
const DESIGNS_SHOWN = 1;
const BUCKETS = '.system.buckets.';

/**
 * The answer of tune.ttl as text.
 * @param {Data} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderTtl(data, ink) {
  const { notes } = data;
  const indexes = data.indexes.filter(({ ns }) => !isOwn(ns));
  return [
    `${ink(visible(data.host ?? UNKNOWN), 'strong')}: ${howMany(data)}`,
    ...workLines(data.work),
    ...(indexes.length === 0
      ? []
      : [
          '',
          ...titledTable(
            COLUMNS,
            indexes.map((index) => ({ title: title(index, ink), cells: cells(index) })),
            ink,
          ),
          ink('~ estimated from up to 1,000 documents of each collection', 'faint'),
        ]),
    ...hourLines(data),
    ...designLines(data, ink),
    ...undesignedLines(data),
    ...notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((line) => ink(line, 'faint')),
  ].join('\n');
}

/** What this user cannot see may have some. @param {Data} data */
function howMany({ indexes, unknown, collections }) {
  const own = indexes.filter(({ ns }) => isOwn(ns)).length;
  const yours = indexes.length - own;
  const of =
    `${yours || 'no'} TTL ` +
    `${yours === 1 ? 'index' : 'indexes'}${own === 0 ? '' : ` beside ${own} of the server's own`}`;
  return unknown === 0
    ? of
    : `${of} seen; those of ${count(unknown)} of ${count(collections)} collections are not known`;
}

/** @param {Data['work']} work @returns {string[]} */
function workLines({
  deletedDocuments,
  passes,
  uptimeSeconds,
  deletedPerSec,
  deletedPerPass,
  everySeconds,
}) {
  if (deletedDocuments === null) return ['deleted by TTL: ?'];
  const since =
    uptimeSeconds === null
      ? ''
      : ` in the ${duration(uptimeSeconds * 1000)} since the server started`;
  const pass =
    `${count(passes)} ` +
    `passes${everySeconds === null ? '' : `, one every ${count(everySeconds)} s`}`;
  return wrap(
    `deleted by TTL: ${count(deletedDocuments)} documents${since} ` +
      `(${count(deletedPerSec)}/s; ${pass}, ${count(deletedPerPass)} each)`,
    '  ',
    '',
  );
}

/** @param {Index} index @param {Ink} ink */
function title({ ns, kind, index, field, expireAfterSeconds }, ink) {
  const what = { index: visible(String(index)), clustered: 'clustered', timeseries: 'time series' }[
    kind
  ];
  return (
    `${ink(visible(ns.replace(BUCKETS, '.')), 'strong')}  ${ink(what, 'accent')}  ` +
    `${field === null ? '' : `${visible(field)} `}${expiryText(expireAfterSeconds)}`
  );
}

/**
 * When documents expire, from the date in their field on.
 * @param {number | null} seconds
 */
function expiryText(seconds) {
  if (seconds === null) return UNKNOWN;
  return seconds === 0 ? 'at that date' : `+ ${duration(seconds * 1000)}`;
}

/** @param {Index} index */
const cells = ({ documents, expiry }) => [
  ...[documents, expiry?.overdue, expiry?.nextDay, expiry?.later, expiry?.never].map(roughly),
  hoursText(expiry),
];

/**
 * At which hours of the next day documents expire.
 * @param {Index['expiry']} expiry
 */
function hoursText(expiry) {
  if (!expiry) return UNKNOWN;
  return expiry.nextDay > 0 ? spark(expiry.hours, { width: HOURS }) : '';
}

/** @param {Data} data @returns {string[]} */
function hourLines({ hours, quiet, at }) {
  if (hours === null) return [];
  const max = hours.reduce((best, n, i) => (n > hours[best] ? i : best), 0);
  if (hours[max] === 0) return ['', `due in the 24 hours after ${time(at)} UTC: nothing`];
  return [
    '',
    `due by hour of day (UTC): 00 ${spark(hours, { width: HOURS })} 23`,
    ...wrap(
      `most at ${clock(max)}: ${count(hours[max])} documents; in the quiet hours ` +
        `${span(quiet)}: ${percent(quiet.ratio)} of all`,
      '  ',
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
      ? ` Those for ${designs.length - DESIGNS_SHOWN} more are in .designs.`
      : '';
  const [{ ns, steps }] = designs;
  return [
    '',
    ...wrap(
      `To delete in quiet hours (${span(quiet)} UTC; tune.ttl({ startHour, lengthHours }) for others), ` +
        'documents carry the moment of their deletion. They live up to a day longer. None of ' +
        `these steps for ${ns} was done.${more}`,
      '',
    ),
    ...steps.flatMap(({ what, command }, i) => [
      ...wrap(what, '   ', `${i + 1}. `),
      ...codeLines(command, '     ').map((line) => ink(line, 'accent')),
    ]),
    '',
  ];
}

/** @param {Data} data @returns {string[]} only where much would be moved */
const undesignedLines = ({ undesigned }) =>
  undesigned
    .filter(({ worth }) => worth)
    .flatMap(({ ns, because }) => wrap(`${ns} stays as it is: ${because}.`, '  ', ''));

module.exports = { renderTtl };
