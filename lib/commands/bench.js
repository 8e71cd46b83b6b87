'use strict';

const { callText } = require('../base/pure/printable');
const { defineCommand } = require('../base/pure/command');
const os = require('node:os');
const { report } = require('../text/report');
const { clientLimit, disturbances } = require('../bench/thread-count');
const { planBench, LOAD_OPTIONS } = require('../bench/plan');
const { withSession, workerPoolFor, examineTarget } = require('../bench/session');
const { sameMachine } = require('../bench/target');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Gathered, Session } from '../bench/session'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { BenchPlan, Target } from '../bench/types'
 */

module.exports = defineCommand({
  name: 'bench',
  group: 'Test',
  order: 3,
  takes: ['options'],
  usage: 'tune.bench({ workload, confirm, … })',
  summary: 'Runs YCSB, iiBench or sysbench-mongodb on a test server',
  details: 'It writes into its own database, which it drops at the end. Not for a server in use',
  options: LOAD_OPTIONS,
  examples: [
    'tune.bench()',
    'tune.bench({ workload: "ycsb-a", records: 5000, threads: 8, confirm: true, seconds: 60 })',
    'tune bench --workload iibench --threads 4 --seconds 60 --confirm',
  ],
  changes: 'benchmarks',
  onMongos: 'connect to a mongod of the same kind: a cluster has many caches',
  risks: [
    'It puts full load on CPUs, disk and cache: other users of the server become slow.',
    'The data of the benchmark evicts other data from the cache.',
    'It writes into its own database and drops it at the end. Nothing else may use that name.',
    'It needs free disk space for its data and indexes.',
  ],
  run: bench,
});

/**
 * Load of a published kind on this server, measured. It writes into a database of its own; without
 * `confirm` it shows what it would do.
 * @param {Context} ctx
 * @param {unknown} _options
 * @param {Record<string, unknown>} given the options as the user gave them: the defaults depend on
 *   the workload
 * @returns {Promise<(ReturnType<typeof planned> | ReturnType<typeof measured>) &
 *   Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx (`seen`: what was measured before
 *   the server was lost), TUNE-31001 to TUNE-31003, TUNE-40007
 */
async function bench(ctx, _options, given) {
  const plan = planBench('tune.bench', given);
  const target = await examineTarget(ctx, plan);
  if (!plan.confirm) {
    const data = planned(plan, target);
    return report(data, (ink) => require('../bench/pure/bench-text').renderPlanned(data, ink));
  }
  const workerPool = workerPoolFor(ctx, 'tune.bench', await ctx.connection());
  return withSession(ctx, plan, { name: 'tune.bench', target, workerPool }, async (session) => {
    const sample = await session.measure();
    const data = measured(plan, session, sample, await sameMachine(ctx.port));
    const made = report(data, (ink) =>
      require('../bench/pure/bench-text').renderMeasured(data, ink),
    );
    if (sample.ended === 'lost')
      throw Object.assign(/** @type {Error} */ (sample.error), { seen: made });
    return made;
  });
}

/**
 * The plan, as the answer shows it.
 * @param {BenchPlan} plan
 * @returns {{
 *   workload: string, say: string, source: string, records: number, seconds: number,
 *   warmSeconds: number, ratePerSec: number | null, database: string
 * }}
 */
const aboutPlan = ({
  workload: { name, say, source },
  records,
  seconds,
  warmSeconds,
  ratePerSec,
  database,
}) => ({ workload: name, say, source, records, seconds, warmSeconds, ratePerSec, database });

/** Makes the answer of a dry run. @param {BenchPlan} plan @param {Target} target */
const planned = (
  plan,
  { host, version, role, needBytes, freeBytes, otherClientsPerSec, data, notes },
) => ({
  dryRun: /** @type {true} */ (true),
  host,
  version,
  role,
  ...aboutPlan(plan),
  threads: plan.threads,
  processes: plan.processes,
  keepData: plan.keepData,
  loadBytes: needBytes,
  freeBytes,
  otherClientsPerSec,
  found: whatBecomesOf(data),
  notes,
  confirm: callText('bench', { ...plan.given, confirm: true }),
});

/**
 * Says what happens to records that an earlier benchmark left in the database.
 * @param {Target['data']} data
 */
function whatBecomesOf({ exists, reusable, complete }) {
  if (!exists) return 'none';
  if (!reusable) return 'replaced';
  return complete ? 'reused' : 'resumed';
}

/**
 * Makes the answer after a measurement.
 * @param {BenchPlan} plan
 * @param {Session} session
 * @param {Gathered} sample
 * @param {boolean} same
 */
function measured(plan, { target, trials, loaded }, sample, same) {
  const { client, serverCores, machineBusyRatio, threads, processes } = sample;
  const seen = {
    busyRatio: client.busyRatio,
    clientCores: client.cpuCores,
    serverCores,
    cores: target.cores,
    machineBusyRatio,
    machineCores: os.cpus().length,
    sameMachine: same,
  };
  const { clientBound, because } = clientLimit(seen);
  return {
    dryRun: /** @type {false} */ (false),
    at: new Date(),
    host: target.host,
    version: target.version,
    role: target.role,
    ...aboutPlan(plan),
    threads,
    processes: Math.min(processes, threads),
    ended: sample.ended,
    tookSeconds: sample.tookMs / 1000,
    opsPerSec: sample.opsPerSec,
    documentsPerSec:
      plan.workload.name === 'iibench'
        ? (sample.operations.insert?.opsPerSec ?? 0) * plan.settings.perInsert
        : null,
    latencyMs: sample.latencyMs,
    operations: sample.operations,
    stalls: sample.stalls,
    clientBound,
    clientBoundBecause: because,
    errors: sample.errors,
    notFound: sample.notFound,
    notStarted: sample.notStarted,
    client: { ...client, machineBusyRatio, sameMachine: same },
    server: { cpuCores: serverCores, cores: target.cores },
    loaded,
    trials,
    perSecond: sample.perSecond,
    notes: [...disturbances(seen), ...target.notes],
  };
}
