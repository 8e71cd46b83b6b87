'use strict';

const { diagnose } = require('../diagnose/diagnose');
const { loadRules } = require('../rules/registry');
const { severe } = require('../base/pure/finding');
const { worstOf } = require('./pure/fleet-rows');
const { statusOf } = require('../server/pure/status');
const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');
const { observe } = require('../observe/observe');
const { withTimeout } = require('../base/timing');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Listed } from './pure/fleet-list'
 * @import { State } from './pure/fleet-rows'
 * @import { Context } from '../base/types'
 * @import { Row } from './pure/types'
 */

/**
 * The kinds of failure by the code of an error; any other is `failed`.
 * @type {Readonly<Record<string, State>>}
 */
const STATES = Object.freeze({
  'TUNE-20002': 'unsupported',
  'TUNE-20003': 'unsupported',
  'TUNE-20004': 'unsupported',
  'TUNE-20005': 'refused',
  'TUNE-20006': 'unreachable',
  'TUNE-20011': 'unreachable',
  'TUNE-20012': 'timed out',
  'TUNE-30009': 'skipped',
});

/**
 * Connects to one server, samples it and disconnects. A failure is a field of its row, never an
 * error.
 * @param {Context} ctx
 * @param {Listed} server
 * @param {{ seconds: number, serverTimeoutSeconds: number }} how
 * @returns {Promise<Row>}
 */
async function examineServer(ctx, server, { seconds, serverTimeoutSeconds }) {
  const startedMs = performance.now();
  const reaching = ctx.reach(server.uri, serverTimeoutSeconds * MS_PER_SECOND);
  const took = () => (performance.now() - startedMs) / MS_PER_SECOND;
  try {
    const seen = await withTimeout(
      async (signal) => examined({ ...ctx, port: (await reaching).port, signal }, seconds),
      (seconds + serverTimeoutSeconds) * MS_PER_SECOND,
      ctx.signal,
      late,
    );
    return { ...blank(server), ...seen, seconds: took() };
  } catch (error) {
    return {
      ...blank(server),
      ...failure(mapServerError(error, 'serverStatus', ctx.signal)),
      seconds: took(),
    };
  } finally {
    // Neither the close is awaited, nor a connection that comes too late.
    void reaching.then(({ close }) => close()).catch(() => {});
  }
}

/** @param {Listed} server @returns {Row} */
const blank = ({ name, tags }) => ({
  name,
  tags,
  state: 'skipped',
  status: 'unknown',
  host: null,
  version: null,
  role: null,
  bottleneck: null,
  because: null,
  findings: [],
  change: null,
  cache: null,
  clients: null,
  ops: null,
  seconds: 0,
  notes: [],
  error: null,
});

/** @param {Context} ctx @param {number} seconds @returns {Promise<Partial<Row>>} */
async function examined(ctx, seconds) {
  const observation = await observe(ctx, {
    seconds,
    every: Math.min(1, seconds),
    machineLevel: 'diagnostics',
  });
  const { window, facts, notes } = observation;
  const { bottleneck, because, findings, change } = diagnose(observation, { engine: loadRules() });
  const { cache, clients, ops } = statusOf(window, facts);
  return {
    state: 'examined',
    status: worstOf(findings),
    host: facts.host,
    version: facts.version,
    role: facts.role,
    bottleneck,
    because,
    change,
    cache,
    clients,
    ops,
    notes,
    findings: severe(findings).map(({ rule, area, status, code, values, message, advice }) => ({
      rule,
      area,
      status,
      code,
      values,
      message,
      advice,
    })),
  };
}

/** @param {number} limitMs */
const late = (limitMs) =>
  new TuneError('TUNE-20012', `No answer within ${limitMs / MS_PER_SECOND} s.`, {
    why: `no answer within ${limitMs / MS_PER_SECOND} s`,
  });

/** @param {{ code?: unknown, why?: unknown, message: string }} error @returns {Partial<Row>} */
function failure({ code, why, message }) {
  const known = typeof code === 'string' ? code : null;
  const said = message.replace(/^\[TUNE-\d+\] /, '');
  return {
    state: STATES[known ?? ''] ?? 'failed',
    error: {
      code: known,
      why: typeof why === 'string' ? why : said.split(/\. |\.$/)[0],
      message: said,
    },
  };
}

/**
 * Makes the row of a server that was not asked, because the command was interrupted before.
 * @param {Listed} server
 * @returns {Row}
 */
const notAsked = (server) => blank(server);

module.exports = { examineServer, notAsked };
