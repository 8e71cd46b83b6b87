'use strict';

const { MiB } = require('../base/pure/units');
const { SMALL_STATUS, HELLO, HOST_INFO } = require('./pure/commands');
const { NO_FACTS } = require('./pure/facts');
const { toNumber } = require('../base/pure/numbers');
const { TuneError } = require('../base/pure/errors');
const { serverRunOf, refuseOtherEngine } = require('./identity');

/**
 * @import { Port } from '../base/context'
 * @import { ServerRun } from './identity'
 * @import { Facts } from './pure/types'
 */

/** dbStats walks a database's collections: beyond this many databases the file sizes have to do. */
const DATABASES_ASKED = 20;

/**
 * Reads what the server is, and refuses by name what tune cannot examine.
 * @param {Port} port
 * @param {{ hardware?: boolean }} [options] false: do not ask for memory and cores
 * @returns {Promise<Facts>} without `config` and `dataBytes`
 * @throws {TuneError} TUNE-20002 no WiredTiger, TUNE-20003 mongos, TUNE-20004 arbiter
 */
async function collectFacts(port, options) {
  return (await collectServer(port, options)).facts;
}

/**
 * Reads the facts and the run of the server, which come from the same answers.
 * @param {Port} port @param {{ hardware?: boolean }} [options]
 * @returns {Promise<{ facts: Facts, run: ServerRun }>}
 * @throws {TuneError}
 */
async function collectServer(port, { hardware = true } = {}) {
  const hello = await port.adminCommand(HELLO);
  refusePlaces(hello);
  const [{ status, answeredAtMs }, host] = await Promise.all([
    port
      .adminCommand(SMALL_STATUS)
      .then((answer) => ({ status: answer, answeredAtMs: Date.now() })),
    // Without the privilege the memory is unknown.
    hardware ? port.adminCommand(HOST_INFO).catch(() => ({})) : {},
  ]);
  const engine = status.storageEngine?.name ?? null;
  if (engine !== null && engine !== 'wiredTiger') {
    throw new TuneError(
      'TUNE-20002',
      `This server uses the storage engine "${engine}", which has no WiredTiger cache; ` +
        'tune.lint, tune.rules and tune.explain still work.',
      { value: engine, allowed: ['wiredTiger'] },
    );
  }
  await refuseOtherEngine(port, { hello, status });
  const run = serverRunOf({ hello, status, answeredAtMs });
  const { version, pid, startedAtMs } = run;
  return {
    facts: {
      ...NO_FACTS,
      host: run.host,
      version,
      pid,
      startedAtMs,
      role: roleOf(hello),
      engine,
      ...hardwareOf(host),
    },
    run,
  };
}

/** @param {any} hello */
function refusePlaces(hello) {
  if (hello.msg === 'isdbgrid') {
    throw new TuneError(
      'TUNE-20003',
      'This is a mongos; tune.lint, tune.rules and tune.explain still work.',
      { value: 'mongos', allowed: ['mongod'] },
    );
  }
  if (hello.arbiterOnly) {
    throw new TuneError(
      'TUNE-20004',
      'This member is an arbiter; tune.lint, tune.rules and tune.explain still work.',
      { value: 'arbiter', allowed: ['primary', 'secondary', 'standalone'] },
    );
  }
}

/** @param {any} hello @returns {Facts['role']} */
function roleOf(hello) {
  if (!hello.setName) return 'standalone';
  if (hello.isWritablePrimary) return 'primary';
  return hello.secondary ? 'secondary' : 'other';
}

/** @param {any} host the reply of hostInfo, or {} */
function hardwareOf(host) {
  const memoryMB = toNumber(host.system?.memSizeMB);
  const limitMB = toNumber(host.system?.memLimitMB);
  return {
    osType: typeof host.os?.type === 'string' ? host.os.type : null,
    memoryBytes: memoryMB === undefined ? null : memoryMB * MiB,
    memLimitBytes: limitMB === undefined ? null : limitMB * MiB,
    cores: toNumber(host.system?.numCores) ?? null,
  };
}

/**
 * Data and indexes as they lie in the cache: uncompressed.
 * @param {Port} port
 * @returns {Promise<number | null>} null without the privileges (listDatabases, dbStats)
 */
async function collectDataBytes(port) {
  try {
    const { databases } = await port.adminCommand({ listDatabases: 1 });
    const bySize = databases
      .map((/** @type {any} */ d) => ({ name: d.name, bytes: toNumber(d.sizeOnDisk) ?? 0 }))
      .sort((/** @type {any} */ a, /** @type {any} */ b) => b.bytes - a.bytes);
    const asked = await Promise.all(
      bySize
        .slice(0, DATABASES_ASKED)
        .map((/** @type {any} */ d) => port.command(d.name, { dbStats: 1 })),
    );
    const known = asked.reduce(
      (total, stats) => total + (toNumber(stats.dataSize) ?? 0) + (toNumber(stats.indexSize) ?? 0),
      0,
    );
    return bySize
      .slice(DATABASES_ASKED)
      .reduce((/** @type {number} */ total, /** @type {any} */ d) => total + d.bytes, known);
  } catch (_missingPrivilege) {
    return null;
  }
}

module.exports = { collectFacts, collectServer, collectDataBytes, hardwareOf };
