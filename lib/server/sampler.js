'use strict';

const { readSample, withSystem } = require('./pure/sample');
const { sleep } = require('../base/context');
const { machineOf, withMachine } = require('./diagnostic-data');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Context, Port } from '../base/context'
 * @import { Machine } from './diagnostic-data'
 * @import { Sample } from './pure/sample'
 */

/**
 * serverStatus without what we do not need, so that looking costs the server little. `metrics: 0`
 * also drops `mem`. Sections that a server does not have are no error. Measured on 6.0.5: 25 of 57
 * kB, 0.83 instead of 1.28 ms of server CPU.
 */
const SAMPLE_COMMAND = Object.freeze({
  serverStatus: 1,
  metrics: 0,
  locks: 0,
  repl: 0,
  sharding: 0,
  shardingStatistics: 0,
  tcmalloc: 0,
  transactions: 0,
  bucketCatalog: 0,
  catalogStats: 0,
  defaultRWConcern: 0,
  electionMetrics: 0,
  featureCompatibilityVersion: 0,
  freeMonitoring: 0,
  heapProfile: 0,
  hedgingMetrics: 0,
  indexBulkBuilder: 0,
  indexBuilds: 0,
  indexStats: 0,
  internalTransactions: 0,
  logicalSessionRecordCache: 0,
  mirroredReads: 0,
  network: 0,
  opReadConcernCounters: 0,
  opWriteConcernCounters: 0,
  oplog: 0,
  oplogTruncation: 0,
  planCache: 0,
  queryAnalyzers: 0,
  querySettings: 0,
  queryStats: 0,
  readConcernCounters: 0,
  readPreferenceCounters: 0,
  resourceConsumption: 0,
  scramCache: 0,
  security: 0,
  service: 0,
  tenantMigrations: 0,
  trafficRecording: 0,
  transportSecurity: 0,
  twoPhaseCommitCoordinator: 0,
  watchdog: 0,
  writeBacksQueued: 0,
  batchedDeletes: 0,
  changeStreamPreImages: 0,
  collectionCatalog: 0,
  health: 0,
  Instance: 0,
  spillWiredTiger: 0,
  storageEngine: 0,
});
/** Once a sample: what hardly changes, and costs more (`mem` comes only with `metrics`). */
const OPENING_COMMAND = Object.freeze(
  Object.fromEntries(
    Object.entries(SAMPLE_COMMAND).filter(
      ([section]) => section !== 'metrics' && section !== 'tcmalloc',
    ),
  ),
);

/**
 * @param {Port} port @param {Record<string, unknown>} [command]
 * @param {Machine} [machine] @returns {Promise<Sample>}
 */
async function takeSample(port, command = SAMPLE_COMMAND, machine = async () => ({})) {
  // At once, so that not the whole status is held while the machine is waited for: of many servers
  // those would be many.
  const read = async () => readSample(await port.adminCommand(command), Date.now());
  return withSystem(await withMachine(read(), machine));
}

/**
 * Samples at a steady beat until the time is over, Ctrl-C, or the connection is lost; whatever ends
 * it, what was seen is kept.
 * @param {Context} ctx
 * @param {{
 *   seconds: number, every: number, machine?: boolean,
 *   onSample?: (sample: Sample, all: Sample[]) => void
 * }} options seconds; at
 *   least two samples are taken. `machine`: with what the server tells of its machine; `onSample`
 *   may thin out `all`
 * @returns {Promise<{ samples: Sample[], ended: 'complete' | 'interrupted' | 'lost', error: Error |
 *   null }>}
 *   rejects only when there is nothing at all to keep
 */
async function collectSamples(ctx, { seconds, every, machine = false, onSample = () => {} }) {
  /** @type {Sample[]} */
  const samples = [];
  const started = performance.now();
  const alongside = machine ? machineOf(ctx.port) : undefined;
  try {
    for (let due = 0; due <= seconds + every / 2; due += every) {
      await waitUntil(started + Math.min(due, seconds) * MS_PER_SECOND, ctx.signal);
      const sample = await takeSample(
        ctx.port,
        samples.length === 0 ? OPENING_COMMAND : SAMPLE_COMMAND,
        alongside,
      );
      samples.push(sample);
      onSample(sample, samples);
    }
    return { samples, ended: 'complete', error: null };
  } catch (error) {
    if (samples.length === 0) throw error;
    return {
      samples,
      ended: ctx.signal.aborted ? 'interrupted' : 'lost',
      error: /** @type {Error} */ (error),
    };
  }
}

/** @param {number} moment of performance.now() @param {AbortSignal} signal */
const waitUntil = (moment, signal) => sleep(Math.max(0, moment - performance.now()), signal);

module.exports = { collectSamples, takeSample, SAMPLE_COMMAND, OPENING_COMMAND };
