'use strict';

const { count, duration, percent, UNKNOWN } = require('../model/units');
const { spark } = require('./spark');
const { table } = require('./table');
const { wrap } = require('./wrap');

/** @typedef {import('./report').Ink} Ink @typedef {import('../commands/ttl').Ttl} Data @typedef {Data['indexes'][number]} Index */

const RIGHT = /** @type {const} */ ('right');
const COLUMNS = Object.freeze([
  { head: 'collection' }, { head: 'index' }, { head: 'expires after' },
  ...['documents', 'overdue ~', 'next day ~', 'later ~'].map((head) => ({ head, align: RIGHT })), { head: 'by hour (UTC) ~' },
]);
/** One in full; the others are in `designs`. */
const DESIGNS_SHOWN = 1;

/** @param {Data} data @param {Ink} ink @returns {string} */
function renderTtl(data, ink) {
  const { host, indexes, notes } = data;
  return [
    `${ink(host ?? UNKNOWN, 'strong')}: ${indexes.length || 'no'} TTL ${indexes.length === 1 ? 'index' : 'indexes'}`, workLine(data.work),
    ...(indexes.length === 0 ? [] : ['', table(COLUMNS, indexes.map(cells), ink)]), ...hourLines(data), ...designLines(data, ink),
    ...notes.flatMap((note) => wrap(note, '  ', 'note: ')).map((line) => ink(line, 'faint')),
  ].join('\n');
}

/** @param {Data['work']} work */
function workLine({ deletedDocuments, passes, uptimeSeconds, deletedPerSec, deletedPerPass, everySeconds }) {
  if (deletedDocuments === null) return 'deleted by TTL: ?';
  const since = uptimeSeconds === null ? '' : ` in the ${duration(uptimeSeconds * 1000)} since the server started`;
  const pass = `${count(passes)} passes${everySeconds === null ? '' : `, one every ${count(everySeconds)} s`}`;
  return `deleted by TTL: ${count(deletedDocuments)} documents${since} (${count(deletedPerSec)}/s; ${pass}, ${count(deletedPerPass)} each)`;
}

/** @param {Index} index */
function cells({ ns, kind, index, expireAfterSeconds, documents, expiry }) {
  return [
    ns, index ?? kind, expireAfterSeconds === 0 ? 'at its date' : duration(expireAfterSeconds * 1000), count(documents),
    count(expiry?.overdue), count(expiry?.nextDay), count(expiry?.later), expiry ? spark(expiry.hours, { width: 24 }) : UNKNOWN,
  ];
}

/** @param {Data} data @returns {string[]} */
function hourLines({ hours, quiet, at }) {
  if (hours === null) return [];
  const most = hours.reduce((best, n, i) => (n > hours[best] ? i : best), 0);
  if (hours[most] === 0) return ['', `due in the 24 hours after ${time(at)} UTC: nothing`];
  return ['', `due by hour of day (UTC), estimated: 00 ${spark(hours, { width: 24 })} 23; most at ${clock(most)}: ${count(hours[most])} documents; in the quiet hours ${span(quiet)}: ${percent(quiet.ratio)}`];
}

/** @param {Date} at */
const time = (at) => at.toISOString().slice(11, 16);
/** @param {number} hour */
const clock = (hour) => `${String(hour % 24).padStart(2, '0')}:00`;
/** @param {{ hour: number, hours: number }} quiet */
const span = ({ hour, hours }) => `${clock(hour)}-${clock(hour + hours)}`;

/** @param {Data} data @param {Ink} ink @returns {string[]} */
function designLines({ designs, quiet }, ink) {
  if (designs.length === 0) return [];
  const more = designs.length > DESIGNS_SHOWN ? ` (those of ${designs.length - DESIGNS_SHOWN} more are in .designs)` : '';
  return [
    '', ...wrap(`To delete in quiet hours (${span(quiet)} UTC; tune.ttl({ hour, hours }) for others): documents carry the moment of their deletion. They live up to a day longer. The steps, none of which was done${more}:`, ''),
    ...designs.slice(0, DESIGNS_SHOWN).flatMap(({ ns, steps }) => steps.flatMap(({ what, command }, i) => [...wrap(`${ns}: ${what}`, '   ', `${i + 1}. `), `   ${ink(command, 'accent')}`])), '',
  ];
}

module.exports = { renderTtl };
