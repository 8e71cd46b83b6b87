'use strict';

const { count, duration, UNKNOWN } = require('../../base/pure/units');
const { labelled, wrap } = require('../../text/wrap');
const { table } = require('../../text/table');

/**
 * @import { Ink, Tone } from '../../base/types'
 * @import { Compared, Server } from './types'
 */

/** @param {Compared} c @param {Ink} ink */
function renderCompared(c, ink) {
  const what =
    `${c.workload}, ${count(c.records)} records, ${c.roundsPlanned} rounds of ` +
    `${duration(c.seconds * 1000)}${c.warmSeconds > 0 ? ` after ${duration(c.warmSeconds * 1000)} of warming up` : ''}`;
  const names = c.servers.flatMap((server, i) =>
    wrap(
      [server.host ?? UNKNOWN, server.version && `MongoDB ${server.version}`, server.files]
        .filter(Boolean)
        .join('  '),
      '   ',
      `${letter(i)}  `,
    ),
  );
  if (c.dryRun)
    return [
      ink('DRY RUN: nothing was written', 'accent'),
      ...wrap(what, ''),
      '',
      ...names,
      '',
      ...labelled('to run it:  ', c.confirm ?? '', (text) => ink(text, 'strong')),
    ].join('\n');
  return [
    ...wrap(`${what}, threads ${c.threads}, processes ${c.processes}`, ''),
    '',
    ...names,
    '',
    figures(c.servers, ink),
  ].join('\n');
}

/** @param {number} i */
const letter = (i) => String.fromCharCode(65 + i);

/** @param {Server[]} servers @param {Ink} ink */
const figures = (servers, ink) =>
  table(
    [
      { head: '' },
      ...['ops/s', 'p95 ms', 'p99 ms', 'stalls', '÷ A', '95% interval'].map((head) => ({
        head,
        align: /** @type {const} */ ('right'),
      })),
      { head: '' },
    ],
    servers.map((s, i) => [
      letter(i),
      count(Math.round(s.opsPerSec)),
      ms(s.p95Ms),
      ms(s.p99Ms),
      count(s.stalls),
      ratio(s.ratio),
      s.low === null ? '' : `${ratio(s.low)} to ${ratio(s.high)}`,
      ink(i === 0 ? '' : s.verdict, verdictTone(s.verdict)),
    ]),
    ink,
  );

/**
 * The colour of a verdict.
 * @param {string} verdict
 * @returns {Tone}
 */
function verdictTone(verdict) {
  if (verdict === 'faster') return 'good';
  return verdict === 'slower' ? 'bad' : 'faint';
}

/** @param {number | null} value */
const ms = (value) => (value !== null ? count(Number(value.toPrecision(3))) : UNKNOWN);

/** @param {number | null} value */
const ratio = (value) => (value === null ? '' : value.toFixed(2));

module.exports = { renderCompared };
