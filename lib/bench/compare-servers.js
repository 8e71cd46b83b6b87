'use strict';

const { interrupted } = require('../base/context');
const { compare } = require('../trial/pure/compare');
const { withSession } = require('./session');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');

/**
 * @import { Context } from '../base/types'
 * @import { Comparison } from '../trial/pure/compare'
 * @import { Gathered, Session } from './session'
 * @import { BenchPlan, Target } from './types'
 * @import { WorkerPool } from './worker-pool'
 */

/** @typedef {{ threads: number, processes: number }} Count */

/**
 * Makes the order of turns. Each server measures once in every round, and none is always first or
 * always after the same other one, so that drift affects all alike.
 * @param {number} count how many servers take turns
 * @param {number} rounds
 * @returns {number[][]} the numbers of the servers, round by round
 */
const turns = (count, rounds) =>
  Array.from({ length: rounds }, (_, round) => {
    const rotated = Array.from({ length: count }, (_one, i) => (i + Math.floor(round / 2)) % count);
    return round % 2 === 0 ? rotated : rotated.reverse();
  });

/**
 * Opens a session with each server, one inside the other. All use the threads and processes that
 * were found for the first.
 * @template T
 * @param {string} name the name of the command
 * @param {{ ctx: Context, target: Target, workerPool: WorkerPool }[]} servers
 * @param {BenchPlan} plan
 * @param {(sessions: Session[], count: Count) => Promise<T>} work
 * @returns {Promise<T>}
 */
function withSessions(name, servers, plan, work) {
  /**
   * @param {number} next the number of the server
   * @param {Session[]} sessions the sessions of the servers before it
   * @param {BenchPlan} its
   * @returns {Promise<T>}
   */
  const open = (next, sessions, its) => {
    const { ctx, target, workerPool } = servers[next];
    return withSession(ctx, its, { name, target, workerPool, host: target.host }, (session) => {
      const { threads, processes } = session.count;
      const all = [...sessions, session];
      if (all.length === servers.length) return work(all, { threads, processes });
      return open(next + 1, all, { ...plan, threads, processes });
    });
  };
  return open(0, [], plan);
}

/**
 * Measures every server once a round.
 * @param {Session[]} sessions
 * @param {number} rounds
 * @param {BenchPlan} plan
 * @returns {Promise<Gathered[][]>} round by round, in the order of the servers
 */
async function measureInTurns(sessions, rounds, plan) {
  const samples = [];
  for (const order of turns(sessions.length, rounds)) {
    /** @type {Gathered[]} */
    const round = [];
    for (const which of order) {
      round[which] = await sessions[which].measure(plan);
      if (round[which].ended !== 'complete') throw round[which].error ?? interrupted();
    }
    samples.push(round);
  }
  return samples;
}

/**
 * Summarizes one server over all rounds, compared with the first.
 * @param {Gathered[][]} samples
 * @param {number} which
 */
function summaryOf(samples, which) {
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
    stalls: stalls.some((found) => found === null)
      ? null
      : stalls.reduce((sum, found) => sum + (found?.count ?? 0), 0),
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

/** @param {number[]} list @returns {number | null} null for an empty list */
const mean = (list) =>
  list.length === 0 ? null : list.reduce((sum, value) => sum + value, 0) / list.length;

const FEWEST = 2;
const MAX = 8;
const PLAUSIBLE = /^mongodb(\+srv)?:\/\/\S+$/;

/**
 * @param {string} command
 * @param {unknown} given a list, or words
 * @returns {string[]}
 * @throws {TuneError} TUNE-10002, TUNE-10004
 */
function readUris(command, given) {
  const allowed = `a list of ${FEWEST} to ${MAX} connection strings`;
  if (given === undefined)
    throw new TuneError('TUNE-10004', `${command} needs ${allowed}.`, { allowed });
  const list = typeof given === 'string' ? given.trim().split(/\s+/) : given;
  if (!Array.isArray(list) || list.length < FEWEST || list.length > MAX)
    throw new TuneError(
      'TUNE-10002',
      `${command}: give ${allowed}, not ${Array.isArray(list) ? list.length : show(given)}.`,
      { allowed },
    );
  const wrong = list.findIndex((uri) => typeof uri !== 'string' || !PLAUSIBLE.test(uri));
  if (wrong !== -1)
    throw new TuneError(
      'TUNE-10002',
      `${command}: number ${wrong + 1} of them${shown(list[wrong])} is no connection string.`,
      { allowed: 'mongodb://host:port' },
    );
  return list;
}

/** Hides a text that may hold a password. @param {unknown} wrong */
const shown = (wrong) =>
  typeof wrong === 'string' && wrong.includes('@') ? '' : ` (${show(wrong)})`;

/**
 * Refuses two connection strings to one server, which would share one database.
 * @param {string} command
 * @param {(string | null)[]} hosts
 */
function checkDistinct(command, hosts) {
  const twice = hosts.find((host, i) => host !== null && hosts.indexOf(host) !== i);
  if (twice)
    throw new TuneError(
      'TUNE-10002',
      `${command}: two of the connection strings lead to ${twice}.`,
      { value: twice, allowed: 'a server once' },
    );
}

module.exports = { measureInTurns, summaryOf, turns, withSessions, readUris, checkDistinct };
