'use strict';

const { interrupted } = require('../base/context');
const { findFiles } = require('../recording/ftdc/files');
const { Recording } = require('../recording/ftdc/recording');
const { factsOf } = require('../recording/ftdc/facts');
const { GapDetector, sampleAt } = require('../series/columns');
const { fromOptions } = require('../server/engine-history');
const { levelsOf } = require('../series/chart-data');
const { TimeSeries } = require('../series/time-series');
const { Features } = require('./pure/features');
const { assumedLines } = require('./pure/trigger-lines');

/**
 * @import { Columns } from '../series/columns'
 * @import { Server } from '../recording/ftdc/recording'
 * @import { IncidentSource, RecordedMember } from './types'
 * @import { Range } from './byte-blocks'
 */

/**
 * @typedef {{ member: RecordedMember | null, source: IncidentSource, hosts: string[], damage: string[] }}
 *   ReadMember `member`: null where no sample is of that time
 */

/**
 * The diagnostic data of one member, a sample after the other.
 * @param {string} place
 * @param {Range} range
 * @param {AbortSignal} signal
 * @returns {Promise<ReadMember>}
 * @throws {import('../base/pure/errors').TuneError} TUNE-40002, TUNE-40004
 */
async function readMember(place, range, signal) {
  const recording = new Recording(await findFiles([place]), range);
  const passing = new PassingMember();
  for await (const { block, server } of recording.pieces()) {
    if (signal.aborted) throw interrupted();
    passing.add(block, server);
  }
  const { account } = recording;
  const date = (/** @type {number} */ ms) => (Number.isFinite(ms) ? new Date(ms) : null);
  return {
    member: passing.member(),
    hosts: account.hosts,
    source: {
      kind: 'ftdc',
      file: place,
      host: passing.host ?? recording.server.identity.host,
      from: date(account.fromMs),
      to: date(account.toMs),
      read: passing.samples,
      garbled: account.skipped.count,
    },
    damage:
      account.damagedBytes > 0 || account.skipped.count > 0
        ? [
            `${place}: ${account.damagedBytes} damaged bytes and ${account.skipped.count} damaged ` +
              'chunks were passed over.',
          ]
        : [],
  };
}

/** Keeps what is needed of a member while its samples pass by. */
class PassingMember {
  constructor() {
    this.features = new Features();
    this.series = new TimeSeries();
    this.gaps = new GapDetector();
    this.samples = 0;
    this.fromMs = Infinity;
    this.toMs = -Infinity;
    /** @type {string | null} */
    this.host = null;
    /** @type {{ block: Columns, server: Server } | null} */
    this.last = null;
  }

  /** @param {Columns} block @param {Server} server */
  add(block, server) {
    const { host } = server.identity;
    if (this.host !== null && host !== this.host) this.gaps.change();
    this.host = host;
    this.gaps.learnPace(block);
    for (let i = 0; i < block.length; i++) {
      const before = this.gaps.next(block, i);
      this.features.add(block, i, before);
      this.series.add(block, i, before);
      this.fromMs = Math.min(this.fromMs, block.atMs[i]);
      this.toMs = Math.max(this.toMs, block.atMs[i]);
    }
    this.samples += block.length;
    this.last = { block, server };
  }

  /** @returns {RecordedMember | null} */
  member() {
    const { last, series, gaps, samples, fromMs, toMs } = this;
    if (last === null) return null;
    const sample = sampleAt(last.block, last.block.length - 1);
    const facts = factsOf(last.server, sample);
    const assumed = assumedLines(facts.config, startStringOf(last.server));
    return {
      host: this.host,
      version: facts.version,
      samples,
      fromMs,
      toMs,
      rows: this.features.rows(),
      breaks: gaps.breaks,
      chart: (max) => ({
        ...series.chartData(max, { ...levelsOf(sample, facts), ...assumed.levels }, gaps.breaks),
        levelNotes: assumed.levelNotes,
      }),
    };
  }
}

/** @param {Server} server @returns {string | null} */
const startStringOf = ({ metadata: { docs } }) =>
  fromOptions(docs.getCmdLineOpts?.parsed ?? null).engineConfig?.configString ?? null;

module.exports = { readMember };
