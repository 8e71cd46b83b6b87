'use strict';

const { count, secondsText, UNKNOWN, many } = require('../../base/pure/units');
const { callLines, dryRun, part } = require('../../text/layout');
const { table } = require('../../text/table');

/**
 * @import { Ink, Tone } from '../../base/types'
 * @import { Compared, Server } from './types'
 */

/** @param {Compared} c @param {Ink} ink */
function renderCompared(c, ink) {
  const threads = c.dryRun ? '' : `, threads ${c.threads}, processes ${c.processes}`;
  const names = c.servers.flatMap((server, i) =>
    part(
      i === 0 ? 'SERVERS' : '',
      [
        letter(i),
        server.host ?? UNKNOWN,
        server.version && `MongoDB ${server.version}`,
        server.files,
      ]
        .filter(Boolean)
        .join('  '),
      ink,
    ),
  );
  return [
    ink(many(c.servers.length, 'server'), 'strong') +
      `  ${c.dryRun ? dryRun(ink, 'nothing was written') : ink(many(c.roundsPlanned, 'round'), 'faint')}`,
    ...(c.dryRun ? [] : verdicts(c.servers, ink)),
    ...names,
    ...part(
      'WORKLOAD',
      `${c.workload}, ${count(c.records)} records, ${c.roundsPlanned} rounds of ` +
        `${secondsText(c.seconds)}` +
        `${c.warmSeconds > 0 ? ` after a warm-up of ${secondsText(c.warmSeconds)}` : ''}${threads}`,
      ink,
    ),
    ...(c.dryRun
      ? part('DATABASE', `${c.database} on each; no other database is touched`, ink)
      : [figures(c.servers, ink)]),
    ...callLines([['Run', c.confirm]], ink),
  ].join('\n');
}

/** Prints each server's verdict against A. @param {Server[]} servers @param {Ink} ink */
const verdicts = (servers, ink) =>
  servers
    .slice(1)
    .flatMap(({ verdict }, i) =>
      part(
        i === 0 ? 'RESULT' : '',
        `${letter(i + 1)} ${AGAINST_A[verdict] ?? `against A: ${verdict || UNKNOWN}`}`,
        ink,
        verdictTone(verdict),
      ),
    );

/** @type {Readonly<Record<string, string>>} */
const AGAINST_A = Object.freeze({
  faster: 'is faster than A',
  slower: 'is slower than A',
  same: 'is as fast as A',
});

/** @param {number} i */
const letter = (i) => String.fromCharCode(65 + i);

/** @param {Server[]} servers @param {Ink} ink */
const figures = (servers, ink) =>
  table(
    [
      { head: '  ' },
      ...['ops/s', 'p95 ms', 'p99 ms', 'stalls', '÷ A', '95% confidence interval'].map((head) => ({
        head,
        align: /** @type {const} */ ('right'),
      })),
    ],
    servers.map((s, i) => [
      `  ${letter(i)}`,
      count(Math.round(s.opsPerSec)),
      ms(s.p95Ms),
      ms(s.p99Ms),
      count(s.stalls),
      ratio(s.ratio),
      s.low === null ? '' : `${ratio(s.low)} to ${ratio(s.high)}`,
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
const ratio = (value) => (value === null ? '' : `×${value.toFixed(2)}`);

module.exports = { renderCompared };
