'use strict';

const { defineCommand } = require('../base/pure/command');
const { number } = require('../base/pure/options');
const { report } = require('../text/report');
const { compare } = require('../trial/pure/compare');
const { turns, readUris, checkDistinct } = require('../bench/servers');
const { withoutSecrets } = require('../base/server-errors');
const { planBench, callOptions, LOAD_OPTIONS } = require('../bench/plan');
const { withSession, workerPoolFor, examineTarget } = require('../bench/session');
const { describeFiles } = require('../bench/server-place');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Gathered } from '../bench/measure'
 * @import { Session } from '../bench/session'
 * @import { WorkerPool } from '../bench/worker-pool'
 * @import { Comparison } from '../trial/pure/compare'
 * @import { Context } from '../base/types'
 * @import { BenchPlan, Target } from '../bench/types'
 */

const NAME = 'tune.bench.compare';
/** Six pairs distinguish a gain of 10 % from noise of 8 %. */
const ROUNDS = 6;

module.exports = defineCommand({
  name: 'bench.compare',
  group: 'bench',
  order: 1,
  takes: ['text', 'options'],
  usage: 'tune.bench.compare(uris, { confirm, … })',
  summary: 'The same load on several servers in turn, compared',
  details:
    'uris: a list of connection strings, such as those of two mongod with their dbPath on ' +
    'different file systems',
  options: {
    ...LOAD_OPTIONS,
    rounds: {
      check: number({ min: 2, max: 200, integer: true }),
      default: ROUNDS,
      description: 'how often each has its turn',
    },
  },
  examples: [
    'tune.bench.compare(["mongodb://a:27017", "mongodb://b:27018"], { confirm: true })',
    'tune bench compare "mongodb://a:27017 mongodb://b:27018" --rounds 8 --confirm',
  ],
  changes: 'benchmarks',
  run: benchCompare,
});

/**
 * The same load on several servers, which take turns: such as several mongod with their dbPath on
 * different file systems.
 * @param {Context} ctx
 * @param {string[] | string} uris connection strings, the first is what the others are compared
 *   with; in one string: with blanks between
 * @param {{ rounds: number }} options `seconds` is of one turn
 * @param {Record<string, unknown>} given the options as they were given
 * @returns {Promise<any>}
 * @throws {TuneError} as tune.bench()
 */
async function benchCompare(ctx, uris, { rounds }, given) {
  const plan = planBench(NAME, given);
  const servers = readUris(NAME, uris).map((uri) => {
    const workerPool = workerPoolFor(ctx, `${NAME} ${withoutSecrets(uri)}`, { uri, options: {} });
    return {
      uri,
      workerPool,
      ctx: {
        ...ctx,
        port: {
          adminCommand: (/** @type {any} */ command) => workerPool.command('admin', command),
          command: workerPool.command,
        },
      },
    };
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
    if (!plan.confirm)
      return shown({
        ...about(plan, rounds),
        dryRun: true,
        servers: known.map(nameOf),
        confirm:
          `${NAME}(${JSON.stringify(known.map(({ uri }) => withoutSecrets(uri)))}, ` +
          `${callOptions(plan, { confirm: true })})`,
      });
    return await withAll(known, plan, [], async (sessions, count) => {
      const samples = await takeTurns(sessions, rounds, plan);
      return shown({
        ...about(plan, rounds),
        ...count,
        dryRun: false,
        servers: known.map((server, i) => ({ ...nameOf(server), ...summary(samples, i) })),
        rounds: samples.map((round) => round.map((sample) => sample.opsPerSec)),
      });
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

/** @param {any} data */
const shown = (data) =>
  report(data, (ink) => require('../bench/pure/compare-text').renderCompared(data, ink));

/** What was measured, for the answer. @param {BenchPlan} plan @param {number} rounds */
const about = ({ workload, records, seconds, warmSeconds, database }, rounds) => ({
  workload: workload.name,
  records,
  seconds,
  warmSeconds,
  database,
  roundsPlanned: rounds,
});

/** Which server it is, without its password. @param {Server} server */
const nameOf = ({ uri, target: { host, version, freeBytes }, files }) => ({
  uri: withoutSecrets(uri),
  host,
  version,
  files,
  freeBytes,
});

/**
 * Each has its data; threads and processes are those found for the first, the same for all.
 * @template T
 * @param {Server[]} servers
 * @param {BenchPlan} plan
 * @param {Session[]} sessions
 * @param {(sessions: Session[], count: { threads: number, processes: number }) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withAll([server, ...rest], plan, sessions, work) {
  return withSession(
    server.ctx,
    plan,
    { name: NAME, target: server.target, workerPool: server.workerPool },
    (session) => {
      const { threads, processes } = session.count;
      if (rest.length === 0) return work([...sessions, session], { threads, processes });
      return withAll(rest, { ...plan, threads, processes }, [...sessions, session], work);
    },
  );
}

/**
 * Measures every server once a round.
 * @param {Session[]} sessions
 * @param {number} rounds
 * @param {BenchPlan} plan
 * @returns {Promise<Gathered[][]>} round by round, in the order of the servers
 */
async function takeTurns(sessions, rounds, plan) {
  const samples = [];
  for (const order of turns(sessions.length, rounds)) {
    /** @type {Gathered[]} */
    const round = [];
    for (const which of order) {
      round[which] = await sessions[which].measure(plan);
      if (round[which].ended !== 'complete')
        throw round[which].error ?? require('../base/context').interrupted();
    }
    samples.push(round);
  }
  return samples;
}

/**
 * One server over all rounds, compared with the first.
 * @param {Gathered[][]} samples
 * @param {number} which
 */
function summary(samples, which) {
  const own = samples.map((round) => round[which]);
  const pairs = samples
    .map((round) => ({ a: round[0].opsPerSec, b: round[which].opsPerSec }))
    .filter(({ a, b }) => a > 0 && b > 0);
  const compared = which === 0 ? null : compare(pairs);
  const stalls = own.map((sample) => sample.stalls);
  return {
    opsPerSec: mean(own.map(({ opsPerSec }) => opsPerSec)),
    p95Ms: mean(own.flatMap(({ latencyMs }) => latencyMs?.p95 ?? [])),
    p99Ms: mean(own.flatMap(({ latencyMs }) => latencyMs?.p99 ?? [])),
    stalls: stalls.some((one) => one === null)
      ? null
      : stalls.reduce((sum, one) => sum + (one?.count ?? 0), 0),
    ratio: compared?.ratio ?? null,
    low: compared?.low ?? null,
    high: compared?.high ?? null,
    verdict: which === 0 ? 'first' : verdictOf(compared),
  };
}

/**
 * A server is faster or slower than the first one only where the whole interval says so.
 * @param {Comparison | null} compared
 */
function verdictOf(compared) {
  if (compared === null) return 'unknown';
  if (compared.low > 1) return 'faster';
  if (compared.high < 1) return 'slower';
  return 'no difference shown';
}

/** @param {number[]} list @returns {number | null} null of nothing */
const mean = (list) =>
  list.length === 0 ? null : list.reduce((sum, value) => sum + value, 0) / list.length;
