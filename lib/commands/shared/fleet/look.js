'use strict';

const { diagnose } = require('../../../diagnose/diagnose');
const { loadRules } = require('../../../load-rules');
const { grave } = require('../../../diagnose/check/severity');
const { worstOf } = require('../../../model/fleet-rows');
const { statusOf } = require('../../../model/status');
const { mapServerError } = require('../../../server-errors');
const { gather } = require('../gather');
const { limitOf } = require('./limit');

/**
 * @typedef {import('../../../context').Context} Context
 * @typedef {import('../../../model/fleet-list').Listed} Listed @typedef {import('../../../model/fleet-rows').Row} Row
 */

const MS_PER_SECOND = 1000;
/** Which kind of failure an error is; any other is `failed`. @type {Readonly<Record<string, import('../../../model/fleet-rows').State>>} */
const STATES = Object.freeze({
  'TUNE-20002': 'unsuitable', 'TUNE-20003': 'unsuitable', 'TUNE-20004': 'unsuitable', 'TUNE-20005': 'refused', 'TUNE-20006': 'unreachable',
  'TUNE-20011': 'unreachable', 'TUNE-20012': 'late', 'TUNE-30009': 'not asked',
});

/**
 * Connects to one server, looks at it and leaves it. Whatever goes wrong is the row's, never an error.
 * @param {Context} ctx @param {Listed} server @param {{ seconds: number, timeoutSeconds: number }} how
 * @returns {Promise<Row>}
 */
async function lookAtServer(ctx, server, { seconds, timeoutSeconds }) {
  const startedMs = performance.now();
  const limit = limitOf(ctx.signal, (seconds + timeoutSeconds) * MS_PER_SECOND);
  const reaching = ctx.reach(server.uri, timeoutSeconds * MS_PER_SECOND);
  const took = () => (performance.now() - startedMs) / MS_PER_SECOND;
  try {
    const seen = await Promise.race([reaching.then(({ port }) => examined({ ...ctx, port, signal: limit.signal }, seconds)), limit.over]);
    return { ...blank(server), ...(typeof seen === 'string' ? failure(ended(seen, seconds + timeoutSeconds)) : seen), seconds: took() };
  } catch (error) {
    const mapped = mapServerError(error, 'serverStatus', ctx.signal);
    return { ...blank(server), ...failure(mapped), seconds: took() };
  } finally {
    limit.end();
    // Nobody waits for a server to say goodbye, nor for a connection that comes too late.
    void reaching.then(({ close }) => close()).catch(() => {});
  }
}

/** @param {Listed} server @returns {Row} */
const blank = ({ name, tags }) => ({
  name, tags, state: 'not asked', status: 'unknown', host: null, version: null, role: null, bottleneck: null, because: null, findings: [], change: null,
  cache: null, clients: null, ops: null, seconds: 0, notes: [], error: null,
});

/** @param {Context} ctx @param {number} seconds @returns {Promise<Partial<Row>>} */
async function examined(ctx, seconds) {
  const { window, facts, notes } = await gather(ctx, { seconds, every: Math.min(1, seconds), machine: true });
  const { bottleneck, because, findings, change } = diagnose({ window, facts, rules: loadRules() });
  const { cache, clients, ops } = statusOf(window, facts);
  return {
    state: 'looked', status: worstOf(findings), host: facts.host, version: facts.version, role: facts.role, bottleneck, because, change, cache, clients, ops, notes,
    findings: grave(findings).map(({ rule, area, status, say, advice }) => ({ rule, area, status, say, advice })),
  };
}

/** @param {'late' | 'interrupted'} why @param {number} limitSeconds */
const ended = (why, limitSeconds) => (why === 'late'
  ? { code: 'TUNE-20012', why: `no answer within ${limitSeconds} s`, message: `There was no answer within ${limitSeconds} s; { timeoutSeconds } gives it more.` }
  : { code: 'TUNE-30009', message: 'Interrupted.' });

/** @param {{ code?: unknown, why?: unknown, message: string }} error @returns {Partial<Row>} */
function failure({ code, why, message }) {
  const known = typeof code === 'string' ? code : null;
  const said = message.replace(/^\[TUNE-\d+\] /, '');
  return { state: STATES[known ?? ''] ?? 'failed', error: { code: known, why: typeof why === 'string' ? why : said.split(/\. |\.$/)[0], message: said } };
}

/** A server that was not asked, because it was interrupted before. @param {Listed} server @returns {Row} */
const notAsked = (server) => blank(server);

module.exports = { lookAtServer, notAsked };
