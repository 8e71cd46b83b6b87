'use strict';

const { SMALL_STATUS, HELLO, BUILD_INFO, ENGINE_STATUS } = require('./pure/commands');
const { uptimeMs } = require('./pure/sample');
const { toMs, toNumber } = require('../base/pure/numbers');
const { TuneError } = require('../base/pure/errors');

/**
 * @import { Port } from '../base/context'
 * @import { Run } from './types'
 */

/** Finds who answers: which run of which server, or a service that is no mongod. */

/**
 * Recognizes services that speak MongoDB's protocol without being a mongod, by the names of their
 * hosts and by fields in their answers (from their documentation; none was tried).
 * @typedef {{ name: string, todo: string }} Service
 */

const ATLAS = /\.mongodb(-[a-z]+)?\.net(:\d+)?$/i;
const SERVICES = Object.freeze(
  /** @type {readonly (Service & { host: RegExp })[]} */ ([
    {
      name: 'MongoDB Atlas of a free or Flex tier',
      host: ATLAS,
      todo: 'Use the metrics of Atlas, or a dedicated tier (M10 and larger), where tune can read.',
    },
    {
      name: 'Amazon DocumentDB',
      host: /\.docdb(-elastic)?\.amazonaws\.com/i,
      todo: 'Use its CloudWatch metrics and Performance Insights.',
    },
    {
      name: 'Azure Cosmos DB',
      host: /\.cosmos\.azure\.com|\.documents\.azure\.com/i,
      todo: 'Use the metrics of Azure Monitor.',
    },
  ]),
);
const FERRETDB = Object.freeze({
  name: 'FerretDB',
  todo: 'It stores its data in PostgreSQL: use the statistics of that.',
});
const UNKNOWN = Object.freeze({
  name: 'a server that is no mongod with WiredTiger',
  todo: 'Use the metrics of its operator.',
});
/** A mongod that started less than this many milliseconds ago may not have its engine yet. */
const STARTING_MS = 60_000;

/**
 * A cluster of Atlas that shows its engine: it can be read, and lets no user change it.
 * @param {string | null | undefined} host
 */
const isAtlas = (host) => ATLAS.test(host ?? '');

/**
 * Refuses at once what has no WiredTiger at all, which trying again does not change.
 * @param {Port} port
 * @param {{ hello: any, status: any }} seen `status`: the answer to SMALL_STATUS
 * @throws {TuneError} TUNE-20002
 */
async function refuseOtherEngine(port, { hello, status }) {
  if (status.storageEngine?.name !== undefined || !(Number(uptimeMs(status)) > STARTING_MS)) return;
  const whole = await port.adminCommand(ENGINE_STATUS);
  if (whole.wiredTiger !== undefined) return;
  const { name, todo } = serviceOf({
    hello,
    status,
    build: await port.adminCommand(BUILD_INFO).catch(() => ({})),
  });
  throw new TuneError(
    'TUNE-20002',
    `serverStatus has neither storageEngine nor wiredTiger: this is ${name}. ${todo} tune.lint, ` +
      'tune.rules and tune.explain still work.',
    { value: name, allowed: ['wiredTiger'] },
  );
}

/** @param {{ hello: any, status: any, build: any }} seen @returns {Service} */
function serviceOf({ hello, status, build }) {
  if (build.ferretdb !== undefined || build.ferretdbVersion !== undefined) return FERRETDB;
  const { me, primary, hosts = [] } = hello;
  const names = [me, primary, status.host, ...hosts].map(String);
  return SERVICES.find(({ host }) => names.some((name) => host.test(name))) ?? UNKNOWN;
}

/**
 * Refuses a change that Atlas would refuse with a role that it does not have.
 * @param {{ host: string | null, me?: string | null }} run
 * @throws {TuneError} TUNE-20007
 */
function refuseAtlas({ host, me }) {
  const name = [me, host].find(isAtlas);
  if (name === undefined) return;
  throw new TuneError(
    'TUNE-20007',
    `${name} is MongoDB Atlas, which lets no user set engine parameters. Nothing was sent.`,
    { value: name },
  );
}

/**
 * @typedef {Run & { version: string | null, clockMs: number | null }}
 *   ServerRun `clockMs`: the server's
 *   clock less ours, at the least: a moment computed with it is never later than the server's own
 *   note of what came after it
 */

/**
 * Finds which run of which server this is, and its clock.
 * @param {Port} port
 * @returns {Promise<ServerRun>}
 */
async function readServerRun(port) {
  const hello = await port.adminCommand(HELLO);
  const status = await port.adminCommand(SMALL_STATUS);
  // The server read its clock before it answered. Computed from the time of the question, a busy
  // server would seem ahead by its delay.
  return serverRunOf({ hello, status, answeredAtMs: Date.now() });
}

/**
 * @param {{ hello: any, status: any, answeredAtMs: number }} reported `status`: the answer to
 *   SMALL_STATUS; `answeredAtMs`: when it came, by our clock
 * @returns {ServerRun}
 */
function serverRunOf({
  hello,
  status: { host = null, version = null, pid, localTime, uptimeMillis },
  answeredAtMs,
}) {
  const nowMs = toMs(localTime) ?? null;
  return {
    host,
    version,
    pid: toNumber(pid) ?? null,
    processId: processIdOf(hello),
    me: hello.me ?? null,
    startedAtMs: less(nowMs, toNumber(uptimeMillis)),
    clockMs: less(nowMs, answeredAtMs),
  };
}

/** @param {any} hello @returns {string | null} new at each start; null: a release before 4.4 */
const processIdOf = ({ topologyVersion }) => topologyVersion?.processId?.toString() ?? null;

/** @param {number | null} a @param {number | undefined} b */
const less = (a, b) => (a === null || b === undefined ? null : a - b);

module.exports = {
  readServerRun,
  serverRunOf,
  processIdOf,
  refuseOtherEngine,
  refuseAtlas,
  isAtlas,
};
