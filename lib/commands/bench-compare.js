'use strict';

const { callText } = require('../base/pure/printable');
const { defineCommand } = require('../base/pure/command');
const { number } = require('../base/pure/options');
const { report } = require('../text/report');
const {
  readUris,
  checkDistinct,
  measureInTurns,
  summaryOf,
  withSessions,
} = require('../bench/compare-servers');
const { withoutSecrets } = require('../base/server-errors');
const { planBench, LOAD_OPTIONS } = require('../bench/plan');
const { workerPoolFor, examineTarget } = require('../bench/session');
const { describeFiles } = require('../bench/target');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Gathered, Session } from '../bench/session'
 * @import { Report } from '../text/report'
 * @import { WorkerPool } from '../bench/worker-pool'
 * @import { Context } from '../base/types'
 * @import { BenchPlan, Target } from '../bench/types'
 */

const NAME = 'tune.bench.compare';
/** Six pairs distinguish a gain of 10% from noise of 8%. */
const ROUNDS = 6;

module.exports = defineCommand({
  name: 'bench.compare',
  group: 'Test',
  order: 1,
  takes: ['text', 'options'],
  usage: 'tune.bench.compare(uris, { confirm, … })',
  summary: 'Runs the same load on several servers in turn',
  details:
    'uris: a list of connection strings, such as those of two mongod with their dbPath on ' +
    'different file systems',
  options: {
    ...LOAD_OPTIONS,
    rounds: {
      check: number({ min: 2, max: 200, integer: true }),
      default: ROUNDS,
      description: 'runs on each server',
    },
  },
  examples: [
    'tune.bench.compare(["mongodb://a:27017", "mongodb://b:27018"], { confirm: true })',
    'tune bench compare "mongodb://a:27017 mongodb://b:27018" --rounds 8 --confirm',
  ],
  changes: 'benchmarks',
  risks: [
    'Each server gets the full load of tune.bench(), with its risks.',
    'Servers on one machine disturb each other: then the result means little.',
  ],
  run: benchCompare,
});

/**
 * The same load on several servers, which take turns: such as several mongod with their dbPath on
 * different file systems.
 * @param {Context} ctx
 * @param {string[] | string} uris connection strings, or one text with blanks between them; the
 *   others are compared with the first
 * @param {{ rounds: number }} options `seconds` is the length of one turn
 * @param {Record<string, unknown>} given the options as they were given
 * @returns {Promise<(ReturnType<typeof planned> | ReturnType<typeof answered>) & Report>}
 * @throws {TuneError} as tune.bench()
 */
async function benchCompare(ctx, uris, { rounds }, given) {
  const plan = planBench(NAME, given);
  const servers = readUris(NAME, uris).map((uri) => {
    const workerPool = workerPoolFor(ctx, `${NAME} ${withoutSecrets(uri)}`, { uri, options: {} });
    return { uri, workerPool, ctx: { ...ctx, port: ctx.guarded(workerPool.command) } };
  });
  try {
    /** @type {Server[]} */
    const known = [];
    for (const server of servers)
      known.push({
        ...server,
        target: await examineTarget(server.ctx, plan),
        files: await describeFiles(server.ctx),
      });
    checkDistinct(
      NAME,
      known.map(({ target }) => target.host),
    );
    if (!plan.confirm) return shown(planned(plan, rounds, known));
    // Nothing is written to the first server where the second one may not be changed.
    for (const { ctx: own } of known) await own.call?.judge(own.port);
    return await withSessions(NAME, known, plan, async (sessions, count) => {
      const samples = await measureInTurns(sessions, rounds, plan);
      return shown(answered(about(plan, rounds), count, known, samples));
    });
  } finally {
    await Promise.all(servers.map(({ workerPool }) => workerPool.end()));
  }
}

/**
 * @typedef {{
 *   uri: string, workerPool: WorkerPool, ctx: Context,
 *   target: Target, files: string | null
 * }} Server
 */

/** @template {object} T @param {T} data @returns {T & Report} */
const shown = (data) =>
  report(data, (ink) =>
    require('../bench/pure/compare-text').renderCompared(/** @type {any} */ (data), ink),
  );

/** The plan, as the answer shows it. @param {BenchPlan} plan @param {number} rounds */
const about = ({ workload, records, seconds, warmSeconds, database }, rounds) => ({
  workload: workload.name,
  records,
  seconds,
  warmSeconds,
  database,
  roundsPlanned: rounds,
});

/**
 * Makes the answer of a dry run.
 * @param {BenchPlan} plan
 * @param {number} rounds
 * @param {readonly Server[]} known
 */
const planned = (plan, rounds, known) => ({
  ...about(plan, rounds),
  dryRun: /** @type {true} */ (true),
  servers: known.map(nameOf),
  confirm: callText(
    'bench.compare',
    known.map(({ uri }) => withoutSecrets(uri)),
    { ...plan.given, confirm: true },
  ),
});

/**
 * Makes the answer after all rounds.
 * @param {ReturnType<typeof about>} plan
 * @param {Session['count']} count
 * @param {readonly Server[]} known
 * @param {Gathered[][]} samples
 * @returns `rounds`: operations a second of each server, round by round
 */
const answered = (plan, count, known, samples) => ({
  ...plan,
  ...count,
  dryRun: /** @type {false} */ (false),
  servers: known.map((server, i) => ({ ...nameOf(server), ...summaryOf(samples, i) })),
  rounds: samples.map((round) => round.map((sample) => sample.opsPerSec)),
});

/** Names a server without its password. @param {Server} server */
const nameOf = ({ uri, target: { host, version, freeBytes }, files }) => ({
  uri: withoutSecrets(uri),
  host,
  version,
  files,
  freeBytes,
});
